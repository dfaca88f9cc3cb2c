"""The site of `make docs`: built without a warning, whole, and read without a network."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ELSEWHERE = r"""["']?(?:https?:)?//[^"'>;)]+"""
LOADED = re.compile(
    rf"<(?:script|img|iframe|source|video)[^>]*\ssrc={ELSEWHERE}"
    rf"|<link[^>]*rel=.?(?:stylesheet|preload|preconnect|icon)[^>]*href={ELSEWHERE}"
    rf"|url\(\s*{ELSEWHERE}|@import\s+{ELSEWHERE}"
)


@pytest.mark.long
def test_the_site_is_built_without_a_warning_and_loads_nothing_from_elsewhere(
    tmp_path: Path,
) -> None:
    pytest.importorskip("furo")
    pytest.importorskip("myst_parser")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    site = tmp_path / "site"
    done = subprocess.run(
        [*command, "-d", str(tmp_path / "trees"), str(ROOT / "docs"), str(site)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert '"guides/planning"' in (site / "searchindex.js").read_text("utf-8")
    files = [path for path in site.rglob("*") if path.suffix in {".html", ".css", ".js", ".svg"}]
    found = {
        (path.name, each[0]) for path in files for each in LOADED.finditer(path.read_text("utf-8"))
    }
    assert not found
