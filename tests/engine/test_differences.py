"""What is told of two requests that are not the same."""

from __future__ import annotations

from thence.engine.differences import differences


def test_a_value_is_told_with_the_names_that_lead_to_it() -> None:
    one = {"generation": {"temperature": 1.0, "top_p": None}, "model": "x/m"}
    other = {"generation": {"temperature": None, "top_p": None}, "model": "x/n"}
    told = ["generation temperature: 1.0, not null", 'model: "x/m", not "x/n"']
    assert differences(one, other) == told
    assert differences({"system": "a" * 90}, {"system": "b"}) == ["system"]


def test_what_only_the_text_tells_apart_is_told() -> None:
    assert differences({"size": 1}, {"size": 1.0}) == ["size: 1, not 1.0"]
    assert differences({"size": True}, {"size": 1}) == ["size: true, not 1"]
    assert differences({"size": None}, {}) == ["size: null, not nothing"]
