"""Extras: each is listed with what it adds."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.cli.command import thence
from thence.core import extras

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_every_extra_is_listed_with_what_it_adds(monkeypatch: pytest.MonkeyPatch) -> None:
    declared = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["optional-dependencies"]
    listed = {row["extra"]: row for row in thence("list", "extras", "--json").json()}
    assert sorted(listed) == sorted(declared)
    assert all(row["adds"] for row in listed.values())
    assert "pip install 'thence[NAME,NAME]'" in thence("list", "extras").out


def test_an_extra_is_installed_when_all_its_packages_are(monkeypatch: pytest.MonkeyPatch) -> None:
    held = ['orjson>=3.10 ; extra == "one"', "click; extra == 'two'", "no-such; extra == 'two'"]
    monkeypatch.setattr(extras.metadata, "requires", lambda name: ["rich>=13", *held])
    assert extras.missing("one") == []
    assert extras.missing("two") == ["no-such"]
