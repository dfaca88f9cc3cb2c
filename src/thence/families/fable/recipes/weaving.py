"""Twins of a recipe with two more flavourings, each stirred into one of two things.

Two flavourings are added to a recipe, prepared in steps of their own and later stirred into two
separate things. In one twin the first goes into the first thing and the second into the second; in
the other twin the things change places. The twins have the same words and, except for the two
stirring steps, the same steps at the same places. So the surface of a question about any other step
does not tell the twins apart; only tracking things through the recipe does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cache, lru_cache
from random import Random
from typing import Any, NamedTuple

from thence.domains.recipes.form import Recipe, move
from thence.domains.recipes.grammar import expand
from thence.domains.recipes.lexicon import MOST_WORDS
from thence.domains.recipes.lowering import LoweredRecipe, lower, trace
from thence.families.fable.recipes import extras as pantry
from thence.families.fable.recipes.entries import Entry, Weaving, worded
from thence.families.fable.recipes.extras import Extra

MOST_HOST_STEPS = 9
MOST_STEPS = 17  # as in the paper's recipes
KINDS = {"stir": 14, "blend": 12, "steep": 22, "fill": 7, "spoon": 45}
"""Weights of the moved items: flavourings, mixtures, ingredients that steep and are strained out
again, vessels, and a spoonful of a thing of the recipe."""

_INSIDE = ("stir", "blend")  # kinds that may go into things of the recipe, too
_MANY_STEPS = ("steep", "spoon")  # kinds that add the most
_SERVED = {"steep": "pour", "fill": "carry"}
_HALVED = 0.45  # chance that one of the two things is half of the other
_REST = 0.35  # chance of one more step with a thing before the recipe goes on with it
_SMALL = frozenset(["a", "the", "of", "in", "with", "and", "to", "for", "until", "warm", "hot"])


class Twins(NamedTuple):
    """Two recipes that differ in the targets of their flavourings.

    Attributes:
        pair: the two, with their facts.
        ready: places of the steps that prepare the flavourings.
        stirred: places of the two steps in which the twins differ.
        added: places of all steps that the original recipe did not have.
        kind: one of `KINDS`.
    """

    pair: tuple[LoweredRecipe, LoweredRecipe]
    ready: tuple[int, ...]
    stirred: tuple[int, ...]
    added: tuple[int, ...]
    kind: str


def _stocks(kind: str, recipe: Recipe, rng: Random) -> tuple[Sequence[Extra], Sequence[Extra], int]:
    """Return the additions of a kind, the possible side dishes, and the number of side dishes."""
    here = (recipe.cuisine, recipe.course)
    if kind == "steep":
        return pantry.extras("steeped"), pantry.extras("liquids"), 2
    if kind == "fill":
        return pantry.extras("vessels"), pantry.stock(here, "beside"), 2
    movers = pantry.stock(here, "mixtures" if kind == "blend" else "")
    count = 2 if kind == "spoon" else rng.choice((1, 1, 2))
    return movers, pantry.stock(here, "beside"), count


def weave(recipe: Recipe, rng: Random, kinds: Mapping[str, int] = KINDS) -> Twins | None:
    """Return twins of a recipe; None if nothing can be added to it.

    Args:
        recipe: the original recipe.
        rng: the source of all randomness.
        kinds: the kinds of additions, with weights.
    """
    (kind,) = rng.choices(list(kinds), list(kinds.values()))
    if recipe.course not in (*pantry.SWEET_COURSES, *pantry.SAVOURY_COURSES):
        return None
    if len(recipe.steps) > MOST_HOST_STEPS - 2 * (kind in _MANY_STEPS):
        return None
    movers, served, count = _stocks(kind, recipe, rng)
    said = set(_recipe_words(recipe))
    beside = _apart(served, said, count, rng)
    extras = _apart(movers, said, 2, rng)
    woven = Weaving(recipe, rng)
    for each in beside:
        woven.put_extra(each, len(woven.entries) - 1)
    names = [each.name for each in beside]
    inside = kind in _INSIDE
    half = _halved(woven, names) if inside and rng.random() < _HALVED else ""
    found: list[tuple[Any, ...]] = list(_two_things(woven, names, inside))
    if half:
        found = [each for each in found if half in each]
    if kind == "spoon":
        found = [
            (*each, name)
            for each in found
            for name in _in_parts(woven, each[0])
            if name not in names
        ]
    if len(extras) < 2 or not found:
        return None
    place, *things = rng.choice(found)
    if kind == "spoon":
        extras[0] = Extra(things.pop(), (), ())
    rng.shuffle(things)
    return _finish(woven, extras, (things[0], things[1]), place, names, kind)


def _halved(woven: Weaving, beside: list[str]) -> str:
    """Put half of something into a separate bowl; return the name of that half."""
    rng = woven.rng
    traces = trace(replace(woven.recipe, steps=woven.steps()))
    whole = [
        name
        for name in dict.fromkeys(name for each in traces for name in each.holds)
        if name in beside
        or (pantry.taken(name, "in parts") and not woven.is_shared(name) and woven.is_named(name))
    ]
    if not whole:
        return ""
    name = rng.choice(whole)
    made = next(k for k, each in enumerate(traces) if name in each.holds)
    half = f"bowl of {name}"
    line = rng.choice(pantry.lines("halve")).replace("{thing}", name).replace("{half}", half)
    if not woven.put(Entry((worded(line, rng),)), made + 1, woven.next_use(name, made + 1)):
        return ""
    woven.leave_rest(name)
    woven.shown[half], woven.shown[name] = "the half in the bowl", f"the rest of the {name}"
    beside.append(half)
    return half


def _in_parts(woven: Weaving, place: int) -> list[str]:
    """Return the recipe's things at a place from which a spoonful can be taken."""
    traces = trace(replace(woven.recipe, steps=woven.steps()))
    said = _plain(" ".join(each.text for each in traces[:place]))
    held = traces[place - 1].holds
    return [x for x in held if pantry.taken(x, "by the spoon") and _is_known(x, said)]


