"""A task: one named part of a benchmark, composed of parts that each do one thing.

A generator draws questions with their truth, an answer format reads and writes answers, a grader
compares an answer with the truth, checks compute the truth a second time. Explanations and
baselines are optional. Only graders, checks and baselines see the truth: a reader of replies gets a
`Question`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from thence.core.evidence import Critic, Evidence, Forms, Proofs
from thence.core.parts import (
    AnswerFormat,
    Baselines,
    Checks,
    Explainer,
    Generator,
    Grader,
    Question,
)
from thence.core.sample import check_numbers
from thence.core.versions import major

if TYPE_CHECKING:
    from thence.core.sample import Sample

MISFITS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Errors at a sample from elsewhere that is not of the task that it names."""
_UNREADABLE = "I do not know."  # a reply without an answer
_NOT_OURS = "target or metadata is not of this task"
_MISSING = object()


@dataclass(frozen=True)
class Task:
    """One named part of a benchmark, kept as the constant ``TASK`` of its module.

    Attributes:
        family: the benchmark, such as ``procbench``.
        name: the name within the family, such as ``sort``.
        generator: draws its questions.
        format: reads and writes its answers.
        grader: compares answers with the truth.
        checks: compute the truth a second time.
        explainer: gives the reason for a truth.
        baselines: answer without reasoning.
        proofs: check proofs of answers; None where answers have none.
        forms: answer by a formal description of the text; None where there is none.
        critic: says what is wrong with an answer; None where nothing can be said.
        version: ``N-X``: N changes when scores stop being comparable, X otherwise.
        dialects: the versions of the dialects that have one of their own, by name.
        rank: position among the family's tasks in lists and tables.
        summary: one line for ``thence list``.
        answer_name: name, within the family, of the template that describes the answer's format.
        question_name: name, within the family, of the template of the question; empty for its own.
        by_name: whether it is asked only where it is named, or its folder is: it is no part of the
            paper's benchmark, so that its family's name and wider globs leave it out.
    """

    family: str
    name: str
    generator: Generator
    format: AnswerFormat
    grader: Grader
    checks: Checks
    explainer: Explainer = field(default_factory=Explainer)
    baselines: Baselines = field(default_factory=Baselines)
    proofs: Proofs | None = None
    forms: Forms | None = None
    critic: Critic | None = None
    version: str = "1-0"
    dialects: Mapping[str, str] = field(default_factory=dict)
    rank: int = 0
    summary: str = ""
    answer_name: str = "answer"
    question_name: str = ""
    by_name: bool = False

    @cached_property
    def full_name(self) -> str:
        """``family/name``, the group name wherever results are printed."""
        return f"{self.family}/{self.name}"

    def version_of(self, values: Mapping[str, Any]) -> str:
        """Return the version of questions with these options or metadata, by their dialect."""
        return self.dialects.get(str(values.get("dialect", "")), self.version)

    @cached_property
    def majors(self) -> frozenset[str]:
        """The N of each version that questions of the task have now, one a dialect."""
        versions = (self.version, *self.dialects.values())
        return frozenset(map(major, versions))

    def evidence(self, kind: str) -> Evidence | None:
        """Return the part that checks what stands beside an answer: ``proofs`` or ``forms``."""
        return {"proofs": self.proofs, "forms": self.forms}.get(kind)

    @property
    def question_template(self) -> str:
        """Name of the template of the question."""
        return f"{self.family}/{self.question_name or self.name}"

    @property
    def answer_template(self) -> str:
        """Name of the template that describes the answer's format."""
        return f"{self.family}/{self.answer_name}"

    @property
    def templates(self) -> tuple[str, str]:
        """Names of the templates that word its prompt."""
        return self.question_template, self.answer_template

    def question(self, sample: Sample) -> Question:
        """Return the question of a sample without its truth, for readers of replies."""
        values = {}
        for path in self.format.shown:
            held: Any = sample.metadata
            for name in path.split("."):
                held = held.get(name, _MISSING) if isinstance(held, Mapping) else _MISSING
            if held is not _MISSING:
                values[path.rpartition(".")[2]] = held
        return Question(self.full_name, values)

    def check(self, sample: Sample) -> None:
        """Raise an error if a sample from a file does not belong to this task.

        Raises:
            ValueError: one clause that names the missing or wrong part.
        """
        check_numbers(sample)
        try:
            self.checks.check(sample)
        except ValueError:
            raise
        except MISFITS as error:
            raise ValueError(_NOT_OURS) from error
        try:
            self.grader.grade(None, sample)
            self.grader.breakdown(sample)
            self.format.read(_UNREADABLE, self.question(sample))
            self.generator.question_values(sample.metadata)
            self.format.write(sample.target)
        except MISFITS as error:
            raise ValueError(_NOT_OURS) from error
