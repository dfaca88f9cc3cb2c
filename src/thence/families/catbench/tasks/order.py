"""The task: must a step of a procedure happen before, or after, another?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.parameters import Parameter, one_of
from thence.core.parts import (
    AnswerFormat,
    Baselines,
    Checks,
    Condition,
    Draft,
    Explainer,
    Generator,
    Grader,
    Question,
)
from thence.core.score import Answer, Grade
from thence.core.task import Task
from thence.errors import ParameterError
from thence.families.catbench import sources
from thence.families.catbench.questions import (
    AFTER,
    BEFORE,
    DEP,
    NO,
    NONDEP,
    RELATIONS,
    SPLITS,
    SWITCHED,
    YES,
    Pair,
    answered,
    draft,
)
from thence.families.catbench.reading import read_verdict

if TYPE_CHECKING:
    from thence.core.sample import Sample
from thence.families.catbench.selection import (
    CORPUS,
    HELD_OUT,
    PAIRS,
    TEST,
    balance_of,
    choice_of,
    source_key,
    source_name,
)

_DEFAULT = "recipes"


_NAMED = ("auto", CORPUS, *sources.DOMAINS)


def _source(text: str) -> str:
    """A source by its name, or a file of a procedure."""
    if text not in _NAMED and not sources.is_file(text):
        raise ValueError(f"must be one of {', '.join(_NAMED)} or a .yaml file of a procedure")
    return text


PARAMETERS = (
    Parameter(
        "source",
        "auto",
        "where procedures come from: recipes, plans, routes, corpus (needs flow_graphs), a YAML "
        "file of your own as analyze reads it, or auto: the corpus if one is given, else recipes",
        _source,
    ),
    Parameter(
        "flow_graphs", "", "folder of the English Recipe Flow Graph Corpus (r-100, r-200)", str
    ),
    Parameter("titles", "", "JSON file: title -> .list file of the corpus's test recipes", str),
    Parameter(
        "part",
        TEST,
        "which procedures: test, or held_out (the others, such as for worked examples)",
        one_of(TEST, HELD_OUT),
    ),
)


@dataclass(frozen=True, slots=True)
class Chosen(Condition):
    """The condition of one question that was chosen before it is drawn."""

    pair: Pair | None = None


class OrderQuestions(Generator):
    """Questions about pairs of steps: dependent, independent, and independent switched."""

    parameters = PARAMETERS

    def configure(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The knobs' values, with the source that ``auto`` stands for.

        Raises:
            ParameterError: values that do not go together.
        """
        values = super().configure(given)
        corpus, source = values["flow_graphs"], values["source"]
        if source == "auto":
            values["source"] = source = CORPUS if corpus else _DEFAULT
        if corpus and source != CORPUS:
            raise ParameterError(
                "source", source, f"flow_graphs={corpus} is the corpus; leave one of them out"
            )
        if source == CORPUS and not corpus:
            raise ParameterError("source", source, "say where it lies with flow_graphs=DIR")
        if sources.is_file(source) and values["part"] == HELD_OUT:
            raise ParameterError("part", HELD_OUT, f"{source} is one procedure; leave part out")
        if values["titles"] and not corpus:
            raise ParameterError(
                "titles", values["titles"], "titles are of the corpus; give it, flow_graphs=DIR"
            )
        return values

    def conditions(self, values: Mapping[str, Any]) -> Sequence[Condition]:
        """The three splits, with questions of procedures that are made for them."""
        return [Condition(split, {"split": split}, 2 * PAIRS) for split in SPLITS]

    def arrange(
        self, values: Mapping[str, Any], size: int | None, seed: int
    ) -> Sequence[Condition]:
        """A condition a question: both classes balanced, every pair asked about in both directions.

        Raises:
            ParameterError: the corpus does not have so many pairs.
        """
        wanted = None if size is None else [(size + 2 - k) // 3 for k in range(3)]
        most = None if wanted is None else (max(wanted) + 1) // 2
        balance = balance_of(source_key(values), seed, most)
        if most is not None and len(balance.dependent) < most:
            available = 6 * min(balance.available)
            raise ParameterError(
                "size",
                size,
                f"these procedures give {available:,} questions of catbench/order; ask for no more",
            )
        columns = [
            _cells(balance.dependent, DEP, source_name(values["source"])),
            _cells(balance.independent, NONDEP, source_name(values["source"])),
            _cells(balance.independent, SWITCHED, source_name(values["source"])),
        ]
        if wanted is not None:
            columns = [islice(cells, k) for cells, k in zip(columns, wanted, strict=True)]
        return list(_in_turn(columns))

    def notes(self, values: Mapping[str, Any], seed: int) -> Mapping[str, Any]:
        """Which class was sampled, out of how many pairs, and what of the corpus was left out."""
        choice, balance = (
            choice_of(source_key(values), seed, None),
            balance_of(source_key(values), seed, None),
        )
        dependent, independent = balance.available
        return {
            "source": source_name(values["source"]),
            "part": values["part"],
            **choice.notes,
            "dependent_pairs": dependent,
            "independent_pairs": independent,
            "pairs_of_each_class": len(balance.dependent),
            "sampled_class": balance.sampled,
        }

    def draw(self, condition: Condition, rng: Random) -> Draft:
        """The question of a condition; of a whole split, one about a procedure made for it."""
        split = str(condition.parameters["split"])
        if isinstance(condition, Chosen) and condition.pair is not None:
            relation, origin = str(condition.parameters["relation"]), condition.parameters["source"]
            return draft(condition.pair, relation, split, {"source": origin})
        subject = next(sources.subjects(_DEFAULT, rng))
        i, j = rng.choice(subject.pairs[split == DEP])
        return draft(Pair(subject, i, j), rng.choice(RELATIONS), split, {"source": _DEFAULT})

    def condition(self, sample: Sample) -> Condition:
        """The split of a sample; what places it there would tell its answer."""
        split = str(sample.metadata["split"])
        return Condition(split, {"split": split}, 1)

    def question_values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """The goal, the numbered steps, and the numbers of the two, from 1, as they are named.

        ``first`` is the step that the question names first.
        """
        procedure, (i, j) = metadata["procedure"], metadata["step_pair"]
        relation = metadata["relation"]
        first, second = (i, j) if relation == BEFORE else (j, i)
        return {
            "goal": procedure["goal"],
            "procedure": "\n".join(
                f"Step {number}: {step['text']}"
                for number, step in enumerate(procedure["steps"], 1)
            ),
            "first": first + 1,
            "relation": relation,
            "second": second + 1,
        }


class OrderFormat(AnswerFormat):
    """Yes or no."""

    answer_key = "binary_answer"

    def write(self, target: Any) -> str:
        """The word."""
        return str(target)

    def schema(self, question: Question) -> Mapping[str, Any]:
        """One of the two words."""
        return {"type": "string", "enum": [YES, NO]}

    def asked(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """The numbers of the two steps, from 1."""
        i, j = metadata["step_pair"]
        return {"steps": (i + 1, j + 1)}

    def read(self, reply: str, question: Question) -> Answer | None:
        """Yes or no; see `reading` for the order of the rules."""
        i, j = question.values["steps"]
        return read_verdict(reply, i, j)

    def read_explanation(self, reply: str, question: Question) -> Answer | None:
        """In the explanation, by the same rules."""
        return self.read(reply, question)

    def conclusion(self, explanation: str, question: Question) -> Answer | None:
        """What an explanation comes to, by the rules for prose."""
        return self.read(explanation, question)


class OrderGrader(Grader):
    """Right is the word itself."""

    def grade(self, answer: Any, sample: Sample) -> Grade:
        """Right where it is the word; what counts beside it are figures over many answers."""
        return Grade(correct=answer == sample.target)

    def breakdown(self, sample: Sample) -> Mapping[str, str]:
        """Split, relation, and how far apart the steps are."""
        metadata = sample.metadata
        distance = "close" if metadata["close"] else "distant"
        return {
            "split": metadata["split"],
            "relation": metadata["relation"],
            "distance": distance,
        }


class OrderChecks(Checks):
    """Follows the step graph again."""

    def check(self, sample: Sample) -> None:
        """The target must be a word, and the metadata hold a pair of steps of a procedure."""
        metadata = sample.metadata
        if sample.target not in (YES, NO):
            raise ValueError("the target of catbench/order must be 'yes' or 'no'")
        if metadata.get("split") not in SPLITS or metadata.get("relation") not in RELATIONS:
            raise ValueError("the metadata of catbench/order must hold 'split' and 'relation'")
        try:
            answered(metadata)
            TASK.generator.question_values(metadata)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(
                "the metadata of catbench/order must hold 'procedure' and a 'step_pair' of it"
            ) from error

    def recompute(self, sample: Sample) -> str:
        """The truth from the procedure's order alone."""
        return answered(sample.metadata)

    def perturb(self, sample: Sample, rng: Random) -> str:
        """The other word."""
        return NO if sample.target == YES else YES


class OrderExplainer(Explainer):
    """Names the chain of steps that orders two."""

    def explain(self, sample: Sample) -> str:
        """The chain of steps that orders the two, or that there is none."""
        i, j = sample.metadata["step_pair"]
        chain = self.chain(sample)
        if not chain:
            return (
                f"Nothing that leads to Step {j + 1} comes from Step {i + 1}, so neither of the "
                "two depends on the other and either could be done first."
            )
        links = [f"Step {b + 1} depends on Step {a + 1}" for a, b in pairwise(chain)]
        text = ", and ".join(reversed(links))
        return f"{text}. So Step {i + 1} must happen before Step {j + 1}."


class OrderBaselines(Baselines):
    """Guesses, or goes by the order in the text."""

    def random_answer(self, generator: Generator, sample: Sample, rng: Random) -> str:
        """One of the two words."""
        return rng.choice((YES, NO))

    def surface_answer(self, sample: Sample) -> str:
        """The order in the text decides: yes where the step asked to be earlier stands earlier.

        All questions ask so, as those of the paper do: this is the bias that it found.
        """
        i, j = sample.metadata["step_pair"]
        return YES if i < j else NO


def _cells(pairs: Iterable[Pair], split: str, source: str) -> Iterator[Condition]:
    """A condition a question, both directions of a pair side by side."""
    for pair in pairs:
        for relation in (BEFORE, AFTER):
            parameters = {
                "source": source,
                "procedure": pair.subject.name,
                "i": pair.i,
                "j": pair.j,
                "relation": relation,
                "split": split,
            }
            yield Chosen(split, parameters, 1, pair=pair)


def _in_turn(columns: Sequence[Iterator[Condition]]) -> Iterator[Condition]:
    """Two cells of each column, again and again, so that any beginning is balanced."""
    while True:
        row = [cell for cells in columns for cell in islice(cells, 2)]
        if not row:
            return
        yield from row


TASK = Task(
    "catbench",
    "order",
    OrderQuestions(),
    OrderFormat(),
    OrderGrader(),
    OrderChecks(),
    OrderExplainer(),
    OrderBaselines(),
    summary="must a step happen before, or after, another?",
)
