"""Reading and grading a plan: relations that a model wrote itself."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from thence.core.graph import Graph
from thence.core.reply_text import Meter, objects_from_the_end, visible
from thence.core.score import Answer

RELATIONSHIPS = "relationships"
METRICS = ("consistency", "duplicates", "object_numbers", "relation_numbers")
MOST_RELATIONS = 200_000  # longest list that is read; no requested plan is as long

_OPEN = ("<RESPONSE>", "<Response>", "<response>")
_CLOSE = ("</RESPONSE>", "</Response>", "</response>")

type Relation = tuple[str, str]
"""The larger object and the smaller one."""


def read_plan(reply: str, meter: Meter | None = None) -> Answer | None:
    """Return the relations listed in a reply, unchanged.

    The rules apply in this order, and the name of the successful rule is kept with the score:

    1. ``response``: the JSON between the last closed ``<RESPONSE>`` and its ``</RESPONSE>``, with
    or without fences. Where it is broken, there is no answer: the model replaced any earlier plan
    by it.
    2. ``response_unclosed``: the JSON after the last ``<RESPONSE>``, where none is closed.
    3. ``json``: the last JSON object with ``relationships``, where there is no ``<RESPONSE>``.
    """
    text = visible(reply)
    end, _ = _last(text, _CLOSE, len(text))
    _, start = _last(text, _OPEN, end if end >= 0 else len(text))
    if end >= 0 and start >= 0:
        return _plan(text[start:end], "response", meter, delimited=True)
    _, start = _last(text, _OPEN, len(text))
    if start >= 0:
        return _plan(text[start:], "response_unclosed", meter, delimited=False)
    return _plan(text, "json", meter, delimited=False)


def _last(text: str, tags: Sequence[str], end: int) -> tuple[int, int]:
    """Return begin and end of the last of some tags before a position; -1 where there is none."""
    place = max(text.rfind(tag, 0, end) for tag in tags)
    return (place, place + len(tags[0])) if place >= 0 else (-1, -1)


def _plan(text: str, rule: str, meter: Meter | None, *, delimited: bool) -> Answer | None:
    for found in objects_from_the_end(text, meter):
        listed = found.get(RELATIONSHIPS)
        if isinstance(listed, list) and len(listed) <= MOST_RELATIONS:
            return Answer({RELATIONSHIPS: listed}, rule, delimited)
    return None


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
