"""``thence ratings``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from thence.cli import options
from thence.cli.output import print_json

if TYPE_CHECKING:
    from thence.core.family import Family
    from thence.core.ratings import Ratings


@click.group("ratings")
def command() -> None:
    """Have people rate the explanations of a run, and score their ratings."""


@command.command("sample")
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), required=True, metavar="FILE",
    help="The sheet, .csv or .xlsx: one row a rating, for the column 'rating' to be filled in.",
)  # fmt: skip
@click.option(
    "--items", type=click.IntRange(2, 1_000_000), default=480, show_default=True,
    help="Answers to rate, as many of each class.",
)  # fmt: skip
@click.option(
    "--raters", type=click.IntRange(1, 1_000), default=3, show_default=True, help="Per answer."
)
@click.option(
    "--seed", type=click.IntRange(0, 2**53), default=0, show_default=True, help="Of the draw."
)
@click.option("--overwrite", is_flag=True, help="Replace FILE.")
def sample(
    directory: Path, output: Path, items: int, raters: int, seed: int, overwrite: bool
) -> None:
    """Draw answers of a run, in pages of questions on one procedure, in random order."""
    from thence.core import sheets
    from thence.engine.directory import RunDirectory
    from thence.engine.run_scores import scored_by
    from thence.errors import UsageError

    sheets.check_output(output, overwrite=overwrite)
    held = RunDirectory(directory)
    model = str(held.information()["request"]["model"])
    family, ratings = _offered()
    rows = scored_by(held, "mean").final()
    answers = ((row.sample, row.score) for row in rows if not row.epoch)
    sheet = ratings.draw(model, answers, items, raters, seed)
    if not sheet.rows:
        raise UsageError(
            f"{directory}: holds no explanation of an answer to {family.title}; run it with "
            "--protocol answer_then_explain"
        )
    made = sheets.write(
        output, sheet.columns, ([row[name] for name in sheet.columns] for row in sheet.rows)
    )
    options.say_cut(output, made.cut)
    drawn = sum(sheet.drawn.values())
    classes = ", ".join(f"{count} {name}" for name, count in sheet.drawn.items())
    click.echo(f"{drawn} answers ({classes}) on {sheet.pages} pages for {raters} raters: {output}")
    if drawn < items:
        fewest = min(sheet.drawn.values())
        click.echo(
            f"thence: --items {items}: the run has {fewest} answers of the smaller class", err=True
        )


@command.command("score")
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@options.as_json
def score(paths: tuple[Path, ...], as_json: bool) -> int:
    """AVG, MODAVG, AVGBIN, MAJVOTE and both kappas of filled-in sheets (.csv, .xlsx), by class.

    Raters of several sheets are different people, also where each filled in a copy of one sheet.
    """
    from thence.reporting.terminal import print_table

    _, ratings = _offered()
    found = ratings.score(paths)
    named = ", ".join(map(str, paths))
    for line in (*found.notes, *found.skipped):
        click.echo(f"thence: {line}", err=True)
    if as_json:
        counts = {"skipped": len(found.skipped), "unrated": found.blank}
        print_json({**found.document, **counts})
    else:
        for table in found.tables:
            print_table(table)
            click.echo()
    if found.blank:
        click.echo(f"thence: {named}: {found.blank} rows without a rating are left out", err=True)
    if found.skipped:
        click.echo(f"thence: {named}: {len(found.skipped)} rows left out, as said above", err=True)
    return 1 if found.skipped else 0


def _offered() -> tuple[Family, Ratings]:
    """Return the family that has explanations rated by people."""
    from thence import families

    return next(
        (family, family.ratings) for family in families.families().values() if family.ratings
    )
