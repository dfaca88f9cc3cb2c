"""``thence run``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thence.cli import options, signals
from thence.cli.option_words import worded
from thence.cli.output import say_below, say_failures

if TYPE_CHECKING:
    from thence.engine.estimate import RunEstimate
    from thence.engine.run_config import RunConfig
    from thence.engine.run_progress import Progress
    from thence.engine.session import PreparedRun
    from thence.models.base import Sampling


@click.command("run")
@click.argument(
    "sources",
    nargs=-1,
    required=True,
    metavar="TASK|FILE...",
    shell_complete=options.complete_tasks,
)
@options.option("--model", required=True, metavar="PROVIDER/NAME", help="See: thence list models.")
@options.generation
@options.workers
@options.running
@click.option(
    "-o", "output", type=click.Path(path_type=Path), metavar="DIR",
    help="[default: runs/<model>-<tasks>-<hash>]",
)  # fmt: skip
@options.fail_on
@options.under
@options.full
@options.overwrite
@click.pass_context
def command(context: click.Context, /, **given: Any) -> int:
    """Put samples to a model, keep every response, and print the scores.

    The same command goes on where it was stopped, and repeats nothing that is on disk.
    """
    from thence.engine import session
    from thence.engine.estimate import dry_run
    from thence.generation.sources import is_file

    if any(map(is_file, given["sources"])):
        options.forget_defaults(context, given, ("seed", "size", "settings", "exclude"))
    with options.blaming(context):
        config = config_of(given)
        with naming_seed():
            prepared = session.prepare(config)
    if given["dry_run"]:
        _say_estimate(dry_run(prepared), prepared)
        return 0
    try:
        return _run(prepared, given)
    except KeyboardInterrupt:
        held = prepared.directory
        done = f"; what was written is kept in {held.path}: the same command goes on"
        if not held.exists:
            done = " before anything was written: the same command begins anew"
        signals.say(f"interrupted{done}")
        return signals.exit_status()


def _run(prepared: PreparedRun, given: dict[str, Any]) -> int:
    """Run, score and print; return the exit status."""
    from thence.engine import session
    from thence.reporting.progress_display import kinds, show_progress

    level = given["verbose"] - 2 * given["quiet"]
    with show_progress(prepared.config.model_name, level) as watch:
        ended = session.execute(prepared, watch)
    directory, progress, results = prepared.directory, ended.progress, ended.results
    if results is None:
        reason = worded(progress.stopped or "") or kinds(progress.errors) or "none was sent"
        click.echo(
            f"thence: no request was answered ({reason}): the run that was in {directory.path} is "
            "kept as it was; the same command tries again",
            err=True,
        )
        return 1
    from thence.reporting.overview import print_overview, say_summary
    from thence.reporting.terminal import print_results

    _say_without_effect(prepared)
    _say_without_heuristic(prepared)
    (print_results if given["full"] else print_overview)([results])
    say_summary(results, progress)
    click.echo(f"run: {directory.path}")
    if progress.mended:
        click.echo("thence: a torn last line was taken off the responses", err=True)
    if progress.stopped:
        why = worded(progress.stopped)
        click.echo(f"thence: stopped: {why}; the same command goes on", err=True)
    elif not results.finished:
        click.echo(
            f"thence: unfinished: {results.errors + results.missing} of {progress.total} have no "
            f"response ({kinds(progress.errors)}{_told(progress)}); the same command tries these "
            "again, --accept-errors leaves them out",
            err=True,
        )
    below = say_below([results], given["fail_under"], given["fail_under_low"])
    return 1 if say_failures([results], given["fail_on"]) or below or not results.finished else 0


def _told(progress: Progress) -> str:
    """Return the endpoint's latest message of the commonest kind of error."""
    for kind, _ in progress.errors.most_common(1):
        if kind in progress.said:
            return f", such as: {progress.said[kind]}"
    return ""


