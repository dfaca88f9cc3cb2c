"""The paper's groups, and the conditions under which a group can exist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from thence.core.parameters import Parameter
from thence.errors import ParameterError
from thence.families.releval.construction import most_edges_with_chain, most_edges_with_cycle
from thence.families.releval.filling import pairs

MOST_OBJECTS = 10_000
MOST_RELATIONS = 100_000
PAPER = "paper"

_PLANS = {
    3: "3",
    5: "5 7 9",
    10: "10 15 20 25 30 35 40 45",
    15: "15 24 34 43 53 62 72 81 91 100",
    20: "20 29 38 47 56 65 74 83 92 101 109 118 127 136 145 154 163 172 181 190",
    25: "25 34 43 53 62 71 80 89 99 108 117 126 136 145 154 163 172 182 191 200",
    30: "30 39 48 57 66 75 84 93 102 111 119 128 137 146 155 164 173 182 191 200",
    40: (
        "40 49 58 67 76 85 94 103 112 121 130 139 148 157 166 174 183 192 201 210 219 228 237 246 "
        "255 264 273 282 291 300"
    ),
    50: (
        "50 59 67 76 84 93 102 110 119 128 136 145 153 162 171 179 188 197 205 214 222 231 240 248 "
        "257 266 274 283 291 300"
    ),
}
_CONSISTENCY = (
    "10_15_0 10_15_3 10_15_6 10_30_0 10_30_3 10_30_6 20_30_0 20_30_6 20_30_12 20_60_0 20_60_6 "
    "20_60_12 30_45_0 30_45_6 30_45_12 30_45_24 30_90_0 30_90_6 30_90_12 30_90_24"
)
_COMPARISON = (
    "10_15_0 10_15_2 10_15_4 10_15_6 10_30_0 10_30_2 10_30_4 20_30_0 20_30_2 20_30_4 20_30_6 "
    "20_60_0 20_60_2 20_60_4 20_60_6 30_45_0 30_45_2 30_45_4 30_45_6 30_90_0 30_90_2 30_90_4 "
    "30_90_6"
)

type Group = tuple[int, ...]
"""n and m, or n, m and z."""

PLANS: Sequence[Group] = [(n, int(m)) for n, every in _PLANS.items() for m in every.split()]
CONSISTENCY: Sequence[Group] = [tuple(map(int, g.split("_"))) for g in _CONSISTENCY.split()]
COMPARISON: Sequence[Group] = [tuple(map(int, g.split("_"))) for g in _COMPARISON.split()]
EACH = 20  # graphs per group of consistency and comparison


def name(group: Group) -> str:
    """Return the name of a group in tables: ``10_15_3``."""
    return "_".join(map(str, group))


@dataclass(frozen=True, slots=True)
class PaperOr:
    """Parser that takes ``paper``, here None, or a number within bounds."""

    low: int
    high: int

    def __call__(self, text: str) -> int | None:
        """Return the number; None for the paper's."""
        if text == PAPER:
            return None
        value = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else -1
        if not self.low <= value <= self.high:
            raise ValueError(f"must be '{PAPER}' or a number from {self.low} to {self.high}")
        return value

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the values."""
        number = {"type": "integer", "minimum": self.low, "maximum": self.high}
        return {"default": PAPER, "anyOf": [{"const": PAPER}, number]}


OBJECTS = Parameter(
    "n",
    PAPER,
    f"objects, 2 to {MOST_OBJECTS}; alone it picks from the paper's groups",
    PaperOr(2, MOST_OBJECTS),
)
RELATIONS = Parameter(
    "m",
    PAPER,
    f"relations, 1 to {MOST_RELATIONS}; with the others a group of your own",
    PaperOr(1, MOST_RELATIONS),
)


def chosen(paper: Sequence[Group], asked: Group | Sequence[int | None]) -> Sequence[Group]:
    """Return the groups that match some parameters: the paper's, or the one named in full.

    Args:
        paper: the paper's groups.
        asked: the value of each parameter; None for any group of the paper.

    Raises:
        ParameterError: no group of the paper matches, and the parameters leave one open.
    """
    known = [each for each in asked if each is not None]
    if len(known) == len(asked):
        return [tuple(known)]
    found = [
        group
        for group in paper
        if all(want in (None, have) for want, have in zip(asked, group, strict=True))
    ]
    if not found:
        missing = [letter for letter, want in zip("nmz", asked, strict=False) if want is None]
        mend = f"for one of your own give {' and '.join(missing)} too"
        given = next(k for k, want in enumerate(asked) if want is not None)
        raise _refusal(asked, given, f"the paper has no such group; {mend}")
    return found


def _within(group: Group, low: int, high: int, rule: str, what: str) -> None:
    if not low <= group[1] <= high:
        mend = f"; give an m from {low} to {high}" if low <= high else ", which no m fits"
        raise _refusal(group, 1, f"{group[0]} objects {what} have {rule}{mend}")


def _refusal(group: Sequence[int | None], place: int, reason: str) -> ParameterError:
    """Return the error about one number of a group, with the others beside it."""
    named = [f"{letter}={value}" for letter, value in zip("nmz", group, strict=False)]
    given = [each for k, each in enumerate(named) if k != place and group[k] is not None]
    beside = f"with {' and '.join(given)}, " if given else ""
    return ParameterError("nmz"[place], group[place], beside + reason)


def check_plan(group: Group) -> None:
    """Raise if no plan can have these numbers: each object related, each pair at most once.

    Raises:
        ParameterError: naming the rule.
    """
    n = group[0]
    _within(group, -(-n // 2), pairs(n), "n/2 <= m <= n(n-1)/2 relations", "that all occur")


def check_cycles(group: Group) -> None:
    """Raise if no graph can exist that is consistent (z = 0) or has a shortest cycle of z.

    Raises:
        ParameterError: naming the rule.
    """
    n, _, z = group
    if z == 0:
        _within(group, n - 1, pairs(n), "n-1 <= m <= n(n-1)/2 relations", "without a cycle")
        return
    if not 2 <= z <= n:
        rule = "the shortest cycle must have 2 <= z <= n objects, or z=0 for consistent statements"
        raise _refusal(group, 2, rule)
    rule = "n <= m <= n(n-1)/2 - z(z-3)/2 relations"
    what = f"with a shortest cycle of {z}"
    _within(group, n, most_edges_with_cycle(n, z), rule, what)


def check_chain(group: Group) -> None:
    """Raise if no graph can exist that is undecided (z = 0) or has a shortest chain of z.

    Raises:
        ParameterError: naming the rule.
    """
    n, _, z = group
    if z > n - 1:
        mend = f"give a z from 0 to {n - 1}"
        raise _refusal(group, 2, f"the deciding chain must have z <= n-1 steps; {mend}")
    if z == 0:
        rule = "n-1 <= m <= n(n-1)/2 - 1 relations"
        _within(group, n - 1, most_edges_with_chain(n, 0), rule, "two of them undecided")
        return
    rule = "n-1 <= m <= n(n-1)/2 - z(z-1)/2 relations"
    what = f"with a shortest chain of {z}"
    _within(group, n - 1, most_edges_with_chain(n, z), rule, what)
