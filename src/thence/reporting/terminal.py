"""Results, samples, audits and validations, printed in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from thence import families
from thence.analysis.validation import CHECKS, Validation
from thence.core.audit import Audit
from thence.core.failures import plural
from thence.core.results import Results
from thence.core.sample import Sample
from thence.core.score import Outcome
from thence.core.statistics import EMPTY, Estimate
from thence.core.table import Entry, Table
from thence.core.witness import in_words
from thence.reporting import cell_text
from thence.reporting.fitted_table import broken, print_fitted, say
from thence.reporting.printable_console import PrintableConsole, width
from thence.reporting.text_table import print_text_table

if TYPE_CHECKING:
    from thence.analysis.summary import Summary

_WIDE = 260  # columns of a terminal's line, so that rich does not wrap sentences
INTERVALS = "Intervals: 95%, Wilson or cluster bootstrap."
_MOST_ROWS = 100  # of a figure's table; figures of more points are drawn on the page only


def console() -> Console:
    """Return standard output with lines so long that the terminal alone wraps them."""
    return PrintableConsole(width=max(_WIDE, get_terminal_size().columns), highlight=False)


def figure(estimate: Estimate) -> str:
    """Return a figure with its interval, such as ``0.612 [0.54, 0.68]``, or a dash for NaN."""
    return cell_text.text(estimate) or "-"


def print_results(found: Sequence[Results]) -> None:
    """Print a table of tasks, one of each family's main breakdown, and the papers' tables."""
    from thence.analysis.summary import overview
    from thence.scoring import turns

    out = console()
    several = len({held.model for held in found}) > 1
    for held in found:
        view = overview(held)
        if several or held.model:
            out.print(Text(held.model or "replies", style="bold underline"))
        _print_summaries(out, "task", view.tasks)
        for name, summary in view.families.items():
            out.print()
            _print_summaries(out, name, _breakdown(summary))
        for table in turns.tables(held):
            out.print()
            print_table(table)
        for note in [*held.notes, *left_out(held)]:
            say(out, note, "dim")
    for table in paper_tables(found):
        if table.chart is None or len(table.rows) <= _MOST_ROWS:
            out.print()
            print_table(table)


def paper_tables(found: Sequence[Results]) -> list[Table]:
    """Return the tables of the families' papers, then the one of twins answered alike."""
    from thence.analysis import consistency

    tasks = dict.fromkeys(name for held in found for name in held.frames)
    names = dict.fromkeys(families.task(name).family for name in tasks)
    tables = (families.families()[name].tables for name in names)
    made = [table for make in tables if make is not None for table in make(found)]
    return [*made, *consistency.tables(found)]


def print_table(table: Table) -> None:
    """Print a table with its title above and its note below."""
    out = console()
    say(out, table.title, "bold")
    print_text_table(out, table.columns, [[_cell(entry) for entry in row] for row in table.rows])
    if table.note:
        say(out, table.note, "dim")


def _cell(entry: Entry) -> str:
    return str(entry) if isinstance(entry, str | int) else cell_text.text(entry) or "-"


def left_out(held: Results) -> Iterator[str]:
    """Yield a sentence on each kind of response that is not in n, then those on the intervals."""
    errors = plural(held.errors, "provider error")
    is_, was, it = ("is", "was", "it is") if held.errors == 1 else ("are", "were", "they are")
    if held.errors and held.accepted:
        yield f"{errors} {was} accepted and {is_} not in n."
    elif held.errors:
        yield f"{errors} {is_} not in n until {it} tried again or accepted."
    if held.missing:
        yield f"{held.missing:,} {'was' if held.missing == 1 else 'were'} not asked yet."
    yield from one_procedure(held)
    yield from unmeasured_shortcuts(held)
    yield INTERVALS


def unmeasured_shortcuts(held: Results) -> Iterator[str]:
    """Yield a sentence on the tasks of which no number says how far shortcuts get."""
    from thence.analysis.shortcut_marks import FEWEST, unmeasured

    if names := unmeasured(held):
        some = f"{len(names)} tasks, such as {names[0]}" if len(names) > 2 else " and ".join(names)
        yield (
            f"No number says how far shortcuts get in {some}: score --shortcuts measures it, of a "
            f"task with {FEWEST} questions or more."
        )


def one_procedure(held: Results) -> Iterator[str]:
    """Yield a sentence on each family whose intervals are over the questions of one procedure."""
    from thence.analysis.summary import ONE_PROCEDURE

    for family in held.one_procedure:
        yield f"{families.families()[family].title}: {ONE_PROCEDURE}"


