"""Shares that are wanted of a block's questions, and how often these have each candidate asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from thence.core.statistics import Numbers
from thence.families.fable.shared.domain import Quota
from thence.families.fable.shared.offers import Offer, Slot

_SHARE = 0.5  # most of an answer's questions with one reason
_WRONG = 0.34, 0.31  # wanted and least share of an answer's questions that a strategy gets wrong
_MORE, _FEWER = 0.02, 0.01  # than a quota's share: what is wanted, and what is enough
_OF_FEW = 0.9  # of candidates of a kind of which there are too few for its least share
_FITTED = 10  # passes in which shares are fitted
_FINE, _EXACT = 2.0**-8, 2.0**-20  # of how often a candidate is asked, and while that is found


class WantedNeeds(NamedTuple):
    """Kinds of questions, and how many questions of each a block should have.

    A kind is an answer with a strategy that gets it wrong, or with a quota.

    Attributes:
        needs: for each candidate whether it is of each kind.
        wanted: for each kind how many questions should be of it.
        spare: for each kind how many of these may be missing.
    """

    needs: Numbers
    wanted: Numbers
    spare: Numbers


def asked_for(
    slots: Sequence[Slot],
    fitting: Mapping[Slot, Numbers],
    sides: Numbers,
    needs: Numbers,
    wanted: Numbers,
) -> Numbers:
    """Return how often each candidate would be asked, if chance alone chose what is wanted.

    Slots get their questions and kinds their shares by iterative proportional fitting. The mean
    is about 1. All are multiples of a power of two, so that sums over values that are 0 or 1
    are exact; what is computed from others is rounded.

    Args:
        slots: the answer and depth of each question.
        fitting: the places of the candidates of each slot.
        sides: the answer of each candidate.
        needs: for each candidate whether it is of each kind.
        wanted: number of questions of each kind.
    """
    asked = Counter(slots)
    found = np.ones(len(sides))
    for turn in range(_FITTED + 1):
        for kind, number in enumerate(wanted if turn else []):
            _give(found, needs[:, kind] > 0, sides, number)
        for slot, fit in fitting.items():
            found[fit] = _multiples(found[fit] * (asked[slot] / found[fit].sum()), _EXACT)
    return _multiples(found * (len(found) / len(slots)), _FINE)


def _give(asked: Numbers, has: Numbers, sides: Numbers, wanted: float) -> None:
    """Ask about candidates of a kind as often as is wanted, and about others so much less.

    Args:
        asked: how often each candidate is asked.
        has: which are of the kind; all have one answer.
        sides: the answer of each.
        wanted: number of questions of the kind; more are left as they are.
    """
    others = (sides == sides[has][0]) & ~has
    held, rest = asked[has].sum(), asked[others].sum()
    wanted = min(wanted, _OF_FEW * (held + rest))
    if 0 < held < wanted:
        asked[has] = _multiples(asked[has] * (wanted / held), _EXACT)
        fewer = _multiples(asked[others] * ((held + rest - wanted) / rest), _EXACT)
        asked[others] = np.maximum(fewer, _EXACT)


def _multiples(numbers: Numbers, of: float) -> Numbers:
    """Return numbers rounded to multiples of another."""
    found: Numbers = np.round(numbers / of) * of
    return found


def wanted_needs(
    offers: Sequence[Offer], fitting: Mapping[Slot, Numbers], slots: Sequence[Slot]
) -> WantedNeeds:
    """Return the kinds of questions that are wanted, and which candidates are of each.

    Args:
        offers: the candidates.
        fitting: the places of the candidates of each slot.
        slots: the answer and depth of each question.
    """
    numbers = Counter(slot.side for slot in slots)
    held = [
        {(str(each.side), name, _WRONG) for name in each.needs}
        | {(str(each.side), *_wanted(quota)) for quota in each.instance.quotas}
        for each in offers
    ]
    kinds = sorted(set().union(*held))
    rows = [[float(kind in each) for kind in kinds] for each in held]
    needs = np.array(rows).reshape(len(offers), len(kinds))
    sizes = {str(side): number for side, number in numbers.items()}
    wanted, least = (
        np.array([shares[k] * sizes.get(side, 0) for side, _, shares in kinds]) for k in (0, 1)
    )
    asked = Counter(slots)
    possible = sum(np.minimum(needs[fit].sum(axis=0), asked[s]) for s, fit in fitting.items())
    return WantedNeeds(needs, wanted, wanted - np.minimum(least, _OF_FEW * possible))


def _wanted(quota: Quota) -> tuple[str, tuple[float, float]]:
    """Return the name of a quota, and the wanted and the least share."""
    return quota.name, (quota.share + _MORE, quota.share - _FEWER)


def most_of_reasons(offers: Sequence[Offer], slots: Sequence[Slot], reasons: Numbers) -> Numbers:
    """Return for each reason how many questions may have it."""
    numbers = Counter(slot.side for slot in slots)
    sides = {int(code): each.side for code, each in zip(reasons, offers, strict=True)}
    return np.array([_SHARE * numbers[sides[code]] for code in range(len(sides))])
