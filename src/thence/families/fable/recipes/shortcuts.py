"""Shortcuts for recipes: what a cook might go by without following anything through."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from thence.core.amounts import Amount, quantities, temperatures, times
from thence.core.shortcuts import Shortcut, ShownQuestion, group
from thence.domains.recipes.additions.equipment import EQUIPMENT
from thence.families.fable.recipes.intervals import target
from thence.families.fable.recipes.kitchen import named, opening
from thence.families.fable.recipes.surface import listed_sum

_PRONOUN = re.compile(r"\b(?:it|them|both|everything|mixture)\b")
_MEANWHILE = ("eanwhile", "meantime")
_EQUIPMENT = re.compile("|".join(EQUIPMENT))
SURE = re.compile(r"Step (\d+) gets the [a-z ]+ out only where ")


class _Line(NamedTuple):
    """The marks of a step's text that a glance shows."""

    opening: str
    last: str
    size: int
    sentences: int
    minutes: bool
    oven: bool
    halved: bool
    rest: bool
    pronoun: bool
    meanwhile: bool
    equipment: str
    away: bool


@lru_cache(1 << 12)
def _line(text: str) -> _Line:
    found = re.findall(r"[a-z]+", text.lower())
    equipment = _EQUIPMENT.search(text)
    return _Line(
        opening=opening(text),
        last=found[-1] if found else "",
        size=len(text.split()),
        sentences=text.count(". "),
        minutes="minute" in text,
        oven="oven" in text,
        halved="the half in the bowl" in text,
        rest="the rest of" in text,
        pronoun=bool(_PRONOUN.search(text)),
        meanwhile=any(word in text for word in _MEANWHILE),
        equipment=equipment[0] if equipment else "",
        away=text.endswith("away."),
    )


def _naming(shown: ShownQuestion) -> tuple[str, Sequence[int]]:
    """Return the thing that is asked about, or nothing, and the steps that name it."""
    asked = shown.values.get("ingredient") or shown.values.get("fact") or ""
    return asked, _places(asked, shown.texts) if asked else ()


