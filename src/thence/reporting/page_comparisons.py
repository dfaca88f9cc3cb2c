"""Comparisons of two runs on the page: in words, by family, task and group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from thence.analysis.comparison import compare, conclusions
from thence.core.results import Results
from thence.core.table import Chart, Table
from thence.errors import UsageError
from thence.reporting.comparison_table import comparison_tables
from thence.reporting.exhibit import Exhibit

COMPARED = 4
"""Most runs whose pairs are told task by task."""

_LEGEND = (
    "Only first, only second: the questions that one alone answered rightly. Alike: the share of "
    "questions to which both gave equal answers."
)


@dataclass(frozen=True)
class Compared:
    """Two runs set against each other, as the page shows them.

    Attributes:
        title: the runs.
        note: which is first, and what the columns mean.
        words: the conclusions, a sentence each.
        tables: the differences.
    """

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
        f"{found.second} against {found.first}",
        f"First: {found.first}; second: {found.second}. {_LEGEND}",
        [*conclusions(found), *found.notes],
        [
            Exhibit(f"{table.name}-{number}", table.title, table.note, table=table)
            for table in map(_forest, comparison_tables(found, everything=False))
        ],
    )


def comparisons(found: Sequence[Results]) -> dict[str, Any]:
    """Return the comparisons of the first few models with each other, and which were left out.

    Baselines are compared with each other only where there is no model.
    """
    models = [held for held in found if not held.model.startswith("baseline/")] or list(found)
    made: list[Compared] = []
    for first, second in combinations(models[:COMPARED], 2):
        try:
            made.append(told(first, second, len(made)))
        except UsageError:
            continue  # they share no question
    return {"pairs": made, "left": [held.model for held in models[COMPARED:]]}


def _forest(table: Table) -> Table:
    """Return a table of differences with a figure of them by task."""
    if table.name != "compare-tasks":
        return table
    change = "second - first"
    return replace(table, chart=Chart("dot", "task", change, y_title="difference in accuracy"))
