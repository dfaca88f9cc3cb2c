"""The task: must a step of a procedure happen before, or after, another?"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any

from thence.core.evidence import Hint
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
from thence.core.sample import PUBLISHED, Sample
from thence.core.score import Answer, Grade
from thence.core.shortcuts import Shortcut
from thence.core.task import Task
from thence.errors import MissingExtra, ParameterError
from thence.families.catbench import sources
from thence.families.catbench.own_procedures import NAMED, UNREVIEWED, is_own
from thence.families.catbench.pair_surface import Pair
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
    OrderForms,
    draft,
    recomputed_answer,
)
from thence.families.catbench.reading import read_verdict
from thence.families.catbench.selection import (
    CORPUS,
    EXCLUDED,
    HELD_OUT,
    PAIRS,
    TEST,
    balance_of,
    choice_of,
    counts_of,
    pairs_of,
    source_key,
    source_name,
)
from thence.families.catbench.surface import SHORTCUTS

_DEFAULT = "recipes"
_REMARK = "\n\nThe order of these steps was extracted from a text, and nobody has reviewed it."


def _source(text: str) -> str:
    """Return the name of a source, or the path of a procedure's file."""
    if text not in NAMED and not is_own(text):
        names = ", ".join(NAMED)
        raise ValueError(f"must be one of {names} or a .yaml file or folder of procedures")
    return text


