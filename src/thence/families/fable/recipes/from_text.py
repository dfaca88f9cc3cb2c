"""Sound questions about a recipe of which only the text is known, with their surface cues."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from thence.core.procedure import Procedure
from thence.dataflow import Flow, analysis
from thence.domains.recipes.lowering import IN_ANY_FORM
from thence.families.fable.recipes.intervals import intervals, recompute
from thence.families.fable.recipes.kitchen import (
    Kitchen,
    flow,
    manner,
    mentioned,
    named,
    opening,
    risky,
    words,
)
from thence.families.fable.recipes.question_base import form, instance, undone
from thence.families.fable.shared.domain import Case, Instance

_NO_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "in",
        "into",
        "on",
        "onto",
        "over",
        "of",
        "and",
        "to",
        "for",
        "with",
        "until",
        "it",
        "them",
        "then",
        "or",
        "from",
        "at",
        "about",
        "minute",
        "hour",
        "after",
        "before",
        "more",
        "well",
    ]
)


_ADDED_UP = {"sum": 3, "through": 3}  # against 1 for a value stated in a step


def sound(name: str, case: Kitchen, rng: Random) -> Sequence[Instance]:
    """Return the useful questions of an analysis about the text of a recipe as it stands."""
    found = [each for each in _ASK[name](case) if _within(case, each.question)]
    if name != "intervals" or not found:
        return found
    kinds = list(dict.fromkeys(each.question["what"] for each in found))
    # Most stated values can be read off; values that need a sum are asked for more often.
    (kind,) = rng.choices(kinds, [_ADDED_UP.get(each, 1) for each in kinds])
    return [each for each in found if each.question["what"] == kind]


def _within(case: Kitchen, question: Mapping[str, Any]) -> bool:
    """Return whether a question stays within the curated vocabulary."""
    named = (question.get("fact"), question.get("of"), question.get("ingredient"))
    return all(case.allows(name) for name in named if name)


def _carried(name: str) -> Callable[[Kitchen], Iterator[Instance]]:
    """Return a source of questions about reaching and available definitions of step i at step j."""

    def ask(case: Kitchen) -> Iterator[Instance]:
        ready, decide = flow(case.procedure), analysis(name).decide
        steps = case.procedure.steps
        said = _namings(case)
        for i, step in enumerate(steps):
            for fact in step.defines:
                if not mentioned(fact, step.text) and fact.endswith(IN_ANY_FORM):
                    continue
                between = 0
                for j in range(i + 1, len(steps)):
                    there = said[fact][j]
                    cues = (_head(fact), j - i, there, min(between, 2))
                    between += there
                    verdict = decide(ready, i=i, j=j, fact=fact)
                    yield instance(name, verdict, i, j, fact, cues, steps=steps)

    return ask


def _needed(name: str) -> Callable[[Kitchen], Iterator[Instance]]:
    """Return a source of questions about live and very busy facts after step i."""

    def ask(case: Kitchen) -> Iterator[Instance]:
        ready, decide = flow(case.procedure), analysis(name).decide
        steps = case.procedure.steps
        there: dict[str, int] = {}
        remade, said = _remade(case), _namings(case)
        for i, step in enumerate(steps[:-1]):
            there.update(dict.fromkeys(step.defines, i))
            for fact, made in there.items():
                if (made != i and not ready.precedes(made, i)) or fact in remade:
                    continue  # in some order it would not be there yet, or be another one
                later = sum(said[fact][i + 1 :])
                cues = (_head(fact), min(later, 2), i - made)
                verdict = decide(ready, i=i, fact=fact)
                yield instance(name, verdict, i, None, fact, cues, steps=steps, made=made)

    return ask


def _head(fact: str) -> str:
    """Return the last word of a fact, marked if the fact is followed into mixtures."""
    return f"{form(fact)} {fact.removesuffix(IN_ANY_FORM).rpartition(' ')[2]}"


def _namings(case: Kitchen) -> dict[str, list[bool]]:
    """Return fact -> for each step, whether its text names the fact."""
    texts = [step.text for step in case.procedure.steps]
    facts = dict.fromkeys(fact for step in case.procedure.steps for fact in step.defines)
    return {fact: [named(fact, text) for text in texts] for fact in facts}


def _remade(case: Kitchen) -> set[str]:
    """Return the facts that are made more than once from scratch."""
    once: set[str] = set()
    twice: set[str] = set()
    for step in case.procedure.steps:
        for fact in step.defines:
            if fact not in step.uses:
                (twice if fact in once else once).add(fact)
    return twice


def _type_state(case: Kitchen) -> Iterator[Instance]:
    ready, decide = flow(case.procedure), analysis("type_state").decide
    steps = case.procedure.steps
    said = [words(step.text) for step in steps]
    for i in range(len(steps)):
        lost = undone(steps, i)
        for j in range(i + 1, len(steps)):
            verdict = decide(ready, i=i, j=j)
            if bool(verdict.answer) == (j in lost):
                continue  # it depends on whether steps between are carried out without their needs
            spelled = any(words(fact) <= said[j] for fact in steps[i].defines)
            alike = len((said[i] & said[j]) - _NO_WORDS)
            cues = (
                opening(steps[i].text),
                opening(steps[j].text),
                spelled,
                j - i,
                min(alike, 2),
            )
            yield instance("type_state", verdict, i, j, None, cues, steps=steps)


def _concurrency(case: Kitchen) -> Iterator[Instance]:
    ready, decide = flow(case.plain), analysis("concurrency").decide
    shown = Case(case.plain, case.source)
    steps = case.plain.steps
    said = [words(step.text) - _NO_WORDS for step in steps]
    for i in range(len(steps)):
        for j in range(i + 1, len(steps)):
            verdict = decide(ready, i=i, j=j)
            start = steps[j].text[:12].lower()
            cues = (
                j - i,
                start.startswith(("meanwhile", "in the mean", "while")),
                len(steps) - j,
                min(len(said[i] & said[j]), 2),
                f"{manner(steps[i].text)}-{manner(steps[j].text)}",
            )
            yield instance("concurrency", verdict, i, j, None, cues, shown)


def _taint(case: Kitchen) -> Iterator[Instance]:
    ready, decide = flow(case.plain), analysis("taint").decide
    shown = Case(case.plain, case.source)
    steps = case.plain.steps
    heats = list(case.heats)
    for i in range(len(steps)):
        for name, kind in risky(case, i):
            holding = [
                fact for fact in steps[i].defines if name in case.raw[i].get(fact, frozenset())
            ]
            if len(holding) != 1:
                continue  # cooked at once, or in two places that one question cannot name
            for j in range(i + 1, len(steps)):
                verdict = decide(
                    ready, i=i, j=j, fact=holding[0], sanitizers=[k for k in heats if k != i]
                )
                before = case.raw[j - 1]
                reaches = any(name in before.get(fact, ()) for fact in steps[j].uses)
                if bool(verdict.answer) != reaches:
                    continue  # a step cooks one thing and passes on another
                cues = (
                    named(holding[0], steps[j].text),
                    j - i,
                    len(steps) - j,
                    opening(steps[j].text),
                    any(i < k < j for k in heats),
                )
                yield instance(
                    "taint",
                    verdict,
                    i,
                    j,
                    holding[0],
                    cues,
                    shown,
                    ingredient=name,
                    hazard=kind,
                    sanitizers=[k for k in heats if k != i],
                )


_ASK: dict[str, Callable[[Kitchen], Iterator[Instance]]] = {
    "reaching_definitions": _carried("reaching_definitions"),
    "available_expressions": _carried("available_expressions"),
    "live_variables": _needed("live_variables"),
    "very_busy_expressions": _needed("very_busy_expressions"),
    "intervals": intervals,
    "type_state": _type_state,
    "concurrency": _concurrency,
    "taint": _taint,
}


def truth(name: str, procedure: Procedure, question: Mapping[str, Any]) -> Any:
    """Return the answer to such a question from procedure and question alone."""
    if name == "intervals":
        return recompute(question, procedure.steps)
    asked = {key: question[key] for key in ("i", "j", "fact") if question.get(key) is not None}
    if name == "taint":
        asked["sanitizers"] = question["sanitizers"]
    return "Yes" if analysis(name).decide(Flow(procedure), **asked).answer else "No"
