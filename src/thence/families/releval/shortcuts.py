"""Shortcuts for statements about objects: who is named where and how often."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from thence.core.shortcuts import ShownQuestion, group
from thence.families.releval.framings import FRAMINGS

type Edge = list[str]


def _edges(shown: ShownQuestion) -> tuple[list[Edge], list[str]]:
    """Return the statements as pairs of a larger and a smaller object, and whom each names first.

    Each statement on its own says that much.
    """
    facts = shown.values["facts"]
    forward = len(FRAMINGS[shown.values["framing"]].says)
    edges = [[a, b] for a, b, _ in facts]
    return edges, [a if number < forward else b for a, b, number in facts]


def _claim(shown: ShownQuestion) -> dict[str, Any]:
    edges, first = _edges(shown)
    a, b, number = shown.values["claim"]
    forward = number < len(FRAMINGS[shown.values["framing"]].asks)
    both = (a, b) if forward else (b, a)
    named = [[k for k, edge in enumerate(edges) if each in edge] for each in both]
    wins = [sum(edge[0] == each for edge in edges) for each in both]
    lead = [2 * won - len(places) for won, places in zip(wins, named, strict=True)]
    said = [places or [-1] for places in named]
    return {
        "order of names": both[0] < both[1],
        "form of the claim": (forward, number),
        "named first of its statements": tuple(first.count(each) for each in both),
        "who comes first": said[0][0] < said[1][0],
        "who comes last": said[0][-1] < said[1][-1],
        "how often named": tuple(map(len, named)),
        "wins": tuple(wins),
        "wins less losses": tuple(lead),
        "difference of leads": lead[0] - lead[1],
        "difference by size": (len(edges), lead[0] - lead[1]),
        "in the first statement": bool(set(edges[0]) & set(both)),
        "in the last statement": bool(set(edges[-1]) & set(both)),
        "statements": len(edges),
    }


CLAIM = group(
    _claim,
    {
        "order of names": "which name of the two comes first in the alphabet",
        "form of the claim": "the sentence of the claim",
        "named first of its statements": "how often statements name each of the two first",
        "who comes first": "which of the two the statements name first",
        "who comes last": "which of the two the statements name last",
        "how often named": "how often the statements name each of the two",
        "wins": "in how many statements each of the two is the larger",
        "wins less losses": "the same less those in which it is the smaller",
        "difference of leads": "the difference of these two",
        "difference by size": "that difference, for each number of statements",
        "in the first statement": "the first statement names one of the two",
        "in the last statement": "the last statement names one of the two",
        "statements": "number of statements",
    },
)
"""Shortcuts for a claim about two objects."""


def _cycles(shown: ShownQuestion) -> dict[str, Any]:
    edges, first = _edges(shown)
    larger, smaller = ({edge[side] for edge in edges} for side in (0, 1))
    forward = [name == edge[0] for name, edge in zip(first, edges, strict=True)]
    objects, sided = len(larger | smaller), len(larger ^ smaller)
    return {
        "size": (objects, len(edges)),
        "one-sided objects": sided,
        "one-sided by size": (objects, len(edges), sided),
        "sources": len(larger - smaller),
        "sinks": len(smaller - larger),
        "forward statements": sum(forward) / len(edges),
        "form of the first": forward[0],
        "form of the last": forward[-1],
        "names in order": sum(a < b for a, b in edges) / len(edges),
        "first name": edges[0][0],
        "chained statements": sum(one[1] == next_[0] for one, next_ in pairwise(edges)),
        "most named": max(sum(name in edge for edge in edges) for name in larger | smaller),
    }


CYCLES = group(
    _cycles,
    {
        "size": "numbers of objects and of statements",
        "one-sided objects": "objects that are only the larger or only the smaller",
        "one-sided by size": "the same, for each size",
        "sources": "objects that are only the larger",
        "sinks": "objects that are only the smaller",
        "forward statements": "the share of statements that name the larger first",
        "form of the first": "the first statement names the larger first",
        "form of the last": "the last statement names the larger first",
        "names in order": "the share of statements whose names are in alphabetical order",
        "first name": "the first name",
        "chained statements": "statements that go on with the smaller of the one before",
        "most named": "how often the object is named that is named most",
    },
)
"""Shortcuts for whether statements contradict each other."""
