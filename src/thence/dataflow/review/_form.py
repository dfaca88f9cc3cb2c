"""A user's procedure as a small YAML file, and where in the file everything stands.

    goal: Make crepes
    start: [eggs, flour, pan]
    results: [crepe]
    steps:
      - name: whisk
        text: Whisk the eggs and the flour
        uses: [eggs, flour]
        defines: [batter]
        kills: [eggs, flour]
        duration: 5 min

Steps are called by name or by number, counted from 1. Without ``order`` the text decides between
steps that conflict, and the others are free; ``order: text`` keeps to the text; a list of chains
such as ``[whisk, fry, serve]`` is the order itself. A file that ends in ``.json`` holds a procedure
as samples do, its order counted from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from thence.core.graph import Graph, members
from thence.core.procedure import Pair, Procedure, Quantity, Step
from thence.dataflow._flow import Flow, Role
from thence.dataflow._graphs import conflict_order
from thence.dataflow.review import _amounts as amounts
from thence.dataflow.review._source import Mark, Node, SourceError, parse, read_text

TOP = ("goal", "facts", "start", "results", "order", "steps")
OF_STEP = (
    "name", "text", "uses", "defines", "kills", "after", "duration", "seconds", "quantities",
)  # fmt: skip
ROLES = {"uses": Role.USE, "defines": Role.DEFINE, "kills": Role.KILL}
BY_TEXT, BY_CONFLICT = "text", "conflicts"  # what ``order`` may be instead of a list


@dataclass
class Form:
    """A procedure as a file states it.

    Attributes:
        path: the file.
        lines: its text.
        flow: of the procedure.
        names: what each step is called, empty where it has no name.
        results: the facts that the procedure is done for; None where the file does not say.
        order: how the order came about, in words.
        steps: where each step begins.
        facts: where a step's fact stands, by step, role and fact.
        starts: where a fact of the start stands.
        ends: where a result stands.
    """

    path: Path
    lines: list[str]
    flow: Flow
    names: list[str]
    results: tuple[str, ...] | None
    order: str
    steps: list[Mark]
    facts: dict[tuple[int, Role, str], Mark]
    starts: dict[str, Mark]
    ends: dict[str, Mark]

    def title(self, step: int) -> str:
        """A step as a message names it, such as ``step 3 (fry)``."""
        name = self.names[step]
        return f"step {step + 1} ({name})" if name else f"step {step + 1}"


def read_form(path: Path) -> Form:
    """The procedure of a file.

    Raises:
        FileError: it cannot be read.
        SourceError: it is not a procedure; says where and what.
    """
    text = read_text(path)
    return _Reader(path, text).form()


@dataclass
class _Reader:
    """Reads one file; every method takes a node and raises at its place."""

    path: Path
    text: str
    steps: list[Step] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    facts: dict[tuple[int, Role, str], Mark] = field(default_factory=dict)
    named: dict[str, list[int]] = field(default_factory=dict)
    after: list[tuple[Node, int]] = field(default_factory=list)
    edges: dict[Pair, Mark] = field(default_factory=dict)

    @property
    def first(self) -> int:
        """What the first step is counted as."""
        return 0 if self.path.suffix == ".json" else 1

    def form(self) -> Form:
        root = parse(self.text, self.path)
        top = self._mapping(root, TOP, "a procedure")
        goal = self._string(self._needed(root, top, "goal"), "goal")
        listed = self._needed(root, top, "steps")
        for node in self._list(listed, "steps"):
            self._step(node)
        if not self.steps:
            self._fail(listed.mark, "no steps; a procedure has at least one")
        starts = self._fact_list(top.get("start"), "start")
        results = self._fact_list(top.get("results"), "results")
        self._check_facts(top.get("facts"), starts, results)
        order, told = self._order(top.get("order"))
        start = tuple(starts) if "start" in top else None
        procedure = Procedure(goal, tuple(self.steps), order, start)
        return Form(
            path=self.path,
            lines=self.text.split("\n"),
            flow=Flow(procedure),
            names=self.names,
            results=tuple(results) if "results" in top else None,
            order=told,
            steps=self.marks,
            facts=self.facts,
            starts=starts,
            ends=results,
        )

    # Steps --------------------------------------------------------------------------------------

    def _step(self, node: Node) -> None:
        number = len(self.steps)
        if isinstance(node.value, str):
            node = Node(node.mark, {"text": node}, {"text": node.mark})
        held = self._mapping(node, OF_STEP, "a step")
        name = self._string(held["name"], "name") if "name" in held else ""
        if name and name in self.named:
            earlier = self.marks[self.named[name][0]]
            self._fail(
                held["name"].mark,
                f"step name '{name}' stands on line {earlier.line} already; names tell steps apart",
            )
        text = self._string(held["text"], "text") if "text" in held else name
        if not text:
            self._fail(node.mark, f"step {number + 1} has neither text nor name; give one")
        self.named.setdefault(name or text, []).append(number)
        facts = {}
        for key, role in ROLES.items():
            marks = self._fact_list(held.get(key), key)
            self.facts.update({(number, role, fact): mark for fact, mark in marks.items()})
            facts[key] = tuple(marks)
        if "after" in held:
            self.after.append((held["after"], number))
        seconds = self._seconds(held, node)
        quantities = self._quantities(held["quantities"]) if "quantities" in held else ()
        self.steps.append(
            Step(text, facts["uses"], facts["defines"], facts["kills"], seconds, quantities)
        )
        self.names.append(name)
        self.marks.append(node.mark)

    def _seconds(self, held: dict[str, Node], node: Node) -> tuple[float, float] | None:
        if "duration" in held and "seconds" in held:
            self._fail(held["seconds"].mark, "both duration and seconds; give one")
        given = held.get("duration", held.get("seconds"))
        if given is None:
            return None
        parts = given.value if isinstance(given.value, list) else [given]
        texts = [self._string(part, "a duration") for part in parts]
        if len(texts) > 2 or not texts:
            self._fail(given.mark, f"{len(texts)} durations; give one, or the least and the most")
        try:
            ranges = [amounts.duration(text) for text in texts]
        except ValueError as error:
            self._fail(given.mark, str(error))
        low, high = ranges[0][0], ranges[-1][1]
        if high < low:
            self._fail(given.mark, "the longest duration is less than the shortest; exchange them")
        return low, high

    def _quantities(self, node: Node) -> tuple[Quantity, ...]:
        if isinstance(node.value, list):
            return tuple(self._quantity(each) for each in node.value)
        held = []
        for of, each in self._mapping(node, None, "quantities").items():
            try:
                held.append(Quantity(of, *amounts.quantity(self._string(each, of))))
            except ValueError as error:
                self._fail(each.mark, str(error))
        return tuple(held)

    def _quantity(self, node: Node) -> Quantity:
        """One of a list, as samples hold it."""
        held = self._mapping(node, ("of", "low", "high", "unit"), "a quantity")
        of = self._string(self._needed(node, held, "of"), "of")
        try:
            low, high = (float(self._string(held[key], key)) for key in ("low", "high"))
        except (KeyError, ValueError):
            self._fail(node.mark, f"the quantity of '{of}' needs low and high, two numbers")
        unit = held["unit"].value if "unit" in held else ""
        return Quantity(of, low, high, unit if isinstance(unit, str) else "")

    # Facts --------------------------------------------------------------------------------------

    def _fact_list(self, node: Node | None, key: str) -> dict[str, Mark]:
        """Facts by name, where they stand; one alone may do without brackets."""
        if node is None or node.kind == "nothing":
            return {}
        found: dict[str, Mark] = {}
        for each in node.value if isinstance(node.value, list) else [node]:
            fact = self._string(each, f"a fact of {key}")
            if fact in found:
                self._fail(each.mark, f"fact '{fact}' stands twice in {key}; take one out")
            found[fact] = each.mark
        return found

    def _check_facts(
        self,
        vocabulary: Node | None,
        starts: dict[str, Mark],
        results: dict[str, Mark],
    ) -> None:
        """Refuses facts that the vocabulary lacks, and results that nothing touches."""
        touched = dict.fromkeys(fact for _, _, fact in self.facts)
        if vocabulary is not None:
            known = self._fact_list(vocabulary, "facts")
            touching = ((fact, mark) for (_, _, fact), mark in self.facts.items())
            for fact, mark in (*touching, *starts.items(), *results.items()):
                if fact not in known:
                    hint = self._hint(fact, known, "add it to facts")
                    self._fail(mark, f"unknown fact '{fact}'{hint}")
        for fact, mark in results.items():
            if fact not in touched and fact not in starts:
                hint = self._hint(fact, touched, "neither a step nor start names it")
                self._fail(mark, f"unknown fact '{fact}'{hint}")

    @staticmethod
    def _hint(name: str, known: Iterable[str], otherwise: str) -> str:
        close = get_close_matches(name, list(known), n=1, cutoff=0.6)
        return f"; did you mean '{close[0]}'?" if close else f"; {otherwise}"

    # Order --------------------------------------------------------------------------------------

    def _order(self, node: Node | None) -> tuple[tuple[Pair, ...], str]:
        """The order, transitively reduced, and how it came about."""
        for given, number in self.after:
            for each in given.value if isinstance(given.value, list) else [given]:
                self.edges.setdefault((self._reference(each), number), each.mark)
        told = "as the file states it"
        if node is None or node.value == BY_CONFLICT or node.kind == "nothing":
            self._by_conflict()
            told = "by what the steps do to facts"
        elif node.value == BY_TEXT:
            for i in range(len(self.steps) - 1):
                self.edges.setdefault((i, i + 1), self.marks[i + 1])
            told = "as the text has it"
        else:
            if isinstance(node.value, str):
                self._fail(
                    node.mark,
                    f"order '{node.value}' is not known; write '{BY_TEXT}', '{BY_CONFLICT}' or a "
                    "list of steps that follow each other, such as [[first, second]]",
                )
            for chain in self._list(node, "order"):
                self._chain(chain)
        graph = Graph(len(self.steps), self.edges)
        cycle = graph.a_cycle()
        if cycle is not None:
            self._fail_cyclic(cycle)
        return tuple(sorted(graph.transitive_reduction())), told

    def _by_conflict(self) -> None:
        """Adds what conflicts demand, in the text's order but for what was stated."""
        if all(i < j for i, j in self.edges):
            for i, j in conflict_order(self.steps):
                self.edges.setdefault((i, j), self.marks[j])
            return
        stated = Graph(len(self.steps), self.edges).descendants
        free = Flow(Procedure("", tuple(self.steps)))
        for i in range(len(self.steps)):
            for j in members(free.disputed(i) >> i + 1 << i + 1):
                if not stated[j] >> i & 1:
                    self.edges.setdefault((i, j), self.marks[j])

    def _chain(self, node: Node) -> None:
        if isinstance(node.value, str):
            parts = [part.strip() for part in node.value.split("->")]
            links = [Node(node.mark, part) for part in parts]
        else:
            links = self._list(node, "a chain of order")
        if len(links) < 2:
            self._fail(
                node.mark, "a chain of one step; write at least two, such as [first, second]"
            )
        steps = [self._reference(link) for link in links]
        for place in range(len(steps) - 1):
            self.edges.setdefault((steps[place], steps[place + 1]), links[place].mark)

    def _reference(self, node: Node) -> int:
        """The step that a name or a number means."""
        name = self._string(node, "a step")
        found = self.named.get(name, [])
        if len(found) > 1:
            both = " and ".join(str(step + 1) for step in found[:2])
            self._fail(node.mark, f"'{name}' is the text of steps {both}; give each a name")
        number = found[0] if found else self._number(name)
        if number is None:
            hint = self._hint(name, self.named, "give the name of a step, or its number")
            self._fail(node.mark, f"unknown step '{name}'{hint}")
        if not 0 <= number < len(self.steps):
            last = len(self.steps) - 1 + self.first
            self._fail(node.mark, f"there is no step {name}; steps are {self.first} to {last}")
        return number

    def _number(self, name: str) -> int | None:
        is_number = name.isascii() and name.isdigit() and len(name) < 10
        return int(name) - self.first if is_number else None

    def _fail_cyclic(self, cycle: Sequence[int]) -> NoReturn:
        pair = (cycle[-1], cycle[0])
        names = [
            f"{step + 1} ({self.names[step]})" if self.names[step] else str(step + 1)
            for step in (*cycle, cycle[0])
        ]
        self._fail(
            self.edges[pair],
            f"the order is cyclic: step {' -> '.join(names)}; take one of these out",
        )

    # Nodes --------------------------------------------------------------------------------------

    def _mapping(self, node: Node, keys: Sequence[str] | None, what: str) -> dict[str, Node]:
        if not isinstance(node.value, dict):
            self._fail(node.mark, f"{what} is a mapping of keys to values, not {node.kind}")
        for key, mark in node.keys.items():
            if keys is not None and key not in keys:
                close = get_close_matches(key, keys, n=1, cutoff=0.6)
                hint = f"; did you mean '{close[0]}'?" if close else f" (known: {', '.join(keys)})"
                self._fail(mark, f"unknown key '{key}' of {what}{hint}")
        return node.value

    def _list(self, node: Node, what: str) -> list[Node]:
        if not isinstance(node.value, list):
            self._fail(node.mark, f"{what} is a list, not {node.kind}")
        return node.value

    def _string(self, node: Node, what: str) -> str:
        if not isinstance(node.value, str) or not node.value.strip():
            kind = "empty" if isinstance(node.value, str) else node.kind
            self._fail(node.mark, f"{what} is text, not {kind}")
        return " ".join(node.value.split())

    def _needed(self, node: Node, held: dict[str, Node], key: str) -> Node:
        if key not in held:
            self._fail(node.mark, f"no {key}; a procedure has a goal and steps")
        return held[key]

    def _fail(self, mark: Mark, message: str) -> NoReturn:
        raise SourceError(self.path, mark, message)
