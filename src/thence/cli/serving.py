"""Servers for a browser: their address is told, and Ctrl-C ends them as it should."""

from __future__ import annotations

from collections.abc import Callable

import click

from thence.cli import signals


def telling(what: str, end: str, *, browser: bool) -> Callable[[str], None]:
    """Return the function that tells the address of a server once it can be opened.

    Args:
        what: is served.
        end: how it ends.
        browser: whether a browser is opened, too.
    """

    def ready(address: str) -> None:
        click.echo(f"{what}: {address} ({end})")
        if browser:
            import webbrowser

            webbrowser.open(address)

    return ready


def ended(what: str) -> None:
    """Say that a server has ended; Ctrl-C was its ordinary end."""
    signals.served()
    click.echo(f"{what}: ended")
