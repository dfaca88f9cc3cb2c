"""Replies as people and models write them, each with the outcome that a person would give it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.reading.slots import rendered, samples, score

_FOLDER = Path(__file__).parent / "replies"
_STATES = ("procbench/sort", "procbench/cumulate", "procbench/search", "procbench/count")
FILES = ("review", "terse", "chatty", "report", "latex", "code")


class Case(NamedTuple):
    """A reply with the outcome that it deserves."""

    name: str
    task: str
    text: str
    outcome: str


def cases(name: str) -> Iterator[Case]:
    """The replies of a file: ``== name : tasks -> outcome``, then the text, once for each task."""
    for block in (_FOLDER / f"{name}.txt").read_text("utf-8").split("\n== "):
        head, _, text = block.removeprefix("== ").partition("\n")
        title, _, rest = head.rpartition(" : ")
        tasks, _, outcome = rest.partition(" -> ")
        for task in tasks.replace("STATES", " ".join(_STATES)).split():
            yield Case(f"{name}: {title}: {task}", task, text.rstrip("\n"), outcome or "correct")


CASES = [case for name in FILES if (_FOLDER / f"{name}.txt").exists() for case in cases(name)]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_reply_is_read_as_a_person_reads_it(case: Case) -> None:
    sample = samples()[case.task]
    reply = rendered(case.text, sample)
    found = score(sample, reply)
    assert found.outcome == case.outcome, (found, reply)
