"""Whether a chain of contamination can come about in one order, where steps race."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thence.core.graph import members
from thence.dataflow import analysis
from thence.dataflow.flow import Flow, Role
from thence.dataflow.questions import FlowQuestion

_MOST = 200  # orders that are tried


def one_order_shows(flow: Flow, asked: FlowQuestion) -> bool:
    """Return whether the way that decides a question about taint can come about in one order.

    Of a Yes that is its chain, of a No the chain that its sanitising steps cut. Links of a chain
    hold two by two; where steps race, they need not hold together. Where no steps sanitise what
    would get to step j, there is no way that could not come about.
    """
    rule = analysis("taint").rule
    verdict = rule(flow, asked)
    if not verdict.answer:
        verdict = rule(flow, asked._replace(sanitizers=frozenset()))
    return not verdict.answer or can_happen(flow, verdict.witness)


def can_happen(flow: Flow, witness: Mapping[str, Any]) -> bool:
    """Return whether all links of a chain hold in one order under the options of a witness.

    The steps that would end a fact on its way must come before its link or after it.
    """
    world = flow.under(witness["options"]) if "options" in witness else flow
    links = [(each["from"], each["fact"], each["to"]) for each in witness["chain"]]
    after: Sequence[int] | None = world.descendants
    open_ = []
    for a, fact, b in links:
        after = _joined(after, a, b)
        ends = world.mask(Role.KILL, fact) | world.mask(Role.DEFINE, fact)
        open_ += [
            ((k, a), (b, k))
            for k in members(ends & ~world.absent)
            if k not in {a, b} and not world.precedes(k, a) and not world.precedes(b, k)
        ]
    return _fits(after, open_, [_MOST])


def _fits(
    after: Sequence[int] | None,
    open_: Sequence[tuple[tuple[int, int], tuple[int, int]]],
    left: list[int],
) -> bool:
    left[0] -= 1
    if left[0] < 0 or after is None:
        return False
    if not open_:
        return True
    return any(_fits(_joined(after, *side), open_[1:], left) for side in open_[0])


def _joined(after: Sequence[int] | None, a: int, b: int) -> Sequence[int] | None:
    """Return an order in which step a comes before step b, too; None where there is none.

    Args:
        after: for each step the bitset of those that come after it.
        a: a step.
        b: another.
    """
    if after is None or a == b or after[b] >> a & 1:
        return None
    if after[a] >> b & 1:
        return after
    more = after[b] | 1 << b
    return [bits | more if k == a or bits >> a & 1 else bits for k, bits in enumerate(after)]
