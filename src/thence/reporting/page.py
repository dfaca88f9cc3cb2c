"""Page of results: one HTML file that loads nothing and escapes every text of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import isnan, nan
from pathlib import Path
from typing import Any

from thence import families
from thence.analysis.planning import Resolution, measured
from thence.analysis.standings import measures
from thence.analysis.summary import Overview, overview, shown_metrics
from thence.core.power import Assumptions
from thence.core.results import Results
from thence.core.sample import Sample
from thence.core.statistics import Estimate
from thence.core.table import Chart, Entry, Table
from thence.engine.baseline_scores import MOST
from thence.errors import UsageError
from thence.reporting import failure_counts, markup
from thence.reporting.cell_text import counts
from thence.reporting.exhibit import Section, Shown
from thence.reporting.page_abilities import abilities
from thence.reporting.page_answer import answer
from thence.reporting.page_comparisons import COMPARED, comparisons
from thence.reporting.page_failures import ORDER, failures
from thence.reporting.page_limits import limits
from thence.reporting.page_pairs import costs, pairs
from thence.reporting.palette import CHANCE, Styles
from thence.reporting.sample_view import ScoredReply, Sent, pack_replies, prompt_alone
from thence.reporting.terminal import paper_tables
from thence.scoring.judge import Response, Scored
from thence.system.version import VERSION

_DIFFERENCE = 0.03  # of accuracies


@dataclass
class ShownRun:
    """Run with its scores and facts, as the page shows it.

    Attributes:
        results: scores in columns.
        rows: scores one by one, for the view of single samples.
        find: returns the whole sample and the response of a score, for the view of single samples.
        facts: facts of the run by label, such as its tokens and cost.
        warnings: sentences on missing or incomparable parts.
        sent: returns the messages that were sent for a score, as `ScoredReply` has it.
        numbers: ``asked`` questions, ``cost`` in USD, ``output`` tokens, ``seconds`` a question,
            where known.
    """

    results: Results
    rows: Sequence[Scored] = ()
    find: Callable[[Scored], tuple[Sample, Response | None]] = lambda row: (row.sample, None)
    facts: Mapping[str, str] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    sent: Sent = prompt_alone
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Contents:
    """Contents of a page.

    Attributes:
        title: the heading.
        lead: the paragraph below the heading.
        runs: the runs, the main one first.
        baselines: scores of the baselines on the same samples.
        home: address of the site that the page is part of; empty for a page by itself.
    """

    title: str
    lead: str
    runs: Sequence[ShownRun]
    baselines: Sequence[Results] = ()
    home: str = ""


def write_page(path: Path, contents: Contents) -> list[Table]:
    """Write a page, which replaces an older one once it is complete; return its tables."""
    names = run_names(contents.runs)
    runs = [
        each
        if each.results.model == name  # its summaries may be known
        else replace(each, results=replace(each.results, model=name))
        for name, each in zip(names, contents.runs, strict=True)
    ]
    results = [each.results for each in runs]
    views = [overview(each) for each in results]
    beside = [
        (baseline.model, overview(baseline, groups=False))
        for baseline in contents.baselines
        if baseline.model not in names
    ]
    every = [*zip(names, views, strict=True), *beside]
    shown = Shown(
        names, results, views,
        [failure_counts.of_rows(each.rows, each.results.turns) for each in runs],
        measures(results, views), Styles(names), [each.numbers for each in runs],
    )  # fmt: skip
    papers = published(shown, every)
    head = answer(shown, beside)
    replies = (
        ScoredReply(place, row, run.find, run.sent)
        for place, run in enumerate(runs)
        for row in run.rows
    )
    markup.write(
        path,
        shown.styles,
        title=contents.title,
        lead=contents.lead,
        home=contents.home,
        names=names,
        runs=list(zip(names, runs, strict=True)),
        warnings=whose(names, [run.warnings for run in runs]),
        notes=whose(names, [run.results.notes for run in runs]),
        labels=list(dict.fromkeys(label for each in runs for label in each.facts)),
        answer=head,
        sections=sections(shown) if shown.measures else [],
        families=breakdowns(shown, every),
        most=MOST if beside else 0,
        papers=papers,
        comparisons=comparisons(results),
        outcomes=ORDER,
        packed=pack_replies(names, replies),
        version=VERSION,
    )
    return [_answer_table(shown), *papers] if shown.measures else papers


def whose(names: Sequence[str], said: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the runs, in words, that each sentence is about."""
    found: dict[str, list[str]] = {}
    for name, sentences in zip(names, said, strict=True):
        for sentence in dict.fromkeys(sentences):
            found.setdefault(sentence, []).append(name)
    every = "all runs" if len(names) > 1 else ""
    return {
        sentence: every if len(held) == len(names) and every else ", ".join(held)
        for sentence, held in found.items()
    }


def _families(views: Sequence[Overview]) -> list[str]:
    return list(dict.fromkeys(name for view in views for name in view.families))


def sections(shown: Shown) -> list[Section]:
    """Return the sections with figures."""
    made = [limits(shown), abilities(shown), failures(shown), pairs(shown), costs(shown)]
    return [each for each in made if each is not None and each.exhibits]


def published(shown: Shown, every: Sequence[tuple[str, Overview]]) -> list[Table]:
    """Return the tables of the accuracy by task, then those of the papers.

    Args:
        shown: the runs.
        every: the summaries of runs and baselines by name.
    """
    by_task = [_by_task(name, every) for name in _families(shown.views)]
    scored = [held for held in shown.results if held.frames]
    papers = paper_tables(scored) if scored else []
    return [*by_task, *(_counted(each, every) for each in papers)]


