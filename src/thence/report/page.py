"""A page of results: one file, no network, every text of a model escaped."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from thence import __version__, families
from thence.comparison import compare, conclusions
from thence.errors import UsageError
from thence.kernel.digest import compact_json
from thence.kernel.disk import replacing
from thence.kernel.score import Outcome
from thence.kernel.statistics import Estimate
from thence.kernel.table import Chart, Entry, Table
from thence.report import figures
from thence.report.comparison import comparison_tables
from thence.report.exports import text as entry_text
from thence.report.reading import Reading, Reply, reading
from thence.report.terminal import paper_tables
from thence.scoring import Response, Results, Scored
from thence.summary import Overview, Summary, overview, shown_metrics

_ORDER = ("correct", "wrong", "no_answer", "truncated", "refused", "provider_error")
_LONG = 40  # rows of a table that are open from the beginning
_COMPARED = 4  # runs of which every pair is compared


@dataclass
class Shown:
    """A run as the page shows it.

    Attributes:
        results: its scores.
        find: fetches what came back for a score; for the reading view.
        facts: what is known of the run, by label, such as its tokens and cost.
        warnings: what is missing or not comparable.
    """

    results: Results
    find: Callable[[Scored], Response | None] = lambda _: None
    facts: Mapping[str, str] = field(default_factory=dict)
    warnings: Sequence[str] = ()


@dataclass(frozen=True)
class Contents:
    """What a page is made of.

    Attributes:
        title: the heading.
        lead: a sentence on what was run.
        runs: the runs, the main one first.
        baselines: scores of the baselines on the same samples.
        script: draws the figures; empty where the extra is missing.
    """

    title: str
    lead: str
    runs: Sequence[Shown]
    baselines: Sequence[Results] = ()
    script: str = ""


def write_page(path: Path, contents: Contents) -> list[Table]:
    """Writes a page, replaced only once it is whole; returns the tables that stand in it."""
    environment = Environment(
        loader=PackageLoader("thence.report", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(figure=_figure, bar=_bar, mix=_mix, entry=_entry, spec=_spec)
    names = _names([each.results for each in contents.runs])
    views = [overview(each.results) for each in contents.runs]
    beside = [
        (held.model, overview(held)) for held in contents.baselines if held.model not in names
    ]
    scored = [each.results for each in contents.runs if each.results.rows]
    every = [*zip(names, views, strict=True), *beside]
    tables = [_by_task(name, every) for name in _found(views)]
    tables += paper_tables(scored) if scored else []
    view = _reading(contents.runs, names)
    written = environment.get_template("page.jinja").render(
        title=contents.title,
        lead=contents.lead,
        style=_resource("page.css"),
        code=_resource("page.js"),
        script=Markup(contents.script.replace("</script", "<\\/script")),
        runs=list(zip(names, contents.runs, strict=True)),
        labels=list(dict.fromkeys(label for each in contents.runs for label in each.facts)),
        families=[
            _family(name, list(zip(names, views, strict=True)), beside) for name in _found(views)
        ],
        tables=tables,
        long=_LONG,
        comparisons=_comparisons(contents.runs),
        outcomes=_ORDER,
        reading=view,
        packed=view.packed() if view.replies else "",
        footer=f"thence {__version__}. Intervals: 95%, Wilson's or a cluster bootstrap's.",
    )
    with replacing(path) as part:
        part.write_text(written, encoding="utf-8", errors="replace")
    return tables


def _by_task(family: str, views: Sequence[tuple[str, Overview]]) -> Table:
    rows: list[tuple[Entry, ...]] = [
        (model, name.partition("/")[2], each.accuracy)
        for model, view in views
        for name, each in view.tasks.items()
        if name.startswith(f"{family}/") and each.n
    ]
    title = f"{families.families()[family].title}: accuracy by task"
    chart = Chart("dot", "task", "accuracy", "model", y_title="accuracy (share of n)")
    return Table(f"{family}-accuracy", title, ("model", "task", "accuracy"), rows, "", chart)


def _resource(name: str) -> Markup:
    return Markup(files("thence.report").joinpath(name).read_text(encoding="utf-8"))


def _names(found: Sequence[Results]) -> list[str]:
    """The models; with their sources where two runs are of one model."""
    models = [held.model or "replies" for held in found]
    return [
        model if models.count(model) == 1 else f"{model} ({held.source})"
        for model, held in zip(models, found, strict=True)
    ]


def _found(views: Sequence[Overview]) -> list[str]:
    return list(dict.fromkeys(name for view in views for name in view.families))


def _family(
    name: str, views: Sequence[tuple[str, Overview]], beside: Sequence[tuple[str, Overview]]
) -> dict[str, Any]:
    """One family: models and baselines side by side, then the breakdowns of each model."""
    family = families.families()[name]
    rows = [(model, view.families[name], False) for model, view in views if name in view.families]
    rows += [(model, view.families[name], True) for model, view in beside if name in view.families]
    chance = next((each for model, each, _ in rows if model == "baseline/random"), None)
    held = [each for _, each, _ in rows]
    return {
        "name": name,
        "title": family.title,
        "paper": family.paper,
        "metrics": shown_metrics(held),
        "rows": [
            {
                "model": model,
                "summary": each,
                "baseline": baseline,
                "at_chance": not baseline and _at_chance(each, chance),
            }
            for model, each, baseline in rows
        ],
        "details": [
            {"model": model, "rows": _details(name, view), "metrics": shown_metrics(held)}
            for model, view in views
            if name in view.families
        ],
    }


def _at_chance(summary: Summary, chance: Summary | None) -> bool:
    """Whether the interval of a model's accuracy reaches down to that of the random baseline."""
    if chance is None or not summary.n or not chance.n:
        return False
    high = chance.accuracy.high
    return summary.accuracy.low <= (chance.accuracy.value if math.isnan(high) else high)


