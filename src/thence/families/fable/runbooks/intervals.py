"""Times of written procedures: the least and the most until a step is done, over all options.

There are enough hands: a step begins as soon as all steps that it comes after have ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from thence.core.graph import members
from thence.dataflow import Flow
from thence.dataflow.worlds import with_steps
from thence.families.fable.runbooks.words import target, time, told_in_seconds
from thence.families.fable.shared.analyses import INTERVALS
from thence.families.fable.shared.domain import Instance
from thence.families.fable.shared.traits import KnownTraits

_LEAST, _MOST = 0, 1


class LongestChain(NamedTuple):
    """The chain of steps that takes longest until a step is done.

    Attributes:
        seconds: its length.
        steps: those on it that take time.
    """

    seconds: float
    steps: tuple[int, ...]


def ways(flow: Flow, j: int) -> tuple[LongestChain, LongestChain]:
    """Return the longest chain under the quickest options, and under the slowest."""
    worlds = with_steps(flow, j)
    return (
        min((_longest(each, j, _LEAST) for each in worlds), key=lambda path: path.seconds),
        max((_longest(each, j, _MOST) for each in worlds), key=lambda path: path.seconds),
    )


def _longest(world: Flow, j: int, end: int) -> LongestChain:
    found: dict[int, LongestChain] = {}
    for k in world.in_order(members(world.ancestors[j] | 1 << j)):
        best = max(
            (found[before] for before in world.graph.predecessors[k]),
            key=lambda path: path.seconds,
            default=LongestChain(0.0, ()),
        )
        own = _seconds(world, k, end)
        found[k] = LongestChain(best.seconds + own, (*best.steps, k) if own else best.steps)
    return found[j]


def _seconds(world: Flow, k: int, end: int) -> float:
    return 0.0 if world.is_left_out(k) else (world.steps[k].seconds or (0.0, 0.0))[end]


def answer(flow: Flow, j: int) -> dict[str, Any]:
    """Return the answer to a question about the time until step j is done."""
    least, most = ways(flow, j)
    return target((least.seconds, most.seconds))


def _sum(flow: Flow, steps: Sequence[int]) -> list[float]:
    return [sum(_seconds(flow, k, end) for k in steps) for end in (_LEAST, _MOST)]


def simple_sums(flow: Flow, j: int) -> dict[str, list[float]]:
    """Return the answers of those who leave a part out, by the name of their strategy.

    These add the times of all steps that come before step j, in the list or at all, or look at the
    first options only.
    """
    options = {
        name: held[0] for name, held in (flow.choices.options if flow.choices else {}).items()
    }
    options |= dict(flow.steps[j].when)
    world = flow.under(options) if options else flow
    first = [_longest(world, j, end).seconds for end in (_LEAST, _MOST)]
    before = [*members(world.ancestors[j]), j]
    return {
        "listed_order": _sum(world, range(j + 1)),
        "parallel_ignored": _sum(world, before),
        "first_option": first,
    }


def instance(flow: Flow, j: int, words: Mapping[str, Any]) -> Instance | None:
    """Return the question about the time until step j is done; None where the least is nothing."""
    least, most = ways(flow, j)
    if not least.seconds:
        return None
    right = [least.seconds, most.seconds]
    shown = {**words, "in_seconds": True} if told_in_seconds((right[0], right[1])) else words
    sums = simple_sums(flow, j)
    needed = frozenset(name for name, found in sums.items() if found != right)
    options, apart = sums["first_option"] != right, sums["parallel_ignored"] != right
    why = {(True, True): "longest_chain_and_options", (True, False): "longest_chain"}.get(
        (apart, options), "options" if options else "one_chain"
    )
    return Instance(
        {"kind": INTERVALS, "i": None, "j": j, "fact": None, **shown},
        answer(flow, j),
        f"{_told('least', least, _LEAST, flow)} {_told('most', most, _MOST, flow)}",
        {"least": list(least.steps), "most": list(most.steps)},
        traits=KnownTraits(max(len(least.steps), len(most.steps), 1), why, needed),
    )


def _told(word: str, path: LongestChain, end: int, flow: Flow) -> str:
    held = [_seconds(flow, k, end) for k in path.steps]
    in_seconds = any(told_in_seconds((each, each)) for each in (path.seconds, *held))

    def said(seconds: float) -> str:
        return time((seconds, seconds), in_seconds=in_seconds)

    parts = [
        f"{said(each).partition(' ')[0]} (step {k + 1})"
        for each, k in zip(held, path.steps, strict=True)
    ]
    return f"The {word}, {said(path.seconds)}, is {' + '.join(parts)}."
