"""``thence extract``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from thence.cli import options
from thence.cli.option_words import worded
from thence.cli.output import print_json
from thence.core.failures import plural

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from thence.api.extract import Extracted
    from thence.engine.run_progress import Progress

_ASKING = (
    "base_url", "auth_command", "headers", "max_connections", "temperature", "max_tokens",
    "structured", "templates",
)  # fmt: skip
_WRITING = ("output", "overwrite", "as_json")
_SHOWN = 5  # unsure things that are printed of a text


@click.command("extract")
@click.argument("texts", nargs=-1, type=click.Path(path_type=Path), metavar="TEXT...")
@options.option(
    "--model",
    metavar="PROVIDER/NAME|rules",
    help="Reads the texts; rules is the built-in parser of recipes, without a model.",
)
@click.option(
    "-o", "output", type=click.Path(path_type=Path), metavar="DIR",
    help="Where the YAML files go, the texts and the model's responses beside them.",
)  # fmt: skip
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    metavar="FLOW_GRAPHS",
    help="Score the extraction of recipes against their flow graphs: the folder with r-100 and "
    "r-200.",
)
@click.option("--limit", type=int, metavar="N", help="With --against: at most N recipes.")
@click.option(
    "--review",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Open what extract wrote in the browser, to confirm or mend it by the keyboard.",
)
@click.option("--port", type=int, default=0, show_default=True, help="With --review: 0 for any.")
@click.option("--no-browser", is_flag=True, help="With --review: print the address alone.")
@options.base_url
@options.auth_command
@options.headers
@options.max_connections
@options.option("--temperature", type=float, metavar="T", help="[default: the endpoint's]")
@options.option("--max-tokens", type=int, metavar="N", help="Per reply [default: the endpoint's]")
@click.option(
    "--structured/--no-structured", default=True, show_default=True,
    help="Ask for output that fits a JSON schema.",
)  # fmt: skip
@options.templates
@click.option(
    "--overwrite", is_flag=True,
    help="Ask the model anew, and replace the YAML files that are there.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@options.as_json
def command(
    texts: tuple[Path, ...],
    model: str | None,
    output: Path | None,
    against: Path | None,
    limit: int | None,
    review: Path | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Read TEXTs with steps into YAML files that analyze, generate and run take.

    A TEXT is a recipe, runbook, protocol or checklist in plain text, Markdown or HTML. Each entry
    of a YAML file tells the words that it comes from, and what is unsure. The same command goes on
    where it was stopped, and asks for nothing twice unless --overwrite is given.
    """
    _check(texts, model, output, against, review)
    if review is not None:
        return _review(review, given["port"], browser=not given["no_browser"])
    shown = not (as_json or given["quiet"])
    if against is not None:
        return _score(against, str(model), output, limit, given, shown=shown, as_json=as_json)
    from thence.api.extract import extract

    with _progress(str(model), shown=shown) as watch:
        extracted = extract(
            texts,
            str(model),
            out=str(output),
            progress=watch,
            **_asking(given),
        )
    if as_json:
        print_json([_row(each) for each in extracted], ascii_only=False)
    else:
        for each in extracted:
            _print(each)
    for each in extracted:
        if each.problem:
            click.echo(f"thence: {worded(each.problem)}", err=True)
    if not any(each.path for each in extracted):
        return 2
    return 1 if any(each.problem or each.unsure for each in extracted) else 0


def _check(
    texts: tuple[Path, ...],
    model: str | None,
    output: Path | None,
    against: Path | None,
    review: Path | None,
) -> None:
    """Refuse what does not go together, and what is missing."""
    from thence.errors import UsageError

    for name, folder in (("--review", review), ("--against", against)):
        if folder is not None and texts:
            raise UsageError(f"{name} {folder}: takes no TEXT; leave out {texts[0]}")
    _check_idle(model, against, review)
    if review is not None:
        return
    if model is None:
        raise UsageError("--model is missing; name a model, or rules for the recipe parser")
    if against is not None:
        return
    if not texts:
        raise UsageError("TEXT is missing; name a file of plain text, Markdown or HTML")
    if output is None:
        raise UsageError("-o is missing; name the folder for the YAML files")


