"""Replies as people and models write them, each with the outcome that a person would give it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.reading.slots import rendered, samples, score
from thence import families
from thence.prompts.catalog import protocol

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
    assert (found.span is None) == (found.rule is None)


@pytest.mark.parametrize("name", ["direct", "chain_of_thought", "explain_then_answer"])
def test_the_span_of_an_answer_holds_it(name: str) -> None:
    for task, sample in samples().items():
        right = families.task(task).format.write(sample.target)
        answer = protocol(name).write(
            right, "They say so, \U0001f600 don't they?", families.task(task)
        )
        before = "\U0001f600 Well.\n"
        reply = f"<think>{right}</think>\n{before}{answer}" if name == "direct" else answer
        found = score(sample, reply, name)
        assert found.correct, (task, reply)
        start, end = found.span
        assert start >= reply.rfind("</think>")
        wanted = families.task(task).format.part(right).split("\n")[0].strip('"')
        wanted = wanted.replace(" ", "")
        shown = reply[start:end].replace('\\"', '"').replace(" ", "")
        assert wanted in shown or shown in wanted, (task, reply, found.span)
        assert score(sample, reply[start:end]).outcome in {"correct", "no_answer"}
