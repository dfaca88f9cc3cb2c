"""A dataset as one of Hugging Face's, where that package is installed."""

from __future__ import annotations

import json

import pytest

import thence


def test_rows_are_those_of_the_frame() -> None:
    pytest.importorskip("datasets")
    made = thence.generate("procbench/sort", size=4)
    found = made.to_hf()
    assert found.num_rows == 4
    assert [row["id"] for row in found] == [sample.id for sample in made]
    assert json.loads(found[0]["target"]) == made[0].target


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "datasets", None)
    with pytest.raises(thence.ThenceError, match=r"thence\[datasets\]"):
        thence.generate("procbench/sort", size=1).to_hf()
