from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thence.core.reply_text import (
    MINIMUM_WORK,
    MOST_STARTS,
    WORK_PER_CHARACTER,
    Meter,
    decode,
    last_object,
    objects_from_the_end,
    visible,
)

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


fragments = st.lists(st.sampled_from(["<think>", "</think>", "<", "think", ">", "a", "{}", " "]))


@given(fragments.map("".join))
def test_what_is_visible_stands_after_the_last_thought(reply: str) -> None:
    seen = visible(reply)
    assert seen in reply
    assert "<think>" not in seen
    assert "</think>" not in seen
    assert reply.rfind(seen) >= reply.rfind("</think>")


# Numbers ----------------------------------------------------------------------------------------


def test_integers_are_exact_at_any_size() -> None:
    for digits in ("7", "-7", "9" * 19, "9" * 20, "-" + "9" * 40, "9" * 4000):
        number = int(digits)
        assert decode(digits) == number
        assert next(objects_from_the_end(f'so {{"a": {digits}}}.')) == {"a": number}
    assert [decode(text) for text in ("0", "-0")] == [0, 0]


def test_integers_beyond_all_use_are_their_digits() -> None:
    digits = "9" * 10_000
    assert decode(f"[{digits}, -{digits}]") == [digits, "-" + digits]
    assert next(objects_from_the_end(f'{{"a": {digits}}}')) == {"a": digits}


def test_what_is_no_number_is_nothing() -> None:
    assert decode("[NaN, Infinity, -Infinity]") == [None] * 3


@pytest.mark.parametrize("text", ["", " ", "01", "{", "[1,]", "'a'", '"a', "[" * 100_000])
def test_what_is_not_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        decode(text)


# Objects ----------------------------------------------------------------------------------------

json_values = st.recursive(
    st.none() | st.booleans() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
json_objects = st.dictionaries(st.text(), json_values, max_size=4)
prose = st.text(st.characters(exclude_characters="{"))


@given(prose, json_objects, prose, st.sampled_from([None, 1]))
def test_an_object_is_found_whatever_stands_around_it(
    before: str, value: dict[str, Any], after: str, indent: int | None
) -> None:
    *_, found = objects_from_the_end(before + json.dumps(value, indent=indent) + after)
    assert found == value


@given(st.lists(st.dictionaries(prose, st.none() | st.booleans() | prose, max_size=3), max_size=5))
def test_the_last_comes_first(values: list[dict[str, Any]]) -> None:
    reply = "then\n".join(json.dumps(value) for value in values)
    assert list(objects_from_the_end(reply)) == values[::-1]


def test_an_inner_object_comes_before_the_one_that_holds_it() -> None:
    assert list(objects_from_the_end('{"a": {"b": {}}}')) == [{}, {"b": {}}, {"a": {"b": {}}}]


@pytest.mark.parametrize("size", [100, 500, 520, 1000, 1030, 5000, 100_000])
@pytest.mark.parametrize("filler", ["x", "\\n", "\\u00e9", "é", "🎲", " "])
def test_long_objects_are_read_whole(size: int, filler: str) -> None:
    """Wherever a reader that takes a reply in parts may cut it."""
    for shift in range(14):
        text = "x" * shift + filler * (size // len(filler))
        value = json.loads(f'{{"a": "{text}", "b": [true, null, 12345678901234567890]}}')
        reply = f'{{"a": "{text}", "b": [true, null, 12345678901234567890]}}'
        assert next(objects_from_the_end(reply)) == last_object(reply) == value
        assert next(objects_from_the_end(reply + " and so on }")) == value


@given(prose, st.dictionaries(prose, json_values, max_size=3), prose)
def test_the_fast_reader_agrees_or_gives_up(before: str, value: dict[str, Any], end: str) -> None:
    reply = before + json.dumps(value) + end
    assert last_object(reply) in (next(objects_from_the_end(reply)), None)
    assert last_object(before + end) is None


@given(st.lists(st.sampled_from([*'{}[]":,a1.', "\\u00", "null", "\ud800", " "])).map("".join))
def test_the_fast_reader_reads_any_text(text: str) -> None:
    found = last_object(text)
    assert found is None or found == next(objects_from_the_end(text))


# Hostile replies --------------------------------------------------------------------------------

HOSTILE = {
    "braces": "{",
    "quoted braces": '{"',
    "keys": '{"a":',
    "keys without a colon": '{"a"',
    "empty objects": "{}",
    "small objects": '{"a":1}',
    "closed braces": "}",
    "brackets": "[",
    "brackets in an object": '{"a":[',
    "nested lists and objects": '[{"a":',
    "quotes": '"',
    "backslashes": "\\",
    "escaped quotes": '{"\\"',
    "half an escape": '{"\\u12',
    "NULs": "\0",
    "NULs in braces": "{\0",
    "lone surrogates": "\ud800",
    "escaped surrogates": '{"\\ud800',
    "newlines": "\n",
    "braces and newlines": "{\n",
    "spaces in braces": "{" + " " * 700,
    "long strings": '{"' + "x" * 700,
    "long numbers": '{"a":' + "1" * 700,
    "thoughts": "<think>",
    "answers": '{"intermediate": [], "final": "a"}',
    "half answers": '{"intermediate": ["a", ',
}


class Counted(str):
    """A text that counts what is looked at to word an error: the lines before its position."""

    __slots__ = ("looked_at",)

    looked_at: int

    def count(self, sub: str, start: Any = 0, end: Any = None) -> int:
        self.looked_at += (len(self) if end is None else end) - start
        return super().count(sub, start, len(self) if end is None else end)


def bound(text: str) -> int:
    """The work that a text may cost; the last try may cost its length twice on top."""
    return MINIMUM_WORK + (WORK_PER_CHARACTER + 2) * len(text)


def cost(text: str) -> int:
    meter = Meter()
    assert sum(1 for _ in objects_from_the_end(text, meter)) <= MOST_STARTS
    return meter.work


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_work_is_linear_in_a_hostile_reply(piece: str) -> None:
    short = Counted(piece * (20_000 // len(piece)))
    short.looked_at = 0
    assert cost(short) <= bound(short)
    assert short.looked_at <= bound(short)
    long = piece * (10_000_000 // len(piece))
    assert cost(long) <= bound(long)


def test_what_is_nested_around_an_answer_does_not_hide_it() -> None:
    for opened, closed in (("[", "]"), ('{"a":', "}")):
        reply = opened * 100_000 + ' {"final": "yes"} ' + closed * 100_000
        assert next(objects_from_the_end(reply)) == {"final": "yes"}


@given(st.lists(st.sampled_from([*HOSTILE.values(), "a", "1", ",", ":", "]", "}"]), max_size=40))
def test_any_mixture_is_read_without_an_exception(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert cost(text) <= bound(text)


@given(st.text(st.characters()))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    assert cost(text) <= bound(text)
