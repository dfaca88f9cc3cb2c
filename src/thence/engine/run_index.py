"""Index of a run for queries: a row a scored response, and where samples and responses stand.

A run that is being written adds to it; nothing of what was read before is read again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import polars as pl

from thence import families
from thence.core.digest import as_text, storable
from thence.core.failures import kind_of
from thence.core.results import Results
from thence.core.sample import Sample
from thence.core.score import Outcome
from thence.core.score_frame import COLUMNS, ScoreFrame, with_clusters
from thence.engine import json_lines
from thence.engine.directory import RESPONSES, SAMPLES, RunDirectory
from thence.engine.response_index import Turns, latest, whole_length, whole_responses
from thence.engine.run_scores import described, scored_by
from thence.engine.sent_messages import SentMessages
from thence.scoring.frame_builder import frames
from thence.scoring.judge import Response, Scored
from thence.system.disk import FileSlices, lines_of

SHORT = 30
"""Most characters of a truth or an answer that stands in a row."""

_CHUNK = 2_000  # samples whose rows are held as objects
_PLACES = {"start": pl.UInt64(), "length": pl.UInt32()}
_SAMPLES = {"id": pl.String(), **_PLACES, "text": pl.String()}
_RESPONSES = {"s": pl.UInt32(), **_PLACES}
NOTES = {
    "_s": pl.UInt32(),
    "_group": pl.Categorical(),
    "_long": pl.Int32(),
    "_stepwise": pl.Boolean(),
    "_first": pl.Int32(),
    "_states": pl.Int32(),
    "_target": pl.Categorical(),
    "_seed": pl.Categorical(),
    "_truth": pl.String(),
    "_read": pl.String(),
    "_kind": pl.Categorical(),
    "_text": pl.String(),
}
"""The columns of a row that a score frame does not have.

