"""Reading a sequence of states from a free reply.

The rules apply in this order, and the name of the successful rule is kept with the score:

1. ``json``: the last JSON object with both keys whose states have the task's types;
2. ``json_untyped``: the last JSON object with both keys, the first of them a list;
3. ``labelled_list``: the last lines that begin with "intermediate ..." and "final ...", each with a
   JSON value after its colon or with one state per line below it.

The model's thinking before its reply is not read.
"""

from __future__ import annotations

import re
from typing import Any

import orjson

from thence.core.reply_text import (
    Meter,
    decode,
    from_last_brace,
    objects_from_the_end,
    parsed,
    visible,
)
from thence.core.score import Answer
from thence.families.procbench.shapes import Shape, is_integer

_DECORATION = " \t\r#*_>`-•"  # characters allowed before a label
_WRAPPING = " \t\r*_`"  # characters stripped from a state; no dash, as a state may begin with one
_QUOTES = "\"'"
_BULLETS = ("> ", "- ", "* ", "• ")
MOST_LINES = 10_000  # lines searched at the end of a reply; more than any answer has states
_LABEL = 60  # longest label up to its colon, and longest decoration before it


def _label(word: str) -> re.Pattern[str]:
    """Return a pattern for a line's beginning, up to the colon of a label with this first word."""
    # "Finally" and "Finale" are not labels, "Finals" is. The ``+`` after a count is possessive: it
    # prevents backtracking.
    more = rf"(?!s?+[a-zÀ-ɏ])[^:]{{0,{_LABEL - len(word) - 1}}}:"
    return re.compile(rf"[{re.escape(_DECORATION)}]{{0,{_LABEL}}}+(?i:{word}{more})", re.ASCII)


_INTERMEDIATE, _FINAL = _label("intermediate"), _label("final")


def read_states(
    reply: str,
    states: Shape,
    final: Shape,
    meter: Meter | None = None,
) -> Answer | None:
    """Return the states in a reply as ``{"intermediate": [...], "final": ...}``, or None.

    It takes time linear in any reply; ``meter`` counts the work.
    """
    text = visible(reply)
    if "{" not in text:
        return _labelled(text, states, final, meter)
    value = _typed(parsed(from_last_brace(text)), states, final)
    if value is not None:
        return Answer(value, "json")
    untyped: Answer | None = None
    for found in objects_from_the_end(text, meter):
        value = _typed(found, states, final)
        if value is not None:
            return Answer(value, "json")
        listed = found.get("intermediate")
        if untyped is not None or not isinstance(listed, list) or "final" not in found:
            continue
        if len(listed) <= MOST_LINES:
            (concluded,) = _each([found["final"]], final)
            value = {"intermediate": _each(listed, states), "final": concluded}
            untyped = Answer(value, "json_untyped")
    return untyped or _labelled(text, states, final, meter)


def _typed(found: dict[str, Any] | None, states: Shape, final: Shape) -> dict[str, Any] | None:
    """Return the states of an object with both keys and the task's types, or None."""
    if found is None or "intermediate" not in found or "final" not in found:
        return None
    listed, concluded = found["intermediate"], found["final"]
    if type(listed) is not list:
        return None
    read = states.read(listed)
    if type(concluded) is not final.plain:
        held = final.read([concluded])
        if held is None:
            return None
        (concluded,) = held
    return None if read is None else {"intermediate": read, "final": concluded}


def _each(values: list[Any], shape: Shape) -> list[Any]:
    """Return the values as states; a value of another type becomes a mark that equals no state."""
    every = shape.read(values)
    if every is not None:
        return every
    read = [(value, shape.read([value])) for value in values]
    return [
        {"not " + shape.text: type(value).__name__} if held is None else held[0]
        for value, held in read
    ]


def _labelled(text: str, states: Shape, final: Shape, meter: Meter | None) -> Answer | None:
    """Apply rule 3."""
    if meter is not None:
        meter.work += len(text)
    lines = text.rsplit("\n", MOST_LINES)
    last = _last_label(_FINAL, lines)
    first = _last_label(_INTERMEDIATE, lines[: last[0]]) if last else None
    if not last or not first:
        return None
    (begin, said), (end, concluded) = first, last
    try:
        found = {"intermediate": orjson.loads(said), "final": orjson.loads(concluded)}
    except ValueError:
        found = None
    value = _typed(found, states, final)
    if value is None or len(value["intermediate"]) > MOST_LINES:
        listed = _values(said, lines[begin + 1 : end], states, many=True)
        held = _values(concluded, lines[end + 1 :], final, many=False)
        if listed is None or not held:
            return None
        value = {"intermediate": listed, "final": held[0]}
    return Answer(value, "labelled_list", delimited=False)


def _last_label(label: re.Pattern[str], lines: list[str]) -> tuple[int, str] | None:
    """Return the index of the last line with a label, and the text after its colon."""
    place = len(lines)
    for line in reversed(lines):
        place -= 1
        found = label.match(line)
        if found:
            return place, line[found.end() :].strip(_WRAPPING)
    return None


def _values(said: str, below: list[str], shape: Shape, *, many: bool) -> list[Any] | None:
    """Return the states after a label's colon or in the lines below; None for no list."""
    if not said:
        items = [line for line in below if line and line.strip(_DECORATION)]
        return _each(
            [_state(_without_bullet(line), shape) for line in (items if many else items[:1])], shape
        )
    value = _exact(said if many else f"[{said}]", shape)
    if not many:
        return value if value and len(value) == 1 else _each([_state(said, shape)], shape)
    if value is not None:
        return value
    value = _json(said)
    if isinstance(value, list):
        return _each(value, shape) if len(value) <= MOST_LINES else None
    if shape.listed:
        return None
    items = said.strip("[]()").split(",", MOST_LINES)
    return (
        None if len(items) > MOST_LINES else _each([_state(item, shape) for item in items], shape)
    )


def _state(text: str, shape: Shape) -> Any:
    """Return one state from its text, written as JSON or bare."""
    text = text.strip(_WRAPPING)
    exact = _exact(f"[{text}]", shape)
    if exact is not None and len(exact) == 1:
        return exact[0]
    value = _json(text)
    return text.strip(_QUOTES) if value is None or shape.read([value]) is None else value


def _without_bullet(line: str) -> str:
    text = line.strip()
    for bullet in _BULLETS:
        text = text.removeprefix(bullet)
    for end in (". ", ") "):
        number, found, rest = text.partition(end)
        if found and is_integer(number.strip("( ")):
            return rest
    return text


def _exact(text: str, shape: Shape) -> list[Any] | None:
    """Return the states in a JSON list by a fast parser; None where a slower one must be tried.

    The fast parser turns integers beyond 64 bits into floats, which are not states of any type.
    """
    try:
        values = orjson.loads(text)
    except ValueError:
        return None
    return shape.read(values) if type(values) is list and len(values) <= MOST_LINES else None


def _json(text: str) -> Any:
    """Return a JSON value, also one with single quotes; None for any other text."""
    for written in (text, text.replace("'", '"')) if '"' not in text else (text,):
        try:
            return decode(written)
        except ValueError:
            continue
    return None
