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
def _extras(anew: bool) -> tuple[tuple[tuple[str, ...], Callable[[Dish, Random], None]], ...]:
    from thence.domains.recipes.techniques.beside import EXTRAS
    from thence.domains.recipes.techniques.sides import SIDES

    return SIDES if anew else EXTRAS


def recipe(rng: Random, *, anew: bool = False) -> Recipe:
    """Return a new recipe in the structured form.

    Args:
        rng: the source of all randomness.
        anew: whether in the words of `techniques.sides`, which the published dialect has not.
    """
    from thence.domains.recipes.techniques.sides import tell_anew

    dish = rng.choice(_dishes())(rng)
    if anew:
        tell_anew(dish)
    if dish.cuisine in _WESTERN:
        for courses, extra in _extras(anew):
            wanted = dish.course in courses and rng.random() < CHANCE_OF_EXTRA
            if wanted and dish.steps() <= MOST - _EXTRA:
                extra(dish, rng)
                break
    return compose(dish, rng)


def generate(rng: Random, *, anew: bool = False) -> LoweredRecipe:
    """Return a new recipe with its facts; see `recipe`."""
    return lower(recipe(rng, anew=anew))