``_s`` is the number of the sample, ``_seed`` its seed, ``_long`` its steps or depth; ``_stepwise``
whether its truth is a list of states and ``_states`` how many; ``_target`` a short truth that is
text; ``_first`` the number of right states before the first wrong one; ``_truth`` and
``_read`` short truths and answers; ``_kind`` what is wrong with a reply; ``_text`` the reply in
lower case.
"""


@dataclass(frozen=True)
class Index:
    """Index of a run.

    Attributes:
        samples: ``id``, ``start`` and ``length`` of the line, ``text`` in lower case to search in.
        responses: ``s`` (number of the sample), ``start`` and ``length`` of the line.
        rows: the columns of all score frames, and `NOTES`; in the order of the samples.
        metrics: names of the metrics by task.
        read: bytes of the file of responses that are in it.
    """

    samples: pl.DataFrame
    responses: pl.DataFrame
    rows: pl.DataFrame
    metrics: Mapping[str, Sequence[str]]
    read: int = 0


class IndexedRun:
    """A run with its index.

    Attributes:
        directory: the run.
        index: as far as the run was read.
    """

    def __init__(self, directory: RunDirectory, index: Index | None = None) -> None:
        """Take an index that was kept, or begin one.

        Raises:
            FileError: the run cannot be read.
        """
        self.directory = directory
        self._scores = scored_by(directory, "mean")
        self._path = directory.path / RESPONSES
        self.index = index or _begun(directory)

    def grow(self) -> bool:
        """Index the responses that were written since; return whether there were any.

        Raises:
            FileError: it cannot be read.
        """
        before = self.index
        end = whole_length(self._path) if self._path.is_file() else 0
        if end <= before.read:
            return False
        found = pl.DataFrame(
            self._new(before.read, end), schema=_RESPONSES, orient="row", strict=False
        ).drop_nulls("s")
        responses = pl.concat([before.responses, found])
        touched = found["s"].unique()
        held = responses.filter(pl.col("s").is_in(touched.implode()))
        made, metrics = self._scored(held)
        kept = before.rows.filter(~pl.col("_s").is_in(touched.implode())) if before.read else None
        parts = [*([] if kept is None or kept.is_empty() else [kept]), *made]
        rows = _in_order(parts) if parts else before.rows
        joined = {
            task: tuple(dict.fromkeys([*before.metrics.get(task, ()), *metrics.get(task, ())]))
            for task in {**before.metrics, **metrics}
        }
        self.index = replace(before, responses=responses, rows=rows, metrics=joined, read=end)
        return True

    def _new(self, start: int, end: int) -> Iterator[tuple[int | None, int, int]]:
        """Yield sample, start and length of each response of a part of the file."""
        numbers = self._numbers
        for place, length, response in whole_responses(self._path, start, end):
            yield numbers.get(response.id), place, length

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.index.samples["id"])}

    def _scored(
        self, responses: pl.DataFrame
    ) -> tuple[list[pl.DataFrame], dict[str, dict[str, None]]]:
        """Return the rows of the samples of some responses, and the metrics of their tasks."""
        made: list[pl.DataFrame] = []
        metrics: dict[str, dict[str, None]] = {}
        held = responses.group_by("s").agg("start", "length").sort("s")
        for part in held.iter_slices(_CHUNK):
            notes: dict[str, list[dict[str, Any]]] = defaultdict(list)
            for task, frame in frames(self._noted(part, notes)).items():
                beside = pl.DataFrame(notes[task], schema=NOTES)
                made.append(frame.data.hstack(beside))
                metrics.setdefault(task, {}).update(dict.fromkeys(frame.metrics))
        return made, metrics

    def _noted(
        self, part: pl.DataFrame, notes: dict[str, list[dict[str, Any]]]
    ) -> Iterator[Scored]:
        """Yield the scores of some samples; put what else their rows hold beside, by task."""
        for number, starts, lengths in part.iter_rows():
            sample = self.sample(number)
            held = self._latest(sample.id, zip(starts, lengths, strict=True))
            fixed = _of_sample(sample) | {"_s": number}
            for row in self._scores.score(sample, held):
                response = held[row.epoch, row.turn]
                notes[sample.task].append(fixed | _of_reply(row, response))
                yield row

    def sample(self, number: int) -> Sample:
        """Return the whole sample of a number."""
        _, start, length, _ = self.index.samples.row(number)
        return json_lines.sample(self._sample_file.read(start, length))

    def responses(self, number: int) -> Turns:
        """Return the responses to a sample that count, by epoch and turn."""
        held = self.index.responses.filter(pl.col("s") == number)
        return self._latest(
            self.index.samples["id"][number], held.select("start", "length").iter_rows()
        )

    def scored(self, number: int) -> list[Scored]:
        """Return the scores of the responses to a sample."""
        return self._scores.score(self.sample(number), self.responses(number))

    def sent(self, sample: Sample, epoch: int, turn: int, held: Turns) -> Any:
        """Return the messages to which a response came; None where they are not known."""
        if self._messages.prompt_alone:
            return ({"role": "user", "content": sample.input},)
        return self._messages.of(sample, epoch, turn, held)

    def results(self) -> Results:
        """Return the scores in columns, as the report has them."""
        if self._scores.epochs > 1 and self.directory.information().reduce == "majority":
            rows = scored_by(self.directory)
            return described(self.directory, rows, frames(rows))
        found = described(self.directory, self._scores, {})
        found.frames = self._frames()
        found.missing = max(0, self.asked - self.done)
        found.replies = Counter(dict(self.index.rows["_kind"].value_counts().iter_rows()))
        return found

    def _frames(self) -> dict[str, ScoreFrame]:
        rows = self.index.rows
        made = {}
        for (task,), held in rows.partition_by("task", as_dict=True, maintain_order=True).items():
            plain = held.drop(*NOTES)
            data = plain.select(
                name for name in plain.columns
                if name in COLUMNS or plain[name].null_count() < plain.height
            )  # fmt: skip
            example = self.sample(held["_s"][0]).light()
            made[str(task)] = ScoreFrame(data, self.index.metrics[str(task)], example=example)
        return with_clusters(made)

    @property
    def turns(self) -> int:
        """The turns of the protocol."""
        return self._scores.protocol.turns + 1

    @property
    def asked(self) -> int:
        """The number of conversations, each a question in an epoch."""
        return self.index.samples.height * self._scores.epochs

    @property
    def done(self) -> int:
        """The number of conversations that came to their end, by an answer or an error."""
        ended = (pl.col("turn") == self.turns - 1) | (
            pl.col("outcome") == Outcome.PROVIDER_ERROR.value
        )
        return self.index.rows.filter(ended).select("_s", "epoch").n_unique()

    def _latest(self, sample: str, places: Iterable[tuple[int, int]]) -> Turns:
        lines = (self._response_file.read(start, length) for start, length in places)
        held = (Response.checked(json_lines.parse(line)) for line in lines)
        return latest(each for each in held if each.id == sample)

    @cached_property
    def _messages(self) -> SentMessages:
        return SentMessages(self.directory.information().request)

    @cached_property
    def _sample_file(self) -> FileSlices:
        return FileSlices(self.directory.path / SAMPLES)

    @cached_property
    def _response_file(self) -> FileSlices:
        return FileSlices(self._path)


def _begun(directory: RunDirectory) -> Index:
    """Return the index of a run's samples, which are checked if they were not before."""
    if not directory.trusted:
        for _ in directory.samples():
            pass
    found: list[tuple[str, int, int, str]] = []
    start = 0
    for line in lines_of(lambda: directory.path / SAMPLES):
        sample = json_lines.sample(line)
        truth = families.task(sample.task).format.write(sample.target)
        text = storable(f"{sample.id}\n{sample.input}\n{truth}".lower())
        found.append((sample.id, start, len(line), text))
        start += len(line)
    rows = pl.DataFrame(schema=COLUMNS | NOTES)
    return Index(
        pl.DataFrame(found, schema=_SAMPLES, orient="row"),
        pl.DataFrame(schema=_RESPONSES),
        rows,
        {},
    )


def _in_order(parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return frames as one, in the order of the samples."""
    whole = pl.concat(parts, how="diagonal")
    return whole.sort("_s", "epoch", "turn", maintain_order=True)


def _of_sample(sample: Sample) -> dict[str, Any]:
    task = families.task(sample.task)
    dimension = families.families()[task.family].dimensions[0]
    stepwise = isinstance(sample.target, Mapping) and "intermediate" in sample.target
    length = next(
        (each for name in ("steps", "depth") if type(each := sample.metadata.get(name)) is int),
        None,
    )
    group = task.grader.breakdown(sample).get(dimension)
    return {
        "_group": None if group is None else storable(str(group)),
        "_long": length,
        "_stepwise": stepwise,
        "_states": len(sample.target["intermediate"] or ()) + 1 if stepwise else None,
        "_target": storable(sample.target) if _is_short(sample.target) else None,
        "_seed": None if (seed := sample.metadata.get("seed")) is None else storable(str(seed)),
        "_truth": None if stepwise else _brief(task.format.write(sample.target)),
    }


def _of_reply(row: Scored, response: Response) -> dict[str, Any]:
    score = row.score
    matched = score.values.get("pml")
    return {
        "_first": None if matched is None or score.correct else int(matched),
        "_read": None if score.rule is None else _brief(as_text(score.answer)),
        "_kind": kind_of(score.outcome, response.response),
        "_text": storable((response.response or "").lower()),
    }


def _is_short(target: Any) -> bool:
    return isinstance(target, str) and len(target) <= SHORT


def _brief(text: str) -> str:
    return str(storable(text[: SHORT + 1]))
