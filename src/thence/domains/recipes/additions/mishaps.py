"""Choices of how something comes out: a sauce that may split is thrown away and made again."""

from __future__ import annotations

import re

from thence.core.amounts import times
from thence.domains.recipes.additions.extension import ExtendedRecipe, denied
from thence.domains.recipes.additions.lines import OVEN, TOOLS, added
from thence.domains.recipes.additions.names import unsaid
from thence.domains.recipes.grammar import plural
from thence.domains.recipes.lowering import IN_ANY_FORM

_FAULTS = (
    (r"mayonnaise|buttercream", "has split", ""),
    (r"custard", "has curdled", ""),
    (r"mash", "has been salted twice", ""),
    (r"roux", "is burnt", ""),
    (r"(?:white|cheese) sauce|(?:soft )?polenta|porridge", "has stuck to the pan and burnt", ""),
    (r"boiled potatoes", "", "have boiled dry"),
    (r"(?:toasted|fried|crisp|roasted|golden|browned|soft) .*", "is burnt", "are burnt"),
    (r"croutons|caramel|crumble|spice base", "is burnt", "are burnt"),
    (r".*(?:cream|meringue|egg whites)", "has been beaten too long", "have been beaten too long"),
    (r".*(?:pastry|pie crust)", "has been worked too long", ""),
    (r"(?:boiled|cooked|fluffy|steamed) (?!.*(?:beans|peas|lentils)).*",
     "is overcooked", "are overcooked"),
    (r".*(?:compote|jam|syrup|sauce|glaze|filling|paste)",
     "has stuck to the pan and burnt", ""),
    (r"dip|vinaigrette|.*(?:dressing|marinade)", "is too salty", ""),
    (r".*(?:paste|rub|spice mix|sauce|glaze)", "has been mixed wrongly", ""),
    (r".*(?:salsa|relish|pesto)", "has been oversalted", ""),
    (r".*filling", "has been mixed wrongly", ""),
)  # fmt: skip
_FRYING = re.compile(
    r"\b(?:fry|toast|roast|brown(?! sugar)|sear|bake|cook|simmer|soften|melt|heat|warm|caramel)",
    re.IGNORECASE,
)  # without which nothing is burnt
_WHOLE = re.compile(r"(?:\bfor|,) (?:about )?$")  # before a time that is the whole of its step
_BAD, _GOOD = "spoilt", "good"
_LONGEST = 60  # minutes: what takes longer at least is not done again


def fault(thing: str, text: str) -> str:
    """Return what may be wrong with a thing that a step makes, such as ``is burnt``, or ""."""
    for pattern, one, many in _FAULTS:
        if re.fullmatch(pattern, thing) and ("burnt" not in one or _FRYING.search(text)):
            return (many or one) if plural(thing) else one
    return ""


def _taking(text: str) -> str:
    """Return in words how long a step takes again, where that is clear; "" elsewhere."""
    found = times(text)
    if len(found) != 1 or not _WHOLE.search(text[: found[0].start]):
        return ""
    ends = text[found[0].start + len(found[0].text) :] == "."
    return f"; this takes {found[0].text}" if ends else ""


def _is_long(text: str) -> bool:
    """Return whether a step takes so long that no cook would do it again for dinner."""
    return any(each.low > _LONGEST for each in times(text))


def mishap(script: ExtendedRecipe) -> bool:
    """Let a thing be thrown away and made again if it is spoilt; return whether it was done."""
    if script.room < 2:
        return False
    unnamed = unsaid(script.lines, script.title)
    found = [
        (place, thing)
        for place, thing in script.made_once()
        if thing not in unnamed
        and fault(thing, script.lines[place].text)
        and not _is_long(script.lines[place].text)
        and script.first_use(thing, place + 1) < len(script.lines)
    ]
    if not found:
        return False
    place, thing = script.rng.choice(found)
    maker = script.lines[place]
    used = script.first_use(thing, place + 1)
    gaps = script.gaps(place + 1, used)
    if not gaps:
        return False
    wrong = fault(thing, maker.text)
    it = "them" if plural(thing) else "it"
    name = f"the {thing}"
    forms = [fact for fact in maker.defines if fact.endswith(IN_ANY_FORM)]
    when = ((name, _BAD),)
    away = added(f"If the {thing} {wrong}, throw {it} away.", kills=[thing, *forms], when=when)
    again = added(
        f"If the {thing} {wrong}, make {it} again with new ingredients, as in Step {{}}"
        f"{_taking(maker.text)}.",
        uses=[fact for fact in maker.uses if fact in (OVEN, *TOOLS)],
        defines=[thing, *forms, *(fact for fact in maker.defines if fact in TOOLS)],
        when=when,
    )
    again.repeats = maker
    again.cleans = maker.cleans
    first = max(script.rng.choice(gaps), script.rng.choice(gaps))  # seldom found out at once
    script.put(first, away)
    script.put(script.rng.choice(script.gaps(first + 1, used + 1)), again)
    script.choose(
        name,
        [_GOOD, _BAD],
        f"whether the {thing} {wrong}",
        [f"the {thing} {denied(wrong)}", f"the {thing} {wrong}"],
    )
    script.taken.add(thing)
    return True
