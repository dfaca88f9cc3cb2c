"""A user's procedure, read from a file, with the places of its steps and facts in that file.

Steps are called by name or by number, counted from 1. Without ``order`` the text decides between
steps that conflict, and the others are free; ``order: text`` keeps to the text; a list of chains
such as ``[whisk, fry, serve]`` is the order itself. Steps may depend on options of choices; the
order does not, and holds through steps that are left out. A file that ends in ``.json`` holds a
procedure as samples do, its order counted from 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations, islice, pairwise
from pathlib import Path
from typing import NoReturn

from thence.core.amounts import CENTURY
from thence.core.graph import Graph, members
from thence.core.procedure import Choice, Pair, Procedure, Quantity, Step, Taken
from thence.core.registry import nearest
from thence.dataflow import Flow, Role, conflict_order, excludes
from thence.errors import ParameterError
from thence.procedures.form_values import BY_CONFLICT
from thence.procedures.yaml_form import ProcedureForm, StepForm, read_form
from thence.procedures.yaml_source import (
    Items,
    Mark,
    SourceError,
    YamlMapping,
    YamlText,
    parse_yaml,
    read_text,
)
from thence.system.disk import file_hash

MOST_STEPS = 100_000  # what each can reach takes memory and time by their square
_COMPARED = 10_000  # names among which a misspelt one is looked for, and characters of one
_LONGEST_NAME = 100


@dataclass
class Document:
    """A procedure, and where its parts stand; without marks where it comes from no file.

    Attributes:
        flow: of the procedure.
        path: the file.
        lines: its text.
        names: what each step is called, empty where it has no name.
        results: the facts that the procedure is done for; None where the file does not say.
        order: how the order came about, in words.
        facts: where a step's fact stands, by step, role and fact.
        starts: the facts of the start, where each stands.
        ends: where each result stands.
        options: where each option of each choice stands.
        whens: where the options of a step stand.
        form: all that the file says; None where the procedure comes from no file.
    """

    flow: Flow
    path: Path | None = None
    lines: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    results: tuple[str, ...] | None = None
    order: str = "as given"
    facts: dict[tuple[int, Role, str], Mark] = field(default_factory=dict)
    starts: dict[str, Mark | None] = field(default_factory=dict)
    ends: dict[str, Mark] = field(default_factory=dict)
    options: dict[Taken, Mark] = field(default_factory=dict)
    whens: dict[int, Mark] = field(default_factory=dict)
    form: ProcedureForm | None = None

    @property
    def unreviewed(self) -> bool:
        """Whether it was extracted from a text, and no person has confirmed it as it is."""
        return bool(self.unreviewed_because)

    @property
    def unreviewed_because(self) -> str:
        """Why it counts as unreviewed, with the mend; empty where it does not.

        What was confirmed is the reading of one text: where another one lies beside, it is not.
        """
        form = self.form
        if form is None or form.extracted is None:
            return ""
        if not form.reviewed:
            return (
                "it was extracted from a text and nobody reviewed it; review it, or write "
                "'reviewed: true'"
            )
        if any("reviewed" in step.model_fields_set and not step.reviewed for step in form.steps):
            return "a step of it says 'reviewed: false'; review it"
        if self._is_of_another_text():
            return f"{form.extracted.text} is not the text that was confirmed; extract it anew"
        return ""

    def _is_of_another_text(self) -> bool:
        """Return whether the text beside the file is not the one that it was extracted from."""
        stamp = self.form.extracted if self.form else None
        if self.path is None or stamp is None or not (stamp.text and stamp.sha256):
            return False
        place = self.path.parent / Path(stamp.text).name
        return place.is_file() and file_hash(place) != stamp.sha256

    @classmethod
    def of(cls, procedure: Procedure) -> Document:
        """Return the document of a procedure that comes from no file.

        Raises:
            ParameterError: it has no steps, an order of other steps, or a time that is none.
            CyclicOrder: it cannot be executed.
        """
        _check(procedure)
        flow = Flow(replace(procedure, order=tuple(Flow(procedure).reduced.edges)))
        start = sorted(flow.start) if procedure.start is None else procedure.start
        return cls(flow, names=[""] * len(flow), starts=dict.fromkeys(start))

    def title(self, step: int) -> str:
        """Return a step as a message names it, such as ``step 3 (fry)``."""
        name = self.names[step]
        return f"step {step + 1} ({name})" if name else f"step {step + 1}"


def read_document(path: Path) -> Document:
    """Return the procedure of a file.

    Raises:
        FileError: the file cannot be read.
        SourceError: it is not a procedure; says where and what.
    """
    return parse_document(read_text(path), path)


def parse_document(text: str, path: Path) -> Document:
    """Return the procedure of the text of a file.

    Raises:
        SourceError: it is not a procedure; says where and what.
    """
    root = parse_yaml(text, path)
    steps = root.get("steps") if isinstance(root, YamlMapping) else None
    if isinstance(steps, Items) and len(steps) > MOST_STEPS:
        reason = f"{len(steps):,} steps are too many; a procedure has at most {MOST_STEPS:,}"
        raise SourceError(path, steps[MOST_STEPS].mark, reason)
    form = read_form(root, path)
    marks = [step.mark for step in steps] if isinstance(steps, Items) else []
    return _Reader(path, form, marks).document(text)


class _Reader:
    """The names of one file, while its steps and facts are looked up."""

    def __init__(self, path: Path, form: ProcedureForm, marks: list[Mark]) -> None:
        self.path = path
        self.form = form
        self.marks = marks  # of the steps
        self.first = 0 if path.suffix == ".json" else 1  # the number of the first step
        self.named: dict[str, int] = {}
        self.texts: dict[str, list[int]] = {}  # of the steps without a name
        self.edges: dict[Pair, Mark] = {}
        self.choices: tuple[Choice, ...] = ()

    def document(self, text: str) -> Document:
        """Return the document, once every name in it is known."""
        form = self.form
        self._collect_names()
        starts, ends = _marks(form.start), _marks(form.results)
        facts = {
            (number, role, str(fact)): fact.mark
            for number, step in enumerate(form.steps)
            for role in Role
            for fact in getattr(step, role.value)
        }
        self._check_facts()
        self._check_options()
        steps = tuple(map(_step, form.steps))
        self.choices = tuple(
            Choice(str(name), tuple(map(str, options))) for name, options in form.choices.items()
        )
        order, origin = self._order(steps)
        given = form.model_fields_set
        start = tuple(starts) if "start" in given else None
        return Document(
            flow=Flow(Procedure(str(form.goal), steps, order, start, self.choices)),
            path=self.path,
            lines=text.split("\n"),
            names=[str(step.name or "") for step in form.steps],
            results=tuple(ends) if "results" in given else None,
            order=origin,
            facts=facts,
            starts=dict(starts),
            ends=ends,
            options={
                (str(name), str(option)): option.mark
                for name, options in form.choices.items()
                for option in options
            },
            whens={k: step.when[-1][0].mark for k, step in enumerate(form.steps) if step.when},
            form=form,
        )

    def _collect_names(self) -> None:
        for number, step in enumerate(self.form.steps):
            name = step.name
            if name and name in self.named:
                earlier = self.marks[self.named[name]]
                self._fail(
                    name.mark,
                    f"step name '{name}' stands on line {earlier.line} already; names tell steps "
                    "apart",
                )
            if name:
                self.named[str(name)] = number
            else:
                self.texts.setdefault(str(step.text), []).append(number)

    def _check_facts(self) -> None:
        """Refuse a fact that the vocabulary lacks, and a result that nothing touches."""
        form = self.form
        touching = [
            fact for step in form.steps for facts in (step.uses, step.kills, step.defines)
            for fact in facts
        ]  # fmt: skip
        if "facts" in form.model_fields_set:
            known = dict.fromkeys(form.facts)
            for fact in (*touching, *form.start, *form.results):
                if fact not in known:
                    hint = near(fact, known) or "; add it to facts"
                    self._fail(fact.mark, f"unknown fact '{fact}'{hint}")
        touched = dict.fromkeys([*touching, *form.start])
        for fact in form.results:
            if fact not in touched:
                hint = near(fact, touched) or "; neither a step nor start names it"
                self._fail(fact.mark, f"unknown fact '{fact}'{hint}")

    def _check_options(self) -> None:
        """Refuse an option that no choice has."""
        known = self.form.choices
        for name, option in (taken for step in self.form.steps for taken in step.when):
            if name not in known:
                hint = near(name, known) or "; add it to choices"
                self._fail(name.mark, f"unknown choice '{name}'{hint}")
            if option not in known[name]:
                hint = near(option, known[name]) or f"; add it to the options of '{name}'"
                self._fail(option.mark, f"unknown option '{option}' of choice '{name}'{hint}")

    # Order ---------------------------------------------------------------------------------------

    def _order(self, steps: tuple[Step, ...]) -> tuple[tuple[Pair, ...], str]:
        """Return the order, transitively reduced, and how it came about."""
        for number, step in enumerate(self.form.steps):
            for each in step.after:
                self.edges.setdefault((self._reference(each), number), each.mark)
        order, origin = self.form.order, "as the file states it"
        if order == BY_CONFLICT:
            self._order_conflicts(steps)
            origin = "by what the steps do to facts"
        elif not isinstance(order, list):
            for i, j in pairwise(range(len(steps))):
                self.edges.setdefault((i, j), self.marks[j])
            origin = "as the text has it"
        else:
            for chain in order:
                links = [(self._reference(link), link) for link in chain]
                for (i, link), (j, _) in pairwise(links):
                    self.edges.setdefault((i, j), link.mark)
        graph = Graph(len(steps), self.edges)
        cycle = graph.a_cycle()
        if cycle is not None:
            titles = [self._title(step) for step in (*cycle, cycle[0])]
            apart = any(excludes(steps[i], steps[j]) for i, j in combinations(cycle, 2))
            also = ", as the order is one for all options" if apart else ""
            self._fail(
                self.edges[cycle[-1], cycle[0]],
                f"the order is cyclic: step {' -> '.join(titles)}; take one of these out{also}",
            )
        return tuple(sorted(graph.transitive_reduction())), origin

    def _order_conflicts(self, steps: tuple[Step, ...]) -> None:
        """Add the pairs that conflicts demand, in the order of the text where none is stated."""
        if all(i < j for i, j in self.edges):
            for i, j in conflict_order(steps):
                self.edges.setdefault((i, j), self.marks[j])
            return
        stated = Graph(len(steps), self.edges).descendants
        free = Flow(Procedure("", steps, choices=self.choices))
        for i in range(len(steps)):
            for j in members((free.conflicting(i) & free.alongside(i)) >> i + 1 << i + 1):
                if not stated[j] >> i & 1:
                    self.edges.setdefault((i, j), self.marks[j])

    def _reference(self, name: YamlText) -> int:
        """Return the step that a name or a number means."""
        if name in self.named:
            return self.named[name]
        found = self.texts.get(name, [])
        if len(found) > 1:
            both = " and ".join(str(step + 1) for step in found[:2])
            self._fail(name.mark, f"'{name}' is the text of steps {both}; give each a name")
        if found:
            return found[0]
        if not (name.isascii() and name.isdigit() and len(name) < 10):
            hint = (
                near(name, [*self.named, *self.texts]) or "; give the name of a step, or its number"
            )
            self._fail(name.mark, f"unknown step '{name}'{hint}")
        number, count = int(name) - self.first, len(self.form.steps)
        if not 0 <= number < count:
            last = count - 1 + self.first
            self._fail(name.mark, f"there is no step {name}; steps are {self.first} to {last}")
        return number

    def _title(self, step: int) -> str:
        name = self.form.steps[step].name
        return f"{step + 1} ({name})" if name else str(step + 1)

    def _fail(self, mark: Mark, message: str) -> NoReturn:
        raise SourceError(self.path, mark, message)


def _check(procedure: Procedure) -> None:
    """Refuse what no file could hold."""
    count = len(procedure.steps)
    if not count:
        raise ParameterError(
            "procedure", procedure.goal, "has no steps; a procedure has one or more"
        )
    for pair in procedure.order:
        if not all(0 <= step < count for step in pair):
            raise ParameterError(
                "order", pair, f"names a step that there is not; steps are 0 to {count - 1}"
            )
    for number, step in enumerate(procedure.steps):
        low, high = step.seconds or (0.0, 0.0)
        if not 0 <= low <= high <= CENTURY:
            raise ParameterError(
                "seconds",
                step.seconds,
                f"of step {number} is no time; give the least and the most, of 0 or more",
            )


def near(name: str, known: Iterable[str]) -> str:
    """Return a hint such as ``; did you mean 'egg'?``, or nothing; a bounded search."""
    names = [each for each in islice(known, _COMPARED) if len(each) <= _LONGEST_NAME]
    return nearest(name, names, cutoff=0.7) if len(name) <= _LONGEST_NAME else ""


def _step(form: StepForm) -> Step:
    return Step(
        text=str(form.text or form.name),
        uses=tuple(map(str, form.uses)),
        defines=tuple(map(str, form.defines)),
        kills=tuple(map(str, form.kills)),
        seconds=form.duration or form.seconds,
        quantities=tuple(
            Quantity(str(each.of), each.low, each.high, each.unit) for each in form.quantities
        ),
        when=tuple((str(choice), str(option)) for choice, option in form.when),
    )


def _marks(facts: list[YamlText]) -> dict[str, Mark]:
    return {str(fact): fact.mark for fact in facts}
