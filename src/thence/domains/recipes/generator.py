"""New recipes without limit, from the dishes of `thence.domains.recipes.techniques`."""

from __future__ import annotations

from functools import cache
from random import Random

from thence.domains.recipes.form import Recipe
from thence.domains.recipes.grammar import Dish, compose
from thence.domains.recipes.lowering import Lowered, lower

FEWEST, MOST = 3, 17  # steps, as in the paper's recipes


@cache
def _dishes() -> tuple[object, ...]:
    from thence.domains.recipes.techniques import baking, light, savoury

    return (*savoury.DISHES, *light.DISHES, *baking.DISHES)


def recipe(rng: Random) -> Recipe:
    """A new recipe in the structured form."""
    make = rng.choice(_dishes())
    assert callable(make)
    dish: Dish = make(rng)
    return compose(dish, rng)


def generate(rng: Random) -> Lowered:
    """A new recipe with its facts."""
    return lower(recipe(rng))
