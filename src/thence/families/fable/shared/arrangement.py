"""Order of a block's questions, in which every beginning is made up like the whole block.

Whoever asks for half a block should find each depth as often, and no reason more often, than in all
of it. Answers stay where the slots have them: these come in pairs of one depth, in either order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import numpy as np

from thence.core.statistics import Numbers
from thence.families.fable.shared.offers import Offer, Slot

_REASON = "reason "  # before the name of one
_OF_REASON = 3  # its weight beside each other trait of a question


def arranged(
    offers: Sequence[Offer], slots: Sequence[Slot], chosen: Sequence[int], rng: Random
) -> tuple[list[Slot], list[int]]:
    """Return the slots of a block and the places of their questions in their final order.

    Args:
        offers: all candidates.
        slots: the answer and the depth of each question, two by two.
        chosen: for each slot the place of its question among the candidates.
        rng: decides between equal ones.
    """
    pairs = [(k, k + 1) if k + 1 < len(slots) else (k,) for k in range(0, len(slots), 2)]
    order = _spread([slots[pair[0]].depth for pair in pairs], rng)
    ordered = [slots[k] for at in order for k in pairs[at]]
    held: dict[Slot, list[int]] = {slot: [] for slot in slots}
    sides: dict[int | None, list[int]] = {slot.side: [] for slot in slots}
    for slot, question in zip(slots, chosen, strict=True):
        held[slot].append(question)
        sides[slot.side].append(question)
    for each in held.values():
        rng.shuffle(each)
    answers = {side: _Answer(offers, places) for side, places in sides.items()}
    return ordered, [answers[slot.side].next_of(held[slot]) for slot in ordered]


def _spread(depths: Sequence[int], rng: Random) -> list[int]:
    """Return the places of some pairs in an order in which each depth comes evenly."""
    left: dict[int, list[int]] = {}
    for place in rng.sample(range(len(depths)), len(depths)):
        left.setdefault(depths[place], []).append(place)
    every, taken = Counter(depths), Counter[int]()
    found: list[int] = []
    while len(found) < len(depths):
        due = {
            depth: every[depth] * (len(found) + 1) - taken[depth] * len(depths)
            for depth, held in left.items()
            if held
        }
        depth = max(due, key=due.__getitem__)
        taken[depth] += 1
        found.append(left[depth].pop())
    return found


class _Answer:
    """The questions of a block with one answer, given out one after the other."""

    def __init__(self, offers: Sequence[Offer], places: Sequence[int]) -> None:
        traits = {k: _traits(offers[k]) for k in places}
        names = sorted(set[str]().union(*traits.values()))
        weights = np.array([_OF_REASON if name.startswith(_REASON) else 1 for name in names])
        rows = {k: weights * [name in held for name in names] for k, held in traits.items()}
        self._every = len(places)
        self._total: Numbers = sum((rows[k] for k in places), np.zeros(len(names), int))
        self._rows = rows
        self._given = np.zeros(len(names), int)
        self._count = 0

    def next_of(self, held: list[int]) -> int:
        """Take the question of some that leaves those given out most like all."""
        self._count += 1
        due = self._count * self._total - self._every * self._given
        found = min(held, key=lambda k: int(((due - self._every * self._rows[k]) ** 2).sum()))
        held.remove(found)
        self._given = self._given + self._rows[found]
        return found


def _traits(offer: Offer) -> set[str]:
    """Return the reason of a question, and what is wanted of a share of all."""
    names = (quota.name for quota in offer.instance.quotas)
    return {f"{_REASON}{offer.reason}", *offer.needs, *names}
