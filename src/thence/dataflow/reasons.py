"""Primary reason of an answer, from a closed list for each analysis and answer.

The first reason of the list that holds is the primary one, so that every answer has exactly one.
See docs/concepts/dataflow.md for the definitions; the lists are in `REASONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from thence.dataflow.analyses.intervals import between
from thence.dataflow.flow import Flow, Role
from thence.dataflow.flow_cache import cached
from thence.dataflow.graphs import conflicts
from thence.dataflow.problems import AVAILABLE, BUSY, LIVE, REACHING
from thence.dataflow.questions import FlowQuestion, instance, pair, present
from thence.dataflow.solver import solve
from thence.dataflow.strategies import (
    answered,
    decided,
    first_option,
    kills_ignored,
    listed_order,
    order_ignored,
    sanitizers_ignored,
    suppliers_ignored,
)
from thence.dataflow.worlds import (
    contamination_length,
    links_to,
    steps_ending,
    steps_having,
    with_steps,
)


class Reason(NamedTuple):
    """Reason for an answer.

    Attributes:
        name: such as ``made_safe``.
        text: one line of plain text.
    """

    name: str
    text: str


Answer = bool | None  # None for an interval

_UNMADE = (
    Reason("not_made", "step i does not make the fact"),
    Reason("same_step", "steps i and j are the same step"),
)
_APART = (
    Reason("never_both", "no execution carries out both steps"),
    Reason("always_after", "step i always comes after step j"),
)
_ENDED = (
    Reason("ended", "steps that kill the fact always come between"),
    Reason("remade", "steps that make the fact anew always come between"),
    Reason("ended_or_remade", "the fact is always killed or made anew, by neither alone"),
)
_SOME = (
    Reason("listed", "the listed order shows it under the first options"),
    Reason("other_option", "the listed order shows it, but only under other options"),
    Reason("other_order", "the first options show it, but only in another order"),
    Reason("other_both", "only another order under other options shows it"),
)

REASONS: Mapping[tuple[str, Answer], tuple[Reason, ...]] = {
    ("reaching_definitions", True): _SOME,
    ("reaching_definitions", False): (*_UNMADE, *_APART, *_ENDED),
    ("available_expressions", True): (
        Reason("killer_outside", "a step kills the fact, but always before step i or after step j"),
        Reason("several_makers", "another step can make the fact before step j, too"),
        Reason("only_link", "no other step makes or kills the fact before step j"),
    ),
    ("available_expressions", False): (
        *_UNMADE,
        *_APART,
        Reason("left_out", "under some options step j is carried out without step i"),
        Reason("comes_first", "step j can come before step i"),
        Reason("killed", "a step that kills the fact can come between"),
    ),
    ("live_variables", True): _SOME,
    ("live_variables", False): (
        Reason("never_used", "no later step can use the fact"),
        *_ENDED,
    ),
    ("very_busy_expressions", True): (
        Reason("several_users", "different steps use the fact first, and no one step always does"),
        Reason("ender_after", "a step that ends the fact unused can come later, after the use"),
        Reason("only_users", "no step after step i ends the fact unused"),
    ),
    ("very_busy_expressions", False): (
        Reason("never_used", "no later step can use the fact"),
        Reason("always_ended", "the fact is always ended before a later step uses it"),
        Reason("unused_option", "under some options no later step can use the fact"),
        Reason("used_before", "the steps that use the fact can all come before step i"),
        Reason("ended_first", "a step can end the fact before a later step uses it"),
    ),
    ("type_state", True): (
        Reason("nothing_needed", "step i makes nothing that step j uses"),
        Reason("never_before", "step i never comes before step j"),
        Reason("undone", "what step i makes never lasts until step j"),
        Reason("another_maker", "another step makes what step j uses of step i"),
        Reason("from_start", "what step j uses of step i holds from the start"),
    ),
    ("type_state", False): (
        Reason("already_missing", "even with step i, step j can lack something"),
        Reason("no_other_maker", "nothing else makes what step j then lacks"),
        Reason("other_option", "under some options no other step makes it before step j"),
        Reason("other_order", "another step makes it, but need not come before step j"),
        Reason("ended", "what else makes it can be ended before step j"),
    ),
    ("taint", True): _SOME,
    ("taint", False): (
        Reason("no_source", "the source leaves nothing contaminated"),
        Reason("never_both", "no execution carries out both steps"),
        Reason("made_safe", "sanitising steps cut every way"),
        Reason("overwritten", "clean definitions replace what is contaminated"),
        Reason("killed", "what is contaminated is killed on the way"),
        Reason("excluded", "no options let all links of a way hold"),
        Reason("too_early", "the steps that would pass it on come too early"),
        Reason("no_way", "nothing that is contaminated is used on a way to step j"),
    ),
    ("concurrency", True): (
        Reason("same_effect", "both steps make, or both kill, a fact"),
        Reason("same_use", "both steps use a fact and change none that the other touches"),
        Reason("nothing_in_common", "the steps touch no fact in common"),
    ),
    ("concurrency", False): (
        Reason("same_step", "steps i and j are the same step"),
        Reason("never_both", "no execution carries out both steps"),
        Reason("conflict", "one step changes what the other relies on"),
        Reason("chain", "a chain of the order joins the steps"),
    ),
    ("intervals", None): (
        Reason("free", "the step waits for none, and none for it"),
        Reason("after_only", "the step waits for another, and none for it"),
        Reason("before_only", "a step waits for it, and it for none"),
        Reason("neighbours", "its bounds are the steps listed right before and right after it"),
        Reason("both", "it has two bounds, of which one or both are further off"),
    ),
}


def reason(flow: Flow, analysis: str, asked: FlowQuestion) -> Reason:
    """Return the primary reason for the answer to a question.

    Args:
        flow: of the procedure.
        analysis: its name.
        asked: a question that the analysis accepts.

    Raises:
        TooManyOptions: the choices have too many combinations of options.
    """
    key = (analysis, None if analysis == "intervals" else bool(answered(flow, analysis, asked)))
    rules = _RULES[key](flow, asked)
    return next(each for each in REASONS[key] if each.name == rules)


def _shown(analysis: str, flow: Flow, asked: FlowQuestion) -> str:
    """Return which options and which order show an answer that some execution gives."""
    listed = listed_order(flow, analysis, asked).flow
    if first_option(listed, analysis, asked).answer(analysis):
        return "listed"
    if decided(listed, analysis, asked):
        return "other_option"
    first = first_option(flow, analysis, asked).answer(analysis)
    return "other_order" if first else "other_both"


def _unmade(flow: Flow, i: int, j: int, fact: str) -> str | None:
    if not flow.does(i, Role.DEFINE, fact):
        return "not_made"
    return "same_step" if i == j else _apart(flow, i, j)


def _apart(flow: Flow, i: int, j: int) -> str | None:
    if not flow.is_possible(i, j):
        return "never_both"
    return "always_after" if flow.precedes(j, i) else None


def _ended(analysis: str, flow: Flow, asked: FlowQuestion) -> str:
    """Return which steps keep a fact from its use in every execution."""
    if not suppliers_ignored(flow, analysis, asked).answer(analysis):
        return "ended"
    without_kills = kills_ignored(flow, analysis, asked).answer(analysis)
    return "ended_or_remade" if without_kills else "remade"


def _reaching_no(flow: Flow, asked: FlowQuestion) -> str:
    (i, j), (_, fact) = pair(asked), instance(asked)
    return _unmade(flow, i, j, fact) or _ended("reaching_definitions", flow, asked)


def _available_yes(flow: Flow, asked: FlowQuestion) -> str:
    (i, j), (_, fact) = pair(asked), instance(asked)
    if any(k not in {i, j} and flow.is_possible(k, j) for k in steps_having(flow, fact, Role.KILL)):
        return "killer_outside"
    return "several_makers" if any(_makers(flow, fact, i, j)) else "only_link"


def _makers(flow: Flow, fact: str, i: int, j: int) -> Iterator[bool]:
    """Yield for each step but two whether it can make a fact before the second of them."""
    for k in steps_having(flow, fact, Role.DEFINE):
        yield k not in {i, j} and not flow.precedes(j, k) and flow.is_possible(k, j)


def _available_no(flow: Flow, asked: FlowQuestion) -> str:
    (i, j), (_, fact) = pair(asked), instance(asked)
    if found := _unmade(flow, i, j, fact):
        return found
    if flow.taken([j], 1 << i) is not None:
        return "left_out"
    return "killed" if flow.precedes(i, j) else "comes_first"


def _is_used(flow: Flow, i: int, fact: str) -> bool:
    """Return whether a step can use a fact after step i, ended or not."""
    users = steps_having(flow, fact, Role.USE)
    return any(k != i and not flow.precedes(k, i) and flow.is_possible(i, k) for k in users)


def _live_no(flow: Flow, asked: FlowQuestion) -> str:
    used = _is_used(flow, *instance(asked))
    return _ended("live_variables", flow, asked) if used else "never_used"


def _busy_yes(flow: Flow, asked: FlowQuestion) -> str:
    i, fact = instance(asked)
    users = [k for k in steps_having(flow, fact, Role.USE) if flow.precedes(i, k)]
    if not any(solve(BUSY, _only_user(flow, k, fact), fact).holds(i) for k in users):
        return "several_users"
    after = (
        k != i and not flow.does(k, Role.USE, fact) and not flow.precedes(k, i)
        and flow.is_possible(i, k)
        for k in steps_ending(flow, fact)
    )  # fmt: skip
    return "ender_after" if any(after) else "only_users"


def _only_user(flow: Flow, user: int, fact: str) -> Flow:
    if len(steps_having(flow, fact, Role.USE)) == 1:
        return flow
    return _without_other_users(flow, user, fact)


@cached
def _without_other_users(flow: Flow, user: int, fact: str) -> Flow:
    steps = tuple(
        step if k == user else replace(step, uses=tuple(p for p in step.uses if p != fact))
        for k, step in enumerate(flow.steps)
    )
    return Flow(replace(flow.procedure, steps=steps, start=tuple(flow.start)), like=flow)


def _busy_no(flow: Flow, asked: FlowQuestion) -> str:
    i, fact = instance(asked)
    if not _is_used(flow, i, fact):
        return "never_used"
    if not solve(LIVE, flow, fact).holds(i):
        return "always_ended"
    left = with_steps(flow, i)
    if not all(_is_used(world, i, fact) for world in left):
        return "unused_option"
    sure = (
        any(world.precedes(i, k) for k in steps_having(world, fact, Role.USE)) for world in left
    )
    return "ended_first" if all(sure) else "used_before"


def _type_state_yes(flow: Flow, asked: FlowQuestion) -> str:
    i, j = pair(asked)
    shared = [fact for fact in flow.steps[j].uses if flow.does(i, Role.DEFINE, fact)]
    if not shared:
        return "nothing_needed"
    if _apart(flow, i, j):
        return "never_before"
    lasting = [fact for fact in shared if solve(REACHING, flow, fact).reaches(i, j)]
    if not lasting:
        return "undone"
    made = any(any(_makers(flow, fact, i, j)) for fact in lasting)
    return "another_maker" if made else "from_start"


def _type_state_no(flow: Flow, asked: FlowQuestion) -> str:
    i, j = pair(asked)
    used = {fact: solve(AVAILABLE, flow, fact) for fact in flow.steps[j].uses}
    if not all(solution.holds(j) for solution in used.values()):
        return "already_missing"
    fact = next(f for f, solution in used.items() if solution.failure(j, without=i) is not None)
    if fact in flow.start:
        return "ended"
    if not any(_makers(flow, fact, i, j)):
        return "no_other_maker"
    left = with_steps(flow, j)
    if not all(any(_makers(world, fact, i, j)) for world in left):
        return "other_option"
    makers = [
        k for k in steps_having(flow, fact, Role.DEFINE) if k not in {i, j} and flow.precedes(k, j)
    ]
    sure = all(any(not world.is_left_out(k) for k in makers) for world in left)
    return "ended" if sure else "other_order"


def _taint_no(flow: Flow, asked: FlowQuestion) -> str:
    return why_clean(flow, asked)[0]


def why_clean(flow: Flow, asked: FlowQuestion) -> tuple[str, int | None]:
    """Return why nothing contaminated gets to step j, and the links of the way that is cut.

    That is the shortest way that would be if what cuts it were not there, if there is one.
    """
    i, j, fact = asked.i, present(asked.j), asked.fact
    made = flow.start if i is None else set(flow.steps[i].defines)
    if not made or (fact is not None and fact not in made):
        return "no_source", 1
    if i is not None and not flow.is_possible(i, j):
        return "never_both", 1
    for name, leave_out in (
        ("made_safe", sanitizers_ignored),
        ("overwritten", suppliers_ignored),
        ("killed", kills_ignored),
    ):
        if found := contamination_length(*leave_out(flow, "taint", asked)):
            return name, found
    if found := links_to(flow, asked, j):
        return "excluded", found
    found = contamination_length(*order_ignored(flow, "taint", asked))
    return ("too_early", found) if found else ("no_way", None)


def _concurrency_yes(flow: Flow, asked: FlowQuestion) -> str:
    first, second = (flow.steps[k] for k in pair(asked))
    if {*first.defines} & {*second.defines} or {*first.kills} & {*second.kills}:
        return "same_effect"
    return "same_use" if {*first.uses} & {*second.uses} else "nothing_in_common"


def _concurrency_no(flow: Flow, asked: FlowQuestion) -> str:
    i, j = pair(asked)
    if i == j:
        return "same_step"
    if not flow.is_possible(i, j):
        return "never_both"
    return "conflict" if conflicts(flow.steps[i], flow.steps[j]) else "chain"


def _intervals(flow: Flow, asked: FlowQuestion) -> str:
    after, before = between(flow, present(asked.i))
    if after is None:
        return "free" if before is None else "before_only"
    if before is None:
        return "after_only"
    return "neighbours" if flow.position[before] - flow.position[after] == 2 else "both"


_RULES: Mapping[tuple[str, Answer], Callable[[Flow, FlowQuestion], str]] = {
    ("reaching_definitions", True): partial(_shown, "reaching_definitions"),
    ("reaching_definitions", False): _reaching_no,
    ("available_expressions", True): _available_yes,
    ("available_expressions", False): _available_no,
    ("live_variables", True): partial(_shown, "live_variables"),
    ("live_variables", False): _live_no,
    ("very_busy_expressions", True): _busy_yes,
    ("very_busy_expressions", False): _busy_no,
    ("type_state", True): _type_state_yes,
    ("type_state", False): _type_state_no,
    ("taint", True): partial(_shown, "taint"),
    ("taint", False): _taint_no,
    ("concurrency", True): _concurrency_yes,
    ("concurrency", False): _concurrency_no,
    ("intervals", None): _intervals,
}
