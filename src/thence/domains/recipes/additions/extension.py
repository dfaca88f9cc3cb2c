"""A recipe that is extended: lines with their facts, which become a procedure with choices."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from thence.core.amounts import seconds
from thence.core.procedure import Choice, Procedure, Step, Taken
from thence.domains.recipes.form import Move, bare
from thence.domains.recipes.hazards import hazard
from thence.domains.recipes.lowering import IN_ANY_FORM, REST, Act, LoweredRecipe, Trace, order

OVEN = "oven"
BOARD, WHISK, SPOON, PLATE = "chopping board", "balloon whisk", "wooden spoon", "large plate"
POT, ROOM = "big pot", "room in the oven"
TOOLS = (BOARD, WHISK, SPOON, PLATE, POT, ROOM)
"""Tools of which there is one, that are changed by all that is done with them."""
PASSED_ON = frozenset({BOARD, WHISK, SPOON})
"""Tools that whoever is free takes: what is done with them need not keep its order for that."""

_PRONOUNS = frozenset(["it", "them", "mixture", "everything", "both", "this", "rest"])
_GOES_ON = (
    "in the same", "then ", "at once", "now ", "shortly", "as soon", "when", "once", "after",
    "immediately", "also",
)  # fmt: skip
_BESIDE = re.compile(  # other cooks may be slower
    r"^(?:Meanwhile|In the meantime|While [^,]*|Shortly before the end), "
)
_CUPS = re.compile(r"\d (?:cups?|ounces?|pounds?|quarts?|inch(?:es)?)\b")
_FAHRENHEIT = re.compile(r"(\d+)°F")
_MORE = re.compile(r"(\d+) more (.+)")
_PART = re.compile(r"^(?:the |half (?:of )?(?!an? )|some (?:of )?|most of |the other )+")


@dataclass(eq=False, slots=True)
class RecipeLine:
    """RecipeLine of a recipe: one step.

    Attributes:
        text: its sentences; ``{}`` stands for the number of the line that it repeats.
        uses: what must be there before it.
        defines: what it makes or alters.
        kills: what is no longer there after it.
        brings: the ingredients that come in, with their words.
        when: the options on which it depends.
        cleans: whether all that it makes is safe to eat.
        heats_part: whether it cooks something, but not all that it makes.
        repeats: the line that it does again.
        added: whether it is no line of the recipe itself.
        goes_on: whether its words go on from the line before.
        free: whether it need not keep its place among the lines that work with what it makes.
        even: whether all that it makes comes of all that it uses.
        holds: each thing that it makes -> the ingredients in it; of a line of the recipe itself.
    """

    text: str
    uses: list[str] = field(default_factory=list)
    defines: list[str] = field(default_factory=list)
    kills: list[str] = field(default_factory=list)
    brings: dict[str, str] = field(default_factory=dict)
    when: tuple[Taken, ...] = ()
    cleans: bool = False
    heats_part: bool = False
    repeats: RecipeLine | None = None
    added: bool = False
    goes_on: bool = False
    free: bool = False
    even: bool = True
    holds: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def things(self) -> list[str]:
        """Return what it makes or alters, without tools and ingredients in any form."""
        return [
            fact
            for fact in self.defines
            if not fact.endswith(IN_ANY_FORM) and fact != OVEN and fact not in TOOLS
        ]

    def touches(self, fact: str) -> bool:
        """Return whether it works with a thing, or makes it."""
        return fact in self.uses or fact in self.defines or fact in self.kills


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
            _line(moves, trace, step)
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
        found = [
            _PART.sub("", words) or name
            for line in self.lines
            for name, words in line.brings.items()
        ]
        told: list[str] = []
        for each in filter(None, found):
            more = _MORE.fullmatch(each)
            alike = [t for t in told if more and re.fullmatch(rf"\d+ {re.escape(more[2])}", t)]
            if more and alike:
                count = int(alike[0].partition(" ")[0]) + int(more[1])
                told[told.index(alike[0])] = f"{count} {more[2]}"
            elif each == "rice":  # it is served with a dish, and no step cooks it
                told.append("cooked rice")
            elif each in told and each[0].isdigit():
                told.append(f"another {each}")
            elif each not in told:
                told.append(each)
        return told

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
        choices = tuple(Choice(name, options) for name, options in self.choices.items())
        return Procedure(
            self.title,
            tuple(steps),
            order(_bound(self.lines, steps), extra),
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


def added(text: str, *, uses: Sequence[str] = (), defines: Sequence[str] = (),
          kills: Sequence[str] = (), when: tuple[Taken, ...] = ()) -> RecipeLine:  # fmt: skip
    """Return a new line."""
    return RecipeLine(text, list(uses), list(defines), list(kills), when=when)


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


def _line(moves: Sequence[Move], trace: Trace, step: Step) -> RecipeLine:
    brings = {name: trace.shown.get(name, name) for name in trace.brings}
    text = _BESIDE.sub("", step.text)
    safe = _is_safe(trace)
    return RecipeLine(
        text[:1].upper() + text[1:],
        list(step.uses),
        list(step.defines),
        list(step.kills),
        brings,
        cleans=trace.heats and safe,
        heats_part=trace.heats and not safe,
        goes_on=_goes_on(moves[0]),
        even=_is_even(trace),
        holds={name: trace.holds[name] for name in trace.defines},
    )


def _is_safe(trace: Trace) -> bool:
    """Return whether all that a step leaves was heated in it, with nothing raw put in later."""
    safe: set[str] = set()
    for act in trace.acts:
        raw = any(hazard(name) for name in act.brings)
        if act.heats or (not raw and act.sources and safe.issuperset(act.sources)):
            safe |= set(act.made)
        else:
            safe -= set(act.made)
    return safe.issuperset(name for name in trace.defines if name != OVEN)


def _is_even(trace: Trace) -> bool:
    """Return whether all that a step makes comes of all that it uses and brings in."""
    made = [name for name in trace.defines if name != OVEN]
    if len(made) < 2 and len(trace.acts) < 2:
        return True
    comes: dict[str, set[str]] = {}
    for act in trace.acts:
        here = _inputs(act, comes)
        comes.update(dict.fromkeys(act.made, here))
    wanted = {*trace.uses, *trace.brings} - {OVEN}
    return all(comes.get(name, set()) >= wanted for name in made if not name.startswith(REST))


def _inputs(act: Act, comes: dict[str, set[str]]) -> set[str]:
    found = set(act.brings)
    for name in act.sources:
        found |= comes.get(name, {name})
    return found


def _goes_on(first: Move) -> bool:
    """Return whether a step with this first sentence refers back to the step before it."""
    if first.again or _BESIDE.sub("", first.text).lower().startswith(_GOES_ON):
        return True
    shown = dict(first.shown)
    for name in (*first.takes, *first.keeps):
        words = shown.get(name, "").lower().removeprefix("the ")
        if not words or words in _PRONOUNS or ("mixture" in words and "mixture" not in name):
            return True
    return False


def plain_name(words: str) -> str:
    """Return how an ingredient is called without its amount."""
    return bare(_PART.sub("", words))
