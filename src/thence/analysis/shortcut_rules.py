"""Rules that are fitted to the surface of questions: a table of values, a small decision tree."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from thence.core.statistics import Numbers

_BINS = 8  # of a number with many values
_EQUAL = 1e-9
_LEAST = 5  # questions on each side of a branch


def correct(said: Sequence[Sequence[Hashable]], truths: Sequence[Hashable]) -> Numbers:
    """Return a row for each question and a column for each guess: whether it is the truth."""
    rows = [[each == truth for each in row] for row, truth in zip(said, truths, strict=True)]
    return np.array(rows, dtype=bool).reshape(len(rows), -1)


class Encoder:
    """Turns the values of a shortcut into small numbers, by what was seen in fitting.

    Numbers with many values are cut at quantiles, sets of words are judged by naive Bayes, and of
    other values the commonest are kept.

    Attributes:
        size: number of different codes in fitting.
        ordered: whether larger codes stand for larger numbers.
        fitted: the codes of the values in fitting.
    """

    MOST = 32

    def __init__(self, values: Sequence[Any], classes: Numbers) -> None:
        self._words: _Words | None = None
        self._kept: dict[Any, int] = {}
        self._cuts: Numbers | None = None
        given = [value for value in values if value is not None]
        self.ordered = bool(given) and all(type(value) in (int, float) for value in given)
        if self.ordered:
            numbers = np.array(given, dtype=float)
            distinct = np.unique(numbers)
            if len(distinct) < self.MOST // 2:
                self._cuts = (distinct[1:] + distinct[:-1]) / 2
            else:
                self._cuts = np.unique(np.quantile(numbers, np.linspace(0, 1, _BINS + 1)[1:-1]))
        elif given and isinstance(given[0], frozenset):
            self._words = _Words(values, classes)
        else:
            common = Counter(given).most_common(self.MOST - 2)
            self._kept = {value: code for code, (value, count) in enumerate(common, 2) if count > 1}
        self.fitted = self.encode(values) if self._words is None else self._words.crossed
        self.size = len(set(self.fitted.tolist()))

    def encode(self, values: Sequence[Any]) -> Numbers:
        """Return the codes of some values; 0 stands for none, 1 for one that is not known."""
        if self._words is not None:
            return self._words.classify(values)
        if self._cuts is not None:
            held = [0.0 if value is None else float(value) for value in values]
            codes = 1 + np.searchsorted(self._cuts, held)
            return np.where([value is None for value in values], 0, codes)
        return np.array([0 if v is None else self._kept.get(v, 1) for v in values], dtype=int)


class _Words:
    """Naive Bayes over which words occur.

    Attributes:
        crossed: the classes of the values in fitting, each half judged by the other.
    """

    def __init__(self, values: Sequence[Any], classes: Numbers) -> None:
        self._weights = _weights(values, classes)
        self.crossed = np.zeros(len(values), dtype=int)
        half = np.arange(len(values)) // 2 % 2 == 0
        for part in (half, ~half):
            learnt = [value for value, inside in zip(values, part, strict=True) if inside]
            judged = [value for value, inside in zip(values, part, strict=True) if not inside]
            self.crossed[~part] = _judge(_weights(learnt, classes[part]), judged)

    def classify(self, values: Sequence[Any]) -> Numbers:
        """Return the likeliest class of each set of words."""
        return _judge(self._weights, values)


type _Weights = tuple[dict[str, Numbers], Numbers]


def _weights(values: Sequence[Any], classes: Numbers) -> _Weights:
    """Return for each class the logarithms of each word's odds, and of an empty set's share.

    All classes count as equally frequent.
    """
    number = int(classes.max(initial=0)) + 1
    totals = np.bincount(classes, minlength=number)
    counts: dict[str, Numbers] = {}
    for value, place in zip(values, classes, strict=True):
        for word in value or ():
            counts.setdefault(word, np.zeros(number))[place] += 1
    odds, empty = {}, np.zeros(number)
    for word in sorted(counts):
        if counts[word].sum() > 1:
            share = (counts[word] + 1) / (totals + 2)
            odds[word] = np.log(share) - np.log1p(-share)
            empty += np.log1p(-share)
    return odds, empty


def _judge(weights: _Weights, values: Sequence[Any]) -> Numbers:
    """Return the likeliest class of each set of words."""
    odds, empty = weights
    found = []
    for value in values:
        known = [odds[word] for word in sorted(value or ()) if word in odds]
        found.append(int(np.argmax(empty + sum(known, np.zeros(len(empty))))))
    return np.array(found, dtype=int)


class Rule:
    """A table: the best guess for each code, and one for codes that were not seen."""

    def __init__(self, guesses: Numbers, usual: int) -> None:
        self._guesses, self._usual = guesses, usual

    def hits(self, codes: Numbers, right: Numbers) -> Numbers:
        """Return which questions the rule answers rightly."""
        known = codes < len(self._guesses)
        guesses = np.where(known, self._guesses[np.where(known, codes, 0)], self._usual)
        return right[np.arange(len(codes)), guesses]


def table(codes: Numbers, gains: Numbers) -> Rule:
    """Return the rule that gives for each code the guess that gains most.

    Args:
        codes: of each question, a small number.
        gains: a row for each question, a column for each guess: what it is worth to guess so.
    """
    usual = int(np.argmax(gains.sum(axis=0)))
    size = int(codes.max(initial=0)) + 1
    columns = [np.bincount(codes, weights=column, minlength=size) for column in gains.T]
    sums = np.stack(columns)
    # the usual guess wins ties, and where nothing is seen
    tied = sums.max(axis=0) <= sums[usual] + _EQUAL
    return Rule(np.where(tied, usual, sums.argmax(axis=0)), usual)


class Tree:
    """A decision tree over all shortcuts, grown by the squares of the shares of right guesses.

    Attributes:
        used: the places of the shortcuts that it asks about.
    """

    def __init__(self, codes: Numbers, ordered: Sequence[bool], gains: Numbers, depth: int) -> None:
        self.used: list[int] = []
        self._tests = [
            (place, bool(ordered[place]), int(value))
            for place in range(len(codes))
            for value in np.unique(codes[place])
        ]
        sides = np.array([_side(codes, test) for test in self._tests], dtype=float)
        self._root = self._grow(np.arange(codes.shape[1]), sides, gains.astype(float), depth)

    def _grow(self, rows: Numbers, sides: Numbers, gains: Numbers, depth: int) -> Any:
        """Return a guess, or a test with the branches where it holds and where it does not."""
        here = gains[rows]
        guess = int(np.argmax(here.sum(axis=0)))
        if depth == 0 or len(rows) < 2 * _LEAST:
            return guess
        held = sides[:, rows]
        counts = held.sum(axis=1)
        sums = held @ here
        rest = here.sum(axis=0) - sums
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = (sums**2).sum(axis=1) / counts
            gain += (rest**2).sum(axis=1) / (len(rows) - counts)
        gain[(counts < _LEAST) | (len(rows) - counts < _LEAST)] = -math.inf
        best = int(np.argmax(gain))
        if not math.isfinite(gain[best]):
            return guess
        place = self._tests[best][0]
        if place not in self.used:
            self.used.append(place)
        inside = held[best] > 0
        branches = [self._grow(rows[part], sides, gains, depth - 1) for part in (inside, ~inside)]
        return self._tests[best], *branches

    def hits(self, codes: Numbers, right: Numbers) -> Numbers:
        """Return which questions the tree answers rightly."""
        guesses = np.zeros(codes.shape[1], dtype=int)
        held: list[tuple[Any, Numbers]] = [(self._root, np.arange(codes.shape[1]))]
        while held:
            node, rows = held.pop()
            if isinstance(node, int):
                guesses[rows] = node
                continue
            test, yes, no = node
            inside = _side(codes[:, rows], test)
            held += [(yes, rows[inside]), (no, rows[~inside])]
        return right[np.arange(codes.shape[1]), guesses]


def _side(codes: Numbers, test: tuple[int, bool, int]) -> Numbers:
    place, ordered, value = test
    found: Numbers = codes[place] <= value if ordered else codes[place] == value
    return found
