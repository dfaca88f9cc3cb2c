"""A caller's mistake is a ParameterError of one line that names the parameter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import thence
from thence.api.dataset import Dataset


@pytest.fixture(scope="module")
def asked() -> Dataset:
    return thence.generate("procbench/sort", size=4)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(asked: Dataset, **given: Any) -> object:
    return thence.run(asked, "baseline/oracle", **{"out": "run", **given})


SORT = thence.questions("procbench/sort", seed=1)
F: Any = 5  # which no parameter below takes
MISTAKES: dict[str, tuple[str, Callable[[Dataset], object]]] = {
    "tasks": ("pattern=5", lambda asked: thence.tasks(F)),
    "read": ("path=5", lambda asked: thence.read(F)),
    "read, null": ("path=", lambda asked: thence.read("a\0b.jsonl")),
    "open_run": ("path=5", lambda asked: thence.open_run(F)),
    "analyze": ("procedure=5", lambda asked: thence.analyze(F)),
    "templates": ("templates=5", lambda asked: thence.generate("releval", templates=F)),
    "out": ("out=5", lambda asked: run(asked, out=F)),
    "settings": ("settings=5", lambda asked: run(asked, settings=F)),
    "sampling": ("sampling=", lambda asked: run(asked, sampling={"seed": 1})),
    "limits": ("limits=5", lambda asked: run(asked, limits=F)),
    "progress": ("progress=5", lambda asked: run(asked, progress=F)),
    "base_url": ("base_url=5", lambda asked: run(asked, base_url=F)),
    "protocol": ("protocol=5", lambda asked: run(asked, protocol=F)),
    "report, runs": ("runs=5", lambda asked: thence.report(F, "page.html")),
    "report, a run": ("runs=5", lambda asked: thence.report([F], "page.html")),
    "report, path": ("path=5", lambda asked: thence.report("run", F)),
    "report, title": ("title=5", lambda asked: thence.report("run", "page.html", title=F)),
    "write": ("path=5", lambda asked: asked.write(F)),
    "write scores": ("path=5", lambda asked: thence.score(asked, {asked[0].id: ""}).write(F)),
    "audit": ("path=5", lambda asked: thence.audit("procbench", F)),
    "filter": ("tasks=5", lambda asked: asked.filter(tasks=F)),
    "filter, no function": ("keep=5", lambda asked: asked.filter(F)),
    "tasks, bytes": ("tasks=b'releval'", lambda asked: thence.generate(b"releval")),  # type: ignore[arg-type]
    "hear": ("reply=int", lambda asked: thence.conversation(asked[0]).hear(F)),
    "a reply": ("replies=5: must be text", lambda asked: thence.score(asked, {asked[0].id: F})),
    "replies": ("replies=5: must be a", lambda asked: thence.score(asked, F)),
    "scorer": ("scorer=5", lambda asked: thence.score_reply(asked[0], "", scorer=F)),
    "extra_body": ("extra_body=5", lambda asked: thence.Sampling(extra_body=F)),
    "extra_body, no JSON": ("extra_body=", lambda asked: thence.Sampling(extra_body={"a": run})),
    "structured": ("structured=x", lambda asked: thence.Sampling(structured="x")),  # type: ignore[arg-type]
    "accept_errors": ("accept_errors=5", lambda asked: thence.Limits(accept_errors=F)),
    "seed of replies": ("seed=a:", lambda asked: thence.Sampling(seed="a")),  # type: ignore[arg-type]
    "at": ("difficulty=", lambda asked: SORT.at("x")),  # type: ignore[arg-type]
    "at, too long": ("difficulty=", lambda asked: SORT.at(10**6)),
    "size": ("size=3: must be .*not 3.0", lambda asked: thence.generate("releval", size=3.0)),  # type: ignore[arg-type]
    "no replies": ("replies: holds no replies$", lambda asked: thence.score(asked, {})),
}  # fmt: skip


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_one_line_that_names_the_parameter(case: str, asked: Dataset) -> None:
    message, call = MISTAKES[case]
    with pytest.raises(thence.ParameterError, match=f"^{message}") as found:
        call(asked)
    assert "\n" not in str(found.value)
    assert not Path("run").exists()


def test_questions_that_cannot_be_read_are_no_fault_of_the_replies() -> None:
    for path in ("none.jsonl", Path("none.jsonl")):
        with pytest.raises(thence.ThenceError, match="none") as found:
            thence.score(path, {"a": "b"})
        assert "replies" not in str(found.value)
    Path("broken.jsonl").write_text("{")
    with pytest.raises(thence.ThenceError, match="broken") as found:
        thence.score("broken.jsonl", {"a": "b"})
    assert "replies" not in str(found.value)


UNFIT = {
    "procbench/sort": (5, None, {"zz": 1}, "x", []),
    "catbench/order": (17, None, "maybe", {}),
    "releval/comparison": (17, None, [], "OUTPUT:"),
    "fable/plans/type_state": (17, None, "maybe"),
}


@pytest.mark.parametrize("task", UNFIT)
def test_an_answer_is_one_that_its_reader_finds(task: str) -> None:
    sample = thence.generate(task, size=1)[0]
    for value in UNFIT[task]:
        with pytest.raises(thence.ParameterError, match=f"^value=.*no answer to {task}"):
            thence.answer(sample, value)
    assert thence.answer(sample, sample.target) == thence.answer(sample)


def test_keys_of_an_answer_come_in_any_order() -> None:
    sample = thence.generate("procbench/sort", limit=1)[0]
    assert thence.answer(sample, {"final": "ab", "intermediate": []}).startswith('{"final"')
