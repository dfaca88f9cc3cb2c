"""``thence list``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from thence.cli.options import as_json

if TYPE_CHECKING:
    from thence.core.parameters import Parameter

WHAT = ("tasks", "protocols", "models")


@click.command("list")
@click.argument("what", type=click.Choice(WHAT), default="tasks", metavar="[WHAT]")
@as_json
def command(what: str, as_json: bool) -> None:
    """What there is: tasks (the default), protocols or models."""
    rows = {"tasks": _tasks, "protocols": _protocols, "models": _models}[what]()
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    from thence.report.terminal import print_rows

    print_rows(rows)


def _tasks() -> list[dict[str, Any]]:
    from thence import families

    rows = []
    for name, task in families.tasks().items():
        generator = task.generator
        values = generator.configure({})
        reason = generator.unavailable(values)
        cells = [] if reason else generator.arrange(values, None, 0)
        rows.append(
            {
                "task": name,
                "version": task.version,
                "set": sum(cell.count for cell in cells),
                "groups": len({cell.group for cell in cells}),
                "--set": _described(generator.parameters),
                "summary": f"not offered: {reason}" if reason else task.summary,
            }
        )
    return rows


def _protocols() -> list[dict[str, Any]]:
    from thence.prompts.catalog import protocols

    return [
        {
            "protocol": name,
            "turns": held.turns + 1,
            "--set-protocol": _described(held.parameters),
            "summary": held.summary,
        }
        for name, held in protocols().items()
    ]


def _described(parameters: Sequence[Parameter]) -> dict[str, str]:
    """What each parameter does and its default, by name."""
    return {each.name: f"{each.help} [{each.default}]" for each in parameters}


def _models() -> list[dict[str, Any]]:
    from thence.models.baselines import BASELINES, PROVIDER
    from thence.models.providers import PROVIDERS
    from thence.models.select import LOCAL

    rows = [
        {"model": f"{name}/NAME", "address": held.url, "key": held.variable or ""}
        for name, held in PROVIDERS.items()
    ]
    rows.append(
        {"model": "ANY/NAME --base-url URL", "address": "URL", "key": "ANY_API_KEY, if set"}
    )
    rows.append({"model": f"{LOCAL}/PATH", "address": "this machine, by llama.cpp", "key": ""})
    rows += [{"model": f"{PROVIDER}/{name}", "address": "", "key": ""} for name in BASELINES]
    return rows
