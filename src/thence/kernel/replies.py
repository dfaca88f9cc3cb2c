"""Finding the answer in a reply, whatever else it holds.

Replies are hostile: megabytes of brackets, half a JSON object, an answer quoted before the answer.
Everything here does work that is linear in the reply, and counts it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecodeError
from math import isfinite
from typing import Any

CLOSE_THINK = "</think>"
OPEN_THINK = "<think>"

# Each start of an object is tried, so a reply of nested starts would cost its length squared.
# Honest replies stay far below this many reads of each character.
WORK_PER_CHARACTER = 4
MINIMUM_WORK = 4096


def visible(reply: str) -> str:
    """The reply without the model's thinking: what follows the last ``</think>``.

    A ``<think>`` that is never closed hides all that follows it.
    """
    _, closed, rest = reply.rpartition(CLOSE_THINK)
    text = rest if closed else reply
    before, opened, _ = text.partition(OPEN_THINK)
    return before if opened else text


@dataclass(slots=True)
class Meter:
    """Counts the characters that reading a reply has looked at."""

    work: int = 0


def _number(text: str) -> str:
    """An integer as its decimal digits: exact at any size, and compared as text."""
    return "0" if text == "-0" else text


class Inexact(float):
    """A number with a point or an exponent; equal to nothing, as no truth of ours holds one."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]


def _fraction(text: str) -> Inexact | None:
    value = Inexact(text)
    return value if isfinite(value) else None


_decoder = json.JSONDecoder(parse_int=_number, parse_float=_fraction, parse_constant=lambda _: None)


def decode(text: str) -> Any:
    """The JSON value that a text is, with integers as digit strings.

    Raises:
        ValueError: it is not JSON, or nested deeper than any answer is.
    """
    try:
        return _decoder.decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def objects_from_the_end(text: str, meter: Meter | None = None) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text, the one that starts last first; integers become digit strings.

    Fences, prose and other objects around them do not matter. An object inside another is found
    before the one that holds it. Work stops at ``WORK_PER_CHARACTER`` reads of each character.
    """
    meter = meter if meter is not None else Meter()
    limit = meter.work + MINIMUM_WORK + WORK_PER_CHARACTER * len(text)
    start = text.rfind("{")
    while start >= 0 and meter.work < limit:
        try:
            value, end = _decoder.raw_decode(text, start)
        except JSONDecodeError as error:
            # The position of an unterminated string is where it begins, not where reading ended.
            reached = len(text) if error.msg.startswith("Unterminated") else error.pos
            meter.work += max(1, reached - start)
        except RecursionError:
            return  # nested a thousand deep: no answer to any question of ours
        else:
            meter.work += end - start
            if isinstance(value, dict):
                yield value
        start = text.rfind("{", 0, start)
