"""A short portion of the fuzzing, the same each time; ``python -m tests.fuzz`` does more."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.command import settle
from tests.fuzz.driver import fuzz
from tests.fuzz.readers import READERS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it is timed by a signal")
_RUNS = ("run.json", "responses.jsonl", "samples.jsonl of a run", "page of a run")


@pytest.mark.parametrize("name", READERS)
def test_a_reader_returns_or_says_in_one_line_why_not(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(monkeypatch, tmp_path)
    monkeypatch.setenv("THENCE_TRACEBACK", "1")
    most = 3 if name in _RUNS else 20
    assert fuzz(name, 60, str(tmp_path), number=1, most=most).total() >= most
