"""``thence list``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from thence.cli.options import as_json
from thence.cli.output import print_json

if TYPE_CHECKING:
    from thence.api.listing import ParameterInfo

WHAT = ("tasks", "protocols", "models", "parameters", "extras")
_OPTIONAL = ("version", "groups", "turns")  # columns that a narrow terminal goes without


@click.command("list")
@click.argument("what", type=click.Choice(WHAT), default="tasks", metavar="[WHAT]")
@as_json
def command(what: str, as_json: bool) -> None:
    """List tasks (the default), protocols, models, parameters of tasks and protocols, or extras."""
    made = {
        "tasks": _tasks,
        "protocols": _protocols,
        "models": _models,
        "parameters": _parameters,
        "extras": _extras,
    }
    rows = made[what]()
    if as_json:
        print_json(rows)
        return
    from thence.reporting.terminal import print_described, print_rows

    if what == "parameters":
        print_described(rows)
        return
    print_rows(rows, _OPTIONAL)
    if what in {"tasks", "protocols"}:
        click.echo("\nWhat --set and --set-protocol take: thence list parameters")
    if what == "extras":
        click.echo("\nTo install some: pip install 'thence[NAME,NAME]'")


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


def _parameters() -> list[dict[str, Any]]:
    """Return a row a parameter with equal words, and the tasks or protocols that have it."""
    owners: dict[tuple[str, str, str], list[str]] = {}
    for rows, option in ((_tasks(), "--set"), (_protocols(), "--set-protocol")):
        for row in rows:
            for name, text in row[option].items():
                owners.setdefault((option, name, text), []).append(next(iter(row.values())))
    return [
        {"option": f"{option} {name}", "of": _several(names), "description": text}
        for (option, name, text), names in owners.items()
    ]


def _several(names: Sequence[str]) -> str:
    """Return one name, or for several the parts of their names that they share, with counts."""
    if len(names) == 1:
        return names[0]
    starts = Counter(name.rpartition("/")[0] or name for name in names)
    if len(starts) > 1:
        starts = Counter(name.partition("/")[0] for name in names)
    return ", ".join(f"{name} ({count})" if count > 1 else name for name, count in starts.items())


def _extras() -> list[dict[str, Any]]:
    from thence.core.extras import EXTRAS, missing

    return [
        {
            "extra": name,
            "installed": "no" if missing(name) else "yes",
            "adds": adds,
        }
        for name, adds in EXTRAS.items()
    ]


def _described(parameters: Sequence[ParameterInfo]) -> dict[str, str]:
    """Return the text and the default of each parameter by name."""
    return {each.name: f"{each.help} [{each.text}]" for each in parameters}


def _models() -> list[dict[str, Any]]:
    from thence.models.baselines import BASELINES, PROVIDER
    from thence.models.providers import PROVIDERS, key_variable
    from thence.models.select import HF, LOCAL, NANO, VLLM

    rows = [
        {"model": f"{name}/NAME", "key": held.variable or "", "address": held.native or held.url}
        for name, held in PROVIDERS.items()
    ]
    azure = {"key": key_variable("azure"), "address": "AZURE_OPENAI_ENDPOINT"}
    rows.append({"model": "azure/DEPLOYMENT", **azure})
    vertex = {"key": "--auth-command", "address": "GOOGLE_CLOUD_PROJECT"}
    rows.append({"model": "vertex/NAME", **vertex})
    rows.append({"model": "ANY/NAME", "key": "ANY_API_KEY, if set", "address": "--base-url URL"})
    rows.append({"model": f"{LOCAL}/PATH", "key": "", "address": "this machine, by llama.cpp"})
    rows.append({"model": NANO, "key": "", "address": "this machine, by llama.cpp"})
    rows.append({"model": f"{HF}/PATH", "key": "", "address": "this machine, by transformers"})
    rows.append({"model": f"{VLLM}/PATH", "key": "", "address": "this machine, by vLLM"})
    rows += [{"model": f"{PROVIDER}/{name}", "key": "", "address": ""} for name in BASELINES]
    return rows
