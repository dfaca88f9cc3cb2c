"""Section of the page on where models break: accuracy by length, a panel a model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from thence.analysis.difficulty import Bin, Decay, bins, decay, length_of
from thence.analysis.standings import Measure
from thence.core.statistics import Estimate
from thence.core.table import Entry, Table
from thence.reporting import svg
from thence.reporting.chart_frame import Axis, Box, axes, axis_of
from thence.reporting.exhibit import Exhibit, Section, Shown

_METRICS = {
    "accuracy": "all states right (SM)",
    "pa": "share of states right from the start (PA)",
    "fm": "final state right (FM)",
}
_WIDTH, _HEIGHT = 330.0, 215.0
_BOLD = 15.0  # pixels of plain letters as wide as the bold ones of a heading


def limits(shown: Shown) -> Section | None:
    """Return the section; None where no measure has questions of several lengths."""
    exhibits = [made for measure in shown.measures if (made := _exhibit(shown, measure))]
    if not exhibits:
        return None
    lead = (
        "Accuracy by the length of a question. Own line and 95% band in colour, the other runs in "
        "grey; a bin holds at least 20 questions. Dashed: chance. Dotted: the best fit of p to the "
        "power of N, as if each step had one chance p to be right."
    )
    return Section("breaks", "Where it breaks", lead, exhibits)


def _exhibit(shown: Shown, measure: Measure) -> Exhibit | None:
    length = next((name for run in shown.results if (name := length_of(run, measure.tasks))), None)
    if length is None:
        return None
    metrics = [
        name for name in _METRICS
        if name == "accuracy" or any(each and name in each.metrics for each in measure.summaries)
    ]  # fmt: skip
    curves_by_metric = {
        name: [bins(run, measure.tasks, length, name) for run in shown.results] for name in metrics
    }
    if sum(len(each) > 1 for each in curves_by_metric["accuracy"]) == 0:
        return None
    fitted = length == "steps"  # a depth is no number of independent steps
    fits = [decay(run, measure.tasks, length) if fitted else None for run in shown.results]
    panels = {
        name: _panels(shown, curves, fits if name == "accuracy" else [None] * len(fits), length)
        for name, curves in curves_by_metric.items()
    }
    several = {_METRICS[name]: each for name, each in panels.items()} if len(metrics) > 1 else {}
    sizes = [sum(each.value.n for each in curve) for curve in curves_by_metric["accuracy"] if curve]
    counted = f"n = {max(sizes):,} answers a run" if sizes else ""
    return Exhibit(
        f"breaks-{measure.name.replace('/', '-')}",
        f"{measure.title}: {_takeaway(shown, curves_by_metric['accuracy'], fits, length)}",
        f"{counted}. x: {length} of a question; y: accuracy.",
        panels=[] if several else panels["accuracy"],
        choices=several,
        table=_table(shown, measure, curves_by_metric, length),
    )


def _takeaway(
    shown: Shown, curves: Sequence[Sequence[Bin]], fits: Sequence[Decay | None], length: str
) -> str:
    """Return what the curves come to: who holds out longest, or by how much accuracy falls."""
    known = [(fit.half, name) for fit, name in zip(fits, shown.names, strict=True) if fit]
    if length == "steps" and known:
        half, name = max(known)
        if math.isinf(half):
            return f"{name} makes no mistake"
        whose = f"{name} holds out longest" if len(known) > 1 else name
        return f"{whose}: by the fit, half of its answers are right at {half:.0f} {length}"
    falls = [
        (held[0].value.value - held[-1].value.value, name)
        for held, name in zip(curves, shown.names, strict=True)
        if len(held) > 1 and _falls(held[0].value, held[-1].value)
    ]
    if not falls:
        return f"no clear fall of accuracy with {length}"
    fall, name = max(falls)
    return f"accuracy falls with {length}, by up to {100 * fall:.0f} points ({name})"


def _falls(first: Estimate, last: Estimate) -> bool:
    """Tell whether the interval of the difference of two shares lies above 0 (Newcombe 1998)."""
    room = math.hypot(first.value - first.low, last.high - last.value)
    return first.value - last.value > room


def _panels(
    shown: Shown,
    curves: Sequence[Sequence[Bin]],
    fits: Sequence[Decay | None],
    length: str,
) -> list[tuple[int, Markup]]:
    across = axis_of([each.length for held in curves for each in held], length, zero=False)
    return [
        (run, _panel(shown, run, curves, fits[run], across))
        for run, held in enumerate(curves) if held
    ]  # fmt: skip


def _panel(
    shown: Shown, run: int, curves: Sequence[Sequence[Bin]], fit: Decay | None, across: Axis
) -> Markup:
    name, own, scale = shown.names[run], curves[run], Axis(0.0, 1.0, "accuracy")
    kind, shape = shown.styles.of(name)
    above = 54 if fit is not None else 38
    plot = Box(38, above, _WIDTH - 52, _HEIGHT - 96)
    key = svg.element("g", svg.mark(shape, 8, 10), cls=kind)
    words = svg.short_name(name, (_WIDTH - 26) * svg.SIZE / _BOLD)
    head = [key, svg.text(20, 10, words, size=13, told=name)]
    if fit is not None:
        head.append(svg.text(20, 27, _fitted(fit), cls="soft"))
    parts = [*head, *axes(plot, across, scale)]
    for other, held in enumerate(curves):
        if other != run:
            parts.append(svg.path([_at(plot, across, scale, each) for each in held], "pale"))
    chances = [each for each in own if not math.isnan(each.chance)]
    if chances:
        mean = sum(each.chance for each in chances) / len(chances)
        y = plot.bottom - plot.height * mean
        parts.append(svg.line(plot.x, y, plot.x + plot.width, y, "ideal"))
    upper = [plot.at(across, scale, each.length, each.value.high) for each in own]
    lower = [plot.at(across, scale, each.length, each.value.low) for each in reversed(own)]
    middle = [_at(plot, across, scale, each) for each in own]
    told = [
        f"{each.length:.1f} {across.title}: {each.value.value:.3f} "
        f"[{each.value.low:.2f}, {each.value.high:.2f}], n = {each.value.n}"
        for each in own
    ]
    curve = [
        svg.path([*upper, *lower], "band", closed=True),
        svg.path(middle, "path"),
        *(
            svg.mark(shape, *at, told=words, radius=3.2)
            for at, words in zip(middle, told, strict=True)
        ),
    ]
    if fit is not None:
        span = [across.low + (across.high - across.low) * place / 40 for place in range(41)]
        line = [plot.at(across, scale, x, fit.step.value ** max(0.0, x)) for x in span]
        curve.append(svg.path(line, "fit"))
    parts.append(svg.element("g", *curve, cls=kind))
    return Box(0, 0, _WIDTH, plot.bottom + 42, parts).figure(f"{name}: accuracy by {across.title}")


def _at(plot: Box, across: Axis, scale: Axis, each: Bin) -> tuple[float, float]:
    return plot.at(across, scale, each.length, each.value.value)


def _fitted(fit: Decay) -> str:
    if math.isinf(fit.half):
        return "no mistake, so nothing to fit"
    return f"{100 * fit.step.value:.1f}% per step, half-life {fit.half:.0f} steps"


def _table(shown: Shown, measure: Measure, found: dict[str, list[list[Bin]]], length: str) -> Table:
    """Return the bins of all runs, a row each."""
    rows: list[tuple[Entry, ...]] = []
    for name, held in zip(shown.names, zip(*found.values(), strict=True), strict=True):
        for each in zip(*held, strict=True):
            at = round(each[0].length, 2)
            rows.append((name, at, each[0].value.n, *(one.value for one in each)))
    columns = ("run", f"mean {length}", "n", *found)
    return replace(
        Table("", measure.title, columns, rows), name=f"breaks-{measure.name.replace('/', '-')}"
    )
