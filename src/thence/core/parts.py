"""The parts that a task is put together from, each of which does one thing.

Only graders, checks and baselines see the truth: a reader of replies is given a `Question`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.digest import canonical_json
from thence.core.grammar import of_schema
from thence.core.parameters import Parameter, configure
from thence.core.reply_text import concluded

if TYPE_CHECKING:
    from thence.core.sample import Sample
    from thence.core.score import Answer, Grade


_REDRAWS = 50  # draws in search of a procedure that was not asked about yet


@dataclass(frozen=True, slots=True)
class Condition:
    """A group of the paper's set: the same parameters, so many samples.

    Attributes:
        group: its name in tables, such as ``13``.
        parameters: JSON values by name that shape the truth; they seed its samples.
        count: samples of it in the paper's set.
        options: JSON values by name that change the words or the rules but not the structure, such
            as a dialect or a framing; they never seed, so that twins share their structure.
        context: values that leave no trace in a sample, such as a time limit.
    """

    group: str
    parameters: Mapping[str, Any]
    count: int
    options: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Draft:
    """A question and its truth as a generator draws them, before they are put in words.

    Attributes:
        question: parameters of the question, JSON values by name; the template sees them.
        target: the truth.
        metadata: further knowledge of the generator, such as ``init``, ``cluster`` or ``witness``.
        structure: the graph or procedure asked about, where the question alone does not tell two
            samples apart.
    """

    question: Mapping[str, Any]
    target: Any
    metadata: Mapping[str, Any] = field(default_factory=dict)
    structure: Any = None


@dataclass(frozen=True, slots=True)
class Question:
    """All that a reader of replies knows of a question, each of it shown by the prompt.

    It holds neither the truth nor an id, explanation, witness or split.

    Attributes:
        task: full name of the task.
        values: by name, such as the numbers of the steps asked about; see `AnswerFormat.asked`.
    """

    task: str
    values: Mapping[str, Any]


class Generator(ABC):
    """Draws the questions of a task.

    Attributes:
        parameters: what a caller may set, by ``--set`` or as keywords.
        effort: cost of one sample in samples of the quickest tasks (about 0.3 ms each): it decides
            from how many samples on worker processes are worth their start.
        spread: whether procedures are to differ: a sample of one that was asked about already is
            drawn again while others are found.
    """

    parameters: Sequence[Parameter] = ()
    effort: int = 1
    spread: bool = False

    @abstractmethod
    def conditions(self, values: Mapping[str, Any]) -> Sequence[Condition]:
        """The groups of the paper's set, given the parameters' values."""

    @abstractmethod
    def draw(self, condition: Condition, rng: Random) -> Draft:
        """A question under a condition, by construction; all chance comes from ``rng``."""

    def configure(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The value of every parameter; names that are not this task's are left to others.

        Raises:
            ParameterError: a value that the parameter does not take.
        """
        return configure(self.parameters, given)

    def arrange(
        self, values: Mapping[str, Any], size: int | None, seed: int
    ) -> Sequence[Condition]:
        """The conditions with the number of samples to draw of each.

        The default spreads ``size`` evenly over the groups: counts differ by at most one. A task
        whose questions are chosen from a corpus chooses them here, by the user's seed.

        Args:
            values: of the parameters.
            size: samples in all; None for the paper's set.
            seed: the user's.
        """
        conditions = self.conditions(values)
        if size is None:
            return conditions
        number = len(conditions)
        counts = [(place + 1) * size // number - place * size // number for place in range(number)]
        pairs = zip(conditions, counts, strict=True)
        return [replace(each, count=count) for each, count in pairs if count]

    def redraw(self, condition: Condition, attempt: int) -> Condition | None:
        """The condition under which a repeated sample is drawn again; None where none is left.

        A task whose questions are chosen from a corpus goes on to another procedure each time, and
        begins again once it has tried all. ``attempt`` counts the draws, from 1.
        """
        return condition if attempt < _REDRAWS else None

    def work_key(self, condition: Condition) -> str | None:
        """A key that conditions share whose samples one process makes together; None for none.

        Their samples are drawn again where they were drawn first (the default of `redraw`).
        """
        return None

    def notes(self, values: Mapping[str, Any], seed: int) -> Mapping[str, Any]:
        """Remarks on the samples for the manifest, such as which class was sampled."""
        return {}

    def unavailable(self, values: Mapping[str, Any]) -> str:
        """The reason why the task has no samples under these values; empty where it has."""
        return ""

    def question_values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values that the question's template sees, from a sample's metadata."""
        question: Mapping[str, Any] = metadata["question"]
        return question

    def condition(self, sample: Sample) -> Condition:
        """The condition of a sample."""
        metadata = sample.metadata
        options = metadata.get("options", {})
        return Condition(str(metadata.get("group", "")), metadata["parameters"], 1, options)

    def examples(self, sample: Sample) -> Sequence[Condition]:
        """The conditions from which worked examples for a sample are drawn, by another seed.

        The default is the task's own set, with the options of the sample.
        """
        options = sample.metadata.get("options", {})
        names = {each.name for each in self.parameters}
        given = {name: value for name, value in options.items() if name in names}
        return self.conditions(self.configure(given))


class AnswerFormat(ABC):
    """How answers to a task are written and read; it never sees the truth.

    Attributes:
        booleans: how an answer says true and false, where a reply has them in JSON.
        answer_key: the key of an answer in protocols that ask for JSON; CaT-Bench's paper calls
            that of a yes or no ``binary_answer``.
    """

    booleans: tuple[str, str] = ("yes", "no")
    answer_key: str = "answer"

    @abstractmethod
    def read(self, reply: str, question: Question) -> Answer | None:
        """The answer in a reply; None where nothing is readable."""

    @abstractmethod
    def write(self, target: Any) -> str:
        """A reply that gives this answer in the form that the prompt asks for."""

    def answer_values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values that the answer's template sees, from a sample's metadata; hashable values.

        The template also sees ``part``: whether the answer is only a part of the reply.
        """
        return {}

    def asked(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """What reading an answer takes of the question as its prompt shows it."""
        return {}

    def read_explanation(self, reply: str, question: Question) -> Answer | None:
        """The answer in a whole reply whose part for the answer, under a protocol, held none.

        Some models put the answer where the explanation belongs. The default looks no further.
        """
        return None

    def conclusion(self, explanation: str, question: Question) -> Answer | None:
        """The answer that an explanation comes to in the end; None where it states none."""
        text = concluded(explanation)
        return None if text is None else self.read(text, question)

    def part(self, reply: str) -> str:
        """The answer of a reply that `write` made, as it stands beside an explanation.

        The default is the reply; where the prompt asks for marks around the answer, they go.
        """
        return reply

    def schema(self, question: Question) -> Mapping[str, Any] | None:
        """JSON schema of the answer for ``--structured``; None where the task has none."""
        return None

    def grammar(self, question: Question) -> str | None:
        """The answer as an expression of `thence.core.grammar`; None where the task has none.

        The default is that of the schema.
        """
        schema = self.schema(question)
        return None if schema is None else of_schema(schema)

    def part_grammar(self, question: Question) -> str | None:
        """Like `grammar`, for the answer as it stands beside an explanation."""
        return self.grammar(question)

    def vote(self, answer: Any) -> Hashable:
        """The same value for two answers exactly where they are equal, to count votes by."""
        return canonical_json(answer)

    def common(self, answer: Any, question: Question) -> Hashable:
        """Like `vote`, in terms that twins share: the same for equal answers to both of a pair.

        The default is the vote; a task whose twins name things otherwise maps the names.
        """
        return self.vote(answer)


class Grader(ABC):
    """Compares an answer with the truth.

    Attributes:
        metrics: names of the values that its grades hold.
        counts: those of the metrics that are no shares in [0, 1].
    """

    metrics: Sequence[str] = ()
    counts: Sequence[str] = ()

    @abstractmethod
    def grade(self, answer: Any, sample: Sample) -> Grade:
        """The worth of an answer's value; ``None`` stands for no answer."""

    def grade_by(self, scorer: str, reply: str, answer: Answer | None, sample: Sample) -> Grade:
        """The grade by another scorer than the strict one.

        Args:
            scorer: its name.
            reply: the raw reply, reasoning included.
            answer: as the strict reader reads it.
            sample: with its truth.

        Raises:
            ParameterError: the family has no such scorer.
        """
        raise NotImplementedError

    def extra_metrics(self, reply: str, sample: Sample) -> Mapping[str, float]:
        """Values that depend on the raw reply, reasoning included, whatever was read in it."""
        return {}

    def breakdown(self, sample: Sample) -> Mapping[str, str]:
        """The group of a sample in each dimension of the tables."""
        return {"group": str(sample.metadata.get("group", ""))}


class Checks(ABC):
    """Shows that the truth holds and that grading can tell right from wrong."""

    @abstractmethod
    def recompute(self, sample: Sample) -> Any:
        """The target worked out again from the metadata alone.

        Raises:
            ValueError, LookupError, TypeError: the metadata is not what this task generates.
        """

    @abstractmethod
    def perturb(self, sample: Sample, rng: Random) -> Any:
        """A well-formed answer that is wrong."""

    def check(self, sample: Sample) -> None:  # noqa: B027 - the checks of `Task.check` may do
        """Refuses a sample from a file that is not one of the task.

        Raises:
            ValueError: in one clause, what it lacks.
        """


class Explainer:
    """Says why a truth is so. The default has the explanation that the generator wrote."""

    def explain(self, sample: Sample) -> str:
        """The reason of a truth, for worked examples; empty where nothing is known."""
        return str(sample.metadata.get("explanation") or "")

    def chain(self, sample: Sample) -> Sequence[Any]:
        """The shortest chain of links that makes a truth so, ends included; empty for none.

        The default takes the ``chain`` of the witness.
        """
        witness = sample.metadata.get("witness")
        found = witness.get("chain") if isinstance(witness, Mapping) else None
        return found if isinstance(found, list) else ()


class Baselines:
    """Answers without reasoning, to compare models with."""

    def random_answer(self, generator: Generator, sample: Sample, rng: Random) -> Any:
        """A well-formed answer that knows nothing: the truth of another question of the kind."""
        return generator.draw(generator.condition(sample), rng).target

    def surface_answer(self, sample: Sample) -> Any | None:
        """The answer that the surface of the question suggests; None for no such heuristic."""
        return None
