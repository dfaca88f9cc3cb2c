"""Finer reasons for answers, where one reason would hold for most of those about a domain.

What keeps a fact from its use is told apart by where it is listed, or by how many steps use the
fact; what kills it, but never between two steps, by the side on which it comes and whether step j
uses the fact; two steps by the causes of the order between them and others. `DIVISIONS` is the
closed list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from thence.core.graph import members
from thence.dataflow import Flow
from thence.dataflow.flow import Role
from thence.dataflow.questions import FlowQuestion, instance, pair
from thence.dataflow.reasons import Reason, reason
from thence.dataflow.strategies import first_option, listed_order
from thence.dataflow.worlds import steps_having
from thence.families.fable.shared.analyses import ONCE
from thence.families.fable.shared.blocks import flow_question
from thence.families.fable.shared.needed_parts import NeededParts


class Division(NamedTuple):
    """Division of a reason into finer ones.

    Attributes:
        reasons: the finer ones.
        rule: returns the name of the one that holds where the reason does.
    """

    reasons: Sequence[Reason]
    rule: Callable[[Flow, FlowQuestion], str]


type Divisions = Mapping[tuple[str, str], Division]
"""For an analysis and a reason the division of that reason."""


def finer_reason(
    flow: Flow, analysis: str, asked: FlowQuestion, divisions: Divisions | None = None
) -> str:
    """Return the name of the reason for an answer, the finer one where there is one.

    Args:
        flow: of the procedure.
        analysis: its name.
        asked: the question.
        divisions: of reasons; by default `DIVISIONS`.
    """
    return _divided(reason(flow, analysis, asked).name, flow, analysis, asked, divisions)


def quick_reason(
    parts: NeededParts, analysis: str, asked: Mapping[str, Any], divisions: Divisions | None = None
) -> str:
    """Return the same for steps that are listed in a permitted order, by bitsets where it can.

    Args:
        parts: of the procedure.
        analysis: its name.
        asked: the question; step i makes its fact, if it has one.
        divisions: of reasons; by default `DIVISIONS`.
    """
    question = flow_question(asked)
    if analysis not in ONCE:
        return finer_reason(parts.flow, analysis, question, divisions)
    name = parts.reason(analysis, asked)
    return _divided(name, parts.flow, analysis, question, divisions)


def _divided(
    name: str, flow: Flow, analysis: str, asked: FlowQuestion, divisions: Divisions | None
) -> str:
    division = (DIVISIONS if divisions is None else divisions).get((analysis, name))
    return division.rule(flow, asked) if division else name


def killed(flow: Flow, asked: FlowQuestion) -> str:
    """Return the name of the reason for a fact that a step can kill between steps i and j."""
    (i, j), (_, fact) = pair(asked), instance(asked)
    killers = [
        k
        for k in steps_having(flow, fact, Role.KILL)
        if k not in {i, j} and not flow.precedes(k, i) and not flow.precedes(j, k)
        and flow.is_possible(k, j)
    ]  # fmt: skip
    between = [k for k in killers if _is_between(flow, k, i, j)]
    if not between and any(flow.position[k] < flow.position[i] for k in killers):
        return "killed_later"
    first = first_option(flow, "", asked).flow
    by_option = all(map(first.is_left_out, between or killers))
    if between:
        return "killed_by_option" if by_option else "killed_between"
    return "killed_earlier_by_option" if by_option else "killed_earlier"


def _outside(flow: Flow, asked: FlowQuestion) -> str:
    (i, j), (_, fact) = pair(asked), instance(asked)
    killers = [k for k in steps_having(flow, fact, Role.KILL) if k not in {i, j}]
    if all(flow.precedes(k, i) for k in killers if flow.is_possible(k, j)):
        return "killer_before"
    return "killer_after_use" if flow.does(j, Role.USE, fact) else "killer_after_unused"


def _is_between(flow: Flow, k: int, i: int, j: int) -> bool:
    """Return whether step k is listed after step i and before step j."""
    return flow.position[i] < flow.position[k] < flow.position[j]


def _ended(flow: Flow, asked: FlowQuestion) -> str:
    name = "very_busy_expressions"
    shown = not listed_order(flow, name, asked).answer(name)
    return "ended_as_listed" if shown else "ended_in_race"


def _has_several_users(flow: Flow, asked: FlowQuestion) -> bool:
    """Return whether several steps can use the fact after step i, ended or not."""
    i, fact = instance(asked)
    users = flow.mask(Role.USE, fact) & ~flow.ancestors[i] & ~(1 << i) & flow.alongside(i)
    return users.bit_count() > 1


def _remade(flow: Flow, asked: FlowQuestion) -> str:
    return "remade_before_uses" if _has_several_users(flow, asked) else "remade_before_use"


def _used(flow: Flow, asked: FlowQuestion) -> str:
    return "one_of_users" if _has_several_users(flow, asked) else "only_user"


def _made(flow: Flow, asked: FlowQuestion) -> str:
    i, j = pair(asked)
    facts = {*flow.steps[i].defines} & {*flow.steps[j].uses}
    makers = {k for fact in facts for k in flow.steps_with(Role.DEFINE, fact)}
    return "made_again" if any(_is_between(flow, k, i, j) for k in makers) else "made_elsewhere"


def _met(flow: Flow, asked: FlowQuestion) -> str:
    i, j = pair(asked)
    is_kept = flow.precedes(i, j) or flow.precedes(j, i)
    return "conflict_in_order" if is_kept else "conflict_alone"


def _dependent(flow: Flow, k: int) -> int:
    """Return the bitset of the steps that come after step k and conflict with it."""
    return flow.conflicting(k) & flow.descendants[k] & flow.alongside(k)


def _chained(flow: Flow, asked: FlowQuestion) -> str:
    i, j = pair(asked)
    first, last = (i, j) if flow.precedes(i, j) else (j, i)
    on_the_way = flow.ancestors[last] | 1 << last
    return "chain_of_facts" if last in _reached(flow, first, on_the_way) else "chain_of_turns"


def _reached(flow: Flow, first: int, among: int) -> Iterator[int]:
    """Yield the steps among some that chains lead to, each step of which depends on the last."""
    found = new = 1 << first
    while new:
        step = (new & -new).bit_length() - 1
        new &= new - 1
        more = _dependent(flow, step) & among & ~found
        yield from members(more)
        found |= more
        new |= more


def _apart(flow: Flow, asked: FlowQuestion) -> str:
    i, j = sorted(pair(asked), key=flow.position.__getitem__)
    between = any(_is_between(flow, k, i, j) for k in members(_dependent(flow, i)))
    return "depended_on" if between else "independent"


LISTED_ELSEWHERE = (
    Reason("killed_later", "a step listed before step i can come after it and kill the fact"),
    Reason("killed_earlier", "a step listed after step j can come before it and kill the fact"),
)
"""The reasons where no step that can kill the fact is listed between steps i and j."""

DIVISIONS: Divisions = {
    ("available_expressions", "killer_outside"): Division(
        (
            Reason("killer_before", "other steps kill the fact, but always before step i"),
            Reason("killer_after_use", "another kills it, but always after step j, which uses it"),
            Reason(
                "killer_after_unused",
                "another kills it, but always after step j, which does not use it",
            ),
        ),
        _outside,
    ),
    ("available_expressions", "killed"): Division(
        (
            Reason(
                "killed_between", "a step listed between kills the fact under the first options"
            ),
            Reason(
                "killed_by_option", "steps listed between kill it, but only under other options"
            ),
            *LISTED_ELSEWHERE,
            Reason(
                "killed_earlier_by_option",
                "steps listed after step j can come before it and kill the fact, but only under "
                "other options",
            ),
        ),
        killed,
    ),
    ("live_variables", "remade"): Division(
        (
            Reason("remade_before_use", "it is made anew before the one step that uses it later"),
            Reason("remade_before_uses", "it is made anew before each of several later uses"),
        ),
        _remade,
    ),
    ("very_busy_expressions", "only_users"): Division(
        (
            Reason("only_user", "just one later step uses the fact, and none ends it unused"),
            Reason("one_of_users", "of several later steps one always uses it, and none ends it"),
        ),
        _used,
    ),
    ("very_busy_expressions", "ended_first"): Division(
        (
            Reason("ended_as_listed", "a step ends the fact before its use as they are listed"),
            Reason("ended_in_race", "only in another order a step ends the fact before its use"),
        ),
        _ended,
    ),
    ("type_state", "another_maker"): Division(
        (
            Reason("made_again", "another step listed between the two defines what step j needs"),
            Reason("made_elsewhere", "only steps listed elsewhere define it otherwise"),
        ),
        _made,
    ),
    ("concurrency", "conflict"): Division(
        (
            Reason("conflict_alone", "either can come first, but one changes what the other needs"),
            Reason("conflict_in_order", "one changes what the other needs, and they keep an order"),
        ),
        _met,
    ),
    ("concurrency", "chain"): Division(
        (
            Reason("chain_of_facts", "a chain joins the steps, each link of which is a conflict"),
            Reason(
                "chain_of_turns",
                "every chain has a link without a conflict: turns of a person, say",
            ),
        ),
        _chained,
    ),
    ("concurrency", "nothing_in_common"): Division(
        (
            Reason("depended_on", "no fact in common; a step listed between needs the earlier one"),
            Reason("independent", "no fact in common, and no step listed between needs the other"),
        ),
        _apart,
    ),
}
"""The reasons that are divided, as far as a domain does not divide them otherwise."""
