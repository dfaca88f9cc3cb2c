"""Switched steps: permitted orders in which a later, independent step comes first.

A text must make sense in its new order, so a step that refers to what stands right before it ("Cut
them in half", "Meanwhile, ..."), or names nothing that it works on ("Cover, let cool and chill"),
stays behind it: such steps move together, as one passage.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thence.core.graph import Graph
    from thence.core.procedure import Step

_REFERS = re.compile(
    r"^(?:meanwhile|while|then|now|when|once|after|next)\b"
    r"|\b(?:it|its|them|they|their|this|these|those|both|each|rest|other|others|another|same)\b",
    re.IGNORECASE,
)

_NAMES_NOTHING = re.compile(
    r"^(?:(?:first|finally|also|\w+ly),? )?+(?!(?:turn|switch|put) on\b)"
    r"[\w-]+(?: and [\w-]+)?(?: (?:slowly|gently|well|again))?"
    # of several verbs the last may have the thing, unless that is a time
    r"(?:[.;]|,(?! (?:[\w-]+, )*[\w-]+,? and [\w-]+ (?:the|an?|\d[\d./\u2013-]*+)"
    r"(?! (?:[a-z]+ )?(?:of )?(?:seconds?|minutes?|hours?|days?)\b))"
    r"| (?:in|into|until|for|with|to|on|over|at|under|by|before|once)\b)",
    re.IGNORECASE,
)  # but its verb, and where, how long or with what that is done

_NEAR = 0.5  # share of passages that stand next to one that they are tied to, where they can


class Switches:
    """The switches of a procedure's steps.

    Args:
        steps: the steps in the order of the text, which is a permitted one.
        graph: their step graph.
        apart: whether each step makes sense by itself, so that none has to stay behind another.
    """

    def __init__(self, steps: Sequence[Step], graph: Graph, *, apart: bool) -> None:
        self._passages: list[list[int]] = []
        self.staying: list[int] = []  # steps that stay behind the one before
        for place, step in enumerate(steps):
            refers = _REFERS.search(step.text) or _NAMES_NOTHING.search(step.text)
            if self._passages and not apart and refers:
                self._passages[-1].append(place)
                self.staying.append(place)
            else:
                self._passages.append([place])
        self._passage = {k: at for at, places in enumerate(self._passages) for k in places}
        self._after = self._reached(graph)

    def _reached(self, graph: Graph) -> list[int]:
        """Return for each passage those that depend on it, directly or not, as a bit set."""
        after = [0] * len(self._passages)
        for at in range(len(self._passages) - 1, -1, -1):
            for place in self._passages[at]:
                for later in graph.successors[place]:
                    other = self._passage[later]
                    if other > at:
                        after[at] |= 1 << other | after[other]
        return after

    def possible(self, i: int, j: int) -> bool:
        """Return whether step j > i can come before step i."""
        first, second = self._passage[i], self._passage[j]
        return first != second and not self._after[first] >> second & 1

    def order(self, i: int, j: int) -> tuple[int, ...]:
        """Return a permitted order with step j before step i, each about where the other stood.

        What step j depends on goes before both, and what depends on step i goes behind both. To
        keep their places, as many earlier steps as can wait, and later ones as can be done already,
        go between them, mixed: else what stands around the two would tell that they are switched.

        Args:
            i: 0-based number of the earlier step.
            j: 0-based number of the later step.

        Returns:
            The steps' numbers, 0-based, in their new order.

        Raises:
            ValueError: step j cannot come first.
        """
        if not self.possible(i, j):
            raise ValueError(f"step {j} cannot come before step {i}")
        first, second, after = self._passage[i], self._passage[j], self._after
        between = range(first + 1, second)
        needed = [k for k in between if after[k] >> second & 1]
        waiting = [k for k in between if after[first] >> k & 1]
        others = [k for k in between if k not in needed and k not in waiting]
        earlier, held = list[int](), list(range(first))
        for k in reversed(range(first)):
            can_wait = not after[k] >> second & 1 and not any(after[k] >> m & 1 for m in held)
            if can_wait and len(earlier) < len(needed):
                held.remove(k)
                earlier.insert(0, k)
        later, rest = list[int](), list[int]()
        for k in range(second + 1, len(self._passages)):
            ready = not any(after[m] >> k & 1 for m in (first, *waiting, *rest))
            (later if ready and len(later) < len(waiting) else rest).append(k)
        mixed = self._mixed(second, [*earlier, *others, *later], first, Random(f"{i} {j}"))
        passages = [*held, *needed, second, *mixed, first, *waiting, *rest]
        return tuple(place for at in passages for place in self._passages[at])

    def _mixed(self, second: int, passages: Sequence[int], first: int, rng: Random) -> list[int]:
        """Return some passages in a permitted order, as they may stand between two others.

        They are put next to either end by turns of chance, and often to what they depend on or what
        depends on them, as steps stand that belong together.
        """
        left, head, tail = sorted(passages), [second], [first]
        while left:
            ahead = rng.random() < 0.5
            side = head if ahead else tail
            ready = [k for k in left if not any(self._leads(ahead, m, k) for m in left)]
            near = [k for k in ready if self._leads(ahead, side[-1], k)]
            side.append(rng.choice(near if near and rng.random() < _NEAR else ready))
            left.remove(side[-1])
        return head[1:] + tail[:0:-1]

    def _leads(self, ahead: bool, one: int, other: int) -> bool:
        """Return whether another passage depends on one, or, seen from behind, this one on it."""
        before, behind = (one, other) if ahead else (other, one)
        return bool(self._after[before] >> behind & 1)


def reordered(procedure: Mapping[str, Any], order: Sequence[int]) -> dict[str, Any]:
    """Return the JSON object of a procedure with its steps in another order.

    Args:
        procedure: JSON object of the procedure.
        order: the steps' numbers, 0-based, in their new order.
    """
    place = {old: new for new, old in enumerate(order)}
    steps = [procedure["steps"][old] for old in order]
    links = sorted([place[a], place[b]] for a, b in procedure["order"])
    return {**procedure, "steps": steps, "order": links}
