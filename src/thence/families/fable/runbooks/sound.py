"""Sound questions about written procedures: any step, fact and order, by the analyses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations, islice, product
from random import Random
from typing import Any

from thence.core.procedure import Procedure
from thence.dataflow import Flow, analysis, conflicts
from thence.dataflow.depth import depth
from thence.dataflow.flow import Role
from thence.families.fable.runbooks import intervals, words
from thence.families.fable.runbooks.words import Mistakes
from thence.families.fable.shared.analyses import INTERVALS
from thence.families.fable.shared.blocks import DEEPEST, flow_question
from thence.families.fable.shared.candidate_turns import Kind, in_turns
from thence.families.fable.shared.chains import one_order_shows
from thence.families.fable.shared.divided_reasons import finer_reason
from thence.families.fable.shared.domain import Case, Cue, Instance
from thence.families.fable.shared.needed_parts import SHALLOW, NeededParts

_KNOWN, _OF_EACH = 15_000, 120  # candidates whose kinds are found: in all, and of each at least
_MOST = 2_400  # candidates of a block that are looked at

_SUPPLIERS = "suppliers_ignored"  # a strategy that answers few questions wrongly

type Asked = dict[str, Any]


@dataclass(frozen=True, eq=False)
class ShownProcedure:
    """A procedure as it is shown.

    Attributes:
        case: the procedure that questions share as their cluster.
        shown: the same, or a variant of it.
        remark: a sentence that every question about it begins with, or nothing.
        mistakes: those in its list.
    """

    case: Case
    shown: Case
    remark: str
    mistakes: Mistakes = Mistakes.NONE

    @property
    def is_changed(self) -> bool:
        """Whether its list has mistakes."""
        return self.mistakes is not Mistakes.NONE

    @cached_property
    def flow(self) -> Flow:
        """The flow of the procedure that is shown."""
        return Flow(self.shown.procedure)

    @cached_property
    def parts(self) -> NeededParts:
        """The parts of the analysis that questions about it need."""
        return NeededParts(self.flow)

    def kind(self, name: str, asked: Asked) -> Kind:
        """Return the answer to a question, what it needs, how far it goes, and in which list."""
        answer, wrong = self.parts.of(name, asked)
        if self.is_listed and self.parts.errs(_SUPPLIERS, name, asked, answer):
            wrong = (*wrong, _SUPPLIERS)
        far = self.parts.links(asked)
        if (name, answer) in SHALLOW:
            far = depth(self.flow, name, flow_question(asked))
        return answer, wrong, min(far, DEEPEST), self.mistakes, self._met(name, asked)

    def _met(self, name: str, asked: Asked) -> frozenset[tuple[Role, Role]]:
        """Return what two steps, of which either can come first, do to the same fact."""
        if name != "concurrency":
            return frozenset()
        i, j = asked["i"], asked["j"]
        if self.flow.precedes(i, j) or self.flow.precedes(j, i):
            return frozenset()
        found = conflicts(self.flow.steps[i], self.flow.steps[j])
        return frozenset((each.first, each.second) for each in found)

    @cached_property
    def reading(self) -> list[str]:
        """The sentences that tell how it is to be read."""
        return words.reading(self.flow, self.mistakes)

    def notes(self, *, timed: bool) -> list[str]:
        """Return what stands under each step."""
        return self._timed if timed else self._untimed

    @cached_property
    def _timed(self) -> list[str]:
        return words.notes(self.flow, self.mistakes, timed=True)

    @cached_property
    def _untimed(self) -> list[str]:
        return words.notes(self.flow, self.mistakes, timed=False)

    @cached_property
    def is_listed(self) -> bool:
        """Whether its steps are listed in a permitted order."""
        return all(a < b for a, b in self.shown.procedure.order)


def truth(name: str, procedure: Procedure, question: Mapping[str, Any]) -> Any:
    """Return the answer to a question from procedure and question alone."""
    flow = Flow(procedure)
    if name == INTERVALS:
        return intervals.target(flow, question["j"])
    asked = {key: question[key] for key in ("i", "j", "fact") if question.get(key) is not None}
    if name == "taint":
        asked["sanitizers"] = question["sanitizers"]
    return "Yes" if analysis(name).decide(flow, **asked).answer else "No"


def ask(
    name: str, sheets: Sequence[ShownProcedure], rng: Random
) -> Iterator[tuple[Case, Instance]]:
    """Yield questions of an analysis about some procedures, those first of whose kind are few.

    A kind is an answer, the parts of the analysis that are needed for it and the links of its
    proof.
    """
    sheets = [each for each in sheets if not (each.is_changed and name == INTERVALS)]
    each = max(_OF_EACH, _KNOWN // max(len(sheets), 1))
    kinds: list[tuple[str, Kind, tuple[ShownProcedure, Asked]]] = []
    for sheet in sheets:
        asked = list(_CANDIDATES[name](sheet, rng))
        for question in rng.sample(asked, min(len(asked), each)):
            kind = () if name == INTERVALS else sheet.kind(name, question)
            kinds.append((sheet.case.procedure.goal, kind, (sheet, question)))
    for (sheet, question), _ in islice(in_turns(kinds, rng), _MOST):
        found = _instance(name, sheet, question)
        if found is not None:
            yield sheet.case, found


def _instance(name: str, sheet: ShownProcedure, asked: Asked) -> Instance | None:
    flow = sheet.flow
    common = {
        "reading": sheet.reading,
        "notes": sheet.notes(timed=name == INTERVALS),
        "start": list(flow.procedure.start or sorted(flow.start)),
        "scope": words.scope(name, flow, asked),
        "remark": sheet.remark,
    }
    if name == INTERVALS:
        found = intervals.instance(flow, asked["j"], common)
        return found and _about(found, sheet)
    verdict = analysis(name).decide(flow, **asked)
    if name == "taint" and not one_order_shows(flow, flow_question(asked)):
        return None  # each link can hold, but not all of them in one order
    question = {key: asked.get(key) for key in ("i", "j", "fact")}
    if name == "taint":
        question["sanitizers"] = asked["sanitizers"]
    return _about(
        Instance(
            {"kind": name, **question, **common},
            "Yes" if verdict.answer else "No",
            "",
            reasons=lambda: words.explained(flow, verdict, asked, sheet.mistakes),
            flow=flow,
            reason=partial(finer_reason, flow, name, flow_question(asked)),
            needs=partial(sheet.parts.needs, name, asked) if sheet.is_listed else None,
            quotas=frozenset(_quotas(name, sheet, asked)),
        ),
        sheet,
    )


def _about(instance: Instance, sheet: ShownProcedure) -> Instance:
    cues: tuple[Cue, ...] = (str(sheet.shown.source.get("name")), sheet.mistakes.value)
    if sheet.case is sheet.shown:  # a user's own, of which there are few
        asked = instance.question
        cues = (*cues, *(str(asked[name]) for name in ("i", "j", "fact")))
    return replace(instance, case=sheet.shown, cues=cues)


def _quotas(name: str, sheet: ShownProcedure, asked: Asked) -> Iterator[str]:
    """Yield what half of the questions with an answer should have."""
    fact, j = asked.get("fact"), asked.get("j")
    if fact is not None and j is not None and sheet.flow.does(j, Role.USE, fact):
        yield "needed"
    if not sheet.is_changed and name != "type_state":  # a mistake decides most of those
        yield "works"


# Candidates -------------------------------------------------------------------------------------


def _definitions(sheet: ShownProcedure, _: Random) -> Iterator[Asked]:
    for i, step in enumerate(sheet.flow.steps):
        for fact in step.defines:
            yield {"i": i, "fact": fact}


def _facts_and_steps(sheet: ShownProcedure, _: Random) -> Iterator[Asked]:
    """Yield pairs of a fact that some step provides and any step."""
    for fact in sorted({fact for step in sheet.flow.steps for fact in step.defines}):
        for i in range(len(sheet.flow)):
            yield {"i": i, "fact": fact}


def _definitions_and_steps(sheet: ShownProcedure, rng: Random) -> Iterator[Asked]:
    """Yield pairs of a definition and another step, few of them always before it."""
    flow = sheet.flow
    for each in _definitions(sheet, rng):
        for j in range(len(flow)):
            late = not flow.precedes(j, each["i"]) and flow.is_possible(each["i"], j)
            if j != each["i"] and (late or rng.random() < 0.2):
                yield {**each, "j": j}


def _made_and_needed(sheet: ShownProcedure, rng: Random) -> Iterator[Asked]:
    """Yield pairs of a step and another that needs what it provides or ends."""
    steps, flow = sheet.flow.steps, sheet.flow
    for i, j in product(range(len(steps)), repeat=2):
        if i != j and not flow.precedes(j, i) and flow.is_possible(i, j):
            made = not {*steps[i].defines}.isdisjoint(steps[j].uses)
            if made or (not {*steps[i].kills}.isdisjoint(steps[j].uses) and rng.random() < 0.3):
                yield {"i": i, "j": j}


def _contaminations(sheet: ShownProcedure, rng: Random) -> Iterator[Asked]:
    """Yield pairs of a step and another that needs something, and which step is checked."""
    flow = sheet.flow
    for i, j in product(range(len(flow)), repeat=2):
        if i == j or not flow.steps[i].defines or not flow.steps[j].uses:
            continue
        if flow.precedes(j, i) and rng.random() < 0.8:
            continue
        between = [k for k in range(len(flow)) if k not in (i, j) and flow.steps[k].defines]
        inside = [k for k in between if flow.precedes(i, k) and flow.precedes(k, j)]
        if between:
            pool = inside if inside and rng.random() < 0.7 else between
            yield {"i": i, "j": j, "sanitizers": [rng.choice(pool)]}


def _pairs(sheet: ShownProcedure, rng: Random) -> Iterator[Asked]:
    for i, j in combinations(range(len(sheet.flow)), 2):
        yield {"i": i, "j": j} if rng.random() < 0.5 else {"i": j, "j": i}


def _times(sheet: ShownProcedure, _: Random) -> Iterator[Asked]:
    for j, step in enumerate(sheet.flow.steps):
        if step.seconds is not None and sheet.flow.ancestors[j]:
            yield {"j": j}


_CANDIDATES: Mapping[str, Callable[[ShownProcedure, Random], Iterator[Asked]]] = {
    "reaching_definitions": _definitions_and_steps,
    "available_expressions": _definitions_and_steps,
    "very_busy_expressions": _facts_and_steps,
    "live_variables": _facts_and_steps,
    INTERVALS: _times,
    "type_state": _made_and_needed,
    "taint": _contaminations,
    "concurrency": _pairs,
}
