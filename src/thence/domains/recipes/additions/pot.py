"""One big pot, in which several things are boiled one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from thence.domains.recipes.additions.extension import ExtendedRecipe
from thence.domains.recipes.additions.lines import POT, RecipeLine

_FILLED = re.compile(
    r"bring an? (?:large|big|wide) pot of (salted )?water to a boil", re.IGNORECASE
)
_BOILED = re.compile(r"((?:boil|cook) .+ (?:salted|boiling) water\b)", re.IGNORECASE)
_MASHED = re.compile(r"(drain .+?)(?= and mash )", re.IGNORECASE)


def share_pot(script: ExtendedRecipe) -> bool:
    """Let all that is boiled and drained be boiled in the one big pot; return success."""
    held = list(_boilings(script))
    apart = all(one[-1] < other[0] for one, other in pairwise(held))
    if len(held) < 2 or not apart or POT in script.taken:
        return False
    for place in (k for each in held for k in each):
        line = script.lines[place]
        line.text = _in_pot(line.text)
        line.uses.append(POT)
        line.defines.append(POT)
    script.start.append(POT)
    script.taken.add(POT)
    return True


def _boilings(script: ExtendedRecipe) -> Iterator[tuple[int, ...]]:
    """Yield the places of the lines from the filling of a pot to its emptying."""
    for place, line in enumerate(script.lines):
        things = line.things()
        if line.when or line.added or len(things) != 1 or not _opens(line):
            continue
        if "drain" in line.text.lower():
            yield (place,)
            continue
        after = script.first_use(things[0], place + 1)
        if after < len(script.lines) and _empties(script.lines[after]):
            yield place, after


def _opens(line: RecipeLine) -> bool:
    if any(each in line.text.lower() for each in ("oven", " pan")):
        return False
    boiled = _BOILED.match(line.text) and not line.uses
    return bool(boiled or _FILLED.match(line.text))


def _empties(line: RecipeLine) -> bool:
    boils = _BOILED.match(line.text) and "drain" in line.text
    return bool(boils or _MASHED.match(line.text)) and not line.when and not line.added


def _in_pot(text: str) -> str:
    """Return the sentences of a step that is done in the big pot."""
    for form, words in (
        (_FILLED, r"Bring \1water to a boil in the big pot"),
        (_MASHED, r"\1 from the big pot"),
        (_BOILED, r"\1 in the big pot"),
    ):
        found = form.match(text)
        if found is not None:
            return found.expand(words) + text[found.end() :]
    return text
