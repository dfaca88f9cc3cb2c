"""What questions about pairs of steps show, as sparse tables of weighted things.

The more a thing tells of the class of a pair, the more it weighs, and rare things weigh more than
common ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from thence.core.shortcuts import SMALL, word_set, words
from thence.core.statistics import codes
from thence.families.catbench.surface import Named, named

if TYPE_CHECKING:
    from thence.core.procedure import Step
    from thence.core.statistics import Numbers
    from thence.families.catbench.sources import Subject

FINE = 64  # parts of 1 in which weights are counted
_WORD = 120.0  # weight of a word of the earlier step, or of what stands between
_LATER_WORD = 180.0  # the same of the later step, whose words tell more: "serve", "preheat"
_ACTIONS = 60.0  # weight of the verbs of both together, alone and with those between
_LEAST, _TELLING = 12.0, 120.0  # weight of all else: least, and more the better it tells
_TELLING_OF_CHOSEN = 200.0  # the same of what tells of chosen pairs
_COMMON = 0.1  # share of the questions that show a common word or value
_WORD_RARITY, _RARITY = 0.33, 0.2  # powers of how much more rarer ones count
_TWOS = 16  # kinds that tell most by twos count as one more each
_PARTS = 4  # of a procedure, in which places are compared
_KNOWN = 10  # questions about chosen pairs that show a word, at least, for it to be judged
_SMOOTH = 0.005  # added to the shares in which the classes show a word; all shares of one sum to 2
_BINS = 6  # of what words speak for


class Pair(NamedTuple):
    """Two steps of a procedure, i < j, 0-based."""

    subject: Subject
    i: int
    j: int


class PairSurface:
    """Tables of what the questions about the pairs of both classes show.

    Of each class there is a table with a row for each pair, and a column for each thing that is
    seen. A value is the weight of the thing, times how often the pair's questions show it; it is
    negative for independent pairs.

    Args:
        pairs: the dependent and the independent ones.
    """

    def __init__(self, pairs: tuple[Sequence[Pair], Sequence[Pair]]) -> None:
        self._sizes = len(pairs[0]), len(pairs[1])
        views = [(row, view) for row, pair in enumerate(chain(*pairs)) for view in _views(pair)]
        self._rows = np.array([row for row, _ in views])
        self._times = np.array([view.times for _, view in views], dtype=float)
        self._texts = [
            _Texts(column) for column in zip(*(view.texts for _, view in views), strict=True)
        ]
        columns = zip(*(view.values for _, view in views), strict=True)
        self._kinds = [codes(column) for column in columns]

    def tables(self) -> list[csr_array]:
        """Return the tables of all that is seen, and of what tells most by twos."""
        signed = self._signed(*self._sizes)
        twos = (self._both(*two) for two in _telling_twos(self._kinds, signed))
        held = [
            self._weighed(codes, _LEAST + _TELLING * _apart(codes, signed), _RARITY)
            for codes in (*self._kinds, *twos)
        ]
        # what stands before the first and after the last step is many words: only judged together
        commons = (_WORD, _LATER_WORD, _WORD, _ACTIONS)
        for common, each in zip(commons, self._texts[:4], strict=True):
            held.append(self._weighed(each.codes, common, _WORD_RARITY, each.places))
        return _matrices(held, *self._sizes)

    def telling(self, chosen: tuple[Sequence[int], Sequence[int]]) -> list[csr_array]:
        """Return the tables of what tells most of some pairs: two kinds, and all words of a text.

        Of all pairs these may tell little, of those that are chosen much.
        """
        places = np.concatenate([chosen[0], np.array(chosen[1]) + self._sizes[0]])
        shown = np.isin(self._rows, places)
        signed = np.where(shown, self._signed(len(chosen[0]), len(chosen[1])), 0)
        twos = (self._both(*two) for two in _telling_twos(self._kinds, signed, alone=True))
        judged = (each.judged(signed, self._times) for each in self._texts)
        held = [
            self._weighed(codes, _TELLING_OF_CHOSEN * _apart(codes, signed), _RARITY)
            for codes in (*twos, *judged)
        ]
        return _matrices(held, *self._sizes)

    def _weighed(
        self, codes: Numbers, common: float, rarity: float, places: Numbers | None = None
    ) -> tuple[Numbers, Numbers, Numbers]:
        """Return rows, codes and values of a kind, or of words whose views are given.

        Args:
            codes: of the values or words; each number up to the greatest occurs.
            common: weight of a common one.
            rarity: power of how much more a rarer one counts.
            places: the view that each is of; None where each view has one.
        """
        rows, times = self._rows, self._times
        if places is not None:
            rows, times = rows[places], times[places]
        shares = np.bincount(codes, times) / self._times.sum()
        return rows, codes, times * _weights(shares, common, rarity)[codes]

    def _signed(self, dependent: int, independent: int) -> Numbers:
        """Return the share of its class that each view is of, negative of the independent ones."""
        first = self._rows < self._sizes[0]
        found: Numbers = self._times * np.where(first, 1 / dependent, -1 / independent)
        return found

    def _both(self, one: int, other: int) -> Numbers:
        """Return a small number for the values of two kinds in each view."""
        return _dense(_paired(self._kinds[one], self._kinds[other]))


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
        self.codes = codes([word for each in texts for word in sorted(each)])
        self._views = len(texts)

    def judged(self, signed: Numbers, times: Numbers) -> Numbers:
        """Return a small number for each view: how far its words speak for the first class.

        That is naive Bayes of some views, whose odds are cut at quantiles.

        Args:
            signed: the share of each view in its class, negative in the second one, or 0.
            times: the number of questions that show each view.
        """
        seen = np.bincount(self.codes, (times * (signed != 0))[self.places])
        each = signed[self.places]
        one = np.bincount(self.codes, np.maximum(each, 0)) + _SMOOTH
        other = np.bincount(self.codes, np.maximum(-each, 0)) + _SMOOTH
        odds = np.where(seen >= _KNOWN, np.log(one / other), 0)
        told = np.round(np.bincount(self.places, odds[self.codes], self._views), 6)
        ranks = np.linspace(0, 1, _BINS + 1)[1:-1]
        cuts = np.quantile(told[signed != 0], ranks, method="lower")
        # what is at a cut, such as 0, is neither below nor above it
        sides = np.searchsorted(cuts, told), np.searchsorted(cuts, told, "right")
        return _dense(sides[0] + sides[1])


def _weights(shares: Numbers, common: float, rarity: float) -> Numbers:
    """Return the weight of each of some values: the more the fewer questions show it.

    Shortcuts learn from each of many rare words as surely as from a common one, but squares of
    counts hardly see these. The weights are multiples of a power of two, so that sums are exact.

    Args:
        shares: of the questions, how many show each value.
        common: weight of a common value.
        rarity: power of how much seldomer than a common one a value is seen.
    """
    weights: Numbers = np.round(FINE * common * (_COMMON / shares) ** rarity) / FINE
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


def _telling_twos(
    kinds: Sequence[Numbers], signed: Numbers, *, alone: bool = False
) -> list[tuple[int, int]]:
    """Return the pairs of kinds that together tell the classes apart most.

    Args:
        kinds: the codes of each.
        signed: the share of each view in its class, negative in the second one.
        alone: whether what one of them tells by itself counts, too.
    """
    seen = signed != 0
    held, signed = [codes[seen] for codes in kinds], signed[seen]
    single = [0.0 if alone else _apart(codes, signed) for codes in held]
    found = []
    for one, other in combinations(range(len(held)), 2):
        both = _paired(held[one], held[other])
        more = _apart(both, signed) - max(single[one], single[other])
        found.append((round(more, 6), (one, other)))
    return [two for _, two in sorted(found, reverse=True)[:_TWOS]]


class _View(NamedTuple):
    """The things on the surface of a question about a pair.

    Attributes:
        times: the number of the pair's four questions that show it.
        values: one of each kind.
        texts: the words of step i, of step j and of what stands between, the verbs of both, alone
            and with those between, and the words of what stands before step i and after step j.
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
    verbs = f"{actions[0]} {actions[-1]}"
    both = frozenset([verbs, f"{verbs} {sorted(set(actions[1:-1]))}"])
    ends = word_set(texts[0]), word_set(texts[-1])
    before = frozenset[str]().union(*map(_telling, procedure.texts[:i]))
    after = frozenset[str]().union(*map(_telling, procedure.texts[j + 1 :]))
    return _View(times, values, (*ends, frozenset().union(*told[1:-1]), both, before, after))


@lru_cache(maxsize=4096)
def _telling(text: str) -> frozenset[str]:
    return frozenset(words(text)) - SMALL
