"""Static site of runs: an index of models, a page a model, a page a task, and the data as Parquet.

Every page loads nothing, so that the site opens from a folder as well as from a server.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thence import families
from thence.analysis.error_kinds import accepted_corrections
from thence.analysis.shortcut_marks import SHORTCUT
from thence.analysis.standings import measures
from thence.analysis.summary import Overview, Summary, overview
from thence.core.failures import UNREADABLE
from thence.core.results import CORRECTED, Results, together
from thence.core.score import Outcome
from thence.core.statistics import EMPTY
from thence.core.table import Entry, Table
from thence.engine.baseline_scores import baselines
from thence.engine.directory import RUN, RunDirectory
from thence.engine.scored_run import ScoredRun
from thence.engine.submission import RULES
from thence.errors import ParameterError
from thence.reporting import failure_counts, markup
from thence.reporting.exhibit import Exhibit, Section, Shown
from thence.reporting.page import Contents, ShownRun, run_names, whose, write_page
from thence.reporting.page_abilities import abilities
from thence.reporting.page_answer import FirstScreen, answer
from thence.reporting.page_failures import ORDER, failures
from thence.reporting.page_limits import limits
from thence.reporting.page_pairs import pairs
from thence.reporting.palette import Styles
from thence.reporting.run_page import first_samples, shown, told_runs
from thence.system.disk import disk, replacing
from thence.system.version import VERSION

if TYPE_CHECKING:
    import polars

INDEX = "index.html"
_FOLDERS = ("models", "tasks", "data")
_SCRIPTS = ("page.js", "site.js")
_WIDE = 8  # groups beyond which a table is folded
_UNSAFE = re.compile(r"[^\w.]+")


@dataclass(frozen=True)
class WrittenSite:
    """Result of writing a site.

    Attributes:
        index: the page to open.
        pages: number of pages.
        warnings: one line for each missing or incomparable part of a run.
        finished: whether all runs are finished.
    """

    index: Path
    pages: int
    warnings: Sequence[str]
    finished: bool


class _Site:
    """The runs of a site, summed up once."""

    def __init__(self, paths: Sequence[Path], corrections: Sequence[Path]) -> None:
        accepted = accepted_corrections(corrections) if corrections else None
        self.scored = [ScoredRun(RunDirectory(path), accepted) for path in paths]
        runs = [shown(each) for each in self.scored]
        self.names = run_names(runs)
        self.runs = [
            replace(each, results=replace(each.results, model=name))
            for name, each in zip(self.names, runs, strict=True)
        ]
        self.beside = baselines(first_samples(self.scored))
        self.styles = Styles(self.names)
        self._failure_counts = [
            failure_counts.of_rows(each.rows, each.results.turns) for each in self.runs
        ]
        files = _files(self.names)
        self.models = {name: f"models/{file}" for name, file in zip(self.names, files, strict=True)}
        asked = {task for run in self.runs for task in run.results.frames}
        tasks = families.in_order(asked)
        self.tasks = dict(zip(tasks, (f"tasks/{file}" for file in _files(tasks)), strict=True))

    def shown(self, task: str | None = None) -> tuple[Shown, FirstScreen]:
        """Return the runs as sections see them, all of them or one task alone."""
        found = [_only(run.results, task) for run in self.runs]
        views = [_view(run.results, task) for run in self.runs]
        counted = [
            {name: each for name, each in held.items() if task in (None, name)}
            for held in self._failure_counts
        ]
        ranked = measures(found, views)
        if task is not None:
            ranked = [replace(each, name=task, title=_words(task)) for each in ranked]
        numbers = [run.numbers if task is None else {} for run in self.runs]
        made = Shown(self.names, found, views, counted, ranked, self.styles, numbers)
        beside = [
            (held.model, _view(held, task, groups=False))
            for held in self.beside
            if held.model not in self.names
        ]
        head = answer(made, beside)
        lines = [line for line in head.lines if any(cell.summary for cell in line.cells)]
        return made, replace(head, lines=lines)


def write_site(
    paths: Sequence[Path],
    folder: Path,
    title: str,
    *,
    overwrite: bool = False,
    corrections: Sequence[Path] = (),
) -> WrittenSite:
    """Write a static site of runs.

    Args:
        paths: directories of the runs.
        folder: of the site; it is made.
        title: heading of the index.
        overwrite: whether to replace a site that is there.
        corrections: sheets of kinds of errors, for a second column of scores.

    Raises:
        ParameterError: the folder is a file or holds something else, a run is named twice, or
            there are corrections of one whose epochs are a vote.
        FileError: a directory is no run, or a file no such sheet.
    """
    _check(paths, folder, overwrite=overwrite)
    site = _Site(paths, corrections)
    with disk(folder):
        for name in _FOLDERS:
            shutil.rmtree(folder / name, ignore_errors=True)
            (folder / name).mkdir(parents=True)
    _write_data(site, folder / "data")
    for run, place in zip(site.runs, site.models.values(), strict=True):
        held = Contents(run.results.model, told_runs([run]), [run], site.beside, f"../{INDEX}")
        write_page(folder / place, held)
    for task, place in site.tasks.items():
        _write_task(site, task, folder / place)
    _write_index(site, folder / INDEX, title)
    warnings = [
        f"{path}: {warning}"
        for path, run in zip(paths, site.runs, strict=True)
        for warning in run.warnings
    ]
    pages = 1 + len(site.models) + len(site.tasks)
    finished = all(run.results.finished for run in site.runs)
    return WrittenSite(folder / INDEX, pages, warnings, finished)


def _check(paths: Sequence[Path], folder: Path, *, overwrite: bool) -> None:
    """Raise an error for a site that cannot be written."""
    if not paths:
        raise ParameterError("runs", None, "name at least one")
    if len({path.resolve() for path in paths}) < len(paths):
        raise ParameterError("runs", None, "a run is named twice; name each once")
    if folder.exists() and not folder.is_dir():
        raise ParameterError("site", folder, "is a file; name a folder")
    if (folder / RUN).is_file():
        raise ParameterError("site", folder, "is a run; name another folder")
    strange = {each.name for each in folder.iterdir()} if folder.is_dir() else set()
    if strange and not overwrite:
        raise ParameterError("site", folder, "is not empty; overwrite=True replaces a site")
    if left := sorted(strange - {INDEX, *_FOLDERS}):
        raise ParameterError("site", folder, f"holds {left[0]}, which is no part of a site")


def _write_index(site: _Site, path: Path, title: str) -> None:
    made, head = site.shown()
    able = abilities(made)
    by_task = [each for each in able.exhibits if each.name.startswith("tasks-")]
    able = replace(able, exhibits=by_task)  # the others are about one run each, which has a page
    sections = [able, *filter(None, [pairs(made)])] if made.measures else []
    of_family: dict[str, list[tuple[str, str]]] = {}
    for task, place in site.tasks.items():
        name = families.families()[families.task(task).family].title
        of_family.setdefault(name, []).append((_words(task), place))
    _write(
        site, path, head, sections, title=title, lead=told_runs(site.runs), home="",
        links=site.models, of_family=of_family, rules=RULES, asked=_asked(site),
        warnings=whose(site.names, [run.warnings for run in site.runs]),
        notes=whose(site.names, [run.results.notes for run in site.runs]),
    )  # fmt: skip


def _write_task(site: _Site, task: str, path: Path) -> None:
    made, head = site.shown(task)
    held = [limits(made), failures(made), pairs(made), _groups(made, task)]
    sections = [each for each in held if each is not None and each.exhibits]
    links = {name: f"../{place}" for name, place in site.models.items()}
    of = families.families()[families.task(task).family]
    _write(
        site, path, head, sections if made.measures else [], title=f"{of.title}: {_words(task)}",
        lead=f"{task}: {families.task(task).summary}.", home=f"../{INDEX}", links=links,
        of_family={}, rules=(), asked=None, warnings={}, notes={},
    )  # fmt: skip


def _write(
    site: _Site, path: Path, head: FirstScreen, sections: Iterable[Section], **values: Any
) -> None:
    written, _ = markup.rendered(
        "site.jinja",
        site.styles,
        _SCRIPTS,
        names=site.names,
        answer=head,
        sections=list(sections),
        families=(),
        comparisons={"pairs": ()},
        outcomes=ORDER,
        version=VERSION,
        **values,
    )
    with replacing(path) as part:
        part.write_text(written, encoding="utf-8", errors="replace")


def _groups(made: Shown, task: str) -> Section:
    """Return the section with the accuracy by the groups of a task."""
    exhibits = []
    held = [(name, view.tasks.get(task)) for name, view in zip(made.names, made.views, strict=True)]
    for dimension in dict.fromkeys(name for _, each in held if each for name in each.by):
        groups = dict.fromkeys(
            name for _, each in held if each for name in each.by.get(dimension, ())
        )
        rows: list[Sequence[Entry]] = [
            (name, *(_accuracy(each.by.get(dimension, {}).get(group)) for group in groups))
            for name, each in held
            if each
        ]
        if len(groups) > 1:
            table = Table(f"by-{dimension}", f"Accuracy by {dimension}", ("model", *groups), rows)
            exhibits.append(
                Exhibit(
                    table.name, table.title, "95% intervals in small print.", table=table,
                    shaded=True, folded=len(groups) > _WIDE,
                )
            )  # fmt: skip
    return Section("groups", "By group", "Accuracy on one scale from 0 to 1.", exhibits)


def _accuracy(each: Summary | None) -> Entry:
    return each.accuracy if each and each.n else None


def _asked(site: _Site) -> Mapping[str, Table]:
    """Return the tables of how runs were asked, and of the versions of the tasks."""
    told = [each.directory.information() for each in site.scored]
    labels = list(dict.fromkeys(label for run in site.runs for label in run.facts))
    rows = [
        (name, *(run.facts.get(label, "") for label in labels), held.thence)
        for name, run, held in zip(site.names, site.runs, told, strict=True)
    ]
    runs = Table("runs", "Runs", ("run", *labels, "thence"), rows)
    versions = [
        (task, ", ".join(sorted({held.versions[task] for held in told
                                 if task in held.versions})))
        for task in site.tasks
    ]  # fmt: skip
    return {"runs": runs, "versions": Table("versions", "Versions", ("task", "N-X"), versions)}


def _write_data(site: _Site, folder: Path) -> None:
    """Write all scored responses, and all figures with their intervals."""
    import polars

    tables: dict[str, polars.DataFrame] = {
        "answers": together([run.results for run in site.runs]),
        "figures": polars.DataFrame(
            [row for run in site.runs for row in _figures(run)], infer_schema_length=None
        ),
    }
    for name, table in tables.items():
        with replacing(folder / f"{name}.parquet") as part, disk(folder):
            table.write_parquet(part)


def _figures(run: ShownRun) -> Iterator[dict[str, Any]]:
    """Yield a row for each family, task and group of a run."""
    view: Overview = overview(run.results)
    for level, held in (("family", view.families), ("task", view.tasks)):
        for name, each in held.items():
            yield _figure(run, level, name, "", "", each)
            for dimension, groups in each.by.items() if level == "task" else ():
                for group, part in groups.items():
                    yield _figure(run, "group", name, dimension, group, part)


def _figure(
    run: ShownRun, level: str, name: str, dimension: str, group: str, each: Summary
) -> dict[str, Any]:
    low, high = each.accuracy.interval() or (None, None)
    known = each.accuracy.n > 0
    second = {CORRECTED: each.metrics[CORRECTED].value} if CORRECTED in each.metrics else {}
    return {
        "model": run.results.model, "level": level, "name": name, "dimension": dimension,
        "group": group, "n": each.n, "correct": each.correct,
        "accuracy": each.accuracy.value if known else None, "low": low, "high": high, **second,
        "chance": each.chance, "best_shortcut": each.metrics.get(SHORTCUT, EMPTY).value,
        **each.outcomes,
    }  # fmt: skip


def _only(held: Results, task: str | None) -> Results:
    """Return the results of one task; all of them for None."""
    if task is None:
        return held
    frames = {name: each for name, each in held.frames.items() if name == task}
    replies = Counter[str]()
    for each in frames.values():
        for outcome, times in each.outcomes().items():
            unread = outcome == Outcome.NO_ANSWER
            replies[UNREADABLE if unread else str(outcome)] += times
    return replace(held, frames=frames, replies=replies, missing=0)


def _view(held: Results, task: str | None, *, groups: bool = True) -> Overview:
    """Return the summaries of one task, which was summed up with the others before."""
    whole = overview(held, groups=groups)
    if task is None:
        return whole
    tasks = {name: each for name, each in whole.tasks.items() if name == task}
    of_family = {families.task(name).family: each for name, each in tasks.items()}
    return replace(whole, tasks=tasks, families=of_family)


def _words(task: str) -> str:
    return task.partition("/")[2].replace("_", " ").replace("/", ", ")


def _files(names: Iterable[str]) -> list[str]:
    """Return a file for each name, all of them different also where case is not told apart."""
    found: dict[str, str] = {}
    for name in names:
        slug = _UNSAFE.sub("-", name).strip("-.")[:80] or "page"
        several = chain([slug], (f"{slug}-{number}" for number in count(2)))
        free = next(each for each in several if each.casefold() not in found)
        found[free.casefold()] = f"{free}.html"
    return list(found.values())
