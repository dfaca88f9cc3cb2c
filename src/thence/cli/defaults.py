"""Defaults of options, from ``thence.toml`` in the working folder.

Keys are the names of options without their dashes. Those at the top hold for every command that has
the option, those of a table such as ``[run]`` or ``[batch.export]`` for that command alone. The
environment (``THENCE_MODEL``) comes before the file, and the command line before both.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thence.errors import FileError, UsageError

if TYPE_CHECKING:
    import click

FILE = "thence.toml"
_OUTPUTS = frozenset(("--details", "--figures", "-o"))
_DESTINATIONS = _OUTPUTS | {
    "--base-url",
    "--extra-body",
    "--extractor",
    "--header",
    "--model",
    "--on",
    "--templates",
}
type Options = Mapping[str, click.Parameter]


def defaults(context: click.Context) -> dict[str, Any] | None:
    """Return the default map of the command that is being called.

    Raises:
        FileError: the file is not TOML, or has a key or a value that no option answers to.
    """
    if not Path(FILE).is_file():
        return None
    settings = _dashed(_read())
    group: Any = context.command
    commands = {name: group.get_command(context, name) for name in group.list_commands(context)}
    every = [each for name, command in commands.items() for each in _leaves(name, command)]
    options = {path: _options(command) for path, command in every}
    tables: dict[str, dict[str, Any]] = {}
    for key, value in settings.items():
        if key in commands:
            tables |= _tables(key, commands[key], value)
        elif not any(key in known for known in options.values()):
            raise FileError(f"{FILE}: {key}: no command or option has this name")
    for path, table in tables.items():
        for key in table:
            if key not in options[path]:
                raise FileError(
                    f"{FILE}: [{_dotted(path)}] {key}: thence {path} has no such option"
                )
    called = context.invoked_subcommand
    if called is None or called not in commands:
        return None
    common = {key: value for key, value in settings.items() if key not in commands}
    chosen: dict[str, Any] = {}
    for path, _ in _leaves(called, commands[called]):
        known = options[path]
        given = {key: each for key, each in common.items() if key in known} | tables.get(path, {})
        *within, last = path.split()
        place = chosen
        for name in within:
            place = place.setdefault(name, {})
        place[last] = _values(given, known)
    return chosen


def _leaves(path: str, command: click.Command) -> list[tuple[str, click.Command]]:
    """Return the commands that a command consists of, by their words; itself where it has none."""
    inner: dict[str, click.Command] = getattr(command, "commands", {})
    if not inner:
        return [(path, command)]
    return [leaf for name, each in inner.items() for leaf in _leaves(f"{path} {name}", each)]


def _tables(path: str, command: click.Command, table: Any) -> dict[str, dict[str, Any]]:
    """Return the tables of a command, or of those that it consists of, by their words.

    Raises:
        FileError: it is no table, or holds a command that there is not.
    """
    if not isinstance(table, dict):
        raise FileError(f"{FILE}: {_dotted(path)} = {table!r}: must be a table, [{_dotted(path)}]")
    inner: dict[str, click.Command] = getattr(command, "commands", {})
    if not inner:
        return {path: _dashed(table)}
    found = dict[str, dict[str, Any]]()
    for name, each in _dashed(table).items():
        if name not in inner:
            known = ", ".join(f"[{_dotted(path)}.{word}]" for word in inner)
            raise FileError(f"{FILE}: [{_dotted(path)}] {name}: must be in one of {known}")
        found |= _tables(f"{path} {name}", inner[name], each)
    return found


def _dotted(path: str) -> str:
    """Return the words of a command as TOML writes the name of its table."""
    return path.replace(" ", ".")


def _values(given: Mapping[str, Any], options: Options) -> dict[str, Any]:
    """Return the default map of one command.

    Raises:
        FileError: a value that the option does not take, or one that no file may set.
    """
    if "auth-command" in given:
        raise FileError(
            f"{FILE}: auth-command: no file of a folder may run a command; give --auth-command, or "
            "THENCE_AUTH_COMMAND in the environment"
        )
    found = {
        str(options[key].name): _value(key, value, options[key]) for key, value in given.items()
    }
    for key, option in options.items():
        given_value = found.get(str(option.name))
        if given_value is not None and _reads_file(option, given_value):
            raise FileError(
                f"{FILE}: {key}: no file of a folder may send what another file holds; "
                f"give {option.opts[-1]}"
            )
    return found


def _reads_file(option: click.Parameter, value: Any) -> bool:
    """Return whether an option would send what a file holds, by its value."""
    from thence.cli.option_values import header_pairs, names_file, text_or_file

    if option.callback is header_pairs:
        return any(text.partition("=")[2].startswith("@") for text in value)
    return option.callback is text_or_file and names_file(value)


def announce(context: click.Context) -> None:
    """Say on standard error where prompts, keys and output go because the file says so.

    Raises:
        UsageError: the file alone sends a key to a host that is not its provider's.
    """
    import click

    taken = {
        parameter.opts[-1]: context.params[str(parameter.name)]
        for parameter in context.command.params
        if parameter.opts[-1] in _DESTINATIONS and _is_from_file(context, parameter)
    }
    for name in _OUTPUTS & set(taken):
        if Path(taken[name]).resolve().is_relative_to(Path.cwd()):
            del taken[name]
    _check_key(context, taken)
    if taken:
        said = ", ".join(f"{name} {_shown(value)}" for name, value in taken.items())
        click.echo(f"thence: {FILE} in this folder sets {said}", err=True)


def _is_from_file(context: click.Context, parameter: click.Parameter) -> bool:
    from click.core import ParameterSource

    source = context.get_parameter_source(str(parameter.name))
    return source is ParameterSource.DEFAULT_MAP and bool(context.params[str(parameter.name)])


def _check_key(context: click.Context, taken: dict[str, Any]) -> None:
    """Refuse to send a key to a host that the file names and its provider does not have.

    The key of a provider that has no host of its own is refused where the file chose it as well.
    """
    if "--base-url" not in taken:
        return
    import os

    from thence.models.providers import Endpoint, checked_url, is_own_host, key_variable

    url = taken["--base-url"] = Endpoint(checked_url(taken["--base-url"])).shown
    given = context.params
    option = "--extractor" if "extractor" in given else "--model"
    name = given.get("extractor", given.get("model"))
    if not name or given.get("dry_run"):
        return
    provider = str(name).partition("/")[0]
    variable = key_variable(provider)
    own = is_own_host(provider, url)
    if os.environ.get(variable, "").strip() and not (own or (own is None and option not in taken)):
        raise UsageError(
            f"{FILE}: --base-url {url}: {variable} would go there; give --base-url yourself, or "
            f"in the environment as THENCE_BASE_URL, or {option} with another name before the slash"
        )


def _shown(value: object) -> str:
    """Return a value in one line; of an object its names alone, as a key may be in it."""
    return "with " + ", ".join(value) if isinstance(value, dict) else " ".join(str(value).split())


def _read() -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(Path(FILE).read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise FileError(f"{FILE}: not valid TOML: {error}; mend or remove it") from error


def _dashed(held: Mapping[str, Any]) -> dict[str, Any]:
    """Return keys as options and commands write them."""
    return {key.replace("_", "-"): value for key, value in held.items()}


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
