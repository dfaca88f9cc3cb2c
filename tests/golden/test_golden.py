"""What the command makes is what the golden files hold.

After a change that is meant: ``python -m tests.golden.record PART CASE``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from tests.golden import store
from tests.golden.command import remove_cache
from tests.golden.parts import PARTS

CASES = [
    pytest.param(part, name, id=f"{part}: {name}", marks=[pytest.mark.long] * case.long)
    for part, cases in PARTS.items()
    for name, case in cases.items()
]


@pytest.fixture(scope="session", autouse=True)
def _no_cache_is_left() -> Iterator[None]:
    yield
    remove_cache()


@cache
def stored(part: str) -> dict[str, Any]:
    return store.read(part)


@pytest.mark.parametrize(("part", "name"), CASES)
def test_nothing_has_changed(part: str, name: str) -> None:
    case = PARTS[part][name]
    if why := case.missing():
        pytest.skip(why)
    assert name in stored(part), f"never recorded: python -m tests.golden.record {part} '{name}'"
    try:
        said = store.complaint(part, name, stored(part)[name], case.found())
    except AssertionError as error:
        said = f"golden {part}, case {name!r}: {error}"
    if said:
        pytest.fail(said, pytrace=False)


@pytest.mark.parametrize("part", PARTS)
def test_no_case_is_left_over(part: str) -> None:
    assert list(stored(part)) == list(PARTS[part])
