"""Sources of step graphs: the flow-graph corpus, or a domain; files are in `own_procedures`.

The questions need a step graph and nothing else. A source is a name in ``SOURCES`` and a function
that returns subjects; a domain yields procedures by ``procedures(rng, ...)`` of its package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from thence.core.digest import digest
from thence.core.graph import Graph
from thence.core.procedure import Procedure, Step, StepTexts, same_procedure, step_texts
from thence.core.seeds import random_of
from thence.errors import MissingExtra, ParameterError
from thence.families.catbench.switching import Switches

type Excluded = frozenset[str | StepTexts]
"""Procedures by name, and those of other families by their steps."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A procedure with its step graph.

    Attributes:
        name: unique name within its source; samples are clustered by it.
        goal: the purpose of the steps; empty where it is unknown.
        steps: the steps in the order of the text.
        graph: an edge i -> j where step i leads directly to step j; it may have cycles.
        strands: those of each step, or none at all: the order of two steps that share a strand is
            obvious, so that no question is asked about them.
        firm: the graph without links that a reader may dispute; no question is asked about a pair
            that depends on them. None where there are none.
        apart: whether each step makes sense wherever the order permits it; None where two steps are
            switched by an exchange of their texts, as in the corpus.
        cluster: by which samples are clustered instead, where it is a variant of a procedure.
        remarks: what else a sample says of where the procedure is from.
    """

    name: str
    goal: str
    steps: tuple[Step, ...]
    graph: Graph
    strands: Sequence[frozenset[str]] = ()
    firm: Graph | None = None
    apart: bool | None = None
    cluster: str = ""
    remarks: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        procedure: Procedure,
        strands: Callable[[Procedure], Sequence[frozenset[str]]] | None = None,
        firm: Callable[[Procedure], Sequence[tuple[int, int]]] | None = None,
        *,
        apart: bool | None = None,
    ) -> Subject:
        """Return the subject of a procedure, whose order is its step graph."""
        name = digest(procedure.to_json(), size=8)
        graph = Graph(len(procedure.steps), procedure.order)
        held = strands(procedure) if strands else ()
        sure = Graph(len(procedure.steps), firm(procedure)) if firm else None
        return cls(name, procedure.goal, procedure.steps, graph, held, sure, apart)

    def __getstate__(self) -> dict[str, Any]:
        """Return its fields, without what was worked out of them, for worker processes."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def switches(self) -> Switches | None:
        """The permitted orders with two steps switched; None where their texts are exchanged."""
        return None if self.apart is None else Switches(self.steps, self.graph, apart=self.apart)

    @cached_property
    def procedure(self) -> dict[str, Any]:
        """The value of ``metadata.procedure``; a cyclic graph has all its edges as order."""
        cyclic = self.graph.topological_order() is None
        order = self.graph.edges if cyclic else self.graph.transitive_reduction()
        return Procedure(self.goal, self.steps, tuple(sorted(order))).to_json()

    def is_among(self, excluded: Excluded) -> bool:
        """Return whether the procedure is one of some, by its name or by its steps."""
        texts = step_texts(step.text for step in self.steps)
        steps = (each for each in excluded if not isinstance(each, str))
        return bool(excluded & {self.name, self.cluster}) or any(
            same_procedure(texts, each) for each in steps
        )

    @cached_property
    def content(self) -> str:
        """The hash of the procedure."""
        return digest(self.procedure)

    def depends(self, i: int, j: int) -> bool:
        """Return whether a path leads from step i to step j."""
        return bool(self.graph.descendants[i] >> j & 1)

    def chain(self, i: int, j: int) -> list[int]:
        """Return a shortest chain of steps from i to a dependent step j, both included."""
        before = self._before.get(i)
        if before is None:
            before = self._before[i] = self._search(i)
        path = [j]
        while path[-1] != i:
            path.append(before[path[-1]])
        return path[::-1]

    @cached_property
    def _before(self) -> dict[int, list[int]]:
        return {}

    def _search(self, source: int) -> list[int]:
        """Return each step's predecessor on a shortest chain from a source, by one search."""
        before = [-1] * len(self.steps)
        before[source] = source
        reached = [source]
        for step in reached:
            for after in (self.firm or self.graph).successors[step]:
                if before[after] < 0:
                    before[after] = step
                    reached.append(after)
        return before

    @cached_property
    def _in_graph(self) -> dict[bool, int]:
        """The numbers of pairs in an order (True) and in none (False), whatever their texts."""
        n = len(self.steps)
        dependent = sum((self.graph.descendants[i] >> i + 1).bit_count() for i in range(n))
        return {True: dependent, False: n * (n - 1) // 2 - dependent}

    @cached_property
    def counts(self) -> dict[bool, int]:
        """The numbers of dependent (True) and independent (False) pairs, without making them."""
        if self.strands or self.apart is False:
            return {kind: len(pairs) for kind, pairs in self.pairs.items()}
        return self._in_graph

    @property
    def stuck(self) -> str:
        """The text that keeps all independent steps in their places, where nothing else does."""
        if self.switches is None or self.counts[False] or not self._in_graph[False]:
            return ""
        return next((self.steps[k].text for k in self.switches.staying), "")

    def some_pairs(self, kind: bool, count: int, rng: Random) -> list[tuple[int, int]]:
        """Return ``count`` pairs of one kind at random, without making the others."""
        wanted = sorted(rng.sample(range(self.counts[kind]), count))
        found: list[tuple[int, int]] = []
        n, begun = len(self.steps), 0
        for i in range(n - 1):
            bits = self.graph.descendants[i] >> i + 1
            if not kind:
                bits ^= (1 << n - i - 1) - 1
            end = begun + bits.bit_count()
            if len(found) < count and wanted[len(found)] < end:
                text = f"{bits:b}"[::-1]
                after = [j for j, bit in enumerate(text, i + 1) if bit == "1"]
                while len(found) < count and wanted[len(found)] < end:
                    found.append((i, after[wanted[len(found)] - begun]))
            begun = end
        rng.shuffle(found)
        return found

    @cached_property
    def pairs(self) -> dict[bool, list[tuple[int, int]]]:
        """The pairs i < j of steps for questions, dependent (True) and independent (False).

        Independent ones that cannot be switched are left out.
        """
        found: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
        n = len(self.steps)
        for i in range(n):
            reached = self.graph.descendants[i]
            for j in range(i + 1, n):
                if self.strands and self.strands[i] & self.strands[j]:
                    continue
                if reached >> j & 1:
                    if self.firm is None or self.firm.descendants[i] >> j & 1:
                        found[True].append((i, j))
                elif self.switches is None or self.switches.possible(i, j):
                    found[False].append((i, j))
        return found


@dataclass(frozen=True)
class SourceChoice:
    """The subjects of the questions, with remarks for the manifest.

    Attributes:
        subjects: the subjects in the order of the source.
        notes: JSON values by name.
    """

    subjects: Sequence[Subject]
    notes: Mapping[str, Any] = field(default_factory=dict)


# The corpus ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class RecipeCorpus:
    """The corpus as subjects.

    Attributes:
        all: the recipes in the order of their file names.
        listed: whether the map of titles has each recipe.
        skipped: one line for each recipe that was left out.
    """

    all: Sequence[Subject]
    listed: Sequence[bool]
    skipped: Sequence[str]

    def choice(self, wanted: Sequence[bool]) -> SourceChoice:
        """Return the selected recipes, with remarks for the manifest."""
        chosen = [each for each, kept in zip(self.all, wanted, strict=True) if kept]
        cyclic = [each.name for each in chosen if each.graph.topological_order() is None]
        untitled = [each.name for each in chosen if not each.goal]
        notes: dict[str, Sequence[str]] = {
            "cyclic": cyclic,
            "untitled": untitled,
            "skipped": self.skipped,
            "warnings": _warnings(cyclic, untitled),
        }
        stated = {name: list(value) for name, value in notes.items() if value}
        return SourceChoice(chosen, {"recipes": len(chosen), **stated})


@lru_cache(maxsize=4)
def corpus(flow_graphs: str, titles: str) -> RecipeCorpus:
    """Return the recipes of a corpus without those that repeat an earlier one."""
    from thence.domains.flow_graphs import read_corpus

    held = read_corpus(Path(flow_graphs), Path(titles) if titles else None)
    kept, skipped = _distinct(held.recipes, list(held.skipped))
    subjects = [
        Subject(recipe.name, recipe.title, tuple(map(Step, recipe.steps)), recipe.graph)
        for recipe in kept
    ]
    return RecipeCorpus(subjects, [recipe.listed for recipe in kept], skipped)


def _warnings(cyclic: Sequence[str], untitled: Sequence[str]) -> list[str]:
    """Return one line for each kind of unusual recipe."""
    lines = []
    if cyclic:
        lines.append(
            f"{len(cyclic)} recipes have steps that lead back to themselves ({cyclic[0]}, ...): "
            "there a step depends on whatever leads to it"
        )
    if untitled:
        lines.append(
            f"{len(untitled)} recipes have no title ({untitled[0]}, ...), so that their prompts "
            "name no goal; give titles=FILE"
        )
    return lines


def _distinct(recipes: Sequence[Any], skipped: list[str]) -> tuple[list[Any], list[str]]:
    """Return the recipes without those that repeat an earlier one."""
    seen: dict[tuple[str, ...], str] = {}
    kept = []
    for recipe in recipes:
        first = seen.setdefault((recipe.title, *recipe.steps), recipe.name)
        if first == recipe.name:
            kept.append(recipe)
        else:
            skipped.append(f"{recipe.name}: has the title and the steps of {first}; left out")
    return kept, skipped


# Domains -------------------------------------------------------------------------------------

DOMAINS = {
    "recipes": "thence.domains.recipes",
    "plans": "thence.domains.plans.relays",  # one crew's steps tell their order by what they name
    "routes": "thence.domains.routes.cars",  # one route alone has one order
    "runbooks": "thence.domains.runbooks",
}
"""Modules by domain; ``procedures(rng)`` yields distinct procedures without end.

A module may have three more functions. ``strands(procedure)``: no question has two steps of one;
``firm_links(procedure)``: no question is about a pair that depends on other links alone;
``cluster(procedure)``: what the variants of one procedure have in common.
"""


_SELF_CONTAINED = frozenset(("plans", "routes", "runbooks"))  # each step says all that it is about


def missing_extra(source: str) -> MissingExtra | None:
    """Return the error of the extra that a domain needs, where it is not installed."""
    try:
        if source == "plans":
            import_module("thence.domains.plans.planner").folder()
    except MissingExtra as error:
        return error
    routes = import_module("thence.domains.routes")
    found: MissingExtra | None = routes.missing_extra() if source == "routes" else None
    return found


SHORTEST = 5  # steps of a procedure; shorter ones have few distant pairs
ROOM = 24  # pairs of each class for each that is chosen
_MOST = 60  # procedures examined for each pair wanted
_OF_ONE = 150  # pairs of a procedure that count, at most, so that large ones leave room for others


def subjects(source: str, rng: Random) -> Iterator[Subject]:
    """Yield distinct procedures of a domain with enough steps and with pairs of both classes."""
    module = import_module(DOMAINS[source])
    for procedure in module.procedures(rng):
        subject = Subject.of(
            procedure,
            getattr(module, "strands", None),
            getattr(module, "firm_links", None),
            apart=source in _SELF_CONTAINED,
        )
        if cluster := getattr(module, "cluster", None):
            subject = replace(subject, cluster=digest(source, cluster(procedure), size=8))
        if len(subject.steps) >= SHORTEST and all(subject.pairs.values()):
            yield subject


@lru_cache(maxsize=8)
def drawn(
    source: str, seed: int, part: str, wanted: int, excluded: Excluded = frozenset()
) -> SourceChoice:
    """Return procedures of a domain with at least ``wanted`` pairs of each class in all.

    Args:
        source: the domain.
        seed: the user's seed.
        part: ``test`` or ``held_out``, which share no random stream.
        wanted: number of pairs per class.
        excluded: procedures that are not used.

    Raises:
        ParameterError: the procedures of this domain do not have enough pairs.
    """
    rng = random_of("catbench", source, seed, part)
    fresh = (each for each in subjects(source, rng) if not each.is_among(excluded))
    chosen: list[Subject] = []
    have = {True: 0, False: 0}
    for subject in islice(fresh, _MOST * wanted):
        chosen.append(subject)
        have = {kind: have[kind] + min(len(subject.pairs[kind]), _OF_ONE) for kind in have}
        if min(have.values()) >= wanted:
            return SourceChoice(chosen, {"procedures": len(chosen)})
    raise ParameterError(
        "source",
        source,
        f"{len(chosen)} procedures have {have[True]} dependent and {have[False]} independent pairs "
        f"of steps, and {wanted} of each are wanted; ask for fewer by size=N",
    )
