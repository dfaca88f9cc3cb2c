"""Functions of the page's template that return markup: figures, bars and outcomes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from importlib.resources import files

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from thence.core.digest import compact_json
from thence.core.score import Outcome
from thence.core.statistics import Estimate
from thence.core.table import Entry, Table
from thence.reporting import figures
from thence.reporting.cell_text import columns, parts

ORDER = ("correct", "wrong", "no_answer", "truncated", "refused", "provider_error")
"""Outcomes from the best to the worst, the order of the page."""

_DIGITS = 3
_ABBREVIATION = 3  # most letters of one


def environment() -> Environment:
    """Return the templates with their functions; other values are escaped."""
    made = Environment(
        loader=PackageLoader("thence.reporting", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        figure=_figure,
        share=lambda value: _figure(Estimate(value, math.nan, math.nan, 0)),
        bar=_bar,
        mix=_mix,
        cell=_cell,
        spec=_spec,
        columns=columns,
        counts=figures.counts,
        heading=_heading,
    )
    return made


def resource(name: str) -> Markup:
    """Return a file of this package, unescaped."""
    return Markup(files("thence.reporting").joinpath(name).read_text(encoding="utf-8"))


def _spec(table: Table) -> Markup:
    """Return a figure's specification as JSON that cannot end its script element."""
    text = compact_json(figures.specification(table, alone=False))
    return Markup(text.replace("<", "\\u003c"))


def _cell(entry: Entry, digits: int) -> Markup:
    """Return an entry with its interval in small print."""
    value, interval = parts(entry, digits)
    if not isinstance(entry, str):
        value = value.replace("-", "\N{MINUS SIGN}")
    if not interval:
        return escape(value)
    interval = interval.replace("-", "\N{MINUS SIGN}")
    return Markup('{} <span class="ci">{}</span>').format(value, interval)


def _heading(metric: str) -> str:
    """Return a metric's name as in the papers, such as ``macro F1`` and ``TC``."""
    words = metric.split("_")
    return " ".join(word.upper() if len(word) <= _ABBREVIATION else word for word in words)


def _figure(estimate: Estimate) -> Markup:
    return _cell(estimate, _DIGITS) or Markup("&ndash;")


def _bar(estimate: Estimate, chance: float) -> Markup:
    """Return a bar of a share from 0 to 1 with its interval, and a mark at chance."""
    if math.isnan(estimate.low):
        return Markup("")
    value, low, high = (
        100 * max(0.0, min(1.0, x)) for x in (estimate.value, estimate.low, estimate.high)
    )
    made = Markup(
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="{:.3f}">'
        '<rect y="1" width="100" height="8" fill="var(--band)"/>'
        '<rect y="1" width="{:.2f}" height="8" fill="var(--bar)"/>'
        '<rect x="{:.2f}" y="4" width="{:.2f}" height="2" fill="var(--range)"/>{}</svg>'
    )
    mark = Markup("")
    if not math.isnan(chance):
        mark = Markup('<rect x="{:.2f}" width=".8" height="10" fill="var(--chance)"/>').format(
            min(99.2, 100 * chance)
        )
    return made.format(estimate.value, value, low, max(0.6, high - low), mark)


def _mix(outcomes: Mapping[str, int]) -> Markup:
    """Return a bar whose parts are the outcomes."""
    total = sum(outcomes.values()) or 1
    parts = [(name, outcomes.get(Outcome(name), 0)) for name in ORDER]
    spans = Markup("").join(
        Markup('<span style="width:{:.2f}%;background:var(--{})" title="{}: {}"></span>').format(
            100 * count / total, name, name.replace("_", " "), count
        )
        for name, count in parts
        if count
    )
    label = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in parts if count)
    return Markup('<div class="mix" role="img" aria-label="{}">{}</div>').format(label, spans)
