"""The manual page and the completion of shells, both made of the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
from click.shell_completion import get_completion_class

from thence.system.version import VERSION


def completion(program: str, shell: str) -> str:
    """Return the script by which a shell (bash, zsh, fish) completes a command."""
    made = get_completion_class(shell)
    assert made is not None
    return made(click.Command(program), {}, program, f"_{program.upper()}_COMPLETE").source()


def page(group: click.Group, context: click.Context) -> str:
    """Return the manual page of a group of commands, as the program ``man`` reads it."""
    name = context.command_path
    lines = [
        f'.TH "{name.upper()}" "1" "" "{name} {VERSION}" "User commands"',
        ".SH NAME",
        rf"{name} \- {_text(_first(group))}",
        ".SH SYNOPSIS",
        f".B {name}",
        ".I COMMAND",
        r"[\fIOPTIONS\fR] [\fIARGUMENTS\fR]",
        ".SH DESCRIPTION",
        *_paragraphs(group.help or ""),
        ".SH OPTIONS",
        *_options(group, context),
        ".SH COMMANDS",
    ]
    for command, inner in _commands(group, context):
        lines += [f'.SS "{inner.command_path} {_arguments(command, inner)}"']
        lines += [*_paragraphs(command.help or ""), *_options(command, inner)]
    lines += [
        ".SH EXIT STATUS",
        "0 done; 1 done with findings; 2 bad input; 3 a fault of ours or of the disk; 130 stopped.",
        ".SH ENVIRONMENT",
        "Most options have a variable, which help names, such as THENCE_MODEL.",
        "THENCE_CACHE is the folder of files that can be made again.",
    ]
    return "\n".join(lines) + "\n"


def _commands(
    group: click.Group, context: click.Context
) -> Iterator[tuple[click.Command, click.Context]]:
    """Yield the commands of a group, those of groups within it too, with their contexts."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None:
            continue
        inner = click.Context(command, context, info_name=name)
        yield command, inner
        if isinstance(command, click.Group):
            yield from _commands(command, inner)


def _arguments(command: click.Command, context: click.Context) -> str:
    return _text(" ".join(command.collect_usage_pieces(context)).replace('"', ""))


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for each in command.get_params(context):
        record = each.get_help_record(context)
        if record is not None and record[1]:
            names, text = record
            yield ".TP"
            yield rf"\fB{_text(names)}\fR"
            yield _text(text)


def _first(command: click.Command) -> str:
    return (command.help or "").partition("\n")[0].rstrip(".")


def _paragraphs(text: str) -> Iterator[str]:
    for each in re.split(r"\n\s*\n", text):
        yield ".PP"
        yield _text(" ".join(each.split()))


def _text(text: str) -> str:
    """Return a text in which nothing is a request of the formatter."""
    held = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{held}" if held.startswith((".", "'")) else held
