"""Search for the answer in the text of a reply.

Replies are hostile: megabytes of brackets, half a JSON object, an answer quoted before the answer.
Every function takes time linear in the length of the reply.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from thence.core.relaxed_json import BROKEN, Meter, groups

CLOSE_THINK = "</think>"
OPEN_THINK = "<think>"

_PARAGRAPH = 40  # characters of a part of a prompt that no answer has in common with it
_LONGEST_VALUE = 1_000_000  # characters of a value in a broken object
_decoder = json.JSONDecoder(parse_constant=lambda _: None)


def visible(reply: str) -> str:
    """Return the reply without the model's thinking: the text after the last ``</think>``.

    A ``<think>`` that is never closed hides everything: the model was cut off before its answer.
    """
    text = reply.rpartition(CLOSE_THINK)[2]
    return "" if OPEN_THINK in text else text


def last_match(pattern: re.Pattern[str], text: str, start: int = 0) -> re.Match[str] | None:
    """Return the last match of a pattern in a text, from a place on; None where there is none."""
    found = deque(pattern.finditer(text, start), maxlen=1)
    return found[0] if found else None


def unquoted(reply: str, prompt: Sequence[str]) -> str:
    """Return the reply with blanks for parts of the prompt that would be read as an answer.

    All other characters keep their places.

    Args:
        reply: the whole reply, which may repeat its prompt.
        prompt: these parts, word for word.
    """
    for part in prompt:
        reply = reply.replace(part, " " * (len(part) - 1) + "\n")
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


def parsed(text: str) -> dict[str, Any] | None:
    """Return the object that a text is, from its first character to its last; None for others.

    The parser is fast but turns integers beyond 64 bits into floats, and takes the last of two
    values of a key.
    """
    if not text:
        return None
    try:
        value = orjson.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def keyed(text: str, key: str, meter: Meter | None = None, *, whole: bool = False) -> Keyed | None:
    """Return the last value of a key in the JSON objects of a text, as `relaxed_json` reads them.

    Where the last object with that key is broken (cut off, a quote too many), the value after the
    mention of the key is taken, even if it is a bare word or is cut off itself; a key that it
    mentions twice has none. Takes linear time.

    Args:
        text: a reply.
        key: a key of the object.
        meter: counts the work.
        whole: whether to accept complete values only, no bare words.
    """
    start, end = text.rfind("{"), text.rfind("}") + 1
    quoted = f'"{key}"'
    found = parsed(text[start:end]) if 0 <= start < end else None
    if found is not None and key in found and text.count(quoted, start) == 1:
        return Keyed(found[key], (start, end))
    held: Keyed | None = None
    if quoted not in text:
        quoted = f"'{key}'" if f"'{key}'" in text else key
    if "{" in text:
        for group in reversed(groups(text, meter)):
            value = None if group.value is BROKEN else _last_with(group.value, key)
            if value is not None:
                held = Keyed(value[key], (group.start, group.end))
                break
    after = held.span[1] if held else 0
    place = text.rfind(quoted, after)
    if place < 0 or quoted == key or not text[place + len(quoted) :].lstrip().startswith(":"):
        return held
    earlier = text.rfind(quoted, after, place)
    if earlier >= 0 and "{" not in text[earlier:place]:
        return None
    return _after_mention(text, text.index(":", place + len(quoted)) + 1, place, whole=whole)


class Keyed(NamedTuple):
    """A value of a key, and the place of the object or of the mention that has it."""

    value: Any
    span: tuple[int, int]


def _last_with(value: Any, key: str) -> dict[str, Any] | None:
    """Return the last object with a key in a value, or None."""
    waiting, found = [value], None
    while waiting:
        held = waiting.pop()
        if type(held) is dict:
            found = held if key in held else found
            waiting.extend(reversed(held.values()))
        elif type(held) is list and held and type(held[0]) in (dict, list):
            waiting.extend(reversed(held))
    return found


def _after_mention(text: str, begin: int, place: int, *, whole: bool) -> Keyed | None:
    rest = text[begin : begin + _LONGEST_VALUE].lstrip()
    try:
        return Keyed(_decoder.raw_decode(rest)[0], (place, len(text)))
    except (ValueError, RecursionError):
        if whole:
            return None
        word = rest.partition("\n")[0].partition(",")[0].strip(" \t\r}'\"")
        return Keyed(word, (place, len(text))) if word else None


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
