"""A task: find every cycle in statements, or see that there is none."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.grammar import ANYTHING, literal
from thence.core.graph import Graph
from thence.core.parameters import Parameter, Whole
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
from thence.core.task import Task
from thence.families.releval import reading
from thence.families.releval.construction import acyclic, cyclic
from thence.families.releval.framings import FRAMINGS
from thence.families.releval.groups import CONSISTENCY, Group, check_cycles
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

if TYPE_CHECKING:
    from thence.core.sample import Sample

MOST_CYCLES = 1000
_WORDS = ("Yes", "No")
_ORDERED = "Put in order, every statement leads onwards."


CAP = Parameter(
    "cap",
    "10",
    f"the most simple cycles of a graph, 1 to {MOST_CYCLES}",
    Whole(1, MOST_CYCLES),
)


class CycleQuestions(RelationGenerator):
    """Do the statements contradict each other, and in which cycles?"""

    task = "releval/consistency"
    paper = CONSISTENCY
    parameters = (
        *PARAMETERS,
        steps_parameter("objects of the shortest cycle, 3 to n; 0 for consistent statements"),
        CAP,
        *WORDS,
    )

    def check_group(self, group: Group) -> None:
        """Raise if a group cannot exist, by `check_cycles`."""
        check_cycles(group)

    def conditions(self, values: Mapping[str, Any]) -> Sequence[Condition]:
        """Return one condition per group; the cap shapes those with cycles."""
        options = self.options(values)
        return [
            each
            for group in self.groups(values)
            for each in conditions([group], options, **({"cap": values["cap"]} if group[2] else {}))
        ]

    def draw(self, condition: Condition, rng: Random) -> Draft:
        """Return a graph in statements, with a random number of cycles up to the cap."""
        n, m, z = (condition.parameters[each] for each in "nmz")
        if z:
            numbers = range(1, condition.parameters["cap"] + 1)
            # Weights grow with the number: the default mean is then near the paper's, although
            # dense and sparse groups cannot have every number.
            wanted = rng.choices(numbers, [number + 1 for number in numbers])[0]
            edges = cyclic(n, m, z, wanted, rng)
        else:
            edges = acyclic(n, m, rng)
        statements = self.statements(condition, edges, rng)
        graph, names = Graph(n, edges), statements.names
        target = _truth(graph, names)
        witness = target["cycles"][0] if target["cycles"] else _topological_order(graph, names)
        metadata = {"min_cycle_length": z, "witness": witness}
        return Draft(statements.question, target, {**statements.metadata, **metadata})


class CycleFormat(AnswerFormat):
    """The verdict below a label, and the cycles below a Yes."""

    def asked(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the relations in the statements."""
        return {"facts": metadata["question"]["facts"]}

    def read(self, reply: str, question: Question) -> Answer | None:
        """Return the verdict and the cycles listed after it; `reading` explains the rules."""
        found = reading.verdict(reply, _WORDS)
        if found is None:
            return None
        value = {"consistent": found.word == "No", "cycles": reading.cycles(found.rest)}
        return Answer(value, found.rule, found.delimited)

    def write(self, target: Any) -> str:
        """Return a walk through each cycle, then the answer in the requested format."""
        if not target["cycles"]:
            found = "Yes" if not target["consistent"] else "No"
            return f"{_ORDERED}\n\n{LABEL}{found}"
        closed = [[*cycle, *cycle[:1]] for cycle in target["cycles"]]
        found = "Yes" if not target["consistent"] else "No"
        walks = map(_walk, closed)
        lines = [f"{place}. Cycle: <{', '.join(c)}>" for place, c in enumerate(closed, 1)]
        return "\n".join([*walks, "", LABEL + found, *lines])

    def part(self, reply: str) -> str:
        """Return the text after the label."""
        return reply.partition(LABEL)[2] or reply

    def grammar(self, question: Question) -> str:
        """Return the grammar of any text, the verdict below its label, and cycles after Yes."""
        return f"{ANYTHING} {literal(LABEL)} {self.part_grammar(question)}"

    def part_grammar(self, question: Question) -> str:
        """Return the grammar of the verdict, and of the cycles after Yes."""
        cycle = '"\\n" [1-9] [0-9]{0,4} ". Cycle: <" [^>\\n\\x00]+ ">"'
        return f'("No" | "Yes" ({cycle})+)'

    def vote(self, answer: Any) -> Hashable:
        """Return the verdict and the set of cycles."""
        if not isinstance(answer, Mapping):
            return None
        return answer["consistent"], frozenset(reading.distinct(answer["cycles"]))

    def common(self, answer: Any, question: Question) -> Hashable:
        """Return the verdict and the cycles, objects numbered by their first edge in the graph."""
        if not isinstance(answer, Mapping):
            return None
        listed = answer["cycles"]
        if not listed:
            return answer["consistent"], frozenset[tuple[str, ...]]()
        place: dict[str, str] = {}
        for larger, smaller, _ in question.values["facts"]:
            if larger not in place:
                place[larger] = str(len(place))
            if smaller not in place:
                place[smaller] = str(len(place))
        try:
            cycles = [[place[name] for name in cycle] for cycle in listed]
        except KeyError:  # a name in another case, or one that no statement has
            folded = {reading.key(name): number for name, number in place.items()}
            cycles = [
                [folded.get(name, f"?{name}") for name in map(reading.key, cycle)]
                for cycle in listed
            ]
        return answer["consistent"], frozenset(reading.rotated(tuple(each)) for each in cycles)


