"""The answers of a run that are not right, with all that a person needs to say why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from thence import families
from thence.core import sheets
from thence.core.digest import as_text
from thence.core.score import Outcome
from thence.core.witness import in_words
from thence.engine.directory import RunDirectory
from thence.engine.run_scores import scored_by

MULTI_HOP = "multi-hop"
"""The type of an error in which a chain of several links decides the answer."""


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """One answer that is not right; the fields are the columns of the file.

    Attributes:
        model: that gave it, so that sheets of several runs can be told apart.
        task: full name.
        id: of the sample.
        epoch: 0-based.
        outcome: why it is not right: wrong, no_answer, truncated or refused.
        question: the prompt.
        truth: the target; JSON where it is no word.
        reply: as it came.
        answer: the parsed answer, likewise; empty where nothing was readable.
        rule: which reading rule fired.
        witness: what makes the truth so, in words; steps are counted from 1, as in the question.
        error_type: ``multi-hop`` where the shortest chain has two edges or more and the answer is
            wrong; empty for a person to fill in.
    """

    model: str
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
    model = directory.information().request.model
    rows = scored_by(directory, "mean")
    for row, response in rows.with_responses():
        score, sample = row.score, row.sample
        if score.correct or not score.counts or row.turn != rows.protocol.turns:
            continue
        wrong = score.outcome is Outcome.WRONG
        chain = families.task(sample.task).explainer.chain(sample)
        yield WrongAnswer(
            model=model,
            task=sample.task,
            id=sample.id,
            epoch=row.epoch,
            outcome=score.outcome.value,
            question=sample.input,
            truth=as_text(sample.target),
            reply=response.response or "",
            answer=as_text(score.answer) if score.rule else "",
            rule=score.rule or "",
            witness=in_words(sample.metadata.get("witness")),
            error_type=MULTI_HOP if wrong and len(chain) > 2 else "",
        )


def write_wrong_answers(path: Path, found: Iterable[WrongAnswer]) -> sheets.Written:
    """Write a sheet of wrong answers, for people to fill in ``error_type``."""
    names = [each.name for each in fields(WrongAnswer)]
    return sheets.write(path, names, ([getattr(each, name) for name in names] for each in found))
