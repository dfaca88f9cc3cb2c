"""Questions to a data-flow analysis, and its verdicts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypedDict

from thence.core.registry import nearest
from thence.dataflow.flow import Flow
from thence.errors import UsageError

Reasoning = Literal["state", "causal", "temporal"]

type StepBounds = tuple[int | None, int | None]
"""The steps (after, before) between which a step must come; None where there is none."""

type FlowAnswer = bool | StepBounds
"""The answer to a question: True or False, of intervals the bounds."""

ChainLink = TypedDict("ChainLink", {"from": int | None, "fact": str, "to": int})
"""A link of a chain of contamination.

Keys: ``from``, the step that contaminates the fact, None for the start; ``fact``; ``to``, the step
that uses the fact.
"""


class Witness(TypedDict, total=False):
    """The part of a procedure that proves an answer, ready for JSON, steps 0-based.

    It has the keys that apply to the answer, in an order that depends on the analysis.

    Attributes:
        step: the step that decides it: that uses, kills or redefines the fact.
        does: which of these it does; where two steps conflict, what each of them does.
        fact: the fact that it is about; None where a question about taint names none.
        facts: the facts that step j uses and still finds (type-state).
        execution: every step that is carried out, in an order that shows the answer.
        order: steps each of which comes right before the next.
        chain: the links by which contamination gets to step j.
        sanitizers: the sanitising steps that cut every way.
        after: the latest step that must come before the step asked about, or None (intervals).
        before: the earliest step that must come after it, or None.
        options: with choices, the option of each choice under which the rest is seen.
        steps: in place of ``step``, some of which one is carried out under every option.
        choice: the choice on which two steps depend that are never both carried out.
        needs: its options that the two steps depend on.
    """

    step: int
    does: str | list[str]
    fact: str | None
    facts: list[str]
    execution: list[int]
    order: list[int]
    chain: list[ChainLink]
    sanitizers: list[int]
    after: int | None
    before: int | None
    options: dict[str, str]
    steps: list[int]
    choice: str
    needs: list[str]


class FlowQuestion(NamedTuple):
    """A question about steps and facts, steps 0-based.

    Attributes:
        i: a step.
        j: a second step.
        fact: a fact.
        sanitizers: steps that let no contamination through (taint only).
    """

    i: int | None = None
    j: int | None = None
    fact: str | None = None
    sanitizers: frozenset[int] = frozenset()


def pairs(i: int, others: Iterable[int]) -> Iterator[FlowQuestion]:
    """Yield the questions about a step and each of some others."""
    return (FlowQuestion(i, j) for j in others)


class Verdict:
    """Answer to a question; its reasons are computed when they are first read.

    Attributes:
        answer: True or False; of intervals the pair of steps (after, before), each None where
            there is none.
    """

    def __init__(self, answer: FlowAnswer, reasons: Callable[[], tuple[Witness, str]]) -> None:
        self.answer = answer
        self._of = reasons

    @cached_property
    def _reasons(self) -> tuple[Witness, str]:
        return self._of()

    @property
    def witness(self) -> Witness:
        """The part of the procedure that proves the answer, ready for JSON, steps 0-based."""
        return self._reasons[0]

    @property
    def why(self) -> str:
        """One sentence that names steps from 1."""
        return self._reasons[1]

    def __repr__(self) -> str:
        return f"Verdict({self.answer!r}, {self.why!r})"


@dataclass(frozen=True)
class DataflowAnalysis:
    """One of the eight analyses: the constant ``ANALYSIS`` of its module.

    Attributes:
        rank: its place in lists.
        name: such as ``live_variables``.
        title: such as ``live variables``.
        reasoning: the kind of reasoning that it asks for.
        definition: of the answer Yes, in one sentence.
        asks: which of ``i``, ``j`` and ``fact`` a question must give.
        rule: decides a question that gives them.
        solve: yields everything that holds in a procedure; see `solution`.
        may_ask: the further parts that a question may give.
    """

    rank: int
    name: str
    title: str
    reasoning: Reasoning
    definition: str
    asks: tuple[str, ...]
    rule: Callable[[Flow, FlowQuestion], Verdict]
    solve: Callable[[Flow], Iterator[FlowQuestion]]
    may_ask: tuple[str, ...] = ()

    def decide(
        self,
        flow: Flow,
        i: int | None = None,
        j: int | None = None,
        fact: str | None = None,
        sanitizers: Collection[int] = (),
    ) -> Verdict:
        """Return the answer to a question about a procedure.

        Args:
            flow: of the procedure.
            i: a step, 0-based.
            j: a second step, 0-based.
            fact: a fact that some step touches or that holds at the start.
            sanitizers: steps that let no contamination through (taint only).

        Raises:
            UsageError: the question does not give what `asks` names, gives what the analysis has
                no use for, or names a step or fact that the procedure does not have.
        """
        asked = FlowQuestion(i, j, fact, frozenset(sanitizers))
        self._check(flow, asked)
        return self.rule(flow, asked)

    def solution(self, flow: Flow) -> Iterator[FlowQuestion]:
        """Yield the questions whose answer is Yes, without asking them one by one.

        Reaching and available definitions: those about a use of the definition. Live and very busy
        facts: those about a step that defines the fact. Type-state: the pairs of a step i and a
        step j that is valid, but NOT without it. Taint: the steps that a fact of the start
        reaches. Concurrency: i < j. Intervals: one for each step in turn, ``i`` the latest step
        before it and ``j`` the earliest after it.
        """
        return self.solve(flow)

    def _check(self, flow: Flow, asked: FlowQuestion) -> None:
        for name, value in (("i", asked.i), ("j", asked.j), ("fact", asked.fact)):
            if name in self.asks and value is None:
                raise UsageError(f"{self.name}: a question needs {name}; give it")
            if value is not None and name not in (*self.asks, *self.may_ask):
                raise UsageError(f"{self.name}: {name} {value!r} has no meaning here; leave it out")
        if asked.sanitizers and "sanitizers" not in self.may_ask:
            raise UsageError(f"{self.name}: sanitizers have no meaning here; leave them out")
        for number in (asked.i, asked.j, *sorted(asked.sanitizers)):
            if number is not None and not 0 <= number < len(flow):
                raise UsageError(
                    f"{self.name}: there is no step {number}; steps are 0 to {len(flow) - 1}"
                )
        for number in (asked.i, asked.j):
            if number is not None and not flow.is_possible(number):
                raise UsageError(
                    f"{self.name}: no execution carries out step {number}, which depends on two "
                    "options of one choice; ask about another"
                )
        if asked.fact is not None and asked.fact not in flow.known:
            raise UsageError(
                f"{self.name}: no step touches the fact '{asked.fact}'"
                f"{nearest(asked.fact, flow.facts) or '; give one that a step names'}"
            )


def pair(asked: FlowQuestion) -> tuple[int, int]:
    """Return the two steps of a question that has them."""
    return present(asked.i), present(asked.j)


def instance(asked: FlowQuestion) -> tuple[int, str]:
    """Return the step and the fact of a question that has them."""
    return present(asked.i), present(asked.fact)


def present[T](part: T | None) -> T:
    """Return a part of a checked question, or of its witness, that is known to be given.

    Raises:
        TypeError: it is not, as the question was not checked.
    """
    if part is None:
        raise TypeError("the question was not checked")
    return part
