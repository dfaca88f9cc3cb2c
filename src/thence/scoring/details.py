"""Table of all responses, one row each: question, reply, answer, rule, outcome and scores.

Rows are made one by one, so that a run of any size is written in the same memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched
from pathlib import Path
from typing import Any

from thence import families
from thence.core import sheets
from thence.core.digest import as_text, compact_json, storable
from thence.core.prices import Prices
from thence.core.results import Results
from thence.core.sample import Sample
from thence.core.witness import in_words
from thence.generation.sample_files import pyarrow, write_lines
from thence.scoring.judge import Response, Scored
from thence.system.disk import replacing

SUFFIXES = (".csv", ".xlsx", ".parquet", ".jsonl")

FIRST = ("source", "model", "task", "id", "cluster", "epoch", "turn", "outcome", "correct")
"""The columns before those of groups and metrics."""

LAST = (
    "question", "truth", "answer", "rule", "span", "reply", "reasoning", "explanation", "witness",
    "finish_reason", "error", "input_tokens", "output_tokens", "seconds", "cost_usd",
)  # fmt: skip
"""The columns after those."""

_NUMBERS = {
    "epoch": "int64", "turn": "int64", "correct": "bool_", "input_tokens": "int64",
    "output_tokens": "int64", "seconds": "float64", "cost_usd": "float64",
}  # fmt: skip
_BATCH = 1024

type Row = dict[str, Any]


@dataclass(frozen=True)
class ScoredResponses:
    """Scored responses with their source and scorer.

    Attributes:
        results: their scores in columns.
        scored: gives each score with its response, as often as it is called; epochs not reduced.
        prices: of tokens; None where they are not known.
    """

    results: Results
    scored: Callable[[], Iterable[tuple[Scored, Response]]]
    prices: Prices | None = None

    def samples(self) -> Iterator[Sample]:
        """Yield each question once."""
        seen: set[str] = set()
        for scored, _ in self.scored():
            if scored.sample.id not in seen:
                seen.add(scored.sample.id)
                yield scored.sample


def columns(sources: Iterable[ScoredResponses]) -> dict[str, str]:
    """Return the names of all columns, each with its type in Arrow's words.

    Between those of `FIRST` and `LAST` stand the dimensions of the tables, the metrics and the
    further values of the families; a response that lacks one has an empty cell.
    """
    from thence.core.score_frame import COLUMNS

    found: dict[str, str] = {}
    for source in sources:
        for frame in source.results.frames.values():
            for name, kind in frame.data.schema.items():
                if name not in COLUMNS and name not in FIRST and name not in LAST:
                    found[name] = "float64" if kind.is_numeric() else "string"
    fixed = {name: _NUMBERS.get(name, "string") for name in (*FIRST, *LAST)}
    return {name: fixed.get(name) or found[name] for name in (*FIRST, *found, *LAST)}


def rows(sources: Iterable[ScoredResponses]) -> Iterator[Row]:
    """Yield a row for each response, by column, in the order of the samples; see `columns`."""
    for source in sources:
        for scored, response in source.scored():
            yield _row(source, scored, response)


def _row(source: ScoredResponses, scored: Scored, response: Response) -> Row:
    sample, score = scored.sample, scored.score
    task = families.task(sample.task)
    extra = families.families()[task.family].extra_columns
    usage = response.usage or {}
    tokens = [usage.get(name) for name in ("input_tokens", "output_tokens")]
    error = response.error
    return {
        **(extra(sample, score) if extra else {}),
        **score.values,
        **task.grader.breakdown(sample),
        "source": source.results.source,
        "model": source.results.model,
        "task": sample.task,
        "id": sample.id,
        "cluster": sample.cluster,
        "epoch": response.epoch,
        "turn": response.turn,
        "outcome": score.outcome.value,
        "correct": score.correct,
        "question": sample.input,
        "truth": as_text(sample.target),
        "answer": None if score.rule is None else as_text(score.answer),
        "rule": score.rule,
        "span": None if score.span is None else list(score.span),
        "reply": response.response,
        "reasoning": response.reasoning,
        "explanation": score.explanation,
        "witness": in_words(sample.metadata.get("witness")) or None,
        "finish_reason": response.finish_reason,
        "error": error
        and ": ".join(str(error[key]) for key in ("kind", "message") if key in error),
        "input_tokens": tokens[0],
        "output_tokens": tokens[1],
        "seconds": response.latency,
        "cost_usd": source.prices.cost(usage) if source.prices and None not in tokens else None,
    }


def check_output(path: Path, *, overwrite: bool, name: str = "path") -> None:
    """Raise an error if a file of details cannot be written.

    Raises:
        ParameterError: another suffix, no such folder, or a file that may not be replaced.
        MissingExtra: a format whose library is not installed.
    """
    sheets.check_output(path, overwrite=overwrite, name=name, suffixes=SUFFIXES)
    if path.suffix.lower() == ".parquet":
        pyarrow()


def write(path: Path, sources: Sequence[ScoredResponses]) -> sheets.Written:
    """Write a row for each response in the format of the suffix."""
    kinds = columns(sources)
    whole = ({name: row.get(name) for name in kinds} for row in rows(sources))
    match path.suffix.lower():
        case ".jsonl":
            return sheets.Written(write_lines(path, map(compact_json, whole)))
        case ".parquet":
            return sheets.Written(_write_parquet(path, kinds, whole))
        case _:
            return sheets.write(path, list(kinds), map(_cells, whole))


def _cells(row: Row) -> list[Any]:
    """Return a row as a sheet holds it: a span as text."""
    return ["-".join(map(str, each)) if isinstance(each, list) else each for each in row.values()]


def _write_parquet(path: Path, kinds: Mapping[str, str], whole: Iterable[Row]) -> int:
    arrow, parquet = pyarrow()
    types = {name: getattr(arrow, kind)() for name, kind in kinds.items()}
    schema = arrow.schema(types | {"span": arrow.list_(arrow.int64())})
    count = 0
    with replacing(path) as part, parquet.ParquetWriter(part, schema, compression="zstd") as writer:
        for batch in batched(whole, _BATCH):
            plain = [{name: storable(value) for name, value in row.items()} for row in batch]
            writer.write_table(arrow.Table.from_pylist(plain, schema))
            count += len(plain)
    return count
