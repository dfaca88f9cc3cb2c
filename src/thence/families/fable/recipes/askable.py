"""What is asked about a recipe: steps and things whose answer its words do not tell at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations, product
from typing import Any

from thence.dataflow.flow import Role
from thence.domains.recipes.additions.lines import OVEN, TOOLS
from thence.families.fable.recipes import durations
from thence.families.fable.recipes.contamination import contaminations
from thence.families.fable.recipes.question_base import form
from thence.families.fable.recipes.recipe_cases import RecipeCase
from thence.families.fable.shared.analyses import INTERVALS

type Asked = dict[str, Any]


def _definitions(case: RecipeCase) -> Iterator[Asked]:
    for i, step in enumerate(case.flow.steps):
        for fact in step.defines:
            heats = fact != OVEN or "heat" in step.text.lower()
            if heats and fact not in TOOLS and fact not in case.unclear:
                yield {"i": i, "fact": fact}


def _needed(case: RecipeCase, *, sure: bool = True) -> Iterator[Asked]:
    """Yield what a step makes with that step, and with others by which it can have been made.

    Args:
        case: the recipe.
        sure: whether it must have been made by then, in whatever order.
    """
    flow = case.flow
    for each in _definitions(case):
        made, fact = each["i"], each["fact"]
        if not sure and not case.is_renewed(fact):
            continue  # it stays: the order decides nothing
        if form(fact) in ("heat", "out") and flow.steps_with(Role.DEFINE, fact)[0] != made:
            continue  # the question names no step that makes it
        taken = dict(flow.steps[made].when)
        if flow.steps_with(Role.DEFINE, fact)[0] == made or taken:
            used = flow.mask(Role.USE, fact)
            for i, step in enumerate(flow.steps):
                told = fact in step.kills and not step.uses  # thrown away there
                apart = any(taken.get(choice, each) != each for choice, each in step.when)
                if flow.precedes(i, made) or apart or (told and (i + made) % 3):
                    continue
                if sure and taken and not taken.items() <= dict(step.when).items():
                    continue  # where its step is left out, the question has no ground
                if used >> (i + 1) or not (i + made) % 4:  # else no step uses it later
                    yield {"i": i, "fact": fact, "made": made}


def _definitions_and_steps(case: RecipeCase) -> Iterator[Asked]:
    flow = case.flow
    for each in _definitions(case):
        for j in range(len(flow)):
            i = each["i"]
            if j != i and (not flow.precedes(j, i) or (7 * i + 3 * j) % 8 == 0):
                yield {**each, "j": j}


def _definitions_and_later(case: RecipeCase) -> Iterator[Asked]:
    return (each for each in _definitions_and_steps(case) if each["j"] > each["i"])


def _made_and_needed(case: RecipeCase) -> Iterator[Asked]:
    flow = case.flow
    for i, j in product(range(len(flow)), repeat=2):
        if i == j or flow.precedes(j, i) or not flow.steps[j].uses:
            continue
        step = flow.steps[i]
        if case.script.lines[i].free:
            continue  # nothing depends on it alone, as its words tell
        heats = set(step.defines) == {OVEN} and bool(step.when)
        if (heats or set(step.defines) <= set(step.uses)) and (i + j) % 8:
            continue  # it only alters or ends something, which its words tell
        if case.script.lines[i].repeats and not step.when and (i + j) % 3:
            continue  # there are two of what it makes, which its words tell
        equips = not case.script.equipment.keys().isdisjoint(step.defines)
        if equips and step.when and (i + j) % 3:
            continue  # it was put away under the same condition, which its words tell
        made = not {*step.defines}.isdisjoint(flow.steps[j].uses)
        if made or (i < j and (i + 2 * j) % 3 == 0):
            yield {"i": i, "j": j}


def _pairs(case: RecipeCase) -> Iterator[Asked]:
    """Yield each two steps once, now one of them first and now the other."""
    for i, j in combinations(range(len(case.flow)), 2):
        first, second = (i, j) if (i + j // 2) % 2 else (j, i)
        yield {"i": first, "j": second}


CANDIDATES: Mapping[str, Callable[[RecipeCase], Iterator[Asked]]] = {
    "reaching_definitions": _definitions_and_steps,
    "available_expressions": _definitions_and_later,
    "very_busy_expressions": _needed,
    "live_variables": partial(_needed, sure=False),
    INTERVALS: lambda case: durations.candidates(case.flow, case.drained),
    "type_state": _made_and_needed,
    "taint": contaminations,
    "concurrency": _pairs,
}
