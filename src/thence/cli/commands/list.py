"""``thence list``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from thence.cli.options import as_json
from thence.cli.output import print_json

if TYPE_CHECKING:
    from thence.api.listing import ParameterInfo

WHAT = ("tasks", "protocols", "models")


@click.command("list")
@click.argument("what", type=click.Choice(WHAT), default="tasks", metavar="[WHAT]")
@as_json
def command(what: str, as_json: bool) -> None:
    """List tasks (the default), protocols or models."""
    rows = {"tasks": _tasks, "protocols": _protocols, "models": _models}[what]()
    if as_json:
        print_json(rows)
        return
    from thence.reporting.terminal import print_rows

    print_rows(rows)


def _tasks() -> list[dict[str, Any]]:
    import thence

    return [
        {
            "task": task.name,
            "version": task.version,
            "set": task.questions,
            "groups": task.groups,
            "--set": _described(task.parameters),
            "summary": f"not offered: {task.unavailable}" if task.unavailable else task.summary,
        }
        for task in thence.tasks()
    ]


def _protocols() -> list[dict[str, Any]]:
    import thence

    return [
        {
            "protocol": protocol.name,
            "turns": protocol.turns,
            "--set-protocol": _described(protocol.parameters),
            "summary": protocol.summary,
        }
        for protocol in thence.protocols()
    ]


def _described(parameters: Sequence[ParameterInfo]) -> dict[str, str]:
    """Return the text and the default of each parameter by name."""
    return {each.name: f"{each.help} [{each.text}]" for each in parameters}


def _models() -> list[dict[str, Any]]:
    from thence.models.baselines import BASELINES, PROVIDER
    from thence.models.providers import PROVIDERS, key_variable
    from thence.models.select import LOCAL

    rows = [
        {"model": f"{name}/NAME", "address": held.native or held.url, "key": held.variable or ""}
        for name, held in PROVIDERS.items()
    ]
    rows += [
        {
            "model": "azure/DEPLOYMENT",
            "address": "AZURE_OPENAI_ENDPOINT",
            "key": key_variable("azure"),
        },
        {"model": "vertex/NAME", "address": "GOOGLE_CLOUD_PROJECT", "key": "--auth-command"},
    ]
    rows.append(
        {"model": "ANY/NAME --base-url URL", "address": "URL", "key": "ANY_API_KEY, if set"}
    )
    rows.append({"model": f"{LOCAL}/PATH", "address": "this machine, by llama.cpp", "key": ""})
    rows += [{"model": f"{PROVIDER}/{name}", "address": "", "key": ""} for name in BASELINES]
    return rows
