from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from thence.core.digest import canonical_json, compact_json, digest

text = st.text(st.characters())  # lone surrogates too
keys = st.text(st.characters(), max_size=5)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-(2**70), 2**70) | text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def reordered(value: Any) -> Any:
    """An equal value whose objects hold their keys the other way round."""
    if isinstance(value, dict):
        return {key: reordered(value[key]) for key in reversed(value)}
    return [reordered(item) for item in value] if isinstance(value, list) else value


@given(values)
def test_the_order_of_keys_does_not_enter(value: Any) -> None:
    assert canonical_json(value) == canonical_json(reordered(value))
    assert digest(value) == digest(reordered(value))


@given(values, values)
def test_different_values_have_different_texts(one: Any, other: Any) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (canonical_json(one) == canonical_json(other)) is same
    assert (digest(one) == digest(other)) is same


@given(values)
def test_a_line_is_one_line_of_utf_8_that_reads_back(value: Any) -> None:
    line = compact_json(value)
    assert b"\n" not in line.encode("utf-8")
    assert json.loads(line) == value


def test_parts_do_not_run_together() -> None:
    assert len({digest("ab", "c"), digest("a", "bc"), digest("abc"), digest(["ab", "c"])}) == 4
    assert digest("a") == digest("a")
    assert [len(digest("a", size=size)) for size in (4, 8, 16)] == [8, 16, 32]
