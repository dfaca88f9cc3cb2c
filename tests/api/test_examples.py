"""The examples in the docstrings of the public names are run as they stand."""

from __future__ import annotations

import doctest
import os
from pathlib import Path

import pytest

import thence

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", thence.__all__)
def test_the_example_of_a_name(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    for key in list(os.environ):
        if key.startswith("THENCE_"):
            monkeypatch.delenv(key)
    found = getattr(thence, name)
    test = doctest.DocTestParser().get_doctest(found.__doc__, {}, name, name, 0)
    assert test.examples, f"{name} has no example"
    told: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append)
    assert not told, "".join(told)
