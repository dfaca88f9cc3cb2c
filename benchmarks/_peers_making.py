"""Questions made and answers scored by one package in one process; prints the figures as JSON.

`peers.py` starts it with the interpreter that has the package: reasoning-gym, or thence.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any


def thence(task: str, number: int) -> tuple[Sequence[Any], Callable[[Any], float]]:
    """Return the questions of a task, made when asked for, and what scores the right answer."""
    import thence as ours

    def score(sample: Any) -> float:
        return float(ours.score_reply(sample, ours.answer(sample)).correct)

    return ours.questions(task, seed=0), score


def gym(task: str, number: int) -> tuple[Sequence[Any], Callable[[Any], float]]:
    """Return the questions of a data set, made when asked for, and what scores the answer."""
    import reasoning_gym  # type: ignore[import-not-found, unused-ignore]

    held = reasoning_gym.create_dataset(task, size=number + 1, seed=0)

    def score(entry: Any) -> float:
        return float(held.score_answer(entry["answer"], entry))

    return held, score


def main() -> None:
    """Print the CPU seconds until one is scored, questions a CPU second, and the peak of memory."""
    package, task, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
    held, score = (thence if package == "thence" else gym)(task, number)
    score(held[number])
    spent = [0.0, time.process_time()]
    questions = [held[place] for place in range(number)]
    spent.append(time.process_time())
    right = sum(map(score, questions))
    spent.append(time.process_time())
    start, making, scoring = (late - early for early, late in pairwise(spent))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = {"start": start, "made": number / making, "scored": number / scoring}
    print(json.dumps({**found, "memory": memory, "right": right / number}))


if __name__ == "__main__":
    main()
