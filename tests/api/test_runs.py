"""Runs from Python: in scripts, in coroutines, and while an event loop runs."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

import thence


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def questions() -> thence.api.dataset.Dataset:  # type: ignore[name-defined]
    return thence.generate("procbench/sort", seed=2, size=6)


def right(messages: list[dict[str, str]]) -> str:
    """The answer to the questions above, by the prompt alone."""
    held = {each.input: thence.answer(each) for each in questions()}
    return held[messages[-1]["content"]]


async def right_later(messages: list[dict[str, str]]) -> str:
    await asyncio.sleep(0)
    return right(messages)


@pytest.mark.parametrize("model", [right, right_later, "baseline/oracle"])
def test_a_model_is_a_name_or_any_function(model: object) -> None:
    run = thence.run(questions(), model, out="run")
    assert run.scores().frame["correct"].to_list() == [True] * 6


async def test_within_a_coroutine_and_while_a_loop_runs() -> None:
    first = await thence.run_async(questions(), right_later, out="a")
    second = thence.run(questions(), right, out="b")  # as a cell of a notebook calls it
    for run in (first, second):
        assert run.scores().frame["correct"].all()


def test_nothing_of_the_process_is_switched() -> None:
    before = signal.getsignal(signal.SIGINT), Path.cwd()
    thence.run(questions(), right, out="run")
    assert (signal.getsignal(signal.SIGINT), Path.cwd()) == before


def test_a_run_goes_on_and_asks_nothing_twice() -> None:
    asked = []

    def counting(messages: list[dict[str, str]]) -> str:
        asked.append(messages[-1]["content"])
        return right(messages)

    thence.run(questions(), counting, out="run")
    again = thence.run(questions(), counting, out="run")
    assert len(asked) == 6
    opened = thence.open_run("run")
    assert opened.scores().frame["id"].to_list() == again.scores().frame["id"].to_list()
    assert len(list(opened.samples())) == len(list(opened.responses())) == 6


def test_a_wrong_argument_is_one_line_that_names_it() -> None:
    with pytest.raises(thence.ParameterError, match="epochs"):
        thence.run(questions(), right, epochs=0, out="run")
    with pytest.raises(thence.ThenceError, match="nobody"):
        thence.run(questions(), "nobody/x", out="run")
