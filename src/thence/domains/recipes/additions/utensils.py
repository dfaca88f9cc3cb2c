"""Additions about utensils that several steps share: the oven and the chopping board."""

from __future__ import annotations

import re

from thence.domains.recipes.additions.extension import (
    BOARD,
    OVEN,
    ExtendedRecipe,
    RecipeLine,
    added,
    lower_first,
)
from thence.domains.recipes.hazards import hazard

_CUTS = re.compile(
    r"(?:Finely |Roughly |Thinly )?(?:Cut|Slice|Chop|Dice|Trim|Shred|Deseed|Halve|Stone)\b"
)
_LATER, _NOW = "later", "at once"
_FAN = 0.3  # of the recipes with an oven: whether it has a fan is open


def turn_off_oven(script: ExtendedRecipe) -> bool:
    """Let the oven be turned off, and heated again where it is needed later; return success."""
    heated = [k for k, line in enumerate(script.lines) if OVEN in line.defines]
    used = [k for k, line in enumerate(script.lines) if OVEN in line.uses and k not in heated]
    if OVEN in script.taken or len(heated) != 1 or not used or script.lines[heated[0]].when:
        return False
    between = script.gaps(heated[0] + 1, used[0])
    script.taken.add(OVEN)
    if between and script.room and script.rng.random() < _FAN:
        name = "the fan"
        script.choose(
            name, ["there", "not there"], "whether your oven has a fan",
            ["your oven has a fan", "your oven has no fan"],
        )  # fmt: skip
        down = added("If your oven has a fan, set it 20 degrees lower.", defines=[OVEN])
        down.when = ((name, "there"),)
        script.put(script.rng.choice(between), down)
        return True
    if script.room >= 2 and between and script.rng.random() < 0.6:
        when = (("the baking", _LATER),)
        off = added("If you bake later in the day, turn the oven off.", kills=[OVEN], when=when)
        on = added(
            "If you bake later in the day, heat the oven again to the same temperature.",
            defines=[OVEN],
            when=when,
        )
        first = script.rng.choice(between)
        script.put(first, off)
        script.put(script.rng.choice(script.gaps(first + 1, used[0] + 1)), on)
        script.choose(
            "the baking", [_NOW, _LATER], "whether you bake at once or later in the day",
            ["you bake at once", "you bake later in the day"],
        )  # fmt: skip
    else:
        last = script.gaps(used[-1] + 1, len(script.lines))
        if not last or not script.room:
            return False
        script.put(script.rng.choice(last), added("Turn the oven off.", kills=[OVEN]))
    return True


def share_board(script: ExtendedRecipe) -> bool:
    """Let all that is cut be cut on one board, which is washed at times; return success."""
    cuts = [line for line in script.lines if _is_cut(line)]
    if len(cuts) < 2 or not script.room or BOARD in script.taken:
        return False
    for number, line in enumerate(cuts):
        where = "On the chopping board" if number else "On a clean chopping board"
        line.text = f"{where}, {lower_first(line.text)}"
        line.uses.append(BOARD)
        line.defines.append(BOARD)
    script.start.append(BOARD)
    script.taken.add(BOARD)
    low, high = (script.lines.index(line) for line in (cuts[0], cuts[-1]))
    gaps = script.gaps(low + 1, high)
    if not gaps:
        return True
    if script.room >= 2 and script.rng.random() < 0.5:
        name = "the second board"
        script.choose(
            name, ["there", "not there"], "whether you have a second chopping board",
            ["you have a second chopping board", "you have only one chopping board"],
        )  # fmt: skip
        fresh = added(
            "If you have a second chopping board, put the first one away and go on with that.",
            defines=[BOARD],
            when=((name, "there"),),
        )
        place = script.rng.choice(gaps)
        script.put(place, fresh)
        if script.rng.random() < 0.6:
            wash = _washing("If you have only one chopping board, wash it with hot water and soap.")
            wash.when = ((name, "not there"),)
            script.put(script.rng.choice(script.gaps(low + 1, high + 1)), wash)
    else:
        script.put(
            script.rng.choice(gaps), _washing("Wash the chopping board with hot water and soap.")
        )
    return True


def _washing(text: str) -> RecipeLine:
    line = added(text, uses=[BOARD], defines=[BOARD])
    line.cleans = True
    return line


def _is_cut(line: RecipeLine) -> bool:
    return bool(_CUTS.match(line.text)) and not line.when and line.even and len(line.things()) == 1


def soiled(line: RecipeLine) -> list[tuple[str, str]]:
    """Return the ingredients of a line that are unsafe raw or unwashed, with their hazards."""
    washed = re.search(r"\b(?:wash|rinse)", line.text.lower()) is not None
    found = []
    for name in line.brings:
        kind = hazard(name)
        if kind is None and not washed and _SOIL.search(name):
            kind = "bacteria from the soil"
        if kind is not None:
            found.append((name, kind))
    return found


_SOIL = re.compile(r"\b(?:leeks?|spinach|lettuce|rocket|chard|radishes|cabbage|celery)\b")