def _print_summaries(out: Console, name: str, summaries: Mapping[str, Summary]) -> None:
    """Print one row a summary: n, accuracy, metrics, then the outcomes that happened."""
    from thence.analysis.summary import shown_metrics

    held = list(summaries.values())
    metrics = shown_metrics(held)
    outcomes = [
        outcome
        for outcome in Outcome
        if outcome is not Outcome.CORRECT and any(each.outcomes[outcome] for each in held)
    ]
    titles = [*map(str.upper, metrics), *(each.replace("_", " ") for each in outcomes)]
    rows = [
        [
            group,
            str(each.n),
            figure(each.accuracy),
            _cell(each.chance),
            *(figure(each.metrics.get(metric, EMPTY)) for metric in metrics),
            *(str(each.outcomes[outcome]) for outcome in outcomes),
        ]
        for group, each in summaries.items()
    ]
    print_text_table(out, [name, "n", "accuracy", "chance", *titles], rows)


def _breakdown(summary: Summary) -> dict[str, Summary]:
    """Return the summaries of a family's main groups and of its turns, then its own."""
    main = next(iter(summary.by.values()), {})
    turns = {f"turn {place}": each for place, each in enumerate(summary.turns, 1)}
    return {**(main if len(main) > 1 else {}), **turns, "overall": summary}


def print_rows(rows: Sequence[Mapping[str, Any]], optional: Sequence[str] = ()) -> None:
    """Print rows that share their keys, without the keys that hold mappings.

    Args:
        rows: the rows; the last of their keys is broken between words where there is no room.
        optional: keys that are left out where there is no room.
    """
    plain = [key for key, value in rows[0].items() if not isinstance(value, Mapping)]
    cells = [[str(row[key]) for key in plain] for row in rows]
    print_fitted(console(), plain, cells, optional=optional, left=len(plain), wrap=True)


def print_described(rows: Sequence[Mapping[str, str]]) -> None:
    """Print rows of a name, its owners and a description, which stands indented below them."""
    out = console()
    for name, owners, description in (row.values() for row in rows):
        out.print(Text.assemble((name, "bold"), "  ", (owners, "dim")), soft_wrap=True)
        for line in broken(description, width() - 4):
            out.print(Text(f"    {line}"), soft_wrap=True)


def print_sample(sample: Sample, messages: Sequence[Mapping[str, str]], reply: str) -> None:
    """Print a sample as a person would check it: messages, right reply, explanation, witness."""
    out = console()
    out.print(Text(f"{sample.task}  {sample.id}", style="bold underline"))
    for message in messages:
        out.print(Text(f"{message['role']}:", style="bold cyan"))
        say(out, message["content"])
    out.print(Text("truth:", style="bold green"))
    say(out, reply)
    if why := families.task(sample.task).explainer.explain(sample):
        say(out, Text.assemble(("explanation: ", "bold"), why))
    if witness := in_words(sample.metadata.get("witness")):
        say(out, Text.assemble(("witness: ", "bold"), witness))
    out.print()


def print_audit(found: Audit) -> None:
    """Print the agreement by group, then the disagreements."""
    out = console()
    held = found.to_json()
    rows = [
        (group, f"{counts['checked']:,}", f"{counts['agreed']:,}")
        for group, counts in [*held["groups"].items(), ("all", held)]
    ]
    print_text_table(out, ("group", "checked", "agreed"), rows[:-1], total=rows[-1])
    for each in () if found.tables else found.disagreements:
        say(out, f"{each.group} {each.id}: {each.why}")
    for page in found.tables:
        out.print()
        print_table(page)
    skipped = f", {found.skipped} skipped" if found.skipped else ""
    out.print(f"{held['agreed']:,} of {held['checked']:,} published truths agree{skipped}.")


def print_validations(found: Sequence[Validation]) -> None:
    """Print one row a task, one column a check."""
    out = console()
    rows = [
        [
            each.task,
            str(each.checked),
            *(f"{len(ids)} failed" if ids else "ok" for ids in map(each.failed.get, CHECKS)),
        ]
        for each in found
    ]
    names = [name.replace("_", " ") for name in CHECKS]
    print_fitted(out, ["task", "checked", *names], rows)
    failed = sum(not each.holds for each in found)
    hold = "holds" if len(found) == 1 else "hold"
    out.print(f"{len(found) - failed} of {plural(len(found), 'task')} {hold}.")
