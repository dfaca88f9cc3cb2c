"""Errors of click in plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from thence.core.registry import nearest

_OUTSIDE = re.compile(r"is not (?:in the range .*|a valid (?:integer|float) range)\.$")


def worded(error: click.ClickException, arguments: Sequence[str], group: click.Group) -> str:
    """Return click's message with what may have been meant and the place to look, in one line.

    Args:
        error: of click.
        arguments: of the command line.
        group: the whole command.
    """
    return f"{_told(error)} (see: {_path(error, arguments, group)} --help)"


def _told(error: click.ClickException) -> str:
    """Return the message, with the values that there are."""
    told = error.format_message()
    kind = error.param.type if isinstance(error, click.BadParameter) and error.param else None
    if isinstance(kind, click.IntRange | click.FloatRange):
        return _OUTSIDE.sub(f"is no {_within(kind)}", told)
    if isinstance(kind, click.Choice):
        given = re.search(r"'([^']*)' is not one of", told)
        return told.rstrip(".") + (nearest(given[1], list(kind.choices)) if given else "")
    if isinstance(error, click.UsageError) and told.startswith("No such command") and error.ctx:
        names = getattr(error.ctx.command, "commands", {})
        return f"{told} It has {', '.join(names)}."
    return told


def _within(kind: click.IntRange | click.FloatRange) -> str:
    """Return the numbers of a range in words, such as ``whole number from 1 to 100``."""
    what = "whole number" if isinstance(kind, click.IntRange) else "number"
    if kind.max is None:
        return f"{what} from {kind.min:,} on"
    return f"{what} from {kind.min or 0:,} to {kind.max:,}"


def _path(error: click.ClickException, arguments: Sequence[str], group: click.Group) -> str:
    """Return the words of the command that was called; click forgets them for some errors."""
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return error.ctx.command_path
    known = [word for word in arguments[:1] if word in group.list_commands(click.Context(group))]
    return " ".join(["thence", *known])
