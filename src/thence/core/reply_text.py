"""Search for the answer in the text of a reply.

Replies are hostile: megabytes of brackets, half a JSON object, an answer quoted before the answer.
Every function takes time linear in the length of the reply, and a `Meter` can count its work.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from json import JSONDecodeError
from typing import Any

import orjson

CLOSE_THINK = "</think>"
OPEN_THINK = "<think>"

# Many starts of objects may have to be tried, and each can cost the length of the reply. Honest
# replies need far fewer reads per character, and have far fewer braces after the answer.
WORK_PER_CHARACTER = 32
MOST_STARTS = 10_000
_INDENTATION = 64  # characters within which an object's first key begins
MINIMUM_WORK = 4096
_PARAGRAPH = 40  # characters of a part of a prompt that no answer has in common with it
LONGEST_INTEGER = 4000  # digits; below Python's own limit on conversion, sys.int_info


def visible(reply: str) -> str:
    """Return the reply without the model's thinking: the text after the last ``</think>``.

    A ``<think>`` that is never closed hides everything: the model was cut off before its answer.
    """
    text = reply.rpartition(CLOSE_THINK)[2]
    return "" if OPEN_THINK in text else text


def unquoted(reply: str, prompt: Sequence[str]) -> str:
    """Return the reply without parts of the prompt that would be read as an answer.

    Args:
        reply: the whole reply, which may repeat its prompt.
        prompt: these parts, word for word.
    """
    for part in prompt:
        reply = reply.replace(part, "\n")
    return reply


def without_prompt(reply: str, prompt: str) -> str:
    """Return the reply without the paragraphs of its prompt, where it repeats the prompt."""
    long = [part for part in prompt.split("\n\n") if len(part) >= _PARAGRAPH]
    if not long or long[0] not in reply or max(long, key=len) not in reply:
        return reply
    return unquoted(reply, long)


def thinking(reply: str) -> str:
    """Return the model's thinking that `visible` leaves out; empty where a reply shows none."""
    before, closed, _ = reply.rpartition(CLOSE_THINK)
    if closed:
        return before.partition(OPEN_THINK)[2] or before
    return reply.partition(OPEN_THINK)[2]


@dataclass(slots=True)
class Meter:
    """A count of the characters that reading a reply has looked at."""

    work: int = 0


def _integer(digits: str) -> int | str:
    """Return an integer, or its digits if it is too long for Python to convert in linear time."""
    return int(digits) if len(digits) <= LONGEST_INTEGER else digits


_decoder = json.JSONDecoder(parse_int=_integer, parse_constant=lambda _: None)


def decode(text: str) -> Any:
    """Return the JSON value of a text; integers longer than LONGEST_INTEGER become digit strings.

    Raises:
        ValueError: the text is not JSON, or nested deeper than any answer.
    """
    try:
        return _decoder.decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def from_last_brace(text: str) -> str:
    """Return the text from the last ``{`` to the last ``}``: the object at a reply's end."""
    start, end = text.rfind("{"), text.rfind("}") + 1
    return text[start:end] if start >= 0 else ""


def parsed(text: str) -> dict[str, Any] | None:
    """Return the object of a text from `from_last_brace`; None where the text is not an object.

    The parser is fast but turns integers beyond 64 bits into floats; `objects_from_the_end` keeps
    them exact.
    """
    if not text:
        return None
    try:
        value: dict[str, Any] = orjson.loads(text)
    except ValueError:
        return None
    return value


def last_object(text: str) -> dict[str, Any] | None:
    """Return the object from the last ``{`` to the last ``}`` of a text, read by `parsed`."""
    return parsed(from_last_brace(text))


def objects_from_the_end(text: str, meter: Meter | None = None) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in a text, in order of their starts from the last to the first.

    Fences, prose and other objects around them do not matter. An object inside another comes before
    the outer one. Integers are exact; those longer than LONGEST_INTEGER are digit strings. The
    search stops after ``WORK_PER_CHARACTER`` reads of each character.
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
                # Creating the error counts lines from the beginning of the text. The error position
                # of an unterminated string is its beginning, not the end of reading.
                reached = len(text) if error.msg.startswith("Unterminated") else error.pos
                meter.work += reached + reached - start
            except RecursionError:
                return  # nested a thousand deep: not an answer to any task
            else:
                meter.work += end - start
                yield value
        start = text.rfind("{", 0, start)


def _may_begin(text: str, start: int) -> bool:
    """Return whether an object may begin here: a cheap test that excludes most braces in prose."""
    following = text[start + 1 : start + 1 + _INDENTATION].lstrip()
    return following[:1] in {'"', "}"}


def keyed(
    text: str, key: str, meter: Meter | None = None, *, whole: bool = False
) -> tuple[Any] | None:
    """Return the value of a key in the last JSON object with that key, in a tuple of one.

    Where no object is complete (cut off, a comma too many), the value after the last mention of the
    key is taken, even if it is a bare word or is cut off itself. Takes linear time.

    Args:
        text: a reply.
        key: a key of the object.
        meter: counts the work.
        whole: whether to accept complete JSON values only, no bare words.
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
    """Return the text after the last "the answer is", to the end of its line, or None."""
    lower = text.lower()
    if len(lower) != len(
        text
    ):  # the lower case of some characters is longer: positions would shift
        lower = text
    start, mark = max((lower.rfind(mark), mark) for mark in _CONCLUSIONS)
    if start < 0:
        return None
    return text[start + len(mark) :].lstrip(" :*_`\"'").partition("\n")[0]
