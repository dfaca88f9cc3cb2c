"""Seconds that the jobs of a sheet take: jobs of one kind take about the same."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

LEAST: Mapping[str, tuple[int, int]] = {  # how a sentence begins -> least seconds, from and to
    "Load": (60, 150), "Unload": (60, 150), "Weigh": (40, 120),
    "Pick up": (10, 40), "Leave the key": (10, 30), "Unlock": (20, 60),
    "Hitch": (90, 200), "Leave the trailer": (60, 150), "Put sand": (120, 240),
    "Fill": (100, 240), "Pump": (100, 240), "Filter": (120, 280),
    "Wash": (60, 180), "Pour": (60, 200), "Open the drain": (15, 60), "Measure": (20, 80),
    "Take down": (60, 180), "Read": (40, 150), "Throw": (10, 25), "Check the job list": (60, 180),
    "Copy": (60, 180), "Take a photo": (10, 40), "Wipe": (20, 60),
    "Buy": (40, 120), "Show": (10, 40), "Hand in": (10, 40),
    "Open the gate": (20, 60), "Close": (20, 60), "Deliver": (30, 100), "Empty": (80, 240),
}  # fmt: skip
STEP = 5  # seconds between two stated times
NEAR = 0.1  # by how much jobs of a kind differ at most, as a share of the least time
WIDTH, WIDEST = (0.2, 0.7), 60  # of a range, as a share of the least time, and in seconds


class Durations:
    """Times of jobs, drawn when they are asked for.

    Args:
        rng: all chance.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._least: dict[str, int] = {}  # of each kind of job

    def of(self, text: str) -> tuple[int, int]:
        """Return the least and the most seconds of a job with such a sentence.

        Raises:
            KeyError: the sentence is of no kind that has a time.
        """
        kind = next((each for each in LEAST if text.startswith(each)), None)
        if kind is None:
            raise KeyError(f"{text!r} begins with nothing that job_durations.LEAST has")
        if kind not in self._least:
            self._least[kind] = self._rng.randrange(*LEAST[kind], STEP)
        least = self._least[kind]
        low = least + self._rng.randrange(0, int(NEAR * least) + 1, STEP)
        width = min(WIDEST, round(low * self._rng.uniform(*WIDTH) / STEP) * STEP)
        return low, low + max(STEP, width)
