"""Lowering of the structured form of a recipe to a procedure with exact facts.

Facts are names of things that exist in the kitchen after a step: a batter, chopped onions, a hot
oven. A thing is *used* by the steps that work with it, *defined* by the steps that make or alter
it, and *killed* by the step that consumes it. There are also facts about ingredients, ``eggs, in
any form``: such a fact is used by every step that uses a thing with the eggs in it, and is killed
only by a step that throws them away; so entities are followed through mixtures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from thence.core.amounts import seconds
from thence.core.procedure import Acting, Pair, Procedure, Step
from thence.domains.recipes.form import FormError, Made, Move, Recipe

IN_ANY_FORM = ", in any form"
REST = "rest of the "

type Keys = dict[str, None]  # an ordered set


class Act(NamedTuple):
    """A move with its implicit parts made explicit: inputs, ingredients and results.

    Attributes:
        sources: things that it uses, also those that stay.
        gone: those of the sources that no longer exist afterwards.
        brings: ingredients that come in.
        made: thing -> ingredients in it.
        drops: ingredients that it throws away.
        heats: whether heat makes its results safe.
    """

    sources: Sequence[str]
    gone: Sequence[str]
    brings: tuple[str, ...]
    made: dict[str, tuple[str, ...]]
    drops: tuple[str, ...]
    heats: bool


@dataclass(slots=True)
class Trace:
    """Uses, definitions and kills of a step, before it becomes a `Step`.

    Attributes:
        uses: things of earlier steps that it uses.
        defines: things that it makes or alters and that exist at its end.
        kills: things that it consumes.
        carries: ingredients inside the things that it uses.
        brings: ingredients that come in.
        drops: ingredients that it throws away.
        holds: thing -> ingredients in it, at the end of the step.
        shown: thing -> the words of this step for it.
        heats: whether it makes something safe to eat by heat.
        after: 0-based steps that must come before, without a fact that says so.
        acts: its moves, with their implicit parts.
    """

    text: str
    uses: list[str] = field(default_factory=list)
    defines: list[str] = field(default_factory=list)
    kills: list[str] = field(default_factory=list)
    carries: Sequence[str] = ()
    brings: list[str] = field(default_factory=list)
    drops: list[str] = field(default_factory=list)
    holds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)
    heats: bool = False
    after: list[int] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class LoweredRecipe:
    """A recipe with its facts.

    Attributes:
        recipe: the source recipe.
        traces: one for each step.
        tracked: ingredients that come in once and whole, with the step in which they do.
        procedure: steps with facts about things and about ingredients in any form, and the order.
    """

    recipe: Recipe
    traces: tuple[Trace, ...]
    tracked: dict[str, int]
    procedure: Procedure


class _Kitchen:
    """State of the kitchen while the moves of a recipe are carried out."""

    def __init__(self) -> None:
        self.holds: dict[str, tuple[str, ...]] = {}
        self.last = ""

    def carry_out(self, move: Move, trace: Trace, fresh: Keys, carried: Keys) -> None:
        """Carry out one move and update the trace of its step.

        Args:
            move: the move.
            trace: the trace of its step so far.
            fresh: the things that this step has made so far.
            carried: the ingredients inside the things that it has used so far.
        """
        holds = self.holds
        takes = move.takes
        if move.again:
            if not self.last:
                raise FormError(f"'~' with nothing made before: {move.text}")
            if self.last not in takes:
                takes = (*takes, self.last)
        sources = takes + move.keeps if move.keeps else takes
        arriving = move.brings + move.splits if move.splits else move.brings
        inside: Keys = {}
        for name in sources:
            if name not in holds:
                raise FormError(f"'{name}' does not exist here: {move.text}")
            keys = dict.fromkeys(holds[name])
            inside.update(keys)
            if name not in fresh and name not in trace.uses:
                trace.uses.append(name)
                carried.update(keys)
        for name in arriving:
            inside[name] = None
        made = self._made(move, takes, inside)
        gone = [name for name in takes if name not in made]
        for name in gone:
            del holds[name]
        holds.update(made)
        for name in made:
            fresh[name] = None
        for name in move.splits:
            holds[REST + name] = made[REST + name] = ()
            fresh[REST + name] = None
        if move.drops:
            self._drop(move, inside)
        trace.acts.append(Act(sources, gone, arriving, made, move.drops, move.heats))
        trace.brings += arriving
        trace.shown.update(move.shown)
        if move.drops or move.heats or move.after:
            trace.drops += move.drops
            trace.heats = trace.heats or move.heats
            trace.after.extend(step - 1 for step in move.after)

    def _made(self, move: Move, takes: Sequence[str], inside: Keys) -> dict[str, tuple[str, ...]]:
        made = move.makes
        if made is None:
            if len(takes) == 1:  # which it alters
                self.last = takes[0]
                return {self.last: tuple(inside)}
            made = self._default(move, takes)
        if not made:
            return {}
        out: dict[str, tuple[str, ...]] = {}
        for each in made:
            if each.name in self.holds and each.name not in takes:
                raise FormError(f"'{each.name}' exists already: {move.text}")
            if each.holds is None:
                out[each.name] = tuple(inside)
                continue
            for name in each.holds:
                if name not in inside:
                    raise FormError(f"'{each.name}' holds what never came into it: {move.text}")
            out[each.name] = each.holds
        self.last = made[0].name
        return out

    @staticmethod
    def _default(move: Move, takes: Sequence[str]) -> tuple[Made, ...]:
        if takes:
            raise FormError(f"several things are used up and none is made: {move.text}")
        arriving = (*move.brings, *move.splits)
        return (Made(arriving[0]),) if len(arriving) == 1 and not move.keeps else ()

    def _drop(self, move: Move, inside: Keys) -> None:
        for ingredient in move.drops:
            if ingredient not in inside:
                raise FormError(f"'{ingredient}' is not here to be thrown away: {move.text}")
            for name, held in self.holds.items():
                if ingredient in held:
                    self.holds[name] = tuple(x for x in held if x != ingredient)


def trace(recipe: Recipe) -> tuple[Trace, ...]:
    """Return the uses, definitions and kills of every step of a recipe.

    Raises:
        FormError: a thing is used before it exists, or is made twice.
    """
    kitchen, traces = _Kitchen(), []
    for moves in recipe.steps:
        step = Trace(" ".join(move.text for move in moves))
        before = tuple(kitchen.holds)
        fresh: Keys = {}
        carried: Keys = {}
        for move in moves:
            kitchen.carry_out(move, step, fresh, carried)
        step.carries = tuple(carried)
        step.defines = [name for name in fresh if name in kitchen.holds]
        step.kills = [name for name in before if name not in kitchen.holds]
        step.holds = dict(kitchen.holds)
        traces.append(step)
    return tuple(traces)


def raw(traces: Sequence[Trace]) -> list[dict[str, frozenset[str]]]:
    """Return for each step: thing -> its ingredients that are still unsafe raw after the step."""
    unsafe: dict[str, frozenset[str]] = {}
    after = []
    for step in traces:
        for act in step.acts:
            coming = frozenset(act.brings).union(*(unsafe[name] for name in act.sources))
            for name in act.gone:
                del unsafe[name]
            for name, held in act.made.items():
                unsafe[name] = frozenset() if act.heats else coming.intersection(held)
            for name in act.drops:
                unsafe = {thing: inside - {name} for thing, inside in unsafe.items()}
        after.append(dict(unsafe))
    return after


def lower(recipe: Recipe) -> LoweredRecipe:
    """Return the procedure of a recipe.

    Raises:
        FormError: a thing is used before it exists, or is made twice.
    """
    partial = {name for moves in recipe.steps for move in moves for name in move.splits}
    return assemble(recipe, trace(recipe), partial)


def assemble(
    recipe: Recipe, traces: tuple[Trace, ...], partial: AbstractSet[str] = frozenset()
) -> LoweredRecipe:
    """Return the procedure of a recipe from the traces of its steps.

    Args:
        recipe: the recipe of the traces.
        traces: one for each step.
        partial: ingredients of which only a part came in, which are not followed.
    """
    comes: dict[str, list[int]] = {}
    for place, each in enumerate(traces):
        for name in each.brings:
            comes.setdefault(name, []).append(place)
    tracked = {
        name: places[0]
        for name, places in comes.items()
        if len(places) == 1 and name not in partial
    }
    forms = {name: name + IN_ANY_FORM for name in tracked}
    steps = tuple(_step(place, each, tracked, forms.get) for place, each in enumerate(traces))
    extra = [(before, place) for place, each in enumerate(traces) for before in each.after]
    # A step that uses an ingredient uses a thing with it, and so comes after the makers of that: as
    # long as nothing is thrown away, things alone give the order.
    acts = steps if any(each.drops for each in traces) else traces
    return LoweredRecipe(
        recipe, traces, tracked, Procedure(recipe.title, steps, order(acts, extra))
    )


def _step(
    place: int, done: Trace, tracked: dict[str, int], form: Callable[[str], str | None]
) -> Step:
    drops, text = done.drops, done.text
    carried = filter(None, map(form, done.carries))
    brought = [x + IN_ANY_FORM for x in done.brings if x in tracked and x not in drops]
    dropped = [x + IN_ANY_FORM for x in drops if tracked.get(x, place) < place] if drops else ()
    return Step(
        text,
        (*done.uses, *carried),
        (*done.defines, *brought),
        (*done.kills, *dropped),
        seconds(text),
    )


def order(
    steps: Sequence[Acting], extra: Sequence[Pair] = (), apart: AbstractSet[Pair] = frozenset()
) -> tuple[Pair, ...]:
    """Return the order that follows from facts: conflicting steps keep their text order.

    Args:
        steps: in the order of the text.
        extra: more pairs (i, j) with i < j, from temporal markers.
        apart: pairs (i, j) with i < j of which no fact tells the order.

    Returns:
        Pairs (i, j), transitively reduced.
    """
    using: dict[str, int] = {}  # fact -> the steps so far that use it, as bits
    defining: dict[str, int] = {}
    killing: dict[str, int] = {}
    before: list[int] = []  # bit i of before[j]: step i precedes step j
    pairs: list[Pair] = []
    untold, told = _bits(apart), _bits(extra)
    for j, step in enumerate(steps):
        near = 0
        for fact in step.uses:
            near |= defining.get(fact, 0) | killing.get(fact, 0)
        for fact in step.defines:
            near |= using.get(fact, 0) | killing.get(fact, 0)
        for fact in step.kills:
            near |= using.get(fact, 0) | defining.get(fact, 0)
        near = near & ~untold.get(j, 0) | told.get(j, 0)
        known = 0
        while near:  # the nearest first, so that far pairs are known by then
            i = near.bit_length() - 1
            pairs.append((i, j))
            known |= before[i] | 1 << i
            near &= ~known
        before.append(known)
        for facts, seen in ((step.uses, using), (step.defines, defining), (step.kills, killing)):
            for fact in facts:
                seen[fact] = seen.get(fact, 0) | 1 << j
    return tuple(sorted(pairs))


def _bits(pairs: Iterable[Pair]) -> dict[int, int]:
    """Return for each j of some pairs (i, j) every i, as a bit set."""
    found: dict[int, int] = {}
    for i, j in pairs:
        found[j] = found.get(j, 0) | 1 << i
    return found


def reachable(procedure: Procedure) -> list[int]:
    """Return for each step its predecessors, as a bit set."""
    before = [0] * len(procedure.steps)
    for i, j in sorted(procedure.order, key=lambda pair: pair[1]):
        before[j] |= before[i] | 1 << i
    return before
