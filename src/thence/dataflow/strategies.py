"""Incomplete strategies: answers to the same questions, with one part of the analysis left out.

Each strategy changes the procedure, and the question where it must, so that the part plays no role,
and then asks the analysis itself. The facts of the start stay those of the procedure as it is. The
parts that a question *needs* are those whose omission gives a wrong answer to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from thence.core.graph import bitset, union
from thence.core.procedure import Choice, Procedure, Step
from thence.dataflow.analyses import ANALYSES
from thence.dataflow.choices import Options
from thence.dataflow.flow import Flow, Role
from thence.dataflow.flow_cache import cached
from thence.dataflow.problems import REACHING
from thence.dataflow.questions import FlowAnswer, FlowQuestion, pair
from thence.dataflow.solver import solve
from thence.dataflow.worlds import contamination_length

_IN_SOME = frozenset({"reaching_definitions", "live_variables", "taint", "concurrency"})
"""Analyses that ask what holds in some execution; the others ask what holds in every one."""


class StrategyView(NamedTuple):
    """A procedure and a question as a strategy sees them.

    Attributes:
        flow: the procedure with a part left out.
        asked: the question that is put about it.
    """

    flow: Flow
    asked: FlowQuestion

    def answer(self, analysis: str) -> FlowAnswer:
        """Return the answer of an analysis to the question."""
        return decided(self.flow, analysis, self.asked)


@dataclass(frozen=True)
class Strategy:
    """A way to answer that leaves one part of the analysis out.

    Attributes:
        name: such as ``kills_ignored``.
        text: the part that it leaves out, in one line.
        analyses: the names of those in which the part can play a role.
        view: leaves the part out.
        links: the most links of a chain that it follows; None for any number.
    """

    name: str
    text: str
    analyses: frozenset[str]
    view: Callable[[Flow, str, FlowQuestion], StrategyView]
    links: int | None = None

    def can_err(self, analysis: str, answer: FlowAnswer) -> bool:
        """Return whether the strategy can be wrong where the answer is this one.

        One that looks at fewer executions misses those that show a Yes to "in some execution", or
        a No to "in every". One that permits more orders finds some that are none. One that ends
        less lets more facts last.
        """
        if not isinstance(answer, bool):
            return True
        if self.view in (listed_order, first_option):
            return answer is (analysis in _IN_SOME)
        if self.view in (kills_ignored, sanitizers_ignored):
            return not answer
        if self.view is suppliers_ignored:
            return answer is (analysis == "type_state")
        fewer = self.links is not None and analysis == "taint"  # it follows short ways only
        return answer is (fewer or analysis not in _IN_SOME)

    def answer(self, flow: Flow, analysis: str, asked: FlowQuestion) -> FlowAnswer:
        """Return the answer that the strategy gives, in the form of `Verdict.answer`.

        Raises:
            KeyError: it is not defined for the analysis.
        """
        if analysis not in self.analyses:
            raise KeyError(f"{self.name} is not defined for {analysis}")
        if self.links is not None and analysis == "taint":
            found = contamination_length(flow, asked)
            return found is not None and found <= self.links
        return self.view(flow, analysis, asked).answer(analysis)


def decided(flow: Flow, analysis: str, asked: FlowQuestion) -> FlowAnswer:
    """Return the answer of an analysis to a question that needs no check."""
    if analysis == "taint":
        return contamination_length(flow, asked) is not None
    answer = ANALYSES[analysis].rule(flow, asked).answer
    if isinstance(answer, tuple) and flow.absent:  # steps left out stand behind the others
        after, before = (None if k is None or flow.is_left_out(k) else k for k in answer)
        return after, before
    return answer


@cached
def answered(flow: Flow, analysis: str, asked: FlowQuestion) -> FlowAnswer:
    """Return the answer of an analysis to a question that needs no check; it is found once."""
    return decided(flow, analysis, asked)


def needs(flow: Flow, analysis: str, asked: FlowQuestion) -> frozenset[str]:
    """Return the names of the strategies that answer a question wrongly.

    Args:
        flow: of the procedure.
        analysis: its name.
        asked: a question that the analysis accepts.
    """
    answer = answered(flow, analysis, asked)
    return frozenset(
        name
        for name, each in STRATEGIES.items()
        if analysis in each.analyses
        and each.can_err(analysis, answer)
        and (flow.choices or each.view is not first_option)
        and each.answer(flow, analysis, asked) != answer
    )


def _changed(flow: Flow, **changes: Any) -> Procedure:
    return replace(flow.procedure, start=tuple(sorted(flow.start)), **changes)


def listed_order(flow: Flow, _: str, asked: FlowQuestion) -> StrategyView:
    """Return the procedure in the listed order; where that is not permitted, the canonical one."""
    if flow.is_total:
        return StrategyView(flow, asked)
    return StrategyView(flow.listed, asked)


def first_option(flow: Flow, _: str, asked: FlowQuestion) -> StrategyView:
    """Return the procedure under the first options with which the steps asked about are done.

    Those on which step j depends are taken, then those of step i, then the first of each choice.
    """
    options: Options = {}
    for step in (asked.j, asked.i):
        if step is not None and flow.choices:
            for choice, option in flow.choices.whens[step]:
                options.setdefault(choice, option)
    return StrategyView(flow.under(options), asked)


def kills_ignored(flow: Flow, _: str, asked: FlowQuestion) -> StrategyView:
    """Return the procedure without kills; steps that define a fact anew still end it."""
    return StrategyView(_without_kills(flow), asked)


@cached
def _without_kills(flow: Flow) -> Flow:
    steps = tuple(replace(step, kills=()) for step in flow.steps)
    return Flow(_changed(flow, steps=steps), like=flow)


def sanitizers_ignored(flow: Flow, _: str, asked: FlowQuestion) -> StrategyView:
    """Return the question without its sanitising steps."""
    return StrategyView(flow, asked._replace(sanitizers=frozenset()))


def order_ignored(flow: Flow, _: str, asked: FlowQuestion) -> StrategyView:
    """Return the procedure without order: its steps can be carried out in any."""
    return StrategyView(flow.unordered, asked)


def suppliers_ignored(flow: Flow, analysis: str, asked: FlowQuestion) -> StrategyView:
    """Return the procedure in which what one step defines is not touched by other definitions.

    In type-state, nothing but step i supplies what it can supply to step j.
    """
    if analysis == "type_state":
        return StrategyView(_sole_supplier(flow, asked), asked)
    i, fact = asked.i, asked.fact
    if analysis == "taint" or i is None or fact is None:
        if fact is not None and i is not None and flow.does(i, Role.DEFINE, fact):
            asked = asked._replace(fact=_instance(fact, i))
        return StrategyView(_instances(flow), asked)
    if all(step == i for step in flow.steps_with(Role.DEFINE, fact)):
        return StrategyView(flow, asked)
    return StrategyView(_sole_maker(flow, i, fact), asked)


def _sole_supplier(flow: Flow, asked: FlowQuestion) -> Flow:
    i, j = pair(asked)
    supplied = {f for f in flow.steps[j].uses if solve(REACHING, flow, f).reaches(i, j)}
    return _supplied_by(flow, i, frozenset(supplied)) if supplied else flow


@cached
def _supplied_by(flow: Flow, i: int, supplied: frozenset[str]) -> Flow:
    """Return the procedure in which nothing but step i supplies some facts."""

    def left(facts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(fact for fact in facts if fact not in supplied)

    steps = tuple(
        step if number == i else replace(step, defines=left(step.defines))
        for number, step in enumerate(flow.steps)
    )
    start = left(tuple(sorted(flow.start)))
    return Flow(replace(flow.procedure, steps=steps, start=start), like=flow)


@cached
def _sole_maker(flow: Flow, i: int, fact: str) -> Flow:
    """Return the procedure in which no step but step i defines a fact."""
    steps = list(flow.steps)
    for step in flow.steps_with(Role.DEFINE, fact):
        if step == i:
            continue
        left = tuple(each for each in steps[step].defines if each != fact)
        steps[step] = replace(steps[step], defines=left)
    return Flow(_changed(flow, steps=tuple(steps)), like=flow)


def _instance(fact: str, step: int) -> str:
    return f"{fact}\n{step}"


@cached
def _instances(flow: Flow) -> Flow:
    """Return the procedure with a fact of its own for each definition, used and killed as one."""

    def every(facts: tuple[str, ...]) -> tuple[str, ...]:
        definers = {fact: flow.steps_with(Role.DEFINE, fact) for fact in facts}
        made = (_instance(fact, step) for fact in facts for step in definers[fact])
        return (*facts, *made)

    def split(number: int, step: Step) -> Step:
        defines = tuple(_instance(fact, number) for fact in step.defines)
        return replace(step, uses=every(step.uses), kills=every(step.kills), defines=defines)

    steps = tuple(map(split, range(len(flow)), flow.steps))
    return Flow(_changed(flow, steps=steps), like=flow)


def within(links: int, beside: Sequence[Sequence[int]]) -> list[int]:
    """Return for each step the bitset of those to which so many links lead, or fewer.

    Args:
        links: the most links.
        beside: for each step those to which one link leads.
    """
    direct = found = [bitset(steps) for steps in beside]
    for _ in range(links - 1):
        found = [
            own | union(found[step] for step in steps)
            for own, steps in zip(direct, beside, strict=True)
        ]
    return found


class _ShortChains(Flow):
    """A procedure in which one step comes before another only by a chain of few links.

    Such an order need not be transitive. The conditions about the closure are then taken literally,
    as they are wherever there are choices; without any, one is added on which nothing depends.
    """

    def __init__(self, flow: Flow, links: int) -> None:
        choices = flow.procedure.choices or (Choice("", ("",)),)
        like = flow if flow.choices else None
        super().__init__(_changed(flow, choices=choices), like=like, steps_of=flow)
        self.reduced = flow.reduced
        self._links = links

    @cached_property
    def descendants(self) -> list[int]:
        return within(self._links, self.reduced.successors)

    @cached_property
    def ancestors(self) -> list[int]:
        return within(self._links, self.reduced.predecessors)

    def precedes(self, i: int, j: int) -> bool:
        return bool(self.descendants[i] >> j & 1)


def _short_chains(links: int) -> Callable[[Flow, str, FlowQuestion], StrategyView]:
    def view(flow: Flow, _: str, asked: FlowQuestion) -> StrategyView:
        return StrategyView(_by_short_chains(flow, links), asked)

    return view


@cached
def _by_short_chains(flow: Flow, links: int) -> Flow:
    return _ShortChains(flow, links)


_ALL = frozenset(ANALYSES)
_SUPPLIED = _ALL - {"intervals", "concurrency", "available_expressions"}

STRATEGIES: Mapping[str, Strategy] = {
    each.name: each
    for each in (
        Strategy("listed_order", "carries out the listed order only", _ALL, listed_order),
        Strategy(
            "first_option", "looks at the first options only", _ALL - {"concurrency"}, first_option
        ),
        Strategy(
            "kills_ignored",
            "takes what was made to last until it is made anew",
            _ALL - {"intervals"},
            kills_ignored,
        ),
        Strategy(
            "sanitizers_ignored",
            "lets contamination pass the sanitising steps",
            frozenset({"taint"}),
            sanitizers_ignored,
        ),
        Strategy(
            "suppliers_ignored",
            "takes no notice of other steps that make the same",
            _SUPPLIED,
            suppliers_ignored,
        ),
        Strategy("direct_links", "follows no chain of links", _ALL, _short_chains(1), links=1),
        Strategy("two_links", "follows chains of two links only", _ALL, _short_chains(2), links=2),
        Strategy("order_ignored", "takes every order to be permitted", _ALL, order_ignored),
    )
}
