"""What a task is: it draws questions with their truth, reads an answer and grades it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.digest import canonical_json
from thence.core.grammar import of_schema
from thence.core.reply_text import concluded
from thence.errors import UsageError

if TYPE_CHECKING:
    from thence.core.sample import Sample
    from thence.core.score import Answer, Grade

_FRESH = 50  # draws in search of a procedure that was not asked about yet


@dataclass(frozen=True, slots=True)
class Knob:
    """A parameter of a task that ``--set NAME=VALUE`` changes.

    Attributes:
        name: as in ``--set``.
        default: the text that would set the default.
        help: what it does and what it takes, in a clause.
        parse: the value of a text; raises ValueError with what it takes.
    """

    name: str
    default: str
    help: str
    parse: Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """A group of the paper's set.

    Attributes:
        group: its name in tables, such as ``13``.
        parameters: what shapes the truth, JSON values by name; they seed its samples.
        count: how many samples the paper's set holds of it.
        options: what changes the words or the rules but not the structure, such as a dialect or a
            framing; they never seed, so that twins share their structure.
    """

    group: str
    parameters: Mapping[str, Any]
    count: int
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)  # not frozen: that makes making one four times as slow
class Draft:
    """What a task draws: the question and its truth, before it is put in words.

    Attributes:
        question: the parameters of the question, JSON values by name; the template sees them.
        target: the truth.
        metadata: whatever else the generator knows, such as ``init``, ``cluster`` or ``witness``.
        structure: the graph or procedure asked about, where the question alone does not tell two
            samples apart.
    """

    question: Mapping[str, Any]
    target: Any
    metadata: Mapping[str, Any] = field(default_factory=dict)
    structure: Any = None


class Task(ABC):
    """One named part of a benchmark, kept as the constant ``TASK`` of its module.

    Attributes:
        family: the benchmark, such as ``procbench``.
        name: within the family, such as ``sort``.
        version: ``N-X``: N changes when scores stop being comparable, X otherwise.
        rank: its place among the family's tasks in lists and tables.
        summary: one line for ``thence list``.
        knobs: what ``--set`` may change.
        metrics: names of the values that its grades hold.
        counts: those of the metrics that are no shares in [0, 1].
        effort: what making a sample costs, in samples of the quickest tasks (about 0.3 ms): it
            decides from how many samples on worker processes are worth their start.
        spread: whether procedures are to differ: a sample of one that was asked about already is
            drawn again while others are found.
        booleans: how an answer says what some write as true and false in JSON.
        answer_key: the key of an answer in protocols that ask for JSON; CaT-Bench's paper calls
            that of a yes or no ``binary_answer``.
    """

    family: str
    name: str
    version: str = "1-0"
    rank: int = 0
    summary: str = ""
    knobs: Sequence[Knob] = ()
    metrics: Sequence[str] = ()
    counts: Sequence[str] = ()
    effort: int = 1
    spread: bool = False
    booleans: tuple[str, str] = ("yes", "no")
    answer_key: str = "answer"

    @cached_property
    def full_name(self) -> str:
        """``family/name``, the group name wherever results are printed."""
        return f"{self.family}/{self.name}"

    @property
    def question_template(self) -> str:
        """Name of the template that words the question."""
        return self.full_name

    @property
    def answer_template(self) -> str:
        """Name of the template that says how to write the answer."""
        return f"{self.family}/answer"

    def configure(self, settings: Mapping[str, str]) -> dict[str, Any]:
        """The value of every knob; settings that are not this task's are left to others.

        Raises:
            UsageError: a value that the knob does not take.
        """
        values = {}
        for knob in self.knobs:
            text = settings.get(knob.name, knob.default)
            try:
                values[knob.name] = knob.parse(text)
            except ValueError as error:
                raise UsageError(f"--set {knob.name}={text}: {error}") from error
        return values

    @abstractmethod
    def cells(self, values: Mapping[str, Any]) -> Sequence[Cell]:
        """The groups to draw from, given the knobs' values."""

    def arrange(self, values: Mapping[str, Any], size: int | None, seed: int) -> Sequence[Cell]:
        """The groups with how many samples are drawn of each.

        The default spreads ``size`` evenly over the groups: counts differ by at most one. A task
        whose questions are chosen from a corpus chooses them here, by the user's seed.

        Args:
            values: of the knobs.
            size: samples in all; None for the paper's set.
            seed: the user's.
        """
        cells = self.cells(values)
        if size is None:
            return cells
        number = len(cells)
        counts = [(place + 1) * size // number - place * size // number for place in range(number)]
        pairs = zip(cells, counts, strict=True)
        return [replace(cell, count=count) for cell, count in pairs if count]

    def elsewhere(self, cell: Cell, attempt: int) -> Cell | None:
        """Where a sample is drawn anew whose procedure, or which itself, was asked before.

        A task whose questions are chosen from a corpus goes on to another procedure each time, and
        begins again with all of them once it has tried them. ``attempt`` counts the draws anew,
        this one included; None: no procedure is left that was not asked about.
        """
        return cell if attempt < _FRESH else None

    def together(self, cell: Cell) -> str | None:
        """What cells that follow each other share that one process makes once for all; else None.

        Their samples are drawn anew where they were drawn first (the default of `elsewhere`).
        """
        return None

    def notes(self, values: Mapping[str, Any], seed: int) -> Mapping[str, Any]:
        """What the manifest should say of the samples, such as which class was sampled."""
        return {}

    def unavailable(self, values: Mapping[str, Any]) -> str:
        """Why this task has no samples under these values of the knobs; empty where it has."""
        return ""

    @abstractmethod
    def draw(self, cell: Cell, rng: Random) -> Draft:
        """A question of a cell, by construction; all chance from ``rng``."""

    def question_values(self, sample: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the question's template sees, from a sample's metadata."""
        question: Mapping[str, Any] = sample["question"]
        return question

    def answer_values(self, sample: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the answer's template sees, from a sample's metadata; hashable values.

        It is told ``part`` as well: whether the answer is only a part of the reply.
        """
        return {}

    @abstractmethod
    def read(self, reply: str, sample: Sample) -> Answer | None:
        """The answer in a reply; None where nothing is readable.

        It does not depend on the target, which may at most tell sooner what would be read.
        """

    def read_elsewhere(self, reply: str, sample: Sample) -> Answer | None:
        """The answer in a whole reply whose part for the answer, under a protocol, held none.

        Some models put the answer where the explanation belongs. The default looks no further.
        """
        return None

    @abstractmethod
    def grade(self, answer: Any, sample: Sample) -> Grade:
        """What the value of an answer is worth; ``None`` stands for no answer."""

    @abstractmethod
    def write(self, target: Any) -> str:
        """A reply that gives this answer in the format that the prompt asks for."""

    @abstractmethod
    def recompute(self, sample: Sample) -> Any:
        """The target worked out again from the metadata alone.

        Raises:
            ValueError, LookupError, TypeError: the metadata is not what this task generates.
        """

    @abstractmethod
    def perturb(self, sample: Sample, rng: Random) -> Any:
        """A well-formed answer that is wrong, to show that grading can tell."""

    def check(self, sample: Sample) -> None:
        """Makes sure that a sample read from a file is one of this task.

        Raises:
            ValueError: in one clause, what it lacks.
        """
        try:
            self.grade(None, sample)
            self.breakdown(sample)
            self.question_values(sample.metadata)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise ValueError("target or metadata is not of this task") from error

    def grade_as(self, scorer: str, reply: str, sample: Sample) -> Grade:
        """The grade of a raw reply, reasoning included, by another scorer than the strict one.

        Raises:
            UsageError: the family has no such scorer.
        """
        raise UsageError(f"--scorer {scorer}: {self.family} has only the strict one; leave it out")

    def beside(self, reply: str, sample: Sample) -> Mapping[str, float]:
        """Values that depend on the raw reply, reasoning included, whatever was read in it."""
        return {}

    def vote(self, answer: Any) -> Hashable:
        """The same for two answers exactly where they are equal, so that they can be counted."""
        return canonical_json(answer)

    def common(self, answer: Any, sample: Sample) -> Hashable:
        """Like `vote`, in terms that twins share: the same for equal answers to both of a pair.

        The default is the vote; a task whose twins name things otherwise maps the names.
        """
        return self.vote(answer)

    def explain(self, sample: Sample) -> str:
        """Why the truth of a sample is so, for worked examples; empty where nothing is known."""
        return str(sample.metadata.get("explanation") or "")

    def verdict(self, explanation: str, sample: Sample) -> Answer | None:
        """The answer that an explanation comes to in the end; None where it states none."""
        text = concluded(explanation)
        return None if text is None else self.read(text, sample)

    def examples(self, sample: Sample) -> Sequence[Cell]:
        """The cells from which worked examples for a sample are drawn, by another seed.

        The default is the task's own set, with the options of the sample.
        """
        options = sample.metadata.get("options", {})
        names = {knob.name for knob in self.knobs}
        chosen = {name: str(value) for name, value in options.items() if name in names}
        return self.cells(self.configure(chosen))

    def chain(self, sample: Sample) -> Sequence[Any]:
        """The shortest chain of links that makes a truth so, ends included; empty where none does.

        The default takes the ``chain`` of the witness.
        """
        witness = sample.metadata.get("witness")
        found = witness.get("chain") if isinstance(witness, Mapping) else None
        return found if isinstance(found, list) else ()

    def schema(self, sample: Sample) -> Mapping[str, Any] | None:
        """JSON schema of the answer for ``--structured``; None where the task has none."""
        return None

    def part(self, reply: str) -> str:
        """The answer of a reply that `write` made, as it stands beside an explanation.

        The default is the reply; where the prompt asks for marks around the answer, they go.
        """
        return reply

    def part_grammar(self, sample: Sample) -> str | None:
        """Like `grammar`, for the answer as it stands beside an explanation."""
        return self.grammar(sample)

    def grammar(self, sample: Sample) -> str | None:
        """The answer as an expression of `thence.core.grammar`; None where the task has none.

        The default is that of the schema.
        """
        schema = self.schema(sample)
        return None if schema is None else of_schema(schema)

    def breakdown(self, sample: Sample) -> Mapping[str, str]:
        """The group of a sample in each dimension of the tables."""
        return {"group": str(sample.metadata.get("group", ""))}

    def random_answer(self, sample: Sample, rng: Random) -> Any:
        """A well-formed answer that knows nothing: the truth of another question of the cell."""
        return self.draw(self.cell(sample), rng).target

    def cell(self, sample: Sample) -> Cell:
        """The cell that a sample is of."""
        metadata = sample.metadata
        options = metadata.get("options", {})
        return Cell(str(metadata.get("group", "")), metadata["parameters"], 1, options)

    def surface_answer(self, sample: Sample) -> Any | None:
        """What the surface of the question suggests; None where no such heuristic is defined."""
        return None
