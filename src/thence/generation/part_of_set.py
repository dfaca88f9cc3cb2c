"""A part of a set: some of its questions, spread evenly over families, tasks and groups."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest

type Kind = tuple[Hashable, Hashable]
"""The group and the condition of a question."""


def chosen(kinds: Sequence[Kind], count: int, start: int = 0) -> list[int]:
    """Return the places of ``count`` questions of a task, spread over its groups.

    Every group gives one question before any gives two. A smaller choice is part of a larger one.

    Args:
        kinds: group and condition of each question, in the order of the set.
        count: number of questions; all of them where there are fewer.
        start: number of groups to pass over at first, so that several tasks with one question each
            do not all ask for the same group.

    Returns:
        The places, in the order of the set.
    """
    groups: dict[Hashable, dict[Hashable, list[int]]] = {}
    for place, (group, condition) in enumerate(kinds):
        groups.setdefault(group, {}).setdefault(condition, []).append(place)
    every = list(groups.values())
    order = scattered(len(every))
    first = start % max(1, len(order))
    turns = [_in_turn(every[at], nth) for nth, at in enumerate(order)]
    turns = turns[first:] + turns[:first]
    return sorted(islice(_across(turns), count))


def _in_turn(conditions: Mapping[Hashable, list[int]], nth: int) -> Sequence[int]:
    """Return the places of a group, its conditions in turn.

    Groups begin with different conditions: the conditions of a group often have different answers.
    Where each question has a condition of its own, they stay in order, as twins stand together.
    """
    each = list(conditions.values())
    if all(len(places) == 1 for places in each):
        return [places[0] for places in each]
    first = nth % len(each)
    return list(_across(each[first:] + each[:first]))


def _across(columns: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the first of each column, then the second of each, and so on."""
    return (each for row in zip_longest(*columns) for each in row if each is not None)


def scattered(count: int) -> list[int]:
    """Return the numbers below ``count``, ordered so that each prefix is spread over all of them.

    They begin in the middle and halve the gaps: 12, 6, 18, 3, 15, ... of 24.
    """
    bits = count.bit_length()
    numbers = (int(f"{number:0{bits}b}"[::-1], 2) for number in range(1, 1 << bits))
    return list(dict.fromkeys(number * count >> bits for number in numbers))


def shares(total: int, room: Sequence[int | None]) -> list[int]:
    """Return how many of ``total`` questions each of some sources gives, as evenly as they can.

    Args:
        total: number of questions.
        room: the most that each source can give; None for any number.

    Returns:
        The number for each source; their sum is lower than ``total`` where all are used up.
    """
    given = [0] * len(room)
    while total:
        left = [at for at in scattered(len(room)) if (most := room[at]) is None or given[at] < most]
        if not left:
            break
        each = max(1, total // len(left))
        for at in left:
            most = room[at]
            more = min(each, total) if most is None else min(each, total, most - given[at])
            given[at] += more
            total -= more
    return given


def spread_total(total: int, room: Mapping[str, int | None]) -> dict[str, int]:
    """Return the number of questions of each task: even over families, then over their tasks.

    Args:
        total: number of questions.
        room: the most that each task has, by full name; None for any number.
    """
    families: dict[str, list[str]] = {}
    for name in room:
        families.setdefault(name.partition("/")[0], []).append(name)
    rooms = [[room[name] for name in names] for names in families.values()]
    parts = shares(total, [_sum(each) for each in rooms])
    given: dict[str, int] = {}
    for names, each, part in zip(families.values(), rooms, parts, strict=True):
        given |= zip(names, shares(part, each), strict=True)
    return given


def _sum(room: Sequence[int | None]) -> int | None:
    known = [each for each in room if each is not None]
    return sum(known) if len(known) == len(room) else None


def starts(given: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Return the number of questions of each task that has any, and of groups to pass over.

    A task goes on where the one before it in the family ended.
    """
    passed: dict[str, int] = {}
    held: dict[str, tuple[int, int]] = {}
    for name, count in given.items():
        family = name.partition("/")[0]
        if count:
            held[name] = count, passed.get(family, 0)
        passed[family] = passed.get(family, 0) + count
    return held
