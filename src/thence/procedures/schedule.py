"""Earliest schedule of a procedure whose parallel steps go on at the same time."""

from __future__ import annotations

from dataclasses import dataclass

from thence.dataflow import Flow

Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Schedule:
    """The earliest schedule of a procedure, with as many hands as it takes.

    Attributes:
        critical: the steps of the longest chain: a delay of any of them delays the end.
        seconds: least and most seconds until the end; None where no step says how long it takes.
        alone: the same with one pair of hands, one step after the other.
        begins: for each step, least and most seconds until it can begin.
        untimed: the steps that do not say how long they take; they count as 0, or as 1 each where
            none says it.
    """

    critical: tuple[int, ...]
    seconds: Bounds | None
    alone: Bounds | None
    begins: tuple[Bounds, ...]
    untimed: tuple[int, ...]


def schedule(flow: Flow) -> Schedule:
    """Return the earliest schedule, by durations where any are known. Time: n + m."""
    untimed = tuple(k for k, step in enumerate(flow.steps) if step.seconds is None)
    is_timed = len(untimed) < len(flow)
    lasts = [step.seconds or ((0.0, 0.0) if is_timed else (1.0, 1.0)) for step in flow.steps]
    begins: list[Bounds] = [(0.0, 0.0)] * len(flow)
    ends: list[Bounds] = [(0.0, 0.0)] * len(flow)
    for k in flow.canonical:
        earlier = flow.graph.predecessors[k]
        begins[k] = (
            max((ends[each][0] for each in earlier), default=0.0),
            max((ends[each][1] for each in earlier), default=0.0),
        )
        ends[k] = begins[k][0] + lasts[k][0], begins[k][1] + lasts[k][1]
    total = max(low for low, _ in ends), max(high for _, high in ends)
    alone = sum(low for low, _ in lasts), sum(high for _, high in lasts)
    return Schedule(
        critical=_critical(flow, ends),
        seconds=total if is_timed else None,
        alone=alone if is_timed else None,
        begins=tuple(begins),
        untimed=untimed,
    )


def _critical(flow: Flow, ends: list[Bounds]) -> tuple[int, ...]:
    """Return the chain that ends last when every step takes its longest."""

    def latest(steps: list[int]) -> int:
        return max(steps, key=lambda k: (ends[k][1], ends[k][0], flow.position[k]))

    chain = [latest(flow.canonical)]
    while earlier := flow.graph.predecessors[chain[-1]]:
        chain.append(latest(earlier))
    return tuple(reversed(chain))
