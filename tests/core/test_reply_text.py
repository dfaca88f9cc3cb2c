from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thence.core.reply_text import parsed, visible

# Thinking ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "seen"),
    [
        ("plain", "plain"),
        ("", ""),
        ("<think>a</think>b", "b"),
        ("a</think>b", "b"),
        ("<think>a</think>b<think>c</think>d", "d"),
        ("<think>a</think>b<think>c", ""),
        ("<think>never closed", ""),
        ("before<think>never closed", ""),
        ("<think>a<think>b</think>c", "c"),
        ("<think></think>", ""),
    ],
)
def test_what_a_model_thinks_is_not_its_answer(reply: str, seen: str) -> None:
    assert visible(reply) == seen


def test_only_an_object_is_taken_for_one() -> None:
    assert parsed('{"a": 1}') == {"a": 1}
    assert [parsed(text) for text in ("[1]", "1", '"a"', "null", "", "{")] == [None] * 6


fragments = st.lists(st.sampled_from(["<think>", "</think>", "<", "think", ">", "a", "{}", " "]))


@given(fragments.map("".join))
def test_what_is_visible_stands_after_the_last_thought(reply: str) -> None:
    seen = visible(reply)
    assert seen in reply
    assert "<think>" not in seen
    assert "</think>" not in seen
    assert reply.rfind(seen) >= reply.rfind("</think>")
