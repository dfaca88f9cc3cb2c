"""``thence analyze``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from thence.cli.options import as_json
from thence.errors import UsageError

if TYPE_CHECKING:
    from thence.dataflow.review import Finding, Form

_COLOURS = {"head": None, "source": "blue", "note": "cyan"}


@click.command("analyze")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@as_json
@click.option("--mermaid", is_flag=True, help="The graphs, for Mermaid.")
@click.option("--dot", is_flag=True, help="The graphs, for Graphviz.")
@click.option(
    "--graph",
    type=click.Choice(["both", "steps", "entities"]),
    default="both",
    show_default=True,
    help="Which graph is drawn.",
)
@click.option("--schema", is_flag=True, help="The form of FILE as a JSON schema, and no more.")
def command(
    file: Path | None, as_json: bool, mermaid: bool, dot: bool, graph: str, schema: bool
) -> int:
    """Look over the procedure in FILE: dependencies, parallel steps, critical path, mistakes.

    FILE is YAML with a goal and steps that use, define and kill facts; docs/analyze.md shows three.
    Ends with 1 where something is found.
    """
    from thence.dataflow import review

    if sum((as_json, mermaid, dot, schema)) > 1:
        raise UsageError("--json, --mermaid, --dot, --schema: each is an output; give one")
    if schema:
        click.echo(json.dumps(review.SCHEMA, indent=2, ensure_ascii=False))
        return 0
    if file is None:
        raise UsageError("FILE is missing; name a YAML file of a procedure, or ask for --schema")
    form = review.read_form(file)
    found = review.findings(form)
    if as_json:
        click.echo(json.dumps(review.to_json(form, found), indent=2, ensure_ascii=False))
    elif mermaid or dot:
        click.echo(_drawn(form, graph, mermaid=mermaid), nl=False)
        _tell(form, found, err=True)
    else:
        click.echo("\n".join(review.page(form)) + "\n")
        _tell(form, found, err=False)
    return 1 if found else 0


def _drawn(form: Form, graph: str, *, mermaid: bool) -> str:
    from thence import dataflow

    chosen: list[dataflow.StepDependencyGraph | dataflow.EntityFlowGraph] = []
    if graph != "entities":
        chosen.append(dataflow.step_dependency_graph(form.flow))
    if graph != "steps":
        chosen.append(dataflow.entity_flow_graph(form.flow))
    return dataflow.to_mermaid(*chosen) if mermaid else dataflow.to_dot(*chosen)


def _tell(form: Form, found: list[Finding], *, err: bool) -> None:
    """The findings as a compiler would print them, and how many there are."""
    from thence.dataflow.review import ERROR, diagnostic

    lines = []
    for finding in found:
        for kind, line in diagnostic(form, finding):
            colour = _COLOURS[kind] or ("red" if finding.severity == ERROR else "yellow")
            lines.append(click.style(line, fg=colour))
        lines.append("")
    if lines:  # at once: a stream that is flushed line by line takes longer than the analysis
        click.echo("\n".join(lines), err=err)
    errors = sum(finding.severity == ERROR for finding in found)
    counts = [_count(errors, "error"), _count(len(found) - errors, "warning")]
    if found or not err:
        click.echo(", ".join(each for each in counts if each) or "nothing found", err=err)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}" if number else ""
