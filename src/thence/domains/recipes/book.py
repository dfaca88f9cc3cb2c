"""The cookbook: our own recipes, stored in the structured form beside this module."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from thence.domains.recipes.form import Recipe, read
from thence.domains.recipes.lowering import LoweredRecipe, lower

_ENDING = ".recipes"
_PUBLISHED = "published"
"""Name of the file with recipes as they were before a cook mended them."""

_ANEW = tuple(
    (re.compile(old, re.MULTILINE), new)
    for old, new in (
        # no whites are left over, and no sugar comes from nowhere
        (r"Mash <the yolks\|boiled eggs>", "Mash <the eggs|boiled eggs>"),
        (r"Melt \{100g sugar\|sugar/\} in a dry", "Melt {100g sugar|sugar} in a dry"),
        (r"<the other 50g of sugar\|rest of the sugar>", "{50g caster sugar|caster sugar}"),
        # no step would peel or cut them
        (r"(?<!slice )\{(\d) (onions?|carrots?|(?:red|green) peppers?)\}", r"{\1 chopped \2|\2}"),
        (r"\{(\d sticks? of) celery\|celery\}", r"{\1 chopped celery|celery}"),
        (r"^(?!- (?:Blend|Grind|Pound|Rub) )(.*\{\d cloves? of) garlic\|garlic\}",
         r"\1 crushed garlic|garlic}"),
        (r"Boil \{(.*) potatoes\|potatoes\} until (soft|tender, about)",
         r"Boil {\1 peeled potatoes|potatoes} until \2"),
        (r"Blend \{8 shallots\}", "Blend {8 peeled shallots|shallots}"),
        (r"Mash \{3 avocados\}", "Mash {3 peeled avocados|avocados}"),
        # plain English
        (r"(heads of romaine\|romaine\}, dry and tear) it", r"\1 them"),
        (r"\{half of (\d+(?:g|ml)) ", r"{half of the \1 of "),
        (r"\{half of (\d+ (?:table|tea)spoons)", r"{half of the \1"),
        (r"\{([\d.]+) kg of ", r"{\1kg "),
        (r"^((?:- |  )~ )Rest for", r"\1Let it rest for"),
        # no step cooks it
        (r"Serve with \{rice\}", "Serve with {cooked rice}"),
    )
)  # fmt: skip
"""Expressions for words of the cookbook that a cook found wrong, and what they become."""


@cache
def recipes(*, anew: bool = False) -> tuple[Recipe, ...]:
    """Return every recipe of the cookbook, in the order of its files.

    Args:
        anew: whether as a cook has mended them; the published dialect keeps what they were.
    """
    folder = files("thence.domains.recipes") / "cookbook"
    texts = {
        each.name.removesuffix(_ENDING): each.read_text(encoding="utf-8")
        for each in folder.iterdir()
        if each.name.endswith(_ENDING)
    }
    before = {each.title: each for each in read(texts.pop(_PUBLISHED))}
    found: list[Recipe] = []
    for _, text in sorted(texts.items()):
        found += read(_told_anew(text) if anew else text)
    return tuple(found if anew else (before.get(each.title, each) for each in found))


def _told_anew(text: str) -> str:
    for old, new in _ANEW:
        text = old.sub(new, text)
    return text


@cache
def cookbook(*, anew: bool = False) -> tuple[LoweredRecipe, ...]:
    """Return every recipe of the cookbook with its facts; see `recipes`."""
    return tuple(lower(each) for each in recipes(anew=anew))
