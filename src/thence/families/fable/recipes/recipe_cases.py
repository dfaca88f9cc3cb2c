"""Extended recipes as cases: shared by cooks, with their flows and what a reader is told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import Any

from thence.core.procedure import Procedure
from thence.dataflow import Flow
from thence.dataflow.flow import Role
from thence.domains.recipes.additions.extension import ExtendedRecipe
from thence.domains.recipes.additions.lines import (
    OVEN,
    PASSED_ON,
    PLATE,
    POT,
    ROOM,
    TOOLS,
    RecipeLine,
)
from thence.domains.recipes.additions.names import unsaid
from thence.domains.recipes.additions.utensils import FAN, second
from thence.domains.recipes.grammar import plural
from thence.families.fable.recipes import cooks
from thence.families.fable.recipes.kitchen import bare
from thence.families.fable.recipes.open_names import OpenNames, drained, open_names, said_of_two
from thence.families.fable.recipes.spans import Ways
from thence.families.fable.shared.domain import Case
from thence.families.fable.shared.needed_parts import NeededParts

_EXISTENCE = frozenset({"available_expressions", "live_variables", "very_busy_expressions"})
"""Analyses that ask whether a thing is there, though it may have been altered."""

_OF_NEEDS = ("live_variables", "very_busy_expressions")
"""Analyses that ask whether a step works with a thing, whichever step has made it."""

_OF_THINGS = frozenset({"taint", "concurrency"})  # analyses without facts about ingredients


class RecipeCase:
    """An extended recipe as a case, with its flows and what a reader is told.

    Args:
        script: the recipe.
        source: JSON values that tell where it is from.
        shares: for each cook the steps that this cook does; none to find questions only.
        alone: the recipe without cooks, if it is known.
    """

    def __init__(
        self,
        script: ExtendedRecipe,
        source: Mapping[str, Any],
        shares: cooks.Shares = (),
        alone: RecipeCase | None = None,
    ) -> None:
        self.script = script
        self.shares = shares
        self._source = source
        self._alone = alone
        self._read: dict[str, Mapping[str, Any]] = {}
        self._parts: dict[bool, NeededParts] = {}  # whether its facts are things alone

    @cached_property
    def _given(self) -> Procedure:
        """The recipe without cooks."""
        return self._alone.flow.procedure if self._alone else self.script.procedure()

    @cached_property
    def ways(self) -> Ways:
        """The order of its steps, and how far one is from the other."""
        return cooks.ways(self._given, self.shares)

    @cached_property
    def flow(self) -> Flow:
        """Flow of all its facts."""
        shared = replace(self._given, order=self.ways.reduced)
        found = Flow(shared, steps_of=self._alone.flow if self._alone else None)
        found.reduced = found.graph  # the order is reduced already
        return found

    @cached_property
    def case(self) -> Case:
        """The case with all its facts."""
        return Case(self.flow.procedure, self._source)

    @cached_property
    def told(self) -> Mapping[str, Any]:
        """The sentences and ingredients that the reader of any question is told."""
        reading, ingredients = (self._alone or self).words
        return {
            "reading": [cooks.told(self.shares), *reading],
            "cooks": [list(steps) for steps in self.shares],
            "ingredients": ingredients,
        }

    @cached_property
    def told_of_options(self) -> Mapping[str, Any]:
        """The same of a question that no order decides: of orders and cooks nothing is told."""
        return {**self.told, "reading": _of_options(self.script)}

    @cached_property
    def words(self) -> tuple[Sequence[str], Sequence[str]]:
        """How the recipe is to be read, whoever does which steps, and its ingredients, in words."""
        return _reading(self.script), self.script.ingredients()

    @cached_property
    def cleans(self) -> Sequence[int]:
        """The steps of which all that they make is safe to eat."""
        return [k for k, line in enumerate(self.script.lines) if line.cleans]

    @cached_property
    def bare(self) -> Flow:
        """Flow of its facts about things alone."""
        if self._alone is None:
            found = Flow(bare(self.flow.procedure), like=self.flow)
        else:
            alone = self._alone.bare
            procedure = replace(self.flow.procedure, steps=alone.steps)
            found = Flow(procedure, like=self.flow, steps_of=alone)
        found.reduced = found.graph
        return found

    @cached_property
    def first(self) -> dict[str, str]:
        """The first option of each choice."""
        return {each.name: each.options[0] for each in self.flow.procedure.choices}

    @cached_property
    def open(self) -> frozenset[str]:
        """The facts that some options make, end or use."""
        return frozenset(
            fact for step in self.flow.steps if step.when
            for fact in (*step.uses, *step.defines, *step.kills)
        )  # fmt: skip

    @cached_property
    def plain(self) -> Case:
        """The case whose facts are things alone."""
        return Case(self.bare.procedure, self._source)

    @cached_property
    def named(self) -> OpenNames:
        """The things and steps of which its words leave something open."""
        lines = self.script.lines
        renames = {k: line.renames for k, line in enumerate(lines) if line.renames}
        halved = frozenset[str]().union(*(line.halves for line in lines))
        return open_names(self.flow.steps, renames, halved)

    def leaves_open(self, name: str, asked: Mapping[str, Any]) -> bool:
        """Return whether its words alone leave open what is asked."""
        if name == "type_state":
            return asked["i"] in self.named.steps
        return name in _EXISTENCE and asked["fact"] in self.named.things

    def is_renewed(self, fact: str) -> bool:
        """Return whether several steps make something, or one ends it that does not use it.

        Only then the order of all its steps decides whether it is still there.
        """
        ending = self.flow.mask(Role.KILL, fact) & ~self.flow.mask(Role.USE, fact)
        return bool(ending) or len(self.flow.steps_with(Role.DEFINE, fact)) > 1

    @cached_property
    def seen_to(self) -> frozenset[str]:
        """The things of which a step sees, at any time, that they are there."""
        return frozenset(fact for line in self.script.lines if line.free for fact in line.defines)

    @cached_property
    def drained(self) -> frozenset[str]:
        """The ingredients, in any form, that a step may take away with the liquid they are in."""
        return frozenset(drained(self.script.lines))

    @cached_property
    def unclear(self) -> frozenset[str]:
        """The facts that no question names, as a reader may not know what is meant."""
        hidden = unsaid(self.script.lines, self.script.title)
        return self.seen_to | self.drained | hidden | said_of_two(self.flow.steps)

    def by_one(self, i: int, j: int) -> bool:
        """Return whether one cook does both of two steps of a case with cooks."""
        return self._cook[i] == self._cook[j]

    @cached_property
    def _cook(self) -> Mapping[int, int]:
        """For each step the number of the cook who does it."""
        return {step: cook for cook, steps in enumerate(self.shares) for step in steps}

    def told_of(self, name: str) -> Case:
        """Return the case that a question of an analysis is about."""
        return self.plain if name in _OF_THINGS else self.case

    def read_for(self, name: str) -> Mapping[str, Any]:
        """Return what the reader of a question of an analysis is told; it is made once."""
        if name not in self._read:
            self._read[name] = self._read_anew(name)
        return self._read[name]

    def _read_anew(self, name: str) -> Mapping[str, Any]:
        more = [_NEW] if name in _EXISTENCE else []
        if name == "concurrency":
            more += _at_once(self.script)
        if name in _OF_NEEDS:
            more.append(_ANY_MAKER)
        if name != "concurrency":
            more.append(_PERMITTED)
        return {**self.told, "reading": [*self.told["reading"], *more]}

    def shown(self, name: str) -> Flow:
        """Return the flow that a question of an analysis is about."""
        return self.bare if name in _OF_THINGS else self.flow

    def parts(self, name: str) -> NeededParts:
        """Return what finds which parts a question of an analysis needs; it is made once."""
        of_things = name in _OF_THINGS
        if of_things not in self._parts:
            flow = self.shown(name)
            alone = self._alone and self._alone.parts(name)
            self._parts[of_things] = alone.ordered(flow) if alone else NeededParts(flow)
        return self._parts[of_things]


def _is_soiled(script: ExtendedRecipe) -> bool:
    """Return whether one tool serves for something raw and for other things."""
    return bool(script.taken & set(TOOLS)) and all(line.even for line in script.lines)


FITTING: Mapping[str, Callable[[ExtendedRecipe], bool]] = {
    "taint": _is_soiled,
    "concurrency": lambda script: any(line.free for line in script.lines),
}
"""Tells of a recipe whether it has what the answers of an analysis turn on."""


# What a reader is told --------------------------------------------------------------------------


_NEW = (
    "Where something is added to a thing, even the fat to fry it in, or it is coated or filled, it "
    "goes into something new; where only some of a thing is taken, the thing is still there."
)
_ANY_MAKER = "The question is about what is there, whichever step has made it or brought it in."
_LEFT_OUT = (
    "Where it is not carried out, the steps that would have to come before it still come before "
    "those that would have to come after it."
)
_AWAY = re.compile(r"^If .*, throw (?:it|them) away\.$")
_TIMED = re.compile(
    r"\b(?i:meanwhile|in the meantime|while (?:that|the|it|they)|in the same time)\b"
)
_APART = (
    "Where two steps are never both carried out, what they work with sets no order between them."
)
_THROWN = (
    "To throw away what went wrong is not to work with it; yet such a step keeps its order with "
    "those that make the thing or work with it."
)
_LOWERED = (
    "To set the oven lower is to work with the hot oven and to alter it, and counts as heating it "
    "again."
)
_CHANGED = (
    "Each step that works with the {0}, cleans it or replaces it changes it; "
    "a step that only takes something off it does not, and leaves it as it is."
)
_PERMITTED = "Every order that all this leaves open is a permitted order."
_PASSED = (
    "The {0} is clean at the start, and so is any that replaces it; whoever is free takes it: "
    "steps that work with it, clean it or replace it need not keep their order for that."
)


def _of_options(script: ExtendedRecipe) -> list[str]:
    """Return the sentences that tell what is open, and when a step is carried out."""
    open_ = list(script.options.values())
    named = " and ".join(filter(None, (", ".join(open_[:-1]), open_[-1])))
    be, options = "is", "both options are"
    if len(open_) > 1:
        be, options = "are", "every combination of these options is"
    return [
        f"{named[0].upper()}{named[1:]} {be} open: {options} possible.",
        'A step that begins with "If" is carried out only where that is so; all others always are.',
    ]


def _reading(script: ExtendedRecipe) -> list[str]:
    """Return the sentences that tell how an extended recipe is to be read."""
    found = [*_of_options(script), _LEFT_OUT]
    makers = Counter(fact for line in script.lines for fact in {*line.defines} - {*line.uses})
    if max(makers.values(), default=0) > 1:
        found.append(
            "That two steps make, bring in or get out the same thing sets no order between them."
        )
    if any(one.is_apart_from(other) for one, other in combinations(script.lines, 2)):
        found.append(_APART)
    if any(line.repeats for line in script.lines):
        found += _made_again(script)
        found.append(
            "To make something again brings in the same ingredients anew; these are not the ones "
            "that came in before."
        )
    if any(_AWAY.search(line.text) for line in script.lines):
        found.append(_THROWN)
    if any(_TIMED.search(line.text) for line in script.lines):
        found.append('Words such as "meanwhile" and "while that simmers" set no order.')
    found += [_PASSED.format(tool) if tool in PASSED_ON else _CHANGED.format(tool)
              for tool in TOOLS if tool in script.taken and tool not in (POT, ROOM)]  # fmt: skip
    found += _vessels(script)
    for tool in script.served:
        lines = [each for each in script.lines if tool in each.uses]
        lines = [each for each in lines if not each.added or each.repeats is not None]
        found.append(f"The {tool} serves in {_numbered(script, lines)}.")
    for name, lines in script.equipment.items():
        found.append(_needing(name, _numbered(script, lines)))
    for step, name in _making_sure(script):
        they_are = "they are" if name.endswith("s") else "it is"
        found.append(
            f"{step} gets the {name} out only where {they_are} not out yet; whether it does or "
            f"not, the {name} {'set' if name.endswith('s') else 'sets'} no order for {step}."
        )
    if FAN in script.choices:
        found.append(_LOWERED)
    if FAN in script.choices or any(OVEN in line.kills for line in script.lines):
        found.append(
            "What is done in the oven needs it hot, and it stays hot until it is turned off."
        )
    return found


def _vessels(script: ExtendedRecipe) -> Iterator[str]:
    """Yield the sentences about the plate, the pot and the oven."""
    if second(PLATE) in script.choices:
        yield f"The {PLATE} is clean at the start, and so is any that replaces it."
    if POT in script.taken:
        yield "There is one big pot, and whatever is done in it changes it."
    if ROOM in script.taken:
        yield (
            "There is one oven, and one thing at a time is in it: "
            "steps that bake or warm something in it keep their order."
        )
    elif any(OVEN in line.defines for line in script.lines):
        yield "There is one oven."


def _made_again(script: ExtendedRecipe) -> Iterator[str]:
    """Yield the sentences about each step that makes more of a thing, whatever came of the first.

    Its own words do not say that both are one thing.
    """
    for number, line in enumerate(script.lines):
        if line.repeats is not None and not line.when:
            (thing,) = line.things()
            first = script.lines.index(line.repeats) + 1
            they, those = ("they count", "those") if plural(thing) else ("it counts", "that")
            yield (
                f"Step {number + 1} makes the {thing} again, and {they} as the same thing as "
                f"{those} of Step {first}."
            )


def _at_once(script: ExtendedRecipe) -> Iterator[str]:
    """Yield the sentences that tell during which steps others can make sure of something."""
    for step, name in _making_sure(script):
        them = "them" if name.endswith("s") else "it"
        yield (
            f"As for the {name}, {step} can be done at the same time as a "
            f"step that gets {them} out, but not as one that works with {them} or puts {them} "
            f"away."
        )


def _making_sure(script: ExtendedRecipe) -> Iterator[tuple[str, str]]:
    """Yield each step that makes sure that some equipment is out, in words, and its name."""
    for number, line in enumerate(script.lines):
        if line.free:
            (name,) = line.defines
            yield f"Step {number + 1}", name


def _numbered(script: ExtendedRecipe, lines: Sequence[RecipeLine]) -> str:
    """Return the numbers of some lines in words, such as ``Steps 2, 4 and 5``."""
    held = {id(line) for line in lines}
    places = [str(k + 1) for k, line in enumerate(script.lines) if id(line) in held]
    return f"Steps {', '.join(places[:-1])} and {places[-1]}"


def _needing(name: str, steps: str) -> str:
    """Return the sentence that tells which steps need a piece of equipment."""
    be, them, they = ("are", "them", "they") if name.endswith("s") else ("is", "it", "it")
    return (
        f"Besides what they say, {steps}, and no others, work with the {name}, which must be out "
        f"then. Once a step gets {them} out, {they} {be} out until a step puts {them} away; both "
        f"count as changing {them}, even where {they} {be} out, or away, already. All other steps "
        f"do without {them}, also where {they} could be of use."
    )
