"""Additions that keep, repeat or chill something, or put a spice in and take it out again."""

from __future__ import annotations

import re

from thence.domains.recipes.additions.extension import ExtendedRecipe, lower_first
from thence.domains.recipes.additions.lines import OVEN, TOOLS, added
from thence.domains.recipes.grammar import plural
from thence.domains.recipes.hazards import hazard
from thence.domains.recipes.lowering import IN_ANY_FORM

_SERVED = re.compile(
    r"(?!chopped|raw|warm|meat|boiled|white|tomato|cheese sauce|curry)"
    r".*(?:dressing|dip|sauce|compote|cream|salsa|pesto|relish|chutney|syrup|yogurt)"
)
_MORE = re.compile(
    r"(?!.*(?:paste|base|purée))(?!fried (?:chicken|pork|beef|prawns|tofu)$)"
    r"(?!(?:cooked|boiled|fluffy|steamed) (?:.* )?(?:rice|couscous|bulgur|quinoa|pasta|gnocchi|"
    r"noodles|potatoes)$)"  # on which the rest lies already
    r"(?!.*(?:crumbs|pancetta|bacon|lardons|chorizo|onions?|shallots|leeks|garlic|seeds|spinach)$)"
    r"(?:(?:toasted|crisp|cooked|boiled|fried|roasted|fluffy|steamed) .*|"
    r"croutons)"
)
_COLD = re.compile(
    r"(?!flour|dry|crumb|green salad|(?:egg|butter|creamed|frittata|fritter|kuku|banana) mixture|"
    r".*(?:sauce|soup|spice|onion|rice|curry|chowder) base)"
    r".*(?:dressing|dip|salad|cream|pastry|dough|compote|salsa|custard|filling|marinade|base|"
    r"mixture|cold sauce)"
)
_HOT = re.compile(
    r"\b(?i:simmer|fry|cook|soften|warm|heat|boil|melt|toast|brown|sear|bake|roast|bubble|sweat|"
    r"grill|reduce|pan|wok|oven|knead|rise|chill|refrigerat|fridge)"
)
_COOKED_ON = re.compile(
    r"\b(?i:simmer|fry|cook|soften|heat|boil|melt|toast|brown|bake|roast|bubble|grill|reduce|pan|"
    r"wok|oven)\b"
)  # of the steps after which something is no longer what it was when it was made
_LIQUID = re.compile(r".*(?:soup|stew|curry|stock|broth|curry sauce|tomato sauce|ragout)")
_MILK = re.compile(r".*(?:milk|compote|syrup|rice pudding)")
_VESSEL = re.compile(r"\b(?:the|same) (?:pan|pot|wok|water)\b")  # in which it is not made again
_HALVED = re.compile(r"\b(?i:half|rest|remaining)\b")  # of which no other half can be taken
_IN_FULL = 0.7  # of what is made once more: in the words by which it was made
_WEST = ("1 bay leaf", "1 sprig of thyme", "1 sprig of rosemary", "1 strip of lemon peel")
_EAST = ("1 star anise", "1 stalk of lemongrass", "1 cinnamon stick", "1 slice of ginger")
_SWEET = ("1 vanilla pod", "1 cinnamon stick", "1 strip of orange peel")
_EASTERN = frozenset(
    ["Chinese", "Filipino", "Indian", "Indonesian", "Japanese", "Korean", "Thai", "Vietnamese"]
)


def _is_eaten_so(script: ExtendedRecipe, place: int) -> bool:
    """Return whether what a line makes can stand on the table as it is."""
    line = script.lines[place]
    return line.cleans or not any(hazard(name) for name in line.brings)


def _is_cooked_on(script: ExtendedRecipe, place: int, thing: str) -> bool:
    """Return whether what a line makes is cooked once more, so that it is no dish by itself."""
    held = {thing}
    for line in script.lines[place + 1 :]:
        if not held.isdisjoint(line.uses):
            if _COOKED_ON.search(line.text):
                return True
            held.update(line.things())
    return False


