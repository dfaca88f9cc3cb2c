"""Written procedures as they are shown: as they are, as a variant, or with mistakes in the list."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from thence.core.procedure import Procedure
from thence.dataflow import Flow, conflicts
from thence.dataflow.depth import depth
from thence.dataflow.flow import Role
from thence.families.fable.runbooks import words
from thence.families.fable.runbooks.words import Mistakes
from thence.families.fable.shared.blocks import DEEP_CLASS, flow_question
from thence.families.fable.shared.domain import Case
from thence.families.fable.shared.needed_parts import SHORT_PROOFS, NeededParts

_SUPPLIERS = "suppliers_ignored"  # a strategy that answers few questions wrongly

type Asked = dict[str, Any]


class QuestionKind(NamedTuple):
    """Kind of a question: what it has in common with many others.

    Attributes:
        answer: whether it is Yes.
        wrong: the strategies that are known to answer otherwise.
        far: about how many links the proof has.
        mistakes: those in the list.
        met: what two steps, of which either can come first, do to the same fact.
    """

    answer: bool
    wrong: tuple[str, ...]
    far: int
    mistakes: Mistakes
    met: frozenset[tuple[Role, Role]]


@dataclass(frozen=True, eq=False)
class ShownProcedure:
    """A procedure as it is shown.

    Attributes:
        case: the procedure that questions share as their cluster.
        shown: the same, or a variant of it.
        marked: what is shown, with marks such as ``<host>`` where it has names.
        remark: a sentence that every question about it begins with, or nothing.
        mistakes: those in its list.
    """

    case: Case
    shown: Case
    marked: Procedure
    remark: str
    mistakes: Mistakes = Mistakes.NONE

    @property
    def is_changed(self) -> bool:
        """Whether its list has mistakes."""
        return self.mistakes is not Mistakes.NONE

    @property
    def is_own(self) -> bool:
        """Whether it is a user's own, of which there are no variants."""
        return self.case is self.shown

    @cached_property
    def flow(self) -> Flow:
        """The flow of the procedure that is shown."""
        return Flow(self.shown.procedure)

    @cached_property
    def parts(self) -> NeededParts:
        """The parts of the analysis that questions about it need."""
        return NeededParts(self.flow)

    def about(self, name: str, asked: Asked) -> Hashable:
        """Return the fact and the steps of a question, the same in all variants so mistaken."""
        fact = self._marks[asked["fact"]] if "fact" in asked else None
        # too few questions whether a fact is still there have a twin with the same step j
        places = [asked["i"]] if name == "available_expressions" else [asked["i"], asked.get("j")]
        steps = frozenset(self._done[place] for place in places if place is not None)
        return self.case.procedure.goal, self.mistakes, steps, fact

    @cached_property
    def _done(self) -> list[tuple[Sequence[str], ...]]:
        """For each step what it uses, makes and ends, in marks."""
        return [(each.uses, each.defines, each.kills) for each in self.marked.steps]

    @cached_property
    def _marks(self) -> dict[str, str]:
        """Each fact with what it is in the procedure with marks."""
        pairs = zip(self.flow.steps, self.marked.steps, strict=True)
        return {
            fact: marked
            for step, other in pairs
            for fact, marked in zip(
                (*step.uses, *step.defines, *step.kills),
                (*other.uses, *other.defines, *other.kills),
                strict=True,
            )
        }

    def kind(self, name: str, asked: Asked) -> QuestionKind:
        """Return the kind of a question; the analysis is any but intervals."""
        answer, wrong = self.parts.of(name, asked)
        if self.is_listed and self.parts.errs(_SUPPLIERS, name, asked, answer):
            wrong = (*wrong, _SUPPLIERS)
        far = self.parts.links(asked)
        if (name, answer) in SHORT_PROOFS:
            far = depth(self.flow, name, flow_question(asked))
        met = self._met(name, asked)
        return QuestionKind(answer, wrong, min(far, DEEP_CLASS), self.mistakes, met)

    def _met(self, name: str, asked: Asked) -> frozenset[tuple[Role, Role]]:
        """Return what two steps, of which either can come first, do to the same fact."""
        if name != "concurrency":
            return frozenset()
        i, j = asked["i"], asked["j"]
        if self.flow.precedes(i, j) or self.flow.precedes(j, i):
            return frozenset()
        found = conflicts(self.flow.steps[i], self.flow.steps[j])
        return frozenset((each.first, each.second) for each in found)

    @cached_property
    def reading(self) -> list[str]:
        """The sentences that tell how it is to be read."""
        return words.reading(self.flow, self.mistakes)

    def notes(self, *, timed: bool) -> list[str]:
        """Return what stands under each step."""
        return self._timed if timed else self._untimed

    @cached_property
    def _timed(self) -> list[str]:
        return words.notes(self.flow, self.mistakes, timed=True)

    @cached_property
    def _untimed(self) -> list[str]:
        return words.notes(self.flow, self.mistakes, timed=False)

    @cached_property
    def is_listed(self) -> bool:
        """Whether its steps are listed in a permitted order."""
        return all(a < b for a, b in self.shown.procedure.order)