def config_of(given: dict[str, Any]) -> RunConfig:
    """Return the configuration that the options of a run ask for."""
    from thence import families
    from thence.engine.run_config import Limits, RunConfig
    from thence.generation import sources

    arguments: tuple[str, ...] = given["sources"]
    chosen = [] if sources.files_of(arguments) else families.select(arguments)
    settings = options.with_dialect(chosen, given["settings"], given["dialect"])
    held = sources.sample_source(
        arguments,
        seed=given["seed"],
        size=given["size"],
        limit=given["limit"],
        total=given["total"],
        settings=settings,
        templates=given["templates"],
        workers=given["workers"],
        skip_unavailable=given["skip_unavailable"],
        exclude=given["exclude"],
        shard=given["shard"],
    )
    return RunConfig(
        source=held,
        model=given["model"],
        protocol=given["protocol"],
        protocol_settings=given["protocol_settings"],
        epochs=given["epochs"],
        reduce=given["reduce"],
        sampling=_sampling(given),
        limits=Limits(**{each.name: given[each.name] for each in fields(Limits)}),
        base_url=given["base_url"],
        sends=not given["dry_run"],
        templates=given["templates"],
        folder=given["output"],
        overwrite=given["overwrite"],
    )


@contextmanager
def naming_seed() -> Iterator[None]:
    """Give the seed of replies the name that its option has; --seed is that of the questions."""
    from thence.errors import ParameterError

    try:
        yield
    except ParameterError as error:
        if error.name != "seed":
            raise
        raise ParameterError("seed_model", error.value, error.reason) from error


def _sampling(given: dict[str, Any]) -> Sampling:
    from thence.models.base import Sampling

    with naming_seed():
        return Sampling(
            temperature=given["temperature"],
            top_p=given["top_p"],
            max_tokens=given["max_tokens"],
            seed=given["seed_model"],
            extra_body=given["extra_body"],
            structured=given["structured"],
            reasoning=given["reasoning"],
            system=given["system"],
            api=given["api"],
        )


def _say_estimate(estimate: RunEstimate, prepared: PreparedRun) -> None:
    from thence.core.failures import plural
    from thence.reporting.fitted_table import say
    from thence.reporting.progress_display import duration
    from thence.reporting.terminal import console

    out = console()
    connections = prepared.config.limits.max_connections
    basis = "" if estimate.measured else " if a reply comes at 50 tokens a second"
    cost = "cost unknown without --price"
    if estimate.cost is not None:
        cost = f"about {estimate.cost:.2f} USD"
    say(
        out,
        f"{plural(estimate.samples, 'sample')}, {plural(estimate.requests, 'request')}, about "
        f"{estimate.input_tokens:,} tokens in and, if replies are as long as the truth, "
        f"{estimate.output_tokens:,} out: about {duration(estimate.seconds)} over {connections} "
        f"connections{basis}, {cost}; into {prepared.directory.path}",
    )
    shown = [
        f"{name} ({n:,}) "
        + ("none" if isnan(least) else f"differences from {100 * least:.1f} points")
        for name, (n, least) in estimate.detectable.items()
    ]
    say(
        out,
        f"a paired test of two models would find: {', '.join(shown)} (power 0.8; thence power has "
        "the assumptions)",
    )


# others, such as --reasoning, are refused before
_SHAPING = ("temperature", "top_p", "max_tokens", "extra_body", "system", "structured")


def _say_without_effect(prepared: PreparedRun) -> None:
    """Say which options change nothing, as a baseline is no language model."""
    from thence.models.base import Sampling
    from thence.models.baselines import Baseline

    if not isinstance(prepared.model, Baseline):
        return
    config, plain = prepared.config, Sampling()
    given = [name for name in _SHAPING if getattr(config.sampling, name) != getattr(plain, name)]
    beside = {
        "base_url": config.base_url,
        "auth_command": config.limits.auth_command,
    }
    given += [name for name, value in beside.items() if value is not None]
    names = [f"--{name.replace('_', '-')}" for name in given]
    if names:
        click.echo(f"thence: without effect on {prepared.model.name}: {', '.join(names)}", err=True)


def _say_without_heuristic(prepared: PreparedRun) -> None:
    from thence.models.baselines import Surface, without_heuristic

    if not isinstance(prepared.model, Surface):
        return
    names = without_heuristic(prepared.directory.samples())
    if names:
        click.echo(f"thence: no surface heuristic for {', '.join(names)}: no_answer", err=True)