def put_half_aside(script: ExtendedRecipe) -> bool:
    """Let half of something be kept for the table; return success."""
    found = [
        (k, thing)
        for k, thing in script.made_once()
        if _SERVED.fullmatch(thing) and _is_eaten_so(script, k)
    ]
    if not found or not script.room or "table" in script.taken:
        return False
    place, thing = script.rng.choice(found)
    gaps = script.gaps(place + 1, script.first_use(thing, place + 1))
    ends = script.first_use(thing, place + 1) == len(script.lines)
    halved = any(_HALVED.search(x.text) for x in script.lines[place + 1 :] if x.touches(thing))
    if not gaps or ends or halved or script.lines[-1].added:
        return False
    half = f"half of the {thing} for the table"
    forms = [fact for fact in script.lines[place].defines if fact.endswith(IN_ANY_FORM)]
    last = script.lines[-1]
    line = added(f"Put half of the {thing} into a small bowl for the table.",
                 uses=[thing, *forms], defines=[half])  # fmt: skip
    line.halves = frozenset({thing})
    script.put(script.rng.choice(gaps), line)
    last.text += " Put the small bowl on the table, too."
    last.uses += [half, *(form for form in forms if form not in last.uses)]
    last.kills.append(half)
    script.taken |= {thing, "table"}
    return True


def make_again(script: ExtendedRecipe) -> bool:
    """Let something be made once more when it is used up, for the table; return success."""
    if not script.room or "table" in script.taken or script.lines[-1].added:
        return False
    found: list[tuple[int, str, int]] = []
    for place, thing in script.made_once():
        ends = [k for k, line in enumerate(script.lines) if thing in line.kills]
        if (
            (_SERVED.fullmatch(thing) or _MORE.fullmatch(thing))
            and _is_eaten_so(script, place)
            and not _is_cooked_on(script, place, thing)
            and len(ends) == 1
            and not script.lines[ends[0]].text.startswith(("Drain", "Empty"))
            and ends[0] < len(script.lines) - 1
        ):
            found.append((place, thing, ends[0]))
    if not found:
        return False
    place, thing, end = script.rng.choice(found)
    vessels = [k for k, line in enumerate(script.lines) if _VESSEL.search(line.text)]
    gaps = script.gaps(max(end, *vessels, 0) + 1, len(script.lines) - 1)
    if not gaps:
        return False
    maker, last = script.lines[place], script.lines[-1]
    forms = [fact for fact in maker.defines if fact.endswith(IN_ANY_FORM)]
    again = added(
        _once_more(script, maker.text, thing),
        uses=[fact for fact in maker.uses if fact in (OVEN, *TOOLS)],
        defines=[thing, *forms, *(fact for fact in maker.defines if fact in TOOLS)],
    )
    again.repeats, again.cleans, again.brings = maker, maker.cleans, maker.brings
    script.put(script.rng.choice(gaps), again)
    last.text += f" Put the other {thing} on the table, too."
    last.uses += [thing, *(form for form in forms if form not in last.uses)]
    last.kills.append(thing)
    script.taken |= {thing, "table"}
    return True


def _once_more(script: ExtendedRecipe, text: str, thing: str) -> str:
    """Return the words to make a thing once more; often those by which it was made."""
    plain = text.replace(" a clean ", " the ")
    if script.rng.random() < _IN_FULL and plain.count(".") == 1:
        begin = script.rng.choice(("For the table, ", "Once more, "))
        return begin + lower_first(plain)
    return f"Prepare some more {thing} for the table, as in Step {{}}."


