"""Parameters of FABLE's plans."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from thence.core.parameters import Parameter, WholeRange, one_of
from thence.domains.plans.generate import ENGLISH, GROUNDED, LENGTHS, PlanParameters
from thence.domains.plans.lowering import BUILT_IN_DOMAINS
from thence.domains.plans.planner import SECONDS
from thence.domains.plans.problems import LEAST, MOST, SIZES, Range

LONGEST = 60  # steps of a plan that one may ask for

LARGER: Mapping[str, Range] = {
    "disks": (3, 4),
    "balls": (2, 6),
    "rooms": (2, 3),
    "cars": (2, 6),
    "shores": (2, 4),
    "drivers": (1, 2),
    "trucks": (1, 2),
    "packages": (2, 4),
    "places": (2, 4),
}
"""How many there are in the problems of sound questions, which need room for depth."""

LONGER = (8, 18)
"""Fewest and most steps of the plans of sound questions."""

_WHERE = {name: kind for kind, sizes in SIZES.items() for name in sizes}


def kinds(text: str) -> tuple[str, ...]:
    """Parse the kinds of a setting such as ``ferry+hanoi``, in the order of BUILT_IN_DOMAINS."""
    given = [part.strip() for part in text.split("+")]
    if not all(part in BUILT_IN_DOMAINS for part in given):
        raise ValueError(f"must be some of {', '.join(BUILT_IN_DOMAINS)}, joined by +")
    return tuple(kind for kind in BUILT_IN_DOMAINS if kind in given)


def span(low: int, high: int) -> WholeRange:
    """Return a parser of ``N`` or ``LO-HI`` within bounds, which gives a list as in samples."""
    return WholeRange(low, high, "3 or 2-4", list)


def limit(text: str) -> float:
    """Parse the planner's time limit in seconds."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.1 <= seconds <= 3600:
        raise ValueError("must be seconds between 0.1 and 3600")
    return seconds


def path(text: str) -> Path | None:
    """Parse the path of a file, or nothing."""
    return Path(text) if text else None


def _size(name: str) -> Parameter:
    usual = "-".join(map(str, SIZES[_WHERE[name]][name]))
    help_ = (
        f"how many {name} a problem of {_WHERE[name]} has: a number or LO-HI; none: "
        f"{'-'.join(map(str, LARGER[name]))}, in the published dialect {usual}"
    )
    return Parameter(name, "", help_, optional(span(LEAST.get(name, 1), MOST[name])))


def optional(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a parser that takes an empty text for None."""
    return lambda text: parse(text) if text else None


PARAMETERS: Sequence[Parameter] = (
    Parameter(
        "kinds",
        "+".join(BUILT_IN_DOMAINS),
        "the planning domains, joined by +",
        kinds,
        separator="+",
    ),
    Parameter(
        "text",
        GROUNDED,
        "how steps are shown: grounded (actions) or english",
        one_of(GROUNDED, ENGLISH),
    ),
    Parameter(
        "plan_steps",
        "",
        f"steps a plan: a number or LO-HI; none: {'-'.join(map(str, LONGER))}, in the published "
        f"dialect {'-'.join(map(str, LENGTHS))}",
        optional(span(1, LONGEST)),
    ),
    *map(_size, _WHERE),
    Parameter("domain", "", "a PDDL domain of your own, with problem=FILE", path),
    Parameter("problem", "", "a PDDL problem of your own, with domain=FILE", path),
    Parameter("planner_seconds", f"{SECONDS:g}", "the planner's limit for one problem", limit),
)


def filled(values: Mapping[str, Any], *, larger: bool) -> dict[str, Any]:
    """Return values with the sizes and lengths that were not given."""
    sizes = {name: SIZES[kind][name] for name, kind in _WHERE.items()}
    usual = {"plan_steps": LONGER, **LARGER} if larger else {"plan_steps": LENGTHS, **sizes}
    given = {name: list(ends) for name, ends in usual.items() if values[name] is None}
    return {**values, **given}


def plan_parameters(
    values: Mapping[str, Any], telling: Sequence[str] = BUILT_IN_DOMAINS
) -> PlanParameters:
    """Return the plan parameters of some settings, with the most informative kinds."""
    given = tuple(values["kinds"])
    kinds = tuple(kind for kind in given if kind in telling) or given
    low, high = values["plan_steps"]
    sizes = {kind: {name: tuple(values[name]) for name in SIZES[kind]} for kind in SIZES}
    return PlanParameters(kinds, sizes, (low, high), values["planner_seconds"])
