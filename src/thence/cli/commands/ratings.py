"""``thence ratings``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from thence.cli import options
from thence.cli.output import print_json
from thence.core.failures import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thence.api.ratings import RatingStudy
    from thence.core.table import Table

_WHAT = click.Choice(["explanations", "errors", "procedures"])


@click.group("ratings")
def command() -> None:
    """Have people rate explanations, judge answers or answer questions, and score their ratings."""


@command.command("serve")
@click.argument("directory", type=click.Path(path_type=Path), metavar="[DIR]", required=False)
@click.option(
    "--questions", type=click.Path(path_type=Path), metavar="FILE",
    help="In place of DIR: have people answer these samples, each person a run.",
)  # fmt: skip
@click.option(
    "-o", "output", type=click.Path(path_type=Path), metavar="DIR",
    help="With --questions: the folder of the runs [default: runs/...]",
)  # fmt: skip
@click.option(
    "--what", type=_WHAT, help="What is judged [default: the study that is there, else as DIR is]"
)
@click.option(
    "--items", type=click.IntRange(2, 1_000_000), help="Most items of a run [default: 480]"
)
@click.option(
    "--seed", type=click.IntRange(0, 2**53), help="Seed of the draw and the orders [default: 0]"
)
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=0, show_default=True, help="Port; 0 for any."
)
@click.option("--no-browser", is_flag=True, help="Print the address alone.")
def serve(
    directory: Path | None,
    questions: Path | None,
    output: Path | None,
    what: str | None,
    items: int | None,
    seed: int | None,
    port: int,
    no_browser: bool,
) -> None:
    """Let several people judge what DIR holds, in the browser; Ctrl-C ends it, and all is saved.

    DIR is a run, a folder of runs, or procedures that extract wrote. Answers lie in
    DIR/ratings.sqlite. People see neither the model nor what the others said.
    """
    from thence.cli import serving
    from thence.errors import UsageError

    end = "Ctrl-C here ends it; every answer is saved at once"
    ready = serving.telling("ratings", end, browser=not no_browser)
    if (directory is None) == (questions is None):
        raise UsageError("give either DIR, with what is to be judged, or --questions FILE")
    if questions is not None:
        given = {"--what": what, "--items": items, "--seed": seed}
        for name, value in given.items():
            if value is not None:
                raise UsageError(f"{name} {value}: is for DIR; leave it out with --questions")
        from thence.api.ratings import serve_questions

        runs = serve_questions(questions, ready, out=output, port=port)
        serving.ended("ratings")
        for run in runs:
            click.echo(f"{run.model}: {run.path}")
        return
    if output is not None:
        raise UsageError(f"-o {output}: is for --questions; answers lie in {directory}")
    from thence.api.ratings import rating_study, serve_ratings

    study = rating_study(str(directory), what=what, items=items, seed=seed)
    serve_ratings(study, ready, port=port)
    serving.ended("ratings")
    _say_progress(study)


@command.command("status")
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--what", type=_WHAT, help="Which study, where DIR has several.")
def status(directory: Path, what: str | None) -> int:
    """Say how far people are with the study of DIR, also while it is served, and how they agree.

    Ends with 1 where somebody has not judged all items.
    """
    from tempfile import TemporaryDirectory

    from thence.api.ratings import export_ratings
    from thence.reporting.terminal import print_table

    study = _study(directory, what)
    _say_progress(study)
    with TemporaryDirectory() as folder:
        sheet = Path(folder) / "ratings.csv"
        export_ratings(study, sheet)
        for table in _tables(study.asked.column, sheet):
            print_table(table)
            click.echo()
    return int(any(done < count for done, count in study.progress().values()))


@command.command("export")
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), required=True, metavar="FILE",
    help="The sheet, .csv or .xlsx: one row an answer.",
)  # fmt: skip
@click.option("--what", type=_WHAT, help="Which study, where DIR has several.")
@click.option("--overwrite", is_flag=True, help="Replace FILE.")
def export(directory: Path, output: Path, what: str | None, overwrite: bool) -> None:
    """Write what people said as the sheet that 'ratings score' reads, or 'errors' where it is that.

    A sheet of errors is also what 'score --corrections' takes.
    """
    from thence.api.ratings import export_ratings

    study = _study(directory, what)
    count = export_ratings(study, output, overwrite=overwrite)
    verb = "errors" if study.asked.column == "error_type" else "ratings score"
    click.echo(f"{count:,} answers: {output}")
    click.echo(f"next: thence {verb} {output}")


def _study(directory: Path, what: str | None) -> RatingStudy:
    """Return a study that was begun."""
    from thence.api.ratings import rating_study
    from thence.engine.rating_study import FILE
    from thence.errors import UsageError

    if not (directory / FILE).is_file():
        raise UsageError(f"{directory}: has no study; thence ratings serve {directory} begins one")
    return rating_study(directory, what=what)


def _tables(column: str, sheet: Path) -> Sequence[Table]:
    """Return the tables of a sheet of ratings or of kinds of errors."""
    if column == "error_type":
        from thence.analysis import error_kinds

        return error_kinds.tables(error_kinds.read_kinds([sheet]))
    from thence.engine.rating_items import offered

    return offered()[1].score([sheet]).tables


def _say_progress(study: RatingStudy) -> None:
    for rater, (done, count) in study.progress().items():
        click.echo(f"{rater}: {done:,} of {count:,} {study.asked.kind} judged")


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
    "--raters",
    type=click.IntRange(1, 1_000),
    default=3,
    show_default=True,
    help="Raters of each answer.",
)
@click.option(
    "--seed", type=click.IntRange(0, 2**53), default=0, show_default=True, help="Seed of the draw."
)
@click.option("--overwrite", is_flag=True, help="Replace FILE.")
def sample(
    directory: Path, output: Path, items: int, raters: int, seed: int, overwrite: bool
) -> None:
    """Draw answers of a run, in pages of questions on one procedure, in random order."""
    from thence.core import sheets
    from thence.engine.directory import RunDirectory
    from thence.engine.rating_items import offered
    from thence.engine.run_scores import scored_by
    from thence.errors import UsageError

    sheets.check_output(output, overwrite=overwrite)
    run = RunDirectory(directory)
    model = run.information().request.model
    family, ratings = offered()
    rows = scored_by(run, "mean").final()
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
    from thence.engine.rating_items import offered
    from thence.reporting.terminal import print_table

    _, ratings = offered()
    scores = ratings.score(paths)
    named = ", ".join(map(str, paths))
    for line in (*scores.notes, *scores.skipped):
        click.echo(f"thence: {line}", err=True)
    if as_json:
        counts = {"skipped": len(scores.skipped), "unrated": scores.blank}
        print_json({**scores.document, **counts})
    else:
        for table in scores.tables:
            print_table(table)
            click.echo()
    if scores.blank:
        click.echo(
            f"thence: {named}: left out: {plural(scores.blank, 'row')} without a rating", err=True
        )
    if scores.skipped:
        click.echo(
            f"thence: {named}: left out: {plural(len(scores.skipped), 'row')}, as said above",
            err=True,
        )
    return 1 if scores.skipped else 0
