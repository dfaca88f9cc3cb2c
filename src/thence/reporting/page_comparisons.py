"""Comparisons of two runs on the page: in words, by family, task and group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from thence.analysis.comparison import Difference, compare, conclusions, difference
from thence.analysis.paired_questions import pair_runs
from thence.core.results import Results
from thence.core.statistics import holm
from thence.core.table import Chart, Table
from thence.errors import UsageError
from thence.reporting.comparison_table import comparison_tables, task_table
from thence.reporting.exhibit import Exhibit

COMPARED = 4
"""Most runs whose pairs are told in full: in words, by group and by metric too."""

_MOST = 150_000  # answers of pairs that are compared by task alone, for time and room on the page

_LEGEND = (
    "Only first, only second: the questions that one alone answered rightly. Alike: the share of "
    "questions to which both gave equal answers."
)


@dataclass(frozen=True)
class Compared:
    """Two runs set against each other, as the page shows them.

    Attributes:
        pair: names of the runs.
        title: the runs.
        note: which is first, and what the columns mean.
        words: the conclusions, a sentence each.
        tables: the differences.
    """

    pair: tuple[str, str]
    title: str
    note: str
    words: Sequence[str]
    tables: Sequence[Exhibit]


def told(first: Results, second: Results, number: int = 0) -> Compared:
    """Return the comparison of two runs.

    Args:
        first: a run.
        second: the other.
        number: of the comparison on its page, for anchors.

    Raises:
        UsageError: they share no question.
    """
    found = compare(first, second)
    return Compared(
        (first.model, second.model),
        f"{found.second} against {found.first}",
        f"First: {found.first}; second: {found.second}. {_LEGEND}",
        [*conclusions(found), *found.notes],
        [
            Exhibit(f"{table.name}-{number}", table.title, table.note, table=table)
            for table in map(_forest, comparison_tables(found, everything=False))
        ],
    )


def comparisons(found: Sequence[Results]) -> dict[str, Any]:
    """Return the comparisons of each two models, the first few in full, and pairs without room.

    Baselines are compared with each other only where there is no model.
    """
    models = [held for held in found if not held.model.startswith("baseline/")] or list(found)
    made: list[Compared] = []
    for first, second in combinations(models[:COMPARED], 2):
        with suppress(UsageError):  # they share no question
            made.append(told(first, second, len(made)))
    left, room = 0, _MOST
    for (place, first), (other, second) in combinations(enumerate(models), 2):
        if max(place, other) < COMPARED:
            continue
        room -= min(_size(first), _size(second))
        if room < 0:
            left += 1
        elif tasks := _by_task(first, second):
            made.append(_briefly(first.model, second.model, tasks, len(made)))
    return {"pairs": made, "left": left}


def _briefly(first: str, second: str, tasks: Mapping[str, Difference], number: int) -> Compared:
    """Return the comparison of two runs by task alone."""
    table = task_table(tasks)
    return Compared(
        (first, second),
        f"{second} against {first}",
        f"First: {first}; second: {second}. {_LEGEND}",
        (),
        [Exhibit(f"{table.name}-{number}", table.title, table.note, table=table)],
    )


def _by_task(first: Results, second: Results) -> dict[str, Difference]:
    """Return the differences of two runs by task, corrected for their number; none shared: empty.

    It is the part of `compare` that is quick enough for all pairs of many runs.
    """
    runs = pair_runs(first, second)
    if not runs.tasks:
        return {}
    parts = runs.questions().partition_by("task", as_dict=True, maintain_order=True)
    found = {str(task): difference(held) for (task,), held in parts.items()}
    adjusted = holm([each.p for each in found.values()])
    return {
        task: replace(each, adjusted=p)
        for (task, each), p in zip(found.items(), adjusted, strict=True)
    }


def _size(held: Results) -> int:
    return sum(len(frame) for frame in held.frames.values())


def _forest(table: Table) -> Table:
    """Return a table of differences with a figure of them by task."""
    if table.name != "compare-tasks":
        return table
    change = "second - first"
    return replace(table, chart=Chart("dot", "task", change, y_title="difference in accuracy"))
