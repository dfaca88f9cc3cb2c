"""How alike candidates for questions look to shortcuts.

Two candidates are the more alike the more shortcuts see the same in both; those count most that
tell most about the answers, alone or by twos. What all together foretell counts as one of them, and
to be about the same steps and fact of one procedure most.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from thence.core.statistics import Numbers, codes
from thence.families.fable.shared.offers import Offer

_BINS = 8  # of a number with many values
_LEAST, _TELLING = 0.05, 40.0  # weight of a shortcut that tells nothing, and of one that tells all
_TELLING_OF_CHOSEN = 3.0  # the same of chosen questions, where what two that look alike share has 1
_TWINS = 4.0  # weight of being about the same, where two questions that look alike have 1
_SCALE = 200.0  # of all this beside the costs of a choice
_PAIRS, _VALUES = 12, 12  # shortcuts that tell most by twos, and values that are told apart of each
_CHANCE = 0.8  # of how far apart chance would show answers, what is taken off
_SMOOTH = 1e-3  # for each candidate: how little a foretelling follows a single one
_SMALL = 64  # rows of a matrix that is inverted at once
_SELDOM = 0.05  # of a candidate that would hardly ever be asked, how often it counts as if it were
_FORETOLD = 2.0  # weight of what is foretold
_GUESSED = 40.0  # of intervals, for a guess that is right on both


class Likeness:
    """How alike candidates look to shortcuts, each of which weighs what it tells of the answer.

    Attributes:
        foretold: for each candidate what the others foretell: from -1, surely No, to 1, surely Yes.
    """

    def __init__(self, offers: Sequence[Offer], sides: Numbers, often: Numbers) -> None:
        self._offers, self._often = offers, often
        self._yes = sides > 0
        self._sided = offers[0].side is not None
        self._parts: list[Numbers] = []
        values: list[Numbers] = []  # of each shortcut
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
        self._values = np.array(values)
        if self._sided and self._yes.any() and not self._yes.all():
            for _, one, other in _telling_pairs(self._values, self._yes, often):
                self._see(_hot(codes(self._both(one, other).tolist())))
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

    def _both(self, one: int, other: int) -> Numbers:
        """Return a number for the values that two shortcuts have of each candidate."""
        found: Numbers = self._values[one] * _VALUES + self._values[other]
        return found

    def telling(self, chosen: Sequence[int]) -> Iterator[tuple[float, Numbers]]:
        """Yield what else counts, as the choice of some questions shows: weights and values.

        That is what shortcuts tell of the chosen ones, alone or by twos.
        """
        yes = self._yes[chosen]
        if not self._sided or yes.all() or not yes.any():
            return
        values = self._values[:, chosen]
        for tells, one, other in _telling_pairs(values, yes, np.ones(len(chosen)), alone=True):
            if tells > 0:
                yield _SCALE * _TELLING_OF_CHOSEN * tells**2, self._both(one, other)

    def kernel(self) -> Numbers:
        """Return how alike each two candidates are."""
        alike, count = self._alike, len(self._offers)
        if self._sided:
            hot = _encoded(self.foretold.tolist())
            scaled: Numbers = _SCALE * (alike + np.float32(_FORETOLD) * (hot @ hot.T))
            about = codes([_about(each) for each in self._offers])
            scaled += np.float32(_SCALE * _TWINS) * (about[:, None] == about[None, :])
            return scaled
        names = sorted({name for each in self._offers for name in each.guessed})
        right = np.array([[float(name in each.guessed) for name in names] for each in self._offers])
        answers = codes([str(each.instance.answer) for each in self._offers])
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
    """Return a small number for the value of each candidate: those of the rarest are the same."""
    order = np.argsort(-hot.sum(axis=0), kind="stable")
    place = np.empty(len(order), dtype=int)
    place[order] = np.minimum(np.arange(len(order)), _VALUES - 1)
    found: Numbers = place[np.argmax(hot, axis=1)]
    return found


def _telling_pairs(
    values: Numbers, yes: Numbers, often: Numbers, *, alone: bool = False
) -> list[tuple[float, int, int]]:
    """Return what each two shortcuts tell together and their places, those first that tell most.

    Args:
        values: a row for each shortcut: a small number for its value of each question.
        yes: which questions are answered Yes; some are, and some are not.
        often: how often each is asked.
        alone: whether what a shortcut tells alone counts, too, and those with one place twice.
    """
    sizes = values.max(axis=1) + 1
    starts = np.cumsum(sizes) - sizes
    every = np.zeros((len(yes), int(sizes.sum())), dtype=np.float32)
    every[np.arange(len(yes))[:, None], (starts[:, None] + values).T] = 1
    counted = every * often[:, None].astype(np.float32)
    yeses, noes = (every[side].T @ counted[side] for side in (yes, ~yes))
    few = 1 / yes.sum() + 1 / (~yes).sum()
    share = (yeses + noes) / len(yes)
    apart = np.abs(yeses / often[yes].sum() - noes / often[~yes].sum())
    apart -= _CHANCE * np.sqrt(np.maximum(share * (1 - share), 0) * few)
    told = np.add.reduceat(np.add.reduceat(apart, starts, axis=0), starts, axis=1) / 2
    if not alone:
        single = np.diag(told)
        told -= np.maximum(single[:, None], single[None, :])
    told = np.round(told, 6)
    upper = np.transpose(np.triu_indices(len(values), 0 if alone else 1))
    most = upper[np.argsort(-told[*upper.T], kind="stable")[:_PAIRS]]
    return [(float(told[one, other]), int(one), int(other)) for one, other in most]


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
    return _hot(codes(column))


def _hot(numbers: Numbers) -> Numbers:
    """Return a column for each of some small numbers, 1 in the rows that have it."""
    found: Numbers = np.eye(int(numbers.max()) + 1, dtype=np.float32)[numbers]
    return found
