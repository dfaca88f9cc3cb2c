"""A program that is not installed is named with the extra that brings it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import thence
from tests.cli.command import refused, settle
from thence.integrations import for_trainers


@pytest.mark.parametrize(
    ("module", "arguments", "extra"),
    [
        ("inspect_ai", ("import", "x.eval", "-o", "run"), "inspect"),
        ("inspect_ai", ("export", "inspect", "run", "-o", "x.eval"), "inspect"),
        ("pyarrow", ("generate", "catbench", "--size", "3", "-o", "hub/"), "parquet"),
    ],
)
def test_a_command_names_the_extra(
    module: str,
    arguments: tuple[str, ...],
    extra: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settle(monkeypatch, tmp_path)
    monkeypatch.setitem(sys.modules, module, None)
    refused(*arguments, says=(f"pip install 'thence[{extra}]'",))


def test_data_for_trainers_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    for make in (for_trainers.dataset, for_trainers.stream):
        with pytest.raises(thence.ThenceError, match=r"pip install 'thence\[datasets\]'"):
            make("catbench")
