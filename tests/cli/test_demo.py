"""``thence demo``: everything once, from nothing, to a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import held, refused, rows, thence
from thence import families

FEW = ("catbench/order", "procbench/rhythm")  # all of them take long


@pytest.fixture(autouse=True)
def _few_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    every = families.tasks()
    few = {name: every[name] for name in FEW}
    monkeypatch.setattr(families, "tasks", lambda: few)


def test_demo() -> None:
    pytest.importorskip("xllamacpp")
    done = thence("demo", "-o", "a/demo")
    assert done.err == ""
    assert done.last == "page: a/demo/report.html"
    page = Path("a/demo/report.html").read_text()
    assert page.startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")
    models = [f"baseline/{name}" for name in ("random", "heuristic", "oracle")]
    for name in (*models, "nano"):
        assert name in done.out
        assert name in page
    for reference in ("src=", "<link", "@import", "url("):
        assert reference not in page.partition("<script>")[0]  # nothing is fetched
    short = [row["id"] for row in rows("a/demo/short.jsonl")]
    made = [row["id"] for row in rows("a/demo/samples.jsonl")] + short
    runs = list(Path("a/demo/runs").iterdir())
    assert len(runs) == 4
    for run in runs:
        asked = short if run.name == "nano" else made
        assert [row["id"] for row in rows(run / "scores.jsonl")] == asked
    refused("demo", "-o", "a/demo", says=("-o a/demo/samples.jsonl", "exists", "--overwrite"))
    before = held(Path())
    again = thence("demo", "-o", "a/demo", "--overwrite")
    # What nano says may depend on which requests are batched; the rest does not.
    assert (again.out.splitlines()[0], again.last) == (done.out.splitlines()[0], done.last)
    for name, hashed in held(Path()).items():
        if "nano" not in name and name.endswith(("samples.jsonl", "scores.jsonl")):
            assert before[name] == hashed, name


def test_demo_loses_no_page_that_was_there() -> None:
    Path("mine").mkdir()
    Path("mine/report.html").write_text("mine")
    thence("demo", "-o", "mine", status=2)
    assert Path("mine/report.html").read_text() == "mine"
