"""The queries of the document, run by DuckDB as they stand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import thence
from tests.cli.command import settle
from tests.cli.command import thence as command

TEXT = (Path(__file__).parents[2] / "docs" / "guides" / "queries.md").read_text("utf-8")


def test_the_queries_give_the_figures_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    duckdb = pytest.importorskip("duckdb")
    settle(monkeypatch, tmp_path)
    (line,) = re.findall(r"^\$ thence (.*)$", TEXT, re.MULTILINE)
    command(*shlex.split(line))
    by_group, differing = re.findall(r"```sql\n(.*?)```", TEXT, re.DOTALL)
    rows = duckdb.sql(by_group).fetchall()
    wanted = thence.open_run("run").scores().summary(by="task")
    for task, n, correct in wanted.select("task", "n", "correct").rows():
        held = [row for row in rows if row[0] == task]
        assert sum(row[2] for row in held) == n
        assert sum(row[2] * row[3] for row in held) == pytest.approx(correct)
    assert duckdb.sql(differing).fetchall() == []
    command(*shlex.split(line.replace("random", "oracle").replace("-o run", "-o best")))
    both = duckdb.sql("best/scores".join(differing.rsplit("run/scores", 1))).fetchall()
    assert len(both) == sum(wanted["n"]) - sum(wanted["correct"])
