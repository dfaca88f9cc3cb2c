"""FABLE's tasks: one per cell of domain and analysis, all derived from the domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.digest import canonical_json
from thence.core.parts import AnswerFormat, Baselines, Checks, Generator, Grader, Question
from thence.core.procedure import Procedure
from thence.core.reply_text import unquoted
from thence.core.score import Answer, Grade
from thence.core.seeds import stream
from thence.core.shortcuts import Shortcut, ShownQuestion
from thence.core.task import Task
from thence.errors import ParameterError
from thence.families.fable.shared.analyses import ANALYSES, ASKED, DOMAINS, INTERVALS, REASONING
from thence.families.fable.shared.answers import YES_NO, Form
from thence.families.fable.shared.blocks import SIDES
from thence.families.fable.shared.domain import Domain
from thence.families.fable.shared.proofs import CellCritic, CellProofs
from thence.procedures.sample_forms import ProcedureForms

if TYPE_CHECKING:
    from thence.core.sample import Sample
from thence.families.fable.shared.generator import PUBLISHED, SOUND, VERSIONS, CellGenerator

_GUESSES, _GUESSED = 12, 2_000_003  # number of truths to guess intervals from, and their seed


_TRIES = 51  # maximal number of guesses to find one of the same kind


OFFICIAL = "official"
"""The scorer of FABLE's authors."""

NO_TRUTH = "N/A"
"""The published ground truth of a question without an answer: every reply is wrong."""


def tasks(domain: Domain) -> list[Task]:
    """Return the eight tasks of a domain."""
    return [_task(domain, analysis) for analysis in ANALYSES]


def _task(domain: Domain, analysis: str) -> Task:
    form = domain.intervals if analysis == INTERVALS else YES_NO
    place = DOMAINS.index(domain.name) if domain.name in DOMAINS else len(DOMAINS)
    return Task(
        "fable",
        f"{domain.name}/{analysis}",
        CellGenerator(domain, analysis, form),
        CellFormat(form),
        CellGrader(analysis, form),
        CellChecks(domain, analysis, form),
        baselines=CellBaselines(domain, analysis, form),
        proofs=CellProofs(analysis, form),
        forms=CellForms(domain, analysis, form),
        critic=CellCritic(form),
        version=VERSIONS[SOUND],
        dialects=VERSIONS,
        rank=place * len(ANALYSES) + list(ANALYSES).index(analysis),
        summary=f"{domain.name}: {ASKED[analysis]}",
        question_name=f"{domain.templates or domain.name}/{analysis}",
        by_name=domain.name not in DOMAINS,
    )


class CellFormat(AnswerFormat):
    """Reads and writes answers in the form of a cell."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.shown = form.shown

    def answer_values(self) -> Mapping[str, Any]:
        """Return the form of the answer."""
        return {"form": self.form.name}

    def write(self, target: Any) -> str:
        """Return the bare answer, as the prompt asks for it."""
        return self.form.write(target)

    def schema(self, question: Question) -> Mapping[str, Any] | None:
        """Return the schema of the form, where it is JSON."""
        return self.form.schema()

    def grammar(self, question: Question) -> str | None:
        """Return the grammar of the form."""
        return self.form.grammar() or super().grammar(question)

    def read(self, reply: str, question: Question) -> Answer | None:
        """Return the answer by the strict rules."""
        return self.form.read(unquoted(reply, self.form.prompt), question)

    def vote(self, answer: Any) -> Any:
        """Return a key that is equal for intervals with equal bounds in different words."""
        if isinstance(answer, dict):
            answer = {name: value for name, value in answer.items() if name != "text"}
        return super().vote(answer)


class CellGrader(Grader):
    """Grades by the form: by the strict rules and by the authors' scorer."""

    metrics = ("within",)

    def __init__(self, analysis: str, form: Form) -> None:
        self._analysis = analysis
        self._form = form

    def grade(self, answer: Any, sample: Sample) -> Grade:
        """Return a grade: correct if the answer equals the truth; ``within`` is the paper's rule.

        ``sound`` is added where the sound truth of a published question is known.
        """
        values = {"within": 0.0}
        if SOUND in sample.metadata:
            values[SOUND] = float(
                answer is not None and self._form.equal(answer, sample.metadata[SOUND])
            )
        if answer is None or sample.target == NO_TRUTH:
            return Grade(correct=False, values=values)
        values["within"] = float(self._form.within(answer, sample.target))
        return Grade(self._form.equal(answer, sample.target), values)

    def grade_by(self, scorer: str, reply: str, answer: Answer | None, sample: Sample) -> Grade:
        """Return the grade of the authors' scorer for the whole reply, with ``strict`` added."""
        if scorer != OFFICIAL:
            raise ParameterError("scorer", scorer, f"must be strict or {OFFICIAL}")
        strict = self.grade(answer.value if answer else None, sample)
        return Grade(
            self._official(reply, sample), {**strict.values, "strict": float(strict.correct)}
        )

    def extra_metrics(self, reply: str, sample: Sample) -> Mapping[str, float]:
        """Return the verdict of the authors' scorer on the whole reply."""
        return {"official": float(self._official(reply, sample))}

    def _official(self, reply: str, sample: Sample) -> bool:
        truth = sample.metadata.get("ground_truth")
        if not isinstance(truth, str):
            truth = self._form.write(sample.target)
        return self._form.official(reply, truth)

    def breakdown(self, sample: Sample) -> Mapping[str, str]:
        """Return the kind of reasoning, the truth of a Yes/No question, its reason and depth."""
        truth = sample.target if self._form is YES_NO else "interval"
        known = {name: sample.metadata.get(name) for name in ("reason", "depth")}
        held = {name: str(value) for name, value in known.items() if value is not None}
        return {"reasoning": REASONING[self._analysis], "truth": truth, **held}


