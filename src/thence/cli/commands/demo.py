"""``thence demo``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from thence.cli import options

_SIZE = 3  # samples a task: enough for a table, few enough for a tiny model on two cores
_TOKENS = 24  # of the tiny model's replies


@click.command("demo")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), default=Path("thence-demo"), metavar="DIR",
    show_default=True, help="Where to.",
)  # fmt: skip
@options.overwrite
def command(output: Path, overwrite: bool) -> int:
    """Make a small suite, put it to the baselines and a tiny local model, and write a page."""
    import thence
    from thence import families
    from thence.engine.directory import RunDirectory
    from thence.engine.scored_run import ScoredRun
    from thence.errors import FileError
    from thence.generation import sample_files
    from thence.models.baselines import BASELINES
    from thence.reporting.overview import print_models
    from thence.reporting.page import Contents, write_page
    from thence.reporting.progress_display import show_work
    from thence.reporting.run_page import shown
    from thence.system.disk import disk

    if output.exists() and not output.is_dir():
        raise FileError(f"-o {output}: is a file; name a folder")
    with disk(output):
        output.mkdir(parents=True, exist_ok=True)
    samples = output / "samples.jsonl"
    sample_files.check_output(samples, overwrite=overwrite)
    page = output / "report.html"
    if page.exists() and not overwrite:
        raise FileError(f"-o {page}: exists; give --overwrite to replace it")
    names = [name for name, task in families.tasks().items() if not task.by_name]
    suite = thence.generate(names, size=_SIZE, skip_unavailable=True)
    with show_work("generate"):
        suite.write(samples, overwrite=overwrite)
    count, made = suite.manifest["samples"], len(suite.manifest["groups"])
    click.echo(f"{count} samples of {made} tasks: {samples}")
    models = _models(output)
    found = [_run(model, samples, output, overwrite) for model in models]
    tiny = " and by a tiny model with random weights, which can only guess"
    lead = (
        f"{count} fresh samples of {made} tasks, answered by four baselines"
        f"{tiny if len(models) > len(BASELINES) else ''}: what chance, copying and the truth "
        "itself look like."
    )
    runs = [shown(ScoredRun(RunDirectory(Path(held.source)))) for held in found]
    print_models([each.results for each in runs])  # what is summed up here serves the page
    with show_work("report"):
        write_page(page, Contents("Thence: a first look", lead, runs))
    click.echo(f"page: {page}")
    return 0 if all(held.finished for held in found) else 1


def _models(output: Path) -> list[str]:
    from thence.errors import MissingExtra
    from thence.models.baselines import BASELINES, PROVIDER
    from thence.models.tiny import write_tiny_model

    names = [f"{PROVIDER}/{name}" for name in BASELINES]
    try:
        tiny = write_tiny_model(output / "tiny.gguf", seed=0)
    except MissingExtra as error:
        click.echo(f"thence: without the tiny model: {error}", err=True)
        return names
    return [*names, f"gguf/{tiny}"]


def _run(model: str, samples: Path, output: Path, overwrite: bool) -> Any:
    from thence.engine import session
    from thence.engine.run_config import Limits, RunConfig
    from thence.generation.sources import source
    from thence.models.base import Sampling
    from thence.reporting.progress_display import show_progress

    local = model.startswith("gguf/")
    config = RunConfig(
        source=source([str(samples)]),
        model=model,
        sampling=Sampling(0.0, max_tokens=_TOKENS, structured=True) if local else Sampling(),
        limits=Limits(max_connections=8),
        folder=output / "runs" / model.replace("/", "-").replace(".", "-")[-40:],
        overwrite=overwrite,
    )
    prepared = session.prepare(config)
    with show_progress(model) as watch:
        ended = session.execute(prepared, watch)
    return ended.results or session.results(prepared.directory)
