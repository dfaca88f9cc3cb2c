"""Values of options, from the texts that a user types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from thence.errors import UsageError

_PATH = 4096  # characters that a path may have

# Keywords of the library's functions beside the parameters of tasks and protocols.
_RESERVED = frozenset(
    (
        "exclude",
        "limit",
        "protocol",
        "sample",
        "seed",
        "shard",
        "size",
        "skip_unavailable",
        "tasks",
        "templates",
        "total",
        "workers",
    )
)


def pairs(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """Return the mapping of repeated ``KEY=VALUE``.

    Raises:
        UsageError: a value of another form, or a key given twice.
    """
    held: dict[str, str] = {}
    for text in values:
        key, equals, value = text.partition("=")
        if not (key and equals):
            raise UsageError(f"{parameter.opts[0]} {text}: must be KEY=VALUE")
        if key in held:
            raise UsageError(f"{parameter.opts[0]} {key}: given twice")
        if key in _RESERVED:
            raise UsageError(f"{parameter.opts[0]} {key}: is no parameter of a task or protocol")
        held[key] = value
    return held


def header_pairs(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """Return the headers of repeated ``NAME=VALUE`` or ``NAME=@FILE``.

    Raises:
        UsageError: another form, a name given twice, or a file that cannot be read. No error shows
            a value, as it may be a key.
    """
    held: dict[str, str] = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not (name and equals):
            shown = text.partition(":")[0]
            raise UsageError(f"{parameter.opts[0]} {shown}: must be NAME=VALUE, such as X-Team=a")
        if name in held:
            raise UsageError(f"{parameter.opts[0]} {name}: given twice")
        if value.startswith("@"):
            try:
                value = Path(value[1:]).read_text(encoding="utf-8").strip()
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or "is no text in UTF-8"
                raise UsageError(f"{parameter.opts[0]} {name}={value}: {reason}") from error
        held[name] = value
    return held


def reasoning(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> str | int | None:
    """Return a word for how much to think, or a number of tokens."""
    return int(text) if text is not None and text.isdecimal() else text


def text_or_file(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> str | None:
    """Return a text, or what a file holds.

    Raises:
        UsageError: the file cannot be read as text.
    """
    if text is None or not names_file(text):
        return text
    path = Path(text.removeprefix("@"))
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "is no text in UTF-8"
        raise UsageError(f"{parameter.opts[0]} {text}: {reason}") from error


def names_file(text: str) -> bool:
    """Return whether a text stands for what a file holds: ``@FILE``, or the path of one."""
    if text.startswith("@"):
        return True
    return "\n" not in text and len(text) <= _PATH and Path(text).is_file()


def shares(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, float]:
    """Return the shares of repeated ``NAME=SHARE`` by the name of a family or task."""
    from thence.cli.output import share_of

    held = pairs(context, parameter, values)
    return {name: share_of(parameter.opts[0], name, text) for name, text in held.items()}


def json_object(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> dict[str, Any]:
    """Return the object of a JSON option.

    Raises:
        UsageError: it is not one.
    """
    if text is None:
        return {}
    try:
        held = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        held = None
    if not isinstance(held, dict):
        raise UsageError(f"{parameter.opts[0]} {text}: must be a JSON object")
    return held


def prices(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> tuple[float, ...] | None:
    """Return the numbers of ``IN,OUT`` or ``IN,OUT,CACHED``.

    Raises:
        UsageError: it is something else.
    """
    if text is None:
        return None
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        example = "must be IN,OUT or IN,OUT,CACHED, USD per million tokens, such as 2.5,10"
        raise UsageError(f"{parameter.opts[0]} {text}: {example}") from None


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is not JSON")
