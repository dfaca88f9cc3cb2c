"""Shortcuts that look at waits between the parts of a procedure, and at steps that none holds.

Each takes one wait at a time: the nearest one, whether there is one that may matter, or whether a
step has none. None follows an order from wait to wait.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thence.core.shortcuts import Shortcut, ShownQuestion, group
from thence.families.fable.shared.own_part import PartQuestion

_FEW = 2  # more steps than these are told as these
_MORE = 4  # more waits from one step to another are told as these
_SOON = 5  # steps of a part that are looked at


def _near(asked: PartQuestion, i: int | None, j: int | None) -> dict[str, Any]:
    """Return how far the nearest waits are that hold up i or j, or what comes after them."""
    held: dict[str, Any] = {}
    for name, step in (("i", i), ("j", j)):
        if step is None:
            continue
        own = asked.part(step)
        place = own.index(step)
        back = [k for k, each in enumerate(own[: place + 1]) if each in asked.waiting]
        ahead = [k for k, each in enumerate(own) if k >= place and each in asked.awaited]
        held[f"last wait up to {name}"] = place - back[-1] if back else None
        held[f"next waited for from {name}"] = ahead[0] - place if ahead else None
    if i is not None and j is not None:
        held["waits on the way"] = tuple(each is None for each in held.values())
    return held


def _without_waits(asked: PartQuestion, i: int) -> dict[str, Any]:
    """Return what steps of other parts do to the fact that neither wait nor are waited for."""
    held = asked.awaited | asked.waiting
    others = {k for k in asked.naming if asked.owner[k] != asked.owner[i]}
    earlier = sorted(k for k in others if k < i)
    users, ends, makers = (
        min(len((others - held).intersection(each)), _FEW)
        for each in (asked.using, asked.ending, asked.making)
    )
    return {
        "users without waits": users,
        "ends without waits": ends,
        "makers without waits": makers,
        "last of another part": (
            asked.does[earlier[-1]] if earlier else None,
            any(k in asked.waiting for k in asked.part(i) if k <= i),
        ),
    }


def _nearest_end(asked: PartQuestion, i: int, j: int | None) -> dict[str, Any]:
    """Return where the step stands that ends the fact nearest to i or j, and which waits it has."""
    ends = [k for k in asked.ending if k not in (i, j)]
    makers = [k for k in asked.making if k not in (i, j)]
    held: dict[str, Any] = {
        "nearest end": (asked.nearest(ends, i), i in asked.waiting),
        "nearest maker": (asked.nearest(makers, i), asked.next_role(i)),
    }
    if j is not None:
        held["nearest end to j"] = asked.nearest(ends, j)
        held["waits of an end and j"] = (
            any(a == j and b in ends for a, b in asked.waits),
            any(b == j and (a in ends or a in makers) for a, b in asked.waits),
        )
    return held


def _of_both(asked: PartQuestion, i: int, j: int) -> dict[str, Any]:
    """Return whether there are waits after the earlier step and before the later one."""
    low, high = sorted((i, j))
    owner, waits = asked.owner, asked.waits
    out = [(a, b) for a, b in waits if owner[a] == owner[low] and a >= low]
    into = [(b, a) for a, b in waits if owner[b] == owner[high] and b <= high]
    same = owner[low] == owner[high]
    held: dict[str, Any] = {
        "waits before the later": len({b for b, _ in into}),
        "waited for after the earlier": len({a for a, _ in out}),
        "waits out": (same, min(sum(b <= high for _, b in out), _MORE)),
        "waits in": (same, min(sum(a >= low for _, a in into), _MORE)),
        "waits of both": (same, any(b <= high for _, b in out), any(a >= low for _, a in into)),
    }
    if out:
        _, then = min(out)
        held["next waited for"] = (same, owner[then] == owner[high], then <= high)
    if into:
        _, first = max(into)
        held["last wait"] = (same, owner[first] == owner[low], first >= low)
    return held


def _soon(asked: PartQuestion, i: int, j: int | None) -> dict[str, Any]:
    """Return what the next steps of other parts do, and whether waits hold up those of i or j."""
    owner = asked.owner
    ahead = [k for k in range(i + 1, len(owner)) if owner[k] != owner[i]][:_SOON]
    back = [k for k in range(i) if owner[k] != owner[i]][-_SOON:]
    there = i if j is None else j
    after = [k for k in asked.part(there) if k >= there][:_SOON]
    return {
        "other parts soon": tuple(
            not set(ahead).isdisjoint(each) for each in (asked.using, asked.ending, asked.making)
        ),
        "other parts lately": any(k in asked.ending for k in back),
        "changed soon, waited for": (
            any(k in asked.changing for k in ahead), any(k in asked.awaited for k in after),
        ),
    }  # fmt: skip


_TEXTS = {
    **{
        f"last wait up to {name}": f"steps back in its part from {name} to one that waits"
        for name in ("i", "j")
    },
    **{
        f"next waited for from {name}": f"steps on in its part from {name} to one waited for"
        for name in ("i", "j")
    },
    "waits on the way": "whether something waits up to i, or j, and is waited for from i, or j, on",
    "users without waits": "steps of other parts without a wait that need the fact",
    "ends without waits": "steps of other parts without a wait that end the fact",
    "makers without waits": "steps of other parts without a wait that make the fact",
    "last of another part": "what the last step of another part before i does to the fact, and "
    "whether i or a step before it in its part waits",
    "nearest end": "where the nearest step that ends the fact stands, and whether i waits",
    "nearest maker": "where the nearest step that makes it stands, and what i's part does next",
    "nearest end to j": "where the nearest step to j that ends the fact stands",
    "waits of an end and j": "whether what ends the fact waits for j, or j for what changes it",
    "waits of both": "a wait for the part of the earlier step, and of the part of the later one",
    "waits before the later": "steps that wait in the part of the later one, up to it",
    "waited for after the earlier": "steps waited for in the part of the earlier one, from it on",
    "waits out": "waits for the part of the earlier one, from it on, of steps up to the later one",
    "waits in": "waits of the part of the later one, up to it, for steps from the earlier one on",
    "next waited for": "whether the next step that is waited for is so by the part of the later",
    "last wait": "whether the last wait of the later step's part is for that of the earlier",
    "other parts soon": "what the next five steps of other parts do to the fact",
    "other parts lately": "whether one of the last five steps of other parts ends the fact",
    "changed soon, waited for": "whether the next five steps of other parts change the fact, and "
    "whether the next five of the part asked about are waited for",
}


def part_waits(asked_of: Callable[[ShownQuestion], PartQuestion]) -> list[Shortcut]:
    """Return the shortcuts of a domain that look at the waits between parts.

    Args:
        asked_of: returns a question with the parts that it shows.
    """

    def look(shown: ShownQuestion) -> dict[str, Any]:
        asked = asked_of(shown)
        i, j = asked.i, asked.j
        told = _near(asked, i, j)
        if i is None:
            return told
        told |= _without_waits(asked, i) | _nearest_end(asked, i, j) | _soon(asked, i, j)
        return told if j is None else told | _of_both(asked, i, j)

    return group(look, _TEXTS)
