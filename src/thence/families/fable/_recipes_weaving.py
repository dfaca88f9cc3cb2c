"""A recipe with two flavourings more, as twins: each flavouring goes into one thing or the other.

To a recipe two flavourings are added, made ready in steps of their own and later stirred into two
things that were made apart. In one twin the first goes into the first thing and the second into
the second; in the other the things change places. The twins hold the same words and, but for the
two steps that stir, the same steps at the same places. So nothing on the surface of a question
about any other step tells which twin it is asked of; only following things through the recipe does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import NamedTuple

from thence.domains.recipes.form import Move, Recipe, move
from thence.domains.recipes.grammar import expand
from thence.domains.recipes.lowering import Lowered, lower, trace
from thence.families.fable import _recipes_extras as pantry
from thence.families.fable._recipes_extras import Extra

MOST_HOST_STEPS = 8
MOST_STEPS = 17  # as in the paper's recipes
_STEEPED = 0.3  # chance of two liquids in which something steeps, which is strained out again
_REST = 0.35  # chance of one more step with a thing before the recipe goes on with it
_TOGETHER = 0.6  # chance that one step makes an extra that takes two moves
_PRONOUNS = frozenset(["it", "them", "mixture", "everything", "both", "this", "rest"])
_GOES_ON = (
    "meanwhile", "in the mean", "in the same", "then ", "at once", "now ", "while", "shortly",
    "as soon", "when", "once", "after", "immediately", "also",
)  # fmt: skip
_SMALL = frozenset(["a", "the", "of", "in", "with", "and", "to", "for", "until", "warm", "hot"])


class Twins(NamedTuple):
    """Two recipes that differ in what goes where.

    Attributes:
        pair: the two, with their facts.
        ready: places of the steps that make the flavourings ready.
        stirred: places of the two steps in which the twins differ.
        added: places of all steps that the recipe did not have.
    """

    pair: tuple[Lowered, Lowered]
    ready: tuple[int, ...]
    stirred: tuple[int, ...]
    added: tuple[int, ...]


@dataclass(eq=False, slots=True)
class _Entry:
    """A step of the recipe that is being put together.

    Attributes:
        moves: what it does, where both twins do the same.
        place: of a step of the recipe as it was, where it stood.
        line: of a step that may differ, with ``{thing}`` and ``{extra}`` to be filled in.
        which: the flavouring that it stirs in, else the thing that it works with.
        stirs: whether it stirs in a flavouring.
    """

    moves: tuple[Move, ...] = ()
    place: int | None = None
    line: str = ""
    which: int = 0
    stirs: bool = False

    @property
    def glued(self) -> bool:
        """Whether it can only be understood right after the step before it."""
        return bool(self.place) and _goes_on(self.moves[0])

    def touches(self, name: str) -> bool:
        """Whether it works with a thing."""
        return any(name in each.takes or name in each.keeps for each in self.moves)


class _Weaving:
    """The steps of a recipe while others are put between them."""

    def __init__(self, recipe: Recipe, rng: Random) -> None:
        self.recipe, self.rng = recipe, rng
        self.entries = [_Entry(moves, place) for place, moves in enumerate(recipe.steps)]

    def put(self, entry: _Entry, low: int, high: int) -> bool:
        """A step into a free gap before one of some places; whether there is any."""
        gaps = [
            k
            for k in range(low, min(high, len(self.entries)) + 1)
            if k == len(self.entries) or not self.entries[k].glued
        ]
        if gaps:
            self.entries.insert(self.rng.choice(gaps), entry)
        return bool(gaps)

    def put_extra(self, extra: Extra, high: int) -> list[_Entry]:
        """The steps that make an extra, or one step of all of them, before a place."""
        moves = [_move(line, self.rng) for line in extra.lines]
        new = [_Entry((each,)) for each in moves]
        if self.rng.random() < _TOGETHER:
            new = [_Entry(tuple(moves))]
        low = 0
        for entry in new:
            self.put(entry, low, high)  # the gap before the first step is always free
            low, high = self.entries.index(entry) + 1, high + 1
        return new

    def next_use(self, name: str, low: int) -> int:
        """The place of the first step from ``low`` on that works with a thing, or of the end."""
        later = (k for k in range(low, len(self.entries)) if self.entries[k].touches(name))
        return next(later, len(self.entries))

    def made(self, name: str) -> int:
        """The place of the step that makes a thing which is served beside the dish."""
        made = (
            k
            for k, entry in enumerate(self.entries)
            for each in entry.moves
            if each.makes and each.makes[0].name == name
        )
        return next(made)

    def steps(self) -> tuple[tuple[Move, ...], ...]:
        """What both twins have, empty where they differ."""
        moved = {each.place: k for k, each in enumerate(self.entries) if each.place is not None}
        return tuple(
            tuple(
                replace(each, after=tuple(moved[n - 1] + 1 for n in each.after))
                if each.after
                else each
                for each in entry.moves
            )
            for entry in self.entries
        )


def weave(recipe: Recipe, rng: Random) -> Twins | None:
    """Twins of a recipe; None where nothing can be added to it."""
    sweet = recipe.course in pantry.SWEET_COURSES
    steeped = rng.random() < _STEEPED
    if not sweet and recipe.course not in pantry.SAVOURY_COURSES:
        return None
    if len(recipe.steps) > MOST_HOST_STEPS - 2 * steeped:
        return None
    said = set(_recipe_words(recipe))
    stock, beside = _choose(sweet, steeped, said, rng)
    extras = _apart(stock, said, 2, rng)
    woven = _Weaving(recipe, rng)
    for each in beside:
        woven.put_extra(each, len(woven.entries) - 1)
    names = [each.name for each in beside]
    found = _two_things(woven, names, steeped)
    if len(extras) < 2 or not found:
        return None
    place, *things = rng.choice(found)
    rng.shuffle(things)
    return _finish(woven, extras, (things[0], things[1]), place, names, steeped)


def _choose(
    sweet: bool, steeped: bool, said: set[str], rng: Random
) -> tuple[Sequence[Extra], list[Extra]]:
    """The flavourings to choose from, and what is served beside the dish."""
    if steeped:
        return pantry.extras("steeped"), _apart(pantry.extras("liquids"), said, 2, rng)
    taste = "sweet" if sweet else "savoury"
    beside = _apart(pantry.extras(f"{taste} beside"), said, rng.choice((1, 1, 2)), rng)
    return pantry.extras(taste), beside


def _apart(stock: Sequence[Extra], said: set[str], count: int, rng: Random) -> list[Extra]:
    """Some of a stock that share no word with what was said; their words are added to it."""
    found: list[Extra] = []
    for each in rng.sample(stock, len(stock)):
        if len(found) == count:
            break
        words = _words(each)
        if said.isdisjoint(words):
            said |= words
            found.append(each)
    return found


def _two_things(
    woven: _Weaving, beside: Sequence[str], steeped: bool
) -> list[tuple[int, str, str]]:
    """Free gaps at which two things that were made apart both wait, with the things."""
    steps = woven.steps()
    traces = trace(replace(woven.recipe, steps=steps))
    found = []
    for k in range(1, len(steps)):
        if woven.entries[k].glued:
            continue
        waiting = [
            name
            for name in traces[k - 1].holds
            if name in beside
            or (not steeped and pantry.takes_flavour(name) and woven.next_use(name, k) < len(steps))
        ]
        found += [(k, a, b) for place, a in enumerate(waiting) for b in waiting[:place]]
    return found


def _finish(
    woven: _Weaving,
    extras: Sequence[Extra],
    things: tuple[str, str],
    place: int,
    beside: Sequence[str],
    steeped: bool,
) -> Twins | None:
    """The flavourings made ready and stirred in, and what is done with the things thereafter."""
    rng, entries = woven.rng, woven.entries
    stock = pantry.lines("steep" if steeped else "stir")
    stirs = [
        _Entry(line=expand(rng.choice(stock), rng, ""), which=each, stirs=True)
        for each in rng.sample((0, 1), 2)
    ]
    low = place
    for each in stirs:
        high = min(woven.next_use(name, place) for name in things)
        woven.put(each, low, high)
        low = entries.index(each) + 1
    ready = []
    for extra in extras:
        ready += woven.put_extra(extra, entries.index(stirs[0]))
    used = [woven.next_use(name, place) for name in things]
    resting = [rng.random() < _REST for _ in things]
    if used[0] == used[1] < len(entries) and not any(resting):
        resting[rng.randrange(2)] = True
    for name in beside:
        if name not in things:
            served = _move(rng.choice(pantry.lines("serve")).replace("{thing}", name), rng)
            woven.put(_Entry((served,)), woven.made(name) + 1, len(entries))
    for which, name in enumerate(things):
        low = entries.index(stirs[1]) + 1
        for line in _afterwards(name in beside, steeped, resting[which], rng):
            entry = _Entry(line=expand(line, rng, ""), which=which)
            if not woven.put(entry, low, woven.next_use(name, low)):
                return None
            low = entries.index(entry) + 1
    if len(entries) > MOST_STEPS:
        return None
    return Twins(
        (_twin(woven, extras, things, 0), _twin(woven, extras, things, 1)),
        tuple(entries.index(each) for each in ready),
        tuple(entries.index(each) for each in stirs),
        tuple(k for k, each in enumerate(entries) if each.place is None),
    )


def _afterwards(beside: bool, steeped: bool, resting: bool, rng: Random) -> list[str]:
    """What is done with a thing after something was stirred in."""
    lines = [rng.choice(pantry.lines("strain"))] if steeped else []
    if resting and not steeped:
        lines.append(rng.choice(pantry.lines("rest")))
    if beside:
        lines.append(rng.choice(pantry.lines("pour" if steeped else "serve")))
    return lines


def _twin(woven: _Weaving, extras: Sequence[Extra], things: Sequence[str], crossed: int) -> Lowered:
    """One of the two: with ``crossed`` 1 each flavouring goes into the other thing."""
    steps = list(woven.steps())
    for place, entry in enumerate(woven.entries):
        if entry.line:
            flavour = entry.which if entry.stirs else entry.which ^ crossed
            thing = things[flavour ^ crossed]
            extra = extras[flavour].name if entry.stirs else extras[flavour].brings[0]
            line = entry.line.replace("{thing}", thing).replace("{extra}", extra)
            steps[place] = (move(line),)
    return lower(replace(woven.recipe, steps=tuple(steps)))


def _move(line: str, rng: Random) -> Move:
    return move(expand(line, rng, ""))


def _goes_on(first: Move) -> bool:
    """Whether a step that begins so takes up what the step before it said."""
    if first.again or first.text.lower().startswith(_GOES_ON):
        return True
    shown = dict(first.shown)
    for name in (*first.takes, *first.keeps):
        words = shown.get(name, "").lower().removeprefix("the ")
        if not words or words in _PRONOUNS or ("mixture" in words and "mixture" not in name):
            return True
    return False


def _recipe_words(recipe: Recipe) -> frozenset[str]:
    texts = [each.text for moves in recipe.steps for each in moves]
    return _plain(" ".join([recipe.title, *texts]))


@cache
def _words(extra: Extra) -> frozenset[str]:
    """The words that name an extra and what goes into it."""
    return _plain(" ".join([extra.name, *extra.brings]))


def _plain(text: str) -> frozenset[str]:
    bare = "".join(letter if letter.isalpha() else " " for letter in text.lower())
    return frozenset(word.removesuffix("s") for word in bare.split()) - _SMALL
