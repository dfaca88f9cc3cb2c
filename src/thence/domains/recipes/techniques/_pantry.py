"""Ingredients with sensible amounts, grouped by cuisine (``pantry.txt``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random

_PLURAL = {"leaf": "leaves"}
_FRYING = {"butter": "a knob of butter", "ghee": "a spoonful of ghee"}
_SMALL = frozenset({"with", "and", "in", "of"})


@dataclass(frozen=True, slots=True)
class Style:
    """Ingredients that go together in one cuisine; no list is empty."""

    name: str
    fat: str
    aromatics: list[str]
    spices: list[str]
    herbs: list[str]
    liquids: list[str]
    vegetables: list[str]
    stew_meat: list[str]
    sides: list[str]
    finish: list[str]


@cache
def _sections() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    folder = files("thence.domains.recipes") / "techniques"
    for line in (folder / "pantry.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            found[line[3:]] = []
        elif line and line[0] != "#":
            next(reversed(found.values())).append(line)
    return found


@cache
def amounts() -> dict[str, tuple[int, int, int, str]]:
    """Return ingredient -> smallest and greatest amount, step, measure (empty: counted)."""
    found = {}
    for line in _sections()["amounts"]:
        name, _, rest = line.partition(": ")
        bounds, _, measure = rest.partition(" ")
        span, _, step = bounds.partition("/")
        low, _, high = span.partition("-")
        found[name] = (int(low), int(high), int(step), measure)
    return found


@cache
def styles() -> tuple[Style, ...]:
    """Return the cuisines."""
    found = []
    for line in _sections()["styles"]:
        name, fat, *lists = (part.strip() for part in line.split("|"))
        found.append(Style(name, fat, *(each.split(", ") for each in lists)))
    return tuple(found)


def rubs(cuisine: Style, *never: str) -> list[str]:
    """Return the spices of a cuisine that are rubbed on meat."""
    return [x for x in cuisine.spices if x not in ("nutmeg", "saffron", *never)]


def some(name: str, rng: Random, how: str = "") -> str:
    """Return an ingredient that comes in, with or without its amount.

    Args:
        name: a name in `amounts`, or any other name, which then has no amount.
        rng: the source of all randomness.
        how: a word before the name, such as ``sliced``.
    """
    shown = f"{how} {name}" if how else name
    known = amounts().get(name)
    draw = rng.random()
    if known is None or draw < 0.35:
        return f"{{the {shown}|{name}}}"
    low, high, step, measure = known
    number = rng.randrange(low, high + 1, step)
    if not measure:
        return f"{{{number} {shown}|{name}}}"
    if measure[0] in "gm" and measure.split()[0] in {"g", "ml"}:
        unit, _, word = measure.partition(" ")
        if number == 1000:
            return f"{{{'1 litre of' if unit == 'ml' else '1kg'} {shown}|{name}}}"
        return f"{{{number}{unit} {word + ' ' if word else ''}{shown}|{name}}}"
    if number > 1:
        measure = _PLURAL.get(measure, measure + "s")
    if draw > 0.8 and measure.endswith("s") and number < high:
        return f"{{{number} to {number + 1} {measure} of {shown}|{name}}}"
    return f"{{{number} {measure} of {shown}|{name}}}"


def weighed(name: str, grams: int, rng: Random, how: str = "") -> str:
    """Return an ingredient of a dough or batter with a given amount in grams, or with none."""
    shown = f"{how} {name}" if how else name
    return f"{{{grams}g {shown}|{name}}}" if rng.random() < 0.7 else f"{{the {shown}|{name}}}"


def fat(name: str, rng: Random) -> str:
    """Return a frying fat in an amount for frying."""
    if name in _FRYING and rng.random() < 0.6:
        return f"{{{_FRYING[name]}|{name}}}"
    return f"{{the {name}|{name}}}" if name in _FRYING else some(name, rng)


def one(name: str) -> str:
    """Return the singular before another noun: ``cherries`` gives ``cherry``."""
    if name.endswith("ies"):
        return name[:-3] + "y"
    if name.endswith(("toes", "ches", "shes", "xes", "sses")):
        return name[:-2]
    return name.removesuffix("s") if not name.endswith("ss") else name


def named(words: str) -> str:
    """Return words as a title: capitals except in small words."""
    return " ".join(
        word if word in _SMALL and place else word[:1].upper() + word[1:]
        for place, word in enumerate(words.split())
    )
