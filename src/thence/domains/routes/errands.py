"""Routes with stops and errands, in two orders that differ in when a road is left.

A route as the router tells it leaves a road with nearly every step, so that one look at the kinds
of its steps would answer whether the driver is still on it. Two blocks of steps are put in: in one
the driver stays on the road, in the other the driver leaves it and comes back. Both have as many
steps, of the same kinds, and name the road as often. Which of them comes first is all that tells
the two routes apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from thence.domains.routes.lowering import LoweredRoute, lower
from thence.domains.routes.reading import Sentence, split
from thence.domains.routes.synthetic.names import RURAL

PLACES: Sequence[str] = (
    "gas station",
    "coffee shop",
    "bakery",
    "drugstore",
    "farm stand",
    "mailbox",
    "picnic area",
    "convenience store",
    "viewpoint",
    "bank",
    "hardware store",
    "flower shop",
)
TURNS: Sequence[str] = ("Turn left", "Turn right", "Turn left", "Turn right", "Bear left")
NOISE = 0.1  # chance of a stop after any other step
_STREET = ("Turn ", "Bear ", "Drive ", "Make a ", "Enter ")
_RAMP = re.compile(r"\b(?:ramp|exit(?! onto)|[Mm]erge)\b")
_MOTORWAY = re.compile(r"I \d|.*(?:Expressway|Freeway|Turnpike|Parkway|Motorway)\Z")

type Line = tuple[str, Sentence | None, Sequence[str]]  # text; how it is read, if not by itself


@dataclass(frozen=True, slots=True)
class ErrandTwins:
    """Twin routes with the same two blocks of added steps, in both orders.

    Attributes:
        stays: the driver stays on the road in the first block, and leaves it in the second.
        leaves: the other way round.
        source: the step that leads onto the road.
        fact: being on the road.
        first: first step of the first block, and of what follows it.
        second: those of the second block.
    """

    stays: LoweredRoute
    leaves: LoweredRoute
    source: int
    fact: str
    first: tuple[int, int]
    second: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Stretch of a route along which blocks may be added.

    Attributes:
        source: the step that leads onto the road.
        fact: being on it.
        after: steps after which the driver is on it, one that a step by the way may follow.
    """

    source: int
    fact: str
    after: tuple[int, ...]


def with_errands(
    route: LoweredRoute,
    roads: Sequence[Sequence[str]],
    spare: Sequence[str],
    rng: Random,
    *,
    at_once: bool = False,
) -> ErrandTwins | None:
    """Add both blocks to a route, on one of its roads.

    Args:
        route: lowered from the router's steps.
        roads: see `lower`.
        spare: names of roads nearby that the route does not take, for the errand; may be empty.
        rng: all chance.
        at_once: whether the first block follows right after the step that leads onto the road.

    Returns:
        None where the route has no road that a driver could stop along.
    """
    found = [each for each in stretches(route) if not at_once or each.source in each.after]
    if not found:
        return None
    stretch = rng.choice(found)
    near = stretch.source if at_once else rng.choice(stretch.after)
    label = _label(route, near)
    far = rng.choice([k for k in stretch.after if k >= near and _label(route, k) == label])
    blocks = _blocks(label, _side_road(route, spare, rng), rng)
    lines, (source, first, second) = _skeleton(
        route, roads, (stretch.source, near, far), rng, at_once=at_once
    )
    size = len(blocks[0])
    orders = []
    for order in (blocks, blocks[::-1]):
        whole = [*lines[:first], *order[0], *lines[first:second], *order[1], *lines[second:]]
        orders.append(_lowered(route.procedure.goal, whole))
    spans = (first, first + size), (second + size, second + 2 * size)
    return ErrandTwins(orders[0], orders[1], source, stretch.fact, *spans)


def stretches(route: LoweredRoute) -> Iterator[Stretch]:
    """Yield the stretches of a route along which a driver could stop."""
    street = _streets(route)
    for source, step in enumerate(route.procedure.steps):
        for fact in step.defines:
            if not fact.startswith("on ") or fact in route.unclear[source]:
                continue
            after = []
            for k in range(source, len(route.sentences) - 1):
                if fact not in route.held[k] or (k > source and fact in route.unclear[k]):
                    break
                beyond = route.sentences[k + 1]
                if street[k] and beyond.roads is not None and beyond.seconds is None:
                    after.append(k)
            if after:
                yield Stretch(source, fact, tuple(after))


