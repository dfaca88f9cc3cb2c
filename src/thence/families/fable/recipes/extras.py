"""Possible additions to a recipe: flavourings, and small things to serve beside the dish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random

from thence.domains.recipes.form import move
from thence.domains.recipes.grammar import expand

SWEET_COURSES = ("dessert", "cake", "biscuit")
SAVOURY_COURSES = ("main", "soup", "pasta", "side", "salad", "starter", "bread")
_WESTERN = frozenset(
    ["American", "Argentinian", "Austrian", "British", "European", "French", "German", "Greek",
     "Hungarian", "Irish", "Italian", "Lebanese", "Polish", "Spanish", "Swedish", "Swiss",
     "Turkish", "Ukrainian"]
)  # fmt: skip
_EASTERN = frozenset(
    ["Chinese", "Filipino", "Indian", "Indonesian", "Japanese", "Korean", "Thai", "Vietnamese"]
)


_NOT_YET = frozenset(["thin", "raw", "soaked", "coated", "of", "unbaked"])


@dataclass(frozen=True, slots=True)
class Extra:
    """A separate preparation.

    Attributes:
        name: the thing made by its last step.
        lines: one per step.
        brings: its ingredients.
    """

    name: str
    lines: tuple[str, ...]
    brings: tuple[str, ...]


@cache
def lines(section: str) -> Sequence[str]:
    """Return the lines of a section of the file ``extras.txt``."""
    return _sections()[section]


@cache
def extras(section: str) -> Sequence[Extra]:
    """Return the extras of a section."""
    groups: list[list[str]] = []
    for line in lines(section):
        if line.startswith("+ "):
            groups[-1].append(line[2:])
        else:
            groups.append([line])
    return [_extra(tuple(group)) for group in groups]


@cache
def stock(recipe_is: tuple[str, str], what: str) -> Sequence[Extra]:
    """Return the possible additions to a recipe.

    Args:
        recipe_is: cuisine and course of the recipe.
        what: ``""`` for flavourings, else ``mixtures`` or ``beside``.
    """
    cuisine, course = recipe_is
    if course in SWEET_COURSES:
        kitchens = ["sweet"]
    elif cuisine in _EASTERN:
        kitchens = ["eastern"]
    else:
        kitchens = ["savoury", "western"] if cuisine in _WESTERN else ["savoury"]
    return [each for name in kitchens for each in extras(f"{name} {what}".strip())]


@cache
def takes_flavour(thing: str) -> bool:
    """Return whether a thing of this name can take a flavouring."""
    words = thing.split()
    food, never = (frozenset(" ".join(lines(x)).split()) for x in ("takes flavour", "takes none"))
    return bool(words) and words[-1] in food and never.isdisjoint(words)


@cache
def understood() -> frozenset[str]:
    """Return thing names that a cook understands although no step mentions them."""
    return frozenset(" ".join(lines("understood")).split())


@cache
def taken(thing: str, section: str) -> bool:
    """Return whether a part of a thing of this name can be taken: half, or a spoonful.

    Args:
        thing: its name.
        section: ``in parts`` or ``by the spoon``.
    """
    *words, last = thing.split() or [""]
    return last in " ".join(lines(section)).split() and _NOT_YET.isdisjoint(words)


def _extra(held: tuple[str, ...]) -> Extra:
    moves = [move(expand(line, Random(0), "")) for line in held]
    made = moves[-1].makes or ()
    return Extra(made[0].name, held, tuple(name for each in moves for name in each.brings))


@cache
def _sections() -> Mapping[str, Sequence[str]]:
    text = (files("thence.families.fable") / "recipes" / "extras.txt").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    section: list[str] = []
    for line in text.splitlines():
        if line.startswith("== "):
            section = found.setdefault(line[3:], [])
        elif line and not line.startswith("#"):
            section.append(line)
    return found
