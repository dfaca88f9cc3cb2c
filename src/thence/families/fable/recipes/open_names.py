"""Things of a recipe of which its words leave open whether they are still there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from thence.core.procedure import Step
from thence.domains.recipes.additions.equipment import EQUIPMENT
from thence.domains.recipes.additions.lines import OVEN, TOOLS, RecipeLine
from thence.domains.recipes.lexicon import stem
from thence.domains.recipes.lowering import IN_ANY_FORM


class OpenNames(NamedTuple):
    """Things and steps that readers may take in two ways.

    Attributes:
        things: that one step turns into something else by itself, as whites into whisked whites,
            that stay what they are called though something comes to them, as soup and cream, or of
            which half stands in a bowl of its own.
        steps: that turn a thing into something else by itself, or put another thing into one.
    """

    things: frozenset[str]
    steps: frozenset[int]


def open_names(
    steps: Sequence[Step],
    renames: Mapping[int, AbstractSet[str]],
    halved: AbstractSet[str],
) -> OpenNames:
    """Return the things that may or may not count as altered, and the steps that rename one.

    Args:
        steps: the steps.
        renames: step -> the things that a part of it turns into something else by itself.
        halved: things of which half is put into a bowl of its own.
    """
    things = set(halved).union(*renames.values())
    renaming = set(renames)
    for k, step in enumerate(steps):
        used, made = _things(step.uses), _things(step.defines)
        comes_in = any(each.endswith(IN_ANY_FORM) for each in {*step.defines} - {*step.uses})
        gone = used & _things(step.kills)
        if gone == used and len(used) == 1 and made and not comes_in:
            things |= gone
            renaming.add(k)
        if comes_in or used - made:
            things |= used & made
        if used - made and used & made:
            renaming.add(k)  # without it, what stays lacks what would have gone into it
    return OpenNames(frozenset(things), frozenset(renaming))


_LIQUID_OR_DISSOLVED = re.compile(  # by the last word, or the one before "of"
    r"\b(?:vinegar|sugar|salt|wine|stock|broth|juice|oil|water|milk|sauce|honey|cider|beer)"
    r"(?: of\b|$)"
)


def drained(lines: Sequence[RecipeLine]) -> Iterator[str]:
    """Yield the ingredients, in any form, of which a step may take some away with a liquid.

    Whether the sugar leaves with the vinegar in which it was dissolved, no recipe says.
    """
    for line in lines:
        yield from (name + IN_ANY_FORM for name in line.drains if _LIQUID_OR_DISSOLVED.search(name))


def said_of_two(steps: Sequence[Step]) -> frozenset[str]:
    """Return the ingredients, in any form, whose name a step has that means another thing by it.

    So it is with the olive oil for the leeks where a dressing is made with olive oil, too.
    """
    found = set()
    for fact in {fact for step in steps for fact in step.defines if fact.endswith(IN_ANY_FORM)}:
        name = _name(fact)
        others = (step for step in steps if fact not in {*step.uses, *step.defines, *step.kills})
        if any(name.search(step.text) for step in others):
            found.add(fact)
    return frozenset(found)


@lru_cache(1 << 10)
def _name(fact: str) -> re.Pattern[str]:
    """Return the name of an ingredient as a step may write it, be there one of it or several."""
    first, space, last = fact.removesuffix(IN_ANY_FORM).rpartition(" ")
    one = re.escape(first + space + stem(last))
    either = rf"{one[:-1]}(?:y|ies)" if one.endswith("y") else rf"{one}(?:e?s)?"
    return re.compile(rf"\b{either}\b", re.IGNORECASE)


def _things(facts: Sequence[str]) -> set[str]:
    return {each for each in facts if not each.endswith(IN_ANY_FORM)} - {OVEN, *TOOLS, *EQUIPMENT}
