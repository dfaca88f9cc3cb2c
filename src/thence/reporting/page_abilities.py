"""Section of the page on what models can do: accuracy by task, and by analysis and domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import nan

from markupsafe import Markup

from thence import families
from thence.core.statistics import Estimate, finite
from thence.core.table import Entry, Table
from thence.reporting import svg
from thence.reporting.chart_frame import Box
from thence.reporting.exhibit import Exhibit, Section, Shown
from thence.reporting.palette import FEW, shade

_DOMAINS = ("plans", "routes", "recipes", "runbooks")
_WIDE, _HIGH = 50.0, 21.0  # of a cell
_BOLD = 15.0  # pixels of plain letters as wide as the bold ones of a heading


def abilities(shown: Shown) -> Section:
    """Return the section."""
    names = list(dict.fromkeys(name for view in shown.views for name in view.families))
    exhibits = [_by_task(shown, name) for name in names]
    if "fable" in names:
        exhibits += _by_analysis(shown)
    lead = "Accuracy by task, on one scale from 0 to 1. Dashed frames: fewer than 10 answers."
    return Section("tasks", "What it can do", lead, exhibits)


def _by_task(shown: Shown, family: str) -> Exhibit:
    """Return a family's tasks by run."""
    tasks = dict.fromkeys(
        task for view in shown.views for task in view.tasks if task.startswith(f"{family}/")
    )
    rows: list[Sequence[Entry]] = []
    for task in tasks:
        held = [view.tasks.get(task) for view in shown.views]
        chance = next((each.chance for each in held if each), nan)
        cells = [each.accuracy if each and each.n else None for each in held]
        rows.append((task.partition("/")[2], finite(chance), *cells))
    head = ("task", "chance")[: 1 + any(row[1] is not None for row in rows)]
    rows = [(row[0], *row[1 : len(head)], *row[2:]) for row in rows]
    title = families.families()[family].title
    sizes = [each.n for view in shown.views for name, each in view.tasks.items() if name in tasks]
    counted = ""
    if sizes:
        least, most = min(sizes), max(sizes)
        counted = f"n = {most:,}" if least == most else f"n from {least:,} to {most:,}"
    table = Table(f"tasks-{family}", f"{title}: accuracy by task", (*head, *shown.names), rows)
    return Exhibit(
        f"tasks-{family}", f"{title}: {_extremes(rows)}",
        f"{counted} answers a cell; 95% intervals in small print.",
        table=table, shaded=True, folded=False,
    )  # fmt: skip


def _extremes(rows: Sequence[Sequence[Entry]]) -> str:
    """Return which task is hardest and which easiest, by the mean over runs."""
    means, runs = [], 0
    for name, *cells in rows:
        known = [each.value for each in cells if isinstance(each, Estimate)]
        if known:
            means.append((sum(known) / len(known), str(name)))
            runs = max(runs, len(known))
    if not means:
        return "accuracy by task"
    (low, hard), (high, easy) = min(means), max(means)
    if len(means) == 1 or hard == easy:
        return f"mean accuracy {high:.2f}"
    mean = ", by the mean of the runs" * (runs > 1)
    return f"hardest {hard} ({low:.2f}), easiest {easy} ({high:.2f}){mean}"


def _by_analysis(shown: Shown) -> Iterator[Exhibit]:
    """Yield FABLE's accuracy by analysis and domain, a panel a run."""
    tasks = [task for view in shown.views for task in view.tasks if task.startswith("fable/")]
    held = dict.fromkeys(task.split("/")[1] for task in tasks)
    domains = [*(each for each in _DOMAINS if each in held), *(held.keys() - {*_DOMAINS})]
    analyses = list(dict.fromkeys(task.rpartition("/")[2] for task in tasks))
    if len(domains) < 2:  # the table of the tasks says it all
        return
    panels, rows = [], list[tuple[Entry, ...]]()
    for run, (name, view) in enumerate(zip(shown.names, shown.views, strict=True)):
        cells = {
            (analysis, domain): found.accuracy
            for analysis in analyses
            for domain in domains
            if (found := view.tasks.get(f"fable/{domain}/{analysis}")) and found.n
        }
        if cells:
            panels.append((run, _grid(shown, name, cells, analyses, domains)))
            rows += [
                (name, analysis, *(cells.get((analysis, domain)) for domain in domains))
                for analysis in analyses
            ]
    title = "FABLE by analysis and domain"
    table = Table("analyses", title, ("run", "analysis", *domains), rows)
    note = "Accuracy in per cent. Dashed frames: fewer than 10 answers. Intervals are in the data."
    yield Exhibit(table.name, title, note, panels, table)


def _grid(
    shown: Shown,
    name: str,
    cells: Mapping[tuple[str, str], Estimate],
    analyses: Sequence[str],
    domains: Sequence[str],
) -> Markup:
    """Return the accuracy of a run, a row an analysis and a column a domain."""
    kind, shape = shown.styles.of(name)
    left, width = 148.0, 148.0 + _WIDE * len(domains)
    words = svg.short_name(name, (width - 22) * svg.SIZE / _BOLD)
    parts = [
        svg.element("g", svg.mark(shape, 8, 10), cls=kind),
        svg.text(20, 10, words, size=13, told=name),
    ]
    parts += [
        svg.text(left + _WIDE * (place + 0.5), 30, domain, "middle", "soft")
        for place, domain in enumerate(domains)
    ]
    for row, analysis in enumerate(analyses):
        y = 40 + _HIGH * row
        parts.append(svg.text(left - 8, y + _HIGH / 2, analysis.replace("_", " "), "end"))
        for place, domain in enumerate(domains):
            if (each := cells.get((analysis, domain))) is None:
                continue
            x = left + _WIDE * place
            told = (
                f"{name}, {analysis} of {domain}: {each.value:.3f} "
                f"[{each.low:.2f}, {each.high:.2f}], n = {each.n:,}"
            )
            box = svg.element(
                "rect", x=x + 1, y=y + 1, width=_WIDE - 2, height=_HIGH - 2,
                cls=shade(each.value) + " few" * (each.n < FEW),
            )  # fmt: skip
            number = svg.text(
                x + _WIDE / 2, y + _HIGH / 2, f"{100 * each.value:.0f}", "middle", "off"
            )
            parts.append(svg.element("g", box, number, told=told))
    return Box(0, 0, width, 46 + _HIGH * len(analyses), parts).figure(
        f"FABLE by analysis and domain: {name}"
    )
