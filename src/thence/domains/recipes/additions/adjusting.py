"""Choices of how something stands: a dressing that may have settled is stirred again.

It is asked of a thing that was changed before in any case, so that a step with a condition, the
last that changes it, tells little of whether it is still as it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from thence.domains.recipes.additions.extension import ExtendedRecipe, denied
from thence.domains.recipes.additions.lines import OVEN, RecipeLine, added
from thence.domains.recipes.additions.names import unsaid
from thence.domains.recipes.grammar import plural

_THIN = "is too thin"
_MENDED = (
    (r".*(?:dressing|vinaigrette|marinade|cold sauce)", "has settled", "stir {} up again"),
    (r".*(?:custard|white sauce|cheese sauce)", "has lumps", "whisk {} smooth"),
    (r".*(?:soup|stew|ragout|dal|gravy|curry|chilli)", _THIN, "let {} boil down"),
    (r"(?!proved|risen).*dough", "feels stiff", "knead {} once more"),
    (r".*(?:mixture|filling|dip|icing)", "looks uneven", "stir {} well"),
    (r"(?:cooked|boiled|fluffy|steamed) (?:rice|couscous|bulgur|quinoa)", "has stuck together",
     "loosen {} with a fork"),
)  # fmt: skip
"""What may be the matter with a thing, and what a cook does about it."""
_KNEADED = re.compile(r"\b(?i:knead)")  # as all dough was that may be kneaded once more

_SIMMERED = re.compile(
    r"\b(?i:simmer|braise|bubble)\b|\b(?i:cook) (?:in the (?:\w+ )?oven|until \w+ ?\w* ?tender)"
)  # as all was that may have come out too thin

_COLD = re.compile(r"\b(?i:chill|refrigerator|fridge|cold)\b")
_STATE = "state of the {}"
_THINGS = 1 << 12  # of which it is kept what may be the matter with them
_RIGHT, _WRONG = "right", "wrong"


@lru_cache(_THINGS)
def _mend(thing: str) -> tuple[str, str] | None:
    """Return what may be the matter with a thing and what is done about it, if anything."""
    return next(
        ((wrong, mend) for pattern, wrong, mend in _MENDED if re.fullmatch(pattern, thing)), None
    )


def adjust(script: ExtendedRecipe) -> bool:
    """Let something be put right where it needs to be; return whether it was done."""
    if not script.room:
        return False
    unnamed = unsaid(script.lines, script.title)
    found = [
        (place, thing)
        for place, line in enumerate(script.lines)
        for thing in line.things()
        if _mend(thing) and thing not in unnamed and not plural(thing)
        and script.choices.keys().isdisjoint(names_of_choices(thing))
        and not line.when and OVEN not in line.defines
        and len(changed := _changes(script, thing, place)) > 1
        and _is_done(thing, changed)
    ]  # fmt: skip
    if not found:
        return False
    place, thing = script.rng.choice(found)
    used = script.first_use(thing, place + 1)
    gaps = script.gaps(place + 1, min(used, _cold(script, thing, place)))
    if not gaps or used == len(script.lines):
        return False
    wrong, mend = _mend(thing) or ("", "")
    name = _STATE.format(thing)
    where = script.rng.choice(gaps)
    script.put(
        where,
        added(f"If the {thing} {wrong}, {mend.format('it')}.",
              uses=[thing, *script.forms_in(thing, where)], defines=[thing],
              when=((name, _WRONG),)),
    )  # fmt: skip
    script.choose(
        name,
        [_RIGHT, _WRONG],
        f"whether the {thing} {wrong}",
        [f"the {thing} {denied(wrong)}", f"the {thing} {wrong}"],
    )
    script.taken.add(thing)
    return True


def _cold(script: ExtendedRecipe, thing: str, place: int) -> int:
    """Return the first place from which a thing is cold, so that no whisk gets its lumps out."""
    return next(
        (
            k
            for k, line in enumerate(script.lines)
            if k >= place and _COLD.search(line.text) and line.touches(thing)
        ),
        len(script.lines),
    )


def names_of_choices(thing: str) -> tuple[str, str]:
    """Return the names of the choices that there may be about how a thing comes out."""
    return f"the {thing}", _STATE.format(thing)


def _is_done(thing: str, changed: Sequence[RecipeLine]) -> bool:
    """Return whether the lines that change a thing have done what may have gone wrong."""
    needed = _KNEADED if "dough" in thing else _SIMMERED if _is_thin(thing) else None
    return needed is None or any(needed.search(each.text) for each in changed)


def _is_thin(thing: str) -> bool:
    mend = _mend(thing)
    return mend is not None and mend[0] == _THIN


def _changes(script: ExtendedRecipe, thing: str, place: int) -> list[RecipeLine]:
    """Return the lines up to a place that make or alter a thing in any case; none if made anew."""
    found = [line for line in script.lines[: place + 1] if thing in line.defines]
    if any(line.repeats for line in found):
        return []
    return [line for line in found if not line.when]
