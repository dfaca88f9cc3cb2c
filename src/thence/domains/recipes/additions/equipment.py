"""Additions about equipment that several steps need: it is got out, put away and got out again."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thence.core.procedure import Taken
from thence.domains.recipes.additions.extension import ExtendedRecipe
from thence.domains.recipes.additions.lines import RecipeLine, added

_WORDS = {
    "thermometer": "fry|simmer|boil|roast|bake|heat|melt|warm|cool|chill|rise|brown|cook|soften",
    "tasting spoon": "season|simmer|stir|mix|whisk|dress|boil|combine|add|blend|pour",
    "tea towel": "wash|rinse|drain|knead|rise|cover|boil|bake|roast|wrap|soak|peel|set",
    "kitchen tongs": "fry|brown|roast|bake|grill|boil|blanch|toss|drain|turn|sear|lift|lay|serve",
    "kitchen scissors": "cut|slice|chop|shred|halve|trim|sprinkle|scatter|top|add|arrange|spoon",
    "spatula": "fold|spread|mix|stir|beat|whisk|cream|pour|combine|turn|knead|shape|rub|put",
}
EQUIPMENT = {name: re.compile(rf"\b(?i:{verbs})\b") for name, verbs in _WORDS.items()}
"""Equipment -> the words of steps that can need it; no step says that it does, nor must."""

_CLEARING = "the clearing up"
_OPEN = 0.5  # of what is put away: only under an option
_ANYWAY = 0.5  # of what is put away under an option: got out again in any case
_OUT = ("get out the {}", "fetch the {}")
_AWAY = ("put the {} away", "tidy the {} away")
_USED = 3  # most steps that need it
_LINES = 3  # that are added at least


def equip(script: ExtendedRecipe) -> bool:
    """Let some steps need a piece of equipment that is put away meanwhile; return success."""
    fitting = {
        name: [
            place
            for place, line in enumerate(script.lines)
            if not line.when and words.search(line.text)
        ]
        for name, words in EQUIPMENT.items()
        if name not in script.equipment
    }
    names = [name for name, places in fitting.items() if len(places) > 1]
    script.rng.shuffle(names)
    return script.room >= _LINES and any(_equip(script, name, fitting[name]) for name in names)


def _equip(script: ExtendedRecipe, name: str, fitting: Sequence[int]) -> bool:
    """Let some steps of those that fit need a piece of equipment; return success."""
    kept = sorted(script.rng.sample(fitting, min(len(fitting), _USED)))
    cut = max(range(len(kept) - 1), key=lambda k: (kept[k + 1] - kept[k], script.rng.random()))
    first = script.gaps(0, kept[0])
    between = script.gaps(kept[cut] + 1, kept[cut + 1])
    if not first or len(between) < 2:
        return False
    script.equipment[name] = [script.lines[k] for k in kept]
    when = _when(script)
    early, late = sorted(script.rng.sample(between, 2))  # something is done meanwhile
    again = when if script.rng.random() >= _ANYWAY else ()
    script.put(late, _line(_out(script, name), again, defines=name))
    away = script.rng.choice(_AWAY).format(name)
    script.put(early, _line(away, when, kills=name))
    begun = script.rng.choice(first)
    script.put(begun, _line(_out(script, name), (), defines=name))
    if script.room:
        _see_to(script, name, begun + 2)
    return True


def _see_to(script: ExtendedRecipe, name: str, low: int) -> None:
    """Let a step see that equipment is out, before the last that needs it."""
    high = max(script.lines.index(line) for line in script.equipment[name])
    told = [k for k, line in enumerate(script.lines) if name in (*line.defines, *line.kills)]
    _, away, again = told  # between which it need only be got out
    gaps = [
        k
        for k in script.gaps(low, high)
        if not away < k <= again and not {k - 1, k}.intersection(told)
    ]
    if gaps:
        seen = _line(_out(script, name), (), defines=name)  # as others: words tell nothing
        seen.free = True
        script.put(script.rng.choice(gaps), seen)


def _when(script: ExtendedRecipe) -> tuple[Taken, ...]:
    """Return the option under which something is put away; none where it is in any case."""
    if script.rng.random() >= _OPEN and script.room > _LINES:  # each recipe has a choice
        return ()
    if _CLEARING not in script.choices:
        script.choose(
            _CLEARING, ["as you go", "later"], "whether you clear up as you go",
            ["you clear up as you go", "you do not clear up as you go"],
        )  # fmt: skip
    return ((_CLEARING, "as you go"),)


def _out(script: ExtendedRecipe, name: str) -> str:
    return script.rng.choice(_OUT).format(name)


def _line(text: str, when: tuple[Taken, ...], defines: str = "", kills: str = "") -> RecipeLine:
    words = f"If you clear up as you go, {text}." if when else f"{text[0].upper()}{text[1:]}."
    return added(words, defines=[defines] * bool(defines), kills=[kills] * bool(kills), when=when)
