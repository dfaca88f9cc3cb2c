"""Choice of pairs of steps, so that the surface of a question does not tell its class.

Without it the last step of a recipe nearly always depends on the others, close steps depend more
often than distant ones, and "Serve" gives the answer away. Dependent and independent pairs are
chosen by turns, each time the pair that best makes up for what leans in the chosen ones: the places
of the two steps, their distance, the words of each, the words that they share.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from thence.core.shortcuts import SMALL, words

if TYPE_CHECKING:
    from thence.core.procedure import Step
    from thence.core.statistics import Numbers
    from thence.families.catbench.sources import Subject

_WORD = 5.0  # weight of a word of one of the two steps
_LEAST, _TELLING = 1.0, 3.0  # weight of all else: least, and more the better it tells the classes
_AGAIN = 4.0  # cost of a further question about the same procedure
_ROUNDS = 2  # in which each chosen pair is exchanged for the best one
_PARTS = 4  # of a procedure, in which places are compared


class Pair(NamedTuple):
    """Two steps of a procedure, i < j, 0-based."""

    subject: Subject
    i: int
    j: int


type Seen = Counter[tuple[Hashable, ...]]


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
        shown = [[_seen(pair) for pair in held] for held in pairs]
        weights = _weights(shown)
        known = {name: place for place, name in enumerate(weights)}
        rows = [
            [{known[name]: sign * count * weights[name] for name, count in seen.items()}
             for seen in held]
            for held, sign in zip(shown, (1, -1), strict=True)
        ]  # fmt: skip
        self._seen = [_matrix(held, len(known)) for held in rows]
        self._own = [np.asarray((each * each).sum(axis=1)).ravel() for each in self._seen]
        self._free = [np.ones(len(held), dtype=bool) for held in pairs]
        names = list(dict.fromkeys(pair.subject.name for held in pairs for pair in held))
        at = {name: place for place, name in enumerate(names)}
        self._subject = [np.array([at[pair.subject.name] for pair in held]) for held in pairs]
        self._used = np.zeros(len(names))
        # In small sets, where there are more procedures than pairs wanted, spread comes first.
        self._again = _AGAIN * max(1.0, len(names) / count) ** 3
        self._leaning = np.zeros(len(known))
        self._ties = [np.array([rng.random() for _ in held]) / 1024 for held in pairs]

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


def _matrix(rows: Sequence[dict[int, float]], width: int) -> csr_array:
    """Return the sparse matrix of rows of values by column."""
    values: Numbers = np.array([value for row in rows for value in row.values()], dtype=float)
    columns = np.array([column for row in rows for column in row], dtype=np.int64)
    ends = np.cumsum([0, *map(len, rows)])
    return csr_array((values, columns, ends), shape=(len(rows), width))


def _weights(shown: Sequence[Sequence[Seen]]) -> dict[Hashable, float]:
    """Return the weight of each thing that is seen: more where its kind tells the classes apart."""
    totals = [sum(sum(seen.values()) for seen in held) or 1 for held in shown]
    shares: dict[tuple[Hashable, ...], list[float]] = {}
    for side, held in enumerate(shown):
        for seen in held:
            for name, count in seen.items():
                shares.setdefault(name, [0.0, 0.0])[side] += count / totals[side]
    apart, whole = defaultdict[Hashable, float](float), defaultdict[Hashable, float](float)
    for name, both in shares.items():
        apart[name[0]] += abs(both[0] - both[1])
        whole[name[0]] += sum(both)
    return {
        name: _WORD
        if str(name[0]).startswith("word")
        else _LEAST + _TELLING * apart[name[0]] / whole[name[0]]
        for name in shares
    }


def _seen(pair: Pair) -> Seen:
    """Return how often a pair's questions show what, by name, of four questions."""
    subject, i, j = pair
    if subject.depends(i, j) or subject.switches is None:
        return _shown(subject.steps, i, j, 2)
    order = subject.switches.order(i, j)
    moved = [subject.steps[k] for k in order]
    return _shown(subject.steps, i, j, 1) + _shown(moved, order.index(j), order.index(i), 1)


def _shown(steps: Sequence[Step], i: int, j: int, times: int) -> Seen:
    """Return what a question about steps i < j shows, each with a count."""
    count = len(steps)
    texts = [step.text.lower() for step in steps[i : j + 1]]
    one, other = _telling(texts[0]), _telling(texts[-1])
    actions = [text.split()[0] for text in texts]
    part = _PARTS * j // count
    found: Seen = Counter(
        {
            ("later", part): times,
            ("earlier", _PARTS * i // count): times,
            ("distance", j - i): times,
            ("later and distance", part, min(j - i, _PARTS)): times,
            ("number of i", i): times,
            ("number of j", j): times,
            ("to the end", count - j): times,
            ("steps", count): times,
            ("shared", min(_PARTS, len(one & other))): times,
            ("shared with next", min(_PARTS, len(one & _telling(texts[1])))): times,
            ("length of i", len(texts[0].split()) // 5): times,
            ("length of j", len(texts[-1].split()) // 5): times,
            ("action i", actions[0]): times,
            ("action j", actions[-1]): times,
            ("actions", actions[0], actions[-1]): times,
            ("actions between", frozenset(actions[1:-1])): times,
        }
    )
    for which, held in (("word i", one), ("word j", other)):
        found.update({(which, word): times for word in held})
    return found


@lru_cache(maxsize=4096)
def _telling(text: str) -> frozenset[str]:
    return frozenset(words(text)) - SMALL
