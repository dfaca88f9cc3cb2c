"""Tasks that lie in no package: given as objects, with templates in a folder."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import thence
from tests.extra.toy.tasks import TASK
from thence import families
from thence.core.task import Task
from thence.errors import ParameterError


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
    assert thence.score_reply(asked[0].to_json(), thence.answer(asked[0])).correct
    run = thence.run(asked, lambda messages: "sum: 7", out="run")
    assert run.scores().summary("task")["task"].to_list() == ["mine/dice"]
    assert thence.report(run, "page.html").is_file()
    assert [each.name for each in thence.tasks("mine")] == ["mine/dice"]


def test_the_templates_of_its_package_are_found() -> None:
    questions = thence.questions([TASK, "procbench/sort"], seed=1, dice=3)
    assert {each.task for each in questions[:4]} == {"toy/dice", "procbench/sort"}
    dice = [each for each in questions[:12] if each.task == "toy/dice"]
    assert {len(each.metadata["question"]["rolls"]) for each in dice} == {1, 2, 3}


def test_it_travels_with_the_questions() -> None:
    Path("q.pickle").write_bytes(pickle.dumps(thence.questions(TASK, seed=1)))
    program = (
        "import pickle, thence; q = pickle.load(open('q.pickle', 'rb')); "
        "print(q[5].id, thence.score_reply(q[5], thence.answer(q[5])).correct)"
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
    again = replace(TASK, family="mine", summary="again")
    families.give(replace(TASK, family="mine"))
    families.give(again)  # as where the cell of a notebook is run once more
    assert families.task("mine/dice") is again
