"""Scores of a run by several workers: the bytes, tables and figures of one process."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Self

import pytest

import thence as library
from tests.cli.command import refused, thence
from thence.engine import spread_scores
from thence.engine.directory import RunDirectory
from thence.engine.run_scores import results
from thence.errors import FileError


class Pool:
    """A worker in this process, to which all travels as to another one."""

    count = 1

    def __init__(self, on: str, prepare: Callable[..., None], *given: Any) -> None:
        prepare(*pickle.loads(pickle.dumps(given)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, work: Callable[..., Any], *given: Any) -> Future[Any]:
        done: Future[Any] = Future()
        made = work(*pickle.loads(pickle.dumps(given)))
        done.set_result(pickle.loads(pickle.dumps(made)))
        return done


@pytest.fixture(autouse=True)
def _workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spread_scores, "pool", Pool)
    monkeypatch.setattr(spread_scores, "check_place", lambda on: None)


def asked(size: int = 40, *more: object) -> RunDirectory:
    """A run of several tasks, epochs and turns, with questions that nobody answered."""
    tasks = ("procbench/sort", "catbench/order", "releval/comparison", "fable/recipes/taint")
    thence("generate", *tasks, "--size", size, "-o", "asked.jsonl")
    thence("run", "asked.jsonl", "--model", "baseline/random", "-o", "run", *more)
    return RunDirectory(Path("run"))


def told(found: Any) -> dict[str, Any]:
    """All that a result holds, the rows of each task in their order."""
    held = {name: value for name, value in vars(found).items() if name != "frames"}
    frames = {
        name: (each.data.to_dict(as_series=False), each.metrics, each.one_procedure, each.example)
        for name, each in found.frames.items()
    }
    return {**held, "frames": frames, "order": list(found.frames)}


def test_workers_make_what_one_process_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spread_scores, "_CHUNK", 7)
    run = asked(40, "--protocol", "are_you_sure", "--epochs", 2)
    lines = Path("run/responses.jsonl").read_bytes().splitlines(keepends=True)
    Path("run/responses.jsonl").write_bytes(b"".join(lines[:-9]))
    for reduce, answers in (("mean", True), ("majority", False)):
        alone = results(run, reduce, keep=run.keeping_scores, answers=answers)
        kept = Path("run/scores.jsonl").read_bytes()
        Path("run/scores.jsonl").unlink()
        found = spread_scores.spread_results(run, "ray", reduce, keep=True, answers=answers)
        assert told(found) == told(alone)
        assert Path("run/scores.jsonl").read_bytes() == kept
        assert alone.missing


def test_samples_that_were_changed_are_checked_here() -> None:
    run = asked(4)
    path = Path("run/samples.jsonl")
    text = path.read_text()
    path.write_text(text.replace('"seed":0', '"seed":1'))
    alone, found = results(run), spread_scores.spread_results(RunDirectory(run.path), "ray")
    assert told(found) == told(alone)
    path.write_text(text + "{}\n")
    with pytest.raises(FileError, match=r"samples\.jsonl:17: not a sample"):
        spread_scores.spread_results(RunDirectory(run.path), "ray")


def test_the_command_writes_and_prints_what_it_does_alone() -> None:
    asked(4)
    alone = thence("score", "run")
    kept = Path("run/scores.jsonl").read_bytes()
    Path("run/scores.jsonl").unlink()
    assert thence("score", "run", "--on", "ray") == alone
    assert Path("run/scores.jsonl").read_bytes() == kept
    held = library.open_run("run").scores(on="ray")
    assert held.to_json() == library.open_run("run").scores().to_json()
    Path("replies.jsonl").write_text("")
    for more, says in (
        (("run", "--extractor", "baseline/random"), "--on ray: scores without --extractor"),
        (("replies.jsonl", "--samples", "asked.jsonl"), "--on ray: is for runs, and replies.jsonl"),
    ):
        refused("score", *more, "--on", "ray", says=(says,))
