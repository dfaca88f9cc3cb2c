"""No reply to an extraction is a fault: what comes of any of them is a procedure, or a line."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

from tests.api.test_extract import STEPS, TEXT, links
from thence.procedures import parse_document
from thence.procedures.yaml_writer import yaml_text
from thence.prompts import template_loader
from thence.prompts.extracting import MOST_TURNS, ExtractionConversation

ODD: list[Any] = [
    None, True, 0, -1, 3, 10**30, 1.5, "", "a\nb", "\ud800", "\0\a", "on", "1", "water: x", "- x",
    "[", {}, [], {"fact": "x"}, ["a", 1, None], {"a": {"b": []}}, "é" * 300, "<<", "*a", "!!t",
    "x\u2028y", "\ufeff", "\u0085", "step 1", "tea",
]  # fmt: skip
BROKEN = ["", "{", "[]", "{}", "null", '{"steps":', '{"steps":[{"words":"Boil"}]}', "<think>"]


def places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [place] if place else []
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    return found + [each for key in keys for each in places(value[key], (*place, key))]


def altered(value: Any, rng: Random) -> Any:
    value = copy.deepcopy(value)
    for _ in range(rng.randint(1, 4)):
        *way, last = rng.choice(places(value))
        inner = value
        for key in way:
            inner = inner[key]
        inner[last] = copy.deepcopy(rng.choice(ODD))
        if not places(value):
            break
    return value


def test_any_reply_ends_in_a_procedure_or_in_a_line() -> None:
    rng, render = Random(5), template_loader.templates().render
    read = 0
    for _ in range(80):
        talk, turns, asks = ExtractionConversation(TEXT, "tea", render), 0, True
        while asks:
            first = "Find the procedure" in talk.messages[0]["content"]
            whole = altered(STEPS if first else links(), rng)
            reply = rng.choice(BROKEN) if rng.random() < 0.1 else json.dumps(whole)
            asks = talk.hear(reply)
            turns += 1
        assert turns <= MOST_TURNS
        assert talk.row or talk.problem
        if talk.row:
            read += 1
            text = yaml_text({**talk.row, "reviewed": False})
            assert parse_document(text, Path("x")).flow.steps
            text.encode()
    assert read > 20
