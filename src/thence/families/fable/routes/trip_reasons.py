"""Finer reasons for answers about trips, where one reason would hold for most with an answer.

What ends a fact is told apart as in other domains, steps that must not be done at once by the wait
that joins them, and those that may by waits between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from thence.dataflow import Flow
from thence.dataflow.questions import FlowQuestion, pair
from thence.dataflow.reasons import Reason
from thence.families.fable.routes.times import vehicles
from thence.families.fable.shared.divided_reasons import DIVISIONS, Division, Divisions

_SHARED = (
    ("available_expressions", "killer_outside"),
    ("available_expressions", "killed"),
    ("very_busy_expressions", "ended_first"),
)


def _awaited(flow: Flow) -> Iterator[tuple[int, int]]:
    """Yield each step that somebody else waits for, and the step that waits."""
    whose = vehicles(flow)
    return ((a, b) for a, b in flow.graph.edges if whose[a] != whose[b])


def _chained(flow: Flow, asked: FlowQuestion) -> str:
    i, j = pair(asked)
    first, last = (i, j) if flow.precedes(i, j) else (j, i)
    whose = vehicles(flow)
    on_the_way = [
        a
        for a, b in _awaited(flow)
        if {whose[a], whose[b]} == {whose[first], whose[last]}
        and (a == first or flow.precedes(first, a))
        and (b == last or flow.precedes(b, last))
    ]
    if not on_the_way:
        return "dispatched"
    return "awaited" if first in on_the_way else "later_awaited"


def _free(flow: Flow, asked: FlowQuestion) -> str:
    low, high = sorted(pair(asked))
    whose = vehicles(flow)
    between = {whose[b] for _, b in _awaited(flow) if low < b < high}
    if between == {"Dispatcher"}:
        return "dispatcher_waits"
    return "other_waits" if between else "no_wait"


OF_TRIPS: Divisions = {
    **{key: DIVISIONS[key] for key in _SHARED},
    ("concurrency", "chain"): Division(
        (
            Reason("awaited", "the other vehicle waits for the earlier of the two steps"),
            Reason("later_awaited", "the other vehicle waits for a step that comes after it"),
            Reason("dispatched", "the other vehicle waits for the dispatcher, who waits for such"),
        ),
        _chained,
    ),
    ("concurrency", "nothing_in_common"): Division(
        (
            Reason("no_wait", "no fact in common, and no wait is listed between the steps"),
            Reason("other_waits", "no fact in common, and waits listed between do not join them"),
            Reason("dispatcher_waits", "likewise, and only the dispatcher waits there"),
        ),
        _free,
    ),
}
"""The reasons into which a reason of an analysis is divided."""
