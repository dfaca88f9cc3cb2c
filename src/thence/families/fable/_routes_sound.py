"""Sound questions about routes: what the text grounds, decided by the data-flow analyses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from thence.dataflow import Flow, analysis
from thence.domains.routes import perturbed
from thence.domains.routes.lowering import Lowered, lower
from thence.families.fable._domain import Case, Instance
from thence.kernel.procedure import Procedure

STOPS = 0.22  # chance of a stop after a step
VARIANTS = 3  # changed routes made of each route
CARRIED = ("reaching_definitions", "available_expressions")
SPAN = 7  # most steps between the two that a question names
PAIRS = 90  # of steps of the two cars that are looked at in one list
MOST_STEPS = 44  # of the routes of two cars together


@dataclass(frozen=True, slots=True)
class Journey(Case):
    """A route, and others between the same places.

    Attributes:
        routes: the steps of each, its own first, with the names that the road bears all along the
            stretch after them.
    """

    routes: tuple[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]], ...] = ()


def truth(name: str, procedure: Procedure, question: Mapping[str, Any]) -> Any:
    """The answer to a sound question from procedure and question alone."""
    flow = Flow(procedure)
    if name == "intervals":
        return bounds(procedure, question["i"], question["j"])
    asked = {key: question[key] for key in ("i", "j", "fact") if question.get(key) is not None}
    if name == "taint":
        asked["sanitizers"] = question.get("sanitizers", [])
    verdict = analysis(name).decide(flow, **asked)
    return "Yes" if verdict.answer else "No"


def bounds(procedure: Procedure, i: int, j: int) -> list[int]:
    """Least and most seconds that steps i + 1 to j state together.

    Raises:
        ValueError: one of them states no time.
    """
    stated = [step.seconds for step in procedure.steps[i + 1 : j + 1]]
    known = [each for each in stated if each is not None]
    if len(known) < len(stated) or not known:
        raise ValueError(f"steps {i + 2} to {j + 1} do not all state their time")
    return [round(sum(low for low, _ in known)), round(sum(high for _, high in known))]


def ask(name: str, case: Case, rng: Random) -> list[Instance]:
    """The questions of an analysis worth asking about a route.

    The changed routes are several of each, so that questions of both answers with the same cues are
    found among few routes.
    """
    if name == "intervals":
        return _intervals(case)
    if name == "concurrency":
        return [each for _ in range(3) for each in _concurrency(case, rng)]
    goal = case.procedure.goal
    routes = case.routes if isinstance(case, Journey) else ()
    found: list[Instance] = []
    for texts, roads in routes:
        for _ in range(VARIANTS):
            if name == "taint":
                found += _taint(lower(goal, texts), rng)
            elif name == "type_state":
                found += _type_state(lower(goal, texts), rng)
            else:
                route = perturbed.with_stops(goal, texts, roads, rng, STOPS)
                ask_ = _carried if name in CARRIED else _needed
                found += ask_(name, route)
    return found


# Roads that the driver is on ---------------------------------------------------------------------


def _definitions(route: Lowered) -> Iterator[tuple[int, str]]:
    for i, step in enumerate(route.procedure.steps):
        for fact in step.defines:
            if fact.startswith("on ") and fact not in route.murky[i]:
                yield i, fact


def _carried(name: str, route: Lowered) -> list[Instance]:
    """Reaching and available: is the driver still on the road when step j begins?"""
    shown, flow = Case(route.procedure, {"change": "stops"}), Flow(route.procedure)
    decide, found = analysis(name).decide, []
    for i, fact in _definitions(route):
        for j in range(i + 2, min(i + 2 + SPAN, len(flow))):
            if not route.clear(fact, i, j):
                continue
            verdict = decide(flow, i=i, j=j, fact=fact)
            between = range(i + 1, j)
            named = sum(_mentions(route, fact, step) for step in between)
            kinds = _kinds(route, between)
            cues = (j - i, named, kinds, int(_mentions(route, fact, j)))
            told, witness = _why_carried(route, fact, i, j, yes=verdict.answer)
            found.append(_instance(name, verdict, told, witness, cues, shown, i, j, fact))
    return found


def _why_carried(
    route: Lowered, fact: str, i: int, j: int, *, yes: bool
) -> tuple[str, dict[str, Any]]:
    """Why, in words and as a witness; quicker than the analysis', which goes through executions."""
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


def _needed(name: str, route: Lowered) -> list[Instance]:
    """Live and very busy: does a later step make the driver go on along the road?"""
    shown, flow = Case(route.procedure, {"change": "stops"}), Flow(route.procedure)
    decide, found = analysis(name).decide, []
    last = len(flow) - 2  # the step before the arrival has none after it that could be asked about
    for source, fact in _definitions(route):
        stop = source + 1 if name == "very_busy_expressions" else min(source + SPAN, last)
        for i in range(source, stop):
            if i >= last or not route.clear(fact, source, i + 2):
                continue
            verdict = decide(flow, i=i, fact=fact)
            later = range(i + 1, len(flow))
            named = min(3, sum(_mentions(route, fact, step) for step in later))
            cues = (
                i - source,
                int(_mentions(route, fact, i)),
                named,
                _action(route, i),
                _number(fact),
            )
            told, witness = _why_needed(route, fact, i, yes=verdict.answer)
            found.append(
                _instance(name, verdict, told, witness, cues, shown, i, None, fact, source=source)
            )
    return found


def _why_needed(route: Lowered, fact: str, i: int, *, yes: bool) -> tuple[str, dict[str, Any]]:
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


