"""Random streams that cannot overlap.

Seeding with ``seed + index`` makes neighbouring seeds share almost all their items. Here each
sample's generator is seeded with a hash of everything that shapes its truth and of nothing else:
wording, notation and protocol stay outside, so that twins share their structure.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from thence.core.digest import digest


def stream(
    task: str,
    version: str,
    parameters: Mapping[str, Any],
    seed: int,
    index: int,
    attempt: int = 0,
) -> Random:
    """The generator of one sample.

    Args:
        task: full name, such as ``procbench/sort``.
        version: ``N-X``; only N enters, as X changes nothing that a score depends on.
        parameters: what shapes the truth, JSON values by name.
        seed: the user's.
        index: 0-based place of the sample within its cell.
        attempt: how often this place was drawn before, where a draw repeated an earlier sample.
    """
    number = version.partition("-")[0]
    return _Seeded(int(digest(task, number, dict(parameters), seed, index, attempt), 16))


class _Seeded(Random):
    """The same numbers as `Random` gives for an integer, without a look for seeds of other types.

    Every sample has a generator of its own, and to seed it is a tenth of making a short sample.
    """

    def __init__(self, seed: int = 0) -> None:
        super(Random, self).seed(seed)  # not Random's own, which calls this one in the end
        self.gauss_next = None
