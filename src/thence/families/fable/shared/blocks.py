"""Blocks of questions, chosen of many candidates so that their surface does not tell the answer.

A block depends on the cell, its parameters, the seed and its number alone. Its domain offers far
more candidates than are asked. Each has an answer, a reason, a depth, the parts of the analysis
that it needs, and the values of all surface shortcuts of the cell, which are the very functions of
``thence validate --shortcuts``. Of these the block chooses so that answers and depths are as the
slots want them, no reason prevails, no part can often be left out, and each value of each shortcut
is as common with one answer as with the other.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any

from thence.core.parameters import range_text
from thence.core.procedure import Step
from thence.core.sample import Sample
from thence.core.shortcuts import Shortcut, ShownQuestion
from thence.dataflow import Flow
from thence.dataflow.questions import FlowQuestion
from thence.families.fable.shared.domain import (
    KEPT,
    MIXTURE,
    Case,
    Instance,
    Unaskable,
)
from thence.families.fable.shared.offers import Offer, Slot
from thence.families.fable.shared.traits import KnownTraits, Traits

SIDES = ("No", "Yes")
"""The answers of a Yes/No question."""

DEEP_CLASS = 6  # this and all greater depths are one class, unless depths are asked for
_SAME = 5  # candidates of one answer, depth and cues that are kept
_OF_REASON = 2  # of the candidates kept for a slot at most a half have one reason
_ALIKE = 3  # and at most a third the same reason, needs and quotas
_MOST = 3600  # candidates that are looked at
_UNSIDED = 4  # times as many are kept where answers are not Yes and No, as more of them are alike
_SAME_UNSIDED = 3  # times as many of the same cues are kept there, too

type Span = tuple[int, int]
type Candidate = tuple[Case, Instance]


def slots(
    count: int, rng: Random, span: Span | None, *, sided: bool, mixture: Sequence[int] = MIXTURE
) -> list[Slot]:
    """Return the slots of many questions: each two have one depth and, where sided, both answers.

    Args:
        count: number of slots.
        rng: draws their order.
        span: the least and the greatest depth; None for a mix of all.
        sided: whether the answers are Yes and No.
        mixture: the depths of as many pairs of a Yes and a No.
    """
    mix = mixture if span is None else tuple(range(span[0], span[1] + 1))
    found: list[Slot] = []
    while len(found) < count:
        for deep in rng.sample(mix, len(mix)):
            sides: Sequence[int | None] = rng.sample((0, 1), 2) if sided else (None, None)
            found += [Slot(side, deep) for side in sides]
    return found[:count]


class Gathering:
    """The candidates of a block, sorted by answer and depth.

    Args:
        analysis: name of the analysis.
        shortcuts: those of the cell.
        span: the least and the greatest depth that are asked for, or None.
        sides: number of different answers; 1 for intervals.
        kept: how many candidates of one answer and depth are kept, on average.
        mixture: the depths of as many questions; of what is asked more often, more are kept.
    """

    def __init__(
        self,
        analysis: str,
        shortcuts: Sequence[Shortcut],
        span: Span | None,
        sides: int,
        kept: int = KEPT,
        mixture: Sequence[int] = MIXTURE,
    ) -> None:
        self._analysis = analysis
        self._sides = sides
        depths = Counter(mixture if span is None else range(span[0], span[1] + 1))
        every = kept * len(depths) * (1 if sides > 1 else _UNSIDED)
        self._kept = {deep: every * many // depths.total() for deep, many in depths.items()}
        self._same = _SAME if sides > 1 else _SAME * _SAME_UNSIDED
        # one of two answers is seen as anything else is
        self._looks = [each for each in shortcuts if sides > 1 or not each.guess]
        self._guesses = [each for each in shortcuts if each.guess and sides == 1]
        self._span = span
        self._flows: dict[int, tuple[Case, Flow]] = {}
        self._procedures: dict[int, dict[str, Any]] = {}
        self._steps: dict[int, tuple[tuple[Step, ...], list[dict[str, Any]]]] = {}
        self._sets: dict[frozenset[Any], Any] = {}
        self._alike: Counter[tuple[Any, ...]] = Counter()
        self._depths: defaultdict[int | None, set[int]] = defaultdict(set)
        self.held: defaultdict[Slot, list[Offer]] = defaultdict(list)

    def add(self, candidates: Iterable[Candidate]) -> list[Offer]:
        """Return the candidates that are kept of some; many of a kind are not."""
        wanted = self._sides * len(self._kept)
        full = 0
        for case, instance in islice(candidates, _MOST):
            full += self._add(case, instance)
            if full == wanted:
                break
        return [each for offers in self.held.values() for each in offers]

    def no_such_depth(self) -> str:
        """Return the depths that are asked for, and which there are instead, if that is known."""
        if not self._span:
            return ""
        if not self._depths:
            return f" of depth {range_text(*self._span)}"
        found = sorted(set.intersection(*self._depths.values()))
        there = ", ".join(map(str, found)) if found else "none that each answer has"
        return f" of depth {range_text(*self._span)}; the depths here are {there}"

    def _add(self, case: Case, instance: Instance) -> bool:
        """Keep a candidate unless there are enough like it; return whether its class is full."""
        side = SIDES.index(instance.answer) if instance.answer in SIDES else None
        if instance.cues and self._alike[side, instance.cues] >= self._same * DEEP_CLASS:
            return False
        shown = instance.case or case
        traits = instance.traits or Traits(
            instance.flow or self._flow(shown), self._analysis, flow_question(instance.question)
        )
        self._depths[side].add(traits.depth)
        if self._span and not self._span[0] <= traits.depth <= self._span[1]:
            return False
        slot = Slot(side, traits.depth if self._span else min(traits.depth, DEEP_CLASS))
        if not self._has_room(slot, traits, instance):
            return False
        self.held[slot].append(self._offer(case, instance, side, traits))
        return len(self.held[slot]) == self._kept[slot.depth]

    def _has_room(self, slot: Slot, traits: Traits | KnownTraits, instance: Instance) -> bool:
        """Return whether few enough candidates of an answer and depth are like one; count it then.

        What takes longer to work out is looked at last.
        """
        count, kept = len(self.held[slot]), self._kept.get(slot.depth, 0)
        cues = instance.cues
        if (
            count >= kept
            or self._alike[*slot, traits.reason] >= kept // _OF_REASON
            or (cues and self._alike[*slot, cues] >= self._same)
        ):
            return False
        key = (*slot, traits.reason, self._interned(traits.needs), instance.quotas)
        alike = kept // _ALIKE
        if self._alike[key] >= (2 * alike if count < kept // 2 else alike):
            return False
        self._alike.update((key, (*slot, traits.reason), (*slot, cues), (slot.side, cues)))
        return True

    def _offer(
        self, case: Case, instance: Instance, side: int | None, traits: Traits | KnownTraits
    ) -> Offer:
        """Return a candidate with what shortcuts see of it."""
        shown = instance.case or case
        view = _shown(shown, instance, self._told(shown))
        seen = tuple(self._interned(each.value(view)) for each in self._looks)
        guessed = frozenset(
            each.name for each in self._guesses if each.value(view) == instance.answer
        )
        # of its analysis nothing is needed any more; of many candidates it is a lot of memory
        asked_for = replace(
            instance, cues=(), flow=None, traits=None, quotas=self._interned(instance.quotas)
        )
        needed = self._interned(traits.needs)
        return Offer(case, asked_for, side, traits.depth, traits.reason, needed, seen, guessed)

    def _interned(self, value: Any) -> Any:
        """Return one shared object for equal sets, to save memory; all else as it is."""
        if not isinstance(value, frozenset):
            return value
        return self._sets.setdefault(value, value)

    def _flow(self, case: Case) -> Flow:
        """Return the flow of a case; it is made once."""
        if id(case) not in self._flows:
            self._flows[id(case)] = case, Flow(case.procedure)
        return self._flows[id(case)][1]

    def _told(self, case: Case) -> dict[str, Any]:
        """Return what a shortcut sees of a procedure: its goal and steps, these made once."""
        if id(case) not in self._procedures:
            steps = case.procedure.steps
            if id(steps) not in self._steps:
                self._steps[id(steps)] = steps, list(map(_told_step, steps))
            told = {"goal": case.procedure.goal, "steps": self._steps[id(steps)][1]}
            self._procedures[id(case)] = told
        return self._procedures[id(case)]


def _told_step(step: Step) -> dict[str, Any]:
    """Return a step as in JSON, but with its own tuples: new lists for all would be very many."""
    held = ("text", "uses", "defines", "kills", "seconds", "when")
    return {name: value for name in held if (value := getattr(step, name)) is not None}


def flow_question(question: Mapping[str, Any]) -> FlowQuestion:
    """Return a question as the analyses take it."""
    asked = FlowQuestion(question.get("i"), question.get("j"), question.get("fact"))
    checked = question.get("sanitizers")
    return asked._replace(sanitizers=frozenset(checked)) if checked else asked


def _shown(case: Case, instance: Instance, procedure: Mapping[str, Any]) -> ShownQuestion:
    """Return what a shortcut sees of a candidate; its prompt has the same texts in other words."""
    asked = instance.question
    lists = [text for each in asked.values() if isinstance(each, list) for text in map(str, each)]
    lines = [*lists, str(procedure["goal"]), *(step["text"] for step in procedure["steps"])]
    flags = [name for name, each in asked.items() if each is True]
    sentence = " ".join([*(each for each in asked.values() if isinstance(each, str)), *flags])
    text = "\n".join(lines) + f"\n\n{sentence}.\n\nAnswer."
    metadata = {"question": asked, "procedure": procedure, "origin": case.source}
    return ShownQuestion(Sample("", "fable", "", "", text, None, metadata))


class Block:
    """The chosen questions of a block, and spare ones.

    Args:
        offers: all candidates.
        wanted: the slots, of which each gets a question.
        rng: decides between equal candidates.

    Raises:
        Unaskable: no candidates, or with one answer only.
    """

    def __init__(self, offers: Sequence[Offer], wanted: Sequence[Slot], rng: Random) -> None:
        from thence.families.fable.shared.arrangement import arranged  # it loads numpy
        from thence.families.fable.shared.balance import chosen

        by_side = Counter(each.side for each in offers)
        if not offers or not all(by_side[slot.side] for slot in wanted):
            few = f"{len(offers)} questions" + (", all with one answer" if offers else "")
            raise Unaskable(few, len(offers))
        possible = _possible(offers, wanted)
        self._slots, self._chosen = arranged(offers, possible, chosen(offers, possible, rng), rng)
        self._offers = [each.decided() for each in offers]

    @property
    def room(self) -> int:
        """Number of questions with as many of each answer that there are candidates for."""
        by_side = Counter(each.side for each in self._offers)
        return min(by_side.values()) * len(by_side)

    def question(self, place: int, attempt: int = 0) -> Offer | None:
        """Return the question of a slot; a later attempt gives another, or None after the last."""
        place %= len(self._chosen)
        if not attempt:
            return self._offers[self._chosen[place]]
        spare = self._spare[place]
        return self._offers[spare[attempt - 1]] if attempt <= len(spare) else None

    def attempts(self, place: int) -> int:
        """Return how many questions there are for a slot, the first and the spare ones."""
        return 1 + len(self._spare[place % len(self._chosen)])

    @cached_property
    def _spare(self) -> list[list[int]]:
        """The spare questions of each slot, dealt out in turn: of its answer, the nearest depth."""
        used = set(self._chosen)
        left: defaultdict[int | None, dict[int, deque[int]]] = defaultdict(dict)
        for number, each in enumerate(self._offers):
            if number not in used:
                deep = min(each.depth, DEEP_CLASS)
                left[each.side].setdefault(deep, deque()).append(number)
        dealt: list[list[int]] = [[] for _ in self._slots]
        while any(left[slot.side] for slot in self._slots):
            for slot, held in zip(self._slots, dealt, strict=True):
                if depths := left[slot.side]:
                    deep = min(depths, key=lambda k: (abs(k - slot.depth), depths[k][0]))
                    held.append(depths[deep].popleft())
                    if not depths[deep]:
                        del depths[deep]
        return dealt


def _possible(offers: Sequence[Offer], wanted: Sequence[Slot]) -> list[Slot]:
    """Return slots for which there are candidates: the nearest depth that every answer has."""
    room = Counter((each.side, _class(each, wanted)) for each in offers)
    sides = {slot.side for slot in wanted}
    depths = sorted({deep for _, deep in room})
    left = {deep: min(room[side, deep] for side in sides) for deep in depths}
    found: list[Slot] = []
    taken: Counter[tuple[int | None, int]] = Counter()
    for slot in wanted:
        near = sorted(depths, key=lambda deep: (abs(deep - slot.depth), -deep))
        shared = [deep for deep in near if taken[slot.side, deep] < left[deep]]
        own = [deep for deep in near if taken[slot.side, deep] < room[slot.side, deep]]
        deep = next(iter([*shared, *own, *(d for d in near if room[slot.side, d])]))
        taken[slot.side, deep] += 1
        found.append(Slot(slot.side, deep))
    return found


def _class(offer: Offer, wanted: Sequence[Slot]) -> int:
    """Return the depth of a candidate, where great depths are one class as the slots have it."""
    return min(offer.depth, max(slot.depth for slot in wanted))
