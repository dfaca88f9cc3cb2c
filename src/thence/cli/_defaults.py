"""Defaults of options, from ``thence.toml`` in the working folder.

Keys at the top hold for every command that has such an option; those of a table, such as
``[run]``, for that command alone. The environment (``THENCE_MODEL``) comes before the file, and
the command line before both.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thence.errors import FileError

if TYPE_CHECKING:
    import click

FILE = Path("thence.toml")


def defaults(context: click.Context) -> dict[str, Any] | None:
    """The default map of the command that is being called.

    Raises:
        FileError: the file is not TOML, or has a key that no option answers to.
    """
    if not FILE.is_file():
        return None
    try:
        held = tomllib.loads(FILE.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise FileError(f"{FILE}: not valid TOML: {error}") from error
    name = context.invoked_subcommand
    group: Any = context.command
    command = group.get_command(context, name) if name else None
    if name is None or command is None:
        return None
    options = {parameter.name for parameter in command.params}
    shared = {key: value for key, value in held.items() if not isinstance(value, dict)}
    own = held.get(name, {}) if isinstance(held.get(name, {}), dict) else {}
    chosen: dict[str, Any] = {}
    for key, value in {**shared, **own}.items():
        option = key.replace("-", "_")
        if option in options:
            chosen[option] = (
                [f"{k}={v}" for k, v in value.items()] if isinstance(value, dict) else value
            )
        elif key in own:
            raise FileError(f"{FILE}: [{name}] {key}: thence {name} has no such option")
    return {name: chosen}
