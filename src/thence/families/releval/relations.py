"""The common base of consistency and comparison: a graph, expressed in statements."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from thence.core.digest import digest
from thence.core.graph import Edge, Graph
from thence.core.parameters import Parameter
from thence.core.parts import Checks, Condition, Generator, Grader
from thence.errors import ParameterError
from thence.families.releval import names
from thence.families.releval.framings import FRAMING, FRAMINGS, NOTATION
from thence.families.releval.groups import (
    EACH,
    MOST_OBJECTS,
    OBJECTS,
    PAPER,
    RELATIONS,
    Group,
    PaperOr,
    chosen,
    name,
)

if TYPE_CHECKING:
    from thence.core.sample import Sample

LABEL = "OUTPUT:\n"
"""Label before the answer in a whole reply."""

type Fact = list[Any]
"""A relation of a question: the larger object, the smaller one, and the number of a sentence."""


class RelationGenerator(Generator):
    """Draws questions on statements about a graph of relations.

    The graph is drawn first and alone. The objects' names, the sides that the statements begin
    with, and their sentences have separate random streams, so that the same seed gives the same
    graph in every framing, notation and set of names.

    Attributes:
        task: full name of the task.
        paper: the paper's groups.
    """

    task: ClassVar[str]
    paper: ClassVar[Sequence[Group]]

    @abstractmethod
    def check_group(self, group: Group) -> None:
        """Raise if a group cannot exist.

        Raises:
            UsageError: naming the rule that it breaks.
        """

    def groups(self, values: Mapping[str, Any]) -> Sequence[Group]:
        """Return the groups that match the parameters, each of them possible."""
        found = chosen(self.paper, (values["n"], values["m"], values["z"]))
        for group in found:
            self.check_group(group)
            if not names.enough(values["labels"], group[0]):
                raise ParameterError(
                    "labels",
                    None,
                    f"{len(values['labels'])} names are too few for group {name(group)} of "
                    f"{self.task}; give {group[0]}",
                )
        return found

    @staticmethod
    def options(values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that change the words alone."""
        labels = values["labels"]
        return {
            "framing": values["framing"],
            "notation": values["notation"],
            "labels": labels if isinstance(labels, str) else list(labels),
        }

    def statements(self, condition: Condition, edges: Sequence[Edge], rng: Random) -> Statements:
        """Return the statements of a graph in the words of the condition's options."""
        return Statements(self.task, condition, edges, rng)

    def question_values(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the framing and the statements in their words."""
        return {"framing": metadata["question"]["framing"], "statements": metadata["statements"]}


class RelationGrader(Grader):
    """Grades answers about statements, by framing and notation."""

    def breakdown(self, sample: Sample) -> Mapping[str, str]:
        """Return the group, the framing and the notation."""
        options = sample.metadata.get("options") or {}
        return {
            "group": str(sample.metadata["group"]),
            "framing": str(sample.metadata["question"]["framing"]),
            "notation": str(options.get("notation", "mixed")),
        }


class RelationChecks(Checks):
    """Checks the facts of a question."""

    def check(self, sample: Sample) -> None:
        """Raise unless the question holds facts about named objects in a known framing."""
        question = sample.metadata.get("question")
        if not isinstance(question, dict):
            raise ValueError("the metadata must hold 'question'")  # noqa: TRY004 - one type
        facts = question.get("facts")
        if question.get("framing") not in FRAMINGS or not isinstance(facts, list):
            raise ValueError(f"the question of {sample.task} must hold 'framing' and 'facts'")
        for fact in facts:
            if not (
                isinstance(fact, list)
                and [type(each) for each in fact] == [str, str, int]
                and fact[0] != fact[1]
            ):
                raise ValueError("a fact must be two different names and the number of a sentence")


def graph_of(sample: Sample) -> tuple[Graph, list[str]]:
    """Return the graph of a sample's question, and the names of its nodes."""
    facts: list[Fact] = sample.metadata["question"]["facts"]
    nodes = list(dict.fromkeys(each for a, b, _ in facts for each in (a, b)))
    place = {each: node for node, each in enumerate(nodes)}
    return Graph(len(nodes), [(place[a], place[b]) for a, b, _ in facts]), nodes


class Statements:
    """A graph expressed in statements.

    Attributes:
        names: the name of each node.
        question: ``framing`` and ``facts``.
        metadata: metadata that all samples of these tasks have.
    """

    def __init__(self, task: str, condition: Condition, edges: Sequence[Edge], rng: Random) -> None:
        streams = [Random(rng.getrandbits(64)) for _ in range(3)]
        dealing, self._sides, self._sentences = streams
        options, n = condition.options, condition.parameters["n"]
        self._framing = FRAMINGS[options.get("framing", "symbolic")]
        self._mixed = options.get("notation", "mixed") == "mixed"
        labels = options.get("labels", names.AUTO)
        kind = labels if isinstance(labels, str) else tuple(labels)
        self.names = names.draw(kind, self._framing.name, n, dealing)
        facts = [
            self._fact(a, b, len(self._framing.says), len(self._framing.says_back))
            for a, b in edges
        ]
        self.question: dict[str, Any] = {"framing": self._framing.name, "facts": facts}
        graph = digest(task, [list(edge) for edge in edges], size=8)
        self.metadata: dict[str, Any] = {
            "objects": n,
            "relations": condition.parameters["m"],
            "statements": [self._framing.sentence(*fact) for fact in facts],
            "edges": [fact[:2] for fact in facts],
            "names": sorted(self.names),
            "cluster": graph,
            "pair": graph,
        }

    def _fact(self, a: int, b: int, forward: int, back: int) -> Fact:
        """Return an edge with the number of its sentence."""
        turned = self._sides.random() < 0.5 and self._mixed
        share = self._sentences.random()
        number = forward + int(share * back) if turned else int(share * forward)
        return [self.names[a], self.names[b], number]

    def claim(self, a: int, b: int) -> Fact:
        """Return the claim that a is larger than b, for a question."""
        return self._fact(a, b, len(self._framing.asks), len(self._framing.asks_back))

    def asked(self, claim: Fact) -> str:
        """Return a claim in the words of the framing."""
        return self._framing.question(*claim)

    def sign(self, claim: Fact) -> str:
        """Return a claim as a sign, in the order of objects that its words have."""
        a, b, number = claim
        return f"{a} > {b}" if number < len(self._framing.asks) else f"{b} < {a}"


def first_named(fact: Fact, forward: int) -> tuple[str, str]:
    """Return the two objects in the order in which a sentence names them."""
    a, b, number = fact
    return (a, b) if number < forward else (b, a)


def conditions(groups: Sequence[Group], options: Mapping[str, Any], **more: Any) -> list[Condition]:
    """Return the paper's samples of each group; ``more`` holds further parameters of the truth."""
    return [
        Condition(name(group), {"n": group[0], "m": group[1], "z": group[2], **more}, EACH, options)
        for group in groups
    ]


def steps_parameter(what: str) -> Parameter:
    """Return the parameter ``z``."""
    return Parameter("z", PAPER, what, PaperOr(0, MOST_OBJECTS))


PARAMETERS = (OBJECTS, RELATIONS)
WORDS = (FRAMING, NOTATION, names.LABELS)
