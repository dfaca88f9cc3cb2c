"""Unlimited new recipes, from the dishes of `thence.domains.recipes.techniques`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

from thence.domains.recipes.form import Recipe
from thence.domains.recipes.grammar import MOST, Dish, compose
from thence.domains.recipes.lowering import LoweredRecipe, lower

CHANCE_OF_EXTRA = 0.25  # that a salad, or bread, goes with a dish that takes one
_EXTRA = 4  # steps that such a thing adds
_WESTERN = frozenset({"Italian", "French", "British", "Greek", "Spanish", "American", "Turkish"})


@cache
def _dishes() -> tuple[Callable[[Random], Dish], ...]:
    from thence.domains.recipes.techniques import baking, feasts, light, savoury

    return (*savoury.DISHES, *light.DISHES, *baking.DISHES, *feasts.DISHES)


@cache
def _extras() -> tuple[tuple[tuple[str, ...], Callable[[Dish, Random], None]], ...]:
    from thence.domains.recipes.techniques.beside import EXTRAS

    return EXTRAS


def recipe(rng: Random) -> Recipe:
    """Return a new recipe in the structured form."""
    dish = rng.choice(_dishes())(rng)
    if dish.cuisine in _WESTERN:
        for courses, extra in _extras():
            wanted = dish.course in courses and rng.random() < CHANCE_OF_EXTRA
            if wanted and dish.steps() <= MOST - _EXTRA:
                extra(dish, rng)
                break
    return compose(dish, rng)


def generate(rng: Random) -> LoweredRecipe:
    """Return a new recipe with its facts."""
    return lower(recipe(rng))
