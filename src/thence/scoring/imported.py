"""Replies that were gathered elsewhere.

They come in the form of a benchmark's authors, or as lines of ``{"id", "response"}`` over a file
of samples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from thence import families
from thence.core.bounds import MOST_EPOCHS
from thence.core.imported_replies import Gathered, GatheredReply
from thence.core.results import Results
from thence.core.sample import Sample
from thence.errors import FileError
from thence.generation.sources import checked_samples
from thence.prompts.catalog import protocol
from thence.scoring.details import ScoredResponses
from thence.scoring.frame_builder import frames
from thence.scoring.judge import STRICT, Convert, Response, Scored, score_sample
from thence.system.disk import read_lines
from thence.system.progress import followed


@dataclass
class Replies:
    """One model's replies, each with the sample that it answers.

    Attributes:
        found: what is known of them before they are scored.
        conversations: a sample with the responses to it, in order.
    """

    found: Results
    conversations: list[tuple[Sample, list[Response]]]

    def rows(
        self,
        scorer: str = STRICT,
        convert: Convert | None = None,
        replies: Counter[str] | None = None,
    ) -> Iterator[Scored]:
        """Return the scored replies.

        Args:
            scorer: how replies are read.
            convert: what an extractor made of a response that has no readable answer.
            replies: takes in the number of replies by kind of failure or by outcome.
        """
        direct, reduce = protocol("direct"), self.found.reduced
        conversations = followed(self.conversations, "questions", len(self.conversations))
        for sample, responses in conversations:
            yield from score_sample(sample, responses, direct, reduce, convert, scorer, replies)

    def with_responses(
        self, scorer: str = STRICT, convert: Convert | None = None
    ) -> Iterator[tuple[Scored, Response]]:
        """Yield each score with the response that it is of; epochs are not reduced."""
        direct = protocol("direct")
        for sample, responses in self.conversations:
            rows = score_sample(sample, responses, direct, "mean", convert, scorer)
            yield from zip(rows, responses, strict=True)

    def scored_responses(
        self, found: Results, scorer: str = STRICT, convert: Convert | None = None
    ) -> ScoredResponses:
        """Return the scored replies for a row each.

        Args:
            found: their scores in columns.
            scorer: as for `rows`.
            convert: likewise.
        """
        return ScoredResponses(found, partial(self.with_responses, scorer, convert))

    def scored(
        self, scorer: str = STRICT, convert: Convert | None = None, *, answers: bool = False
    ) -> Results:
        """Return the results, with the scores of all replies.

        Args:
            scorer: as for `rows`.
            convert: likewise.
            answers: whether the text of every answer is kept.
        """
        counted = Counter[str]()
        rows = self.rows(scorer, convert, counted)
        return replace(self.found, frames=frames(rows, answers=answers), replies=counted)


def published(path: Path, scorer: str) -> Sequence[Replies] | None:
    """Return replies that lie in the form in which some family's authors publish theirs.

    Returns:
        The replies of each model; None where no family knows the form.
    """
    for family in families.families().values():
        if family.gather is not None:
            found = family.gather(path, scorer)
            if found is not None:
                return [_replies(held) for held in found]
    return None


def _replies(held: Gathered) -> Replies:
    """Return one model's replies, those to one sample put together."""
    found = Results(model=held.model, source=held.source, notes=list(held.notes))
    found.skipped += held.skipped
    conversations = []
    for _, replies in groupby(held.replies, lambda reply: reply.sample.id):
        several = list(replies)
        conversations.append((several[0].sample, [_response(reply) for reply in several]))
    return Replies(found, conversations)


def _response(reply: GatheredReply) -> Response:
    return Response(
        reply.sample.id,
        reply.epoch,
        response=reply.text,
        latency=reply.latency,
        error=reply.error,
    )


def replies_of(path: Path, samples: Path, reduce: str = "mean") -> Replies:
    """Return the replies of a file.

    Args:
        path: lines with ``id`` and ``response``, and ``epoch`` where an id comes more than once;
            ``finish_reason`` and ``error`` count where they are given.
        samples: the file of samples that they answer.
        reduce: how epochs become one score.

    Raises:
        FileError: a line that is no reply, an id that no sample has, or a reply given twice.
    """
    if not path.is_file():
        raise FileError(f"{path}: no such file")
    rows = ((f"{path}:{number}", row) for number, row in read_lines(path))
    asked = checked_samples(samples)
    return answered(rows, asked, reduce, source=str(path), questions=str(samples))


def answered(
    rows: Iterable[tuple[str, Mapping[str, Any]]],
    samples: Iterable[Sample],
    reduce: str,
    *,
    source: str,
    questions: str,
) -> Replies:
    """Return replies beside the samples that they answer, in the order of the samples.

    Args:
        rows: the place of each reply, for errors, and its row, as `replies_of` describes it.
        samples: the questions.
        reduce: how epochs become one score.
        source: where the replies are from.
        questions: where the samples are from.

    Raises:
        FileError: a row that is no reply, an id that no sample has, or a reply given twice.
    """
    held: dict[str, dict[int, Response]] = {}
    places: dict[str, str] = {}
    for place, row in rows:
        response = _reply(row, place)
        epochs = held.setdefault(response.id, {})
        if response.epoch in epochs:
            raise FileError(
                f"{place}: {response.id} was answered before; number repeats with 'epoch'"
            )
        epochs[response.epoch] = response
        places.setdefault(response.id, place)
    if not held:
        raise FileError(f"{source}: holds no replies")
    expected = 1 + max(epoch for epochs in held.values() for epoch in epochs)
    found, conversations = Results(source=source, reduced=reduce), []
    for sample in samples:
        responses = held.pop(sample.id, {})
        places.pop(sample.id, None)
        found.missing += expected - len(responses)
        conversations.append((sample, [responses[epoch] for epoch in sorted(responses)]))
    if places:
        name, place = next(iter(places.items()))
        raise FileError(
            f"{place}: no sample of {questions} has the id '{name}'; give the file or the "
            "questions that the replies answer"
        )
    return Replies(found, conversations)


def _reply(row: Mapping[str, Any], place: str) -> Response:
    """Return the reply of a line.

    Raises:
        FileError: it is none.
    """
    try:
        response = Response.from_json(row)
    except ValueError as error:
        raise FileError(f"{place}: not a reply: {error}") from error
    if "response" not in row and response.error is None:
        raise FileError(f"{place}: not a reply: field 'response' is missing")
    if response.turn != 0 or not 0 <= response.epoch < MOST_EPOCHS:
        raise FileError(
            f"{place}: epoch {response.epoch}, turn {response.turn}: a reply has "
            f"turn 0 and an epoch from 0 to {MOST_EPOCHS - 1}"
        )
    return response