def _answer_table(shown: Shown) -> Table:
    """Return the matrix of the page, a row a run."""
    rows: list[Sequence[Entry]] = [
        (
            name,
            *(held.accuracy if (held := each.summaries[run]) else None for each in shown.measures),
        )
        for run, name in enumerate(shown.names)
    ]
    columns = ("model", *(each.title for each in shown.measures))
    return Table("answer", "Accuracy by family", columns, rows)


def _counted(table: Table, views: Sequence[tuple[str, Overview]]) -> Table:
    """Return a table with the n of its family, where its rows do not contain n."""
    if counts(table):
        return table
    shown = {str(entry) for row in table.rows for entry in row if isinstance(entry, str)}
    sizes = [
        each.n
        for model, view in views
        for name, each in view.families.items()
        if model in shown and table.name.startswith(f"{name}-")
    ]
    if not sizes:
        return table
    least, most = min(sizes), max(sizes)
    n = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    return replace(table, counted=f"n = {n} answers a model")


def _by_task(family: str, views: Sequence[tuple[str, Overview]]) -> Table:
    held = [
        (model, name.partition("/")[2], each)
        for model, view in views
        for name, each in view.tasks.items()
        if name.startswith(f"{family}/") and each.n
    ]
    rows: list[tuple[Entry, ...]] = [(model, task, each.accuracy) for model, task, each in held]
    chances = {task: Estimate(each.chance, nan, nan, each.n) for _, task, each in reversed(held)}
    rows += [(CHANCE, task, each) for task, each in reversed(chances.items()) if each.value >= 0]
    title = f"{families.families()[family].title}: accuracy by task"
    chart = Chart("dot", "task", "accuracy", "model", y_title="accuracy (share of n)")
    return Table(f"{family}-accuracy", title, ("model", "task", "accuracy"), rows, "", chart)


def run_names(runs: Sequence[ShownRun]) -> list[str]:
    """Return the runs' names: the model, with the protocol or folder where models repeat.

    The folders of a local model file are left out.
    """
    models = [_short(each.results.model or "replies") for each in runs]
    protocols = [each.facts.get("protocol", "") for each in runs]
    named = []
    for model, protocol, each in zip(models, protocols, runs, strict=True):
        same = [place for place, other in enumerate(models) if other == model]
        if len(same) == 1:
            named.append(model)
            continue
        if len({protocols[place] for place in same}) == len(same):
            named.append(f"{model} ({protocol})")
            continue
        folders = {Path(runs[place].results.source).name for place in same}
        source = each.results.source
        named.append(f"{model} ({Path(source).name if len(folders) == len(same) else source})")
    return named


def _short(model: str) -> str:
    provider, slash, name = model.partition("/")
    return f"gguf/{Path(name).name}" if provider == "gguf" and slash else model


def breakdowns(shown: Shown, every: Sequence[tuple[str, Overview]]) -> list[dict[str, Any]]:
    """Return each family with a row a model or baseline, and each model's tasks and groups."""
    differences, found = _shown(shown.results), []
    for name in _families(shown.views):
        family = families.families()[name]
        rows = [(model, view.families[name]) for model, view in every if name in view.families]
        details = [
            {"model": model, "rows": (held := _details(name, view)),
             "metrics": shown_metrics(each for _, each, *_ in held)}
            for model, view in every[: len(shown.names)]
            if name in view.families
        ]  # fmt: skip
        found.append(
            {
                "name": name,
                "title": family.title,
                "paper": family.paper,
                "by_chance": family.chance,
                "metrics": shown_metrics([each for _, each in rows]),
                "rows": [(model, each, model.startswith("baseline/")) for model, each in rows],
                "details": details,
                "shown": differences.get(name, ""),
            }
        )
    return found


def _shown(found: Sequence[Results]) -> dict[str, str]:
    """Return by family a clause on the differences of two models that the questions show."""
    models = [held for held in found if held.frames and not held.model.startswith("baseline/")]
    runs = (models or [held for held in found if held.frames])[:COMPARED]
    rows: Sequence[Resolution] = ()
    for several in (runs, runs[:1]):
        with suppress(UsageError):  # they share no question, or have no reply that counts
            rows = rows or (measured(several, Assumptions(), _DIFFERENCE, groups=False).rows)
    told: dict[str, list[str]] = {}
    for row in rows:
        family, _, task = row.name.partition("/")
        least = "none" if isnan(row.detectable) else f"from {100 * row.detectable:.1f} points on"
        words = told.setdefault(family, [])
        if not words or task == "" or not families.families()[family].averaged:
            words.append(f"{task.replace('_', ' ')}: {least}" if task and len(rows) > 1 else least)
    return {family: "; ".join(words) for family, words in told.items()}


def _details(family: str, view: Overview) -> list[tuple[str, Any, bool]]:
    """Return the rows of a model's breakdowns: name, summary, whether it is the total."""
    rows = [
        (name, each, False) for name, each in view.tasks.items() if name.startswith(f"{family}/")
    ]
    whole = view.families[family]
    for dimension, groups in whole.by.items():
        if len(groups) > 1:
            rows += [(f"{dimension} {group}", each, False) for group, each in groups.items()]
    rows += [(f"turn {place}", each, False) for place, each in enumerate(whole.turns, 1)]
    return [*rows, ("overall", whole, True)]