def _apart(stock: Sequence[Extra], said: set[str], count: int, rng: Random) -> list[Extra]:
    """Return random extras that share no word with the used ones, and mark theirs as used."""
    found: list[Extra] = []
    for each in rng.sample(stock, len(stock)):
        if len(found) == count:
            break
        words = _words(each)
        if said.isdisjoint(words):
            said |= words
            found.append(each)
    return found


def _two_things(woven: Weaving, beside: Sequence[str], inside: bool) -> list[tuple[int, str, str]]:
    """Return free gaps with two separate things that are both available, and the things."""
    steps = woven.steps()
    traces = trace(replace(woven.recipe, steps=steps))
    found = []
    said = set[str]()
    for k in range(1, len(steps)):
        said |= _plain(traces[k - 1].text)
        if woven.entries[k].glued:
            continue
        waiting = [
            name
            for name in traces[k - 1].holds
            if name in beside
            or (
                inside
                and pantry.takes_flavour(name)
                and _is_known(name, said)
                and woven.next_use(name, k) < len(steps)
            )
        ]
        found += [(k, a, b) for place, a in enumerate(waiting) for b in waiting[:place]]
    return found


def _finish(
    woven: Weaving,
    extras: Sequence[Extra],
    things: tuple[str, str],
    place: int,
    beside: Sequence[str],
    kind: str,
) -> Twins | None:
    """Add the steps that prepare and stir in the flavourings and use the things; return twins."""
    rng, entries = woven.rng, woven.entries
    stirs = []
    for which in rng.sample((0, 1), 2):
        spooned = not extras[which].lines
        stock = pantry.lines(kind if spooned or kind != "spoon" else "stir")
        stirs.append(Entry(line=expand(rng.choice(stock), rng, ""), which=which, stirs=True))
    low = place
    for each in stirs:
        waiting = (*things, extras[each.which].name)
        high = min(woven.next_use(name, place) for name in waiting)
        if not woven.put(each, low, min(high, woven.ending())):
            return None
        low = entries.index(each) + 1
    ready = []
    for extra in extras:
        ready += woven.put_extra(extra, entries.index(stirs[0])) if extra.lines else []
    ready += woven.sources(extras[0].name, entries.index(stirs[0])) if kind == "spoon" else []
    used = [woven.next_use(name, place) for name in things]
    resting = [rng.random() < _REST for _ in things]
    if used[0] == used[1] < len(entries) and not any(resting):
        resting[rng.randrange(2)] = True
    for name in beside:
        if name not in things:
            served = worded(woven.say(rng.choice(_servings("serve", woven)), name), rng)
            woven.put(Entry((served,)), woven.last() + 1, len(entries))
    for which, name in enumerate(things):
        low = entries.index(stirs[1]) + 1
        for line in _between(kind, resting[which], rng):
            entry = Entry(line=expand(line, rng, ""), which=which)
            if not woven.put(entry, low, min(woven.next_use(name, low), woven.ending())):
                return None
            low = entries.index(entry) + 1
        if name in beside:
            line = rng.choice(_servings(_SERVED.get(kind, "serve"), woven))
            entry = Entry(line=expand(line, rng, ""), which=which)
            woven.put(entry, max(low, woven.last() + 1), len(entries))
    if len(entries) > MOST_STEPS:
        return None
    return Twins(
        (_twin(woven, extras, things, 0), _twin(woven, extras, things, 1)),
        tuple(entries.index(each) for each in ready),
        tuple(entries.index(each) for each in stirs),
        tuple(k for k, each in enumerate(entries) if each.place is None),
        kind,
    )


