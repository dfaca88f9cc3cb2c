"""``thence view``."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("view")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR...")
@click.option(
    "--port", type=int, default=0, show_default=True, help="Port of this machine; 0 for any."
)
@click.option("--no-browser", is_flag=True, help="Print the address alone.")
def command(paths: tuple[Path, ...], port: int, no_browser: bool) -> int:
    """Look at runs, or at all runs of a folder, in the browser, also while they are being written.

    The page is for this machine alone and changes nothing; Ctrl-C ends it.
    """
    from thence.api.viewing import view
    from thence.cli import serving

    ready = serving.telling("view", "Ctrl-C ends it", browser=not no_browser)
    view(paths, ready, port=port)
    serving.ended("view")
    return 0
