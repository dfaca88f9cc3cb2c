"""A task: does a statement follow from others, does its opposite, or neither?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.evidence import Hint
from thence.core.gbnf import choice, literal
from thence.core.graph import Graph
from thence.core.json_schema import object_of
from thence.core.parts import (
    AnswerFormat,
    Baselines,
    Condition,
    Draft,
    Explainer,
    Generator,
    Question,
)
from thence.core.score import Answer, Grade
from thence.core.shortcuts import Shortcut
from thence.core.task import Task
from thence.families.releval import reading
from thence.families.releval.construction import chained
from thence.families.releval.framings import FRAMINGS
from thence.families.releval.groups import COMPARISON, Group, check_chain
from thence.families.releval.relations import (
    LABEL,
    PARAMETERS,
    WORDS,
    RelationChecks,
    RelationGenerator,
    RelationGrader,
    conditions,
    first_named,
    graph_of,
    steps_parameter,
)
from thence.families.releval.shortcuts import CLAIM

if TYPE_CHECKING:
    from thence.core.sample import Sample

VERDICTS = ("True", "False", "Unknown")


class Claims(RelationGenerator):
    """Does one statement follow from the others, does its opposite, or neither?"""

    task = "releval/comparison"
    paper = COMPARISON
    parameters = (
        *PARAMETERS,
        steps_parameter("steps of the shortest deciding chain, 1 to n-1; 0 for Unknown"),
        *WORDS,
    )

    def check_group(self, group: Group) -> None:
        """Raise if a group cannot exist, by `check_chain`."""
        check_chain(group)

    def conditions(self, values: Mapping[str, Any]) -> Sequence[Condition]:
        """Return one condition per group without a chain, else one each for True and False."""
        options = self.options(values)
        found: list[Condition] = []
        for group in self.groups(values):
            if group[2] == 0:
                found += conditions([group], options)
                continue
            for verdict in VERDICTS[:2]:
                (half,) = conditions([group], options, verdict=verdict)
                found.append(replace(half, count=half.count // 2))
        return found

    def arrange(
        self, values: Mapping[str, Any], size: int | None, seed: int
    ) -> Sequence[Condition]:
        """Return conditions with a size spread over the groups, in each over True and False."""
        every = self.conditions(values)
        if size is None:
            return every
        groups: dict[str, list[Condition]] = {}
        for each in every:
            groups.setdefault(each.group, []).append(each)
        number, found, odd = len(groups), [], 0
        for place, held in enumerate(groups.values()):
            count = (place + 1) * size // number - place * size // number
            shares = [count]
            if len(held) > 1:  # the odd one out is True and False in turn
                shares = [(count + 1 - odd % 2) // 2, (count + odd % 2) // 2]
                odd += count % 2
            found += [replace(each, count=n) for each, n in zip(held, shares, strict=True) if n]
        return found

    def draw(self, condition: Condition, rng: Random) -> Draft:
        """Return a graph with a shortest chain of z steps between two objects, or with none."""
        n, m, z = (condition.parameters[each] for each in "nmz")
        edges, upper, lower = chained(n, m, z, rng)
        verdict = condition.parameters.get("verdict", "Unknown")
        turned = rng.random() < 0.5
        statements = self.statements(condition, edges, rng)
        if verdict == "False" or (verdict == "Unknown" and turned):
            claim = statements.claim(lower, upper)
        else:
            claim = statements.claim(upper, lower)
        chain = Graph(n, edges).shortest_chain(upper, lower) if z else None
        metadata = {
            "depth": z,
            "comparison": statements.sign(claim),
            "asked": statements.asked(claim),
            "witness": [statements.names[node] for node in chain] if chain else None,
        }
        question = {**statements.question, "claim": claim}
        return Draft(question, verdict, {**statements.metadata, **metadata})

    def question_values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the framing, the statements and the comparison."""
        return {**super().question_values(metadata), "asked": metadata["asked"]}


