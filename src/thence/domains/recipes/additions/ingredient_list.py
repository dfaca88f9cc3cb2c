"""The list of ingredients of a recipe, as a cook lays them out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from thence.domains.recipes.form import bare

_PART = re.compile(r"^(?:the other |the |half (?:of )?(?!an? )|some (?:of )?|most of )+")
_AMOUNT = re.compile(r"(\d+)(?: to (\d+))?((?:g|kg|ml|l)? )(?:more )?(?![\d/]|to )(.+)")
_WEIGHED = re.compile(r"^(\d+(?:g|kg|ml)) of ")  # as "half of the 50g of butter"
_SPOONS = re.compile(r"^(?:table|tea)spoon of ")
_ONE = re.compile(r"^1 (?!\d)")
_S = re.compile(r"(?:(?<=o)e)?s\b")


def plain_name(words: str) -> str:
    """Return how an ingredient is called without its amount."""
    return bare(_PART.sub("", words))


def listed(brought: Iterable[tuple[str, str]]) -> list[str]:
    """Return the list of ingredients, each with the amount that is needed in all.

    Args:
        brought: names and words of what comes in, such as ``half of 50g butter``; the other half
            of it comes in without an amount.
    """
    told: list[str] = []
    for name, words in brought:
        each = _WEIGHED.sub(r"\1 ", _PART.sub("", words)) or name
        sums = (_sum(one, each) for one in told)
        place, total = next(((k, x) for k, x in enumerate(sums) if x), (None, ""))
        if place is not None:
            told[place] = total
        elif each in told and each[0].isdigit():
            told.append(f"another {_ONE.sub('', each)}")
        elif each and each not in told:
            told.append(each)
    return _with_more(told)


def _sum(one: str, other: str) -> str | None:
    """Return two amounts of the same thing as one, or None where they do not add up so."""
    a, b = _AMOUNT.fullmatch(one), _AMOUNT.fullmatch(other)
    if not a or not b or a[3] != b[3] or _S.sub("", a[4]) != _S.sub("", b[4]):
        return None
    thing = max(a[4], b[4], key=len)  # the plural, if there is one
    least, most = (int(a[1]) + int(b[1]), int(a[2] or a[1]) + int(b[2] or b[1]))
    if a[3] == " " and most == 2:  # of one and one
        if not _SPOONS.match(thing):
            return None
        thing = thing.replace("spoon of", "spoons of", 1)
    return f"{least}{f' to {most}' * (most > least)}{a[3]}{thing}"


def _with_more(told: Sequence[str]) -> list[str]:
    """Return a list of ingredients in which none stands with an amount and once without."""
    bare_names = {each for each in told if any(plain_name(t) == each != t for t in told)}
    found: list[str] = []
    more = set(bare_names)  # of which no line tells so far that some more is needed
    for each in told:
        name = plain_name(each)
        if each not in bare_names:
            found.append(f"{each}, plus more" if name in more else each)
            more.discard(name)
    return found
