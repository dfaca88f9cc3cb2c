"""Additions about what several steps share: the oven, a board, a whisk, a spoon, a plate."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thence.domains.recipes.additions.extension import ExtendedRecipe, lower_first
from thence.domains.recipes.additions.lines import (
    BOARD,
    OVEN,
    PLATE,
    ROOM,
    SPOON,
    WHISK,
    RecipeLine,
    added,
)
from thence.domains.recipes.hazards import hazard

USED = {
    BOARD: re.compile(
        r"\b(?i:cut|slice(?! of)|chop|dice|trim|shred|halve|pound|flatten|roll(?! up)|shape|knead|"
        r"coat|crush)\b"
    ),
    WHISK: re.compile(r"\b(?i:whisk|beat|whip)\b"),
    SPOON: re.compile(
        r"^(?!.*\b(?i:patties|balls|buns|bread|cake|layers?|plates?|bowls|serve|hands|tray|rub|"
        r"fork|brush)\b)"
        r".*\b(?i:(?<!the )stir|mix|combine|fold(?=[^.]* in)|toss|cook|fry|soften|simmer|add|work|"
        r"brown(?! (?:sugar|lentils|rice))|(?<!the )mash)\b"
    ),
}
"""Tool -> the words of the lines that can be done with it."""

_MOST_SHARED = 4  # lines that a tool serves
_DIRTY = 0.2  # of the tools that several lines share: neither washed nor replaced
_SECOND = 0.85  # of the others: whether there is a second one is open
_LISTED = 0.9  # of these: that there is one is the first option
_WASHED = 0.3  # of these: the only one is washed
_MEATS = (
    "chicken|pork|beef|lamb|turkey|duck|prawns|cod|salmon|haddock|fish|squid|trout|tuna|"
    "sausages|meatballs"
)
_RAW = re.compile(
    r"patties|koftas|(?:raw|marinated|coated|floured|spiced|flattened|seasoned|salted|oiled)"
    rf" (?:.* )?(?:{_MEATS})(?: \w+)?"
)
_COOKED = re.compile(
    r"burgers|koftas|(?:fried|browned|roast|roasted|grilled|cooked|seared|baked|crisp)"
    rf" (?:.* )?(?:{_MEATS})(?: \w+)?"
)
_BAKES = re.compile(r"\b(?i:bake)\b")
_LATER, _NOW = "later", "at once"
FAN = "the fan"
"""The choice whether the oven has one."""
_FANS = 0.3  # of the recipes with an oven: it is open
_SOON = 3  # places after something raw where a tool is washed
_COOLS = re.compile(r"\b(?i:minutes?|hours?|cold|cools?|chill)\b")  # after which it is late


def turn_off_oven(script: ExtendedRecipe) -> bool:
    """Let the oven be turned off, and heated again where it is needed later; return success."""
    heated = [k for k, line in enumerate(script.lines) if OVEN in line.defines]
    used = [k for k, line in enumerate(script.lines) if OVEN in line.uses and k not in heated]
    if OVEN in script.taken or len(heated) != 1 or not used or script.lines[heated[0]].when:
        return False
    between = script.gaps(heated[0] + 1, used[0])
    idle = [k for k in between if not script.waits(k)]  # nothing waits until later in the day
    apart = idle[:-1]  # something is done before it is heated again
    script.taken.add(OVEN)
    if between and script.room and script.rng.random() < _FANS:
        script.choose(
            FAN, ["there", "not there"], "whether your oven has a fan",
            ["your oven has a fan", "your oven has no fan"],
        )  # fmt: skip
        down = added("If your oven has a fan, set the oven 20 degrees lower.",
                     uses=[OVEN], defines=[OVEN])  # fmt: skip
        down.when = ((FAN, "there"),)
        script.put(between[0], down)
        return True
    if script.room >= 2 and apart and not _is_raw_meat(script, used[0]) and (
        script.rng.random() < 0.6
    ):  # fmt: skip
        bake = "bake" if _BAKES.search(script.lines[used[0]].text) else "cook"
        when = (("the baking", _LATER),)
        off = added(f"If you {bake} later in the day, turn the oven off.", kills=[OVEN], when=when)
        on = added(
            f"If you {bake} later in the day, heat the oven again to the same temperature.",
            defines=[OVEN],
            when=when,
        )
        first = script.rng.choice(apart)
        script.put(first, off)
        script.put(script.rng.choice([k + 1 for k in idle if k > first]), on)
        script.choose(
            "the baking", [_NOW, _LATER], f"whether you {bake} at once or later in the day",
            [f"you {bake} at once", f"you {bake} later in the day"],
        )  # fmt: skip
    else:
        last = script.gaps(used[-1] + 1, used[-1] + 2)
        if len(last) > 1 and _COOLS.search(script.lines[used[-1] + 1].text):
            last.pop()
        if not last or not script.room:
            return False
        script.put(script.rng.choice(last), added("Turn the oven off.", kills=[OVEN]))
    return True


def _is_raw_meat(script: ExtendedRecipe, place: int) -> bool:
    """Return whether a line works with meat or fish that no line before it has cooked through."""
    held = {
        name
        for thing in script.lines[place].uses
        for line in script.lines[:place]
        for name in line.holds.get(thing, ())
    } | {*script.lines[place].brings}
    done = {
        name
        for line in script.lines[:place]
        if line.cleans
        for names in line.holds.values()
        for name in names
    }
    return any(hazard(name) and "egg" not in name for name in held - done)


def share_oven(script: ExtendedRecipe) -> bool:
    """Let one thing be baked at a time, in the order of the lines; return whether two are."""
    baking = [line for line in script.lines if OVEN in line.uses and OVEN not in line.defines]
    if len(baking) < 2:
        return False
    for line in baking:
        line.uses.append(ROOM)
        line.defines.append(ROOM)
    script.start.append(ROOM)
    script.taken.add(ROOM)
    return True


def share_tool(script: ExtendedRecipe) -> bool:
    """Let one tool serve for something raw and for other things; return success."""
    fitting = {
        tool: [line for line in script.lines if _is_done_with(script, line, tool)] for tool in USED
    }
    tools = [tool for tool, lines in fitting.items() if len(lines) > 1 and any(map(_is_raw, lines))]
    if not tools or not script.room:
        return False
    tool = script.rng.choice(tools)
    soiling = [line for line in fitting[tool] if _is_raw(line)]
    early = [line for line in soiling if line is not fitting[tool][-1]]  # something comes after
    raw = script.rng.choice(early or soiling)
    later = fitting[tool][fitting[tool].index(raw) + 1 :]
    kept = [raw, *script.rng.sample(later, min(len(later), 1))]
    others = [line for line in fitting[tool] if line not in kept]
    kept += script.rng.sample(others, min(len(others), _MOST_SHARED - len(kept)))
    lines = [line for line in script.lines if line in kept]
    for line in lines:
        line.uses.append(tool)
        line.defines.append(tool)
    script.start.append(tool)
    script.taken.add(tool)
    script.served.append(tool)
    low, high = (script.lines.index(line) for line in (raw, lines[-1]))
    _clean(script, tool, low, high if low < high else low + _SOON)
    return True


def _is_raw(line: RecipeLine) -> bool:
    return bool(soiled(line)) and not line.cleans


def second(tool: str) -> str:
    """Return the name of the choice whether there is a second tool."""
    return f"the second {tool.rpartition(' ')[2]}"


def _clean(script: ExtendedRecipe, tool: str, low: int, high: int) -> None:
    """Let a tool be washed or replaced between two lines; sometimes neither."""
    gaps = script.gaps(low + 1, high)
    if not gaps or not script.room or script.rng.random() < _DIRTY:
        return
    if script.room >= 2 and len(script.choices) < 3 and script.rng.random() < _SECOND:
        name = second(tool)
        script.choose(
            name, ["there", "not there"], f"whether you have a second {tool}",
            [f"you have a second {tool}", f"you have only one {tool}"], first=_LISTED,
        )  # fmt: skip
        fresh = added(
            f"If you have a second {tool}, put the first one away for washing and go on with the "
            "second.",
            defines=[tool],
            when=((name, "there"),),
        )
        script.put(script.rng.choice(gaps), fresh)
        if script.rng.random() < _WASHED:
            wash = _washing(f"If you have only one {tool}, wash it with hot water and soap.", tool)
            wash.when = ((name, "not there"),)
            script.put(script.rng.choice(script.gaps(low + 1, high + 1)), wash)
    else:
        _renew(script, tool, gaps)


def _renew(script: ExtendedRecipe, tool: str, gaps: Sequence[int]) -> None:
    """Let a tool be washed or replaced in one of some places."""
    if script.rng.random() < 0.5:
        fresh = added(
            f"Put the {tool} away for washing and go on with a clean one.", defines=[tool]
        )
        script.put(script.rng.choice(gaps), fresh)
    else:
        wash = _washing(f"Wash the {tool} with hot water and soap.", tool)
        script.put(script.rng.choice(gaps), wash)


def share_plate(script: ExtendedRecipe, *, soils: bool) -> bool:
    """Let something raw lie on the plate that what is cooked of it is put on; return success.

    Args:
        script: the recipe.
        soils: whether the plate may be left as it is between both.
    """
    found = []
    for place, line in enumerate(script.lines[:-1]):
        made = line.things()
        lying = [thing for thing in line.kills if _RAW.fullmatch(thing)]
        if line.cleans and not line.when and len(made) == len(lying) == 1:
            used = script.first_use(made[0], place + 1)
            fits = used < len(script.lines) and "plate" not in script.lines[used].text
            if _COOKED.fullmatch(made[0]) and fits:
                found.append((place, lying[0], made[0]))
    if not found or script.room < (2 if soils else 3) or PLATE in script.taken:
        return False
    place, raw, cooked = script.rng.choice(found)
    maker = max(k for k in range(place) if raw in script.lines[k].defines)
    before = script.gaps(maker + 1, place)
    after = script.gaps(place + 1, script.first_use(cooked, place + 1))
    if not before or not after or script.lines[maker].when:
        return False
    forms = [script.forms_in(raw, place), script.forms_in(cooked, place + 1)]
    high, cooking = script.rng.choice(after), script.lines[place]
    if cooking.goes_on:
        return False
    raw_words = raw if raw.startswith("raw ") else f"raw {raw}"
    cooking.text = f"Take the {raw_words} off the large plate. {cooking.text}"
    cooking.uses.append(PLATE)
    up = added(f"Lay the {cooked} on the large plate.", uses=[cooked, *forms[1], PLATE],
               defines=[cooked, PLATE])  # fmt: skip
    down = added(f"Put the {raw_words} on a large plate.", uses=[raw, *forms[0], PLATE],
                 defines=[raw, PLATE])  # fmt: skip
    script.put(high, up)
    low = script.rng.choice(before)
    script.put(low, down)
    script.start.append(PLATE)
    script.taken.add(PLATE)
    left = script.lines.index(cooking)  # what was raw has left it
    if soils:
        _clean(script, PLATE, left, script.lines.index(up))
    else:
        _renew(script, PLATE, script.gaps(left + 1, script.lines.index(up)))
    return True


def warm_plates(script: ExtendedRecipe) -> bool:
    """Let the oven be turned off and heated again for the plates; return whether it was done."""
    used = [k for k, line in enumerate(script.lines) if script.lines[k].touches(OVEN)]
    cold = any(word in script.course for word in ("dessert", "cake", "biscuit", "bread"))
    if not used or cold or script.room < 3 or "plates" in script.taken or OVEN in script.taken:
        return False
    last = script.lines[-1]
    if used[-1] == len(script.lines) - 1 or any(script.lines[k].when for k in used):
        return False
    open_ = script.room > 3 and len(script.choices) < 3 and script.rng.random() < 0.6
    when = (("the plates", "warm"),) if open_ else ()
    begin = "If you want warm plates, " if open_ else ""
    off = added("Turn the oven off.", kills=[OVEN])
    on = added(
        _begun(begin, "Heat the oven once more, but only to its lowest setting."), defines=[OVEN]
    )
    into = added(_begun(begin, "Put four plates into the hot oven for 10 minutes."),
                 uses=[OVEN], defines=["warm plates"])  # fmt: skip
    on.when = into.when = when
    idle = script.gaps(used[-1] + 1, len(script.lines) - 1)
    if len(idle) < 2:
        return False  # something is done before it is heated again
    first = script.rng.choice(idle[:-1][:2])
    again = script.rng.choice([k + 1 for k in idle if k > first])
    bring = added(f"{begin}take the warm plates to the table.", uses=["warm plates"],
                  defines=["warm plates"], when=when)  # fmt: skip
    script.put(first, off)
    script.put(again, on)
    low = again + 1
    for line in (into, bring) if open_ else (into,):
        low = script.rng.choice(script.gaps(low, len(script.lines) - 1) or [len(script.lines) - 1])
        script.put(low, line)
        low += 1
    if open_:
        script.choose(
            "the plates", ["warm", "cold"], "whether you want warm plates",
            ["you want warm plates", "you do not want warm plates"],
        )  # fmt: skip
    else:
        last.text = (
            f"{last.text} Use the warm plates."
            if last.goes_on
            else f"Take the warm plates to the table. {last.text}"
        )
        last.uses.append("warm plates")
    script.taken |= {OVEN, "plates"}
    return True


def _begun(begin: str, sentence: str) -> str:
    return begin + lower_first(sentence) if begin else sentence


def _washing(text: str, tool: str) -> RecipeLine:
    line = added(text, uses=[tool], defines=[tool])
    line.cleans = True
    return line


def _is_done_with(script: ExtendedRecipe, line: RecipeLine, tool: str) -> bool:
    if script.is_repeated(line) or line.cleans:
        return False  # done again with the tool, too; or it is cooked, which cleans no tool
    fits = USED[tool].search(line.text) and not line.when and line.even
    return bool(fits) and len(line.things()) == 1 and not line.touches(OVEN)


def soiled(line: RecipeLine) -> list[tuple[str, str]]:
    """Return the ingredients of a line that are unsafe raw or unwashed, with their hazards."""
    washed = re.search(r"\b(?:wash|rinse)", line.text.lower()) is not None
    found = []
    for name in line.brings:
        if name in line.uses:  # a step before brings it in
            continue
        kind = hazard(name)
        if kind is None and not washed and _SOIL.search(name):
            kind = SOIL
        if kind is not None:
            found.append((name, kind))
    return found


SOIL = "bacteria from the soil"
_SOIL = re.compile(r"\b(?:leeks?|spinach|lettuce|rocket|chard|radishes|cabbage|celery)\b")
