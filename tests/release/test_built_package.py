"""Wheel and archive: what is in them, and that what is installed from them works."""

from __future__ import annotations

import json
import subprocess
import tarfile
import zipfile
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest

from tests.release.fresh import ROOT, built, call, environment, interpreter, uv

LARGEST = 12 << 20
KINDS = {
    ".py", ".jinja", ".yaml", ".json", ".pddl", ".recipes", ".txt", ".css", ".js", ".html",
    ".gguf", ".md",
}  # fmt: skip
NAMES = {"py.typed", "_thence_template"}  # further files of the package

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return built(tmp_path_factory.mktemp("dist with a space"))


def tracked() -> set[str]:
    """The files that git keeps."""
    return set(call("git", "ls-files", "-z", folder=ROOT).split("\0")) - {""}


def test_the_wheel_holds_the_package_and_no_other_file(packages: tuple[Path, Path]) -> None:
    wheel, _ = packages
    assert wheel.stat().st_size < LARGEST
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    information = f"thence-{wheel.name.split('-')[1]}.dist-info/"
    packaged = {name for name in names if not name.startswith(information)}
    assert {f"src/{name}" for name in packaged} == {
        name for name in tracked() if name.startswith("src/")
    }
    strange = [
        name
        for name in packaged
        if PurePosixPath(name).suffix not in KINDS and PurePosixPath(name).name not in NAMES
    ]
    assert strange == []
    kinds = Counter(PurePosixPath(name).suffix for name in packaged)
    assert kinds[".jinja"] > 70
    assert {"thence/generation/frozen/thence-1.json", "thence/py.typed"} <= packaged
    rest = {name.removeprefix(information) for name in names} - packaged
    assert rest == {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}


def test_the_archive_holds_what_git_keeps(packages: tuple[Path, Path]) -> None:
    _, source = packages
    assert source.stat().st_size < LARGEST
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names - {"PKG-INFO"} == tracked()


def test_a_plain_installation_works_and_says_what_is_missing(
    packages: tuple[Path, Path], tmp_path: Path
) -> None:
    programs = environment(tmp_path, packages[0], "3.12")
    thence = programs / "thence"
    assert call(thence, "--version", folder=tmp_path).startswith("thence ")
    listed = json.loads(call(thence, "list", "extras", "--json", folder=tmp_path))
    assert {row["installed"] for row in listed} == {"no"}
    call(thence, "run", "procbench", "releval", "catbench", "--size", 6, "--model",
         "baseline/oracle", "--fail-under", "catbench=1", "-o", "run", folder=tmp_path)  # fmt: skip
    call(thence, "report", "run", "-o", "page.html", folder=tmp_path)
    for words, extra in (
        (("generate", "fable/plans/taint", "-o", "x.jsonl"), "plans"),
        (("generate", "fable/routes/taint", "-o", "x.jsonl"), "routes"),
        (("generate", "procbench", "-o", "x.parquet"), "parquet"),
        (("score", "run", "--details", "x.xlsx"), "excel"),
        (("run", "procbench/sort", "--size", "2", "--model", "hf/nobody/nothing", "-o", "r"), "hf"),
        (("log", "run", "--to", "wandb"), "wandb"),
    ):
        done = subprocess.run(
            [thence, *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 2, f"{words}: {done.stderr}"
        assert f"pip install 'thence[{extra}]'" in done.stderr
        assert done.stderr.count("\n") == 1, done.stderr


@pytest.mark.parametrize("version", ["3.12", "3.13", "3.14"])
def test_the_demo_runs_from_the_wheel(
    packages: tuple[Path, Path], tmp_path: Path, version: str
) -> None:
    programs = environment(tmp_path, packages[0], version, "plans", "routes", "gguf")
    call(programs / "thence", "demo", folder=tmp_path)
    assert (tmp_path / "thence-demo" / "report.html").stat().st_size > 100_000


def test_uvx_runs_the_demo_without_installing(packages: tuple[Path, Path], tmp_path: Path) -> None:
    command = (uv(), "tool", "run", "--python", interpreter("3.12"), "--from", packages[0])
    assert "page: thence-demo" in call(*command, "thence", "demo", folder=tmp_path)
