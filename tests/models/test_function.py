"""What tells one function from another as a model."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Any

import pytest

from thence.models.function import FunctionModel
from thence.models.function_identity import identity

_PATTERN = re.compile("yes|no")


def closure(word: str) -> Callable[..., str]:
    def say(messages: object) -> str:
        return word

    return say


def decorated(word: str) -> Callable[..., str]:
    @wraps(closure)
    def say(messages: object) -> str:
        return closure(word)(messages)

    return say


def plain(messages: object, word: str = "yes") -> str:
    return word if _PATTERN.match(word) else ""


def keyword(word: str) -> Callable[..., str]:
    def say(messages: object, *, said: str = word) -> str:
        return said

    return say


class Says:
    kept: dict[str, Any]

    def __init__(self, word: Any) -> None:
        self.word = word

    def __call__(self, messages: object) -> str:
        return str(self.word)

    say = __call__


class Slotted:
    __slots__ = ("word",)

    def __init__(self, word: str) -> None:
        self.word = word

    def __call__(self, messages: object) -> str:
        return self.word


@dataclass(frozen=True)
class Record:
    word: str

    def __call__(self, messages: object) -> str:
        return self.word


def defaulted(word: str) -> Callable[..., str]:
    return lambda messages, w=word: w


def global_name(word: str) -> Callable[..., str]:
    names: dict[str, Any] = {"WORD": word}
    exec("def say(messages):\n    return WORD", names)
    return names["say"]  # type: ignore[no-any-return]


MAKERS = {
    "closure": closure,
    "decorated": decorated,
    "keyword": keyword,
    "default": defaulted,
    "partial": lambda word: partial(plain, word=word),
    "object": Says,
    "slots": Slotted,
    "dataclass": Record,
    "method": lambda word: Says(word).say,
    "method of a dictionary": lambda word: {"a": word}.get,
    "global": global_name,
    "nested": lambda word: closure([{"a": (word, Says(word))}]),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
def test_functions_that_hold_other_values_have_other_names(make: Callable[[str], Any]) -> None:
    assert identity(make("yes")) is not None
    assert FunctionModel(make("yes")).name == FunctionModel(make("yes")).name
    assert FunctionModel(make("yes")).name != FunctionModel(make("no")).name


def test_a_value_without_a_stable_form_gives_a_new_name_each_time() -> None:
    function = closure(threading.Lock())  # type: ignore[arg-type]
    first, second = FunctionModel(function), FunctionModel(function)
    assert first.name != second.name
    assert FunctionModel(function, "mine").name == "function/mine"


def test_a_function_that_holds_itself_has_a_name() -> None:
    held: list[Any] = []
    held.append(closure(held))  # type: ignore[arg-type]
    assert identity(held[0]) is not None


_PROGRAM = """
from thence.models.function import FunctionModel
NAMES = {"user", "system", "assistant", ("a", frozenset("xyz"))}
def say(messages):
    return "no" if messages[-1]["role"] in {"user", "system", "assistant"} else str(NAMES)
print(FunctionModel(say).name)
"""


def test_the_name_is_the_same_in_every_process(tmp_path: Path) -> None:
    names = set()
    for seed in "124":
        command = [sys.executable, "-c", _PROGRAM]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        )
        names.add(done.stdout)
    assert len(names) == 1
