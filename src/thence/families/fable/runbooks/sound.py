"""Sound questions about written procedures: any step, fact and order, by the analyses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from random import Random
from typing import Any

from thence.core.procedure import Procedure
from thence.dataflow import Flow, analysis
from thence.dataflow.flow import Role
from thence.families.fable.runbooks import intervals, words
from thence.families.fable.runbooks.candidates import Candidate, candidates, twins
from thence.families.fable.runbooks.shown_procedures import Asked, ShownProcedure
from thence.families.fable.shared.analyses import INTERVALS
from thence.families.fable.shared.blocks import flow_question
from thence.families.fable.shared.candidate_turns import Kind, in_turns
from thence.families.fable.shared.chains import one_order_shows
from thence.families.fable.shared.divided_reasons import finer_reason
from thence.families.fable.shared.domain import Case, Cue, Instance, Quota
from thence.families.fable.shared.traits import Traits

_KNOWN, _OF_EACH = 15_000, 120  # candidates without both answers: in all, and of each at least
_MOST = 3_600  # candidates of a block that are looked at
_WORKING: Mapping[str, float] = {
    "reaching_definitions": 0.1,
    "live_variables": 0.1,
    "type_state": 0,  # a mistake decides most
}
"""Least share of the questions about lists without mistakes, if not half: of such lists one look
often tells the answer. Where there are fewer candidates, as many as there are."""


def truth(name: str, procedure: Procedure, question: Mapping[str, Any]) -> Any:
    """Return the answer to a question from procedure and question alone."""
    flow = Flow(procedure)
    if name == INTERVALS:
        return intervals.answer(flow, question["j"])
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
    told: set[int] = set()
    turns = in_turns(_with_kinds(name, sheets, rng), rng)
    for sheet, question in islice(chain.from_iterable(each for each, _ in turns), _MOST):
        if id(question) in told:
            continue
        told.add(id(question))
        found = _instance(name, sheet, question)
        if found is not None:
            yield sheet.case, found


def _with_kinds(
    name: str, sheets: Sequence[ShownProcedure], rng: Random
) -> Iterator[tuple[str, Kind, tuple[Candidate, ...]]]:
    """Yield candidates with their procedure and kind, each followed by its twin if it has one."""
    if name == INTERVALS:
        for one in _some(name, [each for each in sheets if not each.is_changed], rng):
            yield _goal(one), (), (one,)
    elif any(each.is_own for each in sheets):  # there are no variants, and so no twins
        for one in _some(name, sheets, rng):
            yield _goal(one), one[0].kind(name, one[1]), (one,)
    else:
        for held in twins(name, sheets, rng):
            for place, (kind, one) in enumerate(held):
                others = (other for _, other in (*held[:place], *held[place + 1 :]))
                yield _goal(one), kind, (one, *others)


def _goal(one: Candidate) -> str:
    return one[0].case.procedure.goal


def _some(name: str, sheets: Sequence[ShownProcedure], rng: Random) -> Iterator[Candidate]:
    """Yield some candidates about each procedure."""
    few = max(_OF_EACH, _KNOWN // max(len(sheets), 1))
    for sheet in sheets:
        every = list(candidates(name, [sheet], rng))
        yield from rng.sample(every, min(len(every), few))


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
            traits=Traits(
                flow,
                name,
                flow_question(asked),
                reason=partial(finer_reason, flow, name, flow_question(asked)),
                needs=partial(sheet.parts.needs, name, asked) if sheet.is_listed else None,
            ),
            quotas=frozenset(_quotas(name, sheet, asked)),
        ),
        sheet,
    )


def _about(instance: Instance, sheet: ShownProcedure) -> Instance:
    cues: tuple[Cue, ...] = (str(sheet.shown.source.get("name")), sheet.mistakes.value)
    if sheet.is_own:
        asked = instance.question
        cues = (*cues, *(str(asked[name]) for name in ("i", "j", "fact")))
    return replace(instance, case=sheet.shown, cues=cues)


def _quotas(name: str, sheet: ShownProcedure, asked: Asked) -> Iterator[Quota]:
    """Yield what at least a share of the questions with an answer should have."""
    fact, j = asked.get("fact"), asked.get("j")
    if fact is not None and j is not None and sheet.flow.does(j, Role.USE, fact):
        yield Quota("needed", 0.3 if name == "reaching_definitions" else 0.5)
    if not sheet.is_changed and (share := _WORKING.get(name, 0.5)):
        yield Quota("works", share)
