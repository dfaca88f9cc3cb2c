"""What a domain gives to FABLE: procedures, questions about them, and the audit of published ones.

A domain is a package whose constant ``TASKS`` is made by `thence.families.fable.shared.task`, which
makes the eight tasks, their balance, prompts, reading and scoring from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from thence.core.procedure import Procedure

if TYPE_CHECKING:
    from pathlib import Path

    from thence.core.parameters import Parameter
    from thence.families.fable.shared.answers import Form

type Cue = str | int


@dataclass(frozen=True, slots=True)
class Case:
    """A procedure to ask about.

    Attributes:
        procedure: facts and order; ``steps[k].text`` is what a prompt shows, numbered from 1.
        source: JSON values: what the domain knows of it, such as its kind and sizes.
    """

    procedure: Procedure
    source: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Instance:
    """One question that can be asked about a case, with its truth.

    Attributes:
        question: ``kind``, ``i``, ``j`` and ``fact`` (steps 0-based; None where there is none), and
            whatever else the template needs; JSON values.
        answer: ``"Yes"`` or ``"No"``; of an interval, the target that `Form` describes.
        explanation: one or two sentences with 1-based step numbers, as the prompt numbers them.
        witness: the piece of the structure that makes the answer true; JSON.
        cues: what a shortcut could go by (distance, position, predicate, actions, wording), the
            most telling first, coarse enough that both answers occur. Questions of both answers
            are drawn with the same distribution of cues; where no match is found within many
            cases, the last cues are given up first.
        case: the procedure that the question shows, where a step of the case was deleted, swapped
            or injected; None for the case itself.
        reasons: makes explanation and witness where they cost much, only for the questions that
            are taken; None where they are given.
        leanings: all that a shortcut could go by, one by one, where many questions are chosen
            together; each value is made as common with a Yes as with a No.
    """

    question: Mapping[str, Any]
    answer: Any
    explanation: str
    witness: Any = None
    cues: tuple[Cue, ...] = ()
    case: Case | None = None
    reasons: Callable[[], tuple[str, Any]] | None = None
    leanings: tuple[Cue, ...] = ()

    def with_explanation(self) -> Instance:
        """The same with its explanation and witness."""
        if self.reasons is None:
            return self
        explanation, witness = self.reasons()
        return replace(self, explanation=explanation, witness=witness, reasons=None)


@dataclass(frozen=True, slots=True)
class Checked:
    """A published answer that was worked out again.

    Attributes:
        id: of the question, such as the file's name and line.
        group: the cell, such as ``fable/plans/taint``.
        published: the answer as it was printed.
        computed: ours; None where the rules do not give one.
        why: where they differ, the reason in a clause, with a witness.
        kind: a short name of the reason, for counting, such as ``killed by its own use``.
        question: goal, steps and question as published, joined by line breaks, so that duplicates
            can be counted; empty where it is not to be compared.
        not_in_text: what the question names but the text does not, if anything.
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
    """No question, or none with two answers, was found in many procedures.

    Args:
        why: what was looked at.
        questions: how many there were, all with one answer.
    """

    def __init__(self, why: str, questions: int = 0) -> None:
        super().__init__(why)
        self.questions = questions


