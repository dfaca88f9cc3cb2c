"""``thence errors``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from thence.engine.wrong_answers import WrongAnswer

_LONGEST = 1200  # characters of a reply in the terminal; the file has all


@click.command("errors")
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), metavar="FILE.csv",
    help="Write them all there, for a person to fill in error_type; nothing is overwritten.",
)  # fmt: skip
@click.option("--overwrite", is_flag=True, help="Replace FILE.csv.")
def command(directory: Path, output: Path | None, overwrite: bool) -> None:
    """List the answers that are not right: question, truth, reply, answer, rule, witness."""
    from thence.engine.directory import RunDirectory
    from thence.engine.wrong_answers import write_wrong_answers, wrong_answers
    from thence.errors import FileError

    if output is not None and output.exists() and not overwrite:
        raise FileError(f"-o {output}: exists; give --overwrite to replace it")
    held = RunDirectory(directory)
    held.information()
    counts: Counter[tuple[str, str, str]] = Counter()
    found = _counted(wrong_answers(held), counts)
    if output is None:
        for answer in found:
            _show(answer)
    else:
        write_wrong_answers(output, found)
    for (task, outcome, kind), count in sorted(counts.items()):
        click.echo(f"{task}: {count:,} {outcome}{f', {kind}' if kind else ''}")
    where = f": {output}" if output is not None else ""
    click.echo(f"{counts.total():,} answers are not right{where}")


def _counted(
    found: Iterable[WrongAnswer], counts: Counter[tuple[str, str, str]]
) -> Iterator[WrongAnswer]:
    for answer in found:
        counts[answer.task, answer.outcome, answer.error_type] += 1
        yield answer


def _show(answer: WrongAnswer) -> None:
    """Print one wrong answer for a person to read, a long reply cut in the middle."""
    from rich.text import Text

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
        out.print(Text.assemble((f"{name}: ", "bold"), text), soft_wrap=True)
    out.print()
