"""Steps of a procedure that several parts share: its queues, or cooks."""

from __future__ import annotations

from random import Random


def split(count: int, parts: int, stays: float, least: int, rng: Random) -> list[list[int]]:
    """Return for each part its steps, the part of the first step first.

    Args:
        count: number of steps, at least ``parts * least``.
        parts: number of parts, at least two.
        stays: how often the next step is of the same part.
        least: fewest steps of a part.
        rng: all chance.
    """
    while True:
        part, found = 0, [[0], *([] for _ in range(parts - 1))]
        for step in range(1, count):
            if rng.random() >= stays:
                part = rng.choice([each for each in range(parts) if each != part])
            found[part].append(step)
        if min(map(len, found)) >= least:
            return sorted(found)
