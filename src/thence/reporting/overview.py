"""The overview of results in the terminal: a table a family that fits its width, and a line."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from itertools import groupby
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from thence import families
from thence.core.failures import in_words, plural
from thence.core.results import Results
from thence.core.score import Outcome
from thence.core.statistics import EMPTY
from thence.engine.run_progress import Progress
from thence.reporting import cell_text
from thence.reporting.terminal import INTERVALS, console, figure, left_out
from thence.reporting.text_table import plain

if TYPE_CHECKING:
    from thence.analysis.summary import Overview, Summary

_PIPED = 100  # columns where standard output is no terminal
_MOST_GROUPS = 8  # of a family of one task; further ones are behind --full
_OUTCOMES = {
    Outcome.REFUSED: "refused",
    Outcome.TRUNCATED: "cut off",
    Outcome.NO_ANSWER: "no answer",
    Outcome.WRONG: "wrong",
    Outcome.PROVIDER_ERROR: "provider error",
}

type _Rows = list[tuple[str, Summary | None]]
"""The rows of a table by name; None for a heading."""


def width() -> int:
    """Return the columns of the terminal, those that ``COLUMNS`` gives, or those for a pipe."""
    if (sys.stdout is not None and sys.stdout.isatty()) or os.environ.get("COLUMNS"):
        return get_terminal_size((_PIPED, 24)).columns
    return _PIPED


def print_overview(found: Sequence[Results]) -> None:
    """Print for each model a table of each family's tasks, fitted to the terminal's width."""
    from thence.analysis.summary import overview

    out = console()
    for held in found:
        view = overview(held)
        if len(found) > 1 or held.model:
            out.print(Text(held.model or held.source, style="bold underline"))
        for name, whole in view.families.items():
            tasks = {task: each for task, each in view.tasks.items() if _family(task) == name}
            _print_family(out, name, tasks, whole)
        for note in [*held.notes, *left_out(held)]:
            _say(out, note, "dim")
    out.print(Text("Breakdowns, all metrics and the papers' tables: --full.", style="dim"))


def print_models(found: Sequence[Results]) -> None:
    """Print models side by side: a table of each family, the accuracy by task if it fits."""
    from thence.analysis.summary import overview

    out = console()
    views = [overview(held) for held in found]
    for family in dict.fromkeys(name for view in views for name in view.families):
        rows: _Rows = [
            (view.model, view.families[family]) for view in views if family in view.families
        ]
        _print_table(out, family, rows, rows)
    accuracies = [
        [
            task,
            *(figure(view.tasks[task].accuracy) if task in view.tasks else "-" for view in views),
        ]
        for task in dict.fromkeys(name for view in views for name in view.tasks)
    ]
    lines = _lines([["accuracy by task", *(view.model for view in views)], *accuracies], 2)
    if _widest(lines) <= width():
        _print_lines(out, lines, len(accuracies))
    for held in found:
        if failures := in_words(held.failures):
            _say(out, f"{held.model}: {failures}.")
    out.print(Text(INTERVALS, style="dim"))


def summary_line(found: Results, progress: Progress | None = None) -> str:
    """Return the figures, the failures and the cost of a run in one line.

    Args:
        found: the scores.
        progress: what the run has spent; None where that is not known.
    """
    from thence.analysis.shortcut_marks import above
    from thence.analysis.summary import overview

    view = overview(found)
    figures = [
        f"{label} {figure(each.accuracy)} of {each.n:,}{_alone(found, name)}{_beside(name, each)}"
        for name, whole in view.families.items()
        for label, each in _averaged(view, name, whole).items()
    ]
    name = ", ".join(part for part in (found.model or found.source, found.protocol) if part)
    nothing = "no errors" if found.frames or found.missing else "nothing was asked"
    passed, marked = above(found, {name: each.accuracy for name, each in view.tasks.items()})
    if marked:
        figures.append(f"{passed} of {plural(marked, 'task')} surely above the best shortcut")
    parts = [
        f"{name}: accuracy {', '.join(figures) or 'unknown'}",
        in_words(found.failures) or nothing,
    ]
    if progress is not None and not found.model.startswith("baseline/"):
        parts.append(spent(progress))
    return "summary: " + "; ".join(parts)


def _averaged(view: Overview, family: str, whole: Summary) -> Mapping[str, Summary]:
    """Return the figures of a family, or of each of its tasks where their shares do not compare."""
    if whole.accuracy.n or not whole.n:
        return {family: whole}
    return {name: each for name, each in view.tasks.items() if name.startswith(f"{family}/")}


def _beside(family: str, each: Summary) -> str:
    """Return the metrics that stand beside the accuracy, in brackets."""
    names = [name for name in families.families()[family].beside if name in each.metrics]
    return f" ({', '.join(f'{name} {figure(each.metrics[name])}' for name in names)})" * bool(names)


def _alone(found: Results, family: str) -> str:
    return " on one procedure" if family in found.one_procedure else ""


def spent(progress: Progress) -> str:
    """Return the tokens and the cost of a run in words."""
    usage, least = progress.usage, "at least " * progress.uncounted
    cached = f" ({usage.cached_tokens:,} cached)" if usage.cached_tokens else ""
    thought = f" ({usage.reasoning_tokens:,} of thinking)" if usage.reasoning_tokens else ""
    tokens = (
        f"{least}{usage.input_tokens:,} tokens in{cached}, {usage.output_tokens:,} out{thought}"
    )
    if progress.uncounted and not progress.counted:
        tokens = "tokens unknown"
    cost = progress.cost
    return f"{tokens}, {'cost unknown' if cost is None else f'{least}{cost:,.2f} USD'}"


def _family(task: str) -> str:
    return families.task(task).family


def _print_family(out: Console, name: str, tasks: Mapping[str, Summary], whole: Summary) -> None:
    """Print the tasks of a family, or the main groups of a single one, then all together."""
    rows: _Rows = [(task.removeprefix(f"{name}/"), each) for task, each in tasks.items()]
    if len(tasks) == 1:
        name = next(iter(tasks))
        groups = next(iter(whole.by.values()), {})
        rows = [*groups.items()] if 1 < len(groups) <= _MOST_GROUPS else []
    turns: _Rows = [(f"turn {place}", each) for place, each in enumerate(whole.turns, 1)]
    last: _Rows = [*turns, ("overall", whole)]
    _print_table(out, name, [*rows, *last], [*_by_domain(rows), *last])


def _by_domain(rows: _Rows) -> _Rows:
    """Return rows with the first parts of their names as headings above those that share them."""
    found: _Rows = []
    for domain, held in groupby(rows, lambda row: row[0].rpartition("/")[0]):
        if domain:
            found.append((domain, None))
        found += [("  " * bool(domain) + name.rpartition("/")[2], each) for name, each in held]
    return found


def _print_table(out: Console, name: str, rows: _Rows, narrow: _Rows) -> None:
    """Print a table: as many metrics as fit, else the outcomes in as little width as is needed.

    Args:
        out: where to print.
        name: the heading of the first column.
        rows: the rows.
        narrow: the rows with shorter names.
    """
    from thence.analysis.summary import shown_metrics

    most = width()
    metrics = shown_metrics([each for _, each in rows if each is not None])
    for count in range(len(metrics), -1, -1):
        lines = _lines(_table(name, rows, metrics[:count]), 2)
        if _widest(lines) <= most:
            _print_lines(out, lines, len(rows))
            return
    for held, gap in ((rows, 2), (narrow, 2), (narrow, 1)):
        lines = _lines(_stacked(_table(name, held)), gap)
        if _widest(lines) <= most:
            _print_lines(out, lines, len(held))
            return
    cut = max(1, max(cell_len(row) for row, _ in narrow) - (_widest(lines) - most))
    short: _Rows = [(_cut(row, cut), each) for row, each in narrow]
    _print_lines(out, _lines(_stacked(_table(_cut(name, cut), short)), 1), len(short))


def _table(name: str, rows: _Rows, metrics: Sequence[str] | None = None) -> list[list[str]]:
    """Return the cells of a table: n, accuracy, chance, the outcomes that happened, metrics.

    A narrow one, without metrics, has no chance either.
    """
    held = [each for _, each in rows if each is not None]
    outcomes = [key for key in _OUTCOMES if any(each.outcomes[key] for each in held)]
    wide = metrics is not None
    titles = [*(_OUTCOMES[key] for key in outcomes), *(metric.upper() for metric in metrics or ())]
    found = [[name, "n", "accuracy", *["chance"] * wide, *titles]]
    for row, each in rows:
        if each is None:
            found.append([row, *[""] * (len(found[0]) - 1)])
            continue
        found.append(
            [
                row,
                f"{each.n:,}",
                figure(each.accuracy),
                *[cell_text.text(each.chance) or "-"] * wide,
                *(f"{each.outcomes[key]:,}" for key in outcomes),
                *(
                    cell_text.text(each.metrics.get(metric, EMPTY)) or "-"
                    for metric in metrics or ()
                ),
            ]
        )
    return found


def _stacked(table: list[list[str]]) -> list[list[str]]:
    """Return a table whose header has a line for each word."""
    words = [title.split() for title in table[0]]
    height = max(map(len, words))
    heads = [["" for _ in range(height - len(each))] + each for each in words]
    return [*map(list, zip(*heads, strict=True)), *table[1:]]


def _lines(table: list[list[str]], gap: int) -> list[str]:
    """Return the lines of a table, the first column to the left, the others to the right.

    Args:
        table: its cells.
        gap: spaces between columns.
    """
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    found = []
    for name, *entries in table:
        pairs = zip(entries, widths[1:], strict=True)
        texts = [" " * (size - cell_len(text)) + text for text, size in pairs]
        found.append((" " * gap).join([set_cell_size(name, widths[0]), *texts]).rstrip())
    return found


def _say(out: Console, sentence: str, style: str = "") -> None:
    """Print a sentence: a terminal breaks it between words, a pipe gets it whole."""
    broken = width() if out.is_terminal else None
    out.print(Text(sentence, style=style), width=broken, soft_wrap=not out.is_terminal)


def _cut(text: str, most: int) -> str:
    return text if cell_len(text) <= most else set_cell_size(text, most - 1) + "…"


def _widest(lines: Sequence[str]) -> int:
    return max(map(cell_len, lines))


def _print_lines(out: Console, lines: Sequence[str], rows: int) -> None:
    """Print the lines of a table with so many rows, its header in bold, and an empty one."""
    for place, line in enumerate(lines):
        text = plain(line)
        text.stylize("bold" if place < len(lines) - rows else "")
        out.print(text, soft_wrap=True)
    out.print()
