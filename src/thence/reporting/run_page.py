"""Page of results of run directories."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from thence import families
from thence.analysis.error_kinds import accepted_corrections
from thence.core.failures import MISSING, in_words, plural
from thence.core.results import Results
from thence.core.sample import Sample
from thence.core.versions import comparable
from thence.engine.baseline_scores import MOST, baselines
from thence.engine.directory import RunDirectory
from thence.engine.run_information import RunInformation
from thence.engine.scored_run import ScoredRun
from thence.errors import ParameterError
from thence.reporting.exports import write_all
from thence.reporting.page import Contents, ShownRun, run_names, write_page
from thence.reporting.terminal import one_procedure, unmeasured_shortcuts

DEFAULT_TITLE = "Can it follow?"
PUBLIC = " (public)"
_SEEDS = 3  # most seeds that are named


@dataclass(frozen=True)
class WrittenPage:
    """Result of writing a page.

    Attributes:
        warnings: one line for each missing or incomparable part of a run.
        figures: files of figures and tables.
        finished: whether all runs are finished.
    """

    warnings: Sequence[str]
    figures: Sequence[Path]
    finished: bool


def write_run_page(
    paths: Sequence[Path],
    page: Path,
    title: str = DEFAULT_TITLE,
    figures: Path | None = None,
    *,
    overwrite: bool = False,
    corrections: Sequence[Path] = (),
) -> WrittenPage:
    """Write one self-contained page of results.

    Args:
        paths: directories of the runs.
        page: path of the page.
        title: heading of the page.
        figures: folder for every figure and table as files; None for no files.
        overwrite: whether to replace an existing page.
        corrections: sheets of kinds of errors, for a second column of scores.

    Raises:
        ParameterError: the page cannot be written to its path, a run is named twice, or there are
            corrections of one whose epochs are a vote.
        FileError: a directory is no run, or a file no such sheet.
    """
    _check(paths, page, overwrite=overwrite)
    if figures is not None and figures.exists() and not figures.is_dir():
        raise ParameterError("figures", figures, "is a file; name a folder")
    accepted = accepted_corrections(corrections) if corrections else None
    scored = [ScoredRun(RunDirectory(path), accepted) for path in paths]
    runs = [shown(each) for each in scored]
    chance = baselines(first_samples(scored))
    tables = write_page(page, Contents(title, told_runs(runs), runs, chance))
    warnings = [
        f"{path}: {warning}"
        for path, run in zip(paths, runs, strict=True)
        for warning in run.warnings
    ]
    written = [] if figures is None else write_all(figures, tables, run_names(runs))
    return WrittenPage(warnings, written, all(run.results.finished for run in runs))


def _check(paths: Sequence[Path], page: Path, *, overwrite: bool) -> None:
    """Raise an error for a page that cannot be written."""
    if page.suffix not in {".html", ".htm"}:
        raise ParameterError("path", page, "must end in .html")
    if not page.parent.is_dir():
        raise ParameterError("path", page, f"folder {page.parent} does not exist; make it first")
    if page.exists() and not overwrite:
        raise ParameterError("path", page, "exists; overwrite=True replaces it")
    if len({path.resolve() for path in paths}) < len(paths):
        raise ParameterError("runs", None, "a run is named twice; name each once")
    if not paths:
        raise ParameterError("runs", None, "name at least one")


def first_samples(runs: Sequence[ScoredRun]) -> Iterator[Sample]:
    """Yield the first samples of each task over all runs, each once, for the baselines."""
    seen: set[str] = set()
    counts: Counter[str] = Counter()
    for run in runs:
        for row in run.rows:
            sample = row.sample
            if counts[sample.task] < MOST and sample.id not in seen:
                seen.add(sample.id)
                counts[sample.task] += 1
                yield run.find(row)[0]


def shown(run: ScoredRun) -> ShownRun:
    """Return a run as the page shows it.

    Raises:
        FileError: it cannot be read.
    """
    information = run.directory.information()
    results = run.results
    warnings = [*_versions(information.versions)]
    if not run.rows:
        warnings.append("This run holds no responses yet.")
    elif not results.finished:
        left = in_words({"provider_error": results.errors, MISSING: results.missing})
        warnings.append(
            f"Unfinished: {left}; the figures are of what is there. The same thence run goes on."
        )
    if failures := in_words({**results.failures, "provider_error": 0, MISSING: 0}):
        warnings.append(f"Counted as not right, without an answer: {failures}.")
    if results.accepted and results.errors:
        warnings.append(f"Left out as accepted: {in_words({'provider_error': results.errors})}.")
    warnings += [*one_procedure(results), *unmeasured_shortcuts(results)]
    responses = information.responses
    if not results.finished:
        responses = len(run.rows)  # a run that was killed has not counted them
    seeds = {row.sample.metadata.get("seed") for row in run.rows}
    labels = facts(information, responses, seeds - {None})
    return ShownRun(
        results, run.rows, run.find, labels, warnings, run.sent, numbers(information, results)
    )


def numbers(information: RunInformation, held: Results) -> dict[str, float]:
    """Return what a run took: questions asked, USD, output tokens, median seconds a question."""
    frames = held.frames.values()
    found = {"asked": float(sum(len(frame) for frame in frames))}
    if information.cost_usd is not None:
        found["cost"] = float(information.cost_usd)
    if isinstance(tokens := (information.usage or {}).get("output_tokens"), int):
        found["output"] = float(tokens)
    times = [each for frame in frames for each in frame.data["latency"].drop_nulls().to_list()]
    if times and not held.model.startswith("baseline/"):
        found["seconds"] = statistics.median(times)
    return found


def _versions(asked: Mapping[str, str]) -> list[str]:
    """Return a warning for each change of version among the tasks of a run.

    Scores of versions ``N-X`` are comparable if their N is equal: another N means that the run's
    questions were made by other rules.
    """
    known = families.tasks()
    changed: dict[tuple[str, str], list[str]] = {}
    for name, version in asked.items():
        task = known.get(name)
        if task and version not in (task.version, *task.dialects.values()):
            changed.setdefault((version, known[name].version), []).append(name)
    warnings = []
    for (before, now), names in changed.items():
        rest = len(names) - 1
        tasks = names[0] + (f" and {rest} other task{'s' * (rest > 1)}" if rest else "")
        if comparable(before, now):
            warnings.append(
                f"Of another version, but its scores still compare: {tasks} ({before} when asked, "
                f"{now} now)."
            )
        else:
            warnings.append(
                f"Of another version, whose scores do not compare with those of today's: {tasks} "
                f"({before} when asked, {now} now); run it anew to compare."
            )
    return warnings


def facts(information: RunInformation, responses: int | None, seeds: set[object]) -> dict[str, str]:
    """Return the facts of a run by label, in words; those that are not known are left out.

    Args:
        information: of its ``run.json``.
        responses: their number.
        seeds: of its questions; the one that all use by default is marked.
    """
    asked, tokens = information.request, information.usage or {}
    found = {
        "protocol": asked.protocol,
        "epochs": str(asked.epochs),
        "samples": _number(information.samples),
        "responses": _number(responses),
        "input tokens": _number(tokens.get("input_tokens")),
        "output tokens": _number(tokens.get("output_tokens")),
    }
    if information.cost_usd is not None:
        found["cost"] = f"{information.cost_usd:.4f} USD"
    elif not asked.model.startswith(("baseline/", "human/")):
        found["cost"] = "unknown"
    words = [f"{seed}{PUBLIC * (str(seed) == '0')}" for seed in sorted(seeds, key=str)]
    found["seed"] = ", ".join(
        [*words[:_SEEDS], *[f"{len(words) - _SEEDS} more"] * (len(words) > _SEEDS)]
    )
    return {label: value for label, value in found.items() if value}


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else ""


def told_runs(runs: Sequence[ShownRun]) -> str:
    """Return the paragraph below the page's heading."""
    tasks = {row.sample.task for run in runs for row in run.rows}
    asked = {row.sample.id for run in runs for row in run.rows}
    counts = ((runs, "run"), (asked, "question"), (tasks, "task"))
    made, questions, kinds = (plural(len(of), word) for of, word in counts)
    return (
        f"{made} over {questions} of {kinds}. Intervals are "
        "at 95%; the baselines stand beside the models, on the same questions."
    )