def _check_idle(model: str | None, against: Path | None, review: Path | None) -> None:
    """Refuse an option that was typed and does nothing beside the others."""
    from thence.errors import UsageError

    rules = review is None and model == "rules"
    idle = (  # where these options do nothing, and why
        (review is not None, ("model", *_ASKING), "--review asks no model"),
        (review is not None, (*_WRITING, "against", "limit"), "--review opens what is there"),
        (review is None, ("port", "no_browser"), "is for --review"),
        (against is None, ("limit",), "is for --against"),
        (rules, _ASKING, "--model rules asks no model"),
        (rules and against is not None, ("output", "overwrite"), "--model rules keeps no replies"),
    )
    why = {name: reason for holds, names, reason in reversed(idle) if holds for name in names}
    context = click.get_current_context()
    for each in context.command.params:
        typed = context.get_parameter_source(str(each.name)) is ParameterSource.COMMANDLINE
        if typed and each.name in why:
            said = _as_typed(each, context.params[each.name])
            raise UsageError(f"{said}: {why[each.name]}; leave it out")


def _as_typed(option: click.Parameter, value: Any) -> str:
    """Return an option as the user wrote it."""
    if isinstance(value, bool):
        return option.opts[0] if value else option.secondary_opts[0]
    shown = " ".join(value) if isinstance(value, dict) else value  # a header's value may be a key
    return f"{option.opts[0]} {shown}"


def _review(folder: Path, port: int, *, browser: bool) -> int:
    """Serve a review until it is ended; return the exit status."""
    from thence.api.extract import review
    from thence.cli import serving

    end = "q in the page, or Ctrl-C here, ends it"
    found = review(folder, serving.telling("review", end, browser=browser), port=port)
    serving.ended("review")
    click.echo(f"{found.confirmed} of {plural(found.count, 'procedure')} confirmed")
    for line in found.refused:
        click.echo(f"thence: {line}", err=True)
    return 0 if found.confirmed == found.count else 1


def _progress(model: str, *, shown: bool) -> AbstractContextManager[Callable[[Progress], None]]:
    from thence.reporting.progress_display import NORMAL, QUIET, show_progress

    return show_progress(model, NORMAL if shown else QUIET)


def _asking(given: dict[str, Any]) -> dict[str, Any]:
    """Return the options about the model as the library takes them."""
    from thence.engine.run_config import Limits
    from thence.models.base import Sampling

    return {
        "sampling": Sampling(
            temperature=given["temperature"],
            max_tokens=given["max_tokens"],
            structured=given["structured"],
        ),
        "limits": Limits(
            **{name: given[name] for name in ("max_connections", "auth_command", "headers")}
        ),
        "base_url": given["base_url"],
        "templates": given["templates"],
        "overwrite": given["overwrite"],
    }


def _score(
    against: Path,
    model: str,
    output: Path | None,
    limit: int | None,
    given: dict[str, Any],
    *,
    shown: bool,
    as_json: bool,
) -> int:
    """Print how an extraction agrees with flow graphs; return the exit status."""
    from thence.api.extract_against import extract_against

    with _progress(model, shown=shown) as watch:
        agreement = extract_against(
            against, model, out=output, limit=limit, progress=watch, **_asking(given)
        )
    if as_json:
        print_json(agreement.to_json())
    else:
        from thence.reporting.extraction_table import print_figures

        read = len(agreement.recipes) - len(agreement.problems)
        print_figures(agreement.model, read, len(agreement.recipes), agreement.figures)
    for what, lines in (("", agreement.problems), (" of the corpus", agreement.skipped)):
        if lines:
            said = f"{plural(len(lines), 'recipe')}{what}, such as {lines[0]}"
            click.echo(f"thence: left out: {worded(said)}", err=True)
    return 1 if len(agreement.problems) == len(agreement.recipes) else 0


def _print(found: Extracted) -> None:
    if found.path is None:
        return
    said = f"{plural(len(found.unsure), 'thing')} unsure" if found.unsure else "nothing unsure"
    kept = "; it was there already and is left as it is" if found.kept else ""
    click.echo(f"{found.path}: {said}{kept}")
    for line in found.unsure[:_SHOWN]:
        click.echo(f"  {line}")
    if len(found.unsure) > _SHOWN:
        click.echo(f"  and {len(found.unsure) - _SHOWN} more, which the file tells")


def _row(found: Extracted) -> dict[str, Any]:
    return {
        "source": str(found.source),
        "path": str(found.path) if found.path else None,
        "problem": worded(found.problem),
        "unsure": list(found.unsure),
        "kept": found.kept,
    }
