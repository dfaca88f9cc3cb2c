"""Lines of a recipe that is extended: what each says, and what it does to things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from thence.core.procedure import Step, Taken, never_both
from thence.domains.recipes.form import Move
from thence.domains.recipes.hazards import hazard
from thence.domains.recipes.lowering import IN_ANY_FORM, REST, Trace

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
_DRAINED = re.compile(r"\b(?i:drain(?! on)|squeeze(?! of))\b")
_BESIDE = re.compile(  # other cooks may be slower
    r"^(?:Meanwhile|In the meantime|While [^,]*|Shortly before the end), "
)


@dataclass(eq=False, slots=True)
class RecipeLine:
    """Line of a recipe: one step.

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
        renames: the things that it turns into others by themselves, as slices into toast.
        halves: the things of which it puts half into a bowl of its own.
        drains: the ingredients of what it drains or squeezes.
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
    renames: frozenset[str] = frozenset()
    halves: frozenset[str] = frozenset()
    drains: frozenset[str] = frozenset()

    def things(self) -> list[str]:
        """Return what it makes or alters, without tools and ingredients in any form."""
        return [
            fact
            for fact in self.defines
            if not fact.endswith(IN_ANY_FORM) and fact != OVEN and fact not in TOOLS
        ]

    def is_apart_from(self, other: RecipeLine) -> bool:
        """Return whether two lines depend on different options of one choice."""
        return never_both(self.when, other.when)

    def touches(self, fact: str) -> bool:
        """Return whether it works with a thing, or makes it."""
        return fact in self.uses or fact in self.defines or fact in self.kills


def added(text: str, *, uses: Sequence[str] = (), defines: Sequence[str] = (),
          kills: Sequence[str] = (), when: tuple[Taken, ...] = ()) -> RecipeLine:  # fmt: skip
    """Return a new line."""
    return RecipeLine(text, list(uses), list(defines), list(kills), when=when)


def line_of(moves: Sequence[Move], trace: Trace, step: Step) -> RecipeLine:
    """Return the line of a step, from its sentences, its trace and its facts."""
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
        renames=_renames(trace),
        drains=_drains(moves, trace),
    )


def _drains(moves: Sequence[Move], trace: Trace) -> frozenset[str]:
    """Return the ingredients that come to be in what a step drains or squeezes.

    A sentence that works with several things counts not, nor does what it brings in itself.
    """
    found: set[str] = set()
    for move, act in zip(moves, trace.acts, strict=True):
        if _DRAINED.search(move.text) and len(act.sources) == 1:
            found.update(name for held in act.made.values() for name in held)
            found -= {*act.brings}
    return frozenset(found)


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
    origins = _origins(trace)
    wanted = {*trace.uses, *trace.brings} - {OVEN}
    return all(origins.get(name, set()) >= wanted for name in made if not name.startswith(REST))


def _renames(trace: Trace) -> frozenset[str]:
    """Return the things that a step turns into others to which nothing else has come."""
    origins = _origins(trace)
    gone = set(trace.kills)
    found: set[str] = set()
    for name in trace.defines:
        comes = origins.get(name, set()) - {OVEN}
        if len(comes) == 1:
            found |= comes & gone
    return frozenset(found)


def _origins(trace: Trace) -> dict[str, set[str]]:
    """Return for each thing that a step makes what it comes of: earlier things and ingredients."""
    found: dict[str, set[str]] = {}
    for act in trace.acts:
        here = set(act.brings).union(*(found.get(name, {name}) for name in act.sources))
        found.update(dict.fromkeys(act.made, here))
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
