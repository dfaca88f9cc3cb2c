"""``thence report``."""

from __future__ import annotations

from pathlib import Path

import click

from thence.cli import options


@click.command("report")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR...")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), required=True, metavar="FILE.html",
    help="The page.",
)  # fmt: skip
@click.option(
    "--figures", "folder", type=click.Path(path_type=Path), metavar="DIR",
    help="Write every figure as SVG and PDF, every table as Markdown, LaTeX and CSV.",
)  # fmt: skip
@click.option("--title", default="Can it follow?", show_default=True, help="The page's heading.")
@options.overwrite
def command(
    paths: tuple[Path, ...], output: Path, folder: Path | None, title: str, overwrite: bool
) -> int:
    """Write one self-contained page about some runs: tables, figures, samples to read."""
    from thence.reporting.progress_display import show_work
    from thence.reporting.run_page import write_run_page

    with show_work("report"):
        written = write_run_page(paths, output, title, folder, overwrite=overwrite)
    if folder is not None:
        click.echo(f"{len(written.figures)} files: {folder}")
    for line in written.warnings:
        click.echo(f"thence: {line}", err=True)
    click.echo(f"page: {output}")
    return 0 if written.finished else 1
