"""Reading states under labels, in numbered steps and in fenced blocks."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from thence.core.relaxed_json import LONGEST, decode
from thence.core.score import Answer
from thence.families.procbench.shapes import Shape, is_integer

_DECORATION = " \t\r\xa0#*_>`-•|$\\"  # characters allowed before a label
_WRAPPING = " \t\r\xa0\u200b*_`"  # stripped from a state; no dash, as a state may begin with one
_QUOTES = "\"'“”\u2018\u2019"
_BULLETS = ("> ", "- ", "* ", "• ")
MOST_LINES = 10_000  # lines searched at the end of a reply; more than any answer has states
_LABEL = 60  # longest label up to its colon, and longest decoration before it
_FENCE = "```"
_LATEX = re.compile(
    r"\\(?:boxed|text[a-z]{0,6}|math[a-z]{0,6})\s?\{|\\(?:left|right|quad|[,;!() ])"
)
_BRACES = str.maketrans("", "", "${}")


def _label(word: str) -> re.Pattern[str]:
    """Return a pattern for a line's beginning, up to the colon of a label with this first word."""
    # "Finally" and "Finale" are not labels, "Finals" is. The ``+`` after a count is possessive: it
    # prevents backtracking.
    more = rf"(?!s?+[a-zÀ-ɏ])[^:]{{0,{_LABEL - len(word) - 1}}}:"
    assigned = r"\w{0,20}\s{0,3}=(?!=)"
    begin = rf"[{re.escape(_DECORATION)}]{{0,{_LABEL}}}+(?:text[a-z]{{0,4}}\{{)?"
    return re.compile(rf"{begin}(?i:{word}(?:{more}|{assigned}))", re.ASCII)


_INTERMEDIATE, _FINAL = _label("intermediate"), _label("final")
_STEP = re.compile(
    rf"[{re.escape(_DECORATION)}]{{0,{_LABEL}}}+(?i:after\s)?(?i:step)[\s_#]{{0,3}}(\d{{1,6}})"
    r"[^:\n=→]{0,30}?(?::|=|→|->)"
)
_MARK = re.compile(
    r"(?:^|[,;|.\s])\s{0,5}((?i:step\s{0,2}\d{1,6}|final(?:\s(?:state|answer|result))?)\s{0,2}:)"
)


class _Line(NamedTuple):
    """A line with a label: its index, and the text after the colon."""

    place: int
    said: str


def last_said(text: str, states: Shape, final: Shape) -> Answer | None:
    """Return the last answer in a text that stands under labels, in steps or in two blocks."""
    if len(text) > LONGEST:
        found = last_said(text[-LONGEST:], states, final)
        return found and found.shifted(len(text) - LONGEST)
    lines = text.rsplit("\n", MOST_LINES)
    last = _last(_FINAL, lines)
    found = None
    if last is not None:
        first = _last(_INTERMEDIATE, lines[: last.place])
        if first is not None:
            found = _labelled(lines, first, last, states, final)
        else:
            found = _stepwise(lines, last, states, final)
    if found is None and len(lines) > 1:
        found = _fenced(text, states, final)
    if found is None and last is None:
        found = _in_one_line(text, lines, states, final)
    return found


def _last(label: re.Pattern[str], lines: list[str]) -> _Line | None:
    """Return the last line with a label."""
    place = len(lines)
    for line in reversed(lines):
        place -= 1
        found = label.match(line)
        if found:
            return _Line(place, _plain(line[found.end() :].removeprefix("}")))
    return None


def _plain(text: str) -> str:
    r"""Return a text without the marks around it, nor LaTeX's ``\text{}`` and ``$``."""
    if "\\" in text or "$" in text:
        text = _LATEX.sub("", text).translate(_BRACES)
    return text.strip(_WRAPPING)


def _labelled(
    lines: list[str], first: _Line, last: _Line, states: Shape, final: Shape
) -> Answer | None:
    """Return the states after or below two labels."""
    listed, _ = _values(first.said, lines[first.place + 1 : last.place], states, many=True)
    held, used = _values(last.said, lines[last.place + 1 :], final, many=False)
    if listed is None or not held:
        return None
    value = {"intermediate": listed, "final": held[0]}
    span = _span(lines, first.place, last.place + 1 + used)
    return Answer(value, "labelled_list", delimited=False, span=span)


def _span(lines: list[str], first: int, end: int) -> tuple[int, int]:
    """Return the place of some lines in the text that they were split from."""
    start = sum(map(len, lines[:first])) + first
    held = lines[first:end]
    return start, start + sum(map(len, held)) + len(held) - 1


