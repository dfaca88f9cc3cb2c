"""JSON as people and models write it, and what is none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thence.core.relaxed_json import BROKEN, LONGEST, MOST_TOKENS, Meter, decode, groups

READ: dict[str, tuple[str, Any]] = {
    "JSON": ('{"a": [1, -2.5, "x", true, null]}', {"a": [1, -2.5, "x", True, None]}),
    "trailing commas": ('{"a": [1, 2,], "b": {"c": 3,},}', {"a": [1, 2], "b": {"c": 3}}),
    "Python": ("{'a': (1, None), 'b': True, 'c': ('x',)}", {"a": [1, None], "b": True, "c": ["x"]}),
    "round brackets": ("{'a': ('x')}", {"a": "x"}),
    "curly quotes": ("{“a”: “it\u2019s”, \u2018b\u2019: „c“}", {"a": "it\u2019s", "b": "c"}),
    "backticks": ("{`a`: `b`}", {"a": "b"}),
    "escaped quotes": (r'{\"a\": [\"b\"]}', {"a": ["b"]}),
    "comments": ('{"a": 1, // one\n/* two */ "b": 2 # three\n}', {"a": 1, "b": 2}),
    "a key without quotes": ("{a: 1, final state: 2, 3: 4}", {"a": 1, "final state": 2, "3": 4}),
    "words without quotes": ("{a: [x, y-z], b: undefined}", {"a": ["x", "y-z"], "b": None}),
    "odd spaces": ('{\u00a0"a"\u202f:\u3000[\u200b1,\ufeff2]}', {"a": [1, 2]}),
    "thousands in an object": ('{"a": 2,916, "b": -3,000,000}', {"a": 2916, "b": -3000000}),
    "numbers in a list": ("[2,916]", [2, 916]),
    "leading zeros": ("[007, -01, 0]", ["007", "-01", 0]),
    "a minus of typesetters": ("[\u22125]", [-5]),
    "escapes": (r"""{'a': 'x\'y', "b": "\u00e9\n", 'c': '\x41', 'd': '\_'}""",
                {"a": "x'y", "b": "é\n", "c": "A", "d": "_"}),
    "LaTeX": (r'\{"a": [1, 2]\}'[1:], {"a": [1, 2]}),
    "lists in lists": ("[[1, 'a'], [\"b\", [2]]]", [[1, "a"], ["b", [2]]]),
    "nothing": ("{}", {}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), READ.values(), ids=READ.keys())
def test_what_people_and_models_write_is_read(text: str, value: Any) -> None:
    for reply in (text, f"So: {text} or so, I'd say."):
        (found,) = groups(reply)
        assert found.value == value
        assert reply[found.start : found.end] == text
    assert decode(text) == value


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 1}',
        "{a: 1, 'a': 2}",
        '{"a": ["x" "y"]}',
        '{"a": ["x", "y", ...]}',
        '{"a": ["x",, "y"]}',
        '{"a": [,]}',
        '{"a": }',
        '{"a" 1}',
        '{"a": 1',
        '{"a": [1}',
        "{'a': 'it's'}",
        '{"a": "b\nc"}',
        '{"a": x y}',
        '{"a": 1.2.3}',
        '{"a": 1,000,00}',
        r'{"a": "\q"}',
        "{S1, S2}",
    ],
)
def test_nothing_is_invented(text: str) -> None:
    assert groups(text)[0].value is BROKEN
    with pytest.raises(ValueError):
        decode(text)


def test_what_is_complete_in_a_broken_object_follows_it() -> None:
    found = groups('{"a": {"b": [1]}, "c": [2] [3]} {"d": 4}')
    assert [each.value for each in found] == [BROKEN, {"b": [1]}, [2], [3], {"d": 4}]
    found = groups('{"we have {"a": 1}')
    assert [each.value for each in found] == [BROKEN, {"a": 1}]


def test_integers_are_exact_at_any_size() -> None:
    for digits in ("7", "-7", "9" * 19, "9" * 20, "-" + "9" * 40, "9" * 4000):
        assert decode(digits) == int(digits)
        assert groups(f'so {{"a": {digits}}}.')[0].value == {"a": int(digits)}
    digits = "9" * 10_000
    assert decode(f"[{digits}, -{digits}]") == [digits, "-" + digits]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=8,
)
prose = st.text(st.characters(exclude_characters="{[\\"))


@given(
    prose, st.dictionaries(st.text(st.characters(codec="utf-8")), json_values, max_size=4), prose
)
def test_all_json_is_read(before: str, value: dict[str, Any], after: str) -> None:
    for indent in (None, 1):
        found = groups(before + json.dumps(value, indent=indent) + after)[0]
        assert found.value == value
        assert found.start == len(before)


HOSTILE = (
    "{", '{"', '{"a":', '{"a"', "{}", '{"a":1}', "}", "[", '{"a":[', '[{"a":', '"', "'", "\\",
    '{"\\"', '{"\\u12', "{\0", '{"\ud800', '{"\\ud800', "{\n", "{" + " " * 700, '{"' + "x" * 700,
    '{"a":' + "1" * 700, "{'", "{`", "{“", "{//", "{/*", "{#", "{a", "{a:", "[1,", "[[1],", "[(",
    '{\\"', '["{"', '["a{b" ', '{"a":"\\\\', '[""', "{/*{ ", '{"a":1,"a":', "{1,000,",
    '{"a":1,000,', "{\\{", "[ " + " " * 50, '{"intermediate": ["a", ',
)  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_work_is_linear_and_bounded(piece: str) -> None:
    for length in (20_000, 2_000_000):
        meter = Meter()
        found = groups(piece * (length // len(piece)), meter)
        assert meter.work <= min(length, LONGEST) + MOST_TOKENS + 2
        assert len(found) <= MOST_TOKENS


@given(st.lists(st.sampled_from([*HOSTILE, "a", "1", ",", ":", "]", "}", "()"]), max_size=40))
def test_any_mixture_is_read_without_an_exception(pieces: list[str]) -> None:
    text = "".join(pieces)
    place = 0
    for group in groups(text):
        assert 0 <= group.start < group.end <= len(text)
        assert group.start >= place
        place = group.start


@given(st.text(st.characters()))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    groups(text)
    groups(f"{{{text}}}")
