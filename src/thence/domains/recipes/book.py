"""The cookbook: our own recipes, stored in the structured form beside this module."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from thence.domains.recipes.form import Recipe, read
from thence.domains.recipes.lowering import LoweredRecipe, lower


@cache
def recipes() -> tuple[Recipe, ...]:
    """Return every recipe of the cookbook, in the order of its files."""
    folder = files("thence.domains.recipes") / "cookbook"
    found = sorted(
        (each for each in folder.iterdir() if each.name.endswith(".recipes")),
        key=lambda each: each.name,
    )
    return tuple(recipe for each in found for recipe in read(each.read_text(encoding="utf-8")))


@cache
def cookbook() -> tuple[LoweredRecipe, ...]:
    """Return every recipe of the cookbook with its facts."""
    return tuple(lower(each) for each in recipes())
