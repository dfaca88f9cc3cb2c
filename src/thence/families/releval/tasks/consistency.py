"""A task: find every cycle in statements, or see that there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from thence.core.gbnf import ANYTHING, literal
from thence.core.graph import Edge, Graph
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
from thence.core.shortcuts import Shortcut
from thence.core.task import Task
from thence.families.releval import chance, reading
from thence.families.releval.construction import acyclic, most_edges_with_cycle
from thence.families.releval.false_cycles import MARKS, CycleCritic, marks
from thence.families.releval.groups import (
    CONSISTENCY,
    MOST_OBJECTS,
    PAPER,
    Group,
    PaperOr,
    check_cycles,
)
from thence.families.releval.matching import matched
from thence.families.releval.relations import (
    LABEL,
    PARAMETERS,
    WORDS,
    RelationChecks,
    RelationGenerator,
    RelationGrader,
    conditions,
    graph_of,
    steps_parameter,
)
from thence.families.releval.shortcuts import CYCLES

if TYPE_CHECKING:
    from thence.core.sample import Sample

MOST_CYCLES = 1000
_WORDS = ("Yes", "No")
_ORDERED = "Put in order, every statement leads onwards."
_LEANING = {(10, 15): -10, (10, 30): -115, (20, 30): -17, (20, 60): -272, (30, 90): -355}
_LENGTHS = 4  # lengths of a cycle that are tried for consistent statements

CAP = Parameter(
    "cap",
    "10",
    f"the most simple cycles of a graph, 1 to {MOST_CYCLES}",
    Whole(1, MOST_CYCLES),
)
LIKE = Parameter(
    "like",
    PAPER,
    "with z=0: the z of the inconsistent statements that these look like; paper is those of the "
    "paper's groups, and any in a group of your own",
    PaperOr(2, MOST_OBJECTS),
)


class CycleQuestions(RelationGenerator):
    """Do the statements contradict each other, and in which cycles?"""

    task = "releval/consistency"
    paper = CONSISTENCY
    parameters = (
        *PARAMETERS,
        steps_parameter("objects of the shortest cycle, 2 to n; 0 for consistent statements"),
        LIKE,
        CAP,
        *WORDS,
    )

    def check_group(self, group: Group) -> None:
        """Raise if a group cannot exist, by `check_cycles`."""
        check_cycles(group)

    def conditions(self, values: Mapping[str, Any]) -> Sequence[Condition]:
        """Return one condition per group; consistent ones also name the group that they match."""
        options, like, found = self.options(values), values["like"], list[Condition]()
        for group in self.groups(values):
            more = {"cap": values["cap"]}
            if like is not None and not group[2]:
                check_cycles((*group[:2], like))
                more["like"] = like
            found += conditions([group], options, **more)
        return found

    def draw(self, condition: Condition, rng: Random) -> Draft:
        """Return a graph in statements, with a random number of cycles up to the cap, or none.

        A graph without cycles is the counterpart of one with cycles, so that nothing that can be
        counted object by object tells one from the other.
        """
        n, m, z = (condition.parameters[each] for each in "nmz")
        numbers = range(1, condition.parameters["cap"] + 1)
        # Weights grow with the number: the default mean is then near the paper's, although
        # dense and sparse groups cannot have every number.
        wanted = rng.choices(numbers, [2 * number - 1 for number in numbers])[0]
        edges: Sequence[Edge] | None = None
        if z:
            edges, _ = matched(n, m, z, wanted, rng)
        else:
            lengths = _lengths(n, m, condition.parameters.get("like"))
            for length in rng.sample(lengths, min(_LENGTHS, len(lengths))):
                _, edges = matched(n, m, length, wanted, rng)
                if edges:
                    break
            edges = edges or acyclic(n, m, rng)
        statements = self.statements(condition, edges, rng)
        graph, names = Graph(n, edges), statements.names
        target = _truth(graph, names)
        witness = target["cycles"][0] if target["cycles"] else _topological_order(graph, names)
        metadata = {"min_cycle_length": z, "witness": witness}
        return Draft(statements.question, target, {**statements.metadata, **metadata})


class CycleFormat(AnswerFormat):
    """The verdict below a label, and the cycles below a Yes."""

    shown = ("question.facts",)

    def read(self, reply: str, question: Question) -> Answer | None:
        """Return the verdict and the cycles listed after it; `reading` explains the rules."""
        found = reading.verdict(reply, _WORDS)
        if found is None:
            return None
        listed, end = reading.cycles(found)
        facts = question.values["facts"]
        names = dict.fromkeys(name for fact in facts for name in fact[:2])
        value = {"consistent": found.word == "No", "cycles": reading.in_full(listed, list(names))}
        return Answer(value, found.rule, found.delimited, (found.start, end))

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
    """The exact set of cycles; beside it precision, recall and F1, and the verdict."""

    metrics = ("f1", "precision", "recall", "yes_no")
    counts = MARKS

    def trace_metrics(self, trace: str) -> Mapping[str, float]:
        """Return how often the model's thinking shows doubt, and knows the graph's name."""
        return marks(trace)

    def grade(self, answer: Any, sample: Sample) -> Grade:
        """Return a grade: correct if exactly the true cycles are listed, or none and there is none.

        Cycles are equal up to rotation, in the direction that the prompt fixes, and a cycle that is
        listed twice counts once. Precision, recall and F1 rate the list; a verdict that contradicts
        its own list scores 0 there, and so does a Yes without a cycle. ``yes_no`` rates the verdict
        alone.
        """
        consistent, truth = sample.target["consistent"], sample.target["cycles"]
        if answer is None:
            return _grade(0, 0, 0)
        said = set(reading.distinct(answer["cycles"]))
        verdict = answer["consistent"] is consistent
        if answer["consistent"] is bool(said):  # no cycles after a Yes, or cycles after a No
            return _grade(0, 0, verdict)
        if consistent:
            return _grade(verdict, 1, verdict)
        if not verdict:
            return _grade(0, 0, verdict)
        true = set(map(reading.canonical, truth))
        right = len(true & said)
        return _grade(right / len(said), right / len(true), verdict)


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
    """Guesses a verdict, or compares how often neighbours are larger and smaller."""

    def random_answer(self, generator: Generator, sample: Sample, rng: Random) -> Any:
        """Return a random verdict; after a Yes, one to three cycles of random objects."""
        names = list(sample.metadata["names"])
        if rng.random() < 0.5 or len(names) < chance.FEWEST:
            return {"consistent": True, "cycles": []}
        sizes = chance.FEWEST, min(chance.MOST, len(names))
        listed = range(rng.randint(1, chance.CYCLES))
        cycles = [rng.sample(names, rng.randint(*sizes)) for _ in listed]
        return {"consistent": False, "cycles": cycles}

    def chance(self, sample: Sample) -> float:
        """Return one half for consistent statements, else that of listing exactly the cycles."""
        objects = int(sample.metadata["parameters"]["n"])
        if sample.target["consistent"]:
            return 1.0 if objects < chance.FEWEST else 0.5
        if objects < chance.FEWEST:
            return 0.0
        return chance.of_cycles(list(map(len, sample.target["cycles"])), objects) / 2

    def shortcuts(self) -> Sequence[Shortcut]:
        """Return those of every question, and those for statements."""
        return [*super().shortcuts(), *CYCLES]

    def verdict(self, answer: Any) -> bool:
        """Return whether there is no contradiction; the cycles need more than a look."""
        return bool(answer["consistent"])

    def surface_answer(self, sample: Sample) -> Any:
        """Return a Yes with one cycle, which need not be there, if neighbours lean apart.

        The lean of an object is in how many statements it is the larger, less those in which it is
        the smaller; summed are the products of both leans of each statement. The sum to compare
        with was fitted to other questions of each size, and is the best of the single counts tried.
        """
        edges = [fact[:2] for fact in sample.metadata["question"]["facts"]]
        lean = Counter(larger for larger, _ in edges)
        lean.subtract(smaller for _, smaller in edges)
        usual = 2 * len(edges) * (1 - len(edges) / len(lean))
        if len(lean) < 3 or sum(lean[a] * lean[b] for a, b in edges) > _LEANING.get(
            (len(lean), len(edges)), usual
        ):
            return {"consistent": True, "cycles": []}
        inner = {a for a, _ in edges} & {b for _, b in edges}
        likely = sorted(lean, key=lambda name: name not in inner)
        return {"consistent": False, "cycles": [likely[:3]]}


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


def _grade(precision: float, recall: float, verdict: bool | float) -> Grade:
    both = precision + recall
    values = {
        "f1": 2 * precision * recall / both if both else 0.0,
        "precision": float(precision),
        "recall": float(recall),
        "yes_no": float(verdict),
    }
    return Grade(precision == recall == 1, values)


def _lengths(n: int, m: int, like: int | None) -> list[int]:
    """Return the lengths of shortest cycles of which n and m leave a choice."""
    if like is not None:
        return [like]
    paper = [group[2] for group in CONSISTENCY if group[:2] == (n, m) and group[2]]
    return paper or [z for z in range(3, n - 1) if m < most_edges_with_cycle(n, z)]


TASK = Task(
    "releval",
    "consistency",
    CycleQuestions(),
    CycleFormat(),
    CycleGrader(),
    CycleChecks(),
    CycleExplainer(),
    CycleBaselines(),
    critic=CycleCritic(),
    version="2-0",
    rank=2,
    summary="find every cycle in statements on who is larger, or see that there is none",
    answer_name="consistency_answer",
)
