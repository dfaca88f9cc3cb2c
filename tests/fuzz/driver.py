"""Draws mutants for one reader until its time is over, and makes small what fails."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.readers import READERS, read

SLOWEST = 20  # seconds of processor time of one mutant
MEMORY = 4 << 30  # bytes of address space beyond what is taken at the start
_BATCH = 100


class TooSlow(BaseException):
    """A reader took longer than `SLOWEST`."""


class Failure(Exception):
    """A reader broke the invariant; the cause says how.

    Attributes:
        mutant: on what.
        counts: what became of those before.
    """

    def __init__(self, mutant: Any, counts: Counter[str]) -> None:
        super().__init__(mutant)
        self.mutant = mutant
        self.counts = counts


def bounded() -> None:
    """Bounds the memory of this process."""
    import resource  # which Windows lacks

    taken = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, resource.RLIM_INFINITY))


@contextmanager
def _timed() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooSlow(f"more than {SLOWEST} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SLOWEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def fuzz(
    name: str, seconds: float, folder: str, number: int = 0, most: int | None = None
) -> Counter[str]:
    """Reads mutants until the time is over; returns how many were read and how many refused.

    Args:
        name: of the reader.
        seconds: of processor time.
        folder: an empty one, in which it works.
        number: seeds the mutants.
        most: mutants at most.

    Raises:
        Failure: the invariant does not hold.
    """
    counts: Counter[str] = Counter()
    latest: list[Any] = []
    end = time.process_time() + seconds
    with chdir(folder):
        mutants = READERS[name].mutants()

        @given(mutants)
        @settings(
            max_examples=min(_BATCH, most or _BATCH),
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.shrink),
            print_blob=False,
        )
        def once(mutant: Any) -> None:
            latest[:] = [mutant]
            with _timed():
                try:
                    counts[read(name, mutant)] += 1
                except TooSlow as slow:
                    raise AssertionError(str(slow)) from slow

        while time.process_time() < end and (most is None or counts.total() < most):
            try:
                seed(number)(once)()
            except Exception as error:
                raise Failure(latest[0] if latest else None, counts) from error
            number += 1
    return counts
