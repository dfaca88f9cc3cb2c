"""Recipe questions in the published dialect, with FABLE's wording and answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from thence.domains.recipes.hazards import hazard
from thence.domains.recipes.lowering import reachable
from thence.families.fable.recipes import published as rules
from thence.families.fable.recipes.intervals import target
from thence.families.fable.recipes.kitchen import Kitchen
from thence.families.fable.recipes.question_base import plural
from thence.families.fable.shared.domain import Instance

_WHY = {
    "reaching_definitions": "The published rule answers Yes to every such question.",
    "available_expressions": "The published rule answers Yes to every such question.",
    "taint": "The published rule answers Yes to every such question.",
    "type_state": "The published rule answers No to every such question.",
    "concurrency": "The published rule answers No to every such question.",
}


def published(analysis: str, case: Kitchen, rng: Random) -> Instance | None:
    """Return a question about this recipe by the published rules; None if there is none."""
    texts = [step.text for step in case.procedure.steps]
    found = candidates(analysis, case)
    if not found:
        return None
    question = {"kind": analysis, "j": None, "fact": None, "rule": "published", **rng.choice(found)}
    if "entity" in question:
        question["many"] = plural(question["entity"])
    answer = compute(question, texts)
    return None if answer is None else Instance(question, answer, _why(question, texts))


def candidates(analysis: str, case: Kitchen) -> list[dict[str, Any]]:
    """Return all questions of an analysis by the published rules, within the vocabulary."""
    texts = [step.text for step in case.procedure.steps]
    found = _questions(analysis, case, texts)
    return [each for each in found if "entity" not in each or case.allows(each["entity"])]


def compute(question: Mapping[str, Any], texts: list[str]) -> Any:
    """Return the answer by the published rule, from the texts of the steps alone."""
    kind, i = question["kind"], question["i"]
    if kind == "intervals":
        last = rules.last_time(texts[i])
        return None if last is None else target(last)
    return rules.answer(kind, texts, i, question.get("entity") or "")


def _why(question: Mapping[str, Any], texts: list[str]) -> str:
    kind, i = question["kind"], question["i"]
    if kind == "intervals":
        return f"It is the last time in Step {i + 1}."
    if kind in _WHY:
        return _WHY[kind]
    later = rules.mentions(question["entity"], texts[i + 1 :])
    return f"{later} later {'step names' if later == 1 else 'steps name'} it."


def _questions(analysis: str, case: Kitchen, texts: list[str]) -> Iterator[dict[str, Any]]:
    steps = case.plain.steps
    if analysis == "intervals":
        yield from ({"i": i} for i, text in enumerate(texts) if rules.last_time(text))
    elif analysis == "concurrency":
        before = reachable(case.plain)
        for j in range(len(steps)):
            for i in range(j):
                if before[j] >> i & 1:
                    yield {"i": i, "j": j, "verbs": [_verb(texts[i]), _verb(texts[j])]}
    elif analysis == "taint":
        for i, names in enumerate(case.brings):
            yield from ({"i": i, "entity": name} for name in names if hazard(name))
    else:
        for i in range(len(steps) - 1):
            for name in _named(case, i, texts[i]):
                yield from _about(analysis, i, name, texts)


def _about(analysis: str, i: int, name: str, texts: list[str]) -> Iterator[dict[str, Any]]:
    if analysis in ("live_variables", "very_busy_expressions"):
        yield {"i": i, "entity": name}
        return
    for j in range(i + 1, len(texts)):
        if rules.mentions(name, [texts[j]]) or analysis == "available_expressions":
            yield {"i": i, "j": j, "entity": name}


def _named(case: Kitchen, i: int, text: str) -> list[str]:
    """Return the ingredients and results of a step whose exact words are in its text."""
    names = dict.fromkeys((*case.brings[i], *case.plain.steps[i].defines))
    return [name for name in names if rules.mentions(name, [text])]


def _verb(text: str) -> str:
    words = text.split()
    start = words[1] if words[0].rstrip(",").lower() == "meanwhile" and len(words) > 1 else words[0]
    return start.strip(",.").lower()