def _between(kind: str, resting: bool, rng: Random) -> list[str]:
    """Return the lines between the stirring-in and the next use of a thing."""
    if kind == "steep":
        return [rng.choice(pantry.lines("strain"))]
    return [rng.choice(pantry.lines("rest"))] if resting else []


def _servings(section: str, woven: Weaving) -> list[str]:
    """Return the ways to serve a thing; two bowls would be ambiguous for a reader."""
    return [line for line in pantry.lines(section) if not (woven.shown and " bowl" in line)]


def _twin(
    woven: Weaving, extras: Sequence[Extra], things: Sequence[str], crossed: int
) -> LoweredRecipe:
    """Return one of the twins: ``crossed`` 1 exchanges the things of the flavourings."""
    steps = list(woven.steps())
    for place, entry in enumerate(woven.entries):
        if entry.line:
            flavour = entry.which if entry.stirs else entry.which ^ crossed
            extra = extras[flavour]
            moved = extra.name if entry.stirs else (extra.brings or ("",))[0]
            line = woven.say(entry.line, things[flavour ^ crossed]).replace("{extra}", moved)
            steps[place] = (move(line),)
    return lower(replace(woven.recipe, steps=tuple(steps)))


def _recipe_words(recipe: Recipe) -> frozenset[str]:
    texts = [each.text for moves in recipe.steps for each in moves]
    return _plain(" ".join([recipe.title, *texts]))


@cache
def _words(extra: Extra) -> frozenset[str]:
    """Return the words of an extra's name and of its ingredients."""
    return _plain(" ".join([extra.name, *extra.brings]))


def _is_known(name: str, said: AbstractSet[str]) -> bool:
    """Return whether a name is clear to a reader of the text so far."""
    return _plain(name) <= said | pantry.understood()


@lru_cache(MOST_WORDS)
def _plain(text: str) -> frozenset[str]:
    bare = "".join(letter if letter.isalpha() else " " for letter in text.lower())
    return frozenset(word.removesuffix("s") for word in bare.split()) - _SMALL
