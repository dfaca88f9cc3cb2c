"""Choices of how an ingredient is bought: dried or tinned beans, frozen or fresh fish."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from thence.domains.recipes.additions.extension import ExtendedRecipe
from thence.domains.recipes.additions.ingredient_list import plain_name
from thence.domains.recipes.additions.lines import RecipeLine, added
from thence.domains.recipes.grammar import plural
from thence.domains.recipes.lowering import IN_ANY_FORM

_SAID = frozenset(
    ["dried", "tinned", "canned", "frozen", "fresh", "soak", "soaked", "peel", "peeled", "wash",
     "rinse", "rinsed", "trim", "trimmed", "smoked", "cooked", "shell", "toasted", "squeeze",
     "ground", "flaked", "risotto", "small", "new", "melted", "short-grain", "basmati", "parboiled"]
)  # fmt: skip
_CUT = {"chopped": "chop", "sliced": "slice", "diced": "dice", "shredded": "shred",
        "grated": "grate", "crushed": "crush", "halved": "halve",
        "stoned": "stone"}  # fmt: skip
_CUTTING = frozenset({*_CUT, "finely", "thinly", "roughly"})  # words that a list leaves out then
_PRESSED = re.compile(r"\b(?:squeeze|juice) of\b")  # of a fruit, then
_LEAVES = frozenset({"spinach", "baby spinach", "chard"})
_BLANCHED = re.compile(r"\b(?i:blanch)")
_HEATING = ("simmer", "cook", "bake", "fry", "boil", "roast", "bubble", "soften")


@dataclass(frozen=True, slots=True)
class Supply:
    """Two forms in which an ingredient is bought.

    Attributes:
        options: the name of each form, with what is done first.
        cooked: whether only for what is then heated.
    """

    options: tuple[tuple[str, tuple[str, ...]], ...]
    cooked: bool


def supply(script: ExtendedRecipe) -> bool:
    """Let an ingredient come in one of two forms; return whether a line was added."""
    places = [
        (place, name)
        for place, line in enumerate(script.lines)
        for name in line.brings
        if name in _supplies() and _is_open(script, place, name)
    ]
    if not places:
        return False
    place, name = script.rng.choice(places)
    options = _supplies()[name].options
    if sum(len(does) for _, does in options) > script.room:
        return False
    cut = _cut(script.lines[place].brings[name])
    _bring(script, script.lines[place], name)
    high = script.lines.index(next(line for line in script.lines if name in line.uses))
    script.choose(
        name,
        [option for option, _ in options],
        f"whether you use {options[0][0]} or {options[1][0]} {name}",
        [f"you use {option} {name}" for option, _ in options],
    )
    for option, does in script.rng.sample(options, len(options)):
        low = 0
        for new in _lines(name, option, _cutting(does, cut)):
            gaps = script.gaps(low, high)
            early = "hour" in new.text  # what takes so long is begun first
            gaps = [k for k in gaps if not script.waits(k)] or gaps
            where = script.rng.choice((gaps[:2] if early else gaps[-6:]) or [0])
            script.put(where, new)
            low, high = where + 1, high + 1
    script.taken.add(name)
    return True


def _is_open(script: ExtendedRecipe, place: int, name: str) -> bool:
    """Return whether it is open in which form a line takes an ingredient."""
    line = script.lines[place]
    shown = line.brings[name]
    said = set(f"{shown} {line.text.lower()}".replace(",", "").replace(".", "").split())
    facts = {fact for each in script.lines for fact in (*each.defines, *each.uses)}
    if name not in script.tracked or name in facts or name in script.choices:
        return False
    if line.added or shown not in line.text or _PRESSED.search(shown) or _SAID & said:
        return False
    done = " ".join(does for _, each in _supplies()[name].options for does in each).split()
    if any(word.endswith("ed") and not {word[:-2], word[:-3]}.isdisjoint(done) for word in said):
        return False  # "chopped tomatoes" need not be chopped
    if line.text.startswith(shown) or script.is_repeated(line):
        return False
    if any(each is not line and _comes_in(name, each) for each in script.lines):
        return False  # which of the two is it?
    blanched = name in _LEAVES and _BLANCHED.search(line.text)  # as what was frozen is already
    heated = any(word in line.text for word in _HEATING)
    return not blanched and (heated or not _supplies()[name].cooked)


def _comes_in(name: str, line: RecipeLine) -> bool:
    """Return whether a line brings in an ingredient that is called by a name."""
    plain = map(plain_name, line.brings.values())
    return any(each == name or each.endswith(f" {name}") for each in plain)


def _bring(script: ExtendedRecipe, line: RecipeLine, name: str) -> None:
    """Let a line work with an ingredient that was brought in before."""
    shown, form = line.brings[name], name + IN_ANY_FORM
    plain = plain_name(shown)
    if shown.startswith("the ") and " of " not in shown:
        words = shown
    else:  # "the juice of 1 lime" need not be squeezed
        words = f"the {name if ' of ' in plain or not plain else plain}"
    line.text = line.text.replace(shown, words, 1)
    line.brings[name] = " ".join(word for word in shown.split() if word not in _CUTTING)
    line.uses += [name, form]
    line.kills.append(name)
    line.defines.remove(form)


def _cut(shown: str) -> str:
    """Return how an ingredient is cut that a recipe takes chopped or sliced; "" if it is whole."""
    return next((_CUT[word] for word in shown.split() if word in _CUT), "")


def _cutting(does: tuple[str, ...], cut: str) -> tuple[str, ...]:
    """Return what is done first, with the cutting if there is any, for what is bought whole."""
    if not cut:
        return does
    *early, last = does
    safe = " !" if last.endswith(" !") else ""
    return (*early, f"{last.removesuffix(' !')}, then {cut} T{safe}")


def _lines(name: str, option: str, does: tuple[str, ...]) -> list[RecipeLine]:
    """Return the lines of an option; the last makes the ingredient ready, the first brings it."""
    form, when = name + IN_ANY_FORM, ((name, option),)
    it = "them" if plural(name) else "it"
    found, held = [], f"{option} {name}"
    for number, what in enumerate(does):
        last = number == len(does) - 1
        words = what.removesuffix(" !").replace("N", name)
        words = re.sub(r"\bT\b", it, words)
        text = f"If you use {option} {name}, {words}."
        made = name if last else held
        new = added(text, defines=[made], when=when)
        new.cleans = what.endswith(" !")
        if number:
            new.uses += [held, form]
            new.kills.append(held)
        else:
            new.defines.append(form)
        found.append(new)
    found[0].brings = {}
    return found


@cache
def _supplies() -> dict[str, Supply]:
    text = files("thence.domains.recipes.additions").joinpath("supplies.txt").read_text("utf-8")
    found: dict[str, Supply] = {}
    names: list[str] = []
    cooked = False
    options: list[tuple[str, tuple[str, ...]]] = []
    for line in [*text.splitlines(), "== "]:
        if line.startswith("== "):
            found |= dict.fromkeys(names, Supply(tuple(options), cooked))
            heading = line[3:]
            cooked = heading.endswith(" cooked")
            names = heading.removesuffix(" cooked").split(", ")
            options = []
        elif line and not line.startswith("#"):
            option, _, does = line.partition(": ")
            options.append((option, tuple(does.split(" / "))))
    return found