@lru_cache(1 << 12)
def _places(asked: str, texts: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(k for k, text in enumerate(texts) if named(asked, text))


def _cook(shown: ShownQuestion) -> dict[str, Any]:
    lines = [_line(str(step["text"])) for step in shown.steps]
    i, j = shown.i, shown.j
    if i is None:
        return {}
    ends = (lines[i], lines[i if j is None else j])
    inside = [lines[k] for k in shown.between]
    told: dict[str, Any] = {
        "times": sum(line.minutes for line in lines),
        "oven": any(line.oven for line in lines),
        "manner": tuple(line.opening for line in ends),
        "form": shown.values.get("form"),
        "vessel": bool(shown.values.get("vessel")),
        "halved": tuple(line.halved for line in ends),
        "rest": tuple(line.rest for line in ends),
        "pronoun": tuple(line.pronoun for line in ends),
        "sentences": tuple(line.sentences for line in ends),
        "amount of words between": sum(line.size for line in inside),
        "words of j elsewhere": None if j is None else _saying(shown.texts, lines[j].last),
        "meanwhile": any(line.meanwhile for line in inside),
        "equipment before": _before(lines, i),
        "makes sure": i in _making_sure(shown),
    }
    asked, places = _naming(shown)
    if asked:
        stop = len(lines) if j is None else j
        before = [k for k in places if k < stop]
        told |= {
            "last naming": places[-1] if places else None,
            "from the last naming": stop - before[-1] if before else None,
            "last verb": lines[before[-1]].opening if before else None,
            "namings after": sum(k > i for k in places),
            "namings before": sum(k < i for k in places),
            "named in j": j in places,
            "named in the last step": bool(places) and places[-1] == len(lines) - 1,
            "place in its step": shown.texts[i].find(asked.split()[0]),
            "words of the name": len(asked.split()),
            "first letter": asked[0],
            "named alone": sum(lines[k].size < 8 for k in places),
        }
    return told


def _shared(shown: ShownQuestion) -> dict[str, Any]:
    cooks, i, j = shown.values.get("cooks") or [], shown.i, shown.j
    if i is None or not cooks:
        return {}
    naming = set(_naming(shown)[1])
    own = next(steps for steps in cooks if i in steps)
    told: dict[str, Any] = {
        "cooks": len(cooks),
        "cook of i": cooks.index(own),
        "steps of the cook after i": sum(k > i for k in own),
        "steps of the cook before i": sum(k < i for k in own),
        "the cook goes on": i + 1 in own,
        "next step of the cook": opening(str(shown.steps[min(later)]["text"]))
        if (later := [k for k in own if k > i])
        else "",
        "named for the cook later": len(naming.intersection(later)),
        "named for other cooks later": sum(k > i and k not in own for k in naming),
    }
    if j is not None:
        there = next(steps for steps in cooks if j in steps)
        between = range(min(i, j) + 1, max(i, j))
        told |= {
            "same cook": own is there,
            "same cook, and order": (own is there, i < j),
            "of the cook of i between": sum(k in own for k in between),
            "of the cook of j between": sum(k in there for k in between),
            "of the cook of j before j": sum(k < j for k in there),
            "the cook of j makes sure": tuple((k < j, k in there) for k in _making_sure(shown)),
            "changes of cook between": sum(
                (k in own) != (k + 1 in own) for k in range(min(i, j), max(i, j))
            ),
        }
    return told


def _before(lines: Sequence[_Line], i: int) -> str | None:
    """Return whether the last step that names the equipment of step i puts it away, if any does."""
    name = lines[i].equipment
    if not name:
        return None
    last = next((line for line in reversed(lines[:i]) if line.equipment == name), None)
    return "unnamed" if last is None else "away" if last.away else "named"


def _making_sure(shown: ShownQuestion) -> Sequence[int]:
    """Return the steps that are said to get something out only where it is not out yet."""
    told = (SURE.match(each) for each in shown.values.get("reading") or ())
    return [int(found[1]) - 1 for found in told if found]


def _saying(texts: Sequence[str], word: str) -> int | None:
    """Return how many steps say a word, if there is one."""
    return sum(word in text for text in texts) if word else None


def _value(kind: str, place: int, which: str = "i") -> Any:
    """Return a guess: one of the times, temperatures or amounts of a step."""

    def guess(shown: ShownQuestion) -> Any:
        step = shown.step(shown.i if which == "i" else shown.j)
        found = _stated(kind, str(step["text"])) if step else []
        return target(found[place]) if len(found) > max(place, -place - 1) else None

    return guess


@lru_cache(1 << 12)
def _stated(kind: str, text: str) -> Sequence[Amount]:
    """Return the times, temperatures or amounts that a step states."""
    return {"time": times, "temperature": temperatures, "amount": quantities}[kind](text)


def _listed(*, after: bool = False) -> Any:
    def guess(shown: ShownQuestion) -> Any:
        texts, i = [str(step["text"]) for step in shown.steps], shown.i or 0
        return listed_sum(texts[i + 1 :] if after else texts[: i + 1])

    return guess


SHORTCUTS = group(
    _cook,
    {
        "times": "steps that state minutes",
        "oven": "an oven is named",
        "manner": "how steps i and j begin",
        "form": "the form of the thing that is asked about",
        "vessel": "a vessel is asked about",
        "halved": "steps i and j name the half in the bowl",
        "rest": "steps i and j name the rest of something",
        "pronoun": "steps i and j say it, them, both or the like",
        "sentences": "sentences of steps i and j",
        "amount of words between": "number of words between",
        "words of j elsewhere": "steps that say the last word of step j",
        "meanwhile": "a step between says meanwhile",
        "makes sure": "step i is said to get something out only where it is not out yet",
        "equipment before": "whether the last step before i that names its equipment puts it away",
        "last naming": "the last step that names the thing",
        "from the last naming": "steps from the last naming before j to j",
        "last verb": "how the last step before j that names it begins",
        "namings after": "steps after i that name the thing",
        "namings before": "steps before i that name the thing",
        "named in j": "step j names the thing",
        "named in the last step": "the last step names the thing",
        "place in its step": "where in step i the thing is named",
        "words of the name": "words of the thing's name",
        "first letter": "the first letter of its name",
        "named alone": "short steps that name the thing",
    },
)
"""Shortcuts that only recipes have."""

COOKS = group(
    _shared,
    {
        "cooks": "number of cooks",
        "cook of i": "which cook does step i",
        "steps of the cook after i": "steps that this cook does after i",
        "steps of the cook before i": "steps that this cook does before i",
        "the cook goes on": "this cook does the next step, too",
        "next step of the cook": "how the next step of this cook begins",
        "named for the cook later": "later steps of this cook that name the thing",
        "named for other cooks later": "later steps of other cooks that name the thing",
        "same cook": "one cook does steps i and j",
        "same cook, and order": "whether one cook does both, and which stands first",
        "of the cook of i between": "steps between that the cook of i does",
        "of the cook of j between": "steps between that the cook of j does",
        "of the cook of j before j": "steps that the cook of j does before",
        "the cook of j makes sure": "steps that make sure: whether before j, and whose",
        "changes of cook between": "how often the cook of i begins or stops between",
    },
)
"""Shortcuts that go by who does which steps."""

VALUES = [
    Shortcut(
        f"{kind} {place + 1} of {which}",
        f"{kind} number {place + 1} of those that step {which} states",
        _value(kind, place, which), guess=True,
    )
    for kind in ("time", "temperature", "amount")
    for which in ("i", "j")
    for place in (0, 1)
] + [
    Shortcut("listed sum", "all times up to step i, added up", _listed(), guess=True),
    Shortcut("sum after", "all times after step i, added up", _listed(after=True), guess=True),
]  # fmt: skip
"""Guesses of an amount, a time or a temperature: a number that step i or j states."""