class VerdictFormat(AnswerFormat):
    """One of three words below a label."""

    booleans = ("True", "False")

    def read(self, reply: str, question: Question) -> Answer | None:
        """Return the word after ``OUTPUT:``; `reading` explains the rules.

        Where another of the words follows on a line of its own, there is no decision.
        """
        found = reading.verdict(reply, VERDICTS)
        if found is None or reading.alone(found.rest, VERDICTS) not in {None, found.word}:
            return None
        return Answer(found.word, found.rule, found.delimited, (found.start, found.end))

    def write(self, target: Any) -> str:
        """Return the word in the requested format."""
        return f"{LABEL}{target}"

    def part(self, reply: str) -> str:
        """Return the word alone."""
        return reply.removeprefix(LABEL)

    def schema(self, question: Question) -> Mapping[str, Any]:
        """Return the schema of an object with the word."""
        return object_of(output={"enum": list(VERDICTS)})

    def grammar(self, question: Question) -> str:
        """Return the grammar of the word below its label."""
        return f"{literal(LABEL)} {choice(VERDICTS)}"

    def part_grammar(self, question: Question) -> str:
        """Return the grammar of the word."""
        return choice(VERDICTS)


class VerdictGrader(RelationGrader):
    """An answer is right if it is the target's word."""

    def grade(self, answer: Any, sample: Sample) -> Grade:
        """Return a grade that is correct if the word is the target."""
        if sample.target not in VERDICTS:
            raise ValueError("the target must be True, False or Unknown")
        return Grade(answer == sample.target)

    def breakdown(self, sample: Sample) -> Mapping[str, str]:
        """Return the group, the framing, the notation, the truth and the steps."""
        return {
            **super().breakdown(sample),
            "truth": str(sample.target),
            "depth": str(sample.metadata["depth"]),
        }


class ClaimChecks(RelationChecks):
    """Searches the statements again."""

    def check(self, sample: Sample) -> None:
        """Raise unless the question holds the claim."""
        super().check(sample)
        claim = sample.metadata["question"].get("claim")
        if not isinstance(claim, list) or [type(each) for each in claim] != [str, str, int]:
            raise ValueError("the question must hold the claim")

    def recompute(self, sample: Sample) -> Any:
        """Return the verdict of a search in both directions between the two objects."""
        graph, names = graph_of(sample)
        larger, smaller, _ = sample.metadata["question"]["claim"]
        a, b = names.index(larger), names.index(smaller)
        return "True" if graph.reaches(a, b) else "False" if graph.reaches(b, a) else "Unknown"

    def perturb(self, sample: Sample, rng: Random) -> Any:
        """Return another word."""
        return rng.choice([word for word in VERDICTS if word != sample.target])


class ClaimExplainer(Explainer):
    """Names the statements that decide."""

    def explain(self, sample: Sample) -> str:
        """Return the chain of statements between the two objects, or that there is none."""
        question, chain = sample.metadata["question"], self.chain(sample)
        larger, smaller, _ = question["claim"]
        if not chain:
            return (
                f"No chain of statements leads from {larger} to {smaller}, and none from "
                f"{smaller} to {larger}."
            )
        framing = FRAMINGS[question["framing"]]
        links = [framing.sentence(a, b, 0).rstrip(".") for a, b in pairwise(chain)]
        end = "That is as asked." if chain[0] == larger else "That is the other way round."
        return f"By the statements, {'; '.join(links)}. {end}"

    def reason(self, sample: Sample) -> str:
        """Return the explanation without its conclusion."""
        return self.explain(sample).partition(" That is ")[0]

    def chain(self, sample: Sample) -> Sequence[Any]:
        """Return the names from one object to the other, where statements compare them."""
        return sample.metadata.get("witness") or ()


class ClaimBaselines(Baselines):
    """Guesses a word, or decides by the object named first."""

    def random_answer(self, generator: Generator, sample: Sample, rng: Random) -> Any:
        """Return a random one of the three words."""
        return rng.choice(VERDICTS)

    def chance(self, sample: Sample) -> float:
        """Return one third."""
        return 1 / len(VERDICTS)

    def shortcuts(self) -> Sequence[Shortcut]:
        """Return those of every question, and those for statements."""
        return [*super().shortcuts(), *CLAIM]

    def surface_answer(self, sample: Sample) -> Any:
        """Return the verdict if the object that is named first were the larger."""
        question = sample.metadata["question"]
        forward = len(FRAMINGS[question["framing"]].says)
        larger, smaller, _ = question["claim"]
        for fact in question["facts"]:
            for named in first_named(fact, forward):
                if named in {larger, smaller}:
                    return "True" if named == larger else "False"
        return "Unknown"


TASK = Task(
    "releval",
    "comparison",
    Claims(),
    VerdictFormat(),
    VerdictGrader(),
    ClaimChecks(),
    ClaimExplainer(),
    ClaimBaselines(),
    critic=Hint(ClaimExplainer()),
    rank=3,
    summary="does a statement follow from others (True), its opposite (False), or neither?",
    answer_name="comparison_answer",
)
