"""Whether a chain of contamination can come about in one order, where steps race."""

from __future__ import annotations

from collections.abc import Sequence

from thence.core.graph import members
from thence.dataflow import analysis, sentences
from thence.dataflow.flow import Flow
from thence.dataflow.questions import FlowQuestion, Witness, present

_MOST = 200  # orders that are tried
_CAN = " can go from "


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
    return not verdict.answer or _chained(flow, verdict.witness) is not None


def with_order(why: str, flow: Flow, witness: Witness) -> str:
    """Return the explanation of a chain that can come about with an order in which it does.

    A chain that always comes about needs none. Which of the witness' options are named, and whether
    they leave other orders, the words alone tell.
    """
    order = showing_order(flow, witness) if _CAN in why else None
    if order is None:
        return why
    kept = [step for link in witness["chain"] for step in (link["from"], link["to"])]
    options = witness.get("options", {})
    unnamed = {
        choice: option
        for choice, option in options.items()
        if sentences.where({choice: option}).removeprefix("where ") not in why
    }
    scope = sentences.Scope(flow, flow.all_steps, unnamed)
    return f"{why.removesuffix('.')}{sentences.such_as(scope, order, *kept)}."


def showing_order(flow: Flow, witness: Witness) -> list[int] | None:
    """Return a permitted order in which all links of a chain hold; None where there is none.

    The steps that would end a fact on its way come before its link or after it.

    Args:
        flow: of the procedure.
        witness: the chain, and the options under which it holds, if there are choices.
    """
    after = _chained(flow, witness)
    if after is None:
        return None
    before = [0] * len(after)
    for a, bits in enumerate(after):
        for b in members(bits):
            before[b] |= 1 << a
    world = _world(flow, witness)
    return _listed(before, world.all_steps & ~world.absent)


def _world(flow: Flow, witness: Witness) -> Flow:
    return flow.under(witness["options"]) if "options" in witness else flow


def _chained(flow: Flow, witness: Witness) -> Sequence[int] | None:
    """Return for each step those after it in an order in which a chain holds; None for none."""
    world = _world(flow, witness)
    links = [(present(each["from"]), each["fact"], each["to"]) for each in witness["chain"]]
    after: Sequence[int] | None = world.descendants
    open_ = []
    for a, fact, b in links:
        after = _joined(after, a, b)
        open_ += [
            ((k, a), (b, k))
            for k in members(world.enders(fact) & ~world.absent)
            if k not in {a, b} and not world.precedes(k, a) and not world.precedes(b, k)
        ]
    return _fitting(after, open_, [_MOST])


def _listed(before: Sequence[int], steps: int) -> list[int]:
    """Return some steps in an order, those first that are listed first where they can be.

    Args:
        before: for each step the bitset of those that must come before it.
        steps: the bitset of the steps.
    """
    found: list[int] = []
    while steps:
        step = next(k for k in members(steps) if not before[k] & steps)
        found.append(step)
        steps ^= 1 << step
    return found


def _fitting(
    after: Sequence[int] | None,
    open_: Sequence[tuple[tuple[int, int], tuple[int, int]]],
    left: list[int],
) -> Sequence[int] | None:
    """Return an order in which one side of each pair holds, too; None where none is found.

    Args:
        after: for each step the bitset of those that come after it.
        open_: pairs of two steps of which the first should come before the second.
        left: how many orders may still be tried.
    """
    left[0] -= 1
    if left[0] < 0 or after is None:
        return None
    if not open_:
        return after
    tried = (_fitting(_joined(after, *side), open_[1:], left) for side in open_[0])
    return next((each for each in tried if each is not None), None)


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
