"""The answers of a run that are not right, with all that a person needs to say why."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from thence import families
from thence.core.digest import compact_json
from thence.core.score import Outcome
from thence.engine.directory import RunDirectory
from thence.engine.run_scores import scored_by
from thence.errors import ParameterError
from thence.system.disk import replacing

MULTI_HOP = "multi-hop"
"""The type of an error in which a chain of several links decides the answer."""


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """One answer that is not right; the fields are the columns of the file.

    Attributes:
        task: full name.
        id: of the sample.
        epoch: 0-based.
        outcome: why it is not right: wrong, no_answer, truncated or refused.
        question: the prompt.
        truth: the target; JSON where it is no word.
        reply: as it came.
        answer: what was read, likewise; empty where nothing was readable.
        rule: which reading rule fired.
        witness: what makes the truth so, as JSON.
        error_type: ``multi-hop`` where the shortest chain has two edges or more and the answer is
            wrong; empty for a person to fill in.
    """

    task: str
    id: str
    epoch: int
    outcome: str
    question: str
    truth: str
    reply: str
    answer: str
    rule: str
    witness: str
    error_type: str


def wrong_answers(directory: RunDirectory) -> Iterator[WrongAnswer]:
    """Yield the answers that are not right, each epoch for itself, in the order of the samples.

    Provider errors are no answers, and are left out.
    """
    rows = scored_by(directory, "mean")
    for row in rows.final():
        score, sample = row.score, row.sample
        if score.correct:
            continue
        wrong = score.outcome is Outcome.WRONG
        chain = families.task(sample.task).explainer.chain(sample)
        response = rows.responses.of(sample.id)[row.epoch, row.turn]
        yield WrongAnswer(
            task=sample.task,
            id=sample.id,
            epoch=row.epoch,
            outcome=score.outcome.value,
            question=sample.input,
            truth=_text(sample.target),
            reply=response.response or "",
            answer=_text(score.answer) if score.rule else "",
            rule=score.rule or "",
            witness=_text(sample.metadata.get("witness") or ""),
            error_type=MULTI_HOP if wrong and len(chain) > 2 else "",
        )


def write_wrong_answers(path: Path, found: Iterable[WrongAnswer]) -> int:
    """Write a CSV of wrong answers; return how many there are.

    A lone surrogate, which no UTF-8 file can hold, is written as its escape.

    Raises:
        FileError: no such folder, or the path is one.
    """
    if path.is_dir() or not path.parent.is_dir():
        raise ParameterError("path", path, "name a file in a folder that exists")
    count = 0
    names = [each.name for each in fields(WrongAnswer)]
    with (
        replacing(path) as part,
        part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file,
    ):
        writer = csv.writer(file)
        writer.writerow(names)
        for answer in found:
            writer.writerow([getattr(answer, name) for name in names])
            count += 1
    return count


def _text(value: Any) -> str:
    """Return a word as it is, and any other value as JSON."""
    return value if isinstance(value, str) else compact_json(value)