class CellChecks(Checks):
    """Decides a question again from its procedure."""

    def __init__(self, domain: Domain, analysis: str, form: Form) -> None:
        self._domain = domain
        self._analysis = analysis
        self._form = form

    def check(self, sample: Sample) -> None:
        """Raise unless the target has the cell's form and the metadata a procedure and question."""
        if not self._form.check(sample.target):
            raise ValueError(f"the target of {sample.task} is not of its form")
        metadata = sample.metadata
        question = metadata.get("question")
        if not isinstance(question, dict) or metadata.get("dialect") not in (SOUND, PUBLISHED):
            raise ValueError(f"the metadata of {sample.task} must hold 'question' and 'dialect'")
        try:
            Procedure.from_json(metadata["procedure"])
        except (LookupError, TypeError, ValueError) as error:
            raise ValueError(f"the metadata of {sample.task} must hold 'procedure'") from error

    def recompute(self, sample: Sample) -> Any:
        """Return the answer from the procedure and the question alone."""
        return self._domain.truth(self._analysis, sample.metadata)

    def perturb(self, sample: Sample, rng: Random) -> Any:
        """Return another answer of the form."""
        return self._form.perturb(sample.target, rng)


class CellForms(ProcedureForms):
    """Answers by what a reply says of the steps, where a proof could be checked, too."""

    def __init__(self, domain: Domain, analysis: str, form: Form) -> None:
        self._domain = domain
        self._analysis = analysis
        self._form = form

    def refusal(self, sample: Sample) -> str:
        """Return why a question of the published dialect, or about an amount, has none."""
        return CellProofs(self._analysis, self._form).refusal(sample)

    def recompute(self, sample: Sample) -> Any:
        """Return the answer from the procedure and the question alone."""
        return self._domain.truth(self._analysis, sample.metadata)


class CellBaselines(Baselines):
    """Guesses, or uses the domain's shortcut."""

    def __init__(self, domain: Domain, analysis: str, form: Form) -> None:
        self._domain = domain
        self._analysis = analysis
        self._form = form
        self._truths: dict[bytes, Any] = {}

    def random_answer(self, generator: Generator, sample: Sample, rng: Random) -> Any:
        """Return Yes or No at random; for an interval, the truth of another question."""
        if self._form is YES_NO:
            return rng.choice(SIDES)
        for _ in range(_TRIES):
            answer = self._another_truth(generator, sample, rng.randrange(_GUESSES))
            if sample.target == NO_TRUTH or self._form.comparable(answer, sample.target):
                break
        return answer

    def chance(self, sample: Sample) -> float | None:
        """Return one half for Yes or No, 0 where nothing is right; None for an interval."""
        if sample.target == NO_TRUTH:
            return 0.0
        return 1 / len(SIDES) if self._form is YES_NO else None

    def kind(self, sample: Sample) -> str:
        """Return the unit of an amount, else nothing: all other intervals are of one kind."""
        target = sample.target
        return str(target.get("unit", "")) if isinstance(target, dict) else ""

    def _another_truth(self, generator: Generator, sample: Sample, index: int) -> Any:
        """Return the truth of one of a few questions of the cell, made once as it is slow."""
        condition = generator.condition(sample)
        key = canonical_json([condition.parameters, condition.options, index])
        if key not in self._truths:
            version = VERSIONS[condition.options["dialect"]]
            rng = stream(sample.task, version, condition.parameters, _GUESSED, index)
            self._truths[key] = generator.draw(condition, rng).target
        return self._truths[key]

    def surface_answer(self, sample: Sample) -> Any | None:
        """Return the answer of the domain's shortcut; None where all that is known is a prompt."""
        if sample.published:
            return None
        return self._domain.surface_answer(self._analysis, sample.metadata)

    def shortcuts(self) -> Sequence[Shortcut]:
        """Return those of every question, and those of the domain.

        The latter look at what our own questions tell, and see nothing of the authors'.
        """
        own = map(_unless_published, self._domain.shortcuts(self._analysis))
        return [*super().shortcuts(), *own]


def _unless_published(shortcut: Shortcut) -> Shortcut:
    def value(shown: ShownQuestion) -> Any:
        return None if shown.sample.published else shortcut.value(shown)

    return replace(shortcut, value=value)
