"""Fresh environments with the built package, as users install it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def uv() -> str:
    """The program uv; skips the test where there is none."""
    found = shutil.which("uv") or str(ROOT / ".tools" / "bin" / "uv")
    if not Path(found).exists():
        pytest.skip("uv is not installed")
    return found


def call(*words: object, folder: Path, **environment: str) -> str:
    """The output of a command that must succeed."""
    bare = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("THENCE_", "VIRTUAL_ENV", "UV_PROJECT", "PYTHON"))
    }
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env={**bare, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def built(folder: Path) -> tuple[Path, Path]:
    """The wheel, and the archive of the sources."""
    call(uv(), "build", "--quiet", "--out-dir", folder, folder=ROOT)
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


def interpreter(version: str) -> str:
    """A Python of a version; skips the test where there is none and uv cannot fetch one."""
    if version == "{}.{}".format(*sys.version_info):
        return sys.executable
    for words in (
        (f"python{version}", "-c", "import sys; print(sys.executable)"),
        (uv(), "python", "find", "--no-project", "--managed-python", version),
        (uv(), "python", "install", "--quiet", version),
        (uv(), "python", "find", "--no-project", "--managed-python", version),
    ):
        with suppress(FileNotFoundError):
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode == 0 and done.stdout.strip():
                return done.stdout.strip()
    pytest.skip(f"Python {version} is not here, and uv cannot fetch it")


def environment(folder: Path, wheel: Path, version: str, *extras: str) -> Path:
    """The folder of the programs of a fresh environment with the wheel and some extras."""
    place = folder / f"python {version}"
    call(uv(), "venv", "--quiet", "--python", interpreter(version), place, folder=folder)
    wanted = f"thence[{','.join(extras)}] @ {wheel.as_uri()}" if extras else str(wheel)
    python = place / "bin" / "python"
    call(uv(), "pip", "install", "--quiet", "--python", python, wanted, folder=folder)
    return place / "bin"
