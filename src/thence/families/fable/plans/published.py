"""Questions about plans by the rules that the published benchmark follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from thence.core.procedure import Procedure, Step
from thence.domains.plans import published as rules
from thence.families.fable.plans.words import fact_words
from thence.families.fable.shared.analyses import INTERVALS
from thence.families.fable.shared.domain import Case, Instance

_REACHING, _BUSY, _LIVE = "reaching_definitions", "very_busy_expressions", "live_variables"

Made = tuple[dict[str, Any], Any, str]  # question, answer, reason


def instance(analysis: str, case: Case, rng: Random) -> Instance | None:
    """Return the question of an analysis about a plan; None if the rule gives no question."""
    steps = case.procedure.steps
    made = _MADE[analysis](steps, rng) if len(steps) > 1 or analysis == _REACHING else None
    if made is None:
        return None
    asked, answer, why = made
    fact = asked.get("fact")
    question = {
        "kind": analysis,
        "i": asked.get("i"),
        "j": asked.get("j"),
        "fact": fact,
        "rules": case.source["rules"],
        "published": True,
    }
    if fact is not None:
        question["fact_text"] = fact_words(case, fact)
    return Instance(question, answer, why)


def truth(analysis: str, metadata: Mapping[str, Any]) -> Any:
    """Return the answer by the rule, from a sample's procedure and question."""
    question = metadata["question"]
    steps = Procedure.from_json(metadata["procedure"]).steps
    i, j, fact = question["i"], question["j"], question["fact"]
    return decided(analysis, steps, i, j, fact)


def decided(
    analysis: str, steps: Sequence[Step], i: int | None, j: int | None, fact: str | None
) -> Any:
    """Return the rule's answer to a question; steps are 0-based, None if it names none."""
    if analysis == INTERVALS:
        after, before = rules.bounds(steps, _step(i))
        return {
            "after": None if after is None else after + 1,
            "before": None if before is None else before + 1,
        }
    return "Yes" if _holds(analysis, steps, i, j, fact) else "No"


def _holds(
    analysis: str, steps: Sequence[Step], i: int | None, j: int | None, fact: str | None
) -> bool:
    if analysis == "taint":
        return rules.first_taint(steps) is not None
    if analysis in (_REACHING, _BUSY) and fact is None:  # a question about no particular step
        return bool(rules.very_busy(steps) if analysis == _BUSY else list(rules.triples(steps)))
    if analysis == "type_state":
        return rules.enables(steps, _step(i), _step(j))
    if analysis == "concurrency":
        return rules.may_run_together(steps, _step(i), _step(j))
    if fact is None:
        raise ValueError("the question names no fact")
    triple = _step(i), _step(j), fact
    return rules.is_live(steps, triple) if analysis == _LIVE else rules.is_triple(steps, triple)


def _step(number: int | None) -> int:
    if number is None:
        raise ValueError("the question names no step")
    return number


# Instances --------------------------------------------------------------------------------------


def _reaching(steps: Sequence[Step], rng: Random) -> Made | None:
    """Return the smallest definition-use triple; else the answer No about no particular step."""
    held = list(rules.triples(steps))
    if not held:
        return {}, "No", "No step needs anything that an earlier step makes true."
    i, j, fact = rng.choice([each for each in held if each[1] == held[0][1]])
    why = f"Step {j + 1} needs {fact}, which step {i + 1} makes true."
    return {"i": i, "j": j, "fact": fact}, "Yes", why


def _available(steps: Sequence[Step], rng: Random) -> Made | None:
    made = _reaching(steps, rng)
    if made is None or not made[0]:
        return None
    i, j, fact = made[0]["i"], made[0]["j"], made[0]["fact"]
    why = f"No step between step {i + 1} and step {j + 1} makes {fact} false."
    return made[0], "Yes", why


def _live(steps: Sequence[Step], rng: Random) -> Made | None:
    held = list(rules.triples(steps))
    if not held:
        return None
    first = min(i for i, _, _ in held)
    users: dict[str, rules.Triple] = {}
    for triple in held:
        if triple[0] == first:
            users.setdefault(triple[2], triple)
    i, j, fact = rng.choice(list(users.values()))
    answer = rules.is_live(steps, (i, j, fact))
    stop = next((k for k in range(i + 1, j + 1) if fact in steps[k].kills), None)
    why = f"Step {j + 1} needs {fact}" + (
        "." if stop is None else f", and step {stop + 1} makes it false."
    )
    return {"i": i, "j": j, "fact": fact}, "Yes" if answer else "No", why


def _type_state(steps: Sequence[Step], rng: Random) -> Made | None:
    i = rng.randrange(len(steps) - 1)
    fact = rules.first_common(steps[i].defines, steps[i + 1].uses)
    why = (
        f"Step {i + 1} makes nothing true that step {i + 2} needs."
        if fact is None
        else f"Step {i + 2} needs {fact}, which step {i + 1} makes true."
    )
    return {"i": i, "j": i + 1}, "No" if fact is None else "Yes", why


def _concurrency(steps: Sequence[Step], rng: Random) -> Made | None:
    i, j = rng.sample(range(len(steps)), 2)
    for one, other in ((i, j), (j, i)):
        fact = rules.first_common(steps[one].kills, steps[other].uses)
        if fact is not None:
            why = f"Step {one + 1} makes {fact} false, which step {other + 1} needs."
            return {"i": i, "j": j}, "No", why
    return {"i": i, "j": j}, "Yes", "Neither makes false what the other needs."


def _very_busy(steps: Sequence[Step], rng: Random) -> Made | None:
    busy = rules.very_busy(steps)
    if not busy:
        return {}, "No", "No step makes anything true that the very next one needs."
    i = rng.choice(busy)
    fact = rng.choice([fact for fact in steps[i].defines if fact in steps[i + 1].uses])
    why = f"Step {i + 2} needs {fact}, which step {i + 1} makes true."
    return {"i": i, "j": i + 1, "fact": fact}, "Yes", why


def _intervals(steps: Sequence[Step], rng: Random) -> Made | None:
    k = rng.randrange(1, len(steps))
    target = decided(INTERVALS, steps, k, None, None)
    after, before = target["after"], target["before"]
    parts = [] if after is None else [f"step {after} makes true what it needs"]
    parts += [] if before is None else [f"step {before} needs what it makes true"]
    why = f"Of the others, {' and '.join(parts)}." if parts else "It is tied to no other step."
    return {"i": k}, target, why


def _taint(steps: Sequence[Step], rng: Random) -> Made | None:
    i = rules.first_taint(steps)
    why = (
        "No step makes false what the very next one needs."
        if i is None
        else f"Step {i + 1} makes false what step {i + 2} needs."
    )
    return {}, "No" if i is None else "Yes", why


_MADE: Mapping[str, Callable[[Sequence[Step], Random], Made | None]] = {
    _REACHING: _reaching,
    "available_expressions": _available,
    _LIVE: _live,
    "type_state": _type_state,
    "concurrency": _concurrency,
    _BUSY: _very_busy,
    INTERVALS: _intervals,
    "taint": _taint,
}
