"""Choice among many questions so that what shortcuts see tells as little of the answer as can be.

Two questions are the more alike the more shortcuts see the same in both; those count most that tell
most about all candidates, alone or by twos. Questions with different answers attract one another by
that, and questions with the same answer repel, until each value is as common with a Yes as with a
No. Questions about the same steps and fact of one procedure do so most, such as about a recipe
that other cooks share: they look much alike to any shortcut, tried or not. What all shortcuts
together foretell counts as one of them. A question whose answer is foretold has a cost, and so has
one more about the same procedure. Of intervals, questions on which the same guess is right repel.

Some shares are wanted, too: of questions that a strategy gets wrong, and no reason for most. What a
block lacks of them weighs more every few passes, and whenever the choice has settled. Of all
choices the one is kept that tells least and lacks least.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

from thence.core.statistics import Numbers
from thence.families.fable.shared.offers import Offer, Slot
from thence.families.fable.shared.wanted_shares import asked_for, most_of_reasons, wanted_needs

_ROUNDS = 48  # passes in which every question is chosen again
_TURNS = 4  # after which what is short weighs more, at the latest
_BINS = 8  # of a number with many values
_LEAST, _TELLING = 0.05, 40.0  # weight of a shortcut that tells nothing, and of one that tells all
_TWINS = 4.0  # weight of being about the same, where two questions that look alike have 1
_SCALE = 200.0  # of all this beside the costs below
_PAIRS, _VALUES = 12, 12  # shortcuts that tell most by twos, and values that are told apart of each
_SMOOTH = 1e-3  # for each candidate: how little a foretelling follows a single one
_SMALL = 64  # rows of a matrix that is inverted at once
_SELDOM = 0.05  # of a candidate that would hardly ever be asked, how often it counts as if it were
_FORETOLD, _TOLD = 2.0, 300.0  # weight of what is foretold, and cost of an answer surely foretold
_GUESSED = 40.0  # the same of intervals, for a guess that is right on both
_PRESSURE, _UTMOST = 100.0, 1e4  # weight of a question of which there are too few, first and last
_RAISED = 2.0  # how it grows; sums of such weights are exact, whatever their order
_UNMET = 150.0  # what a question too few, or of one reason too many, costs
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
        surface = _Surface(offers, sides, often)
        self._kernel = surface.kernel()
        self._leaning = np.zeros(count)
        self._used = np.zeros(count)
        cases = [id(each.case) for each in offers]
        self._case = _codes(cases)
        self._asked = np.zeros(int(self._case.max()) + 1)
        self._reasons = _codes([(each.side, each.reason) for each in offers])
        self._of_reason = np.zeros(int(self._reasons.max()) + 1)
        self._most = most_of_reasons(offers, slots, self._reasons)
        self._excess = np.full(len(self._most), _PRESSURE)
        self._fitting_needs = {slot: self._needs[fit] for slot, fit in self._fitting.items()}
        self._pressure = np.full(len(self._short), _PRESSURE)
        self._noise = np.array([rng.random() for _ in range(count)]) * 1e-3
        self._noise += _TOLD * np.maximum(0, sides * surface.foretold) ** 2

    def made(self) -> list[int]:
        """Choose for each slot, again and again."""
        order = list(range(len(self._slots)))
        found: dict[int, int] = {}
        least, best = math.inf, dict(found)
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
        # the first slots were served first: what is scarce should not stand at the beginning
        held: dict[Slot, list[int]] = {slot: [] for slot in self._fitting}
        for place, slot in enumerate(self._slots):
            held[slot].append(best[place])
        for each in held.values():
            self._rng.shuffle(each)
        return [held[slot].pop() for slot in self._slots]

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
        fit = self._fitting[slot]
        cost = self._sides[fit] * self._leaning[fit] + self._noise[fit] + _TAKEN * self._used[fit]
        cost += _AGAIN * self._asked[self._case[fit]] ** 2
        held = self._of_reason
        of_reason = self._excess * np.maximum(0, held + 1 - self._most) + 0.02 * held
        cost += of_reason[self._reasons[fit]]
        cost -= self._fitting_needs[slot] @ (self._pressure * (self._short > 0))
        return int(fit[np.argmin(cost)])

    def _put(self, question: int, times: float) -> None:
        self._leaning += times * self._sides[question] * self._kernel[question]
        self._used[question] += times
        self._asked[self._case[question]] += times
        self._of_reason[self._reasons[question]] += times
        self._short -= times * self._needs[question]


def _codes(values: Sequence[Any]) -> Numbers:
    """Return a small number for each value, equal for equal ones."""
    known: dict[Any, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values])


class _Surface:
    """Features that shortcuts read from each candidate, with weights."""

    def __init__(self, offers: Sequence[Offer], sides: Numbers, often: Numbers) -> None:
        self._offers, self._often = offers, often
        self._yes = sides > 0
        self._sided = offers[0].side is not None
        self._parts: list[Numbers] = []
        values: list[Numbers] = []
        for column in zip(*(each.seen for each in offers), strict=True):
            has_words = any(isinstance(each, frozenset) for each in column)
            hot = _words(column) if has_words else _encoded(column)
            self._see(hot)
            if has_words:
                if not self._sided:
                    continue
                hot = _encoded(_judged(hot, self._yes, often))
                self._see(hot)
            values.append(_commonest(hot))
        if self._sided:
            for both in _telling_pairs(values, self._yes, often):
                self._see(both)
        count = len(offers)
        parts = [np.zeros((count, 1), dtype=np.float32), *self._parts]
        table = _exact(np.concatenate(parts, axis=1))
        self._alike: Numbers = table @ table.T
        self._alike /= np.float32(np.diag(self._alike).mean(dtype=float) or 1.0)
        self.foretold: Numbers = np.zeros(count)
        if self._sided:
            self.foretold = _foretold(self._alike, sides, often)

    def _see(self, hot: Numbers) -> None:
        if hot.shape[1] > 1:
            tells = _tells(hot, self._yes, self._often) if self._sided else 0.2
            self._parts.append(hot * np.float32((_LEAST + _TELLING * tells**2) ** 0.5))

    def kernel(self) -> Numbers:
        """Return how alike each two candidates are."""
        alike, count = self._alike, len(self._offers)
        if self._sided:
            hot = _encoded(self.foretold.tolist())
            scaled: Numbers = _SCALE * (alike + np.float32(_FORETOLD) * (hot @ hot.T))
            about = _codes([_about(each) for each in self._offers])
            scaled += np.float32(_SCALE * _TWINS) * (about[:, None] == about[None, :])
            return scaled
        names = sorted({name for each in self._offers for name in each.guessed})
        right = np.array([[float(name in each.guessed) for name in names] for each in self._offers])
        answers = _codes([str(each.instance.answer) for each in self._offers])
        equal = (answers[:, None] == answers[None, :]).astype(float)
        both: Numbers = _GUESSED * (0.5 + alike) * (right.reshape(count, -1) @ right.T + equal)
        return both


def _about(offer: Offer) -> tuple[Any, ...]:
    """Return the procedure, the texts of the steps and the fact that a question is about.

    The step that is checked is one of them. Variants with other names are not told to be the same.
    """
    asked, shown = offer.instance.question, offer.instance.case or offer.case
    steps = shown.procedure.steps
    places = (asked.get("i"), asked.get("j"), *(asked.get("sanitizers") or ()))
    texts = [None if place is None else steps[place].text for place in places]
    return id(offer.case), *texts, asked.get("fact")


def _exact(table: Numbers) -> Numbers:
    """Return a table rounded to such multiples of a power of two that its products are exact.

    Exact sums are the same in any order, so that the number of cores and the library that
    multiplies do not decide which questions are chosen.
    """
    most = float(np.einsum("ij,ij->i", table, table).max())
    # rounding may quadruple a square; a float32 holds 24 bits, and a product has twice the places
    fine = np.float32(2.0 ** ((22 - math.ceil(math.log2(most + 1))) // 2))
    table *= fine
    np.round(table, out=table)
    table /= fine
    return table


def _foretold(alike: Numbers, sides: Numbers, often: Numbers) -> Numbers:
    """Return for each candidate what the others foretell: from -1, surely No, to 1, surely Yes.

    That is kernel ridge regression over the values of all shortcuts and their pairs, in which each
    candidate counts as often as it would be asked, with each left out in its turn.
    """
    told = alike.astype(float)
    told += told**2 + 1
    told[np.diag_indices_from(told)] += _SMOOTH * len(sides) / np.maximum(often, _SELDOM)
    half = _inverse(np.linalg.cholesky(told))  # the inverse of all is half.T @ half
    sides = sides - np.average(sides, weights=often)
    found: Numbers = sides - (half.T @ (half @ sides)) / np.einsum("ij,ij->j", half, half)
    return np.round(found, 4)  # so that machines that round otherwise choose the same


def _inverse(lower: Numbers) -> Numbers:
    """Return the inverse of a lower triangular matrix, by halves: a fifth of the time of any."""
    count = len(lower)
    if count <= _SMALL:
        small: Numbers = np.linalg.inv(lower)
        return small
    half = count // 2
    found = np.zeros_like(lower)
    first = found[:half, :half] = _inverse(lower[:half, :half])
    last = found[half:, half:] = _inverse(lower[half:, half:])
    found[half:, :half] = -last @ (lower[half:, :half] @ first)
    return found


def _tells(hot: Numbers, yes: Numbers, often: Numbers) -> float:
    """Return how far the values of a shortcut are apart for the two answers: from 0 to 1.

    What as many candidates would show by chance is taken off.
    """
    if yes.all() or not yes.any():
        return 0.0
    share, few = often @ hot / len(hot), 1 / yes.sum() + 1 / (~yes).sum()
    chance = 0.4 * float(np.sqrt(np.maximum(share * (1 - share), 0) * few).sum())
    means = [often[side] @ hot[side] / often[side].sum() for side in (yes, ~yes)]
    apart = float(np.abs(means[0] - means[1]).sum() / 2)
    return max(0.0, round(apart - chance, 6))


def _commonest(hot: Numbers) -> Numbers:
    """Return the columns of the commonest values, and one for all others together."""
    order = np.argsort(-hot.sum(axis=0), kind="stable")
    rest = hot[:, order[_VALUES - 1 :]].sum(axis=1, keepdims=True)
    return np.concatenate([hot[:, order[: _VALUES - 1]], rest], axis=1)


def _telling_pairs(values: Sequence[Numbers], yes: Numbers, often: Numbers) -> Iterator[Numbers]:
    """Yield columns for the values of each two shortcuts that together tell most more than alone.

    Args:
        values: for each shortcut columns of its values.
        yes: which candidates are answered Yes.
        often: how often each would be asked.
    """
    if yes.all() or not yes.any():
        return
    every = np.concatenate(values, axis=1)
    starts = np.cumsum([0, *(each.shape[1] for each in values)])[:-1]
    counted = every * often[:, None].astype(np.float32)
    yeses, noes = (every[side].T @ counted[side] for side in (yes, ~yes))
    few = 1 / yes.sum() + 1 / (~yes).sum()
    share = (yeses + noes) / len(yes)
    apart = np.abs(yeses / often[yes].sum() - noes / often[~yes].sum())
    apart -= 0.8 * np.sqrt(np.maximum(share * (1 - share), 0) * few)  # what chance would show
    told = np.add.reduceat(np.add.reduceat(apart, starts, axis=0), starts, axis=1)
    alone = np.diag(told)
    more = np.round(told - np.maximum(alone[:, None], alone[None, :]), 6)
    upper = np.transpose(np.triu_indices(len(values), 1))
    for one, other in upper[np.argsort(-more[*upper.T], kind="stable")[:_PAIRS]]:
        both = values[one][:, :, None] * values[other][:, None, :]
        yield both.reshape(len(yes), -1)


def _judged(hot: Numbers, yes: Numbers, often: Numbers) -> list[float]:
    """Return how far the words of each candidate speak for a Yes: naive Bayes of all candidates."""
    has: Numbers = (hot > 0).astype(float)
    known = has.sum(axis=0) > 1
    counts = [often[side] @ has[side] for side in (yes, ~yes)]
    sizes = [often[side].sum() for side in (yes, ~yes)]
    yes_share, no_share = ((counts[k] + 1) / (sizes[k] + 2) for k in (0, 1))
    odds = np.log(yes_share / (1 - yes_share)) - np.log(no_share / (1 - no_share))
    found: Numbers = np.round(has @ np.where(known, odds, 0.0), 6)
    return [float(each) for each in found]


def _words(column: Sequence[frozenset[str] | None]) -> Numbers:
    """Return a column for each word of a shortcut's sets of words."""
    sets = {value or frozenset(): 0 for value in column}  # many are equal
    words = sorted(frozenset().union(*sets))
    place = {word: number for number, word in enumerate(words)}
    found = np.zeros((len(sets), max(len(words), 1)), dtype=np.float32)
    for row, value in enumerate(sets):
        sets[value] = row
        found[row, [place[word] for word in value]] = max(len(value), 1) ** -0.5
    rows: Numbers = found[[sets[value or frozenset()] for value in column]]
    return rows


def _encoded(column: Sequence[Any]) -> Numbers:
    """Return a column for each value of a shortcut, of many numbers for each range of them."""
    given = [value for value in column if value is not None]
    if given and all(type(value) in (int, float) for value in given):
        numbers = np.array(given, dtype=float)
        if len(np.unique(numbers)) > 2 * _BINS:
            cuts = np.unique(np.quantile(numbers, np.linspace(0, 1, _BINS + 1)[1:-1]))
            ranges = iter(np.searchsorted(cuts, numbers).tolist())
            column = [None if value is None else next(ranges) for value in column]
    return _hot(_codes(column))


def _hot(codes: Numbers) -> Numbers:
    found: Numbers = np.eye(int(codes.max()) + 1, dtype=np.float32)[codes]
    return found