def _streets(route: LoweredRoute) -> list[bool]:
    """Return for each step whether a driver could stop after it: on no ramp or motorway."""
    found: list[bool] = []
    for sentence in route.sentences:
        if sentence.roads is None or sentence.stays:
            found.append(bool(found) and found[-1])
            continue
        named = bool(sentence.roads) and sentence.text.startswith(_STREET)
        fast = _RAMP.search(sentence.text) or any(map(_MOTORWAY.match, sentence.roads))
        found.append(named and not fast)
    return found


def _label(route: LoweredRoute, step: int) -> str:
    """Return the names of the road after a step, as the last step that names them does."""
    return next("/".join(names) for k in range(step, -1, -1) if (names := route.sentences[k].roads))


def _side_road(route: LoweredRoute, spare: Sequence[str], rng: Random) -> str:
    """Return the name of a road that the route does not name."""
    whole = "\n".join(sentence.text for sentence in route.sentences)
    names = [name for name in spare if name not in whole and not _MOTORWAY.match(name)]
    own = [name for each in RURAL if (name := f"{each} Road") not in whole]
    return rng.choice(names or own)


def _stop(rng: Random) -> str:
    return f"Stop at the {rng.choice(PLACES)} on the {rng.choice(('left', 'right'))}, then"


def _plain_stop(rng: Random) -> Line:
    text = f"{_stop(rng)} drive on along the same road."
    return text, Sentence(text, None), ()


def _stop_along(label: str, rng: Random) -> Line:
    text = f"{_stop(rng)} drive on along {label}."
    return text, Sentence(text, None), ()


def _blocks(label: str, side: str, rng: Random) -> tuple[list[Line], list[Line]]:
    """Return steps that stay on a road, and as many that leave it and come back."""
    names = split(label)
    if rng.random() < 0.5:
        out = f"{_stop(rng)} leave {label} for {side}."
        back = f"{_stop(rng)} go back to {label}."
        return [_stop_along(label, rng), _stop_along(label, rng)], [
            (out, Sentence(out, (side,)), (side,)),
            (back, Sentence(back, names), names),
        ]
    one, other = rng.choice(TURNS), rng.choice(TURNS)
    on, out = f"{one} to stay on the same road.", f"{one} onto {side}."
    stay: list[Line] = [(on, Sentence(on, None), ()), (f"{other} to stay on {label}.", None, names)]
    jog: list[Line] = [(out, None, (side,)), (f"{other} onto {label}.", None, names)]
    return [*stay, _stop_along(label, rng)], [*jog, _stop_along(label, rng)]


def _skeleton(
    route: LoweredRoute,
    roads: Sequence[Sequence[str]],
    places: tuple[int, int, int],
    rng: Random,
    *,
    at_once: bool,
) -> tuple[list[Line], list[int]]:
    """Return the route with plain stops, and the lines at which source and blocks belong."""
    lines: list[Line] = []
    street, marks = _streets(route), []
    source, near, far = places
    for k, sentence in enumerate(route.sentences):
        marks += [len(lines)] * int(k == source)
        lines.append((sentence.text, None, roads[k]))
        if k == near:
            lines += [_plain_stop(rng) for _ in range(0 if at_once else rng.choice((0, 0, 1, 2)))]
            marks.append(len(lines))
        if k == far:
            lines += [
                _plain_stop(rng) for _ in range(rng.choice((1, 1, 2) if near == far else (0, 1)))
            ]
            marks.append(len(lines))
            lines += [_plain_stop(rng) for _ in range(rng.choice((0, 0, 1)))]
        if k not in places and k + 1 < len(route.sentences):
            beyond = route.sentences[k + 1]
            free = street[k] and beyond.roads is not None and beyond.seconds is None
            lines += [_plain_stop(rng)] * int(free and rng.random() < NOISE)
    return lines, marks


def _lowered(goal: str, lines: Sequence[Line]) -> LoweredRoute:
    readings = {k: sentence for k, (_, sentence, _) in enumerate(lines) if sentence is not None}
    return lower(goal, [text for text, _, _ in lines], readings, [names for _, _, names in lines])
