"""Reading and grading a plan: relations that a model wrote itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from html import unescape
from typing import Any

from thence.core.graph import Graph
from thence.core.relaxed_json import BROKEN, Meter, groups
from thence.core.reply_text import unquoted, visible
from thence.core.score import Answer

RELATIONSHIPS = "relationships"
METRICS = ("consistency", "duplicates", "object_numbers", "relation_numbers")
MOST_RELATIONS = 200_000  # longest list that is read; no requested plan is as long

_OPEN = ("<RESPONSE>", "<Response>", "<response>", "&lt;RESPONSE&gt;")
_CLOSE = ("</RESPONSE>", "</Response>", "</response>", "&lt;/RESPONSE&gt;")
_MENTION = re.compile(
    r"[{,]\s{0,20}[\"'`“”\u2018\u2019\\]{0,2}relationships[\"'`“”\u2018\u2019\\]{0,2}\s{0,5}:",
    re.IGNORECASE,
)
_FORM = '{"relationships": ["A < B", "C > B", ...]}'

type Relation = tuple[str, str]
"""The larger object and the smaller one."""


def read_plan(reply: str, meter: Meter | None = None) -> Answer | None:
    """Return the relations listed in a reply, as they are written there.

    The rules apply in this order, and the name of the successful rule is kept with the score:

    1. ``response``: the JSON between the last closed ``<RESPONSE>`` and its ``</RESPONSE>``, with
    or without fences. Where it is broken, there is no answer: the model replaced any earlier plan
    by it.
    2. ``response_unclosed``: the JSON after the last ``<RESPONSE>``, where none is closed.
    3. ``json``: the last JSON object with ``relationships``, where there is no ``<RESPONSE>``; a
    broken one after it leaves no answer.

    JSON is read as `relaxed_json` describes it; a list of relations alone is a plan too.
    """
    text = visible(reply)
    before = len(reply) - len(text)
    end, _ = _last(text, _CLOSE, len(text))
    _, start = _last(text, _OPEN, end if end >= 0 else len(text))
    if end >= 0 and start >= 0:
        found = _plan(text[start:end], "response", meter, delimited=True)
        return found and found.shifted(before + start)
    _, start = _last(text, _OPEN, len(text))
    if start >= 0:
        found = _plan(text[start:], "response_unclosed", meter, delimited=False)
        return found and found.shifted(before + start)
    text = unquoted(text, (_FORM,))
    found = _plan(text, "json", meter, delimited=False)
    return found and found.shifted(before)


def _last(text: str, tags: Sequence[str], end: int) -> tuple[int, int]:
    """Return begin and end of the last of some tags before a position; -1 where there is none."""
    place, tag = max((text.rfind(tag, 0, end), tag) for tag in tags)
    return (place, place + len(tag)) if place >= 0 else (-1, -1)


def _plan(text: str, rule: str, meter: Meter | None, *, delimited: bool) -> Answer | None:
    for group in reversed(groups(text, meter)):
        if group.value is BROKEN:
            continue
        listed = _relations(group.value)
        if listed is None:
            continue
        begin = 0 if listed is group.value else group.end  # a list may lie in a broken object
        if len(listed) > MOST_RELATIONS or _MENTION.search(text, begin):
            return None
        listed = list(map(_plain, listed))
        return Answer({RELATIONSHIPS: listed}, rule, delimited, (group.start, group.end))
    return None


def _relations(value: Any) -> list[Any] | None:
    """Return the relations of an object, also within others, or of a list of relations alone."""
    waiting = [value]
    while waiting:
        held = waiting.pop()
        if type(held) is dict:
            keys = [key for key in held if key.strip().lower() == RELATIONSHIPS]
            if keys:
                listed = held[keys[0]]
                return listed if len(keys) == 1 and type(listed) is list else None
            waiting.extend(held.values())
        elif type(held) is list and held and type(held[0]) in (dict, list):
            waiting.extend(held)
    alone = type(value) is list and value and all(relation(_plain(item)) for item in value)
    return value if alone else None


def _plain(item: Any) -> Any:
    return unescape(item) if isinstance(item, str) and "&" in item else item


def relation(item: Any) -> Relation | None:
    """Return the relation in an item such as ``A < B``; None for an item of another form."""
    if not isinstance(item, str):
        return None
    for sign in "<>":
        left, found, right = item.partition(sign)
        a, b = left.strip(), right.strip()
        if found and a and b and not any(other in a + b for other in "<>=≤≥"):
            return (b, a) if sign == "<" else (a, b)
    return None


def parts(listed: Sequence[Any], n: int, m: int, given: Collection[str] | None) -> dict[str, float]:
    """Return the four parts of a plan's accuracy, each 1 or 0.

    An item that is not a relation, by its operator or its form, does not count as one of the m, and
    makes the number of relations wrong. A relation of an object to itself is a contradiction. ``A <
    B`` and ``B > A`` are the same relation.

    Args:
        listed: the items of the reply.
        n: requested number of objects.
        m: requested number of relations.
        given: the names to use; None where the model chooses them.
    """
    read = [relation(item) for item in listed]
    known = [each for each in read if each is not None]
    names = list(dict.fromkeys(each for pair in known for each in pair))
    place = {each: node for node, each in enumerate(names)}
    graph = Graph(len(names), [(place[a], place[b]) for a, b in known])
    right_names = len(names) == n and (given is None or set(names) <= set(given))
    return {
        "consistency": float(bool(known) and graph.topological_order() is not None),
        "duplicates": float(bool(known) and len(set(known)) == len(known)),
        "object_numbers": float(right_names),
        "relation_numbers": float(len(known) == len(read) == m),
    }
