"""Replies that were gathered elsewhere.

They come in the form of a benchmark's authors, or as lines of ``{"id", "response"}`` over a file
of samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from thence import families
from thence.errors import FileError
from thence.kernel.disk import read_lines
from thence.kernel.gathered import Gathered, GatheredReply
from thence.protocols import protocol
from thence.scoring import STRICT, Response, Results, Scored, score_sample
from thence.sources import checked_samples

_MOST_EPOCHS = 10_000


def published(path: Path, scorer: str) -> Sequence[Results] | None:
    """Scores replies that lie in the form in which some family's authors publish theirs.

    Returns:
        Results a model; None where no family knows the form.
    """
    for family in families.families().values():
        if family.gather is not None:
            found = family.gather(path, scorer)
            if found is not None:
                return [_scored(held, scorer) for held in found]
    return None


def _scored(held: Gathered, scorer: str) -> Results:
    """The scores of one model's replies."""
    rows: list[Scored] = []
    found = Results(model=held.model, source=held.source, rows=rows, notes=list(held.notes))
    found.skipped += held.skipped
    direct = protocol("direct")
    for _, replies in groupby(held.replies, lambda reply: reply.sample.id):
        several = list(replies)
        responses = [_response(reply) for reply in several]
        rows += score_sample(several[0].sample, responses, direct, scorer=scorer)
    return found


def _response(reply: GatheredReply) -> Response:
    return Response(
        reply.sample.id,
        reply.epoch,
        response=reply.text,
        latency=reply.latency,
        error=reply.error,
    )


def score_file(path: Path, samples: Path, reduce: str = "mean", scorer: str = STRICT) -> Results:
    """Scores a file of replies.

    Args:
        path: lines with ``id`` and ``response``, and ``epoch`` where an id comes more than once;
            ``finish_reason`` and ``error`` count where they are given.
        samples: the file of samples that they answer.
        reduce: how epochs become one score.
        scorer: how replies are read.

    Raises:
        FileError: a line that is no reply, an id that no sample has, or a reply given twice.
    """
    held: dict[str, dict[int, Response]] = {}
    lines: dict[str, int] = {}
    if not path.is_file():
        raise FileError(f"{path}: no such file")
    for number, row in read_lines(path):
        try:
            response = Response.from_json(row)
        except ValueError as error:
            raise FileError(f"{path}:{number}: not a reply: {error}") from error
        if "response" not in row and response.error is None:
            raise FileError(f"{path}:{number}: not a reply: field 'response' is missing")
        if response.turn != 0 or not 0 <= response.epoch < _MOST_EPOCHS:
            raise FileError(
                f"{path}:{number}: epoch {response.epoch}, turn {response.turn}: a reply has "
                f"turn 0 and an epoch from 0 to {_MOST_EPOCHS - 1}"
            )
        epochs = held.setdefault(response.id, {})
        if response.epoch in epochs:
            raise FileError(
                f"{path}:{number}: {response.id} was answered before; number repeats with 'epoch'"
            )
        epochs[response.epoch] = response
        lines.setdefault(response.id, number)
    if not held:
        raise FileError(f"{path}: holds no replies")
    return _score(path, samples, held, lines, reduce, scorer)


def _score(
    path: Path,
    samples: Path,
    held: dict[str, dict[int, Response]],
    lines: dict[str, int],
    reduce: str,
    scorer: str,
) -> Results:
    direct = protocol("direct")
    expected = 1 + max(epoch for epochs in held.values() for epoch in epochs)
    rows: list[Scored] = []
    found = Results(source=str(path), rows=rows, reduced=reduce)
    for sample in checked_samples(samples):
        responses = held.pop(sample.id, {})
        lines.pop(sample.id, None)
        found.missing += expected - len(responses)
        in_order = [responses[epoch] for epoch in sorted(responses)]
        rows += score_sample(sample, in_order, direct, reduce, scorer=scorer)
    if lines:
        name, number = next(iter(lines.items()))
        raise FileError(
            f"{path}:{number}: no sample of {samples} has the id '{name}'; "
            "give the file that the replies answer"
        )
    return found
