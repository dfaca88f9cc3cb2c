"""Depth of a question: the links of the smallest certificate of its answer.

A certificate is a chain of links. A link joins two steps that the order joins directly, or that an
execution which shows the answer puts in an order that the procedure leaves open, or two steps of
which the one passes a fact on to the other. Of alternatives the one with the fewest links counts,
of parts that are all needed (facts, options, ending steps) the one with the most. See
docs/concepts/dataflow.md for each analysis and answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NoReturn

from thence.dataflow.analyses.intervals import between
from thence.dataflow.flow import Flow, Role
from thence.dataflow.flow_cache import cached
from thence.dataflow.graphs import conflicts
from thence.dataflow.questions import FlowQuestion, instance, pair, present
from thence.dataflow.reasons import why_clean
from thence.dataflow.strategies import answered
from thence.dataflow.worlds import (
    chain_length,
    contamination_length,
    links_between,
    links_to_furthest,
    steps_ending,
    steps_having,
    with_steps,
    worlds,
)


@cached
def depth(flow: Flow, analysis: str, asked: FlowQuestion) -> int:
    """Return the number of links of the smallest certificate of an answer, at least 1.

    Args:
        flow: of the procedure.
        analysis: its name.
        asked: a question that the analysis accepts.

    Raises:
        TooManyOptions: the choices have too many combinations of options.
    """
    if analysis == "intervals":
        return max(_intervals(flow, asked), 1)
    return max(_RULES[analysis, bool(answered(flow, analysis, asked))](flow, asked), 1)


def _never() -> NoReturn:
    raise AssertionError("the answer has no certificate")


def _least(found: Iterable[int | None]) -> int:
    known = [each for each in found if each is not None]
    return min(known) if known else _never()


def _passes(world: Flow, i: int, j: int, barriers: Iterable[int]) -> int | None:
    """Return the links that take a fact from step i to step j past all barriers, if any do.

    Each barrier that the order lets stand between them must be put outside, by one link.
    """
    if chain_length(world, j, i) is not None:
        return None
    open_barriers = 0
    for k in barriers:
        if (
            k in {i, j}
            or chain_length(world, k, i) is not None
            or chain_length(world, j, k) is not None
        ):
            continue
        if chain_length(world, i, k) is not None and chain_length(world, k, j) is not None:
            return None
        open_barriers += 1
    return links_between(world, i, j) + open_barriers


def _stopped(world: Flow, i: int, j: int, fact: str) -> int:
    """Return the links by which some ending step must come between two steps."""
    ways = []
    for k in steps_ending(world, fact):
        if k not in {i, j}:
            there, on = chain_length(world, i, k), chain_length(world, k, j)
            ways.append(there + on if there is not None and on is not None else None)
    return _least(ways)


# Forward ----------------------------------------------------------------------------------------


def _reaching_yes(flow: Flow, asked: FlowQuestion) -> int:
    (i, j), (_, fact) = pair(asked), instance(asked)
    return _least(
        _passes(world, i, j, steps_ending(world, fact)) for world in with_steps(flow, i, j)
    )


def _reaching_no(flow: Flow, asked: FlowQuestion) -> int:
    (i, j), (_, fact) = pair(asked), instance(asked)
    if i == j or not flow.does(i, Role.DEFINE, fact):
        return 1
    return max(
        (
            chain_length(world, j, i) or _stopped(world, i, j, fact)
            for world in with_steps(flow, i, j)
        ),
        default=1,
    )


def _available_yes(flow: Flow, asked: FlowQuestion) -> int:
    i, j = pair(asked)
    return max(links_between(world, i, j) for world in with_steps(flow, i, j))


def _available_no(flow: Flow, asked: FlowQuestion) -> int:
    (i, j), (_, fact) = pair(asked), instance(asked)
    if i == j or not flow.does(i, Role.DEFINE, fact):
        return 1
    ways = []
    for world in with_steps(flow, j):
        if world.is_left_out(i):
            return 1
        if chain_length(world, i, j) is None:
            ways.append(links_between(world, j, i))
        ways += [
            links_between(world, i, k) + links_between(world, k, j)
            for k in steps_having(world, fact, Role.KILL)
            if k not in {i, j}
            and not any(chain_length(world, b, a) for a, b in ((i, k), (k, j), (i, j)))
        ]
    return _least(ways)


# Backward ---------------------------------------------------------------------------------------


def _live_yes(flow: Flow, asked: FlowQuestion) -> int:
    i, fact = instance(asked)
    return _least(
        _passes(world, i, user, steps_ending(world, fact))
        for world in with_steps(flow, i)
        for user in steps_having(world, fact, Role.USE)
        if user != i
    )


def _live_no(flow: Flow, asked: FlowQuestion) -> int:
    i, fact = instance(asked)
    parts = [1]
    for world in with_steps(flow, i):
        users = steps_having(world, fact, Role.USE)
        later = [user for user in users if user != i and chain_length(world, user, i) is None]
        first = [u for u in later if not any(chain_length(world, other, u) for other in later)]
        parts += [_stopped(world, i, user, fact) for user in first]
    return max(parts)


def _busy_yes(flow: Flow, asked: FlowQuestion) -> int:
    i, fact = instance(asked)
    parts = []
    for world in with_steps(flow, i):
        users = steps_having(world, fact, Role.USE)
        parts.append(_least(chain_length(world, i, user) for user in users))
        parts += [
            _least(
                chain_length(world, i, user)
                for user in users
                if chain_length(world, user, k) is not None
            )
            for k in steps_ending(world, fact)
            if k != i and k not in users and chain_length(world, k, i) is None
        ]
    return max(parts)


def _busy_no(flow: Flow, asked: FlowQuestion) -> int:
    i, fact = instance(asked)
    ways: list[int | None] = []
    for world in with_steps(flow, i):
        users = [user for user in steps_having(world, fact, Role.USE) if user != i]
        if not any(chain_length(world, i, user) for user in users):
            ways.append(max(1, sum(chain_length(world, user, i) is None for user in users)))
        stops = [k for k in steps_ending(world, fact) if k != i and k not in users]
        ways += [_passes(world, i, k, users) for k in stops]
    return _least(ways)


# Type-state -------------------------------------------------------------------------------------


def _type_state_yes(flow: Flow, asked: FlowQuestion) -> int:
    i, j = pair(asked)
    parts = [1]
    for fact in flow.steps[j].uses:
        for world in with_steps(flow, i, j) if flow.does(i, Role.DEFINE, fact) else ():
            if chain_length(world, j, i) is not None:
                continue
            makers = [k for k in steps_having(world, fact, Role.DEFINE) if k not in {i, j}]
            if fact not in flow.start:
                parts.append(_least(chain_length(world, k, j) for k in makers))
            parts += [
                _least(
                    chain_length(world, k, j)
                    for k in makers
                    if chain_length(world, stop, k) is not None
                )
                for stop in steps_having(world, fact, Role.KILL)
                if stop not in {i, j, *makers} and chain_length(world, j, stop) is None
            ]
    return max(parts)


def _type_state_no(flow: Flow, asked: FlowQuestion) -> int:
    i, j = pair(asked)
    ways: list[int | None] = []
    for world in with_steps(flow, j):
        for fact in flow.steps[j].uses:
            makers = [k for k in steps_having(world, fact, Role.DEFINE) if k not in {i, j}]
            if fact not in flow.start and not any(chain_length(world, k, j) for k in makers):
                placed = sum(chain_length(world, j, k) is None for k in makers)
                supplies = world.does(i, Role.DEFINE, fact) and chain_length(world, j, i) is None
                ways.append(placed + (links_between(world, i, j) if supplies else 1))
            ways += [
                _passes(world, stop, j, makers)
                for stop in steps_having(world, fact, Role.KILL)
                if stop not in {i, j, *makers}
            ]
    return _least(ways)


# Taint, concurrency, intervals ------------------------------------------------------------------


def _taint_yes(flow: Flow, asked: FlowQuestion) -> int:
    return contamination_length(flow, asked) or _never()


def _taint_no(flow: Flow, asked: FlowQuestion) -> int:
    """Return the links of the way that would be, if what cuts it were not there.

    Where nothing leads there, they are those to the step that contamination gets furthest to.
    """
    _, far = why_clean(flow, asked)
    return far or max(links_to_furthest(world, asked) for world in worlds(flow))


def _concurrency_yes(flow: Flow, asked: FlowQuestion) -> int:
    i, j = pair(asked)
    return _least(_followed(world, i, j) for world in with_steps(flow, i, j))


def _followed(world: Flow, i: int, j: int) -> int:
    a, b = sorted((i, j), key=world.position.__getitem__)
    between = world.canonical[world.position[a] + 1 : world.position[b]]
    forward = sum(world.precedes(a, k) for k in between)
    backward = sum(world.precedes(k, b) for k in between)
    return 1 + min(forward, backward)


def _concurrency_no(flow: Flow, asked: FlowQuestion) -> int:
    i, j = pair(asked)
    both = with_steps(flow, i, j)
    if i == j or not both or conflicts(flow.steps[i], flow.steps[j]):
        return 1
    return max(chain_length(world, i, j) or links_between(world, j, i) for world in both)


def _intervals(flow: Flow, asked: FlowQuestion) -> int:
    k = present(asked.i)
    after, before = between(flow, k)
    ways = []
    if after is not None:
        ways.append(_least(links_between(world, after, k) for world in with_steps(flow, k, after)))
    if before is not None:
        ways.append(
            _least(links_between(world, k, before) for world in with_steps(flow, k, before))
        )
    return max(sum(ways), 1)


_RULES: Mapping[tuple[str, bool], Callable[[Flow, FlowQuestion], int]] = {
    ("reaching_definitions", True): _reaching_yes,
    ("reaching_definitions", False): _reaching_no,
    ("available_expressions", True): _available_yes,
    ("available_expressions", False): _available_no,
    ("live_variables", True): _live_yes,
    ("live_variables", False): _live_no,
    ("very_busy_expressions", True): _busy_yes,
    ("very_busy_expressions", False): _busy_no,
    ("type_state", True): _type_state_yes,
    ("type_state", False): _type_state_no,
    ("taint", True): _taint_yes,
    ("taint", False): _taint_no,
    ("concurrency", True): _concurrency_yes,
    ("concurrency", False): _concurrency_no,
}
