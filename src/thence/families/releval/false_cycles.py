"""Causes why a listed cycle is not there, and marks of doubt in a model's thinking."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from thence.core.evidence import Critic
from thence.core.sample import Sample
from thence.families.releval import reading

CAUSES: Mapping[str, str] = {
    "unknown": "an object that no statement names",
    "repeats": "an object twice",
    "reversed": "a cycle, read backwards",
    "open": "not closed: only the step back to the first object is not stated",
    "turned": "a step that is stated the other way round",
    "invented": "a step between objects that no statement relates",
}
"""The causes and what they mean; a false cycle counts under the first one that applies."""

LISTED, TRUE = "cycles_listed", "cycles_true"
MARKS = ("waits", "question_marks", "dags")
# For lower case, and with letters first: ten megabytes are searched in a tenth of the time.
_WAIT = re.compile(r"wait\b(?<!\wwait)")
_DAGS = (
    re.compile(r"dag(?<!\wdag)s?\b"),
    re.compile(r"directed (?<!\wdirected )acyclic graphs?\b"),
)


def column(cause: str) -> str:
    """Return the column of a score frame that holds the number of cycles with a cause."""
    return f"cycles_{cause}"


def counts(sample: Sample, answer: Any) -> dict[str, float]:
    """Return how many distinct cycles an answer lists, how many are true, and those by cause."""
    edges = {(reading.key(a), reading.key(b)) for a, b, _ in sample.metadata["question"]["facts"]}
    names = {each for edge in edges for each in edge}
    listed = {reading.canonical(cycle): list(map(reading.key, cycle)) for cycle in answer["cycles"]}
    found = dict.fromkeys((LISTED, TRUE, *map(column, CAUSES)), 0.0)
    found[LISTED] = float(len(listed))
    for cycle in listed.values():
        why = cause(cycle, edges, names)
        found[column(why) if why else TRUE] += 1
    return found


def cause(cycle: Sequence[str], edges: set[tuple[str, str]], names: set[str]) -> str | None:
    """Return the cause why a cycle, without its repeated first object, is false; None if true."""
    if not names.issuperset(cycle):
        return "unknown"
    if len(cycle) < 2 or len(set(cycle)) < len(cycle):
        return "repeats"
    steps = [*pairwise(cycle), (cycle[-1], cycle[0])]
    missing = [step for step in steps if step not in edges]
    if not missing:
        return None
    if all(step[::-1] in edges for step in steps):
        return "reversed"
    if missing == steps[-1:]:
        return "open"
    return "turned" if all(step[::-1] in edges for step in missing) else "invented"


class CycleCritic(Critic):
    """Names the first listed cycle that is not there, and why."""

    def remark(self, answer: Any, sample: Sample) -> str:
        """Return a sentence about a false or missing cycle; empty for a right answer."""
        if answer is None:
            return ""
        edges = {
            (reading.key(a), reading.key(b)) for a, b, _ in sample.metadata["question"]["facts"]
        }
        names = {each for edge in edges for each in edge}
        for cycle in answer["cycles"]:
            if why := cause(list(map(reading.key, cycle)), edges, names):
                return f"The cycle <{', '.join(cycle)}> is not there: {CAUSES[why]}."
        if answer["consistent"] is bool(answer["cycles"]):
            return "The answer and the list of cycles do not go together."
        said = set(reading.distinct(answer["cycles"]))
        missing = [each for each in sample.target["cycles"] if reading.canonical(each) not in said]
        if not missing:
            return ""
        return f"Follow the statements about {missing[0][0]} as far as they lead."


def marks(trace: str) -> dict[str, float]:
    """Return how often a model's thinking says "wait", asks a question and speaks of a DAG."""
    text = trace.lower()
    dags = sum(len(each.findall(text)) for each in _DAGS)
    found = (len(_WAIT.findall(text)), text.count("?"), dags)
    return dict(zip(MARKS, map(float, found), strict=True))
