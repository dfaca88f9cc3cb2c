"""Reading a sequence of states out of a free reply.

In this order, and the rule that fired is kept with the score:

1. ``json``: the last JSON object with both keys whose states have the task's types;
2. ``json_untyped``: the last JSON object with both keys, the first of them a list;
3. ``labelled_list``: the last lines that begin with "intermediate ..." and "final ...", each with a
   JSON value after its colon or with one state a line below it.

What a model thinks before its reply is not read.
"""

from __future__ import annotations

from typing import Any

import orjson

from thence.families.procbench._shapes import Shape, is_integer
from thence.kernel.replies import (
    Meter,
    decode,
    from_last_brace,
    objects_from_the_end,
    parsed,
    visible,
)
from thence.kernel.score import Answer

_DECORATION = " \t\r#*_>`-•"  # what may stand before a label
_WRAPPING = " \t\r*_`"  # what may stand around a state; not the dashes that a state may begin with
_QUOTES = "\"'"
_BULLETS = ("> ", "- ", "* ", "• ")
MOST_LINES = 10_000  # at the end of a reply that are searched; no answer of ours has as many states
_COMPACT = '{"intermediate":['  # how an answer without spaces begins
_LABEL = 60  # characters within which a label's colon must stand


def read_states(
    reply: str,
    states: Shape,
    final: Shape,
    meter: Meter | None = None,
    truth: dict[str, Any] | None = None,
) -> Answer | None:
    """The states in a reply as ``{"intermediate": [...], "final": ...}``, or None.

    Work is linear in the reply, whatever it holds; ``meter`` counts it. Where a ``truth`` of the
    same types is given and is what is read, it is itself the value of the answer, which is told
    sooner; it changes nothing else.
    """
    text = visible(reply)
    said = from_last_brace(text)
    compact = said.startswith(_COMPACT)
    if compact and truth is not None and said == _written(truth):
        return Answer(truth, "json")
    found = parsed(said)
    # A text equals nothing but the same text; a number equals true or 1.0 as well.
    if not compact and found is not None and found == truth and states.spelled and final.spelled:
        return Answer(truth, "json")
    answer = _typed(found, states, final)
    if answer is not None:
        return answer
    if "{" not in text:
        return _labelled(text, states, final, meter)
    untyped: Answer | None = None
    for found in objects_from_the_end(text, meter):
        answer = _typed(found, states, final)
        if answer is not None:
            return answer
        listed = found.get("intermediate")
        if untyped is not None or not isinstance(listed, list) or "final" not in found:
            continue
        if len(listed) <= MOST_LINES:
            (concluded,) = _each([found["final"]], final)
            value = {"intermediate": _each(listed, states), "final": concluded}
            untyped = Answer(value, "json_untyped")
    return untyped or _labelled(text, states, final, meter)


def _written(truth: dict[str, Any]) -> str | None:
    """The truth as it is written without spaces; None where it holds what few parsers read."""
    try:
        return orjson.dumps(truth).decode() if len(truth) == 2 else None
    except TypeError:  # integers beyond 64 bits, lone surrogates
        return None


def _typed(found: dict[str, Any] | None, states: Shape, final: Shape) -> Answer | None:
    """The answer in an object that has both keys and the task's types."""
    if found is None or "final" not in found:
        return None
    listed = found.get("intermediate")
    if type(listed) is not list:
        return None
    read = listed if states.fits(listed) else states.read(listed)  # the former but in a few
    concluded = found["final"]
    if type(concluded) is not final.plain:
        held = final.read([concluded])
        if held is None:
            return None
        (concluded,) = held
    return None if read is None else Answer({"intermediate": read, "final": concluded}, "json")


def _each(values: list[Any], shape: Shape) -> list[Any]:
    """The values as states; what is not of the type is set apart, as it equals no state."""
    every = shape.read(values)
    if every is not None:
        return every
    read = [(value, shape.read([value])) for value in values]
    return [
        {"not " + shape.text: type(value).__name__} if held is None else held[0]
        for value, held in read
    ]


def _labelled(text: str, states: Shape, final: Shape, meter: Meter | None) -> Answer | None:
    """Rule 3."""
    if meter is not None:
        meter.work += len(text)
    lines = text.rsplit("\n", MOST_LINES)
    last = _last_label(lines, "final", len(lines))
    first = _last_label(lines, "intermediate", last) if last is not None else None
    if last is None or first is None:
        return None
    listed = _values(lines[first:last], states, many=True)
    concluded = _values(lines[last:], final, many=False)
    if listed is None or not concluded:
        return None
    return Answer({"intermediate": listed, "final": concluded[0]}, "labelled_list", delimited=False)


def _last_label(lines: list[str], word: str, before: int) -> int | None:
    """The last line that begins with a word and has a colon soon after it."""
    for place in range(before - 1, -1, -1):
        start = lines[place][: _LABEL * 2].lstrip(_DECORATION)[:_LABEL].lower()
        if start.startswith(word):
            after = start.removeprefix(word).removeprefix("s")
            if ":" in after and not after[:1].isalpha():
                return place
    return None


def _values(lines: list[str], shape: Shape, *, many: bool) -> list[Any] | None:
    """What stands after a label's colon, or in the lines below it; None where that is no list."""
    rest = lines[0].partition(":")[2].strip(_WRAPPING)
    if not rest:
        items = [line for line in lines[1:] if line and line.strip(_DECORATION)]
        return _each(
            [_state(_without_bullet(line), shape) for line in (items if many else items[:1])], shape
        )
    if not many:
        only = _exact(f"[{rest}]", shape)
        return only if only and len(only) == 1 else _each([_state(rest, shape)], shape)
    value = _exact(rest, shape)
    if value is not None:
        return value
    value = _json(rest)
    if isinstance(value, list):
        return _each(value, shape) if len(value) <= MOST_LINES else None
    if shape.listed:
        return None
    items = rest.strip("[]()").split(",", MOST_LINES)
    return (
        None if len(items) > MOST_LINES else _each([_state(item, shape) for item in items], shape)
    )


def _state(text: str, shape: Shape) -> Any:
    """One state as JSON writes it, or bare."""
    text = text.strip(_WRAPPING)
    quick = _exact(f"[{text}]", shape)
    if quick is not None and len(quick) == 1:
        return quick[0]
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
    """The states in a JSON list, by a fast parser; None wherever a slower look is needed.

    That parser makes floats of integers beyond 64 bits, which are states of no type.
    """
    try:
        values = orjson.loads(text)
    except ValueError:
        return None
    return shape.read(values) if type(values) is list and len(values) <= MOST_LINES else None


def _json(text: str) -> Any:
    """A JSON value, or the same with single quotes; None for anything else."""
    for written in (text, text.replace("'", '"')) if '"' not in text else (text,):
        try:
            return decode(written)
        except ValueError:
            continue
    return None
