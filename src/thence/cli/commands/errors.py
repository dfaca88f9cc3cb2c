"""``thence errors``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from thence.cli import options
from thence.cli.output import print_json
from thence.core.failures import plural

if TYPE_CHECKING:
    from thence.engine.wrong_answers import WrongAnswer

_LONGEST = 1200  # characters of a reply in the terminal; the file has all


@click.command("errors")
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR|FILE..."
)
@click.option(
    "-o", "output", type=click.Path(path_type=Path), metavar="FILE",
    help="Write them there (.csv, .xlsx), for a person to fill in error_type; of FILEs: the table.",
)  # fmt: skip
@click.option("--overwrite", is_flag=True, help="Replace FILE.")
@click.option("--json", "as_json", is_flag=True, help="Of filled-in FILEs: print JSON.")
def command(paths: tuple[Path, ...], output: Path | None, overwrite: bool, as_json: bool) -> int:
    """List the answers of a run (DIR) that are not right, with question, truth, reply and witness.

    Of sheets in which people filled in error_type (FILE...), count the kinds by task and person,
    and say how far people agree.
    """
    from thence.core import sheets
    from thence.errors import UsageError

    if output is not None:
        sheets.check_output(output, overwrite=overwrite)
    if not any(path.is_dir() or path.suffix.lower() not in sheets.READ for path in paths):
        _tabulate(paths, output, as_json)
    elif len(paths) > 1:
        raise UsageError("give one run, or sheets of one run with error_type filled in")
    elif as_json:
        raise UsageError(f"--json: is for sheets with error_type filled in; {paths[0]} is no sheet")
    else:
        return _list(paths[0], output)
    return 0


def _tabulate(paths: tuple[Path, ...], output: Path | None, as_json: bool) -> None:
    """Print the kinds of errors that people filled in."""
    from thence.analysis import error_kinds
    from thence.core import sheets
    from thence.reporting.exports import flat
    from thence.reporting.terminal import print_table

    found = error_kinds.read_kinds(paths)
    for note in found.notes:
        click.echo(f"thence: {note}", err=True)
    made = error_kinds.tables(found)
    if output is not None:
        sheets.write(output, *flat(made[0]))
    if as_json:
        print_json(found.to_json())
    else:
        for table in made:
            print_table(table)
            click.echo()
    if found.blank:
        click.echo(
            f"thence: left out: {plural(found.blank, 'row')} without an error_type", err=True
        )


def _list(directory: Path, output: Path | None) -> int:
    """Print or write the answers of a run that are not right; return the exit status."""
    from thence.core.failures import MISSING, in_words
    from thence.engine.directory import RunDirectory
    from thence.engine.run_scores import scored_by
    from thence.engine.wrong_answers import write_wrong_answers, wrong_answers
    from thence.reporting.progress_display import show_work

    run = RunDirectory(directory)
    rows = scored_by(run)
    if not any(True for _ in rows.final()):
        left = {"provider_error": rows.replies["provider_error"], MISSING: rows.missing}
        why = in_words(left) or "it has none"
        click.echo(f"thence: {directory}: no question was answered ({why})", err=True)
        return 1
    counts: Counter[tuple[str, str, str]] = Counter()
    answers = _counted(wrong_answers(run), counts)
    if output is None:
        for answer in answers:
            _show(answer)
    else:
        with show_work("errors"):
            written = write_wrong_answers(output, answers)
        options.say_cut(output, written.cut)
    for (task, outcome, kind), count in sorted(counts.items()):
        click.echo(f"{task}: {count:,} {outcome}{f', {kind}' if kind else ''}")
    where = f": {output}" if output is not None else ""
    are = "answer is" if counts.total() == 1 else "answers are"
    click.echo(f"{counts.total():,} {are} not right{where}")
    return 0


def _counted(
    found: Iterable[WrongAnswer], counts: Counter[tuple[str, str, str]]
) -> Iterator[WrongAnswer]:
    for answer in found:
        counts[answer.task, answer.outcome, answer.error_type] += 1
        yield answer


def _show(answer: WrongAnswer) -> None:
    """Print one wrong answer for a person to read, a long reply cut in the middle."""
    from rich.text import Text

    from thence.reporting.fitted_table import say
    from thence.reporting.terminal import console

    reply = answer.reply
    if len(reply) > _LONGEST:
        half = _LONGEST // 2
        reply = f"{reply[:half]}\n[... {len(reply) - _LONGEST:,} characters ...]\n{reply[-half:]}"
    out = console()
    out.print(Text(f"{answer.task}  {answer.id}  {answer.outcome}", style="bold"), soft_wrap=True)
    for name, text in (
        ("question", answer.question),
        ("truth", answer.truth),
        ("reply", reply),
        ("answer", f"{answer.answer or '-'} ({answer.rule or 'nothing readable'})"),
        ("witness", answer.witness or "-"),
        ("error_type", answer.error_type or "-"),
    ):
        say(out, Text.assemble((f"{name}: ", "bold"), text))
    out.print()
