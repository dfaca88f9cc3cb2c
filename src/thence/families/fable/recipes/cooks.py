"""Cooks who share the work of a recipe: each does some of the steps, in their listed order.

The same steps shared out in other ways have other orders, and so other answers: the words of the
steps alone do not tell the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter
from random import Random

from thence.core.procedure import Procedure
from thence.families.fable.recipes.spans import Ways
from thence.families.fable.shared.divided_steps import split
from thence.families.fable.shared.quick_answers import Order

_LONG = 12  # steps of a recipe that may have three cooks
_THREE = 0.5  # of the long recipes that have three
_STAYS = 0.4  # how often the same cook does the next step
_LEAST = 2  # steps of a cook
_APART = (3, 4, 4)  # steps of each cook between two that are far apart
_EITHER = 0.5  # of the steps that stand before or behind: done by the second cook
_NAMES = ("the first", "the second", "the third")

type Shares = tuple[tuple[int, ...], ...]


def share(steps: int, rng: Random) -> Shares:
    """Return for each cook the steps that this cook does, the cook of the first step first."""
    count = 3 if steps >= _LONG and rng.random() < _THREE else 2
    return tuple(map(tuple, split(steps, count, _STAYS, _LEAST, rng)))


def share_apart(order: Order, rng: Random) -> Shares | None:
    """Return shares that let two steps far apart be done at once; None where none do.

    Two cooks do the steps between the two: one those that the first step must come before, the
    other those that must come before the second step, and each several.

    Args:
        order: of the steps without cooks; they are listed in a permitted order.
        rng: all chance.
    """
    count, least = len(order.after), rng.choice(_APART)
    far = [
        (i, j)
        for i in range(count)
        for j in range(i + 2 * least + 1, count)
        if not order.after[i] >> j & 1
    ]
    for i, j in rng.sample(far, len(far)):
        between = range(i + 1, j)
        ahead = [k for k in between if order.before[j] >> k & 1]
        behind = [k for k in between if order.after[i] >> k & 1]
        free = [k for k in between if k not in {*ahead, *behind}]
        low, high = max(least - len(ahead), 0), len(free) - max(least - len(behind), 0)
        if low <= high:
            cut = rng.randint(low, high)
            others = [k for k in range(count) if not i <= k <= j]
            second = {j, *ahead, *free[:cut], *(k for k in others if rng.random() < _EITHER)}
            first = [k for k in range(count) if k not in second]
            return tuple(sorted((tuple(first), tuple(sorted(second)))))
    return None


def ways(procedure: Procedure, shares: Shares) -> Ways:
    """Return the order of steps that keep their listed order where one cook does them, too."""
    count = len(procedure.steps)
    every = [*procedure.order, *(pair for steps in shares for pair in pairwise(steps))]
    before = [0] * count
    for a, b in sorted(every, key=itemgetter(1)):  # all that comes before step a is known by then
        before[b] |= before[a] | 1 << a
    return Ways(before)


def told(shares: Shares) -> str:
    """Return the sentence that tells which cook does which steps."""
    parts = [
        f"{name} {'' if number else 'does '}{_steps(steps)}"
        for number, (name, steps) in enumerate(zip(_NAMES, shares, strict=False))
    ]
    count = {2: "Two", 3: "Three"}[len(shares)]
    return (
        f"{count} cooks share the work: {_listed(parts)}. "
        "Each does one step after the other, in the order in which they stand here."
    )


def _steps(steps: Sequence[int]) -> str:
    return f"Steps {_listed([str(step + 1) for step in steps])}"


def _listed(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
