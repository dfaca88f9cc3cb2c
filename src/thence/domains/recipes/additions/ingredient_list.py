"""The list of ingredients of a recipe, as a cook lays them out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from thence.domains.recipes.form import bare

_PART = re.compile(r"^(?:the |half (?:of )?(?!an? )|some (?:of )?|most of |the other )+")
_AMOUNT = re.compile(r"(\d+)((?:g|kg|ml|l)? )(?:more )?(.+)")
_MEASURES = re.compile(r"(?:g|kg|ml|l) |.* of ")  # which need no plural of the ingredient
_S = re.compile(r"s\b")


def plain_name(words: str) -> str:
    """Return how an ingredient is called without its amount."""
    return bare(_PART.sub("", words))


def listed(brought: Iterable[tuple[str, str]]) -> list[str]:
    """Return the list of ingredients, each with the amount that is needed in all.

    Args:
        brought: names and words of what comes in, such as ``half of 50g butter``.
    """
    told: list[str] = []
    for name, words in brought:
        each = _PART.sub("", words) or name
        sums = (_sum(one, each) for one in told)
        place, total = next(((k, x) for k, x in enumerate(sums) if x), (None, ""))
        if place is not None:
            told[place] = total
        elif each in told and each[0].isdigit():
            told.append(f"another {each.removeprefix('1 ')}")
        elif each and each not in told:
            told.append(each)
    return _with_more(told)


def _sum(one: str, other: str) -> str | None:
    """Return two amounts of the same thing as one, or None where they do not add up so."""
    a, b = _AMOUNT.fullmatch(one), _AMOUNT.fullmatch(other)
    if not a or not b or a[2] != b[2] or _S.sub("", a[3]) != _S.sub("", b[3]):
        return None
    thing = max(a[3], b[3], key=len)  # the plural, if there is one
    if a[1] == b[1] == "1":
        if not _MEASURES.match(a[2].lstrip() + thing):
            return None
        thing = re.sub(r"^(\w+) of ", r"\1s of ", thing)
    return f"{int(a[1]) + int(b[1])}{a[2]}{thing}"


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
