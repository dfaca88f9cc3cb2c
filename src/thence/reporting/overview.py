"""The overview of results in the terminal: a table that fits its width, and a line to paste."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from thence import families
from thence.core.failures import in_words, plural
from thence.core.results import CORRECTED, Results
from thence.core.score import Outcome
from thence.core.statistics import EMPTY
from thence.engine.run_progress import Progress
from thence.engine.spending import Spending
from thence.reporting import cell_text
from thence.reporting.fitted_table import Row, print_fitted, say
from thence.reporting.terminal import INTERVALS, console, figure, left_out

if TYPE_CHECKING:
    from thence.analysis.summary import Overview, Summary

_OUTCOMES = {
    Outcome.REFUSED: "refused",
    Outcome.TRUNCATED: "cut off",
    Outcome.NO_ANSWER: "no answer",
    Outcome.WRONG: "wrong",
    Outcome.PROVIDER_ERROR: "provider error",
}

_MARKS = ("chance", "best shortcut")
SHORTCUT = "shortcut"  # the metric; its own module loads slowly

type _Rows = list[tuple[str, Summary]]


def print_overview(found: Sequence[Results]) -> None:
    """Print for each model one table with a row a family, fitted to the terminal, and what next."""
    from thence.analysis.summary import overview

    out = console()
    for held in found:
        view = overview(held)
        if len(found) > 1 or held.model:
            out.print(Text(held.model or held.source, style="bold underline"))
        rows: _Rows = []
        for name, whole in view.families.items():
            rows += _averaged(view, name, whole).items()
            rows += [(f"{name} turn {place}", each) for place, each in enumerate(whole.turns, 1)]
        _print_table(out, "family", rows)
        for note in [*held.notes, *left_out(held)]:
            say(out, note, "dim")
    _say_next(out, found)


def _say_next(out: Console, found: Sequence[Results]) -> None:
    """Print the commands that show more of some results."""
    from thence.engine.directory import RunDirectory

    more = "tasks, groups, all metrics, the papers' tables"
    runs = [held.source for held in found if held.source and RunDirectory(Path(held.source)).exists]
    if len(runs) < len(found):
        out.print(Text(f"More: --full ({more}).", style="dim"))
        return
    names = " ".join(map(shlex.quote, runs))
    wrong = next((each.source for each in found if _has_wrong(each)), None)
    lines = [
        (f"thence score {names} --full", more),
        *([(f"thence errors {shlex.quote(wrong)}", "wrong answers, to read")] if wrong else []),
        (f"thence report {names} -o report.html", "a page of it all"),
    ]
    for command, what in lines if runs else ():
        out.print(
            Text.assemble("next: ", (command, "cyan"), (f"  # {what}", "dim")), soft_wrap=True
        )


def _has_wrong(held: Results) -> bool:
    """Return whether some answers are not right, as ``thence errors`` lists them."""
    right = (Outcome.CORRECT, Outcome.PROVIDER_ERROR)
    counts = [frame.outcomes() for frame in held.frames.values()]
    return any(each[outcome] for each in counts for outcome in Outcome if outcome not in right)


def print_models(found: Sequence[Results]) -> None:
    """Print models side by side: a table of each family, the accuracy by task if it fits."""
    from thence.analysis.summary import overview

    out = console()
    views = [overview(held) for held in found]
    for family in dict.fromkeys(name for view in views for name in view.families):
        rows: _Rows = [
            (view.model, view.families[family]) for view in views if family in view.families
        ]
        _print_table(out, family, rows)
    for held in found:
        if failures := in_words(held.failures):
            say(out, f"{held.model}: {failures}.")
    out.print(Text(INTERVALS, style="dim"))


def say_summary(found: Results, progress: Progress | None = None) -> None:
    """Print `summary_line`."""
    say(console(), summary_line(found, progress))


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
        parts.append(spent(progress.spending))
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


def spent(spending: Spending) -> str:
    """Return the tokens and the cost of a run in words."""
    usage, least = spending.usage, "at least " * spending.uncounted
    cached = f" ({usage.cached_tokens:,} cached)" if usage.cached_tokens else ""
    thought = f" ({usage.reasoning_tokens:,} of thinking)" if usage.reasoning_tokens else ""
    tokens = (
        f"{least}{usage.input_tokens:,} tokens in{cached}, {usage.output_tokens:,} out{thought}"
    )
    if spending.uncounted and not spending.counted:
        tokens = "tokens unknown"
    cost = spending.cost
    return f"{tokens}, {'cost unknown' if cost is None else f'{least}{cost:,.2f} USD'}"


def _print_table(out: Console, name: str, rows: _Rows) -> None:
    """Print a table of summaries: n, accuracy, chance, best shortcut, the outcomes that happened.

    Args:
        out: where to print.
        name: the heading of the first column.
        rows: the summaries by name.
    """
    held = [each for _, each in rows]
    outcomes = [key for key in _OUTCOMES if any(each.outcomes[key] for each in held)]
    second = [CORRECTED] if any(CORRECTED in each.metrics for each in held) else []
    head = [name, "n", "accuracy", *second, *_MARKS, *(_OUTCOMES[key] for key in outcomes)]
    cells: list[Row] = [
        [
            row,
            f"{each.n:,}",
            Text(figure(each.accuracy), style=_style(each)),
            *(figure(each.metrics.get(name, EMPTY)) for name in second),
            cell_text.text(each.chance) or "-",
            cell_text.text(each.metrics.get(SHORTCUT, EMPTY)) or "-",
            *(Text(f"{each.outcomes[key]:,}", style=_colour(each, key)) for key in outcomes),
        ]
        for row, each in rows
    ]
    print_fitted(out, head, cells, optional=_MARKS)
    out.print()


def _style(each: Summary) -> str:
    """Return the colour of an accuracy: whether its interval lies above chance and shortcut."""
    if isnan(each.accuracy.low):
        return ""
    marks = (each.chance, each.metrics.get(SHORTCUT, EMPTY).value)
    known = [mark for mark in marks if not isnan(mark)]
    if known and each.accuracy.low > max(known):
        return "green"
    return "yellow" if each.accuracy.low <= each.chance else ""


def _colour(each: Summary, outcome: Outcome) -> str:
    return "red" if outcome is not Outcome.WRONG and each.outcomes[outcome] else ""
