"""Routes with signed detours around closed roads.

Two detours are put in, one of which comes back to the route between two steps and the other
elsewhere; each goes around one of two roads and runs by the other. Which of them is which is all
that tells the two routes made apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from thence.core.procedure import Procedure, Step
from thence.domains.routes.lowering import LoweredRoute

SPAN = 9  # most of the route's own steps between the two that a question names


@dataclass(frozen=True, slots=True)
class DetourRoute:
    """Route with signed detours.

    Attributes:
        procedure: steps in a total order; facts are places only.
        around: step -> the road that its detour goes around.
    """

    procedure: Procedure
    around: dict[int, str]


@dataclass(frozen=True, slots=True)
class DetourTwins:
    """Closed road, and twin routes that differ in which detours help.

    Attributes:
        open: no detour around the road comes back between the two steps.
        around: one does.
        road: the closed one.
        enters: the step that leads onto it.
        later: a later step.
    """

    open: DetourRoute
    around: DetourRoute
    road: str
    enters: int
    later: int


def with_detours(route: LoweredRoute, rng: Random) -> DetourTwins | None:
    """Add steps to a route at which detours around some of its roads come back to it.

    Returns:
        None where the route has fewer than three roads that can be told apart, or is too short.
    """
    entered = _entered(route)
    count = len(route.sentences)
    closable = [road for road, step in entered.items() if step + 4 < count]
    if len(entered) < 3 or not closable:
        return None
    road = rng.choice(closable)
    enters = entered[road]
    others = rng.sample([each for each in entered if each != road], min(len(entered) - 1, 3))
    later = rng.randint(enters + 2, min(enters + SPAN, count - 2))
    inside = list(range(enters + 1, later + 1))  # a detour comes back before that step
    outside = [*range(1, enters + 1), *range(later + 1, count - 1)]
    between, beyond = rng.choice(inside), rng.choice(outside)
    slots: list[tuple[int, tuple[str, str] | None]] = [(between, None), (beyond, None)]
    more = [(rng.choice(inside), _pair(others, road, rng)) for _ in range(rng.choice((0, 1, 1, 2)))]
    more += [
        (rng.choice(outside), _pair([*others, road], road, rng)) for _ in range(rng.choice((0, 1)))
    ]
    for at, pair in more:
        if all(at != taken for taken, _ in slots):  # no two signs in a row
            slots.append((at, pair))
    rng.shuffle(slots)
    slots.sort(key=lambda slot: slot[0])
    helps, not_ = (road, others[0]), (others[0], road)
    made = []
    for swapped in (False, True):
        signs = [
            (at, pair or ((helps if at == between else not_) if swapped else
                          (not_ if at == between else helps)))
            for at, pair in slots
        ]  # fmt: skip
        made.append(_with(route, signs))
    shift = [sum(at <= step for at, _ in slots) for step in range(count)]
    return DetourTwins(made[0], made[1], road, enters + shift[enters], later + shift[later])


def _entered(route: LoweredRoute) -> dict[str, int]:
    """Return the roads that only one step leads onto, with that step; never the first step's."""
    seen: dict[str, int] = {}
    again: set[str] = set()
    for number, step in enumerate(route.procedure.steps):
        for name in (route.sentences[number].roads or ())[:1]:
            if f"on {name}" in step.defines and name not in seen:
                seen[name] = number
            else:
                again.add(name)
    return {name: step for name, step in seen.items() if name not in again and step > 0}


def _pair(others: Sequence[str], road: str, rng: Random) -> tuple[str, str]:
    """Return a road for a detour to go around, and another one for it to run by."""
    around = rng.choice(others)
    by = rng.choice([each for each in dict.fromkeys((*others, road)) if each != around])
    return around, by


def _with(route: LoweredRoute, signs: Sequence[tuple[int, tuple[str, str]]]) -> DetourRoute:
    texts: list[str] = []
    around: dict[int, str] = {}
    for number, sentence in enumerate(route.sentences):
        for at, (closed, by) in signs:
            if at == number:
                around[len(texts)] = closed
                texts.append(
                    f"Here the signed detour around {closed}, which runs by {by}, comes back to "
                    "this route."
                )
        texts.append(sentence.text)
    places = [(f"place {number}",) if number else () for number in range(len(texts) + 1)]
    steps = [
        Step(text, places[number], places[number + 1], places[number])
        for number, text in enumerate(texts)
    ]
    return DetourRoute(Procedure.total(route.procedure.goal, steps), around)
