"""Workflows, issue forms and the citation: as the programs that read them want them."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
SCHEMAS = {
    "github-workflows": sorted(GITHUB.glob("workflows/*.yml")),
    "github-issue-forms": sorted(
        {*GITHUB.glob("ISSUE_TEMPLATE/*")} - {*GITHUB.rglob("config.yml")}
    ),
    "github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "dependabot": [GITHUB / "dependabot.yml"],
    "citation-file-format": [ROOT / "CITATION.cff"],
}


def linter(name: str, *words: str | Path) -> None:
    """Runs a linter of the group `release`; skips the test where it is not installed."""
    program = Path(sys.executable).with_name(name)
    if not program.exists():
        pytest.skip(f"{name} is not installed")
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_for_github_follow_its_schemas(schema: str) -> None:
    assert SCHEMAS[schema]
    linter("check-jsonschema", "--builtin-schema", f"vendor.{schema}", *SCHEMAS[schema])


@pytest.mark.long
def test_workflows_are_safe() -> None:
    linter("zizmor", "--offline", GITHUB)


def test_workflows_try_every_system_and_python_and_only_one_job_may_publish() -> None:
    held = {
        path.stem: yaml.safe_load(path.read_text("utf-8")) for path in SCHEMAS["github-workflows"]
    }
    matrix = held["tests"]["jobs"]["systems"]["strategy"]["matrix"]
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]
    assert matrix["python"] == ["3.12", "3.13", "3.14"]
    assert held["tests"]["jobs"]["check"]["steps"][-1]["run"] == ".ci/run"
    # Of the whole job: uv makes a lock of other versions anew where a later command lacks it.
    assert held["tests"]["jobs"]["oldest"]["env"]["UV_RESOLUTION"] == "lowest-direct"
    jobs = held["release"]["jobs"]
    trusted = [name for name, job in jobs.items() if job.get("environment")]
    assert trusted == ["pypi"]
    assert jobs["pypi"]["needs"] == "build"
    assert jobs["build"]["needs"] == "tests"
    assert jobs["pypi"]["steps"][-1]["with"]["attestations"] is True
    for name, each in held.items():
        assert each["permissions"] == {"contents": "read"}, name


def test_extras_that_workflows_name_are_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    text = (GITHUB / "workflows" / "tests.yml").read_text("utf-8").split()
    named = {after for word, after in pairwise(text) if word == "--extra"}
    assert named
    assert named <= project["project"]["optional-dependencies"].keys()


def test_hooks_before_a_commit_have_the_versions_of_the_lock_file() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    (ruff,) = [each for each in hooks if "ruff" in each["repo"]]
    lock = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
    (version,) = [each["version"] for each in lock if each["name"] == "ruff"]
    assert ruff["rev"] == f"v{version}"
