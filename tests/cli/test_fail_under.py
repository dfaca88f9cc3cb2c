"""Status 1 where an accuracy is lower than it must be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import refused, settle, thence

RUN = ("run", "catbench", "--size", "30", "--model", "baseline/oracle", "-o", "run")


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch, tmp_path)


def test_an_accuracy_is_held_to_a_share_and_so_is_the_end_of_its_interval() -> None:
    thence(*RUN, "--fail-under", "catbench=1", "--fail-under-low", "catbench/order=0.4")
    thence("score", "run", "--json", "--fail-under", "catbench=0.9")
    done = thence("score", "run", "--fail-under", "catbench=1", "--fail-under-low", "catbench=0.99",
                  status=1)  # fmt: skip
    (line,) = done.err.splitlines()
    assert line.startswith("thence: --fail-under-low: baseline/oracle: catbench is 0.")
    assert line.endswith(", below 0.99")


def test_what_was_not_asked_is_no_success() -> None:
    done = thence(*RUN, "--fail-under", "procbench/sort=0", status=1)
    assert "--fail-under: baseline/oracle: procbench/sort is unknown, below 0" in done.err


def test_a_wrong_name_or_share_is_refused_before_anything_is_asked() -> None:
    refused(*RUN, "--fail-under", "catbensh=1", says=("did you mean 'catbench'",))
    for share in ("2", "x", "nan"):
        refused(*RUN, "--fail-under", f"catbench={share}", says=("must be from 0 to 1",))
    refused(*RUN, "--fail-under-low", "catbench", says=("--fail-under-low catbench: must be KEY=",))
