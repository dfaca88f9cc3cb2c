"""Finer reasons for answers about trips, where one reason would hold for most with an answer.

What ends a fact is told apart by where it stands, steps that must not be done at once by the wait
that joins them, and those that may by waits between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from thence.dataflow import Flow
from thence.dataflow.questions import FlowQuestion, pair
from thence.dataflow.reasons import Reason, reason
from thence.dataflow.strategies import decided, listed_order
from thence.families.fable.routes.times import vehicles
from thence.families.fable.shared.killed_reasons import LISTED_ELSEWHERE, killed

FINER: Mapping[tuple[str, str], Sequence[Reason]] = {
    ("available_expressions", "killed"): (
        Reason("killed_between", "a step listed between kills the fact under the first options"),
        Reason("killed_by_option", "steps listed between kill it, but only under other options"),
        *LISTED_ELSEWHERE,
    ),
    ("very_busy_expressions", "ended_first"): (
        Reason("ended_as_listed", "a step ends the fact before its use as they are listed"),
        Reason("ended_in_race", "only in another order a step ends the fact before its use"),
    ),
    ("concurrency", "chain"): (
        Reason("awaited", "the other vehicle waits for the earlier of the two steps"),
        Reason("later_awaited", "the other vehicle waits for a step that comes after the earlier"),
    ),
    ("concurrency", "nothing_in_common"): (
        Reason("no_wait", "the steps touch no fact in common, and no wait is listed between them"),
        Reason("other_waits", "they touch no fact in common, and waits listed between do not join"),
    ),
}
"""The reasons into which a reason of an analysis is divided."""


def trip_reason(flow: Flow, analysis: str, asked: FlowQuestion) -> str:
    """Return the name of the reason for an answer about a trip, the finer one where there is one.

    Args:
        flow: of the trip.
        analysis: its name.
        asked: the question.
    """
    name = reason(flow, analysis, asked).name
    rule = _RULES.get((analysis, name))
    return rule(flow, asked) if rule else name


def _ended(flow: Flow, asked: FlowQuestion) -> str:
    name = "very_busy_expressions"
    shown = not decided(*listed_order(flow, name, asked), name)
    return "ended_as_listed" if shown else "ended_in_race"


def _awaited(flow: Flow) -> Iterator[tuple[int, int]]:
    """Yield each step that the other vehicle waits for, and the step that waits."""
    whose = vehicles(flow)
    return ((a, b) for a, b in flow.graph.edges if whose[a] != whose[b])


def _chained(flow: Flow, asked: FlowQuestion) -> str:
    i, j = pair(asked)
    first, last = (i, j) if flow.precedes(i, j) else (j, i)
    is_awaited = any(a == first and b <= last for a, b in _awaited(flow))
    return "awaited" if is_awaited else "later_awaited"


def _free(flow: Flow, asked: FlowQuestion) -> str:
    low, high = sorted(pair(asked))
    return "other_waits" if any(low < b < high for _, b in _awaited(flow)) else "no_wait"


_RULES: Mapping[tuple[str, str], Callable[[Flow, FlowQuestion], str]] = {
    ("available_expressions", "killed"): killed,
    ("very_busy_expressions", "ended_first"): _ended,
    ("concurrency", "chain"): _chained,
    ("concurrency", "nothing_in_common"): _free,
}
