"""Every test works in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import settle


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settle(monkeypatch, tmp_path)
