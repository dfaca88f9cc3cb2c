"""Parameters of FABLE's plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from thence.core.parameters import Parameter, WholeRange, one_of
from thence.domains.plans.generate import ENGLISH, GROUNDED, LENGTHS, PlanParameters
from thence.domains.plans.lowering import BUILT_IN_DOMAINS
from thence.domains.plans.planner import SECONDS
from thence.domains.plans.problems import LEAST, MOST, SIZES

LONGEST = 60  # steps of a plan that one may ask for

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
    low, high = SIZES[_WHERE[name]][name]
    least = LEAST.get(name, 1)
    help_ = f"how many {name} a problem of {_WHERE[name]} has: a number or LO-HI"
    return Parameter(name, f"{low}-{high}", help_, span(least, MOST[name]))


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
        "-".join(map(str, LENGTHS)),
        "steps a plan: a number or LO-HI",
        span(1, LONGEST),
    ),
    *map(_size, _WHERE),
    Parameter("domain", "", "a PDDL domain of your own, with problem=FILE", path),
    Parameter("problem", "", "a PDDL problem of your own, with domain=FILE", path),
    Parameter("planner_seconds", f"{SECONDS:g}", "the planner's limit for one problem", limit),
)


def plan_parameters(
    values: Mapping[str, Any], telling: Sequence[str] = BUILT_IN_DOMAINS
) -> PlanParameters:
    """Return the plan parameters of some settings, with the most informative kinds."""
    given = tuple(values["kinds"])
    kinds = tuple(kind for kind in given if kind in telling) or given
    low, high = values["plan_steps"]
    sizes = {kind: {name: tuple(values[name]) for name in SIZES[kind]} for kind in SIZES}
    return PlanParameters(kinds, sizes, (low, high), values["planner_seconds"])
