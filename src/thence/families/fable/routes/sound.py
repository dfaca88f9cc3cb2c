"""Sound questions about routes: grounded in the text, decided by the data-flow analyses.

The questions of a cell come as twins: two routes of the same steps, with the same question and
different answers, because two steps or blocks of steps have changed places (for two cars, because a
car waits for another step). Only following the route tells the twins apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from thence.core.procedure import Procedure
from thence.dataflow import Flow, Verdict, analysis
from thence.domains.routes import cars, detours, errands, tanks
from thence.domains.routes.lowering import LoweredRoute, lower
from thence.families.fable.shared.domain import Case, Instance

CARRIED = ("reaching_definitions", "available_expressions")
SHORTEST, LONGEST = 12, 44  # steps of two cars together
TRIES = 4  # of changing a route
CUES = ("twins",)  # they share every cue that there is


@dataclass(frozen=True, slots=True)
class Journey(Case):
    """A route, and others between the same places.

    Attributes:
        routes: the steps of each, its own first, with the names of the road along the full stretch
            after each step.
    """

    routes: tuple[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]], ...] = ()


def truth(name: str, procedure: Procedure, question: Mapping[str, Any]) -> Any:
    """Return the answer to a sound question from procedure and question alone."""
    flow = Flow(procedure)
    if name == "intervals":
        return bounds(procedure, question["i"], question["j"])
    asked = {key: question[key] for key in ("i", "j", "fact") if question.get(key) is not None}
    if name == "taint":
        asked["sanitizers"] = question.get("sanitizers", [])
    verdict = analysis(name).decide(flow, **asked)
    return "Yes" if verdict.answer else "No"


def bounds(procedure: Procedure, i: int, j: int) -> list[int]:
    """Return the minimal and maximal total seconds of steps i + 1 to j.

    Raises:
        ValueError: a step states no time.
    """
    stated = [step.seconds for step in procedure.steps[i + 1 : j + 1]]
    known = [each for each in stated if each is not None]
    if len(known) < len(stated) or not known:
        raise ValueError(f"steps {i + 2} to {j + 1} do not all state their time")
    return [round(sum(low for low, _ in known)), round(sum(high for _, high in known))]


def ask(name: str, case: Case, rng: Random) -> list[Instance]:
    """Return the useful questions of an analysis about a route: twins, or none."""
    if name == "intervals":
        return _intervals(case, rng)
    if not isinstance(case, Journey):
        return []
    change = CHANGES.get(name, _errands)
    for _ in range(TRIES):
        found = change(name, case, rng)
        if len({instance.answer for instance in found}) == 2:
            return found
    return []


def _instance(
    name: str,
    procedure: Procedure,
    change: str,
    question: Mapping[str, Any],
    explain: Callable[[bool], tuple[str, Any]],
) -> Instance:
    """Return a question about a changed route, with its answer by the analysis."""
    numbers = {key: question.get(key) for key in ("i", "j", "fact")}
    whole = {"kind": name, **numbers, "form": "sound", **question}
    answer = truth(name, procedure, whole)
    told, witness = explain(answer == "Yes")
    return Instance(whole, answer, told, witness, CUES, Case(procedure, {"change": change}))


# Roads that the driver is on ---------------------------------------------------------------------


def _errands(name: str, case: Journey, rng: Random) -> list[Instance]:
    """Return questions whether the driver is still on a road, or will continue along it."""
    texts, roads = case.routes[0]
    known = {road for names in roads for road in names}
    spare = [
        names[0]
        for _, others in case.routes[1:]
        for names in others
        if names and names[0] not in known
    ]
    route = lower(case.procedure.goal, texts, roads=roads)
    at_once = name == "very_busy_expressions"
    changed = errands.with_errands(route, roads, list(dict.fromkeys(spare)), rng, at_once=at_once)
    if changed is None:
        return []
    source, fact = changed.source, changed.fact
    (_, stop), (start, _) = changed.first, changed.second
    question: dict[str, Any] = {"i": source, "fact": fact, "road": fact.removeprefix("on ")}
    if name in CARRIED:
        question["j"] = j = rng.randrange(stop, start)
    else:
        question["source"] = source
        if not at_once:
            question["i"] = rng.choice((changed.first[0], changed.first[0], start)) - 1
    found = []
    for each in (changed.stays, changed.leaves):

        def explain(yes: bool, each: LoweredRoute = each) -> tuple[str, Any]:
            if name in CARRIED:
                return _why_carried(each, fact, source, j, yes=yes)
            return _why_needed(each, fact, question["i"], yes=yes)

        found.append(_instance(name, each.procedure, "errands", question, explain))
    return found


def _why_carried(
    route: LoweredRoute, fact: str, i: int, j: int, *, yes: bool
) -> tuple[str, dict[str, Any]]:
    """Return reason and witness; faster than the analysis, which enumerates executions."""
    road = fact.removeprefix("on ")
    if yes:
        return (
            f"Step {i + 1} puts the driver on {road}, and every step from {i + 2} to {j} keeps the "
            f"driver on it."
        ), {"order": [*range(i, j + 1)], "fact": fact}
    left = next(k for k in range(i + 1, j) if fact in route.procedure.steps[k].kills)
    witness = {"step": left, "does": "kills", "fact": fact}
    told = f"Step {i + 1} puts the driver on {road}, and step {left + 1} leaves it"
    back = [k for k in range(left + 1, j) if fact in route.procedure.steps[k].defines]
    if back and fact in route.held[j - 1]:
        return f"{told}; that the driver is on it again is due to step {back[-1] + 1}.", witness
    return f"{told}.", witness


def _why_needed(route: LoweredRoute, fact: str, i: int, *, yes: bool) -> tuple[str, dict[str, Any]]:
    road, steps = fact.removeprefix("on "), route.procedure.steps
    if yes:
        user = next(k for k in range(i + 1, len(steps)) if fact in steps[k].uses)
        return (
            f"The driver is on {road} after step {i + 1}, and step {user + 1} goes on along it."
        ), {"step": user, "does": "uses", "fact": fact}
    if fact not in route.held[i]:
        left = next(k for k in range(i, -1, -1) if fact in steps[k].kills)
        witness = {"step": left, "does": "kills", "fact": fact}
        return f"Step {left + 1} has left {road} by the end of step {i + 1}.", witness
    return (f"The next step after step {i + 1}, step {i + 2}, leaves {road}."), {
        "step": i + 1,
        "does": "kills",
        "fact": fact,
    }


# Times -------------------------------------------------------------------------------------------


def _intervals(case: Case, rng: Random) -> list[Instance]:
    """Return questions about the times of steps i + 1 to j; step i has one in half the draws."""
    apart = rng.random() < 0.5
    name, steps, found = "intervals", case.procedure.steps, []
    for i in range(len(steps)):
        for j in range(i + 2, len(steps)):
            if steps[j].seconds is None or steps[j - 1].seconds is None:
                break
            if apart and steps[i].seconds is None:
                continue
            low, high = bounds(case.procedure, i, j)
            each = ", ".join(
                f"{step.seconds[0]:.0f}-{step.seconds[1]:.0f}"
                for step in steps[i + 1 : j + 1]
                if step.seconds
            )
            question = {"kind": name, "i": i, "j": j, "fact": None, "form": "sound"}
            told = f"Steps {i + 2} to {j + 1} state {each} seconds: {low} to {high} together."
            found.append(Instance(question, [low, high], told, {"steps": [*range(i + 1, j + 1)]}))
    return found


# Changed routes ----------------------------------------------------------------------------------


def _taint(name: str, case: Journey, rng: Random) -> list[Instance]:
    """Return questions whether a route passes a closed road before a step, without a detour."""
    changed = detours.with_detours(lower(case.procedure.goal, case.routes[0][0]), rng)
    if changed is None:
        return []
    road, i, j = changed.road, changed.enters, changed.later
    found = []
    for each in (changed.open, changed.around):
        cuts = [step for step, closed in each.around.items() if closed == road]
        passing = [step for step in cuts if i < step < j]

        def explain(yes: bool, passing: Sequence[int] = passing) -> tuple[str, Any]:
            if yes:
                return (
                    f"Step {i + 1} leads onto {road}, and no detour around {road} comes back to "
                    f"the route between it and step {j + 1}."
                ), {"from": i, "to": j}
            return (
                f"Step {passing[-1] + 1} is where a detour around {road} comes back to the route, "
                f"between step {i + 1} and step {j + 1}."
            ), {"sanitizers": passing}

        question = {"i": i, "j": j, "road": road, "sanitizers": cuts}
        found.append(_instance(name, each.procedure, "detours", question, explain))
    return found


def _type_state(name: str, case: Journey, rng: Random) -> list[Instance]:
    """Return questions whether step j of a two-tank truck finds it full without step i."""
    changed = tanks.with_tanks(lower(case.procedure.goal, case.routes[0][0]), rng)
    if changed is None:
        return []
    i, j = changed.fills, changed.needs
    (need,) = changed.full.steps[j].uses
    tank = need.removesuffix(" full")

    def explain(yes: bool) -> tuple[str, Any]:
        if yes:
            told = f"Even without step {i + 1} the {tank} is full for step {j + 1}."
        else:
            told = f"Without step {i + 1} the {tank} is empty when step {j + 1} needs it."
        return told, {"fact": need, "without": i}

    return [
        _instance(name, each, "tanks", {"i": i, "j": j}, explain)
        for each in (changed.full, changed.empty)
    ]


def _concurrency(name: str, case: Journey, rng: Random) -> list[Instance]:
    """Return questions whether a step of one car must come before a step of the other."""
    texts, _ = case.routes[0]
    other = min((steps for steps, _ in case.routes[1:]), key=len)
    if not SHORTEST <= len(texts) + len(other) <= LONGEST:
        return []
    try:
        changed = cars.with_waits(case.procedure.goal, texts, other, rng)
    except LookupError:
        return []
    i, j = rng.sample((changed.i, changed.j), 2)
    found = []
    for each in (changed.free, changed.tied):
        verdict = analysis(name).decide(Flow(each), i=min(i, j), j=max(i, j))
        question = {"i": i, "j": j}

        def explain(yes: bool, verdict: Verdict = verdict) -> tuple[str, Any]:
            return verdict.why, verdict.witness

        found.append(_instance(name, each, "cars", question, explain))
    return found


CHANGES: Mapping[str, Callable[[str, Journey, Random], list[Instance]]] = {
    "taint": _taint,
    "type_state": _type_state,
    "concurrency": _concurrency,
}
