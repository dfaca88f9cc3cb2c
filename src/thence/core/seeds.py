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
    return Random(int(digest(task, number, dict(parameters), seed, index, attempt), 16))
