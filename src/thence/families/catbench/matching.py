"""Choice of pairs of steps, so that the surface of a question does not tell its class.

Without it the last step of a recipe nearly always depends on the others, close steps depend more
often than distant ones, and "Serve" gives the answer away. Dependent and independent pairs are
chosen by turns, each time the pair that best makes up for what leans in the chosen ones: the places
of the two steps, their distance, their verbs, the words of each and between them, the things that
they and other steps name, and those of all these that tell most by twos.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import chain, combinations
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from thence.core.shortcuts import SMALL, word_set, words
from thence.families.catbench.surface import Named, named

if TYPE_CHECKING:
    from thence.core.procedure import Step
    from thence.core.statistics import Numbers
    from thence.families.catbench.sources import Subject

_WORD = 120.0  # weight of a word of one of the two steps
_ACTIONS = 60.0  # weight of the verbs of both together
_LEAST, _TELLING = 12.0, 120.0  # weight of all else: least, and more the better it tells
_COMMON = 0.1  # share of the questions that show a common word or value
_WORD_RARITY, _RARITY = 0.33, 0.2  # powers of how much more rarer ones count
_FINE = 64  # parts of 1 in which weights are counted
_AGAIN = 600.0  # cost of a further question about the same procedure
_TWOS = 16  # kinds that tell most by twos count as one more each
_ROUNDS = 2  # in which each chosen pair is exchanged for the best one
_PARTS = 4  # of a procedure, in which places are compared


class Pair(NamedTuple):
    """Two steps of a procedure, i < j, 0-based."""

    subject: Subject
    i: int
    j: int


def matched(
    dependent: Sequence[Pair], independent: Sequence[Pair], count: int, rng: Random
) -> tuple[list[Pair], list[Pair]]:
    """Return ``count`` pairs of each class, such that every prefix of both is about as balanced.

    An independent pair counts half as it stands and half as it is switched, as it is asked in both
    ways.

    Args:
        dependent: pairs of which the later step depends on the earlier one.
        independent: pairs with an order in which the later step comes first.
        count: at most as many as there are of each.
        rng: breaks ties.
    """
    choice = _Choice((dependent, independent), count, rng)
    for place in range(count):
        for side in range(2):
            choice.choose(side, place)
    for _ in range(_ROUNDS):
        for place in range(count):
            for side in range(2):
                choice.choose(side, place)
    chosen = choice.chosen
    return [dependent[k] for k in chosen[0]], [independent[k] for k in chosen[1]]


class _Choice:
    """The chosen pairs of each class, and how far what is seen leans to one of them."""

    def __init__(
        self, pairs: tuple[Sequence[Pair], Sequence[Pair]], count: int, rng: Random
    ) -> None:
        self.chosen: tuple[list[int], list[int]] = ([], [])
        self._seen = _seen(pairs)
        self._own = [np.asarray((each * each).sum(axis=1)).ravel() for each in self._seen]
        self._free = [np.ones(len(held), dtype=bool) for held in pairs]
        names = list(dict.fromkeys(pair.subject.name for held in pairs for pair in held))
        at = {name: place for place, name in enumerate(names)}
        self._subject = [np.array([at[pair.subject.name] for pair in held]) for held in pairs]
        self._used = np.zeros(len(names))
        # In small sets, where there are more procedures than pairs wanted, spread comes first.
        self._again = _AGAIN * max(1.0, len(names) / count) ** 3
        self._leaning = np.zeros(self._seen[0].shape[1])
        self._ties = [np.array([rng.random() for _ in held]) / _FINE**2 for held in pairs]

    def choose(self, side: int, place: int) -> None:
        """Choose the pair of a class that leaves the least leaning, for a place in its list."""
        if place < len(self.chosen[side]):
            self._put(side, self.chosen[side].pop(place), -1)
        cost = 2 * (self._seen[side] @ self._leaning) + self._own[side] + self._ties[side]
        cost += self._again * self._used[self._subject[side]]
        best = int(np.where(self._free[side], cost, np.inf).argmin())
        self._put(side, best, 1)
        self.chosen[side].insert(place, best)

    def _put(self, side: int, pair: int, times: int) -> None:
        seen = self._seen[side]
        span = slice(seen.indptr[pair], seen.indptr[pair + 1])
        self._leaning[seen.indices[span]] += times * seen.data[span]
        self._used[self._subject[side][pair]] += times
        self._free[side][pair] = times < 0


def _seen(pairs: tuple[Sequence[Pair], Sequence[Pair]]) -> list[csr_array]:
    """Return for each class a row for each pair, and a column for each thing that is seen.

    A value is the weight of the thing, times how often the pair's questions show it; it is negative
    for independent pairs.
    """
    views = [(row, view) for row, pair in enumerate(chain(*pairs)) for view in _views(pair)]
    rows = np.array([row for row, _ in views])
    times = np.array([view.times for _, view in views], dtype=float)
    signed = np.where(rows < len(pairs[0]), times / len(pairs[0]), -times / len(pairs[1]))
    texts = [_Texts(column) for column in zip(*(view.texts for _, view in views), strict=True)]
    kinds = [_coded(column) for column in zip(*(view.values for _, view in views), strict=True)]
    twos = _telling_twos(kinds, signed)
    kinds += [_dense(_paired(kinds[one], kinds[other])) for one, other in twos]
    held, questions = [], float(times.sum())
    for codes in kinds:
        common = _LEAST + _TELLING * _apart(codes, signed)
        shares = np.bincount(codes, times) / questions
        held.append((rows, codes, times * _weights(shares, common, _RARITY)[codes]))
    for common, each in zip((_WORD, _WORD, _WORD, _ACTIONS), texts, strict=True):
        shares = np.bincount(each.codes, times[each.places]) / questions
        weights = _weights(shares, common, _WORD_RARITY)
        held.append((rows[each.places], each.codes, times[each.places] * weights[each.codes]))
    return _matrices(held, len(pairs[0]), len(pairs[1]))


class _Texts:
    """The words that many views show.

    Args:
        texts: the words of each view.

    Attributes:
        codes: a small number for each word of each view.
        places: the view that each of them is of.
    """

    def __init__(self, texts: Sequence[frozenset[str]]) -> None:
        self.places = np.repeat(np.arange(len(texts)), [len(each) for each in texts])
        self.codes = _coded([word for each in texts for word in sorted(each)])


def _weights(shares: Numbers, common: float, rarity: float) -> Numbers:
    """Return the weight of each of some values: the more the fewer questions show it.

    Shortcuts learn from each of many rare words as surely as from a common one, but squares of
    counts hardly see these. The weights are multiples of a power of two, so that sums are exact.

    Args:
        shares: of the questions, how many show each value.
        common: weight of a common value.
        rarity: power of how much seldomer than a common one a value is seen.
    """
    weights: Numbers = np.round(_FINE * common * (_COMMON / shares) ** rarity) / _FINE
    return weights


def _matrices(
    held: Sequence[tuple[Numbers, Numbers, Numbers]], dependent: int, independent: int
) -> list[csr_array]:
    """Return the sparse matrices of rows, codes and values, the codes of each in own columns."""
    starts = np.cumsum([0, *(int(codes.max(initial=-1)) + 1 for _, codes, _ in held)])
    rows, values = (np.concatenate([each[k] for each in held]) for k in (0, 2))
    columns = np.concatenate([each[1] + start for each, start in zip(held, starts, strict=False)])
    count = dependent + independent
    values = np.where(rows < dependent, values, -values)
    table = csr_array((values, (rows, columns)), shape=(count, int(starts[-1])))
    return [table[:dependent], table[dependent:]]


def _coded(values: Sequence[Hashable]) -> Numbers:
    """Return a small number for each value, equal for equal ones."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)