def _details(family: str, view: Overview) -> list[tuple[str, Summary, bool]]:
    rows = [
        (name, each, False) for name, each in view.tasks.items() if name.startswith(f"{family}/")
    ]
    whole = view.families[family]
    for dimension, groups in whole.by.items():
        if len(groups) > 1:
            rows += [(f"{dimension} {group}", each, False) for group, each in groups.items()]
    rows += [(f"turn {place}", each, False) for place, each in enumerate(whole.turns, 1)]
    return [*rows, ("overall", whole, True)]


def _comparisons(runs: Sequence[Shown]) -> list[dict[str, Any]]:
    """Every pair of the first few runs: figures and words."""
    made = []
    for first, second in combinations(runs[:_COMPARED], 2):
        try:
            found = compare(first.results, second.results)
        except UsageError:
            continue  # they share no question
        made.append(
            {
                "title": f"{found.second} against {found.first}",
                "words": [*conclusions(found), *found.notes],
                "tables": comparison_tables(found, everything=False),
            }
        )
    return made


def _reading(runs: Sequence[Shown], names: Sequence[str]) -> Reading:
    replies = (
        Reply(place, row, partial(shown.find, row))
        for place, shown in enumerate(runs)
        for row in shown.results.rows
    )
    return reading(names, replies)


def _spec(table: Table) -> Markup:
    """A figure's specification as JSON that cannot end the script it stands in."""
    text = compact_json(figures.specification(table))
    return Markup(text.replace("<", "\\u003c"))


def _entry(value: Entry) -> Markup:
    return _figure(value) if isinstance(value, Estimate) else Markup("{}").format(entry_text(value))


def _figure(estimate: Estimate) -> Markup:
    if math.isnan(estimate.value):
        return Markup("&ndash;")
    if math.isnan(estimate.low):
        return Markup("{:.3f}").format(estimate.value)
    text = '{:.3f} <span class="ci">[{:.2f}, {:.2f}]</span>'
    return Markup(text).format(estimate.value, estimate.low, estimate.high)


def _bar(estimate: Estimate) -> Markup:
    """A share from 0 to 1 as a bar with its interval."""
    if math.isnan(estimate.low):
        return Markup("")
    value, low, high = (
        100 * max(0.0, min(1.0, x)) for x in (estimate.value, estimate.low, estimate.high)
    )
    return Markup(
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="{:.3f}">'
        '<rect width="100" height="10" fill="var(--band)"/>'
        '<rect width="{:.2f}" height="10" fill="var(--bar)"/>'
        '<rect x="{:.2f}" y="3.5" width="{:.2f}" height="3" fill="var(--range)"/></svg>'
    ).format(estimate.value, value, low, max(0.6, high - low))


def _mix(outcomes: Mapping[str, int]) -> Markup:
    """The outcomes as parts of one bar."""
    total = sum(outcomes.values()) or 1
    parts = [(name, outcomes.get(Outcome(name), 0)) for name in _ORDER]
    spans = Markup("").join(
        Markup('<span style="width:{:.2f}%;background:var(--{})" title="{}: {}"></span>').format(
            100 * count / total, name, name.replace("_", " "), count
        )
        for name, count in parts
        if count
    )
    label = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in parts if count)
    return Markup('<div class="mix" role="img" aria-label="{}">{}</div>').format(label, spans)
