"""``thence ratings``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from thence.cli import options

if TYPE_CHECKING:
    from thence.engine.directory import RunDirectory
    from thence.families.catbench.ratings import Item


@click.group("ratings")
def command() -> None:
    """Have people rate the explanations of a CaT-Bench run, and score what they say."""


@command.command("sample")
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), required=True, metavar="FILE.csv",
    help="The sheet: one row a rating, for the column 'rating' to be filled in.",
)  # fmt: skip
@click.option(
    "--items", type=click.IntRange(2), default=480, show_default=True,
    help="Answers to rate, half of them DEP and half NONDEP.",
)  # fmt: skip
@click.option("--raters", type=click.IntRange(1), default=3, show_default=True, help="Per answer.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the draw.")
@click.option("--overwrite", is_flag=True, help="Replace FILE.csv.")
def sample(
    directory: Path, output: Path, items: int, raters: int, seed: int, overwrite: bool
) -> None:
    """Draw answers of a run in pages of one procedure with six questions, in random order."""
    import csv

    from thence.engine.directory import RunDirectory
    from thence.errors import FileError, UsageError
    from thence.families.catbench import ratings
    from thence.system.disk import replacing

    if output.exists() and not overwrite:
        raise FileError(f"-o {output}: exists; give --overwrite to replace it")
    if output.is_dir() or not output.parent.is_dir():
        raise FileError(f"-o {output}: name a file in a folder that exists")
    held = RunDirectory(directory)
    held.information()
    found = list(_items(held))
    if not any(item.explanation for item in found):
        raise UsageError(
            f"{directory}: holds no explanation of an answer to CaT-Bench; run it with "
            "--protocol answer_then_explain"
        )
    pages = ratings.pages(found, items, seed)
    rows = ratings.sheet(pages, raters)
    with (
        replacing(output) as part,
        part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file,
    ):
        writer = csv.DictWriter(file, ratings.COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    drawn = sum(len(page) for page in pages)
    click.echo(
        f"{drawn} answers ({drawn // 2} DEP, {drawn // 2} NONDEP) on {len(pages)} pages for "
        f"{raters} raters: {output}"
    )
    if drawn < items:
        click.echo(
            f"thence: --items {items}: the run has {drawn // 2} answers of the smaller class",
            err=True,
        )


@command.command("score")
@click.argument("path", type=click.Path(path_type=Path), metavar="FILE.csv")
@options.as_json
def score(path: Path, as_json: bool) -> int:
    """AVG, MODAVG, AVGBIN, MAJVOTE and both kappas, overall and for DEP and NONDEP."""
    import json

    from thence.families.catbench import rating_tables, ratings
    from thence.report.terminal import print_table

    held = ratings.read_sheet(path)
    for line in held.skipped:
        click.echo(f"thence: {line}", err=True)
    if as_json:
        document = rating_tables.to_json(held.items)
        counts = {"skipped": len(held.skipped), "unrated": held.blank}
        click.echo(json.dumps({**document, **counts}, indent=2))
    else:
        for table in rating_tables.tables(held.items):
            print_table(table)
            click.echo()
    if held.blank:
        click.echo(f"thence: {path}: {held.blank} rows without a rating are left out", err=True)
    if held.skipped:
        click.echo(f"thence: {path}: {len(held.skipped)} rows left out, as said above", err=True)
    return 1 if held.skipped else 0


def _items(directory: RunDirectory) -> Iterator[Item]:
    """The answers of a run to DEP and NONDEP questions, of its first epoch."""
    from thence import families
    from thence.engine.run_scores import results
    from thence.families.catbench.ratings import Item

    found = results(directory, "mean")
    for row in found.rows:
        sample = row.sample
        if sample.family != "catbench" or row.epoch or row.turn < found.turns - 1:
            continue
        if not row.score.counts or sample.metadata["split"] not in ("DEP", "NONDEP"):
            continue
        values = families.task(sample.task).generator.question_values(sample.metadata)
        yield Item(
            sample.id,
            found.model,
            sample.cluster,
            sample.metadata["split"],
            row.score.correct,
            f"Goal: {values['goal']}\n{values['procedure']}".removeprefix("Goal: \n"),
            f"Must Step {values['first']} happen {values['relation']} Step {values['second']}?",
            row.score.answer or "",
            row.score.explanation or "",
        )
