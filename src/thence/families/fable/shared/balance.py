"""Choice among many questions so that what shortcuts see tells as little of the answer as can be.

Questions with different answers attract one another by how alike they look (`likeness`), and
questions with the same answer repel, until each value is as common with a Yes as with a No. A
question whose answer is foretold has a cost, and so has one more about the same procedure. Of
intervals, questions on which the same guess is right repel.

Some shares are wanted, too: of questions that a strategy gets wrong, and no reason for most. What a
block lacks of them weighs more every few passes, and whenever the choice has settled. Of all
choices the one is kept that tells least and lacks least. Answers, depths and shares leave so few
questions of some kinds that what tells little of all candidates may tell much of the chosen ones.
So what these tell is weighed, and the choice is made again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from thence.core.statistics import Numbers, codes
from thence.families.fable.shared.likeness import Likeness
from thence.families.fable.shared.offers import Offer, Slot
from thence.families.fable.shared.wanted_shares import asked_for, most_of_reasons, wanted_needs

_ROUNDS = 48  # passes in which every question is chosen again
_ANEW = 2  # times that what tells of the chosen questions is weighed, and all chosen again
_TURNS = 4  # after which what is short weighs more, at the latest
_TOLD = 300.0  # cost of an answer surely foretold
_PRESSURE, _UTMOST = 100.0, 1e5  # weight of a question of which there are too few, first and last
_RAISED = 2.0  # how it grows; sums of such weights are exact, whatever their order
_UNMET = 400.0  # what a question too few, or of one reason too many, costs
_AGAIN = 0.6  # cost of another question about a procedure, times the square of those there are
_TAKEN = 1e9  # more than all weights together: no question is asked twice


def chosen(offers: Sequence[Offer], slots: Sequence[Slot], rng: Random) -> list[int]:
    """Return for each slot the place of its question among the candidates.

    Args:
        offers: candidates, some with the answer and the depth of every slot.
        slots: the answer and depth of each question.
        rng: decides between equal candidates.
    """
    sides = np.array([-1.0 if each.side == 0 else 1.0 for each in offers])
    return _Choice(offers, slots, sides, rng).made()


class _Class(NamedTuple):
    """The candidates of a slot: a value for each, but one side for all."""

    places: Numbers
    side: float
    noise: Numbers
    cases: Numbers
    reasons: Numbers
    needs: Numbers


class _Choice:
    def __init__(
        self, offers: Sequence[Offer], slots: Sequence[Slot], sides: Numbers, rng: Random
    ) -> None:
        self._slots = slots
        self._rng = rng
        count = len(offers)
        self._sides = sides
        deepest = max(slot.depth for slot in slots)
        depths = [min(each.depth, deepest) for each in offers]
        self._fitting = {
            slot: np.array(
                [k for k in range(count) if offers[k].side == slot.side and depths[k] == slot.depth]
            )
            for slot in dict.fromkeys(slots)
        }
        self._needs, self._short, self._tolerance = wanted_needs(offers, self._fitting, slots)
        often = asked_for(slots, self._fitting, sides, self._needs, self._short)
        self._likeness = Likeness(offers, sides, often)
        self._kernel = self._likeness.kernel()
        self._leaning = np.zeros(count)
        self._used = np.zeros(count)
        cases = [id(each.case) for each in offers]
        self._case = codes(cases)
        self._asked = np.zeros(int(self._case.max()) + 1)
        self._reasons = codes([(each.side, each.reason) for each in offers])
        self._of_reason = np.zeros(int(self._reasons.max()) + 1)
        self._most = most_of_reasons(offers, slots, self._reasons)
        self._excess = np.full(len(self._most), _PRESSURE)
        self._pressure = np.full(len(self._short), _PRESSURE)
        noise = np.array([rng.random() for _ in range(count)]) * 1e-3
        noise += _TOLD * np.maximum(0, sides * self._likeness.foretold) ** 2
        self._classes = {
            slot: _Class(
                fit, float(sides[fit[0]]), noise[fit], self._case[fit], self._reasons[fit],
                self._needs[fit],
            )
            for slot, fit in self._fitting.items()
        }  # fmt: skip

    def made(self) -> list[int]:
        """Choose for each slot, and again as often as it shows what else tells the answer."""
        found = self._settled({})
        for _ in range(_ANEW):
            if not self._weigh(list(found.values())):
                break
            found = self._settled(found)
        return [found[place] for place in range(len(self._slots))]

    def _weigh(self, chosen: Sequence[int]) -> bool:
        """Count questions as more alike that share what tells of the chosen ones, if any does."""
        found = list(self._likeness.telling(chosen))
        for weight, values in found:
            self._kernel += np.float32(weight) * (values[:, None] == values[None, :])
        self._leaning = np.zeros(len(self._sides))
        for each in chosen:
            self._leaning += self._sides[each] * self._kernel[each]
        return bool(found)

    def _settled(self, found: Mapping[int, int]) -> dict[int, int]:
        """Return for each place the best question, by passes in which all are chosen again."""
        order, found = list(range(len(self._slots))), dict(found)
        least, best = math.inf, found
        for turn in range(_ROUNDS):
            before = dict(found)
            for place in order:
                if place in found:
                    self._put(found[place], -1.0)
                found[place] = self._best(self._slots[place])
                self._put(found[place], 1.0)
            cost = self._cost()
            if cost < least:
                least, best = cost, dict(found)
            if found == before or turn % _TURNS == _TURNS - 1:  # some choices never settle
                pressed = self._press()
                if found == before and not pressed:
                    break
            self._rng.shuffle(order)
        for place in order:
            self._put(found[place], -1.0)
            self._put(best[place], 1.0)
        return best

    def _unmet(self) -> tuple[Numbers, Numbers]:
        """Return how many questions each share lacks, and by how many each reason prevails."""
        lacking = np.maximum(0, self._short - self._tolerance)
        return lacking, np.maximum(0, self._of_reason - self._most)

    def _cost(self) -> float:
        """Return how much the chosen questions tell, and how far shares are from what is wanted."""
        told = np.average(self._sides * self._leaning, weights=self._used)
        lacking, prevailing = (float(each.sum()) for each in self._unmet())
        return round(float(told), 6) + _UNMET * (lacking + prevailing)

    def _press(self) -> bool:
        """Weigh what is not as wanted more; return whether any weight was below its utmost."""
        pressed = False
        for weights, short in zip((self._pressure, self._excess), self._unmet(), strict=True):
            raised = (short > 0) & (weights < _UTMOST)
            weights[raised] *= _RAISED
            pressed = pressed or bool(raised.any())
        return pressed

    def _best(self, slot: Slot) -> int:
        """Return the candidate of a slot that costs least."""
        held = self._classes[slot]
        fit = held.places
        cost = held.side * self._leaning[fit] + held.noise + _TAKEN * self._used[fit]
        cost += _AGAIN * self._asked[held.cases] ** 2
        of_reason = self._excess * np.maximum(0, self._of_reason + 1 - self._most)
        of_reason += 0.02 * self._of_reason
        cost += of_reason[held.reasons]
        cost -= held.needs @ (self._pressure * (self._short > 0))
        return int(fit[cost.argmin()])

    def _put(self, question: int, times: float) -> None:
        self._leaning += times * self._sides[question] * self._kernel[question]
        self._used[question] += times
        self._asked[self._case[question]] += times
        self._of_reason[self._reasons[question]] += times
        self._short -= times * self._needs[question]
