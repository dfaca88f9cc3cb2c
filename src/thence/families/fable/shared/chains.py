"""Whether a chain of contamination can come about in one order, where steps race."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thence.core.graph import Graph, members
from thence.dataflow.flow import Flow, Role

_MOST = 200  # orders that are tried


def can_happen(flow: Flow, witness: Mapping[str, Any]) -> bool:
    """Return whether all links of a chain hold in one order under the options of a witness.

    The steps that would end a fact on its way must come before its link or after it.
    """
    world = flow.under(witness["options"]) if "options" in witness else flow
    links = [(each["from"], each["fact"], each["to"]) for each in witness["chain"]]
    order = [*world.graph.edges, *((a, b) for a, _, b in links)]
    open_ = []
    for a, fact, b in links:
        ends = world.mask(Role.KILL, fact) | world.mask(Role.DEFINE, fact)
        open_ += [
            ((k, a), (b, k))
            for k in members(ends & ~world.absent)
            if k not in {a, b} and not world.precedes(k, a) and not world.precedes(b, k)
        ]
    return _fits(len(flow), order, open_, [_MOST])


def _fits(
    size: int,
    order: Sequence[tuple[int, int]],
    open_: Sequence[tuple[tuple[int, int], tuple[int, int]]],
    left: list[int],
) -> bool:
    left[0] -= 1
    if left[0] < 0 or Graph(size, order).topological_order() is None:
        return False
    if not open_:
        return True
    return any(_fits(size, [*order, side], open_[1:], left) for side in open_[0])