def _mentions(route: Lowered, fact: str, step: int) -> bool:
    name, text = fact.removeprefix("on "), route.procedure.steps[step].text
    place = text.find(name)
    while place >= 0:  # 'US 5' is not named by 'US 57'
        if not text[place + len(name) : place + len(name) + 1].isalnum():
            return True
        place = text.find(name, place + 1)
    return False


def _kinds(route: Lowered, steps: range) -> str:
    return " ".join(sorted({_action(route, step) for step in steps}))


def _action(route: Lowered, step: int) -> str:
    return route.procedure.steps[step].text.partition(" ")[0].lower()


def _third(step: int, flow: Flow) -> int:
    return 3 * step // len(flow)


def _number(fact: str) -> str:
    return "numbered" if any(sign.isdigit() for sign in fact) else "named"


def _instance(
    name: str,
    verdict: Any,
    told: str,
    witness: Any,
    cues: tuple[str | int, ...],
    shown: Case,
    i: int | None,
    j: int | None,
    fact: str | None,
    **more: Any,
) -> Instance:
    question = {"kind": name, "i": i, "j": j, "fact": fact, "form": "sound", **more}
    if fact is not None:
        question["road"] = fact.removeprefix("on ")
    answer = "Yes" if verdict.answer else "No"
    return Instance(question, answer, told, witness, cues, shown)


# Times -------------------------------------------------------------------------------------------


def _intervals(case: Case) -> list[Instance]:
    name, steps, found = "intervals", case.procedure.steps, []
    for i in range(len(steps)):
        for j in range(i + 2, len(steps)):
            if steps[j].seconds is None or steps[j - 1].seconds is None:
                break
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


def _taint(route: Lowered, rng: Random) -> list[Instance]:
    """A closed road: is step j reached by way of it, with no detour around it on the way?"""
    name, changed = "taint", perturbed.with_detours(route, rng)
    if changed is None:
        return []
    flow = Flow(changed.procedure)
    shown = Case(changed.procedure, {"change": "detours"})
    texts = [step.text for step in changed.procedure.steps]
    found = []
    for road, i in changed.entered.items():
        cuts = [step for step, closed in changed.around.items() if closed == road]
        for j in range(i + 2, min(i + 14, len(texts) - 1)):
            if j in changed.around:
                continue
            verdict = analysis(name).decide(flow, i=i, j=j, sanitizers=cuts)
            between = range(i + 1, j)
            met = sum(step in changed.around for step in between)
            named = sum(road in texts[step] for step in between if step in changed.around)
            passing = [step for step in between if step in cuts]
            if verdict.answer:
                told = (
                    f"Step {i + 1} leads onto {road}, and no detour around {road} comes back to "
                    f"the route between it and step {j + 1}."
                )
            else:
                told = (
                    f"Step {passing[-1] + 1} is where a detour around {road} comes back to the "
                    f"route, between step {i + 1} and step {j + 1}."
                )
            cues = (met, named, (j - i) // 2, _third(i, flow), int(bool(cuts)))
            witness = {"sanitizers": passing} if passing else {"from": i, "to": j}
            found.append(
                _instance(
                    name,
                    verdict,
                    told,
                    witness,
                    cues,
                    shown,
                    i,
                    j,
                    None,
                    road=road,
                    sanitizers=cuts,
                )
            )
    return found


def _type_state(route: Lowered, rng: Random) -> list[Instance]:
    """A truck with two tanks: does step j find its tank full if step i is left out?"""
    name, changed = "type_state", perturbed.with_tanks(route, rng)
    if changed is None:
        return []
    flow, shown, found = Flow(changed.procedure), Case(changed.procedure, {"change": "tanks"}), []
    texts = [step.text for step in changed.procedure.steps]
    for i, fact in changed.fills.items():
        for j, need in changed.needs.items():
            if j <= i:
                continue
            verdict = analysis(name).decide(flow, i=i, j=j)
            tank = need.removesuffix(" full")
            between = sum(tank in texts[step] for step in range(i + 1, j))
            cues = (int(fact == need), between, texts[j].split()[2], j - i, _third(i, flow))
            if not verdict.answer:
                told = f"Without step {i + 1} the {tank} is empty when step {j + 1} needs it."
            elif fact != need:
                told = f"Step {i + 1} fills the other tank; the {tank} is full for step {j + 1}."
            else:
                told = f"Even without step {i + 1} the {tank} is full for step {j + 1}."
            witness = {"fact": need, "without": i}
            found.append(_instance(name, verdict, told, witness, cues, shown, i, j, None))
    return found


def _concurrency(case: Case, rng: Random) -> list[Instance]:
    """Two cars: has one of their steps to come before the other?"""
    name, texts = "concurrency", [step.text for step in case.procedure.steps]
    if not isinstance(case, Journey) or len(case.routes) < 2:
        return []
    other = min((steps for steps, _ in case.routes[1:]), key=len)
    if not 12 <= len(texts) + len(other) <= MOST_STEPS:
        return []
    goal = f"{case.procedure.goal}, with two cars on different ways"
    changed = perturbed.two_cars(goal, texts, other, rng)
    flow, shown, found = Flow(changed.procedure), Case(changed.procedure, {"change": "cars"}), []
    pairs = [
        (i, j)
        for i in range(len(flow))
        for j in range(i + 1, len(flow))
        if changed.car[i] != changed.car[j] and changed.waits.get(j) != i
    ]
    for i, j in sorted(rng.sample(pairs, min(len(pairs), PAIRS))):
        verdict = analysis(name).decide(flow, i=i, j=j)
        waits = sum(step in changed.waits for step in range(i, j + 1))
        cues = (j - i, waits, _third(i, flow), changed.car[i])
        a, b = (i, j) if rng.random() < 0.5 else (j, i)
        found.append(
            _instance(name, verdict, verdict.why, verdict.witness, cues, shown, a, b, None)
        )
    return found
