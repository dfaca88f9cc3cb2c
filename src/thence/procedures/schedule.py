"""Earliest schedule of a procedure whose parallel steps go on at the same time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from thence.core.graph import members
from thence.dataflow import Flow
from thence.dataflow.choices import Options

Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Schedule:
    """The earliest schedule of a procedure, with as many hands as it takes.

    With choices, "least" is that of the quickest options, and "most" that of the slowest.

    Attributes:
        critical: the steps of the longest chain: a delay of any of them delays the end.
        seconds: least and most seconds until the end; None where no step says how long it takes.
        alone: the same with one pair of hands, one step after the other.
        begins: for each step, least and most seconds until it can begin.
        untimed: the steps that do not say how long they take; they count as 0, or as 1 each where
            none says it.
        options: the options on which the steps of that chain depend.
    """

    critical: tuple[int, ...]
    seconds: Bounds | None
    alone: Bounds | None
    begins: tuple[Bounds, ...]
    untimed: tuple[int, ...]
    options: Options = field(default_factory=dict)


def schedule(flow: Flow) -> Schedule:
    """Return the earliest schedule, by durations where any are known.

    Time: n + m; with choices for each combination of the options on which steps depend.

    Raises:
        TooManyOptions: there are too many combinations.
    """
    untimed = tuple(
        k for k, step in enumerate(flow.steps) if step.seconds is None and flow.is_possible(k)
    )
    is_timed = any(step.seconds is not None for step in flow.steps)
    unknown = (0.0, 0.0) if is_timed else (1.0, 1.0)
    lasts = [step.seconds or unknown for step in flow.steps]
    ways = [_Way(flow, lasts, present) for present in _present(flow)]
    critical = max(ways, key=lambda way: (way.total[1], way.total[0])).critical()
    return Schedule(
        critical=critical,
        seconds=_hull([way.total for way in ways]) if is_timed else None,
        alone=_hull([way.alone for way in ways]) if is_timed else None,
        begins=tuple(
            _hull([way.begins[k] for way in ways if way.present >> k & 1]) for k in range(len(flow))
        ),
        untimed=untimed,
        options=dict(taken for step in critical for taken in flow.steps[step].when),
    )


def _present(flow: Flow) -> Iterable[int]:
    """Return the sets of steps that executions carry out, each once, as bitsets."""
    if flow.choices is None:
        return [flow.all_steps]
    names = flow.choices.deciding
    every = map(flow.choices.completed, flow.choices.combinations(names, len(flow)))
    return dict.fromkeys(map(flow.choices.carried_out, every))


def _hull(bounds: list[Bounds]) -> Bounds:
    """Return the least and the greatest of several ranges; nought where there are none."""
    return (
        min((low for low, _ in bounds), default=0.0),
        max((high for _, high in bounds), default=0.0),
    )


class _Way:
    """The earliest schedule of the steps that are carried out under some options."""

    def __init__(self, flow: Flow, lasts: list[Bounds], present: int) -> None:
        self._flow, self.present = flow, present
        self.begins: list[Bounds] = [(0.0, 0.0)] * len(flow)
        self._ends: list[Bounds] = [(0.0, 0.0)] * len(flow)
        for k in flow.canonical:
            earlier = flow.graph.predecessors[k]
            self.begins[k] = low, high = (
                max((self._ends[each][0] for each in earlier), default=0.0),
                max((self._ends[each][1] for each in earlier), default=0.0),
            )
            least, most = lasts[k] if present >> k & 1 else (0.0, 0.0)
            self._ends[k] = low + least, high + most
        self.total = max(low for low, _ in self._ends), max(high for _, high in self._ends)
        carried_out = [lasts[k] for k in members(present)]
        self.alone = sum(low for low, _ in carried_out), sum(high for _, high in carried_out)

    def critical(self) -> tuple[int, ...]:
        """Return the chain that ends last when every step takes its longest."""
        chain, waiting = [], list(members(self.present))
        while waiting:
            last = max(waiting, key=self._end)
            chain.append(last)
            waiting = [*self._flow.graph.predecessors[last]]
        return tuple(step for step in reversed(chain) if self.present >> step & 1)

    def _end(self, step: int) -> tuple[float, float, int]:
        low, high = self._ends[step]
        return high, low, self._flow.position[step]
