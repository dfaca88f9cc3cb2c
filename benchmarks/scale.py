"""What a question, a response and a score take on the disk, and what scoring takes of a processor.

`docs/guides/scale.md` works a billion questions out from these figures. The replies hold the right
answer behind as many words as make 2,000 characters, about 500 tokens. Scores are made by this
process alone and as on a cluster, where samples and responses travel to workers: here to one in
this process, so that the processor time of workers and of the command are told apart. Usage:
``python benchmarks/scale.py [QUESTIONS]``.
"""

from __future__ import annotations

import json
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Self

import thence
from _machine import tell
from thence.engine import spread_scores
from thence.engine.directory import RunDirectory
from thence.engine.run_scores import results
from thence.models.base import Reply, Usage

LENGTH = 2_000
WORDS = "First I look at the state, and then I do as the step says. "


class Worker:
    """A worker in this process, to which all travels as to another one; it is timed."""

    count = 1
    seconds = 0.0

    def __init__(self, on: str, prepare: Callable[..., None], *given: Any) -> None:
        prepare(*pickle.loads(pickle.dumps(given)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, work: Callable[..., Any], *given: Any) -> Future[Any]:
        """Return the result of some work, done at once."""
        sent, done = pickle.dumps(given), Future[Any]()
        begun = time.process_time()
        made = pickle.dumps(work(*pickle.loads(sent)))
        Worker.seconds += time.process_time() - begun
        done.set_result(pickle.loads(made))
        return done


def asked(count: int, folder: Path) -> RunDirectory:
    """Return a run whose questions are all answered."""
    questions = thence.generate("procbench/sort", size=count)
    right = {each.input: thence.answer(each) for each in questions}
    prose = WORDS * (LENGTH // len(WORDS) + 1)

    def reply(messages: Sequence[dict[str, str]]) -> Reply:
        text = right[messages[0]["content"]]
        usage = Usage(len(messages[0]["content"]) // 4, LENGTH // 4)
        return Reply(prose[: LENGTH - len(text)] + text, None, "stop", usage)

    thence.run(questions, reply, out=folder)
    return RunDirectory(folder)


def size(path: Path, without: str | None = None) -> float:
    """Return the bytes of a line of a file on average, without the text of a field."""
    lines = path.read_bytes().splitlines(keepends=True)
    held = sum(map(len, lines))
    if without:
        held -= sum(len(json.dumps(json.loads(line)[without])) - 2 for line in lines)
    return held / len(lines)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return the CPU seconds of some work, and those of the worker, the best of 3."""
    taken = []
    for _ in range(3):
        Worker.seconds, begun = 0.0, time.process_time()
        work()
        taken.append((time.process_time() - begun, Worker.seconds))
    return min(taken)


def main() -> None:
    """Print all figures."""
    count = int([*sys.argv[1:], "10000"][0])
    tell()
    with tempfile.TemporaryDirectory() as held:
        run = asked(count, Path(held) / "run")
        sizes = {
            "question": size(run.path / "samples.jsonl"),
            "response without its text": size(run.path / "responses.jsonl", "response"),
            "score": size(run.path / "scores.jsonl"),
        }
        alone, _ = timed(lambda: results(run, keep=run.keeping_scores))
        for name, other in (("pool", Worker), ("check_place", id)):
            setattr(spread_scores, name, other)
        there, elsewhere = timed(lambda: spread_scores.spread_results(run, "ray", keep=True))
    print(f"{count:,} questions of procbench/sort, bytes of each:")
    for name, found in sizes.items():
        print(f"  {name:25} {found:7,.0f}")
    print(f"scored by one process: {alone:.2f} s of CPU, {alone / count * 1e6:.0f} us a response")
    print(f"by workers: {elsewhere:.2f} s of theirs, {there - elsewhere:.2f} s of the command")


if __name__ == "__main__":
    main()
