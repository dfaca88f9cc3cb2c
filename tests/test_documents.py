"""What README and CONTRIBUTING say is run here, as it stands."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, version
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.fake_endpoint import Answer, FakeEndpoint
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

ROOT = Path(__file__).parent.parent


def commands(text: str) -> list[str]:
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [line.removeprefix("$ ").partition(" #")[0].strip() for line in lines]


def test_ci_runs_the_first_two_commands_of_the_readme() -> None:
    first = commands((ROOT / "README.md").read_text())[:2]
    assert first == ["make demo", "make test"]
    script = (ROOT / ".ci" / "run").read_text().splitlines()
    assert {*first, "make lint", "make types"} <= set(script)


def test_every_other_command_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")
    lines = commands((ROOT / "README.md").read_text())[2:]
    assert lines[0].startswith("thence run procbench --size 24 --model openai/")

    def answer(body: dict[str, Any], count: int) -> Answer:
        return Answer('{"intermediate": [], "final": ""}')

    with FakeEndpoint.in_thread(answer) as endpoint:
        monkeypatch.setenv("THENCE_BASE_URL", endpoint.url)
        for line in lines:
            program, *arguments = shlex.split(line)
            assert program == "thence"
            status = cli.run(arguments)
            shown = capfd.readouterr()
            assert status == 0, f"{line}\n{shown.out}\n{shown.err}"
        assert len(endpoint.requests) >= 23 * 24
    assert (tmp_path / "questions.jsonl").read_bytes().count(b"\n") == 5520


def test_the_commands_of_proofs_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for line in commands((ROOT / "docs" / "guides" / "proofs.md").read_text()):
        assert cli.run(shlex.split(line)[1:]) == 0, f"{line}\n{capfd.readouterr()}"
    shown = capfd.readouterr().out
    assert "PROOF" in shown
    assert "WRONG_PROOF" in shown
    assert "Before and after" in shown


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


def test_the_commands_for_the_hub_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    for line in commands((ROOT / "docs" / "guides" / "hugging_face.md").read_text()):
        assert cli.run(shlex.split(line)[1:]) == 0, f"{line}\n{capfd.readouterr()}"


def test_the_commands_of_shards_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for line in commands((ROOT / "docs" / "guides" / "scale.md").read_text()):
        assert cli.run(shlex.split(line)[1:]) == 0, f"{line}\n{capfd.readouterr()}"


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


def test_the_commands_about_runbooks_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "examples")
    for line in commands((ROOT / "docs" / "guides" / "runbooks.md").read_text()):
        assert cli.run(shlex.split(line)[1:]) == 0, f"{line}\n{capfd.readouterr()}"


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "docs/guides/api.md",
        "docs/guides/extract.md",
        "docs/guides/proofs.md",
        "docs/concepts/questions.md",
        "docs/guides/training.md",
    ],
)
def test_the_python_of_a_document_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(), re.DOTALL)
    assert blocks
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, name, "exec"), names)
