"""Tables of two runs side by side, and their print in the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from thence.analysis.comparison import ALPHA, Comparison, Difference, conclusions, p_text
from thence.analysis.summary import ONE_PROCEDURE
from thence.core.statistics import finite
from thence.core.table import Entry, Table
from thence.reporting import cell_text
from thence.reporting.fitted_table import print_fitted, say
from thence.reporting.terminal import console

_FIRST = {"overall": "family", "tasks": "task", "groups": "task and group"}
_COLUMNS = ("n", "first", "second", "second - first", "only first", "only second", "alike", "p")
_LETTERS = {
    "first": "A",
    "second": "B",
    "second - first": "B-A",
    "only first": "only A",
    "only second": "only B",
}  # names of models are too long for the columns of a terminal
_OPTIONAL = ("only A", "only B", "alike")


def comparison_tables(found: Comparison, *, everything: bool = True) -> list[Table]:
    """Return tables of the differences by family, task and group, and of the metrics.

    Args:
        found: the comparison.
        everything: whether groups without a significant difference are included.
    """
    title = f"{found.second} - {found.first}"
    tables = [task_table(found.tasks)]
    if found.overall:
        tables.insert(0, _table("overall", title, {**found.overall}, corrected=False))
    groups = {
        f"{task} {group}": each
        for (task, group), each in found.groups.items()
        if everything or each.adjusted < ALPHA
    }
    if len(found.groups) > len(found.tasks) and groups:
        title = f"By group, {len(groups)} of {len(found.groups)}"
        title += "" if everything else ": those where a difference shows"
        corrected = f"p after Holm's correction for all {len(found.groups)} groups."
        tables.append(_table("groups", title, groups, note=corrected))
    rows = [
        (f"{family}/{name}", each.first, each.second, each.change or each.difference)
        for family, metrics in found.metrics.items()
        for name, each in metrics.items()
    ]
    if rows:
        columns = ("figure", "first", "second", "second - first")
        over = "questions" if any(ONE_PROCEDURE in each for each in found.notes) else "procedures"
        note = (
            "On the questions that both answered. Differences have the interval of a paired "
            f"bootstrap over {over}."
        )
        tables.append(Table("figures", "Figures beside the accuracy", columns, rows, note))
    return tables


def task_table(found: Mapping[str, Difference]) -> Table:
    """Return the table of the differences by task."""
    corrected = "p after Holm's correction for the rows of this table."
    return _table("tasks", "By task", found, note=corrected)


def _table(
    name: str,
    title: str,
    rows: Mapping[str, Difference],
    *,
    corrected: bool = True,
    note: str = "",
) -> Table:
    made = [(key, *_row(each, corrected=corrected)) for key, each in rows.items()]
    return Table(f"compare-{name}", title, (_FIRST[name], *_COLUMNS), made, note)


def _row(each: Difference, *, corrected: bool) -> tuple[Entry, ...]:
    return (
        each.n,
        each.first,
        each.second,
        each.change,
        each.lost,
        each.gained,
        finite(each.alike),
        p_text(each.adjusted if corrected else each.p).removeprefix("p = ").removeprefix("p "),
    )


def print_comparison(found: Comparison) -> None:
    """Print the conclusions of a comparison in words, then its tables."""
    out = console()
    for sentence in conclusions(found):
        say(out, sentence, "green" if " is better " in sentence else "")
    for sentence in found.notes:
        say(out, sentence, "dim")
    out.print()
    out.print(
        Text.assemble(("A", "bold"), f" = {found.first}; ", ("B", "bold"), f" = {found.second}")
    )
    for table in comparison_tables(found, everything=False):
        out.print(Text(table.title, style="bold"))
        names = [_LETTERS.get(name, name) for name in table.columns]
        cells = [[cell_text.text(entry) or "-" for entry in row] for row in table.rows]
        print_fitted(out, names, cells, optional=_OPTIONAL)
        if table.note:
            say(out, table.note, "dim")
        out.print()