class CycleGrader(RelationGrader):
    """Precision, recall and F1 of the cycles, beside the verdict."""

    metrics = ("precision", "recall", "f1")

    def grade(self, answer: Any, sample: Sample) -> Grade:
        """Return a grade: correct by the verdict alone; precision, recall and F1 rate the cycles.

        Cycles are equal up to rotation, and a cycle that is listed twice counts once. Where none of
        the listed cycles is true but some are when read backwards, all are read backwards. A
        verdict that contradicts its own list scores 0, and so does a Yes without a cycle.
        """
        consistent, truth = sample.target["consistent"], sample.target["cycles"]
        if answer is None:
            return Grade(correct=False, values=_values(0, 0))
        said = set(reading.distinct(answer["cycles"]))
        correct = answer["consistent"] is consistent
        if answer["consistent"] is bool(said):  # no cycles after a Yes, or cycles after a No
            return Grade(correct, _values(0, 0))
        if consistent:
            return Grade(correct, _values(1 if correct else 0, 1))
        if not correct:
            return Grade(correct=False, values=_values(0, 0))
        true = set(map(reading.canonical, truth))
        right = len(true & said)
        if not right:
            backwards = {reading.canonical(cycle[::-1]) for cycle in said}
            right = len(true & backwards)
        return Grade(correct, _values(right / len(said), right / len(true)))


class CycleChecks(RelationChecks):
    """Finds every cycle of the statements again."""

    def check(self, sample: Sample) -> None:
        """Raise unless the target holds a verdict and lists of names."""
        super().check(sample)
        target = sample.target
        if not (
            isinstance(target["consistent"], bool)
            and isinstance(target["cycles"], list)
            and all(
                isinstance(cycle, list) and cycle and all(isinstance(each, str) for each in cycle)
                for cycle in target["cycles"]
            )
            and target["consistent"] is not bool(target["cycles"])
        ):
            raise ValueError("the target must be {'consistent', 'cycles'} that agree")

    def recompute(self, sample: Sample) -> Any:
        """Return every simple cycle of the statements, computed again."""
        return _truth(*graph_of(sample))

    def perturb(self, sample: Sample, rng: Random) -> Any:
        """Return the other verdict, with an invented cycle where it needs one."""
        if not sample.target["consistent"]:
            return {"consistent": True, "cycles": []}
        names = list(sample.metadata["names"])
        return {"consistent": False, "cycles": [rng.sample(names, min(3, len(names)))]}


class CycleExplainer(Explainer):
    """Walks through the cycles."""

    def explain(self, sample: Sample) -> str:
        """Return a walk through every cycle, or an order in which all statements hold."""
        closed = [[*cycle, *cycle[:1]] for cycle in sample.target["cycles"]]
        if closed:
            return "\n".join(map(_walk, closed))
        order = ", ".join(_topological_order(*graph_of(sample)))
        return f"{_ORDERED} This order agrees with all of them: {order}."


class CycleBaselines(Baselines):
    """Guesses a verdict, or follows the order of statements."""

    def random_answer(self, generator: Generator, sample: Sample, rng: Random) -> Any:
        """Return a random verdict; after a Yes, one to three cycles of random objects."""
        names = list(sample.metadata["names"])
        if rng.random() < 0.5 or len(names) < 3:
            return {"consistent": True, "cycles": []}
        cycles = [
            rng.sample(names, rng.randint(3, min(8, len(names)))) for _ in range(rng.randint(1, 3))
        ]
        return {"consistent": False, "cycles": cycles}

    def surface_answer(self, sample: Sample) -> Any:
        """Return the cycle found by taking, from each object, its first statement in the text.

        The walk begins at the first object. Where it ends without closing a cycle, the verdict is
        No.
        """
        question = sample.metadata["question"]
        forward = len(FRAMINGS[question["framing"]].says)
        first: dict[str, str] = {}
        for a, b, _ in question["facts"]:
            first.setdefault(a, b)
        here = first_named(question["facts"][0], forward)[0]
        way: dict[str, None] = {}
        while here in first and here not in way:
            way[here] = None
            here = first[here]
        if here not in way:
            return {"consistent": True, "cycles": []}
        walked = list(way)
        return {"consistent": False, "cycles": [walked[walked.index(here) :]]}


def _truth(graph: Graph, names: Sequence[str]) -> dict[str, Any]:
    """Return the target: the shortest cycles first, each from its alphabetically first name."""
    cycles = []
    for cycle in graph.simple_cycles():
        named = [names[node] for node in cycle]
        place = named.index(min(named))
        cycles.append(named[place:] + named[:place])
    cycles.sort(key=lambda cycle: (len(cycle), cycle))
    return {"consistent": not cycles, "cycles": cycles}


def _walk(closed: Sequence[str]) -> str:
    """Return a cycle in words, its first object repeated at its end."""
    return f"There is a way around: {', then '.join(closed)}, which closes."


def _topological_order(graph: Graph, names: Sequence[str]) -> list[str]:
    return [names[node] for node in graph.topological_order() or ()]


def _values(precision: float, recall: float) -> dict[str, float]:
    both = precision + recall
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / both if both else 0.0,
    }


TASK = Task(
    "releval",
    "consistency",
    CycleQuestions(),
    CycleFormat(),
    CycleGrader(),
    CycleChecks(),
    CycleExplainer(),
    CycleBaselines(),
    rank=2,
    summary="find every cycle in statements on who is larger, or see that there is none",
    answer_name="consistency_answer",
)
