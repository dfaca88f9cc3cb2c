"""The best shortcut beside the accuracy: from the table, or measured on the run's questions."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import thence
from tests.cli.command import thence as command
from thence import families
from thence.analysis import shortcut_marks
from thence.api import shortcuts
from thence.core.sample import Sample

TASK = "fable/recipes/concurrency"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def made(size: int = 4, **given: Any) -> list[Sample]:
    return list(thence.generate(TASK, size=size, seed=8, workers=1, **given))


def marked(samples: list[Sample]) -> float | None:
    scores = thence.score(samples, {each.id: thence.answer(each) for each in samples})
    (held,) = scores.to_json()["groups"].values()
    found: float | None = held.get("shortcut")
    return found


def test_every_row_of_the_table_is_of_a_task_and_above_chance_in_its_own_words() -> None:
    known = shortcut_marks.known()
    assert known.keys() <= families.tasks().keys()
    for name, held in known.items():
        assert 0 <= held.chance < held.score <= 1
        said = {each.name for each in families.task(name).baselines.shortcuts()}
        alone = held.kind in ("tree", "constant")
        assert alone or said >= set(held.name.split(" x "))
    text = shortcut_marks.text({name: held.to_json() for name, held in known.items()})
    path = Path(shortcut_marks.__file__).with_name(shortcut_marks.FILE)
    assert path.read_text() == text


def test_the_table_is_for_its_version_and_default_parameters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    samples = made()
    assert marked(samples) == shortcut_marks.known()[TASK].score
    older = {TASK: replace(shortcut_marks.known()[TASK], version="0")}
    with monkeypatch.context() as patched:
        patched.setattr(shortcut_marks, "known", lambda: older)
        assert marked(samples) is None
    assert marked(made(source="cookbook")) is None
    assert marked(made(dialect="published")) is None
    run = thence.run(made(44, source="generator"), "baseline/random", out="run")
    (held,) = run.scores(shortcuts=True).to_json()["groups"].values()
    assert "shortcut" in held
    assert marked(made(source="generator")) is None


@pytest.mark.parametrize(
    "name",
    [
        "catbench/order",
        "releval/comparison",
        "releval/consistency",
        "fable/plans/type_state",
        "fable/plans/concurrency",
        "fable/routes/type_state",
        "fable/runbooks/intervals",
    ],
)
def test_questions_with_default_parameters_have_a_mark(name: str) -> None:
    (sample, *_) = thence.generate(name, size=2, seed=8, workers=1)
    read = Sample.from_json(json.loads(json.dumps(sample.to_json())))
    assert marked([sample]) == marked([read]) == shortcut_marks.known()[name].score


def test_where_the_task_sets_a_value_of_its_own_another_one_has_no_mark() -> None:
    for name, given in (
        ("fable/plans/type_state", {"plan_steps": "8-12"}),
        ("releval/comparison", {"n": 12, "m": 20, "z": 0}),
    ):
        assert marked(list(thence.generate(name, size=2, seed=8, workers=1, **given))) is None


def test_what_is_not_known_is_said_and_measured_on_request() -> None:
    thence.run(made(44, source="generator"), "baseline/random", out="run")
    said = command("score", "run").out
    told = f"No number says how far shortcuts get in {TASK}: score --shortcuts measures it, of a"
    assert told in " ".join(said.split())
    assert "SHORTCUT" not in said
    told = command("score", "run", "--shortcuts").out
    assert re.search(r"^fable +44 +0\.\d+ \[.*\] +0\.500 +0\.\d{3} ", told, re.MULTILINE)
    assert "0 of 1 task surely above the best shortcut" in told
    held = command("score", "run", "--shortcuts", "--json").json()["groups"][TASK]
    assert 0.4 <= held["shortcut"] <= 1
    assert held["shortcut_ci"] is None


def test_the_mark_of_each_of_several_tasks_stands_on_the_page() -> None:
    names = [TASK, "fable/recipes/taint"]
    run = thence.run(thence.generate(names, size=4, workers=1), "baseline/oracle", out="run")
    page = thence.report(run, "page.html").read_text()
    _, _, details = page.partition(">task or group<")
    assert ">shortcut<" in details.partition("</thead>")[0]
    for name in names:
        assert f"{shortcut_marks.known()[name].score:.3f}" in details.partition("</table>")[0]


def test_the_mark_stands_on_the_page_and_in_the_last_line() -> None:
    run = thence.run(made(24), "baseline/oracle", out="run")
    assert "shortcut" in thence.report(run, "page.html").read_text().lower()
    assert "1 of 1 task surely above the best shortcut" in command("score", "run").out
    thence.run(made(24), "baseline/random", out="chance")
    assert "0 of 1 task surely above the best shortcut" in command("score", "chance").out


def test_one_answer_to_all_is_never_above_the_mark() -> None:
    """Two thirds of CaT-Bench's questions are answered No, and No shows no analysis."""
    for settings in ({}, {"source": "recipes", "part": "held_out"}):
        questions = thence.generate("catbench", size=240, seed=8, workers=1, **settings)
        run = thence.run(questions, "baseline/majority", out=f"run{len(settings)}")
        scores = run.scores(shortcuts=True)
        (held,) = scores.to_json()["groups"].values()
        assert held["accuracy"] == pytest.approx(2 / 3)
        assert held["shortcut"] >= 0.66
        said = command("score", str(run.path), "--shortcuts").out
        assert "0 of 1 task surely above the best shortcut" in said


@pytest.mark.long
@pytest.mark.parametrize("name", ["catbench/order", "releval/comparison", TASK])
def test_the_table_is_what_is_measured(name: str) -> None:
    (found,) = shortcuts.measure(name, seed=17, size=400)
    row = shortcut_marks.row(found)
    held = shortcut_marks.known()[name]
    assert row["version"] == held.version
    assert abs(row["score"] - held.score) < 0.02
