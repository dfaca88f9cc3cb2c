"""What ``--set`` may change about plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from thence.core.task import Knob
from thence.domains.plans.generate import ENGLISH, GROUNDED, LENGTHS, Recipe
from thence.domains.plans.lowering import WORLDS
from thence.domains.plans.planner import SECONDS
from thence.domains.plans.problems import LEAST, MOST, SIZES

LONGEST = 60  # steps of a plan that one may ask for

_WHERE = {name: kind for kind, sizes in SIZES.items() for name in sizes}


def kinds(text: str) -> tuple[str, ...]:
    """The kinds of a setting such as ``ferry+hanoi``, in the order of WORLDS."""
    given = [part.strip() for part in text.split("+")]
    if not all(part in WORLDS for part in given):
        raise ValueError(f"must be some of {', '.join(WORLDS)}, joined by +")
    return tuple(kind for kind in WORLDS if kind in given)


def span(low: int, high: int) -> Any:
    """A parser of ``N`` or ``LO-HI`` within bounds."""

    def parse(text: str) -> list[int]:
        first, dash, last = text.partition("-")
        ends = (first, last if dash else first)
        if not all(end.isascii() and end.isdigit() and len(end) < 4 for end in ends):
            raise ValueError("must be N or LO-HI, such as 3 or 2-4")
        found = [int(end) for end in ends]
        if not low <= found[0] <= found[1] <= high:
            raise ValueError(f"must lie within {low}-{high}, the lower end first")
        return found

    return parse


def shown(text: str) -> str:
    """How steps are shown."""
    if text not in (GROUNDED, ENGLISH):
        raise ValueError(f"must be {GROUNDED} or {ENGLISH}")
    return text


def limit(text: str) -> float:
    """Seconds for the planner."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.1 <= seconds <= 3600:
        raise ValueError("must be seconds between 0.1 and 3600")
    return seconds


def path(text: str) -> Path | None:
    """A file, or none."""
    return Path(text) if text else None


def _size(name: str) -> Knob:
    low, high = SIZES[_WHERE[name]][name]
    least = LEAST.get(name, 1)
    help_ = f"how many {name} a problem of {_WHERE[name]} has: a number or LO-HI"
    return Knob(name, f"{low}-{high}", help_, span(least, MOST[name]))


KNOBS: Sequence[Knob] = (
    Knob("kinds", "+".join(WORLDS), "the planning domains, joined by +", kinds),
    Knob("text", GROUNDED, "how steps are shown: grounded (actions) or english", shown),
    Knob(
        "plan_steps",
        "-".join(map(str, LENGTHS)),
        "steps a plan: a number or LO-HI",
        span(1, LONGEST),
    ),
    *map(_size, _WHERE),
    Knob("domain", "", "a PDDL domain of your own, with problem=FILE", path),
    Knob("problem", "", "a PDDL problem of your own, with domain=FILE", path),
    Knob("planner_seconds", f"{SECONDS:g}", "the planner's limit for one problem", limit),
)


def recipe(values: Mapping[str, Any], telling: Sequence[str] = WORLDS) -> Recipe:
    """The plans that some settings ask for, of the kinds that tell most where there is a choice."""
    given = tuple(values["kinds"])
    kinds = tuple(kind for kind in given if kind in telling) or given
    low, high = values["plan_steps"]
    sizes = {kind: {name: tuple(values[name]) for name in SIZES[kind]} for kind in SIZES}
    return Recipe(kinds, sizes, (low, high), values["planner_seconds"])
