"""The cookbook: our own recipes, stored in the structured form beside this module."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from thence.domains.recipes.form import Recipe, read
from thence.domains.recipes.lowering import LoweredRecipe, lower

_ANEW = {
    "Mash <the yolks|boiled eggs>": "Mash <the eggs|boiled eggs>",
    "Melt {100g sugar|sugar/} in a dry": "Melt {100g sugar|sugar} in a dry",
    "<the other 50g of sugar|rest of the sugar>": "{50g caster sugar|caster sugar}",
}
"""What a cook found wrong: no whites are left over, and no sugar comes from nowhere."""


@cache
def recipes(*, anew: bool = False) -> tuple[Recipe, ...]:
    """Return every recipe of the cookbook, in the order of its files.

    Args:
        anew: whether with the words that the published dialect has not.
    """
    folder = files("thence.domains.recipes") / "cookbook"
    found = sorted(
        (each for each in folder.iterdir() if each.name.endswith(".recipes")),
        key=lambda each: each.name,
    )
    texts = [each.read_text(encoding="utf-8") for each in found]
    for old, new in _ANEW.items() if anew else ():
        texts = [text.replace(old, new) for text in texts]
    return tuple(recipe for text in texts for recipe in read(text))


@cache
def cookbook(*, anew: bool = False) -> tuple[LoweredRecipe, ...]:
    """Return every recipe of the cookbook with its facts; see `recipes`."""
    return tuple(lower(each) for each in recipes(anew=anew))
