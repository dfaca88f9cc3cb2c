"""Reading a sequence of states from a free reply.

The last attempt at an answer counts, in any form. The name of its rule is kept with the score:

- ``json``: an object with both keys whose states have the task's types;
- ``json_untyped``: such an object whose states do not;
- ``json_parts``: two objects with a key each, the intermediate states first;
- ``labelled_list``: lines that begin with "intermediate ..." and "final ...", each with its value
  after the colon, below it or in a fenced block;
- ``steps``: "step 1: ...", "step 2: ..." and so on, and "final state: ..." after them;
- ``fenced_blocks``: two fenced blocks at the end, a list of states and a state.

JSON is read as `relaxed_json` describes it. An attempt that cannot be read leaves no answer: the
model replaced what it had said before. The prompt's own form is no attempt, and the thinking before
a reply is not read.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from thence.core.relaxed_json import BROKEN, Bracket, Meter, groups
from thence.core.reply_text import parsed, visible
from thence.core.score import Answer
from thence.families.procbench.labels import MOST_LINES, each, last_said
from thence.families.procbench.shapes import Shape

INTERMEDIATE, FINAL = "intermediate", "final"
_NAMES = {
    **dict.fromkeys(
        (f"intermediate{end}" for end in ("", "s", "_states", "_state", "_steps", "_results")),
        INTERMEDIATE,
    ),
    **dict.fromkeys((f"final{end}" for end in ("", "_state", "_answer", "_result")), FINAL),
}
_MENTION = re.compile(
    r"[{,(\[](?=[\s\"'`“”„\u2018\u2019\\if])\s{0,20}[\"'`“”„\u2018\u2019\\]{0,2}"
    r"(?:intermediate|final)(?:[_ ]?[a-z]{1,10})?[\"'`“”\u2018\u2019\\]{0,2}\s{0,5}:",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"\\[a-z]{1,10}\Z")  # of LaTeX, before its brace
_STEP_KEY = re.compile(r"\D{0,12}(\d{1,6})\Z")
_COUNTERS = frozenset(("step", "n", "number", "index", "i", "step_number", "no"))
_MOST_MENTIONS = 1000  # of keys that are looked at, from the end
_SHORTEST = 20  # characters of the shortest labelled list


class _Attempt(NamedTuple):
    """An attempt at an answer as JSON: its place, and the answer unless it cannot be read."""

    start: int
    end: int
    answer: Answer | None


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
    before = len(reply) - len(text)
    if "{" not in text:
        return _shifted(last_said(text, states, final), before)
    start, end = text.rfind("{"), text.rfind("}") + 1
    quick = _strict(text[start:end], states, final) if 0 <= start < end else None
    if quick is not None and _nothing_after(text, end):
        return Answer(quick, "json", span=(before + start, before + end))
    attempt = _last_attempt(text, states, final, meter)
    after = attempt.end if attempt else 0
    if meter is not None:
        meter.work += len(text)
    later = last_said(text[after:], states, final)
    if later is not None:
        return _shifted(later, before + after)
    return None if attempt is None else _shifted(attempt.answer, before)


def _shifted(answer: Answer | None, by: int) -> Answer | None:
    return answer if answer is None or not by else answer.shifted(by)


def _nothing_after(text: str, end: int) -> bool:
    """Return whether the text after an object is too short, or too plain, for another attempt."""
    if len(text) - end < _SHORTEST:
        return True
    rest = text[end:]
    return "[" not in rest and FINAL not in rest.lower()


def _strict(text: str, states: Shape, final: Shape) -> dict[str, Any] | None:
    """Return the states of a text that is a JSON object of the two keys alone, each there once."""
    found = parsed(text)
    if (
        found is None
        or len(found) != 2
        or "\\u" in text
        or text.count('"intermediate"') != 1
        or text.count('"final"') != 1
    ):
        return None
    return _typed(found, states, final)


# JSON -------------------------------------------------------------------------------------------


def _last_attempt(text: str, states: Shape, final: Shape, meter: Meter | None) -> _Attempt | None:
    """Return the last attempt as JSON: an object, two parts of one, or one that is broken."""
    found = groups(text, meter)
    complete = [group for group in found if group.value is not BROKEN]
    last: _Attempt | None = None
    lone: Bracket | None = None  # an object after it that holds one of the two keys
    for group in reversed(complete):
        held = _holder(group.value)
        if held is None:
            continue
        if len(held) == 2:
            last = _Attempt(group.start, group.end, _answer(held, group, states, final))
            break
        if FINAL not in held:
            if lone is not None:
                both = {**held, **_named(lone.value)}
                rule = _answer(both, Bracket(group.start, lone.end, None), states, final)
                last = _Attempt(group.start, lone.end, rule and replace(rule, rule="json_parts"))
            break
        lone = lone or group
    end = last.end if last else 0
    if (broken := _broken_mention(text, end, complete, states, final)) is not None:
        return _Attempt(broken, broken, None)
    if lone is not None and last is not None and lone.end > last.end:
        said = last.answer and [last.answer.value[FINAL]]
        if each([_named(lone.value)[FINAL]], final) != said:
            return _Attempt(lone.start, lone.end, None)
    return last


def _broken_mention(
    text: str, begin: int, complete: list[Bracket], states: Shape, final: Shape
) -> int | None:
    """Return the end of the last mention of a key after a place that no complete group holds."""
    starts = [group.start for group in complete]
    form = _squeezed(
        f'{{"intermediate": [{states.example("S1")}, {states.example("S2")}, ...], '
        f'"final": {final.example("S")}}}'
    )
    for mention in reversed(deque(_MENTION.finditer(text, begin), _MOST_MENTIONS)):
        start, end = mention.span()
        place = bisect(starts, start) - 1
        within = place >= 0 and end <= complete[place].end
        if within or _COMMAND.search(text, max(0, start - 12), start):
            continue
        window = text[max(begin, start - 2 * len(form)) : end + 2 * len(form)]
        if form not in _squeezed(window):
            return end
    return None


_LEFT_OUT = str.maketrans(dict.fromkeys(" \t\r\n\"'`“”\u2018\u2019\\"))


def _squeezed(text: str) -> str:
    return text.translate(_LEFT_OUT)


def _holder(value: Any) -> dict[str, Any] | None:
    """Return the last object in a value with both keys, by their usual names, else one with one.

    Objects come in the order of their beginnings.
    """
    one: dict[str, Any] | None = None
    whole: dict[str, Any] | None = None
    for found in _objects(value):
        names = _named(found)
        if len(names) == 2:
            whole = names
        elif names:
            one = names if found is value else one
    return whole or one


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects in a value, outer ones first."""
    waiting = [value]
    while waiting:
        each_value = waiting.pop()
        if type(each_value) is dict:
            yield each_value
            waiting.extend(reversed(each_value.values()))
        elif type(each_value) is list and each_value and type(each_value[0]) in (dict, list):
            waiting.extend(reversed(each_value))


