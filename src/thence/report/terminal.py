"""Tables for the terminal, and the display while a run is under way."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from thence import families
from thence.analysis.validation import CHECKS, Validation
from thence.core.audit import Audit
from thence.core.results import Results
from thence.core.sample import Sample
from thence.core.score import Outcome
from thence.core.statistics import Estimate
from thence.core.table import Entry
from thence.core.table import Table as PaperTable
from thence.engine.run_progress import Progress as Done
from thence.report.grid import Grid
from thence.report.progress_display import watching as watching  # noqa: PLC0414 - for those who print too

if TYPE_CHECKING:
    from rich.table import Table

    from thence.analysis.summary import Summary

_WIDE = 260  # columns that the widest table may take


LONG = 100
"""Rows of a map that are still shown as numbers."""


def console() -> Console:
    """Standard output, wide enough for any table: a terminal wraps lines and cuts no figure."""
    return _Terminal(width=max(_WIDE, get_terminal_size().columns), highlight=False)


class _Terminal(Console):
    """Ends quietly where nobody reads on."""

    def on_broken_pipe(self) -> None:
        """Left to the command, which ends quietly."""
        raise BrokenPipeError


def figure(estimate: Estimate) -> str:
    """A figure with its interval, such as ``0.612 [0.54, 0.68]``; a dash where there is none."""
    if math.isnan(estimate.value):
        return "-"
    if math.isnan(estimate.low):
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def print_results(found: Sequence[Results]) -> None:
    """The tables of some results: every task, then every family with its main breakdown."""
    from thence.analysis.summary import overview
    from thence.scoring import turns

    out = console()
    several = len({held.model for held in found}) > 1
    for held in found:
        view = overview(held)
        if several or held.model:
            out.print(Text(held.model or "replies", style="bold underline"))
        _rows("task", view.tasks).print(out)
        for name, summary in view.families.items():
            out.print()
            _family_table(name, summary).print(out)
        for table in turns.tables(held):
            out.print()
            print_table(table)
        for note in [*held.notes, *_counts(held)]:
            out.print(Text(note, style="dim"))
    for table in paper_tables(found):
        # A figure of many points is only to be looked at, in the page of ``thence report``.
        if table.chart is None or len(table.rows) <= LONG:
            out.print()
            print_table(table)


def summary_line(found: Results, protocol: str, done: Done) -> str:
    """A run in one line that can be pasted into a message."""
    from thence.analysis.summary import overview

    view = overview(found)
    figures = [
        f"{name} {figure(each.accuracy)} of {each.n:,}" for name, each in view.families.items()
    ]
    lost = [f"{found.errors:,} provider errors"] if found.errors else []
    if found.missing:
        lost.append(f"{found.missing:,} not asked yet")
    usage = done.usage
    parts = [
        f"{found.model}, {protocol}: accuracy {', '.join(figures) or 'unknown'}",
        ", ".join(lost) or "no errors",
        f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out, {done.cost:,.2f} USD",
    ]
    return "summary: " + "; ".join(parts)


def paper_tables(found: Sequence[Results]) -> list[PaperTable]:
    """The tables that the families make of some results."""
    from thence.analysis import consistency

    tasks = dict.fromkeys(name for held in found for name in held.frames)
    names = dict.fromkeys(families.task(name).family for name in tasks)
    tables = (families.families()[name].tables for name in names)
    made = [table for make in tables if make is not None for table in make(found)]
    return [*made, *consistency.tables(found)]


def print_table(table: PaperTable) -> None:
    """A table of a paper, its title above and its note below."""
    out = console()
    out.print(Text(table.title, style="bold"))
    drawn = Grid(*table.columns)
    for row in table.rows:
        drawn.add_row(*map(_entry, row))
    drawn.print(out)
    if table.note:
        out.print(Text(table.note, style="dim"))


def _entry(entry: Entry) -> str:
    if entry is None:
        return "-"
    if isinstance(entry, Estimate):
        return figure(entry)
    return f"{entry:.3f}" if isinstance(entry, float) else str(entry)


def print_comparison(found: Sequence[Results]) -> None:
    """Models side by side: each family as a whole, then the accuracy of every task."""
    from thence.analysis.summary import overview

    out = console()
    views = [overview(held) for held in found]
    for family in dict.fromkeys(name for view in views for name in view.families):
        rows = {view.model: view.families[family] for view in views if family in view.families}
        _rows(family, rows).print(out)
        out.print()
    table = Grid("accuracy by task", *(view.model for view in views))
    for task in dict.fromkeys(name for view in views for name in view.tasks):
        held = [view.tasks.get(task) for view in views]
        table.add_row(task, *(figure(each.accuracy) if each else "-" for each in held))
    table.print(out)
    out.print(Text("Intervals: 95%, Wilson or cluster bootstrap.", style="dim"))


def _counts(held: Results) -> Iterator[str]:
    if held.errors and held.accepted:
        yield f"{held.errors} provider errors were accepted and are not in n."
    elif held.errors:
        yield f"{held.errors} provider errors are not in n until they are tried again or accepted."
    if held.missing:
        yield f"{held.missing} were not asked yet."
    yield "Intervals: 95%, Wilson or cluster bootstrap."


def _columns(summaries: Sequence[Summary]) -> tuple[list[str], list[str]]:
    from thence.analysis.summary import shown_metrics

    metrics = shown_metrics(summaries)
    outcomes = [
        outcome.value
        for outcome in Outcome
        if outcome is not Outcome.CORRECT and any(each.outcomes[outcome] for each in summaries)
    ]
    return metrics, outcomes


def _rows(table_name: str, summaries: Mapping[str, Summary]) -> Grid:
    metrics, outcomes = _columns(list(summaries.values()))
    titles = [name.upper() for name in metrics]
    table = Grid(
        table_name, "n", "accuracy", *titles, *(name.replace("_", " ") for name in outcomes)
    )
    for name, each in summaries.items():
        figures = [
            figure(each.metrics[metric]) if metric in each.metrics else "-" for metric in metrics
        ]
        counts = [str(each.outcomes[outcome]) for outcome in outcomes]
        table.add_row(name, str(each.n), figure(each.accuracy), *figures, *counts)
    return table


def _family_table(name: str, summary: Summary) -> Grid:
    main = next(iter(summary.by.values()), {})
    rows = {group: each for group, each in main.items() if len(main) > 1}
    turns = {f"turn {place}": each for place, each in enumerate(summary.turns, 1)}
    return _rows(name, {**rows, **turns, "overall": summary})


def _wrapped(*columns: str, left: int) -> Table:
    """A table of texts, whose last column may take several lines."""
    from rich.table import Table  # slow to import, and most commands need none

    table = Table(box=None, pad_edge=False, header_style="bold")
    for place, name in enumerate(columns):
        table.add_column(
            escape(name), justify="left" if place < left else "right", no_wrap=place > 0
        )
    return table


def print_rows(rows: Sequence[Mapping[str, Any]]) -> None:
    """A table of rows that share their keys; what mappings hold is told below, each thing once."""
    plain = [key for key, value in rows[0].items() if not isinstance(value, Mapping)]
    table = _wrapped(*plain, left=len(plain))
    for column in table.columns:
        column.no_wrap = column is not table.columns[-1]
    for row in rows:
        table.add_row(*(escape(str(row[key])) for key in plain))
    out = console()
    out.print(table)
    for name in (key for key in rows[0] if key not in plain):
        told: dict[tuple[str, str], list[str]] = {}
        for row in rows:
            for key, text in row[name].items():
                told.setdefault((key, text), []).append(str(row[plain[0]]))
        if told:
            out.print()
            below = _wrapped(name, "", "of", left=3)
            below.columns[1].no_wrap = below.columns[2].no_wrap = False
            for (key, text), owners in told.items():
                below.add_row(escape(key), escape(text), escape(_several(owners)))
            out.print(below)


def _several(names: Sequence[str]) -> str:
    """Some names, or the ends of a long list of them."""
    if len(names) <= 3:
        return ", ".join(names)
    return f"{len(names)}, from {names[0]} to {names[-1]}"


def print_sample(sample: Sample, messages: Sequence[Mapping[str, str]], reply: str) -> None:
    """A sample as a person would check it: every message, the right reply, the witness."""
    out = console()
    out.print(Text(f"{sample.task}  {sample.id}", style="bold underline"))
    for message in messages:
        out.print(Text(f"{message['role']}:", style="bold"))
        out.print(Text(message["content"]), soft_wrap=True)
    out.print(Text("truth:", style="bold"))
    out.print(Text(reply), soft_wrap=True)
    if "witness" in sample.metadata:
        out.print(Text(f"witness: {sample.metadata['witness']}"), soft_wrap=True)
    out.print()


def print_audit(found: Audit) -> None:
    """Agreement by group, then the disagreements."""
    out = console()
    held = found.to_json()
    table = Grid("group", "checked", "agreed")
    for group, counts in held["groups"].items():
        table.add_row(group, f"{counts['checked']:,}", f"{counts['agreed']:,}")
    table.add_row("all", f"{held['checked']:,}", f"{held['agreed']:,}", bold=True)
    table.print(out)
    for each in () if found.tables else found.disagreements:
        out.print(Text(f"{each.group} {each.id}: {each.why}"), soft_wrap=True)
    for page in found.tables:
        out.print()
        print_table(page)
    skipped = f", {found.skipped} skipped" if found.skipped else ""
    out.print(f"{held['agreed']:,} of {held['checked']:,} published truths agree{skipped}.")


def print_validations(found: Sequence[Validation]) -> None:
    """One row a task, one column a check."""
    out = console()
    table = Grid("task", "checked", *(name.replace("_", " ") for name in CHECKS))
    for each in found:
        marks = (
            f"{len(each.failed[name])} failed" if each.failed[name] else "ok" for name in CHECKS
        )
        table.add_row(each.task, str(each.checked), *marks)
    table.print(out)
    failed = sum(not each.holds for each in found)
    out.print(f"{len(found) - failed} of {len(found)} tasks hold.")