class Domain(ABC):
    """One of FABLE's domains.

    Attributes:
        name: such as ``plans``.
        intervals: how answers to its interval questions are written, read and compared.
        settable: parameters that a caller may set; ``dialect`` is added to them.
    """

    name: ClassVar[str]
    intervals: ClassVar[Form]
    settable: Sequence[Parameter] = ()

    @abstractmethod
    def offered(self, values: Mapping[str, Any]) -> Mapping[str, str | None]:
        """For each analysis None, or the reason why its cell is not offered.

        Args:
            values: of the task's parameters, the dialect included.
        """

    @abstractmethod
    def case(self, values: Mapping[str, Any], rng: Random) -> Case:
        """A fresh procedure; all chance from ``rng``.

        Args:
            values: of `parameters` and `options`, and ``analysis``, what will be asked about it.
            rng: the sample's.
        """

    @abstractmethod
    def sound(self, analysis: str, case: Case, rng: Random) -> Sequence[Instance]:
        """The questions worth asking about a case, of both answers; none where there is none."""

    @abstractmethod
    def published(self, analysis: str, case: Case, rng: Random) -> Instance | None:
        """The question by the published rule; None where it asks nothing about this case."""

    @abstractmethod
    def audit(self, root: Path, dialect: str) -> Iterable[Checked]:
        """Every published answer of this domain found under a checkout of FABLE's layout."""

    def surface_answer(self, analysis: str, metadata: Mapping[str, Any]) -> Any:
        """What a reader who takes a shortcut would answer, going by the words alone.

        The heuristic baseline gives it. None where this domain defines no shortcut.

        Args:
            analysis: its name.
            metadata: of a sample; only ``question`` and what its prompt shows may be looked at.
        """
        return None

    def resolve(
        self, analysis: str, goal: str, steps: Sequence[str], question: str, dialect: str
    ) -> Checked | None:
        """A published question worked out from its words alone, as `audit` does it.

        It serves to score published replies against the sound truth.

        Args:
            analysis: its name.
            goal: as in the prompt.
            steps: their texts, without numbers.
            question: its sentence.
            dialect: whose rules decide.

        Returns:
            ``computed`` holds the answer, an interval's as `Form` describes it, or None where the
            rules give none; ``why`` and ``kind`` say what is wrong with the published one. None
            where the question is not of this domain.
        """
        return None

    def unaskable(self, analysis: str, parameters: Mapping[str, Any], error: Unaskable) -> str:
        """Why a cell has no question under these parameters, and the mend."""
        return f"{error}; give it other parameters"

    def corpus(self, values: Mapping[str, Any]) -> Sequence[Case] | None:
        """The procedures to choose from, where they are given and not generated.

        Each is then asked about once before any is asked about twice. The same values must give
        the same sequence; keep it if it is costly. None: `case` makes them.
        """
        return None

    def shelves(self, parameters: Mapping[str, Any]) -> bool:
        """Whether samples choose from procedures that `shelf` gives to many of them.

        Worth it where a procedure costs much to make: a shelf is made once for all analyses, and
        questions that are chosen together are matched better. The default makes procedures anew
        for every sample.
        """
        return False

    def shelf(self, values: Mapping[str, Any]) -> Sequence[Case]:
        """The procedures of a shelf, no two alike, some times as many as the samples it serves.

        `case` and this both find its name in ``values["shelf"]``; the same values must give the
        same procedures.
        """
        raise NotImplementedError

    def parameters(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """What of the parameters' values shapes the truth, as JSON; it seeds the samples.

        The default takes all values as they are. A parameter that names a file gives its hash.
        """
        return dict(values)

    def options(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """What of the parameters' values changes the words alone, as JSON; `case` sees it, too."""
        return {}

    def context(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values that leave no trace in samples, such as a time limit; `case` sees them."""
        return {}

    def notes(self, analysis: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the manifest should say of a cell, such as of which kinds it is built."""
        return {}

    def truth(self, analysis: str, metadata: Mapping[str, Any]) -> Any:
        """The answer worked out again from a sample's metadata alone.

        The default decides the sound dialect's Yes/No questions by the data-flow analysis of that
        name. A domain overrides it for its other answers (`metadata["dialect"]` tells which).

        Raises:
            ValueError, LookupError, TypeError: the metadata is not what this domain generates.
        """
        dataflow = import_module("thence.dataflow")
        question = metadata["question"]
        flow = dataflow.Flow(Procedure.from_json(metadata["procedure"]))
        verdict = dataflow.analysis(analysis).decide(
            flow, i=question.get("i"), j=question.get("j"), fact=question.get("fact")
        )
        return "Yes" if verdict.answer else "No"
