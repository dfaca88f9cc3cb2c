"""Finding the answer in a reply, whatever else it holds.

Replies are hostile: megabytes of brackets, half a JSON object, an answer quoted before the answer.
Everything here does work that is linear in the reply, and counts it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecodeError
from typing import Any

import orjson

CLOSE_THINK = "</think>"
OPEN_THINK = "<think>"
_MARK = ">"  # ends both; one character is looked for quicker than several

# Many starts of objects may have to be tried, and each can cost the length of the reply. Honest
# replies stay far below this many reads of each character, and this many braces after the answer.
WORK_PER_CHARACTER = 32
MOST_STARTS = 10_000
_INDENTATION = 64  # characters within which an object's first key begins
MINIMUM_WORK = 4096
LONGEST_INTEGER = 4000  # digits; below Python's own limit on conversion, sys.int_info


def visible(reply: str) -> str:
    """The reply without the model's thinking: what follows the last ``</think>``.

    A ``<think>`` that is never closed hides everything: who thinks still has not answered.
    """
    if _MARK not in reply:  # most replies
        return reply
    _, closed, rest = reply.rpartition(CLOSE_THINK)
    text = rest if closed else reply
    return "" if OPEN_THINK in text else text


@dataclass(slots=True)
class Meter:
    """Counts the characters that reading a reply has looked at."""

    work: int = 0


def _integer(digits: str) -> int | str:
    """An integer; as its digits where it is too long for Python to convert in linear time."""
    return int(digits) if len(digits) <= LONGEST_INTEGER else digits


_decoder = json.JSONDecoder(parse_int=_integer, parse_constant=lambda _: None)


def decode(text: str) -> Any:
    """The JSON value that a text is; integers beyond LONGEST_INTEGER are digit strings.

    Raises:
        ValueError: it is not JSON, or nested deeper than any answer is.
    """
    try:
        return _decoder.decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def from_last_brace(text: str) -> str:
    """What stands from the last ``{`` to the last ``}``, in which a plain reply ends."""
    start, end = text.rfind("{"), text.rfind("}") + 1
    return text[start:end] if start >= 0 else ""


def parsed(text: str) -> dict[str, Any] | None:
    """The object that a text from `from_last_brace` is; None where it is none.

    It is read by a fast parser, which makes floats of integers beyond 64 bits; where an exact value
    matters that this may have spoilt, `objects_from_the_end` gives it.
    """
    if not text:
        return None
    try:
        value: dict[str, Any] = orjson.loads(text)
    except ValueError:
        return None
    return value


def last_object(text: str) -> dict[str, Any] | None:
    """The object that `from_last_brace` finds in a text, as `parsed` reads it."""
    return parsed(from_last_brace(text))


def objects_from_the_end(text: str, meter: Meter | None = None) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text, the one that starts last first.

    Fences, prose and other objects around them do not matter. An object inside another is found
    before the one that holds it. Integers are exact; those beyond LONGEST_INTEGER are digit
    strings. Work stops at ``WORK_PER_CHARACTER`` reads of each character.
    """
    meter = meter if meter is not None else Meter()
    limit = meter.work + MINIMUM_WORK + WORK_PER_CHARACTER * len(text)
    meter.work += len(text)
    start = text.rfind("{")
    for _ in range(MOST_STARTS):
        if start < 0 or meter.work >= limit:
            return
        meter.work += 1
        if _may_begin(text, start):
            try:
                value, end = _decoder.raw_decode(text, start)
            except JSONDecodeError as error:
                # Making the error counts lines from the beginning of the text. The position of an
                # unterminated string is where it begins, not where reading ended.
                reached = len(text) if error.msg.startswith("Unterminated") else error.pos
                meter.work += reached + reached - start
            except RecursionError:
                return  # nested a thousand deep: no answer to any question of ours
            else:
                meter.work += end - start
                yield value
        start = text.rfind("{", 0, start)


def _may_begin(text: str, start: int) -> bool:
    """Whether an object may begin here: most braces of prose and formulas are told at a glance."""
    following = text[start + 1 : start + 1 + _INDENTATION].lstrip()
    return following[:1] in {'"', "}"}


def keyed(
    text: str, key: str, meter: Meter | None = None, *, whole: bool = False
) -> tuple[Any] | None:
    """The value of a key in the last JSON object that has it, in a tuple of one.

    Where no object is whole (cut off, a comma too many), the value behind the key's last mention
    is taken, even if it is a mere word or is cut off itself. Work is linear in the text.

    Args:
        text: a reply.
        key: of the object.
        meter: counts the work.
        whole: whether only JSON values count, no mere words.
    """
    quoted = f'"{key}"'
    if quoted in text:
        for found in objects_from_the_end(text, meter):
            if key in found:
                return (found[key],)
    else:
        quoted = f"'{key}'"
    _, mentioned, rest = text.rpartition(quoted)
    rest = rest.lstrip()
    if not mentioned or not rest.startswith(":"):
        return None
    rest = rest[1:].lstrip()
    try:
        return (_decoder.raw_decode(rest)[0],)
    except (ValueError, RecursionError):
        if whole:
            return None
        word = rest.partition("\n")[0].partition(",")[0].strip(" \t\r}'\"")
        return (word,) if word else None


_CONCLUSIONS = ("answer is", "answer:", "answer must be", "answer would be")


def concluded(text: str) -> str | None:
    """What follows the last "the answer is" of a text, to the end of its line, or None."""
    lower = text.lower()
    if len(lower) != len(text):  # characters whose small letters are two: places would not fit
        lower = text
    place, mark = max((lower.rfind(mark), mark) for mark in _CONCLUSIONS)
    if place < 0:
        return None
    return text[place + len(mark) :].lstrip(" :*_`\"'").partition("\n")[0]
