"""The parts of these pages that are made of the product: ``<!-- made: NAME -->`` in a page.

A part cannot go stale, and no page has to be written anew where an option is added. Tests that read
the pages fill them in by the same `fill`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click
import formats

import thence
from thence.analysis.summary import metric_title
from thence.cli import cli
from thence.models.providers import PROVIDERS

HERE = Path(__file__).parent.resolve()
MARK = re.compile(r"^<!-- made: (\w+)(?: (\S+))? -->$", re.MULTILINE)
TREE = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)


def fill(text: str) -> str:
    """Return a page with its made parts in place of their marks."""
    return MARK.sub(lambda found: PARTS[found[1]](*filter(None, [found[2]])), text)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _plain(text: str) -> str:
    """Return words of a help text or docstring as Markdown."""
    return text.replace("``", "`").replace("<", "&lt;").replace("*", "\\*")


# The contents -------------------------------------------------------------------------------------


def rest(part: str) -> str:
    """Return the pages of a part that no table of contents names, for the end of its own."""
    named = {
        (path.parent / line).resolve()
        for path in HERE.rglob("*.md")
        for block in TREE.findall(path.read_text("utf-8"))
        for line in block.split()
    }
    pages = sorted(path.with_suffix("") for path in (HERE / part).glob("*.md"))
    left = [page for page in pages if page not in named and page != HERE / "index"]
    return "\n".join(page.relative_to(HERE).as_posix() for page in left)


# The command line ---------------------------------------------------------------------------------


def commands() -> str:
    """Return a section for each command, with its options as its ``--help`` has them."""
    return "\n".join(_command(each, context) for each, context in _commands(cli, "thence", None))


def _commands(
    group: click.Group, name: str, parent: click.Context | None
) -> Iterator[tuple[click.Command, click.Context]]:
    context = click.Context(group, info_name=name, parent=parent)
    for each in group.list_commands(context):
        command = group.get_command(context, each)
        assert command is not None
        yield command, click.Context(command, info_name=each, parent=context)
        if isinstance(command, click.Group):
            yield from _commands(command, each, context)


def _command(command: click.Command, context: click.Context) -> str:
    usage = " ".join(["thence", *_path(context), *command.collect_usage_pieces(context)])
    parts = [f"## {' '.join(['thence', *_path(context)])}", f"```text\n{usage}\n```"]
    parts.append(_plain(cleandoc(command.help or "").replace("\b", "").partition("\f")[0]))
    rows = [_option(each, context) for each in command.params if isinstance(each, click.Option)]
    if rows:
        parts.append(table(["option", "what it does"], rows))
    return "\n\n".join(parts) + "\n"


def _path(context: click.Context) -> list[str]:
    above = context.parent
    return [] if above is None else [*_path(above), str(context.info_name)]


def _option(option: click.Option, context: click.Context) -> tuple[str, str]:
    record = option.get_help_record(context)
    assert record is not None, f"{option.name} has no help"
    name, said = record
    return f"`{name}`", _plain(said)


def environment() -> str:
    """Return a table of the environment variables that set an option."""
    found: dict[str, tuple[str, list[str]]] = {}
    for command, context in _commands(cli, "thence", None):
        for each in command.params:
            if isinstance(each, click.Option) and each.envvar and each.help:
                names = found.setdefault(str(each.envvar), (each.opts[0], []))[1]
                names.append("`" + " ".join(_path(context)) + "`")
    rows = [
        (f"`{name}`", f"`{option}`", ", ".join(where))
        for name, (option, where) in sorted(found.items())
    ]
    return table(["variable", "option", "of"], rows)


def keys() -> str:
    """Return a table of the providers' keys and addresses."""
    rows = [
        (f"`{name}/NAME`", f"`{each.variable}`" if each.variable else "", f"`{each.url}`")
        for name, each in PROVIDERS.items()
    ]
    return table(["model", "key", "address"], rows)


# Files --------------------------------------------------------------------------------------------


def files() -> str:
    """Return a section for each file with its fields."""
    held = formats.schemas()
    return "\n".join(_file(name, held[name]) for name in formats.FILES)


