"""``thence demo``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from thence.cli import options

_SIZE = 3  # samples a task: enough for a table of baselines
_SHORT = "procbench"  # the family of which nano learnt some, in few steps
_SHORT_SIZE, _STEPS = 21, (2, 8)  # three samples a length
_TOKENS = 256  # of nano's replies; the right ones of the tasks that it can do are shorter
_SLOW = "majority"  # it draws questions anew, for as long as all the rest takes


@click.command("demo")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), default=Path("thence-demo"), metavar="DIR",
    show_default=True, help="Where to.",
)  # fmt: skip
@options.overwrite
def command(output: Path, overwrite: bool) -> int:
    """Make a small suite, put it to the baselines and a small model, and write a page."""
    import thence
    from thence import families
    from thence.engine.directory import RunDirectory
    from thence.engine.scored_run import ScoredRun
    from thence.errors import FileError, MissingExtra
    from thence.generation import sample_files
    from thence.models.baselines import BASELINES, PROVIDER
    from thence.models.select import NANO
    from thence.reporting.overview import print_models
    from thence.reporting.page import Contents, write_page
    from thence.reporting.progress_display import show_work
    from thence.reporting.run_page import shown
    from thence.system.disk import disk

    if output.exists() and not output.is_dir():
        raise FileError(f"-o {output}: is a file; name a folder")
    with disk(output):
        output.mkdir(parents=True, exist_ok=True)
    samples, short = (output / name for name in ("samples.jsonl", "short.jsonl"))
    for path in (samples, short):
        sample_files.check_output(path, overwrite=overwrite)
    page = output / "report.html"
    if page.exists() and not overwrite:
        raise FileError(f"-o {page}: exists; --overwrite replaces it")
    names = [name for name, task in families.tasks().items() if not task.by_name]
    few = [name for name in names if name.partition("/")[0] == _SHORT]
    others = [name for name in names if name not in few]
    suites = {
        samples: thence.generate(others, size=_SIZE, skip_unavailable=True),
        short: thence.generate(few, size=_SHORT_SIZE, steps=_STEPS),
    }
    with show_work("generate"):
        for path, suite in suites.items():
            suite.write(path, overwrite=overwrite)
    count = sum(suite.manifest["samples"] for suite in suites.values())
    made = sum(len(suite.manifest["groups"]) for suite in suites.values())
    click.echo(f"{count} samples of {made} tasks: {samples}, {short}")
    asked = [name for name in BASELINES if name != _SLOW]
    results = [_run(f"{PROVIDER}/{name}", list(suites), output, overwrite) for name in asked]
    lead = f"{count} fresh samples of {made} tasks, answered by three baselines"
    if find_spec("xllamacpp") is None:
        click.echo(f"thence: without nano: {MissingExtra('the model nano', 'gguf')}", err=True)
    else:
        results.append(_run(NANO, [short], output, overwrite))
        lead += (
            f"; those of {_SHORT}, of {_STEPS[0]} to {_STEPS[1]} steps, by nano too, a model of a "
            "million weights that was trained on such questions"
        )
    lead += ": what chance, copying and the truth itself look like."
    runs = [shown(ScoredRun(RunDirectory(Path(result.source)))) for result in results]
    print_models([each.results for each in runs])  # what is summed up here serves the page
    with show_work("report"):
        write_page(page, Contents("Thence: a first look", lead, runs))
    click.echo(f"page: {page}")
    return 0 if all(result.finished for result in results) else 1


def _run(model: str, samples: Sequence[Path], output: Path, overwrite: bool) -> Any:
    from thence.engine import session
    from thence.engine.run_config import Limits, RunConfig
    from thence.generation.sources import sample_source
    from thence.models.base import Sampling
    from thence.models.select import NANO
    from thence.reporting.progress_display import show_progress

    config = RunConfig(
        source=sample_source([str(path) for path in samples]),
        model=model,
        sampling=Sampling(0.0, max_tokens=_TOKENS) if model == NANO else Sampling(),
        limits=Limits(max_connections=8),
        folder=output / "runs" / model.replace("/", "-"),
        overwrite=overwrite,
    )
    prepared = session.prepare(config)
    with show_progress(model) as watch:
        ended = session.execute(prepared, watch)
    return ended.results or session.results(prepared.directory)
