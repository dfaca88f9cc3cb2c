"""The interface of FABLE's domains: procedures, questions about them, and audits.

A domain is a package whose constant ``TASKS`` is made by `thence.families.fable.shared.task`, which
derives the eight tasks, their balance, prompts, reading and scoring from the domain.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from thence.core.procedure import Procedure
from thence.core.shortcuts import ANY, Shortcut, heuristic

if TYPE_CHECKING:
    from pathlib import Path

    from thence.core.parameters import Parameter
    from thence.dataflow import Flow
    from thence.errors import MissingExtra
    from thence.families.fable.shared.answers import Form
    from thence.families.fable.shared.traits import KnownTraits, Traits

type Cue = str | int

_STEP = re.compile(r"\bstep(?=s? \d)")

MIXTURE = (1, 2, 2, 3, 3, 3, 4, 4, 5, 6)
"""The depths of as many pairs of a Yes and a No."""

KEPT = 96
"""Mean number of candidates of an answer and a depth that a block keeps, if nothing is said."""


class Quota(NamedTuple):
    """A trait that at least a share of a block's questions with an answer should have.

    Attributes:
        name: of the trait.
        share: the least, about, from 0 to 1.
    """

    name: str
    share: float = 0.5


@dataclass(frozen=True, slots=True)
class Case:
    """A procedure to ask about.

    Attributes:
        procedure: facts and order; a prompt shows ``steps[k].text``, numbered from 1.
        source: JSON values that the domain has about it, such as its kind and sizes.
    """

    procedure: Procedure
    source: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Instance:
    """One possible question about a case, with its truth.

    Attributes:
        question: ``kind``, ``i``, ``j`` and ``fact`` (steps 0-based; None where there is none), and
            further JSON values for the template.
        answer: ``"Yes"`` or ``"No"``; for an interval, a target as `Form` describes it.
        explanation: one or two sentences with step numbers from 1, as in the prompt.
        witness: the part of the structure that makes the answer true; JSON.
        cues: values that a shortcut could use (distance, position, predicate, actions, wording),
            the most predictive first, coarse enough that both answers occur. Questions of both
            answers are drawn with the same distribution of cues; where no match is found within
            many cases, the last cues are dropped first. Of the candidates of a block few with the
            same cues are kept.
        case: the procedure in the question, where a step of the case was deleted, swapped or
            injected; None for the case itself.
        flow: index of that procedure; None where it is not made yet.
        reasons: computes explanation and witness where they are expensive, only for drawn
            questions; None where they are given.
        traits: depth, reason and needs, by which questions are chosen in blocks; None where they
            are those that the analysis itself gives.
        quotas: what a share of a block's questions with this answer should have.
    """

    question: Mapping[str, Any]
    answer: Any
    explanation: str
    witness: Any = None
    cues: tuple[Cue, ...] = ()
    case: Case | None = None
    flow: Flow | None = None
    reasons: Callable[[], tuple[str, Any]] | None = None
    traits: Traits | KnownTraits | None = None
    quotas: frozenset[Quota] = frozenset()

    def with_explanation(self, *, capitals: bool) -> Instance:
        """Return the instance with its explanation and witness.

        Args:
            capitals: whether the explanation writes "Step 7" as prompts do; published ones do not.
        """
        explanation, witness = self.explanation, self.witness
        if self.reasons is not None:
            explanation, witness = self.reasons()
        if capitals:
            explanation = _STEP.sub("Step", explanation)
        return replace(self, explanation=explanation, witness=witness, reasons=None)


@dataclass(frozen=True, slots=True)
class Checked:
    """A published answer with its recomputed counterpart.

    Attributes:
        id: id of the question, such as the file's name and line.
        group: the cell, such as ``fable/plans/taint``.
        published: the printed answer.
        computed: our answer; None where the rules do not give one.
        why: the reason of a difference in a clause, with a witness.
        kind: a short name of the reason, for counting, such as ``killed by its own use``.
        question: goal, steps and question as published, joined by line breaks, for counting
            duplicates; empty where they should not be compared.
        not_in_text: a part of the question that the text lacks, if any.
    """

    id: str
    group: str
    published: Any
    computed: Any
    why: str = ""
    kind: str = ""
    question: str = ""
    not_in_text: str = ""


class Unaskable(ValueError):
    """Error for a search over many procedures without a question, or without both answers.

    Args:
        why: the size of the search.
        questions: number of questions, all with one answer.
        asked: whether there are questions, which are all asked.
    """

    def __init__(self, why: str, questions: int = 0, *, asked: bool = False) -> None:
        super().__init__(why)
        self.questions = questions
        self.asked = asked


class Domain(ABC):
    """One of FABLE's domains.

    Attributes:
        name: such as ``plans``; those that the paper does not have are asked about by name only.
        intervals: the form of answers to its interval questions.
        settable: parameters that a caller may set; ``dialect`` is added to them.
        has_depth: whether ``depth`` is added, too: questions are chosen in blocks.
        served: number of questions of a cell that are chosen together, in a block.
        kept: mean number of candidates of an answer and a depth of which a block chooses.
        templates: name of the domain whose templates word the questions; empty for its own.
    """

    name: str
    intervals: ClassVar[Form]
    settable: Sequence[Parameter] = ()
    has_depth: ClassVar[bool] = False
    served: ClassVar[int] = 50
    kept: ClassVar[int] = KEPT
    templates: str = ""

    @abstractmethod
    def offered(self, values: Mapping[str, Any]) -> Mapping[str, str | None]:
        """Return for each analysis None, or the reason why its cell is not offered.

        Args:
            values: values of the task's parameters, the dialect included.
        """

    def missing(self) -> MissingExtra | None:
        """Return the error of an extra that new questions need and that is not installed."""
        return None

    @abstractmethod
    def case(self, values: Mapping[str, Any], rng: Random) -> Case:
        """Return a new random procedure.

        Args:
            values: values of `parameters` and `options`, and ``analysis``, the analysis of the
                question.
            rng: the sample's random generator, the source of all randomness.
        """

    @abstractmethod
    def sound(self, analysis: str, case: Case, rng: Random) -> Sequence[Instance]:
        """Return the questions about a case, with both answers; empty where there are none."""

    @abstractmethod
    def published(self, analysis: str, case: Case, rng: Random) -> Instance | None:
        """Return the question by the published rule; None where it has none about this case."""

    @abstractmethod
    def audit(self, root: Path, dialect: str) -> Iterable[Checked]:
        """Yield every published answer of this domain under a checkout of FABLE's layout."""

    def surface_answer(self, analysis: str, metadata: Mapping[str, Any]) -> Any:
        """Return the answer of a shortcut that uses the words alone.

        It is the heuristic baseline. None where this domain defines no shortcut.

        Args:
            analysis: name of the analysis.
            metadata: a sample's metadata, of which only ``question`` and the values in the prompt
                may be used.
        """
        return None

    def shortcuts(self, analysis: str) -> Sequence[Shortcut]:
        """Return the shortcuts that only this domain has, for one of its analyses."""
        return ()

    def looks(self, analysis: str) -> list[Shortcut]:
        """Return the shortcuts by which questions of an analysis are chosen: all of its battery."""
        answer = heuristic(lambda sample: self.surface_answer(analysis, sample.metadata))
        return [answer, *ANY, *self.shortcuts(analysis)]

    def resolve(
        self, analysis: str, goal: str, steps: Sequence[str], question: str, dialect: str
    ) -> Checked | None:
        """Return a published question, answered from its words alone as in `audit`.

        It serves to score published replies against the sound truth.

        Args:
            analysis: name of the analysis.
            goal: the goal in the prompt.
            steps: the texts of the steps, without numbers.
            question: the sentence of the question.
            dialect: the rules that decide.

        Returns:
            ``computed`` holds the answer, for an interval as `Form` describes it, or None where the
            rules give none; ``why`` and ``kind`` describe the fault of the published answer. None
            where the question is not of this domain.
        """
        return None

    def unaskable(self, analysis: str, parameters: Mapping[str, Any], error: Unaskable) -> str:
        """Return why a cell has no question under these parameters, with the remedy."""
        return f"{error}; give it other parameters"

    def corpus(self, values: Mapping[str, Any]) -> Sequence[Case] | None:
        """Return the procedures to choose from, where they are given and not generated.

        Each is used once before any is used twice. The same values must give the same sequence, so
        cache it if it is expensive. None: `case` generates them.
        """
        return None

    def shared(self, parameters: Mapping[str, Any], seed: int, place: int) -> Mapping[str, Any]:
        """Return the parameters by which questions that are not in blocks share procedures."""
        return {}

    def in_blocks(self, parameters: Mapping[str, Any]) -> bool:
        """Return whether sound questions are chosen in blocks, of `candidates`; see `blocks`.

        By default every sample makes its own procedures.
        """
        return False

    def mixture(self, analysis: str) -> Sequence[int]:
        """Return the depths of as many pairs of a Yes and a No in a block."""
        return MIXTURE

    def is_few(self, parameters: Mapping[str, Any]) -> bool:
        """Return whether all questions are about a few procedures, and may not be enough."""
        return False

    def candidates(
        self, analysis: str, values: Mapping[str, Any], rng: Random
    ) -> Iterable[tuple[Case, Instance]]:
        """Yield questions of a block, without end or many times as many as are chosen of it.

        Args:
            analysis: name of the analysis.
            values: values of `parameters` and `context`, and ``block``, the name of the block. The
                same values must give the same questions.
            rng: all chance.
        """
        raise NotImplementedError

    def worded(
        self, chosen: tuple[Case, Instance], options: Mapping[str, Any]
    ) -> tuple[Case, Instance]:
        """Return a question of a block in the words that `options` ask for; these seed nothing."""
        return chosen

    def parameters(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values that determine the truth, as JSON; they enter the samples' seeds.

        The default returns all values unchanged. A parameter that names a file returns its hash.
        ``dialect`` is among them, and left out of what is returned.
        """
        return dict(values)

    def options(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values that change the words alone, as JSON; `case` gets them too."""
        return {}

    def context(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values that do not appear in samples, such as a time limit."""
        return {}

    def findings(self, values: Mapping[str, Any]) -> Any:
        """Return what worker processes need not find again; see `Generator.findings`."""
        return None

    def receive(self, findings: Any) -> None:  # noqa: B027 - as most domains find nothing
        """Take what another process found."""

    def notes(self, analysis: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return remarks on a cell for the manifest, such as the kinds of its procedures."""
        return {}

    def truth(self, analysis: str, metadata: Mapping[str, Any]) -> Any:
        """Return the answer, computed again from a sample's metadata alone.

        The default decides the sound dialect's Yes/No questions by the data-flow analysis of that
        name. A domain overrides it for its other answers (`metadata["dialect"]` holds the dialect).

        Raises:
            ValueError, LookupError, TypeError: the metadata is not from this domain's generator.
        """
        dataflow = import_module("thence.dataflow")
        question = metadata["question"]
        flow = dataflow.Flow(Procedure.from_json(metadata["procedure"]))
        verdict = dataflow.analysis(analysis).decide(
            flow, i=question.get("i"), j=question.get("j"), fact=question.get("fact")
        )
        return "Yes" if verdict.answer else "No"
