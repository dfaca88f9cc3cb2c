"""Every command and every Python example of README and docs runs here as it stands.

What another test runs, and what no test can, stands in a table with the reason; a page in no table,
or a block that it does not account for, fails.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.documents import PAGES, ROOT, blocks, commands, name_of
from tests.fake_batches import FakeBatches
from tests.fake_endpoint import Answer
from thence import cli

ELSEWHERE = {  # pages whose commands another test runs
    "docs/guides/analyze.md": "cli/test_analyze_documents.py",
    "docs/guides/annotators.md": "test_documents.py",
    "docs/guides/every_eval_ever.md": "integrations/test_pages.py",
    "docs/guides/extract.md": "test_documents.py",
    "docs/guides/inspect.md": "integrations/test_pages.py",
    "docs/guides/lm_eval.md": "integrations/test_pages.py",
    "docs/guides/queries.md": "integrations/test_queries.py",
    "docs/guides/trackers.md": "integrations/test_pages.py",
    "docs/guides/verifiers.md": "integrations/test_pages.py",
    "docs/guides/view.md": "reporting/test_view.py: a server, until Ctrl-C",
    "docs/start/install.md": "test_documents.py: CI runs them",
}
LONG = {
    "docs/concepts/questions.md",
    "docs/concepts/seeds.md",
    "docs/reference/catbench.md",
    "docs/reference/plans.md",
    "docs/reference/releval.md",
}
SHELL = {  # pages with commands that need what no test has
    "docs/guides/annotators.md": "servers for people",
    "docs/guides/human_baseline.md": "people",
    "docs/guides/leaderboard.md": "runs of the frozen set; tests of `report --site` have their own",
    "docs/guides/nano.md": "an hour of training; tests of the model have their own",
    "docs/guides/scale.md": "a cluster of Ray",
    "docs/start/install.md": "a package index, and the shells of a user",
}
PYTHON_ELSEWHERE = {
    "docs/concepts/dataflow.md": "cli/test_analyze_documents.py",
    "docs/guides/analyze.md": "cli/test_analyze_documents.py",
    "docs/guides/notebooks.md": "integrations/test_notebook.py",
    "docs/guides/own_task.md": "test_documents.py",
}


def pages_with(*languages: str) -> set[str]:
    return {
        name_of(path)
        for path in PAGES
        if any(blocks(path.read_text("utf-8"), language) for language in languages)
    }


def marked(names: set[str]) -> list[Any]:
    return [
        pytest.param(name, marks=pytest.mark.long) if name in LONG else name
        for name in sorted(names)
    ]


def test_no_page_hides_commands_from_the_tests() -> None:
    assert pages_with("sh", "bash", "shell") == set(SHELL)
    assert set(ELSEWHERE) <= pages_with("console")
    assert set(PYTHON_ELSEWHERE) <= pages_with("python")


def tea(page: str) -> None:
    (text,) = blocks(page, "yaml")
    Path("tea.yaml").write_text(text)
    Path("docs").symlink_to(ROOT / "docs")


def examples(page: str) -> None:
    shutil.copytree(ROOT / "docs" / "examples", "docs/examples")


def programs(page: str) -> None:
    """Programs of others that the page calls: two print tokens, one answers a file of requests."""
    assert cli.run(["generate", "procbench/sort", "--size", "4", "-o", "questions.jsonl"]) == 0
    Path("bin").mkdir()
    answering = (
        "import json, pathlib\n"
        "choice = {'message': {'content': '{}'}, 'finish_reason': 'stop'}\n"
        "rows = map(json.loads, pathlib.Path('in.jsonl').read_text().splitlines())\n"
        "done = [{'custom_id': each['custom_id'], 'error': None, 'response': {'status_code': 200,\n"
        "         'body': {'choices': [choice]}}} for each in rows]\n"
        "pathlib.Path('out.jsonl').write_text(''.join(json.dumps(each) + '\\n' for each in done))\n"
    )
    for name, text in (
        ("gcloud", "print('token')"), ("az", "print('token')"), ("vllm", answering),
    ):  # fmt: skip
        path = Path("bin", name)
        path.write_text(f"#!{sys.executable}\n{text}")
        path.chmod(0o755)


def pddl(page: str) -> None:
    Path("DOMAIN.pddl").write_text(
        "(define (domain lamps) (:requirements :strips :typing) (:types lamp)\n"
        " (:predicates (on ?l - lamp) (off ?l - lamp) (next ?l ?m - lamp))\n"
        " (:action light :parameters (?l ?m - lamp)\n"
        "  :precondition (and (next ?l ?m) (on ?l) (off ?m))\n"
        "  :effect (and (on ?m) (not (off ?m)))))\n"
    )
    Path("PROBLEM.pddl").write_text(
        "(define (problem two) (:domain lamps) (:objects a b c d e f g - lamp)\n"
        " (:init (on a) (off b) (off c) (off d) (off e) (off f) (off g)\n"
        "  (next a b) (next b c) (next c d) (next a e) (next e f) (next f g))\n"
        " (:goal (and (on d) (on g))))\n"
    )


PREPARED: dict[str, Callable[[str], None]] = {
    "docs/guides/models.md": programs,
    "docs/guides/own_procedures.md": tea,
    "docs/guides/runbooks.md": examples,
    "docs/reference/plans.md": pddl,
}


@pytest.mark.parametrize("name", marked(pages_with("console") - set(ELSEWHERE)))
def test_the_commands_of_a_page_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / name).read_text("utf-8")
    if name in PREPARED:
        PREPARED[name](page)
    for variable in ("OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"):
        monkeypatch.setenv(variable, "sk-not-a-key")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("THENCE_BATCH_POLL", "0.01")
    with FakeBatches.in_thread(lambda body, count: Answer("{}")) as endpoint:
        monkeypatch.setenv("THENCE_BASE_URL", endpoint.url)
        for line in commands(page):
            program, *arguments = shlex.split(
                line.replace("http://localhost:8000/v1", endpoint.url)
            )
            if program == "make":
                continue  # CI runs them
            if program == "thence":
                status = cli.run(arguments)
            else:
                status = subprocess.run([program, *arguments], check=False).returncode
            shown = capfd.readouterr()
            assert status == 0, f"{line}\n{shown.out}\n{shown.err}"


@pytest.mark.parametrize("name", sorted(pages_with("python") - set(PYTHON_ELSEWHERE)))
def test_the_python_of_a_page_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks((ROOT / name).read_text("utf-8"), "python"):
        exec(compile(block, name, "exec"), names)
