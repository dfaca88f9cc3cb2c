"""Queries over the rows of several indexed runs: filters, order, pages, where two runs differ."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from thence.core.score_frame import COUNTS, of_turn
from thence.engine.run_index import SHORT, Index
from thence.errors import UsageError
from thence.reporting.page_failures import ORDER

MOST = 500
"""Most rows of an answer."""

_HELD = 8  # queries whose rows are kept for the next page of them
_QUESTION = ["_question", "epoch", "turn"]
_SHOWN = ("r", "_s", "epoch", "turn", "id", "task", "outcome", "_group", "_long", "_stepwise",
          "_first", "latency", "_truth", "_read")  # fmt: skip
_USED = (*_SHOWN[1:], "correct", "answer_hash")
_SORTS = {"task": "task", "outcome": "_order", "long": "_long", "first": "_first",
          "took": "latency"}  # fmt: skip
_PLACES = {name: place for place, name in enumerate(ORDER)}
DIFFERENCES = {
    "right": "one alone is right",
    "first": "only the first is right",
    "second": "only the second is right",
    "answers": "the answers differ",
}
"""Ways in which two runs may differ on a question, in words."""


@dataclass(frozen=True)
class Query:
    """Query of the viewer; empty values ask for nothing.

    Attributes:
        runs: numbers of the runs.
        task: a task, or a family.
        outcome: an outcome.
        group: a group of the main breakdown.
        least: least steps or depth.
        most: most steps or depth.
        text: what question, truth or reply contain, in any case.
        pair: two runs that differ.
        differ: how, by a key of `DIFFERENCES`.
        sort: a key of the orders, or empty.
    """

    runs: tuple[int, ...]
    task: str = ""
    outcome: str = ""
    group: str = ""
    least: int | None = None
    most: int | None = None
    text: str = ""
    pair: tuple[int, int] | None = None
    differ: str = ""
    sort: str = ""

    @classmethod
    def of(cls, given: Mapping[str, Any], count: int) -> Query:
        """Return what the object of a request asks for.

        Raises:
            UsageError: a value is of another type.
        """
        runs = given.get("runs", [])
        pair = given.get("pair") or None
        numbers = [*(runs if isinstance(runs, list) else [None]),
                   *(pair if isinstance(pair, list) else [None] * bool(pair))]  # fmt: skip
        texts = {name: given.get(name) or "" for name in ("task", "outcome", "group", "text",
                                                          "differ", "sort")}  # fmt: skip
        ends = {name: given.get(name) for name in ("least", "most")}
        if (
            any(type(each) is not int or not 0 <= each < count for each in numbers)
            or not all(isinstance(each, str) for each in texts.values())
            or not all(each is None or type(each) is int for each in ends.values())
            or (pair is not None and len(pair) != 2)
            or (texts["differ"] and (pair is None or texts["differ"] not in DIFFERENCES))
        ):
            raise UsageError("the request is not one that the page makes")
        return cls(
            tuple(runs), texts["task"], texts["outcome"], texts["group"], ends["least"],
            ends["most"], texts["text"], pair and (pair[0], pair[1]), texts["differ"],
            texts["sort"],
        )  # fmt: skip


class Queries:
    """The rows of some runs, ready for queries.

    Args:
        indexes: of the runs, by number.
        samples: by run a text that two runs of the same file of samples share.
        turns: by run the turns of its protocol.
    """

    def __init__(
        self, indexes: Mapping[int, Index], samples: Sequence[str], turns: Mapping[int, int]
    ) -> None:
        self._indexes = indexes
        self._samples = samples
        parts = [
            index.rows.select(
                pl.lit(run, pl.UInt16).alias("r"),
                *(pl.col(name) for name in _USED),
                _order=pl.col("outcome").cast(pl.String).replace_strict(
                    _PLACES, return_dtype=pl.UInt8
                ),
                _question=pl.col("id").hash(),
                _counts=of_turn(turns[run] - 1) & COUNTS,
            )
            for run, index in indexes.items()
        ]  # fmt: skip
        rows = pl.concat(parts).with_row_index("_at")
        # All replies to a question come together, in the order of the first run that asked it.
        first = rows.group_by("_question").agg(_first_at=pl.col("_at").min())
        together = rows.join(first, "_question", "left", maintain_order="left")
        self._rows = together.sort("_first_at", "_at").drop("_first_at").with_row_index("_place")
        self._found: OrderedDict[Query, pl.Series] = OrderedDict()

    def __len__(self) -> int:
        return self._rows.height

    def find(self, asked: Query, start: int = 0, count: int = 100) -> dict[str, Any]:
        """Return some of the rows that are asked for, and how many there are by run."""
        places = self._places(asked)
        rows = self._rows[places[start : start + min(count, MOST)]]
        return {"count": len(places), "start": start, "rows": _json(rows)}

    def by_run(self, asked: Query) -> list[dict[str, int]]:
        """Return by run how many rows asked for count, and how many of them are right.

        Those of the last turn count that are no error of the provider.
        """
        rows = self._rows.select("r", "correct", "_counts")[self._places(asked)].filter("_counts")
        counted = rows.group_by("r").agg(n=pl.len(), right=pl.col("correct").sum()).sort("r")
        return counted.to_dicts()

    def alike(self, run: int, sample: int) -> list[dict[str, Any]]:
        """Return all rows of the question of a sample."""
        own = self._rows.filter((pl.col("r") == run) & (pl.col("_s") == sample))
        if own.is_empty():
            return []
        return _json(self._rows.filter(pl.col("_question") == own["_question"][0]).head(MOST))

    def locate(self, sample: str, name: str) -> dict[str, Any] | None:
        """Return the row of a name, or the first one of a sample; None where there is none."""
        held = _json(self._rows.filter(pl.col("id") == sample).head(MOST))
        return next((each for each in held if each["n"] == name), held[0] if held else None)

    def choices(self) -> dict[str, list[str]]:
        """Return the tasks, outcomes and groups that there are."""
        tasks, outcomes, groups = (
            self._rows[name].unique(maintain_order=True).drop_nulls().cast(pl.String).to_list()
            for name in ("task", "outcome", "_group")
        )
        return {
            "tasks": tasks,
            "outcomes": [each for each in ORDER if each in outcomes],
            "groups": groups,
        }

    def _places(self, asked: Query) -> pl.Series:
        """Return the places of the rows that are asked for, in order."""
        if (known := self._found.get(asked)) is not None:
            self._found.move_to_end(asked)
            return known
        conditions = self._conditions(asked)
        if asked.text:
            conditions.append(pl.lit(self._with_text(asked).gather(self._rows["_at"])))
        chosen = self._rows.lazy().filter(*conditions)
        if asked.differ and asked.pair:
            differing = self._differing(asked.pair, asked.differ)
            chosen = chosen.join(differing, _QUESTION, "semi", maintain_order="left")
        if asked.sort in _SORTS:
            key = pl.col(_SORTS[asked.sort])
            key = key.cast(pl.String) if asked.sort == "task" else key
            chosen = chosen.sort(key, nulls_last=True, maintain_order=True)
        found = chosen.select("_place").collect().to_series()
        self._found[asked] = found
        while len(self._found) > _HELD:
            self._found.popitem(last=False)
        return found

    def _conditions(self, asked: Query) -> list[pl.Expr]:
        runs = asked.pair if asked.differ and asked.pair else asked.runs
        made = [pl.col("r").is_in(runs)]
        if asked.task:
            whole = pl.col("task").cast(pl.String)
            made.append(
                whole == asked.task if "/" in asked.task else whole.str.starts_with(
                    f"{asked.task}/"
                )
            )  # fmt: skip
        if asked.outcome:
            made.append(pl.col("outcome").cast(pl.String) == asked.outcome)
        if asked.group:
            made.append(pl.col("_group").cast(pl.String) == asked.group)
        if asked.least is not None:
            made.append(pl.col("_long") >= asked.least)
        if asked.most is not None:
            made.append(pl.col("_long") <= asked.most)
        return made

    def _differing(self, pair: tuple[int, int], how: str) -> pl.LazyFrame:
        """Return the questions on which two runs differ."""
        first, second = (
            self._rows.lazy().filter(pl.col("r") == run).select(
                *_QUESTION, "correct", answer="answer_hash"
            )
            for run in pair
        )  # fmt: skip
        ours, theirs = pl.col("correct"), pl.col("correct_right")
        conditions = {
            "right": ours != theirs,
            "first": ours & ~theirs,
            "second": ~ours & theirs,
            "answers": pl.col("answer").ne_missing(pl.col("answer_right")),
        }
        return first.join(second, _QUESTION).filter(conditions[how]).select(_QUESTION)

    def _with_text(self, asked: Query) -> pl.Series:
        """Return for each row, run by run, whether question, truth or reply contain a text."""
        has = pl.col("text").str.contains(asked.text.lower(), literal=True)
        runs = asked.pair if asked.differ and asked.pair else asked.runs
        chosen = {run: index for run, index in self._indexes.items() if run in runs}
        # Runs of the same samples are searched once; all texts are searched side by side.
        questions = {self._samples[run]: index.samples for run, index in chosen.items()}
        replies = {run: index.rows.select(text="_text") for run, index in chosen.items()}
        texts = [each.lazy().select(has) for each in (*questions.values(), *replies.values())]
        found = iter(pl.collect_all(texts))
        within = {name: next(found).to_series() for name in questions}
        return pl.concat(
            within[self._samples[run]].gather(index.rows["_s"]) | next(found).to_series()
            if run in chosen
            else pl.repeat(value=False, n=index.rows.height, eager=True)
            for run, index in self._indexes.items()
        )


def _json(rows: pl.DataFrame) -> list[dict[str, Any]]:
    """Return rows as the page lists them; a value that a row lacks has no key."""
    names = {"r": "r", "_s": "s", "epoch": "e", "turn": "t", "id": "id", "task": "task",
             "outcome": "o", "_group": "group", "_long": "long", "_stepwise": "stepwise",
             "_first": "first", "latency": "took", "_truth": "truth", "_read": "read"}  # fmt: skip
    made = []
    for row in rows.select(pl.col(_SHOWN)).rename(names).iter_rows(named=True):
        held = {name: value for name, value in row.items() if value is not None}
        if len(held.get("truth", "")) > SHORT:
            held.pop("truth")
        held["n"] = "-".join(str(row[name]) for name in "rset")
        made.append(held)
    return made