PARAMETERS = (
    Parameter(
        "source",
        "auto",
        "where procedures come from: recipes, plans, routes, runbooks, corpus (needs flow_graphs), "
        "a YAML file or folder of your own as analyze reads it, or auto: the corpus if one is "
        "given, else recipes",
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
    Parameter(
        "unreviewed",
        "no",
        "whether files may be asked about that were extracted and nobody reviewed: yes, no",
        one_of("yes", "no"),
    ),
)


@dataclass(frozen=True, slots=True)
class PairCondition(Condition):
    """The condition of a single question, whose pair is chosen before it is drawn."""

    pair: Pair | None = None


class OrderQuestions(Generator):
    """Questions about pairs of steps: dependent, independent, and independent switched."""

    parameters = PARAMETERS

    def configure(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters' values, with ``auto`` replaced by a source.

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
        if is_own(source) and values["part"] == HELD_OUT:
            what = "your own folder" if Path(source).is_dir() else "one procedure"
            raise ParameterError("part", HELD_OUT, f"{source} is {what}; leave part out")
        if values["titles"] and not corpus:
            raise ParameterError(
                "titles", values["titles"], "titles are of the corpus; give it, flow_graphs=DIR"
            )
        return values

    def missing(self, values: Mapping[str, Any]) -> MissingExtra | None:
        """Return the error of the extra that the source of procedures needs."""
        return sources.missing_extra(values["source"])

    def without(self, values: Mapping[str, Any], used: frozenset[Hashable]) -> Mapping[str, Any]:
        """Return the values under which other procedures are chosen."""
        return {**values, EXCLUDED: used} if used else values

    def conditions(self, values: Mapping[str, Any]) -> Sequence[Condition]:
        """Return one condition per split, for questions about newly made procedures.

        Raises:
            ParameterError: a file or folder that is not there.
        """
        source, corpus = values["source"], values["flow_graphs"]
        if is_own(source) and not Path(source).exists():
            raise ParameterError("source", source, "no such file; give that of a procedure")
        if corpus and not Path(corpus).is_dir():
            raise ParameterError("flow_graphs", corpus, "no such folder; give that of the corpus")
        return [Condition(split, {"split": split}, 2 * PAIRS) for split in SPLITS]

    def arrange(
        self, values: Mapping[str, Any], size: int | None, seed: int
    ) -> Sequence[Condition]:
        """Return one condition per question: balanced classes, and every pair in both directions.

        Raises:
            ParameterError: the corpus does not have enough pairs.
        """
        wanted = None if size is None else [(size + 2 - k) // 3 for k in range(3)]
        most = pairs_of(size)
        balance = balance_of(source_key(values), seed, most)
        if most is not None and len(balance.dependent) < most:
            available = 6 * min(balance.counts[:2])
            raise ParameterError(
                "size",
                size,
                f"these procedures give {available:,} questions of catbench/order; ask for fewer",
            )
        columns = [
            _conditions(balance.dependent, DEP, source_name(values["source"])),
            _conditions(balance.independent, NONDEP, source_name(values["source"])),
            _conditions(balance.independent, SWITCHED, source_name(values["source"])),
        ]
        if wanted is not None:
            columns = [islice(column, k) for column, k in zip(columns, wanted, strict=True)]
        return list(_in_turn(columns))

    def choice_notes(
        self, values: Mapping[str, Any], size: int | None, seed: int
    ) -> Mapping[str, Any]:
        """Return the sampled class, the numbers of pairs, and the skipped recipes of a corpus."""
        key, most = source_key(values), pairs_of(size)
        choice, counts = choice_of(key, seed, most), counts_of(key, seed, most)
        return {
            "source": source_name(values["source"]),
            "part": values["part"],
            **choice.notes,
            "dependent_pairs": counts.dependent,
            "independent_pairs": counts.independent,
            "pairs_of_each_class": counts.chosen,
            "sampled_class": counts.sampled,
        }

    def draw(self, condition: Condition, rng: Random) -> Draft:
        """Return the question of a condition; for a whole split, about a new procedure."""
        split = str(condition.parameters["split"])
        if isinstance(condition, PairCondition) and condition.pair is not None:
            relation, origin = str(condition.parameters["relation"]), condition.parameters["source"]
            made = draft(condition.pair, relation, split, {"source": origin})
            return replace(made, metadata={**made.metadata, **condition.options})
        subject = next(sources.subjects(_DEFAULT, rng))
        i, j = rng.choice(subject.pairs[split == DEP])
        return draft(Pair(subject, i, j), rng.choice(RELATIONS), split, {"source": _DEFAULT})

    def condition(self, sample: Sample) -> Condition:
        """Return the split of a sample; the rest of its condition would reveal its answer."""
        split = str(sample.metadata["split"])
        return Condition(split, {"split": split}, 1)

    def question_values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the goal, the numbered steps, and the numbers of the two steps, from 1.

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
            )
            + (_REMARK if metadata.get("origin", {}).get(UNREVIEWED) else ""),
            "first": first + 1,
            "relation": relation,
            "second": second + 1,
        }


class OrderFormat(AnswerFormat):
    """Yes or no."""

    answer_key = "binary_answer"
    shown = ("step_pair",)

    def write(self, target: Any) -> str:
        """Return the word."""
        return str(target)

    def schema(self, question: Question) -> Mapping[str, Any]:
        """Return the schema of the two words."""
        return {"type": "string", "enum": [YES, NO]}

    def read(self, reply: str, question: Question) -> Answer | None:
        """Return yes or no; `reading` explains the order of the rules."""
        i, j = question.values["step_pair"]
        return read_verdict(reply, i + 1, j + 1)

    def read_explanation(self, reply: str, question: Question) -> Answer | None:
        """Return the answer in the explanation, by the same rules."""
        return self.read(reply, question)

    def conclusion(self, explanation: str, question: Question) -> Answer | None:
        """Return the conclusion of an explanation, by the rules for prose."""
        return self.read(explanation, question)


class OrderGrader(Grader):
    """An answer is right if it is the target's word."""

    def grade(self, answer: Any, sample: Sample) -> Grade:
        """Return whether the word is right; all further metrics are figures over many answers."""
        return Grade(correct=answer == sample.target)

    def breakdown(self, sample: Sample) -> Mapping[str, str]:
        """Return split, relation, and distance of the steps."""
        metadata = sample.metadata
        distance = "close" if metadata["close"] else "distant"
        return {
            "split": metadata["split"],
            "relation": metadata["relation"],
            "distance": distance,
        }


class OrderChecks(Checks):
    """Searches the step graph again."""

    def check(self, sample: Sample) -> None:
        """Raise unless the target is a word and the metadata has a pair of a procedure."""
        metadata = sample.metadata
        if sample.target not in (YES, NO):
            raise ValueError("the target of catbench/order must be 'yes' or 'no'")
        if metadata.get("split") not in SPLITS or metadata.get("relation") not in RELATIONS:
            raise ValueError("the metadata of catbench/order must hold 'split' and 'relation'")
        try:
            recomputed_answer(metadata)
            TASK.generator.question_values(metadata)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(
                "the metadata of catbench/order must hold 'procedure' and a 'step_pair' of it"
            ) from error

    def recompute(self, sample: Sample) -> str:
        """Return the truth from the procedure's order alone."""
        return recomputed_answer(sample.metadata)

    def perturb(self, sample: Sample, rng: Random) -> str:
        """Return the other word."""
        return NO if sample.target == YES else YES


class OrderExplainer(Explainer):
    """Names the chain between the two steps, or an order in which the later one comes first."""

    def explain(self, sample: Sample) -> str:
        """Return why the one step must come first, or need not."""
        i, j = sample.metadata["step_pair"]
        chain = self.chain(sample)
        if not chain:
            text = (
                f"Nothing that leads to Step {j + 1} comes from Step {i + 1}, so neither of the "
                "two depends on the other and either could be done first."
            )
            order = (sample.metadata.get("witness") or {}).get("execution")
            if order:
                numbers = ", ".join(str(step + 1) for step in order)
                text += f" A permitted order with Step {j + 1} first: {numbers}."
            return text
        links = [f"Step {b + 1} depends on Step {a + 1}" for a, b in pairwise(chain)]
        text = ", and ".join(reversed(links))
        return f"{text}. So Step {i + 1} must happen before Step {j + 1}."

    def reason(self, sample: Sample) -> str:
        """Return the explanation without its conclusion."""
        return self.explain(sample).partition(" So ")[0]


class OrderBaselines(Baselines):
    """Guesses, or answers by the order in the text."""

    def random_answer(self, generator: Generator, sample: Sample, rng: Random) -> str:
        """Return one of the two words."""
        return rng.choice((YES, NO))

    def chance(self, sample: Sample) -> float:
        """Return one half."""
        return 0.5

    def surface_answer(self, sample: Sample) -> str:
        """Return yes where the steps stand as asked about, as all do: the paper's bias."""
        i, j = sample.metadata["step_pair"]
        return YES if i < j else NO

    def shortcuts(self) -> Sequence[Shortcut]:
        """Return those for any question, and those that go by what steps name."""
        return [*super().shortcuts(), *SHORTCUTS]


def _conditions(pairs: Iterable[Pair], split: str, source: str) -> Iterator[Condition]:
    """Yield a condition per question, both directions of a pair in sequence."""
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
            options = {"dialect": PUBLISHED} if source == CORPUS else {}
            yield PairCondition(split, parameters, 1, options, pair=pair)


def _in_turn(columns: Sequence[Iterator[Condition]]) -> Iterator[Condition]:
    """Yield two conditions of each column in turn, so that every prefix is balanced."""
    while True:
        row = [each for column in columns for each in islice(column, 2)]
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
    forms=OrderForms(),
    critic=Hint(OrderExplainer()),
    version="2-0",
    dialects={PUBLISHED: "1-0"},  # the corpus' questions, as published
    summary="must a step happen before, or after, another?",
)
