"""A task: does one statement follow from others, does its opposite, or neither?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.grammar import choice, literal
from thence.core.graph import Graph
from thence.core.score import Answer, Grade
from thence.core.task import Cell, Draft
from thence.families.releval import reading
from thence.families.releval.construction import chained
from thence.families.releval.framings import FRAMINGS
from thence.families.releval.groups import COMPARISON, Group, check_chain
from thence.families.releval.relations import (
    KNOBS,
    LABEL,
    WORDS,
    RelationTask,
    cells,
    first_named,
    steps_knob,
)

if TYPE_CHECKING:
    from thence.core.sample import Sample

VERDICTS = ("True", "False", "Unknown")


class Comparison(RelationTask):
    """True, False or Unknown."""

    name = "comparison"
    rank = 3
    booleans = ("True", "False")
    summary = "does a statement follow from others (True), its opposite (False), or neither?"
    knobs = (
        *KNOBS,
        steps_knob("steps of the shortest deciding chain, 1 to n-1; 0 for Unknown"),
        *WORDS,
    )
    paper = COMPARISON

    def check_group(self, group: Group) -> None:
        """See `check_chain`."""
        check_chain(group)

    def cells(self, values: Mapping[str, Any]) -> Sequence[Cell]:
        """One cell a group without a chain, else one for True and one for False, half each."""
        options = self.options(values)
        found: list[Cell] = []
        for group in self.groups(values):
            if group[2] == 0:
                found += cells([group], options)
                continue
            for verdict in VERDICTS[:2]:
                (cell,) = cells([group], options, verdict=verdict)
                found.append(replace(cell, count=cell.count // 2))
        return found

    def arrange(self, values: Mapping[str, Any], size: int | None, seed: int) -> Sequence[Cell]:
        """Spreads a size over the groups, and that of each group over True and False."""
        every = self.cells(values)
        if size is None:
            return every
        groups: dict[str, list[Cell]] = {}
        for cell in every:
            groups.setdefault(cell.group, []).append(cell)
        number, found, odd = len(groups), [], 0
        for place, held in enumerate(groups.values()):
            count = (place + 1) * size // number - place * size // number
            shares = [count]
            if len(held) > 1:  # the odd one out is True and False in turn
                shares = [(count + 1 - odd % 2) // 2, (count + odd % 2) // 2]
                odd += count % 2
            found += [replace(cell, count=n) for cell, n in zip(held, shares, strict=True) if n]
        return found

    def draw(self, cell: Cell, rng: Random) -> Draft:
        """A graph with a chain of exactly z steps between two objects, or with none."""
        n, m, z = (cell.parameters[each] for each in "nmz")
        edges, upper, lower = chained(n, m, z, rng)
        verdict = cell.parameters.get("verdict", "Unknown")
        turned = rng.random() < 0.5
        told = self.told(cell, edges, rng)
        if verdict == "False" or (verdict == "Unknown" and turned):
            claim = told.claim(lower, upper)
        else:
            claim = told.claim(upper, lower)
        chain = Graph(n, edges).shortest_chain(upper, lower) if z else None
        metadata = {
            "depth": z,
            "comparison": told.sign(claim),
            "asked": told.asked(claim),
            "witness": [told.names[node] for node in chain] if chain else None,
        }
        question = {**told.question, "claim": claim}
        return Draft(question, verdict, {**told.metadata, **metadata})

    def chain(self, sample: Sample) -> Sequence[Any]:
        """The names from the one object to the other, where the statements compare them."""
        return sample.metadata.get("witness") or ()

    def explain(self, sample: Sample) -> str:
        """The statements that lead from the one object to the other, or that none do."""
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

    def question_values(self, sample: Mapping[str, Any]) -> Mapping[str, Any]:
        """The comparison too."""
        return {**super().question_values(sample), "asked": sample["asked"]}

    def read(self, reply: str, sample: Sample) -> Answer | None:
        """The word after ``OUTPUT:``; see `_replies` for the rules.

        Where another of the words follows on a line of its own, nothing was decided.
        """
        found = reading.verdict(reply, VERDICTS)
        if found is None or reading.alone(found.rest, VERDICTS) not in {None, found.word}:
            return None
        return Answer(found.word, found.rule, found.delimited)

    def grade(self, answer: Any, sample: Sample) -> Grade:
        """Correct is the word itself."""
        if sample.target not in VERDICTS:
            raise ValueError("the target must be True, False or Unknown")
        return Grade(answer == sample.target)

    def write(self, target: Any) -> str:
        """The word in the format asked for."""
        return f"{LABEL}{target}"

    def part(self, reply: str) -> str:
        """The word alone."""
        return reply.removeprefix(LABEL)

    def recompute(self, sample: Sample) -> Any:
        """Searches both ways from the two objects."""
        graph, names = self.graph(sample)
        larger, smaller, _ = sample.metadata["question"]["claim"]
        a, b = names.index(larger), names.index(smaller)
        return "True" if graph.reaches(a, b) else "False" if graph.reaches(b, a) else "Unknown"

    def perturb(self, sample: Sample, rng: Random) -> Any:
        """Another word."""
        return rng.choice([word for word in VERDICTS if word != sample.target])

    def random_answer(self, sample: Sample, rng: Random) -> Any:
        """Any of the three words."""
        return rng.choice(VERDICTS)

    def surface_answer(self, sample: Sample) -> Any:
        """Whichever object the statements name first is taken for the larger."""
        question = sample.metadata["question"]
        forward = len(FRAMINGS[question["framing"]].says)
        larger, smaller, _ = question["claim"]
        for fact in question["facts"]:
            for named in first_named(fact, forward):
                if named in {larger, smaller}:
                    return "True" if named == larger else "False"
        return "Unknown"

    def schema(self, sample: Sample) -> Mapping[str, Any]:
        """An object with the word."""
        return {
            "type": "object",
            "properties": {"output": {"enum": list(VERDICTS)}},
            "required": ["output"],
            "additionalProperties": False,
        }

    def grammar(self, sample: Sample) -> str:
        """The word below its label."""
        return f"{literal(LABEL)} {choice(VERDICTS)}"

    def part_grammar(self, sample: Sample) -> str:
        """The word."""
        return choice(VERDICTS)

    def breakdown(self, sample: Sample) -> Mapping[str, str]:
        """The truth and the steps too."""
        return {
            **super().breakdown(sample),
            "truth": str(sample.target),
            "depth": str(sample.metadata["depth"]),
        }

    def check(self, sample: Sample) -> None:
        """The question must hold the claim."""
        super().check(sample)
        claim = sample.metadata["question"].get("claim")
        if not isinstance(claim, list) or [type(each) for each in claim] != [str, str, int]:
            raise ValueError("the question must hold the claim")


TASK = Comparison()
