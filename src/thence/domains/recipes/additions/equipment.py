"""Additions about equipment that several steps need: it is got out, put away and got out again."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thence.core.procedure import Taken
from thence.domains.recipes.additions.extension import ExtendedRecipe
from thence.domains.recipes.additions.lines import RecipeLine, added
from thence.domains.recipes.additions.utensils import soiled

_MEAT = (
    "chicken|beef|lamb|pork|prawns|salmon|cod|fish|sausages?|meat(?:balls)?|tofu|burgers|patties"
)
_PIECES = (
    rf"{_MEAT}|bacon|halloumi|paneer|tortillas|buns|slices|cubes|fritters|spaghetti|tagliatelle|"
    "linguine|pasta|noodles|spinach|asparagus|beans|broccoli|leaves|lettuce|rocket|watercress"
)
_SNIPPED = (
    "parsley|coriander(?! seeds)|basil|mint|dill|chives|thyme|tarragon|oregano|herbs|"
    "spring onions?|bacon|pancetta|chorizo|chicken|spinach|lettuce|rocket|watercress|tortillas|"
    "apricots|baking paper"
)
_TASTED = "sauce|dressing|soup|stew|curry|dip|salsa|broth|compote|gravy|cream|salad|mash|icing"
_WORDS = {
    "thermometer": "yeast in|thick custard|custard is set|braise|poach|until it steams|"
    "cooked through|juices run clear|sounds? hollow|"
    rf"oil to|hot oil|over (?:simmering|hot) water|(?:{_MEAT}) (?:is|are) (?:done|tender)",
    "tasting spoon": "season|simmer|"
    rf"(?:(?<!the )stir|mix|whisk|blend|combine)\b.*\b(?:{_TASTED})",
    "tea towel": r"wash|rinse|drain(?! on)|(?<!\ba )(?<!the )dry(?! white)|knead|rise|"
    r"squeeze(?! of)",
    "kitchen tongs": "(?:fry|brown|sear|roast|grill|toast|turn|lift|lay|arrange|toss|boil|cook|"
    rf"drain|(?<!the )warm|put(?! on)|move|return|blanch)\b.*\b(?<!minced )(?:{_PIECES})(?! stock)",
    "kitchen scissors": "(?:cut|slice|chop|shred|trim|sprinkle|scatter|top|finish|stir|mix|mash|"
    rf"combine|line|fry|cook)\b.*\b(?<!chopped )(?<!diced )(?:{_SNIPPED})",
    "spatula": r"fold(?=[^.]* in)|spread|scrape|(?<!the )stir|flip|(?<!the stir-)fry|soften|level|"
    r"(?:cream|brown)(?= (?:\d|the\b|them\b|it\b))",
    "kitchen timer": "minutes?",
    "splash guard": r"(?<!the stir-)fry|brown(?= (?:\d|the\b|them\b|it\b))|sear|sizzle",
}
EQUIPMENT = {name: re.compile(rf"\b(?i:{verbs})\b") for name, verbs in _WORDS.items()}
"""Equipment -> the words of steps in which a cook may use it; no step says so, nor must."""
_ANYWHERE = frozenset({"spatula", "kitchen timer"})  # which fit most recipes, and come last
_RAW = re.compile(r"\b(?i:raw|marinat\w*|minced)\b")  # of what some equipment is kept away
_CLEAN = frozenset({"tasting spoon", "tea towel"})
_BY_HAND = re.compile(r"\b(?i:rub|knead|roll)\b")  # what a spatula is of no use for

_CLEARING = "the clearing up"
_OPEN = 0.5  # of what is put away: only under an option
_ANYWAY = 0.5  # of what is put away under an option: got out again in any case
_OUT = ("get out the {}", "fetch the {}")
_SURE = "make sure that the {} {} out"
_AWAY = ("put the {} away", "tidy the {} away")
_USED = 3  # most steps that need it
_LINES = 3  # that are added at least


def equip(script: ExtendedRecipe) -> bool:
    """Let some steps need a piece of equipment that is put away meanwhile; return success."""
    fitting = {
        name: [
            place for place, line in enumerate(script.lines) if not line.when and _fits(name, line)
        ]
        for name in EQUIPMENT
        if name not in script.equipment
    }
    names = [name for name, places in fitting.items() if len(places) > 1]
    script.rng.shuffle(names)
    names.sort(key=_ANYWHERE.__contains__)
    # each twice, as which of its steps need it is drawn
    tried = (_equip(script, name, fitting[name]) for name in (*names, *names))
    return script.room >= _LINES and any(tried)


def _fits(name: str, line: RecipeLine) -> bool:
    """Return whether a cook may use a piece of equipment in a line: some not for what is raw."""
    if not EQUIPMENT[name].search(line.text):
        return False
    if name == "spatula" and _BY_HAND.search(line.text):
        return False
    raw = bool(soiled(line)) or _RAW.search(line.text) is not None
    return name not in _CLEAN or line.cleans or not raw


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
        are = "are" if name.endswith("s") else "is"
        seen = _line(_SURE.format(name, are), (), defines=name)
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
    again = " again" if when and defines else ""  # it has been put away then
    words = (
        f"If you clear up as you go, {text}{again}." if when else f"{text[0].upper()}{text[1:]}."
    )
    return added(words, defines=[defines] * bool(defines), kills=[kills] * bool(kills), when=when)
