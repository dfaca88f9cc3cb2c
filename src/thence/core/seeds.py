"""Random streams that cannot overlap.

With ``seed + index`` as the seed of a sample, neighbouring seeds would share almost all samples.
Here a sample's generator is seeded with a hash of every value that determines its truth and of
nothing else: wording, notation and protocol do not enter, so that twins share their structure.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from thence.core.digest import digest
from thence.core.versions import major


def stream(
    task: str,
    version: str,
    parameters: Mapping[str, Any],
    seed: int,
    index: int,
    attempt: int = 0,
) -> Random:
    """Return the random generator of one sample.

    Args:
        task: full name, such as ``procbench/sort``.
        version: ``N-X``; only N enters, as X changes nothing that a score depends on.
        parameters: JSON values by name that determine the truth.
        seed: the user's seed.
        index: 0-based index of the sample within its condition.
        attempt: number of earlier draws of this sample, each of which repeated another sample.
    """
    return random_of(task, major(version), dict(parameters), seed, index, attempt)


def random_of(*parts: Any) -> Random:
    """Return the random generator of some JSON values: the same for the same, another for others.

    For what is drawn by other values than a sample is: a block, a source, a study.
    """
    return Random(int(digest(*parts), 16))