def _apart(codes: Numbers, signed: Numbers) -> float:
    """Return how far the values of a kind are apart for the two classes: from 0 to 1.

    Args:
        codes: of the values.
        signed: the share of each in its class, negative in the second one.
    """
    shares = np.bincount(codes, signed)
    chance = 0.8 * np.sqrt(np.bincount(codes, signed**2))  # what as many would show by chance
    return float(np.maximum(np.abs(shares) - chance, 0).sum() / np.abs(signed).sum())


def _paired(one: Numbers, other: Numbers) -> Numbers:
    """Return a number for each two values, not much larger than there are of them."""
    found: Numbers = one * (other.max() + 1) + other
    return found if found.max() < len(found) else _dense(found)


def _dense(codes: Numbers) -> Numbers:
    """Return small numbers for some large ones, equal for equal ones."""
    found: Numbers = np.unique(codes, return_inverse=True)[1]
    return found


def _telling_twos(kinds: Sequence[Numbers], signed: Numbers) -> list[tuple[int, int]]:
    """Return the pairs of kinds that together tell the classes apart most better than alone."""
    alone = [_apart(codes, signed) for codes in kinds]
    found = []
    for one, other in combinations(range(len(kinds)), 2):
        both = _paired(kinds[one], kinds[other])
        more = _apart(both, signed) - max(alone[one], alone[other])
        found.append((round(more, 6), (one, other)))
    return [two for _, two in sorted(found, reverse=True)[:_TWOS]]


class _View(NamedTuple):
    """The things on the surface of a question about a pair.

    Attributes:
        times: the number of the pair's four questions that show it.
        values: one of each kind.
        texts: the words of step i, of step j and of what stands between, and the verbs of both.
    """

    times: int
    values: tuple[Hashable, ...]
    texts: tuple[frozenset[str], ...]


def _views(pair: Pair) -> list[_View]:
    """Return what the questions about a pair show: as it stands and, if independent, switched."""
    subject, i, j = pair
    listed = _lowered(subject.steps)
    if subject.depends(i, j) or subject.switches is None:
        return [_shown(named(listed), i, j, 2)]
    order = subject.switches.order(i, j)
    moved = Named([listed[k] for k in order])
    return [_shown(named(listed), i, j, 1), _shown(moved, order.index(j), order.index(i), 1)]


@lru_cache(maxsize=4096)
def _lowered(steps: tuple[Step, ...]) -> tuple[str, ...]:
    return tuple(step.text.lower() for step in steps)


def _shown(procedure: Named, i: int, j: int, times: int) -> _View:
    """Return what a question about steps i < j shows."""
    count = len(procedure.texts)
    texts = procedure.texts[i : j + 1]
    told = [_telling(text) for text in texts]
    one, other = told[0], told[-1]
    actions = [text.split()[0] for text in texts]
    values = (
        _PARTS * j // count,
        _PARTS * i // count,
        i,
        j,
        j - i,
        count - j,
        count,
        len(one & other),
        len(one & told[1]),
        len(texts[0].split()) // 3,
        len(texts[-1].split()) // 3,
        actions[0],
        actions[-1],
        actions[1],
        actions[-2],
        (actions[0], actions[-1]),
        frozenset(actions[1:-1]),
        *procedure.seen(i, j).values(),
    )
    both = frozenset([f"{actions[0]} {actions[-1]}"])
    ends = word_set(texts[0]), word_set(texts[-1])
    return _View(times, values, (*ends, frozenset().union(*told[1:-1]), both))


@lru_cache(maxsize=4096)
def _telling(text: str) -> frozenset[str]:
    return frozenset(words(text)) - SMALL
