"""Runs from Python: in scripts, in coroutines, and while an event loop runs."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
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

    thence.run(questions(), counting, out="run", name="counting")
    again = thence.run(questions(), counting, out="run", name="counting")
    assert len(asked) == 6
    opened = thence.open_run("run")
    assert opened.scores().frame["id"].to_list() == again.scores().frame["id"].to_list()
    assert len(list(opened.samples())) == len(list(opened.responses())) == 6


def test_a_wrong_argument_is_one_line_that_names_it() -> None:
    with pytest.raises(thence.ParameterError, match="epochs"):
        thence.run(questions(), right, epochs=0, out="run")
    with pytest.raises(thence.ThenceError, match="nobody"):
        thence.run(questions(), "nobody/x", out="run")


def test_a_function_gets_no_scores_of_another_one() -> None:
    def model(of: str) -> Callable[[object], str]:
        return lambda messages: of

    asked = questions()
    first, second = thence.run(asked, model("a")), thence.run(asked, model("b"))
    assert first.path != second.path
    assert {each["response"] for each in second.responses()} == {"b"}
    assert thence.run(asked, model("a")).path == first.path
    assert thence.run(asked, model("a"), name="mine").model == "function/mine"
    with pytest.raises(thence.ParameterError, match=r"another run.*name=NAME"):
        thence.run(asked, model("b"), out=first.path)
    for unfit in ("", 5):
        with pytest.raises(thence.ParameterError, match="name="):
            thence.run(asked, model("b"), name=unfit)
    with pytest.raises(thence.ParameterError, match=r"name=.*function"):
        thence.run(asked, "baseline/oracle", name="mine")


def test_a_reply_that_is_no_text_is_refused_before_it_is_written() -> None:
    def model(messages: object) -> thence.Reply:
        return thence.Reply(5)  # type: ignore[arg-type]

    for unfit in ({"reasoning": 5}, {"finish_reason": 5}, {"usage": 5}):
        with pytest.raises(thence.ParameterError, match=f"{next(iter(unfit))}=5: must be"):
            thence.Reply("", **unfit)  # type: ignore[arg-type]
    with pytest.raises(thence.ParameterError, match="text=5: must be text"):
        thence.run(questions(), model, out="run")
    assert list(thence.open_run("run").responses()) == []


@pytest.mark.parametrize("kind", [ConnectionError, TimeoutError])
def test_a_broken_connection_of_a_function_is_tried_again(kind: type[Exception]) -> None:
    tried = []

    def model(messages: list[dict[str, str]]) -> str:
        tried.append(messages[-1]["content"])
        if len(tried) in {1, 3}:
            raise kind("broke")
        return right(messages)

    run = thence.run(questions(), model, out="run")
    assert run.missing == 0
    assert len(tried) == 8
    assert run.progress is not None
    assert run.progress.repeated.total() == 2


def test_where_a_function_never_answers_the_failures_are_kept() -> None:
    def model(messages: object) -> str:
        raise TimeoutError

    run = thence.run(questions(), model, limits=thence.Limits(max_retries=0), out="run")
    assert run.missing == 6
    assert run.progress is not None
    assert run.progress.errors == {"timeout": 6}


def test_an_error_in_a_function_comes_up_after_what_came_back_is_kept() -> None:
    asked = []

    def model(messages: list[dict[str, str]]) -> str:
        asked.append(messages)
        if len(asked) == 4:
            raise KeyError("a slip")
        return right(messages)

    with pytest.raises(KeyError, match="a slip"):
        thence.run(
            questions(), model, limits=thence.Limits(max_connections=1), out="run", name="model"
        )
    assert len(list(thence.open_run("run").responses())) == 3
    assert thence.run(questions(), model, out="run", name="model").missing == 0
    assert len(asked) == 7


class _Sync(thence.Model):
    name = "mine/sync"

    def complete(self, request: object) -> thence.Reply:  # type: ignore[override]
        return thence.Reply("")


class _Nameless(thence.Model):
    async def complete(self, request: object) -> thence.Reply:
        return thence.Reply("")


def test_a_model_that_cannot_be_asked_is_refused_before_anything_is_written() -> None:
    for model, message in ((_Sync(), "async def complete"), (_Nameless(), "has no name")):
        with pytest.raises(thence.ParameterError, match=message):
            thence.run(questions(), model, out="run")
    assert not Path("run").exists()
