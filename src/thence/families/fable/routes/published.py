"""The published questions about routes: new questions of this form, and answers to all."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from thence.domains.routes import published
from thence.domains.routes.reading import Sentence, plain, read
from thence.families.fable.shared.domain import Case, Instance

FILES: Mapping[str, str] = {  # analysis -> its published file
    "reaching_definitions": "travel_reaching_definitions.csv",
    "very_busy_expressions": "travel_very_busy_expressions.csv",
    "available_expressions": "travel_available_expressions.csv",
    "live_variables": "travel_live_variable_analysis.csv",
    "intervals": "travel_interval_analysis.csv",
    "type_state": "travel_type_state_analysis.csv",
    "taint": "travel_taint_analysis.csv",
    "concurrency": "travel_concurrency_analysis.csv",
}
CONSTANT: Mapping[str, str] = {
    "available_expressions": "Yes",
    "taint": "Yes",
    "concurrency": "No",
    "type_state": "No",
    "very_busy_expressions": "No",
}
_QUESTIONS: Mapping[str, re.Pattern[str]] = {
    "reaching_definitions": re.compile(
        r"After Step (?P<j>\d+), is the driver still on [\u2018'](?P<road>[^\u2018\u2019]*)"
        r"[\u2018\u2019'] "
        r"from Step (?P<i>\d+)\?"
    ),
    "live_variables": re.compile(
        r"Is the effect from Step (?P<i>\d+), the driver getting on (?P<road>.*), "
        r"live at any point after Step (?P<j>\d+)\?"
    ),
    "available_expressions": re.compile(r"Is Step (?P<i>\d+) available in Step (?P<j>\d+)\?"),
    "intervals": re.compile(
        r"What is the time interval between performing Step (?P<i>\d+) and Step (?P<j>\d+)\?"
    ),
    "concurrency": re.compile(r"Can Steps (?P<i>\d+) and (?P<j>\d+) be performed concurrently\?"),
    "type_state": re.compile(
        r"Can Step (?P<j>\d+) be performed without completing Step (?P<i>\d+)\?"
    ),
    "taint": re.compile(r"Does (?P<act>.*) in Step (?P<i>\d+) taint the preconditions for .*"),
    "very_busy_expressions": re.compile(r"Is Step (?P<i>\d+) a very busy expression\?"),
}


class UnreadableRoute(ValueError):
    """Error about a published question or route without the published form."""


def question(name: str, text: str, count: int) -> dict[str, Any]:
    """Parse a published question: ``i`` and ``j`` from 1, and ``road``, as far as it names them.

    Raises:
        Unreadable: it has another form, or names a step that the route does not have.
    """
    found = _QUESTIONS[name].fullmatch(text.strip())
    if found is None:
        raise UnreadableRoute("the question does not have the published form")
    asked: dict[str, Any] = {
        key: int(value) if key in {"i", "j"} else value for key, value in found.groupdict().items()
    }
    for key in ("i", "j"):
        if key in asked and not 1 <= asked[key] <= count:
            raise UnreadableRoute(f"the route has no step {asked[key]}; it has {count}")
    return asked


def texts(plan: str) -> list[str]:
    """Return the steps of a published route, a list as Python prints it.

    Raises:
        Unreadable: the text is not such a list.
    """
    try:
        found = ast.literal_eval(plan)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise UnreadableRoute("the plan is not a list of steps") from error
    if not isinstance(found, list) or not found or not all(isinstance(x, str) for x in found):
        raise UnreadableRoute("the plan is not a list of steps")
    return found


def answer(name: str, steps: Sequence[Sentence], asked: Mapping[str, Any]) -> tuple[Any, str]:
    """Return the answer by the published rule, and its reason."""
    if name in CONSTANT:
        return CONSTANT[name], f"the published answer to this analysis is always {CONSTANT[name]}"
    if name == "intervals":
        low_high = published.interval(steps, asked["j"])
        return low_high, f"the times stated in steps 1 to {asked['j']} add up to {low_high}"
    rule = published.still_on if name == "reaching_definitions" else published.live
    holds, step = rule(steps, asked["road"], asked["i"], asked["j"])
    if holds:
        return "Yes", f"no step after {asked['i']} leaves {asked['road']}"
    return "No", f"step {step} leaves {asked['road']}"


# Asking ------------------------------------------------------------------------------------------


def ask(name: str, case: Case, rng: Random) -> Instance | None:
    """Return a question of the published form about a route, with the published rule's answer."""
    steps = [read(step.text) for step in case.procedure.steps]
    asked = _draw(name, steps, rng)
    if asked is None:
        return None
    target, why = answer(name, steps, asked)
    numbers = {key: asked[key] - 1 if key in asked else None for key in ("i", "j")}
    road = asked.get("road")
    row: dict[str, Any] = {
        "kind": name,
        **numbers,
        "fact": f"on {plain(road)}" if road else None,
        "form": "published",
        **{key: asked[key] for key in ("road", "act") if key in asked},
    }
    return Instance(row, target, f"{why[0].upper()}{why[1:]}.")


def _draw(name: str, steps: Sequence[Sentence], rng: Random) -> dict[str, Any] | None:
    """Return random arguments of a question, from 1; None if the route has none."""
    count = len(steps)
    if name in {"reaching_definitions", "live_variables"}:
        return _draw_road(name, steps, rng)
    if name == "intervals":
        timed = [k for k, step in enumerate(steps, 1) if step.seconds and k > 3]
        j = rng.choice(timed) if timed else 0
        return {"i": rng.randint(max(1, j - 6), j - 2), "j": j} if timed else None
    if name == "taint":
        acts = {k: act for k, step in enumerate(steps, 1) if (act := _act(step.text))}
        i = rng.choice(list(acts)) if acts else 0
        return {"i": i, "act": acts[i]} if acts else None
    i, j = rng.sample(range(1, count + 1), 2)
    if name == "type_state":
        i = min(i, count - 1)
        j = i + 1
    return {"i": i} if name == "very_busy_expressions" else {"i": i, "j": j}


def _draw_road(name: str, steps: Sequence[Sentence], rng: Random) -> dict[str, Any] | None:
    named = [k for k, step in enumerate(steps[:-2], 1) if step.roads]
    if not named:
        return None
    i = rng.choice(named)
    road = plain(rng.choice(steps[i - 1].roads or ("",)))
    low = i + 1 if name == "reaching_definitions" else i
    last = min(len(steps) - 1, low + rng.choice((0, 0, 0, 1, 2, 3, 5)))
    return {"i": i, "j": last, "road": road}


def _act(text: str) -> str | None:
    found = re.match(r"(Turn|Bear|Keep) (left|right)\b", text)
    return f"{found[1].lower()}ing {found[2]}" if found else None
