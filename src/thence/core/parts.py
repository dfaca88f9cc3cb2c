"""The parts that a task is composed of, each of which does one thing.

Only graders, checks and baselines see the truth: a reader of replies gets a `Question`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.digest import canonical_json
from thence.core.gbnf import of_schema
from thence.core.parameters import Parameter, configure
from thence.core.reply_text import concluded
from thence.core.shortcuts import ANY, Shortcut, heuristic
from thence.errors import MissingExtra, ParameterError

if TYPE_CHECKING:
    from thence.core.sample import Sample
    from thence.core.score import Answer, Grade

_REDRAWS = 50  # attempts to find a procedure that no earlier sample asks about


@dataclass(frozen=True, slots=True)
class Condition:
    """Parameters shared by a group of samples, and the size of the group in the paper.

    Attributes:
        group: name of the group in tables, such as ``13``.
        parameters: JSON values by name that determine the truth; they enter the samples' seeds.
        count: number of samples in the paper.
        options: JSON values by name that change the words or the rules but not the structure, such
            as a dialect or a framing; they never enter seeds, so that twins share their structure.
        context: values that do not appear in samples, such as a time limit; plain ones, as worker
            processes get them.
    """

    group: str
    parameters: Mapping[str, Any]
    count: int
    options: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Draft:
    """A question with its truth, as drawn by a generator and before it is put into words.

    Attributes:
        question: parameters of the question, JSON values by name; the template sees them.
        target: the truth.
        metadata: further values from the generator, such as ``init``, ``cluster`` or ``witness``.
        structure: the graph or procedure of the question, where different samples may have equal
            ``question`` values; it enters the sample's id.
    """

    question: Mapping[str, Any]
    target: Any
    metadata: Mapping[str, Any] = field(default_factory=dict)
    structure: Any = None


@dataclass(frozen=True, slots=True)
class Question:
    """The values of a question that a reader of replies may use, all of them shown by the prompt.

    It holds neither the truth nor an id, explanation, witness or split.

    Attributes:
        task: full name of the task.
        values: values by name, such as the relations in the statements; those alone that
            `AnswerFormat.shown` declares.
    """

    task: str
    values: Mapping[str, Any]


class Generator(ABC):
    """Draws the questions of a task.

    Attributes:
        parameters: the parameters that a caller may set.
        effort: cost of one sample, where 1 is the cost in the fastest tasks (about 0.3 ms); it
            decides how many samples justify starting worker processes.
        spread: whether a sample about a procedure of an earlier one is drawn again; see `spreads`.
    """

    parameters: Sequence[Parameter] = ()
    effort: int = 1
    spread: bool = False

    @abstractmethod
    def conditions(self, values: Mapping[str, Any]) -> Sequence[Condition]:
        """Return the groups, of the paper's sizes, for some values of the parameters."""

    @abstractmethod
    def draw(self, condition: Condition, rng: Random) -> Draft:
        """Return a question under a condition, by construction; all randomness is ``rng``'s."""

    def configure(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the value of every parameter; names of other tasks' parameters are ignored.

        Raises:
            ParameterError: a value that the parameter does not take.
        """
        return configure(self.parameters, given)

    def arrange(
        self, values: Mapping[str, Any], size: int | None, seed: int
    ) -> Sequence[Condition]:
        """Return the conditions with the number of samples to draw for each.

        The default spreads ``size`` evenly over the groups. A task whose questions are chosen from
        a corpus chooses them here, by the user's seed.

        Args:
            values: values of the parameters.
            size: number of samples in all; None for the paper's size.
            seed: the user's seed.
        """
        conditions = self.conditions(values)
        if size is None:
            return conditions
        number = len(conditions)
        counts = [(i + 1) * size // number - i * size // number for i in range(number)]
        pairs = zip(conditions, counts, strict=True)
        return [replace(each, count=count) for each, count in pairs if count]

    def redraw(self, condition: Condition, attempt: int) -> Condition | None:
        """Return the condition for drawing a repeated sample again; None where none is left.

        ``attempt`` counts the draws, from 1. A corpus goes on to another procedure each time.
        """
        return condition if attempt < _REDRAWS else None

    def spreads(self, condition: Condition) -> bool:
        """Return whether samples should have different procedures, as long as there are others."""
        return self.spread

    def stock(self, condition: Condition) -> Hashable | None:
        """Return a name of the questions of a user's file, which may run out; None for none."""
        return None

    def work_key(self, condition: Condition) -> str | None:
        """Return a key of conditions whose samples one process makes and redraws; or None."""
        return None

    def without(self, values: Mapping[str, Any], used: frozenset[Hashable]) -> Mapping[str, Any]:
        """Return the values under which `arrange` leaves out some procedures.

        They are given by their clusters, those of other families by the texts of their steps.
        The default changes nothing: a question about such a procedure is drawn again.
        """
        return values

    def most(self, values: Mapping[str, Any]) -> int | None:
        """Return the number of different questions under these values; None where it is large."""
        return None

    def notes(self, values: Mapping[str, Any], seed: int) -> Mapping[str, Any]:
        """Return remarks on the samples for the manifest, such as the class that was sampled."""
        return {}

    def choice_notes(
        self, values: Mapping[str, Any], size: int | None, seed: int
    ) -> Mapping[str, Any]:
        """Return remarks on how the set of a size was chosen, as `arrange` chooses it."""
        return {}

    def findings(self, values: Mapping[str, Any]) -> Any:
        """Return what it took time to find under these values, for worker processes; or None."""
        return None

    def receive(self, findings: Any) -> None:  # noqa: B027 - as most generators find nothing
        """Take the `findings` of the process that started this one."""

    def missing(self, values: Mapping[str, Any]) -> MissingExtra | None:
        """Return the error of an extra that these samples need and that is not installed."""
        return None

    def unavailable(self, values: Mapping[str, Any]) -> str:
        """Return the reason why the task has no samples under these values, or ""."""
        return str(self.missing(values) or "")

    def question_values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values for the question's template from a sample's metadata."""
        question: Mapping[str, Any] = metadata["question"]
        return question

    def condition(self, sample: Sample) -> Condition:
        """Return the condition of a sample."""
        metadata = sample.metadata
        options = metadata.get("options", {})
        return Condition(str(metadata.get("group", "")), metadata["parameters"], 1, options)

    def examples(self, sample: Sample) -> Sequence[Condition]:
        """Return the conditions for drawing worked examples for a sample, with another seed.

        The default is the task's own set, with the options of the sample.
        """
        options = sample.metadata.get("options", {})
        names = {each.name for each in self.parameters}
        given = {name: value for name, value in options.items() if name in names}
        return self.conditions(self.configure(given))


class AnswerFormat(ABC):
    """Reads and writes the answers to a task; it never sees the truth.

    Attributes:
        booleans: the words for true and false, for replies that answer with a JSON boolean.
        answer_key: the key of an answer in protocols that ask for JSON; CaT-Bench's paper uses
            ``binary_answer`` for a yes or no.
        shown: the values of a sample's metadata that its question holds, all of them shown by the
            prompt: a name such as ``step_pair``, or ``question.i`` for a value within another.
    """

    booleans: tuple[str, str] = ("yes", "no")
    answer_key: str = "answer"
    shown: Sequence[str] = ()

    @abstractmethod
    def read(self, reply: str, question: Question) -> Answer | None:
        """Return the answer in a reply; None where nothing is readable."""

    @abstractmethod
    def write(self, target: Any) -> str:
        """Return a reply that gives this answer in the form that the prompt asks for."""

    def answer_values(self) -> Mapping[str, Any]:
        """Return the values for the answer's template, alike for all samples; they are hashable.

        The template also sees ``part``: whether the answer is only a part of the reply.
        """
        return {}

    def read_explanation(self, reply: str, question: Question) -> Answer | None:
        """Return the answer in an explanation beside which none stands; by default None."""
        return None

    def conclusion(self, explanation: str, question: Question) -> Answer | None:
        """Return the answer that an explanation concludes with; None where it has none."""
        text = concluded(explanation)
        return None if text is None else self.read(text, question)

    def part(self, reply: str) -> str:
        """Return the bare answer from a reply by `write`, without marks; by default all of it."""
        return reply

    def schema(self, question: Question) -> Mapping[str, Any] | None:
        """Return the JSON schema of the answer; None for no schema."""
        return None

    def grammar(self, question: Question) -> str | None:
        """Return the answer's expression of `thence.core.gbnf`; None where the task has none.

        The default is derived from the schema.
        """
        schema = self.schema(question)
        return None if schema is None else of_schema(schema)

    def part_grammar(self, question: Question) -> str | None:
        """Return the expression of the bare answer beside an explanation."""
        return self.grammar(question)

    def vote(self, answer: Any) -> Hashable:
        """Return a key for counting votes: equal for two answers if and only if they are equal."""
        return canonical_json(answer)

    def common(self, answer: Any, question: Question) -> Hashable:
        """Return a key like `vote` whose values can be compared between twins.

        The default is the vote; a task whose twins use different names maps the names.
        """
        return self.vote(answer)


class Grader(ABC):
    """Compares an answer with the truth.

    Attributes:
        metrics: names of the values in its grades.
        counts: the metrics that are not shares in [0, 1].
    """

    metrics: Sequence[str] = ()
    counts: Sequence[str] = ()

    @abstractmethod
    def grade(self, answer: Any, sample: Sample) -> Grade:
        """Return the grade of an answer's value; ``None`` stands for no answer."""

    def grade_by(self, scorer: str, reply: str, answer: Answer | None, sample: Sample) -> Grade:
        """Return the grade by a scorer other than the strict one.

        Args:
            scorer: name of the scorer.
            reply: the raw reply, reasoning included.
            answer: the answer found by the strict reader.
            sample: the sample with its truth.

        Raises:
            ParameterError: the family has no such scorer.
        """
        family = sample.family
        why = f"{family} has only the strict one, with its paper's measures; leave it out"
        raise ParameterError("scorer", scorer, why)

    def extra_metrics(self, reply: str, sample: Sample) -> Mapping[str, float]:
        """Return metrics of the raw reply, reasoning included, with or without an answer."""
        return {}

    def trace_metrics(self, trace: str) -> Mapping[str, float]:
        """Return metrics of the model's thinking, for replies with which it was kept."""
        return {}

    def breakdown(self, sample: Sample) -> Mapping[str, str]:
        """Return the group of a sample in each dimension of the tables."""
        return {"group": str(sample.metadata.get("group", ""))}


class Checks(ABC):
    """Shows that the truth is right and that grading distinguishes right from wrong answers."""

    @abstractmethod
    def recompute(self, sample: Sample) -> Any:
        """Return the target, computed again from the metadata alone.

        Raises:
            ValueError, LookupError, TypeError: the metadata is not from this task's generator.
        """

    @abstractmethod
    def perturb(self, sample: Sample, rng: Random) -> Any:
        """Return a well-formed answer that is wrong."""

    def check(self, sample: Sample) -> None:  # noqa: B027 - the checks of `Task.check` may suffice
        """Raise an error if a sample from a file does not belong to the task.

        Raises:
            ValueError: one clause that names the missing or wrong part.
        """


class Explainer:
    """Gives the reason for a truth. The default is the explanation written by the generator."""

    def explain(self, sample: Sample) -> str:
        """Return the reason for a truth, for worked examples; empty where none is known."""
        return str(sample.metadata.get("explanation") or "")

    def reason(self, sample: Sample) -> str:
        """Return the reason without the answer, where the two can be separated."""
        return self.explain(sample)

    def chain(self, sample: Sample) -> Sequence[Any]:
        """Return the shortest chain of links that proves a truth, ends included; empty for none.

        The default is the ``chain`` of the witness.
        """
        witness = sample.metadata.get("witness")
        found = witness.get("chain") if isinstance(witness, Mapping) else None
        return found if isinstance(found, list) else ()


class Baselines:
    """Answers without reasoning, as a comparison for models."""

    def random_answer(self, generator: Generator, sample: Sample, rng: Random) -> Any:
        """Return a well-formed answer at random: the truth of another question of the kind."""
        return generator.draw(generator.condition(sample), rng).target

    def chance(self, sample: Sample) -> float | None:
        """Return a random answer's chance; None for its truth's share of the others of its kind."""
        return None

    def kind(self, sample: Sample) -> str:
        """Return the kind of a question: a random answer is the truth of another one of it."""
        return str(sample.metadata.get("group", ""))

    def surface_answer(self, sample: Sample) -> Any | None:
        """Return the answer suggested by the question's surface; None for no heuristic."""
        return None

    def shortcuts(self) -> Sequence[Shortcut]:
        """Return the strategies that look at the surface of a question, for `validate`."""
        return [heuristic(self.surface_answer), *ANY]

    def verdict(self, answer: Any) -> Hashable | None:
        """Return the part of an answer that shortcuts have to find; None for all of it."""
        return None
