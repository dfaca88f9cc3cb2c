"""Recomputation of the published answers about routes, by either dialect's rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from thence.domains.routes import published
from thence.domains.routes.lowering import LoweredRoute, lower
from thence.domains.routes.reading import plain, read
from thence.families.fable.routes import published as official
from thence.families.fable.shared.domain import Checked

_NUMBER = re.compile(r"\d{1,12}")


class AuditFinding(NamedTuple):
    """A sound answer, its reason as a clause, and a short label for the error of other answers."""

    answer: Any
    why: str
    kind: str


def check(analysis: str, id_: str, row: tuple[str, str, str, str | None], dialect: str) -> Checked:
    """Return the check of one published answer.

    Args:
        analysis: its name.
        id_: the id for the check.
        row: goal, plan as printed, question and answer; None if there is no answer.
        dialect: the dialect of the rules.
    """
    goal, plan, question, printed = row
    group = f"fable/routes/{analysis}"
    whole = f"{goal}\n{plan}\n{question}"
    try:
        texts = official.texts(plan)
        asked = official.question(analysis, question, len(texts))
    except official.UnreadableRoute as error:
        return Checked(id_, group, printed, None, str(error), "unreadable", whole)
    told: Any = printed if printed is None else printed.strip()
    if analysis == "intervals" and printed is not None:
        told = _range(printed)
    steps = [read(text) for text in texts]
    road = asked.get("road")
    missing = road if road and not published.named_in(steps[asked["i"] - 1], road) else ""
    computed, why = official.answer(analysis, steps, asked)
    kind = "another answer"
    if dialect == "sound":
        unsettled = AuditFinding(None, "the text does not settle it", "unsettled")
        computed, why, kind = sound(analysis, lower(goal, texts), asked) or unsettled
    if told == computed:
        why = kind = ""
    return Checked(id_, group, told, computed, why, kind, whole, missing or "")


def _range(printed: str) -> Any:
    """Return the printed bounds, ``[lo, hi]`` or one number; any other text unchanged."""
    numbers = _NUMBER.findall(printed)
    if not numbers or len(numbers) > 2:
        return printed.strip()
    return [int(numbers[0]), int(numbers[-1])]


def sound(analysis: str, route: LoweredRoute, asked: Mapping[str, Any]) -> AuditFinding | None:
    """Return the sound answer to a published question; None if the text does not settle it."""
    i, j = asked.get("i", 0), asked.get("j", 0)
    if analysis in {"reaching_definitions", "live_variables"}:
        about = _still_on if analysis == "reaching_definitions" else _live
        return about(route, asked["road"], i, j)
    if analysis in {"intervals", "available_expressions"}:
        return (_interval if analysis == "intervals" else _available)(route, i, j)
    if analysis in {"concurrency", "type_state"}:
        return AuditFinding("No", "the steps of a route follow one another", "")
    if i >= len(route.sentences):
        return AuditFinding("No", f"step {i} is the last one, so no step needs it", "the last step")
    return AuditFinding(
        "Yes",
        f"step {i + 1} begins where step {i} ends, and so do all after it",
        "the next step begins where it ends",
    )


def _interval(route: LoweredRoute, i: int, j: int) -> AuditFinding | None:
    if i >= j:
        return None
    found = published.elapsed(route.sentences, i, j)
    if found is None:
        return None
    return AuditFinding(
        found,
        f"the times stated in steps {i + 1} to {j} add up to {found}; the published sum begins at "
        f"step 1",
        "summed from step 1",
    )


def _still_on(route: LoweredRoute, road: str, i: int, t: int) -> AuditFinding | None:
    fact = f"on {plain(road)}"
    if fact not in route.held[i - 1]:
        if not published.named_in(route.sentences[i - 1], road):
            return AuditFinding(
                "No", f"step {i} does not put the driver on {road}", "the step names another road"
            )
        return None
    if not route.clear(fact, i - 1, t):
        return None
    left = next((k for k in range(i, t) if fact not in route.held[k]), None)
    if left is None:
        return AuditFinding("Yes", f"steps {i + 1} to {t} keep the driver on {road}", "not left")
    return AuditFinding("No", f"step {left + 1} leaves {road}", "left before")


def _live(route: LoweredRoute, road: str, i: int, t: int) -> AuditFinding | None:
    reached = _still_on(route, road, i, t)
    if reached is None:
        return None
    if reached.answer == "No":
        return reached
    fact = f"on {plain(road)}"
    if t >= len(route.sentences) or fact in route.unclear[t]:
        return None
    if fact in route.procedure.steps[t].uses:
        return AuditFinding("Yes", f"step {t + 1} goes on along {road}", "still driven on")
    if fact in route.held[t]:
        return None
    return AuditFinding("No", f"step {t + 1} leaves {road}", "left at once")


def _available(route: LoweredRoute, i: int, j: int) -> AuditFinding | None:
    if i >= j:
        return AuditFinding("No", f"step {i} comes after step {j}", "the step comes later")
    roads = [fact for fact in route.procedure.steps[i - 1].defines if fact.startswith("on ")]
    if not roads or any(not route.clear(fact, i - 1, j - 1) for fact in roads):
        return None
    gone = []
    for fact in roads:
        left = next((k for k in range(i, j - 1) if fact not in route.held[k]), None)
        if left is None:
            road = fact.removeprefix("on ")
            return AuditFinding(
                "Yes", f"the driver is still on {road} when step {j} begins", "kept"
            )
        gone.append(left)
    last = max(gone)
    return AuditFinding(
        "No", f"step {last + 1} leaves the road that step {i} leads onto", "left before"
    )
