"""What single pages say is run here, where it takes more than their commands as they stand."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, version
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.documents import ROOT, commands
from thence import cli, families
from thence.analysis.validation import validate
from thence.core import registry, sheets
from thence.dataflow import ANALYSES
from thence.families import procbench
from thence.families.fable.runbooks.domain import WrittenDomain
from thence.families.fable.shared.task import tasks as fable_tasks
from thence.families.procbench import tasks
from thence.generation.plan import Plan
from thence.procedures import analyze
from thence.prompts import template_loader
from thence.scoring import details


def test_ci_runs_the_first_two_commands_of_the_readme() -> None:
    first = commands((ROOT / "README.md").read_text())[:2]
    assert first == ["make demo", "make test"]
    script = (ROOT / ".ci" / "run").read_text().splitlines()
    assert {*first, "make lint", "make types"} <= set(script)


def test_the_commands_of_extract_print_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "guides" / "extract.md").read_text()
    (text,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    Path("onions.txt").write_text(text)
    (shown,) = re.findall(r"```console\n(.*?)```", page, re.DOTALL)
    for part in shown.split("$ ")[1:]:
        line, _, output = part.partition("\n")
        assert cli.run(shlex.split(line)[1:]) == 0, f"{line}\n{capfd.readouterr()}"
        assert output in capfd.readouterr().out


def test_the_commands_for_annotators_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def fill(name: str, column: str, text: str) -> None:
        sheet = sheets.read(Path(name), [column])
        rows = [list((row | {column: text}).values()) for _, row in sheet.rows]
        sheets.write(Path(name), sheet.columns, rows)

    for line in commands((ROOT / "docs" / "guides" / "annotators.md").read_text()):
        assert cli.run(shlex.split(line)[1:]) == 0, f"{line}\n{capfd.readouterr()}"
        for name in re.findall(r"-o (ann.csv|bo.xlsx)", line):
            fill(name, "error_type", "misread")
        if "-o sheet.xlsx" in line:
            fill("sheet.xlsx", "rating", "4")
    assert "misread" in capfd.readouterr().out
    columns = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "guides" / "annotators.md").read_text()))
    assert {*details.FIRST, *details.LAST} <= columns


def test_the_citation_names_this_version_and_the_papers_of_all_families() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == version("thence")
    papers = [paper["title"].partition(":")[0] for paper in citation["references"]]
    titles = [family.title for family in families.families().values()]
    assert sorted(papers) == sorted(titles)


def blocks_of_own_task() -> dict[str, str]:
    """The code blocks by the path that their first line names."""
    text = (ROOT / "docs" / "guides" / "own_task.md").read_text()
    found = {}
    for block in re.findall(r"```(?:python|jinja|yaml)\n(.*?)```", text, re.DOTALL):
        path = re.search(r"\S+/\S+\.\w+", block.splitlines()[0])
        assert path
        found[path.group()] = block
    return found


@contextmanager
def found_anew() -> Iterator[None]:
    """Families are found anew within, and once more afterwards."""
    families._catalog.cache_clear()
    template_loader._ours.cache_clear()
    try:
        yield
    finally:
        families._catalog.cache_clear()
        template_loader._ours.cache_clear()


def test_the_task_of_own_task_works_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    held = blocks_of_own_task()
    module, template, test = list(held)[:3]
    for path in (module, template):
        place = tmp_path / Path(path).relative_to("src/thence/families/procbench")
        place.parent.mkdir()
        place.write_text(held[path])
    monkeypatch.setattr(procbench, "__path__", [*procbench.__path__, str(tmp_path)])
    monkeypatch.setattr(tasks, "__path__", [*tasks.__path__, str(tmp_path / "tasks")])
    with found_anew():
        names: dict[str, Any] = {}
        exec(compile(held[test], test, "exec"), names)
        checks = [value for name, value in names.items() if name.startswith("test_")]
        assert len(checks) == 2
        for check in checks:
            check()
        assert cli.run(["list", "--json"]) == 0
        listed = [row["task"] for row in json.loads(capfd.readouterr().out)]
        assert [name for name in listed if name.startswith("procbench/")][-1] == "procbench/flip"
        command = ["run", "procbench/flip", "--size", "6", "--model", "baseline/oracle"]
        assert cli.run([*command, "-o", str(tmp_path / "run")]) == 0
        assert "1.000" in capfd.readouterr().out


def test_the_family_of_own_task_works_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    held = blocks_of_own_task()
    for path in [path for path in held if path.startswith("additions/")]:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(held[path])
    monkeypatch.syspath_prepend(tmp_path)
    entry = EntryPoint("additions", "additions", "thence.families")
    monkeypatch.setattr(
        registry, "entry_points", lambda group: [entry] if group == entry.group else []
    )
    with found_anew():
        assert cli.run(["validate", "additions", "--size", "20"]) == 0
        command = ["run", "additions", "--set", "count=3-4", "--model", "baseline/oracle"]
        assert cli.run([*command, "-o", str(tmp_path / "run")]) == 0
        assert "1.000" in capfd.readouterr().out
        question = json.loads((tmp_path / "run" / "samples.jsonl").read_text().splitlines()[0])
        assert question["input"].startswith("Add up these numbers: ")


def test_the_domain_of_own_task_works_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path, block in blocks_of_own_task().items():
        if path.startswith("knots/"):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(block)
    assert [each.rule for each in analyze(next(tmp_path.rglob("mooring.yaml"))).findings] == []
    monkeypatch.syspath_prepend(tmp_path)
    with families.using(fable_tasks(WrittenDomain("knots", "knots"))):
        names = [f"fable/knots/{name}" for name in ANALYSES]
        assert all(found.holds for found in validate(Plan(names, size=2)))