def _values(
    said: str, below: list[str], shape: Shape, *, many: bool
) -> tuple[list[Any] | None, int]:
    """Return the states after a label's colon or below it, and how many lines below they take."""
    used = 0
    if not said.strip(_DECORATION):
        said, items, used = _block(below)
        if not said:
            items = items if many else items[:1]
            read = [_state(_without_bullet(line), shape) for line in items]
            if not many:
                used = below.index(items[0]) + 1 if items else 0
            return each(read, shape), used
    if many:
        return _listed(said, shape), used
    value = _exact(f"[{said}]", shape)
    return value if value and len(value) == 1 else each([_state(said, shape)], shape), used


def _listed(said: str, shape: Shape) -> list[Any] | None:
    """Return the states of a list in one text, written as JSON or bare."""
    value = _exact(said, shape)
    if value is not None:
        return value
    value = _json(said)
    if not isinstance(value, list):
        value = None if shape.listed else said.strip("[]()").split(",", MOST_LINES)
        value = value and [_state(item, shape) for item in value]
    return each(value, shape) if value is not None and len(value) <= MOST_LINES else None


def _is_item(line: str) -> bool:
    return bool(line) and bool(line.strip(_DECORATION))


def _block(below: list[str]) -> tuple[str, list[str], int]:
    """Return the value in a fenced block below a label, else the lines that may hold one each."""
    items = [line for line in below if _is_item(line)]
    start = next((n for n, line in enumerate(below) if line.strip()), 0)
    if not below or not below[start].lstrip().startswith(_FENCE):
        return "", items, len(below)
    ends = (n for n in range(start + 1, len(below)) if below[n].strip().startswith(_FENCE))
    end = next(ends, len(below))
    inside = [line for line in below[start + 1 : end] if line.strip()]
    whole = "\n".join(inside).strip()
    if len(inside) == 1 or whole[:1] in {"[", "("}:
        return whole, [], end + 1
    return "", inside, end + 1


def _stepwise(lines: list[str], last: _Line, states: Shape, final: Shape) -> Answer | None:
    """Return the states of lines that are numbered from 1 on, up to a final one."""
    found, numbers = list[_Line](), list[int]()
    for place in range(last.place - 1, -1, -1):
        step = _STEP.match(lines[place])
        if step is None:
            continue
        found.append(_Line(place, lines[place][step.end() :]))
        numbers.append(int(step[1]))
        if numbers[-1] <= 1:
            break
    if not found or numbers != list(range(len(found), 0, -1)):
        return None
    found.reverse()
    said = [_state(_plain(line.said), states) for line in found]
    held, used = _values(last.said, lines[last.place + 1 :], final, many=False)
    if not held:
        return None
    value = {"intermediate": each(said, states), "final": held[0]}
    span = _span(lines, found[0].place, last.place + 1 + used)
    return Answer(value, "steps", delimited=False, span=span)


def _in_one_line(text: str, lines: list[str], states: Shape, final: Shape) -> Answer | None:
    """Return the states of a line such as ``step1: a, step2: b, final state: c``."""
    for place in range(len(lines) - 1, -1, -1):
        marks = list(_MARK.finditer(lines[place]))
        if not marks or not marks[-1][1].lower().startswith("final"):
            continue
        ends = [mark.start() for mark in marks[1:]] + [len(lines[place])]
        parts = [lines[place][mark.start(1) : end] for mark, end in zip(marks, ends, strict=True)]
        final_line = _last(_FINAL, parts)
        found = final_line and _stepwise(parts, final_line, states, final)
        if found is None:
            return None
        begin, _ = _span(lines, place, place + 1)
        return replace(found, span=(begin + marks[0].start(1), begin + len(lines[place])))
    return None


def _fenced(text: str, states: Shape, final: Shape) -> Answer | None:
    """Return the states in the last two fenced blocks, if they are a list of states and a state."""
    parts = text.rsplit(_FENCE, 4)
    if len(parts) != 5:
        return None
    first, last = (part.partition("\n")[2] if "\n" in part else part for part in parts[1::2])
    listed = _json(first)
    try:
        held: Any = decode(last)
    except ValueError:
        held = last.strip() if "\n" not in last.strip() else None
    if not isinstance(listed, list) or held is None:
        return None
    read, concluded = states.read(listed), final.read([held])
    if read is None or concluded is None:
        return None
    start = len(parts[0])
    end = len(text) - len(parts[4])
    value = {"intermediate": read, "final": concluded[0]}
    return Answer(value, "fenced_blocks", delimited=False, span=(start, end))


def each(values: list[Any], shape: Shape) -> list[Any]:
    """Return the values as states; a value of another type becomes a mark that equals no state."""
    every = shape.read(values)
    if every is not None:
        return every
    read = [(value, shape.read([value])) for value in values]
    return [
        {"not " + shape.text: type(value).__name__} if held is None else held[0]
        for value, held in read
    ]


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
    """Return the value of a text, as `relaxed_json` reads it; None for any other text."""
    try:
        return decode(text.strip())
    except ValueError:
        return None
