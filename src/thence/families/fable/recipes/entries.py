"""The steps of a recipe during the insertion of other steps, see `recipes.weaving`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from random import Random

from thence.domains.recipes.form import Move, Recipe, move
from thence.domains.recipes.grammar import expand
from thence.domains.recipes.lowering import trace
from thence.families.fable.recipes.extras import Extra

_TOGETHER = 0.6  # chance that one step makes an extra that takes two moves
_PRONOUNS = frozenset(["it", "them", "mixture", "everything", "both", "this", "rest"])
_GOES_ON = (
    "meanwhile", "in the mean", "in the same", "then ", "at once", "now ", "while", "shortly",
    "as soon", "when", "once", "after", "immediately", "also",
)  # fmt: skip

_SERVES = (
    "serve",
    "serving",
    "hand round",
    "table",
    "ladle",
    "bowls",
    "glasses",
    "scatter",
    "top ",
)


@dataclass(eq=False, slots=True)
class Entry:
    """A step of the recipe under construction.

    Attributes:
        moves: its sentences, if they are the same in both twins.
        place: for a step of the original recipe, its original place.
        line: for a step that may differ, a template with ``{thing}`` and ``{extra}``.
        which: number of its flavouring if it stirs one in, else of its thing.
        stirs: whether it stirs in a flavouring.
    """

    moves: tuple[Move, ...] = ()
    place: int | None = None
    line: str = ""
    which: int = 0
    stirs: bool = False

    @property
    def glued(self) -> bool:
        """Whether it must come directly after the step before it."""
        return bool(self.place) and _goes_on(self.moves[0])

    def touches(self, name: str) -> bool:
        """Return whether it works with a thing."""
        return any(name in each.takes or name in each.keeps for each in self.moves)


class Weaving:
    """The steps of a recipe, with operations to insert others between them."""

    def __init__(self, recipe: Recipe, rng: Random) -> None:
        self.recipe, self.rng = recipe, rng
        self.entries = [Entry(moves, place) for place, moves in enumerate(recipe.steps)]
        self.shown: dict[str, str] = {}  # things that are not called by their names

    def say(self, line: str, thing: str) -> str:
        """Return a line with a thing filled in under its known name."""
        shown = self.shown.get(thing)
        if shown is not None:
            line = line.replace("<the {thing}>", f"<{shown}|{thing}>")
        return line.replace("{thing}", thing)

    def sources(self, name: str, place: int) -> list[Entry]:
        """Return the steps that bring in the ingredients of a thing before a place."""
        traces = trace(replace(self.recipe, steps=self.steps()))
        held = traces[place - 1].holds[name]
        return [
            entry
            for entry, each in zip(self.entries[:place], traces, strict=False)
            if entry.place is not None and not set(held).isdisjoint(each.brings)
        ]

    def put(self, entry: Entry, low: int, high: int) -> bool:
        """Insert a step into a free gap between two places; return success."""
        gaps = [
            k
            for k in range(low, min(high, len(self.entries)) + 1)
            if k == len(self.entries) or not self.entries[k].glued
        ]
        if gaps:
            self.entries.insert(self.rng.choice(gaps), entry)
        return bool(gaps)

    def put_extra(self, extra: Extra, high: int) -> list[Entry]:
        """Insert the steps of an extra, separate or merged, before a place; return them."""
        moves = [worded(line, self.rng) for line in extra.lines]
        new = [Entry((each,)) for each in moves]
        if self.rng.random() < _TOGETHER:
            new = [Entry(tuple(moves))]
        low = 0
        for entry in new:
            self.put(entry, low, high)  # the gap before the first step is always free
            low, high = self.entries.index(entry) + 1, high + 1
        return new

    def is_shared(self, name: str) -> bool:
        """Return whether the recipe uses only a part of a thing and names "the rest of" it."""
        return any(name in each.keeps for entry in self.entries for each in entry.moves)

    def is_named(self, name: str) -> bool:
        """Return whether all the recipe's steps that use a thing name it with "the"."""
        users = [each for entry in self.entries if entry.touches(name) for each in entry.moves]
        return all(_of_rest(each, name) is not each for each in users if name in each.takes)

    def leave_rest(self, name: str) -> None:
        """Reword the recipe's steps to name "the rest of" a thing that is no longer whole."""
        for entry in self.entries:
            if entry.place is not None:
                entry.moves = tuple(_of_rest(each, name) for each in entry.moves)

    def next_use(self, name: str, low: int) -> int:
        """Return the place of the first step from ``low`` on that uses a thing, or the end."""
        later = (k for k in range(low, len(self.entries)) if self.entries[k].touches(name))
        return next(later, len(self.entries))

    def ending(self) -> int:
        """Return the place of the recipe's last step if it serves the dish, else the end.

        Preparations go before this place.
        """
        last = self.last()
        said = " ".join(each.text.lower() for each in self.entries[last].moves)
        return last if any(word in said for word in _SERVES) else len(self.entries)

    def last(self) -> int:
        """Return the place of the recipe's last step."""
        return max(k for k, each in enumerate(self.entries) if each.place is not None)

    def steps(self) -> tuple[tuple[Move, ...], ...]:
        """Return the sentences of each step, empty for a step that differs between the twins."""
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


def _of_rest(one: Move, name: str) -> Move:
    """Return a sentence about the rest of a thing; unchanged if no "the" names it."""
    words = dict(one.shown).get(name, "")
    place = re.search(rf"\b{re.escape(words)}\b", one.text) if words.startswith("the ") else None
    if place is None:
        return one
    rest = f"the rest of {words}"
    shown = tuple((each, rest if each == name else said) for each, said in one.shown)
    text = one.text[: place.start()] + rest + one.text[place.end() :]
    return replace(one, text=text, shown=shown)


def _goes_on(first: Move) -> bool:
    """Return whether a step with this first sentence refers back to the step before it."""
    if first.again or first.text.lower().startswith(_GOES_ON):
        return True
    shown = dict(first.shown)
    for name in (*first.takes, *first.keeps):
        words = shown.get(name, "").lower().removeprefix("the ")
        if not words or words in _PRONOUNS or ("mixture" in words and "mixture" not in name):
            return True
    return False


def worded(line: str, rng: Random) -> Move:
    """Return the sentence of a line with chosen words."""
    return move(expand(line, rng, ""))
