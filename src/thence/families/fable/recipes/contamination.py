"""Candidates for questions about what is unsafe raw or unwashed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from thence.domains.recipes.additions.lines import OVEN, TOOLS, RecipeLine
from thence.domains.recipes.additions.utensils import SOIL, soiled
from thence.domains.recipes.hazards import hazard
from thence.domains.recipes.lowering import IN_ANY_FORM
from thence.families.fable.recipes.recipe_cases import RecipeCase

_HEATED = re.compile(r"\b(?i:fry|cook|simmer|boil|bake|roast|soften|sweat|wilt|steam|grill|braise)")


def contaminations(case: RecipeCase) -> Iterator[dict[str, Any]]:
    """Yield each step that brings in something unsafe with each step that may meet it."""
    lines = case.script.lines
    if any(line.heats_part or not line.even for line in lines):
        return  # its words leave open what is cooked through
    for i, line in enumerate(lines):
        if line.cleans:
            continue
        tools = set(TOOLS).intersection(line.defines)
        for name, kind in _hazards(case, i, line):
            for j in range(len(lines)):
                after = not case.bare.precedes(j, i) or (i + j) % 4 == 0
                after = after or not tools.isdisjoint(lines[j].defines)
                idle = {OVEN}.issuperset(case.bare.steps[j].uses)
                if j != i and after and not idle and case.bare.steps[i].defines:
                    yield {
                        "i": i, "j": j, "sanitizers": case.cleans, "ingredient": name,
                        "hazard": kind,
                    }  # fmt: skip


def _hazards(case: RecipeCase, i: int, line: RecipeLine) -> Iterator[tuple[str, str]]:
    """Yield what a line brings in that is unsafe, with its hazard."""
    for name, kind in soiled(line):
        heated = (
            each for each in case.script.lines if name + IN_ANY_FORM in (*each.uses, *each.defines)
        )
        if kind != SOIL or not any(_HEATED.search(each.text) for each in heated):
            yield name, kind
    if line.added and line.when:  # one of two forms of an ingredient, which is not cooked yet
        choice = line.when[0][0]
        if choice + IN_ANY_FORM in line.defines:
            raw = hazard(choice)
            if raw is not None:
                yield choice, raw
