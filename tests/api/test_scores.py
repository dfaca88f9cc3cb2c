"""Scores of many replies, comparisons and pages."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import thence
from tests.cli.command import thence as command
from thence.api.dataset import Dataset
from thence.core.task import Task
from thence.errors import FileError, ParameterError, UsageError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def asked() -> Dataset:
    return thence.generate(["procbench/sort", "catbench"], size=12)


def right(asked: Dataset) -> dict[str, str]:
    return {each.id: thence.answer(each) for each in asked}


def test_replies_come_as_a_mapping_rows_or_a_file(asked: Dataset) -> None:
    replies = right(asked)
    rows = [{"id": name, "response": text} for name, text in replies.items()]
    Path("replies.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    asked.write("asked.jsonl")
    for questions in (asked, list(asked), [each.to_json() for each in asked], "asked.jsonl"):
        for given in (replies, rows, "replies.jsonl", Path("replies.jsonl")):
            scores = thence.score(questions, given)
            assert scores.finished and scores.missing == 0
            assert scores.frame["correct"].all() and len(scores.frame) == 24
    printed = command("score", "replies.jsonl", "--samples", "asked.jsonl", "--json").json()
    assert printed == thence.score(asked, replies).to_json()


def test_the_figures_name_the_scorer() -> None:
    asked = thence.generate("fable/runbooks/concurrency", size=2)
    found = thence.score(asked, right(asked), scorer="official")
    assert found.to_json()["scorer"] == "official"


def test_epochs_are_reduced_and_replies_may_carry_more(asked: Dataset) -> None:
    replies = {name: ["?", text, text] for name, text in right(asked).items()}
    assert set(thence.score(asked, replies).summary()["accuracy"]) == {2 / 3}
    assert set(thence.score(asked, replies, reduce="majority").summary()["accuracy"]) == {1.0}
    cut = {name: thence.Reply(None, finish_reason="length") for name in replies}
    assert set(thence.score(asked, cut).frame["outcome"]) == {"truncated"}


def test_summaries_by_family_task_and_group(asked: Dataset) -> None:
    scores = thence.score(asked, right(asked))
    assert scores.summary()["family"].to_list() == ["catbench", "procbench"]
    assert scores.summary("task")["n"].to_list() == [12, 12]
    steps = scores.summary("steps")
    assert steps["steps"].to_list()[:2] == ["3", "5"] and set(steps["accuracy"]) == {1.0}
    assert {"accuracy_low", "accuracy_high", "pa", "correct", "no_answer"} <= {*steps.columns, "pa"}
    with pytest.raises(ParameterError, match="by=size: must be one of family, task, "):
        scores.summary("size")
    assert scores.tables()
    assert "<caption>replies</caption>" in scores._repr_html_()
    assert repr(scores).startswith("<Scores: catbench 1.000")


def test_missing_and_foreign_replies_are_said(asked: Dataset) -> None:
    replies = right(asked)
    first = next(iter(replies))
    scores = thence.score(asked, {first: replies[first]})
    assert (scores.missing, scores.finished) == (23, False)
    with pytest.raises(ParameterError, match="no sample of the questions has the id 'gone'"):
        thence.score(asked, {"gone": "x"})
    with pytest.raises(ParameterError, match="was answered before"):
        thence.score(asked, [{"id": first, "response": "x"}] * 2)
    with pytest.raises(ParameterError, match="replies=7"):
        thence.score(asked, 7)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="holds no replies"):
        thence.score(asked, {})
    with pytest.raises(FileError, match=r"none\.jsonl: no such file"):
        thence.score(asked, "none.jsonl")
    with pytest.raises(ParameterError, match="questions: give those"):
        thence.score(None, replies)
    with pytest.raises(FileError, match=r"^none: no such file or folder$"):
        thence.score(None, "none")
    Path("notes.txt").write_text("x")
    with pytest.raises(ParameterError, match=r"^questions: notes.txt is in no form of a bench"):
        thence.score(None, "notes.txt")
    with pytest.raises(ParameterError, match="reduce=median"):
        thence.score(asked, replies, reduce="median")
    endless = thence.questions("procbench", seed=0)
    with pytest.raises(ParameterError, match="have no end"):
        thence.score(endless, replies)
    assert thence.score(endless[:3], right(endless[:3])).finished  # type: ignore[arg-type]


def test_two_models_are_compared(asked: Dataset) -> None:
    good = thence.score(asked, right(asked))
    bad = thence.score(asked, dict.fromkeys(right(asked), "?"))
    found = thence.compare(bad, good)
    assert found.frame["difference"].to_list() == [1.0, 1.0]
    assert any("is better by 100.0 points" in sentence for sentence in found.words)
    assert "<table>" in found._repr_html_()
    with pytest.raises(ParameterError, match=r"first=.*give run\.scores"):
        thence.compare("runs/a", good)  # type: ignore[arg-type]
    other = thence.generate("procbench/copy", size=3)
    with pytest.raises(UsageError, match="share no question"):
        thence.compare(good, thence.score(other, right(other)))


def test_a_page_is_written_once(asked: Dataset) -> None:
    run = thence.run(asked, "baseline/random", out="run")
    assert thence.report(run, "page.html", title="Mine") == Path("page.html")
    assert "Mine" in Path("page.html").read_text()
    with pytest.raises(ParameterError, match=r"path=page\.html: exists"):
        thence.report(run, "page.html")
    with pytest.raises(ParameterError, match=r"must end in \.html"):
        thence.report("run", "page.pdf")
    with pytest.raises(ParameterError, match="named twice"):
        thence.report([run, "run"], "other.html")
    with pytest.raises(FileError, match="no such run directory"):
        thence.report("none", "other.html")


def test_the_command_goes_on_with_a_run_of_python() -> None:
    asked = thence.generate("procbench/sort", size=4)
    first = thence.run(asked, "baseline/oracle")
    command("run", "procbench/sort", "--size", "4", "--model", "baseline/oracle")
    assert [str(path) for path in Path("runs").iterdir()] == [str(first.path)]
    assert first.information["responses"] == 4
    printed = command("score", first.path, "--json").json()
    assert printed == first.scores().to_json()
    assert "oracle" in first._repr_html_() and "0 missing" in repr(first)


def test_an_audit_refuses_what_it_has_no_use_for() -> None:
    with pytest.raises(UsageError, match="unknown family 'procbnch'; did you mean 'procbench'"):
        thence.audit("procbnch", "x")
    with pytest.raises(ParameterError, match="titles: procbench's audit has no use for it"):
        thence.audit("procbench", "x", titles="y")
    with pytest.raises(ParameterError, match="titles=3: must be text or a path"):
        thence.audit("catbench", "x", titles=3)


def test_questions_of_our_own_making_are_not_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    check = Task.check

    def noting(task: Task, sample: thence.Sample) -> None:
        checked.append(sample.id)
        check(task, sample)

    monkeypatch.setattr(Task, "check", noting)
    made = thence.generate("procbench/sort", size=6)
    replies = {each.id: thence.answer(each) for each in made}
    endless = thence.questions("procbench/sort", seed=1, size=3)
    for questions in (made, made[:6], made.filter(tasks="procbench")):
        assert thence.score(questions, replies).missing == 0
    thence.score(endless, {endless[0].id: ""})
    assert checked == []
    thence.score(list(made), replies)
    assert len(checked) == 6
    broken = replace(made[0], metadata={})
    with pytest.raises(thence.ParameterError, match="questions="):
        thence.score([broken], {broken.id: ""})
