"""``thence report``."""

from __future__ import annotations

import gc
from pathlib import Path

import click

from thence.cli import options


@click.command("report")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR...")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), metavar="FILE.html", help="The page."
)
@click.option(
    "--site", type=click.Path(path_type=Path), metavar="DIR",
    help="In place of a page: a static site with a page a model, a page a task, and the data.",
)  # fmt: skip
@click.option(
    "--figures", "folder", type=click.Path(path_type=Path), metavar="DIR",
    help="Write every figure as SVG and PDF, every table as Markdown, LaTeX and CSV.",
)  # fmt: skip
@click.option(
    "--corrections", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
    help="Show beside the accuracy what it is with the answers counted as right that these sheets "
    "of 'ratings export' call 'no error'.",
)  # fmt: skip
@click.option("--title", default="Can it follow?", show_default=True, help="The page's heading.")
@options.overwrite
def command(
    paths: tuple[Path, ...],
    output: Path | None,
    site: Path | None,
    folder: Path | None,
    corrections: tuple[Path, ...],
    title: str,
    overwrite: bool,
) -> int:
    """Write one self-contained page about some runs: tables, figures, samples to read."""
    from thence.errors import UsageError
    from thence.reporting.progress_display import show_work
    from thence.reporting.run_page import write_run_page

    gc.set_threshold(50_000, 20, 20)  # many scores are held at once, which have no cycles
    if site is not None:
        if output is not None or folder is not None:
            raise UsageError(f"--site {site}: leave out -o and --figures, which are for one page")
        return _site(paths, site, title, corrections, overwrite=overwrite)
    if output is None:
        raise UsageError("-o is missing; name the page, or a folder by --site DIR")

    with show_work("report"):
        written = write_run_page(
            paths, output, title, folder, overwrite=overwrite, corrections=corrections
        )
    if folder is not None:
        click.echo(f"{len(written.figures)} files: {folder}")
    for line in written.warnings:
        click.echo(f"thence: {line}", err=True)
    click.echo(f"page: {output}")
    return 0 if written.finished else 1


def _site(
    paths: tuple[Path, ...],
    folder: Path,
    title: str,
    corrections: tuple[Path, ...],
    *,
    overwrite: bool,
) -> int:
    """Write a static site; return the exit status."""
    from thence.reporting.progress_display import show_work
    from thence.reporting.site import write_site

    with show_work("site"):
        written = write_site(paths, folder, title, overwrite=overwrite, corrections=corrections)
    for line in written.warnings:
        click.echo(f"thence: {line}", err=True)
    click.echo(f"{written.pages:,} pages: {written.index}")
    return 0 if written.finished else 1
