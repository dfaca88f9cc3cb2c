"""A page of results: one file, no network, every text of a model escaped."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from thence import __version__, families
from thence.kernel.disk import replacing
from thence.kernel.score import Outcome
from thence.kernel.statistics import Estimate
from thence.scoring import Results
from thence.summary import Overview, overview, shown_metrics

_ORDER = ("correct", "wrong", "no_answer", "truncated", "refused", "provider_error")


def write_page(path: Path, found: Sequence[Results], title: str, lead: str) -> None:
    """Writes the page of some results.

    Args:
        path: where to; replaced only once the page is whole.
        found: one a model.
        title: the heading.
        lead: a sentence on what was run.
    """
    environment = Environment(
        loader=PackageLoader("thence.report", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(figure=_figure, bar=_bar, mix=_mix)
    views = [(held, overview(held)) for held in found]
    text = environment.get_template("page.jinja").render(
        title=title,
        lead=lead,
        families=_families([view for _, view in views]),
        views=[_view(held, view) for held, view in views],
        outcomes=_ORDER,
        footer=f"thence {__version__}. Intervals: 95%, Wilson's or a cluster bootstrap's.",
    )
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", errors="replace")


def _families(views: Sequence[Overview]) -> list[dict[str, Any]]:
    names = dict.fromkeys(name for view in views for name in view.families)
    rows = []
    for name in names:
        held = [
            (view.model or "replies", view.families[name])
            for view in views
            if name in view.families
        ]
        family = families.families()[name]
        rows.append(
            {
                "title": family.title,
                "paper": family.paper,
                "metrics": shown_metrics([each for _, each in held]),
                "rows": [{"model": model, "summary": summary} for model, summary in held],
            }
        )
    return rows


def _view(held: Results, view: Overview) -> dict[str, Any]:
    rows: list[tuple[str, Any, bool]] = [(name, each, False) for name, each in view.tasks.items()]
    for name, summary in view.families.items():
        for dimension, groups in list(summary.by.items())[:1]:
            rows += [
                (f"{name}, {dimension} {group}", each, False) for group, each in groups.items()
            ]
        rows.append((f"{name}, overall", summary, True))
    metrics = shown_metrics([each for _, each, _ in rows])
    return {"model": held.model, "rows": rows, "metrics": metrics, "notes": held.notes}


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