def _file(name: str, schema: dict[str, Any]) -> str:
    title = formats.FILES[name][0].partition(":")[0]
    parts = [
        f"## {title}",
        f"{_plain(schema['description'])} Schema: [{name}.json](../schemas/{name}.json).",
    ]
    parts.append(_fields(schema, schema))
    for kind, each in schema.get("$defs", {}).items():
        parts.append(f"**{kind}**: {_plain(each['description'])}")
        parts.append(_fields(each, schema))
    return "\n\n".join(parts) + "\n"


def _fields(schema: dict[str, Any], whole: dict[str, Any]) -> str:
    rows = [
        (f"`{name}`", _type(each), _sentence(_plain(each.get("description", ""))))
        for name, each in schema["properties"].items()
    ]
    return table(["field", "type", "is"], rows)


def _type(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    if "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema["enum"])
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    kind = schema.get("type", "any JSON value")
    if kind == "array":
        return f"list of {_type(schema['items'])}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    return str(kind)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


# Tasks --------------------------------------------------------------------------------------------


def tasks(family: str) -> str:
    """Return the tasks of a family: set, version, what may be set, what a grade holds."""
    found = [each for each in thence.tasks() if each.family == family]
    rows = [
        (
            f"`{each.name.removeprefix(family + '/')}`",
            each.version,
            str(replace(each, unavailable="").questions),
            each.summary,
            ", ".join(f"`{name}`" for name in each.metrics),
        )
        for each in found
    ]
    return table(["task", "version", "set", "asks", "metrics"], rows)


def parameters(family: str) -> str:
    """Return what ``--set`` takes for the tasks of a family."""
    owners: dict[tuple[str, str, str], list[str]] = {}
    found = [each for each in thence.tasks() if each.family == family]
    for each in found:
        for held in each.parameters:
            key = (held.name, held.text, held.help)
            owners.setdefault(key, []).append(each.name.removeprefix(f"{family}/"))
    rows = [
        (f"`{name}`", f"`{text}`" if text else "", _plain(said), _owners(names, len(found)))
        for (name, text, said), names in owners.items()
    ]
    return table(["`--set`", "default", "means", "tasks"], rows)


def _owners(names: Sequence[str], count: int) -> str:
    if len(names) == count:
        return "all"
    domains = dict.fromkeys(name.partition("/")[0] for name in names)
    if all("/" in name for name in names) and len(names) > len(domains) * 4:
        return ", ".join(f"`{each}/*`" for each in domains)
    return ", ".join(f"`{name}`" for name in names)


def metrics() -> str:
    """Return the metrics of all tasks with their titles in tables."""
    owners: dict[str, dict[str, None]] = {}
    for each in thence.tasks():
        for name in each.metrics:
            owners.setdefault(name, {})[each.family] = None
    rows = [(f"`{name}`", metric_title(name), ", ".join(owners[name])) for name in owners]
    return table(["name", "title in tables", "families"], rows)


def protocols() -> str:
    """Return the protocols with their parameters."""
    rows = []
    for each in thence.protocols():
        told = "; ".join(f"`{held.name}={held.text}`: {held.help}" for held in each.parameters)
        rows.append((f"`{each.name}`", str(each.turns), each.summary, _plain(told)))
    return table(["protocol", "turns", "what it does", "`--set-protocol`"], rows)


# Notebooks ----------------------------------------------------------------------------------------


def notebook(name: str) -> str:
    """Return the cells of a notebook with what they showed when it was executed."""
    held = json.loads((HERE / "notebooks" / f"{name}.ipynb").read_text("utf-8"))
    parts = []
    for cell in held["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        parts += map(_shown, cell.get("outputs", []))
    return "\n\n".join(parts) + "\n"


def _shown(output: dict[str, Any]) -> str:
    if "text" in output:
        return "```text\n" + "".join(output["text"]) + "\n```"
    data = {kind: "".join(text) for kind, text in output["data"].items()}
    for kind in ("text/html", "image/svg+xml"):
        if kind in data:
            return "```{raw} html\n<div class='shown'>" + data[kind] + "</div>\n```"
    return f"```text\n{data['text/plain']}\n```"


PARTS: dict[str, Callable[..., str]] = {
    "commands": commands,
    "environment": environment,
    "files": files,
    "keys": keys,
    "metrics": metrics,
    "notebook": notebook,
    "parameters": parameters,
    "protocols": protocols,
    "rest": rest,
    "tasks": tasks,
}
