"""Tasks that lie in no package: given as objects, with templates in a folder."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import thence
from tests.extra.toy.tasks import TASK
from thence import families
from thence.core.score import Answer
from thence.core.task import Task
from thence.errors import ParameterError, UsageError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    families._catalog.cache_clear()
    yield
    families._catalog.cache_clear()


@pytest.fixture
def task() -> Task:
    return replace(TASK, family="mine")


def test_a_task_goes_the_whole_way(task: Task) -> None:
    own = Path("own/mine")
    own.mkdir(parents=True)
    (own / "dice.jinja").write_text("Add {{ rolls | join(' and ') }}.")
    (own / "answer.jinja").write_text("End with sum: N.")
    asked = thence.generate(task, size=4, dice=2, templates="own")
    assert asked[0].input.startswith("Add ")
    right = thence.answer(asked[0], task=task)
    assert thence.score_reply(asked[0].to_json(), right, task=task).correct
    talk = thence.conversation(asked[0], "few_shot", templates="own", k=1, task=task)
    assert talk.messages[-1]["content"] == asked[0].input
    run = thence.run(asked, lambda messages: "sum: 7", out="run")
    assert run.scores().summary("task")["task"].to_list() == ["mine/dice"]
    assert thence.report(run, "page.html").is_file()
    assert [row["task"] for row in run.scores().details()] == ["mine/dice"] * 4
    run.scores().write("details.jsonl")
    again = thence.open_run("run", tasks=[task])
    assert again.samples()[:2].own == (task,)
    assert [row["response"] for row in again.responses()] == ["sum: 7"] * 4
    scores = thence.score(again.samples(), {each.id: "sum: 7" for each in asked})
    assert "mine" in repr(scores)
    found = thence.compare(scores, again.scores())
    assert (found.frame.height, len(found.words) > 0) == (1, True)


def test_the_templates_of_its_package_are_found() -> None:
    questions = thence.questions([TASK, "procbench/sort"], seed=1, dice=3)
    assert {each.task for each in questions[:4]} == {"toy/dice", "procbench/sort"}
    dice = [each for each in questions[:12] if each.task == "toy/dice"]
    assert {len(each.metadata["question"]["rolls"]) for each in dice} == {1, 2, 3}


def test_it_travels_with_the_questions() -> None:
    Path("q.pickle").write_bytes(pickle.dumps(thence.questions(TASK, seed=1)))
    program = (
        "import pickle, thence; q = pickle.load(open('q.pickle', 'rb')); "
        "t = q.own[0]; "
        "print(q[5].id, thence.score_reply(q[5], thence.answer(q[5], task=t), task=t).correct)"
    )
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": root},
    )  # fmt: skip
    assert done.stdout.split() == [thence.questions(TASK, seed=1)[5].id, "True"]


def test_workers_are_told_of_it() -> None:
    alone, several = (thence.generate(TASK, dice=4, size=16, workers=count) for count in (1, 2))
    assert [each.to_json() for each in alone] == [each.to_json() for each in several]


def test_it_takes_no_name_of_ours() -> None:
    with pytest.raises(ParameterError, match="tasks=procbench/sort: a task of"):
        thence.generate(replace(TASK, family="procbench", name="sort"))
    with pytest.raises(ParameterError, match="two tasks have this name; choose another"):
        thence.generate([replace(TASK, family="mine"), replace(TASK, family="mine", rank=1)])


class Other(type(TASK.format)):  # type: ignore[misc]
    def read(self, reply: str, question: object) -> Answer:
        return Answer(0, "other")

    def write(self, target: object) -> str:
        return "other"


def test_no_call_sees_the_task_of_another(task: Task) -> None:
    other = replace(task, format=Other())  # as where the cell of a notebook is run once more
    first, second = (thence.generate(each, size=3, dice=2) for each in (task, other))
    assert [each.id for each in first] == [each.id for each in second]
    sample, said = first[0], f"sum: {first[0].target}"
    assert thence.answer(sample, task=task) == said
    assert thence.answer(sample, task=other) == "other"
    assert thence.score_reply(sample, said, task=task).correct
    replies = {each.id: f"sum: {each.target}" for each in first}
    with ThreadPoolExecutor(2) as pool:
        ours, theirs = pool.map(lambda asked: thence.score(asked, replies), (first, second))
    assert (ours.frame["correct"].sum(), theirs.frame["correct"].sum()) == (3, 0)
    assert thence.tasks("mine*") == []
    for name in ("mine/dice", "mine"):
        with pytest.raises(UsageError, match=f"unknown task '{name}'"):
            thence.generate(name)
    with pytest.raises(UsageError, match="unknown task 'mine/dice'"):
        thence.score_reply(sample, said)
    with pytest.raises(ParameterError, match="task=mine/dice: the sample is of procbench/sort"):
        thence.answer(thence.generate("procbench/sort", size=1)[0], task=task)
    assert families.given() == []
