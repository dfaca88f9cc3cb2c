"""A recipe that is extended: lines with their facts, which become a procedure with choices."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

from thence.core.amounts import seconds
from thence.core.procedure import Choice, Procedure, Step
from thence.domains.recipes.additions.ingredient_list import listed, plain_name
from thence.domains.recipes.additions.lines import OVEN, PASSED_ON, TOOLS, RecipeLine, line_of
from thence.domains.recipes.lowering import IN_ANY_FORM, LoweredRecipe, order

_CUPS = re.compile(r"\d (?:cups?|ounces?|pounds?|quarts?|inch(?:es)?)\b")
_FAHRENHEIT = re.compile(r"(\d+)°F")
_RAISING = re.compile(r"\b(?:yeast|baking powder|baking soda|self-raising|whites)\b")
_HURRIED = re.compile(
    r".*batter|filled (?:tins?|sheets)|unbaked biscuits|(?:shaped|proved) dough|"
    r"whisked whites|mousse|(?:frittata|fritter|kuku|banana) mixture|half-set kuku"
)  # it would fall, run or set


class ExtendedRecipe:
    """A recipe with the lines that are added to it.

    Args:
        lowered: the recipe with its facts.
        rng: decides what is added.
    """

    def __init__(self, lowered: LoweredRecipe, rng: Random) -> None:
        recipe, tracked = lowered.recipe, lowered.tracked
        self.title, self.cuisine, self.course = recipe.title, recipe.cuisine, recipe.course
        self.rng = rng
        self.tracked = set(tracked)
        self.after: list[tuple[RecipeLine, RecipeLine]] = []
        self.choices: dict[str, tuple[str, str]] = {}
        self.options: dict[str, str] = {}  # choice -> what is open, in words
        self.told: dict[str, str] = {}  # "choice\noption" -> the condition, in words
        self.start: list[str] = []
        self.lines = [
            line_of(moves, trace, step)
            for moves, trace, step in zip(
                recipe.steps, lowered.traces, lowered.procedure.steps, strict=True
            )
        ]
        for line, trace in zip(self.lines, lowered.traces, strict=True):
            self.after += [(self.lines[k], line) for k in trace.after]
        self.base = len(self.lines)
        self.texts = [line.text for line in self.lines]  # as they were
        _measure_alike(self.lines)
        for name, called in _called(self.lines, tracked).items():
            _rename(self.lines, name, called)
            self.tracked = {called if each == name else each for each in self.tracked}
        self.equipment: dict[str, list[RecipeLine]] = {}  # with the lines that need it
        self.served: list[str] = []  # the tools that some lines are done with
        self.taken: set[str] = set()  # things of which an addition tells already

    @property
    def room(self) -> int:
        """The number of lines that can still be added: a third of all at most."""
        return self.base // 2 - (len(self.lines) - self.base)

    def gaps(self, low: int, high: int) -> list[int]:
        """Return the places between two, the ends included, where a line can be put."""
        inside = range(low, min(high, len(self.lines)) + 1)
        return [k for k in inside if k == len(self.lines) or not self.lines[k].goes_on]

    def put(self, place: int, *lines: RecipeLine) -> None:
        """Insert added lines before a place."""
        for line in lines:
            line.added = True
        self.lines[place:place] = lines

    def first_use(self, thing: str, low: int) -> int:
        """Return the first place from one on whose line works with a thing, or the end."""
        later = (k for k in range(low, len(self.lines)) if self.lines[k].touches(thing))
        return next(later, len(self.lines))

    def forms_in(self, thing: str, place: int) -> list[str]:
        """Return the ingredients, in any form, that are in a thing before a place."""
        line = next(line for line in reversed(self.lines[:place]) if thing in line.defines)
        own = [name + IN_ANY_FORM for name in line.holds.get(thing, ()) if name in self.tracked]
        more = [
            fact
            for fact in (*line.uses, *line.defines)
            if fact.endswith(IN_ANY_FORM) and fact not in line.kills
        ]
        if not line.added:
            more = [fact for fact in more if fact.removesuffix(IN_ANY_FORM) not in self.tracked]
        return list(dict.fromkeys([*own, *more]))

    def is_repeated(self, line: RecipeLine) -> bool:
        """Return whether an added line does a line again."""
        return any(each.repeats is line for each in self.lines)

    def rises(self, thing: str, place: int) -> bool:
        """Return whether a thing that a line makes has in it what makes it rise."""
        held = self.lines[place].holds.get(thing, ())
        words = (
            f"{name} {shown}"
            for line in self.lines[: place + 1]
            for name, shown in line.brings.items()
            if name in held
        )
        return any(_RAISING.search(each) for each in words)

    def waits(self, place: int) -> bool:
        """Return whether something stands ready before a place that no cook lets wait."""
        ready: set[str] = set()
        for line in self.lines[:place]:
            ready -= set(line.kills)
            ready.update(thing for thing in line.things() if _HURRIED.fullmatch(thing))
        return bool(ready)

    def made_once(self) -> Iterator[tuple[int, str]]:
        """Yield the place and the name of each thing that a line makes of ingredients alone."""
        for place, line in enumerate(self.lines):
            things = line.things()
            if line.when or line.added or len(things) != 1 or things[0] in self.taken:
                continue
            if set(line.uses) <= {OVEN, *TOOLS} and OVEN not in line.defines:
                yield place, things[0]

    def choose(
        self, name: str, options: Sequence[str], is_open: str, told: Iterable[str], *,
        first: float = 0.5,
    ) -> None:  # fmt: skip
        """Add a choice.

        Args:
            name: its name.
            options: its two options.
            is_open: what is open, such as ``whether the dressing splits``.
            told: the condition of each option.
            first: how often the first of them is listed first.
        """
        one, other = options
        self.choices[name] = (one, other) if self.rng.random() < first else (other, one)
        self.options[name] = is_open
        for option, words in zip(options, told, strict=True):
            self.told[f"{name}\n{option}"] = words

    def ingredients(self) -> list[str]:
        """Return the ingredients in words, as a cook lays them out."""
        return listed(each for line in self.lines for each in line.brings.items())

    def procedure(self) -> Procedure:
        """Return the procedure of the lines in their order."""
        number = {id(line): place for place, line in enumerate(self.lines)}
        steps = []
        for line in self.lines:
            text = line.text
            if line.repeats is not None:
                text = text.replace("{}", str(number[id(line.repeats)] + 1))
            steps.append(
                Step(
                    text,
                    _once(line.uses),
                    _once(line.defines),
                    _once(line.kills),
                    seconds(text),
                    when=line.when,
                )
            )
        extra = [(number[id(a)], number[id(b)]) for a, b in self.after]
        apart = {
            (i, j)
            for (i, one), (j, other) in combinations(enumerate(self.lines), 2)
            if one.is_apart_from(other)
        }
        choices = tuple(Choice(name, options) for name, options in self.choices.items())
        return Procedure(
            self.title,
            tuple(steps),
            order(_bound(self.lines, steps), extra, apart),
            tuple(self.start),
            choices,
        )


def _bound(lines: Sequence[RecipeLine], steps: Sequence[Step]) -> list[Step]:
    """Return steps with the facts by which they keep their order."""
    return [
        Step(step.text)
        if line.free
        else replace(
            step,
            uses=_binding(step.uses),
            defines=_binding(step.defines, anew=line.repeats is not None),
            kills=_binding(step.kills),
        )
        for line, step in zip(lines, steps, strict=True)
    ]


def _binding(facts: Sequence[str], *, anew: bool = False) -> tuple[str, ...]:
    """Return the facts that bind: what is brought in anew is no part of what was made before."""
    kept = (fact for fact in facts if not anew or not fact.endswith(IN_ANY_FORM))
    return tuple(fact for fact in kept if fact not in PASSED_ON)


def _called(lines: Sequence[RecipeLine], tracked: Iterable[str]) -> dict[str, str]:
    """Return the ingredients whose names no line says, with what the lines call them.

    Where a line says only the end of a name, such as "sugar", it is made to say the whole.
    """
    taken = {each for line in lines for each in (*line.brings, *line.defines, *line.uses)}
    found = {}
    for line in lines:
        for name, words in line.brings.items():
            called = plain_name(words)
            said = all(word in line.text.lower() for word in name.split())
            if name not in tracked or said or " for " in name or not called:
                continue
            if name.endswith(f" {called}"):
                line.brings[name] = words.replace(called, name)
                line.text = line.text.replace(words, line.brings[name])
            elif called not in taken:
                found[name] = called
                taken.add(called)
    return found


def _rename(lines: Sequence[RecipeLine], name: str, called: str) -> None:
    new = {name: called, name + IN_ANY_FORM: called + IN_ANY_FORM}
    for line in lines:
        for facts in (line.uses, line.defines, line.kills):
            facts[:] = [new.get(fact, fact) for fact in facts]
        line.brings = {new.get(each, each): words for each, words in line.brings.items()}
        line.holds = {
            new.get(thing, thing): tuple(new.get(each, each) for each in held)
            for thing, held in line.holds.items()
        }


def _measure_alike(lines: Sequence[RecipeLine]) -> None:
    """State all temperatures in degrees Celsius unless amounts are American."""
    if not any(_CUPS.search(line.text) for line in lines):
        for line in lines:
            line.text = _FAHRENHEIT.sub(lambda found: f"{_celsius(int(found[1]))}°C", line.text)


def _celsius(degrees: int) -> int:
    return round((degrees - 32) * 5 / 90) * 10


def denied(words: str) -> str:
    """Return what is said of a thing as it is not: ``is burnt`` as ``is not burnt``."""
    for verb in ("is", "are", "has", "have"):
        words = words.replace(f"{verb} ", f"{verb} not ")
    words = words.replace("has not lumps", "has no lumps")
    return words.replace("feels ", "does not feel ").replace("looks ", "does not look ")


def lower_first(text: str) -> str:
    """Return a sentence that goes on in the middle of another."""
    return text[:1].lower() + text[1:]


def _once(facts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(facts))
