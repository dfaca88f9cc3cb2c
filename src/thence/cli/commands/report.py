"""``thence report``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from thence.cli import options

if TYPE_CHECKING:
    from thence.core.sample import Sample
    from thence.core.table import Table
    from thence.engine.scored_run import ScoredRun
    from thence.report.page import Shown


@click.command("report")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR...")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), required=True, metavar="FILE.html",
    help="The page.",
)  # fmt: skip
@click.option(
    "--figures", "folder", type=click.Path(path_type=Path), metavar="DIR",
    help="Write every figure as SVG and PDF, every table as Markdown, LaTeX and CSV.",
)  # fmt: skip
@click.option("--title", default="Can it follow?", show_default=True, help="The page's heading.")
@options.overwrite
def command(
    paths: tuple[Path, ...], output: Path, folder: Path | None, title: str, overwrite: bool
) -> int:
    """Write one self-contained page about some runs: tables, figures, samples to read."""
    from thence.errors import FileError, UsageError
    from thence.report.exports import write_all

    if output.suffix not in {".html", ".htm"}:
        raise FileError(f"-o {output}: must end in .html")
    if not output.parent.is_dir():
        raise FileError(f"-o {output}: folder {output.parent} does not exist; make it first")
    if output.exists() and not overwrite:
        raise FileError(f"-o {output}: exists; give --overwrite to replace it")
    if len({path.resolve() for path in paths}) < len(paths):
        raise UsageError("a run is named twice; name each once")
    tables, told, unfinished = _written(paths, output, title)
    if folder is not None:
        written = write_all(folder, tables)
        click.echo(f"{len(written)} files: {folder}")
    for line in told:
        click.echo(f"thence: {line}", err=True)
    click.echo(f"page: {output}")
    return 1 if unfinished else 0


def _written(
    paths: Sequence[Path], output: Path, title: str
) -> tuple[Sequence[Table], list[str], bool]:
    """Write the page; return its tables, its warnings, and whether any run is unfinished."""
    from thence.engine.baseline_scores import baselines
    from thence.engine.directory import RunDirectory
    from thence.engine.scored_run import ScoredRun
    from thence.report.page import Contents, write_page
    from thence.report.script import script

    scored = [ScoredRun(RunDirectory(path)) for path in paths]
    runs = [shown(each) for each in scored]
    chance = baselines(_first(scored))
    tables = write_page(output, Contents(title, _lead(runs), runs, chance, script()))
    told = [
        f"{path}: {warning}"
        for path, run in zip(paths, runs, strict=True)
        for warning in run.warnings
    ]
    return tables, told, any(not run.results.finished for run in runs)


def _first(runs: Sequence[ScoredRun]) -> Iterator[Sample]:
    """The first samples of each task over all runs, whole, each once."""
    from thence.engine.baseline_scores import MOST

    seen: set[str] = set()
    counts: Counter[str] = Counter()
    for run in runs:
        for row in run.rows:
            sample = row.sample
            if counts[sample.task] < MOST and sample.id not in seen:
                seen.add(sample.id)
                counts[sample.task] += 1
                yield run.find(row)[0]


def shown(run: ScoredRun) -> Shown:
    """Return a run as the page shows it.

    Raises:
        FileError: it cannot be read.
    """
    from thence.report.page import Shown

    information = run.directory.information()
    held = run.results
    warnings = [*_versions(information)]
    if not run.rows:
        warnings.append("This run holds no responses yet.")
    elif not held.finished:
        left = [f"{held.missing:,} not asked yet"] if held.missing else []
        if held.errors:
            left.insert(0, f"{held.errors:,} provider error{'s' * (held.errors > 1)}")
        warnings.append(
            f"Unfinished: {', '.join(left)}; the figures are of what is there. The same thence "
            "run goes on."
        )
    responses = information.get("responses")
    if not held.finished:
        responses = len(run.rows)  # a run that was killed has not counted them
    return Shown(held, run.rows, run.find, _facts(information, responses), warnings)


def _versions(information: dict[str, object]) -> list[str]:
    """What to say of tasks that have changed since, each kind of change once.

    Of a version ``N-X``, N says which scores compare: where it differs, the run's questions were
    made by other rules than today's, and its scores say nothing beside those of today's version.
    """
    from thence import families

    made = information.get("versions")
    known = families.tasks()
    changed: dict[tuple[str, str], list[str]] = {}
    for name, version in made.items() if isinstance(made, dict) else ():
        if name in known and version != known[name].version:
            changed.setdefault((str(version), known[name].version), []).append(name)
    told = []
    for (before, now), names in changed.items():
        rest = len(names) - 1
        tasks = names[0] + (f" and {rest} other task{'s' * (rest > 1)}" if rest else "")
        if before.partition("-")[0] == now.partition("-")[0]:
            told.append(
                f"Of another version, but its scores still compare: {tasks} ({before} when asked, "
                f"{now} now)."
            )
        else:
            told.append(
                f"Of another version, whose scores do not compare with those of today's: {tasks} "
                f"({before} when asked, {now} now); run it anew to compare."
            )
    return told


def _facts(information: dict[str, object], responses: object) -> dict[str, str]:
    request = information.get("request")
    usage = information.get("usage")
    asked = request if isinstance(request, dict) else {}
    tokens = usage if isinstance(usage, dict) else {}
    facts = {
        "protocol": str(asked.get("protocol", "")),
        "epochs": str(asked.get("epochs", 1)),
        "samples": _number(information.get("samples")),
        "responses": _number(responses),
        "input tokens": _number(tokens.get("input_tokens")),
        "output tokens": _number(tokens.get("output_tokens")),
    }
    cost = information.get("cost_usd")
    if isinstance(cost, int | float) and cost:
        facts["cost"] = f"{cost:.4f} USD"
    return {label: value for label, value in facts.items() if value}


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else ""


def _lead(runs: list[Shown]) -> str:
    """What the page is about, in a sentence."""
    tasks = {row.sample.task for run in runs for row in run.rows}
    asked = {row.sample.id for run in runs for row in run.rows}
    counts = ((runs, "run"), (asked, "question"), (tasks, "task"))
    made, questions, kinds = (f"{len(of):,} {word}{'s' * (len(of) != 1)}" for of, word in counts)
    return (
        f"{made} over {questions} of {kinds}. Every figure has "
        "its 95% interval; the baselines stand beside the models, on the same questions."
    )
