"""The real command as an ordinary user: read-only home or none, ASCII alone, spaces in paths."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

RUN = ("run", "procbench/sort", "catbench", "--size", "2", "--model", "baseline/oracle", "-o")


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A working folder with a space and an umlaut, beside a read-only home."""
    top = tmp_path_factory.mktemp("user")
    place = top / "my rüns"
    place.mkdir()
    (top / "home").mkdir(mode=0o555)
    yield place
    (top / "home").chmod(0o755)


def ordinary() -> list[str]:
    """The beginning of a command that has no rights beyond those of the files' permissions."""
    if not hasattr(os, "geteuid") or os.geteuid():
        return []
    if (program := shutil.which("setpriv")) is None:
        pytest.skip("root may write anywhere, and setpriv is not here")
    return [program, "--bounding-set=-all", "--inh-caps=-all"]


def call(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in an environment that has nothing but what is given."""
    return subprocess.run(
        [*ordinary(), sys.executable, "-m", "thence", *words],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.skipif(os.name == "nt", reason="permissions and variables of POSIX")
@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({"HOME": "{top}/home", "LANG": "C", "LC_ALL": "C"}, id="read-only home"),
        pytest.param({"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, id="no HOME, ASCII alone"),
        pytest.param({"LANG": "C"}, marks=pytest.mark.long, id="no HOME"),
        pytest.param(
            {"HOME": "{top}/no such home", "XDG_CACHE_HOME": "{top}/home/cache"},
            marks=pytest.mark.long,
            id="home that is not there",
        ),
    ],
)
def test_a_run_and_its_page_need_no_home_and_no_locale(
    folder: Path, environment: dict[str, str]
) -> None:
    given = {name: value.format(top=folder.parent) for name, value in environment.items()}
    for words in (
        (*RUN, "größe 1"),
        ("score", "größe 1", "--details", "my details.csv"),
        ("report", "größe 1", "-o", "my page.html"),
    ):
        done = call(folder, *words, **given)
        assert done.returncode == 0, f"{words}: {done.stderr}"
        assert "Traceback" not in done.stderr
    assert (folder / "my page.html").stat().st_size > 100_000
    assert not list((folder.parent / "home").iterdir())


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_a_folder_that_may_not_be_written_is_said_in_one_line(folder: Path) -> None:
    done = call(folder, *RUN, str(folder.parent / "home" / "run"))
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "Permission denied; change its permissions, or choose another place" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_ratings_and_locks_that_may_not_be_written_have_their_mend(folder: Path) -> None:
    run = ("run", "procbench/sort", "--size", "2", "--model", "baseline/random", "-o", "run")
    assert call(folder, *run).returncode == 0
    (folder / "run").chmod(0o555)
    for words, file in (
        (("ratings", "serve", "run", "--what", "errors"), "ratings.sqlite"),
        (run, ".lock"),
    ):
        done = call(folder, *words)
        (line,) = done.stderr.splitlines()
        assert done.returncode == 3
        assert f"run/{file}: " in line
        assert "change " in line
    (folder / "run").chmod(0o755)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("valhalla_build_tiles") is None, reason="needs the extra routes")
def test_routes_need_no_home(folder: Path) -> None:
    words = ("generate", "fable/routes/taint", "--size", "1", "-o", "routes.jsonl")
    done = call(folder, *words, LANG="C", THENCE_CACHE=str(folder / "cache"))
    assert done.returncode == 0, done.stderr
