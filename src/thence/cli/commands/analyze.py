"""``thence analyze``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from thence.cli.options import as_json
from thence.cli.output import print_json
from thence.errors import UsageError

if TYPE_CHECKING:
    from thence.procedures import Analysis
    from thence.procedures.analysis import GraphName

_COLOURS = {"source": "blue", "note": "cyan", "error": "red", "warning": "yellow"}


@click.command("analyze")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.argument("new", type=click.Path(path_type=Path), required=False, metavar="[NEW]")
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
@click.option(
    "--draw",
    type=click.Choice(["facts", "executions"]),
    help="An SVG drawing: facts from step to step, or the orders in which steps may be done.",
)
@click.option("--schema", is_flag=True, help="The form of FILE as a JSON schema, and no more.")
def command(
    file: Path | None,
    new: Path | None,
    as_json: bool,
    mermaid: bool,
    dot: bool,
    graph: GraphName,
    draw: str | None,
    schema: bool,
) -> int:
    """Look over the procedure in FILE: dependencies, parallel steps, critical path, mistakes.

    FILE, or - for standard input, is YAML with a goal and steps that use, define and kill facts;
    docs/guides/analyze.md shows four. Ends with 1 where something is found. With NEW, tell what
    NEW gained and lost against FILE in steps, dependencies and findings; ends with 1 where it
    gained a finding.
    """
    import thence
    from thence import procedures
    from thence.reporting.progress_display import show_work

    if sum((as_json, mermaid, dot, schema, bool(draw))) > 1:
        raise UsageError("--json, --mermaid, --dot, --draw, --schema: each is an output; give one")
    if schema:
        print_json(procedures.json_schema(), ascii_only=False)
        return 0
    if file is None:
        raise UsageError("FILE is missing; name a YAML file of a procedure, or ask for --schema")
    if new is not None:
        if mermaid or dot or draw:
            raise UsageError(f"{new}: two files are compared in words or by --json")
        return _compare(file, new, as_json=as_json)
    with show_work("analyze", shown=not as_json):
        analysis = thence.analyze(file)
    if as_json:
        print_json(analysis.to_json(), ascii_only=False)
    elif mermaid or dot:
        click.echo(analysis.mermaid(graph) if mermaid else analysis.dot(graph), nl=False)
        _print_findings(analysis, err=True)
    elif draw:
        from thence.reporting.procedure_drawing import draw_executions, draw_facts

        drawn = draw_facts if draw == "facts" else draw_executions
        click.echo(drawn(analysis.document.flow))
        _print_findings(analysis, err=True)
    else:
        click.echo("\n".join(analysis.lines()) + "\n")
        _print_findings(analysis, err=False)
    return 1 if analysis.findings else 0


def _compare(old: Path, new: Path, *, as_json: bool) -> int:
    """Print what a changed procedure gained and lost; return the exit status."""
    from thence.procedures import compare_procedures

    if str(old) == str(new) == "-":
        raise UsageError("- -: standard input is read once; name a file for one of the two")
    found = compare_procedures(old, new)
    if as_json:
        print_json(found.to_json(), ascii_only=False)
    else:
        click.echo(str(found))
    return 1 if found.findings_gained else 0


def _print_findings(analysis: Analysis, *, err: bool) -> None:
    """Print the findings as a compiler would, and how many there are."""
    from thence.procedures.analysis_text import count_findings

    lines = []
    for finding, diagnostic in zip(analysis.findings, analysis.diagnostics(), strict=True):
        for kind, line in diagnostic:
            lines.append(
                click.style(line, fg=_COLOURS[finding.severity if kind == "head" else kind])
            )
        lines.append("")
    if lines:  # at once: a stream that is flushed line by line takes longer than the analysis
        click.echo("\n".join(lines), err=err)
    if analysis.findings or not err:
        click.echo(count_findings(analysis.findings), err=err)
