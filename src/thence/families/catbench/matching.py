"""Choice of pairs of steps, so that the surface of a question does not tell its class.

Without it the last step of a recipe nearly always depends on the others, close steps depend more
often than distant ones, and "Serve" gives the answer away. Dependent and independent pairs are
chosen by turns, each time the pair that best makes up for what leans in the chosen ones: the places
of the two steps, their distance, their verbs, the words of each and between them, the things that
they and other steps name, and those of all these that tell most by twos. Of all pairs some of
these tell little and of the chosen ones much: that is weighed, and the choice is made again.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from scipy.sparse import csr_array, hstack

from thence.families.catbench.pair_surface import FINE, Pair, PairSurface

_AGAIN = 600.0  # cost of a further question about the same procedure
_ANEW = 2  # times that what tells of the chosen pairs is weighed, too, and all are chosen again


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
    choice.exchange(count)
    choice.exchange(count)
    for _ in range(_ANEW):
        choice.weigh()
        choice.exchange(count)
    choice.arrange(count)
    chosen = choice.chosen
    return [dependent[k] for k in chosen[0]], [independent[k] for k in chosen[1]]


class _Choice:
    """The chosen pairs of each class, and how far what is seen leans to one of them."""

    def __init__(
        self, pairs: tuple[Sequence[Pair], Sequence[Pair]], count: int, rng: Random
    ) -> None:
        self.chosen: tuple[list[int], list[int]] = ([], [])
        self._surface = PairSurface(pairs)
        self._see(self._surface.tables())
        self._free = [np.ones(len(held), dtype=bool) for held in pairs]
        names = list(dict.fromkeys(pair.subject.name for held in pairs for pair in held))
        at = {name: place for place, name in enumerate(names)}
        self._subject = [np.array([at[pair.subject.name] for pair in held]) for held in pairs]
        self._used = np.zeros(len(names))
        # In small sets, where there are more procedures than pairs wanted, spread comes first.
        self._again = _AGAIN * max(1.0, len(names) / count) ** 3
        self._ties = [np.array([rng.random() for _ in held]) / FINE**2 for held in pairs]

    def _see(self, tables: list[csr_array]) -> None:
        self._seen = tables
        self._own = [np.asarray((each * each).sum(axis=1)).ravel() for each in tables]
        self._leaning = np.zeros(tables[0].shape[1])
        for side, held in enumerate(self.chosen):
            self._leaning += np.asarray(tables[side][held].sum(axis=0)).ravel()

    def exchange(self, count: int) -> None:
        """Choose as many pairs of each class by turns, each again if it was chosen before."""
        for place in range(count):
            for side in range(2):
                self._choose(side, place)

    def arrange(self, count: int) -> None:
        """Put the chosen pairs in such an order that the first ones are balanced, too."""
        for side, held in enumerate(self.chosen):
            self._free[side][:] = False
            self._free[side][held] = True
            held.clear()
        self._leaning[:] = 0
        self._used[:] = 0
        self.exchange(count)

    def weigh(self) -> None:
        """Count what tells most of the chosen pairs, too."""
        more = self._surface.telling(self.chosen)
        self._see([hstack(each, format="csr") for each in zip(self._seen, more, strict=True)])

    def _choose(self, side: int, place: int) -> None:
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