def chill(script: ExtendedRecipe) -> bool:
    """Let something stand in the cold until it is needed; return success."""
    found = [
        (k, thing)
        for k, line in enumerate(script.lines)
        for thing in line.things()
        if len(line.things()) == 1 and _COLD.fullmatch(thing) and thing not in script.taken
        and OVEN not in line.defines and not _HOT.search(line.text) and not script.rises(thing, k)
    ]  # fmt: skip
    found = [(k, x) for k, x in found if script.first_use(x, k + 1) < len(script.lines)]
    if not found or not script.room:
        return False
    place, thing = script.rng.choice(found)
    gaps = script.gaps(place + 1, script.first_use(thing, place + 1) - 1)  # not needed at once
    if not gaps:
        return False
    where = script.rng.choice(gaps)
    held = script.forms_in(thing, where)
    it, they_are = ("them", "they are") if plural(thing) else ("it", "it is")
    script.put(
        where,
        added(f"Cover the {thing} and keep {it} in the refrigerator until {they_are} needed.",
              uses=[thing, *held], defines=[thing]),
    )  # fmt: skip
    script.taken.add(thing)
    return True


def flavour(script: ExtendedRecipe) -> bool:
    """Let something be cooked along for its taste and taken out; return success."""
    sweet = script.course in ("dessert", "cake", "biscuit")
    pattern = _MILK if sweet else _LIQUID
    found = [
        (k, thing)
        for k, line in enumerate(script.lines[:-2])
        for thing in line.things()
        if len(line.things()) == 1 and pattern.fullmatch(thing) and not line.when
    ]
    if not found or script.room < 2 or "taste" in script.taken:
        return False
    place, thing = script.rng.choice(found)
    stock = _SWEET if sweet else _EAST if script.cuisine in _EASTERN else _WEST
    words = script.rng.choice(stock)
    name = words.partition(" ")[2].removeprefix("sprig of ").removeprefix("stalk of ")
    name = name.removeprefix("strip of ").removeprefix("slice of ")
    alike = {name, name.replace("leaf", "leaves")}
    if any(each in line.text for line in script.lines for each in alike):
        return False  # which of the two is taken out?
    followed = _follow(script, thing, place + 1)
    starts = script.gaps(place + 1, script.first_use(thing, place + 1))
    ends = [
        (k, held)
        for k, held in followed
        if k > place + 1 and k in script.gaps(k, k) and k < len(script.lines)
    ]
    if not starts or not ends:
        return False
    end, held = script.rng.choice(ends)
    form = name + IN_ANY_FORM
    start = starts[0]
    if end <= start:
        return False
    inside = dict(followed)
    along = [x for k, x in enumerate(script.lines[:end]) if k >= start and x.touches(inside[k + 1])]
    strained = any("strain" in line.text.lower() for line in along)  # which takes it out
    if strained or not any(_HOT.search(line.text) for line in along):
        return False  # it would give no taste
    for place in range(start, end):
        line = script.lines[place]
        if line.touches(inside.get(place, thing)) and line.things():
            line.uses.append(form)
    held_forms, thing_forms = script.forms_in(held, end), script.forms_in(thing, start)
    of = held.rpartition(" in ")[2].removeprefix("its ")  # of the sauce, not of what lies in it
    out = added(f"Take the {name} out of the {of} and throw it away.",
                uses=[held, *held_forms, form], defines=[held], kills=[form])  # fmt: skip
    into = added(
        f"Put {words} into the {thing}.", uses=[thing, *thing_forms], defines=[thing, form]
    )
    into.brings = {name: words}
    script.put(end, out)
    script.put(start, into)
    script.taken.add("taste")
    return True


def _follow(script: ExtendedRecipe, thing: str, place: int) -> list[tuple[int, str]]:
    """Return the places before which a thing, or what it has gone into, is there and named."""
    found: list[tuple[int, str]] = []
    for k in range(place, len(script.lines)):
        line = script.lines[k]
        if line.when and line.touches(thing):
            return found
        if thing in line.kills:
            things = [each for each in line.things() if each != thing]
            if len(things) != 1:
                return found
            thing = things[0]
        found.append((k + 1, thing))
    return found
