"""Defaults of options, from ``thence.toml`` in the working folder.

Keys are the names of options without their dashes. Those at the top hold for every command that has
the option, those of a table such as ``[run]`` for that command alone. The environment
(``THENCE_MODEL``) comes before the file, and the command line before both.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thence.errors import FileError

if TYPE_CHECKING:
    import click

FILE = "thence.toml"
type Options = Mapping[str, click.Parameter]


def defaults(context: click.Context) -> dict[str, Any] | None:
    """Return the default map of the command that is being called.

    Raises:
        FileError: the file is not TOML, or has a key or a value that no option answers to.
    """
    if not Path(FILE).is_file():
        return None
    held = _dashed(_read())
    group: Any = context.command
    every = {
        name: _options(group.get_command(context, name)) for name in group.list_commands(context)
    }
    tables = {key: value for key, value in held.items() if key in every}
    for key in held:
        if key not in tables and not any(key in options for options in every.values()):
            raise FileError(f"{FILE}: {key}: no command or option has this name")
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise FileError(f"{FILE}: {name} = {table!r}: must be a table, [{name}]")
        for key in table:
            if key not in every[name]:
                raise FileError(f"{FILE}: [{name}] {key}: thence {name} has no such option")
    called = context.invoked_subcommand
    if called is None or called not in every:
        return None
    given = {
        key: value for key, value in held.items() if key in every[called] and key not in tables
    }
    chosen = {}
    for key, value in {**given, **tables.get(called, {})}.items():
        parameter = every[called][key]
        chosen[str(parameter.name)] = _value(key, value, parameter)
    return {called: chosen}


def _read() -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(Path(FILE).read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise FileError(f"{FILE}: not valid TOML: {error}; mend or remove it") from error


def _dashed(held: Mapping[str, Any]) -> dict[str, Any]:
    """Return keys as options write them; those of the table of an option stay as they are."""
    return {
        key.replace("_", "-"): {name.replace("_", "-"): each for name, each in value.items()}
        if isinstance(value, dict)
        and key.replace("_", "-") not in ("set", "set-protocol", "extra-body")
        else value
        for key, value in held.items()
    }


def _options(command: click.Command) -> Options:
    """Return the options of a command by their long names without dashes."""
    return {
        option.lstrip("-"): parameter
        for parameter in command.params
        if parameter.param_type_name == "option"
        for option in parameter.opts
    }


def _value(key: str, value: Any, parameter: click.Parameter) -> Any:
    """Return a value as the command line would give it, so that it is checked in the same way."""
    if getattr(parameter, "is_flag", False):
        if isinstance(value, bool):
            return value
        raise FileError(f"{FILE}: {key} = {value!r}: must be true or false")
    if isinstance(value, dict):
        if parameter.multiple:
            return [f"{name}={text}" for name, text in value.items()]
        import json

        return json.dumps(value)
    if parameter.multiple and isinstance(value, list):
        return [str(each) for each in value]
    if isinstance(value, bool | list) or parameter.multiple:
        kind = "a list, or a table of KEY = VALUE" if parameter.multiple else "one value"
        raise FileError(f"{FILE}: {key} = {value!r}: must be {kind}")
    return str(value)