_TWICE = object()


def _named(found: dict[str, Any]) -> dict[str, Any]:
    """Return the two values of an object by their usual names; one that comes twice is `_TWICE`."""
    named: dict[str, Any] = {}
    for key, value in found.items():
        name = _NAMES.get(key) or _NAMES.get("_".join(re.split(r"[\s_-]+", key.strip().lower())))
        if name is not None:
            named[name] = _TWICE if name in named else value
    return named


def _answer(held: dict[str, Any], group: Bracket, states: Shape, final: Shape) -> Answer | None:
    """Return the answer that an object with both keys gives; None where it gives none."""
    span = (group.start, group.end)
    listed = _listed(held[INTERMEDIATE])
    if listed is None or held[FINAL] is _TWICE:
        return None
    held = {INTERMEDIATE: listed, FINAL: held[FINAL]}
    value = _typed(held, states, final)
    if value is not None:
        return Answer(value, "json", span=span)
    if len(listed) > MOST_LINES:
        return None
    (concluded,) = each([held[FINAL]], final)
    return Answer({INTERMEDIATE: each(listed, states), FINAL: concluded}, "json_untyped", span=span)


def _listed(value: Any) -> list[Any] | None:
    """Return the states of a list, also of steps with their numbers; None for no list."""
    if type(value) is dict and value:
        numbers = [_STEP_KEY.match(key) for key in value]
        if [found and int(found[1]) for found in numbers] != list(range(1, len(value) + 1)):
            return None
        value = list(value.values())
    if type(value) is not list:
        return None
    if value and all(type(item) is dict for item in value):
        return _of_steps(value)
    return value


def _of_steps(items: list[dict[str, Any]]) -> list[Any] | None:
    """Return the states of objects such as ``{"step": 1, "state": ...}``, numbered in order."""
    states = []
    for number, item in enumerate(items, 1):
        named = {key.strip().lower(): value for key, value in item.items()}
        counted = [value for key, value in named.items() if key in _COUNTERS]
        others = [key for key in named if key not in _COUNTERS]
        key = "state" if "state" in named else others[0] if len(others) == 1 else None
        if key is None or len(named) < len(item) or any(str(n) != str(number) for n in counted):
            return None
        states.append(named[key])
    return states


def _typed(found: dict[str, Any], states: Shape, final: Shape) -> dict[str, Any] | None:
    """Return the states of an object with both keys and the task's types, or None."""
    if INTERMEDIATE not in found or FINAL not in found:
        return None
    listed, concluded = found[INTERMEDIATE], found[FINAL]
    if type(listed) is not list:
        return None
    read = states.read(listed)
    if type(concluded) is not final.plain:
        held = final.read([concluded])
        if held is None:
            return None
        (concluded,) = held
    return None if read is None else {INTERMEDIATE: read, FINAL: concluded}
