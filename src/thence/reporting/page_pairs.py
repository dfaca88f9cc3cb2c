"""Sections of the page on pairs of models: who beats whom, and accuracy against cost."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from thence.analysis.comparison import ALPHA, p_text
from thence.analysis.standings import Measure
from thence.core.table import Entry, Table
from thence.reporting import svg
from thence.reporting.chart_frame import Axis, Box, axes
from thence.reporting.exhibit import Exhibit, Section, Shown
from thence.reporting.page_answer import cost_words

_LABELS, _CELL = 210.0, 31.0  # two matrices of 12 runs stand side by side
_FULL = 0.4  # difference with the darkest colour
_LONG = 12  # rows beyond which the data is folded
_WIDTH, _HEIGHT = 340.0, 250.0
_COSTS = (("cost", "USD per 100 questions", 100.0), ("output", "tokens out a question", 1.0),
          ("seconds", "seconds a question, median", 0.0))  # fmt: skip


def pairs(shown: Shown) -> Section | None:
    """Return the section on pairs; None for one run."""
    if len(shown.names) < 2:
        return None
    panels = [(None, _matrix(shown, measure)) for measure in shown.measures]
    rows = [row for measure in shown.measures for row in _rows(shown, measure)]
    columns = (
        "measure",
        "run",
        "against",
        "n",
        "difference",
        "only run",
        "only against",
        "p (Holm)",
    )
    sure = sum(
        each.adjusted < ALPHA for measure in shown.measures for each in measure.differences.values()
    )
    every = sum(len(measure.differences) for measure in shown.measures)
    title = f"{sure or 'None'} of {every} differences between two runs {_is(sure)} significant"
    note = (
        "Points by which the run of the row is ahead of (blue) or behind (red) that of the column, "
        "on the questions that both answered. Blank: not significant at 5% after Holm's correction "
        "over the pairs of a measure."
    )
    lead = "Each two runs, compared question by question; the most accurate run is first."
    table = Table("differences", title, columns, rows)
    return Section(
        "pairs",
        "Who beats whom",
        lead,
        [Exhibit("differences", title, note, panels, table, folded=len(rows) > _LONG)],
    )


def _is(count: int) -> str:
    return "is" if count < 2 else "are"


def _rows(shown: Shown, measure: Measure) -> list[tuple[Entry, ...]]:
    order, rows = measure.order, list[tuple[Entry, ...]]()
    for place, i in enumerate(order):
        for j in order[place + 1 :]:
            if (held := measure.lead(i, j)) is not None:
                rows.append(
                    (measure.title, shown.names[i], shown.names[j], held.n, held.change,
                     held.gained, held.lost,
                     p_text(held.adjusted).removeprefix("p = ").removeprefix("p "))
                )  # fmt: skip
    return rows


def _matrix(shown: Shown, measure: Measure) -> Markup:
    """Return the triangle of the differences by one measure."""
    order = measure.order
    parts = [svg.text(0, 8, measure.title, size=13)]
    left = min(_LABELS, max(svg.width_of(shown.names[run]) for run in order) + 44)
    for place, run in enumerate(order):
        y, name = 34 + 24 * (place + 0.5), shown.names[run]
        kind, shape = shown.styles.of(name)
        parts += [
            svg.text(12, y, str(place + 1), "end", "soft"),
            svg.element("g", svg.mark(shape, 24, y), cls=kind),
            svg.text(36, y, svg.short_name(name, left - 40), told=name),
            svg.text(left + _CELL * (place + 0.5), 26, str(place + 1), "middle", "soft"),
        ]
        for other, against in enumerate(order):
            if other != place:
                parts.append(_cell(measure, shown.names, (run, against), left + _CELL * other, y))
    width = left + _CELL * len(order) + 8
    return Box(0, 0, width, 40 + 24 * len(order), parts).figure(f"Differences: {measure.title}")


def _cell(
    measure: Measure, names: Sequence[str], pair: tuple[int, int], x: float, y: float
) -> Markup:
    held = measure.lead(*pair)
    if held is None:
        return svg.text(x + _CELL / 2, y, "?", "middle", "soft", told="no question in common")
    points = 100 * held.change.value
    told = (
        f"{names[pair[0]]} - {names[pair[1]]}: {points:+z.1f} points "
        f"[{100 * held.change.low:+z.1f}, {100 * held.change.high:+z.1f}], n = {held.n:,}, "
        f"{p_text(held.adjusted)} (Holm)"
    )
    if held.adjusted >= ALPHA:
        return _box(x, y, "void", told)
    step = 2 + round(3 * min(1.0, abs(held.change.value) / _FULL))
    kind = f"{'up' if points > 0 else 'down'}{step}"
    box = _box(x, y, kind)
    words = svg.text(x + _CELL / 2, y, f"{points:+z.0f}", "middle", "on" if step > 4 else "off")
    return svg.element("g", box, words, told=told)


def _box(x: float, y: float, kind: str, told: str = "") -> Markup:
    return svg.element("rect", x=x + 1, y=y - 11, width=_CELL - 2, height=22, cls=kind, told=told)


def costs(shown: Shown) -> Section | None:
    """Return the section on accuracy against cost; None where two costs are not known."""
    known = [(words, _places(shown, fact, times)) for fact, words, times in _COSTS]
    several = [each for each in known if len(each[1]) > 1]
    if not several:
        return None
    words, places = several[0]
    keys = [(run, _key(shown, run)) for run in places]
    panels = [(None, _against(shown, each, places, words)) for each in shown.measures]
    rows: list[tuple[Entry, ...]] = [
        (measure.title, shown.names[run], value, held.accuracy)
        for measure in shown.measures
        for run, value in places.items()
        if (held := measure.summaries[run]) is not None
    ]
    left = len(shown.names) - len(places)
    unknown = (
        f" {left} run{'s' * (left > 1)} of unknown cost {'are' if left > 1 else 'is'} left out."
        * bool(left)
    )
    table = Table(
        "cost-accuracy", "Accuracy against cost", ("measure", "run", words, "accuracy"), rows
    )
    title = f"Accuracy against {words}"
    note = "Dots with 95% intervals; the line joins the runs than which none is cheaper and better."
    lead = f"What the runs took: {words}, on a logarithmic scale.{unknown}"
    return Section(
        "cost",
        "Cost against accuracy",
        lead,
        [Exhibit("cost-accuracy", title, note, panels, table, keys=keys)],
    )


def _key(shown: Shown, run: int) -> Markup:
    """Return the mark of a run with its name."""
    name = shown.names[run]
    words = svg.cut(name, _WIDTH - 24)
    parts = [
        svg.element("g", svg.mark(shown.styles.of(name)[1], 6, 8), cls=shown.styles.of(name)[0]),
        svg.text(16, 8, words, told=name),
    ]
    return Box(0, 0, 18 + svg.width_of(words), 17, parts).figure(name)


def _places(shown: Shown, fact: str, times: float) -> dict[int, float]:
    """Return by run what a question took of something, where it is known."""
    found = {run: _each(shown.facts(run), fact, times) for run in range(len(shown.names))}
    return {run: value for run, value in found.items() if value > 0}


def _each(facts: Mapping[str, float], fact: str, times: float) -> float:
    value, asked = facts.get(fact, 0.0), facts.get("asked", 0.0)
    if not times:
        return value
    return times * value / asked if asked else 0.0


def _against(shown: Shown, measure: Measure, places: Mapping[int, float], words: str) -> Markup:
    ends = min(places.values()) / 1.6, max(places.values()) * 1.6
    across, scale = Axis(*ends, words, log=True), Axis(0.0, 1.0, "accuracy")
    plot = Box(40, 40, _WIDTH - 60, _HEIGHT - 86)
    parts = [
        svg.text(0, 8, measure.title, size=13),
        *axes(plot, across, scale),
    ]
    best, front = -1.0, []
    for run in sorted(places, key=lambda run: (places[run], -measure.accuracy(run))):
        held = measure.summaries[run]
        if held is None or math.isnan(held.accuracy.value):
            continue
        name = shown.names[run]
        kind, shape = shown.styles.of(name)
        at = plot.at(across, scale, places[run], held.accuracy.value)
        low, high = (plot.at(across, scale, places[run], end)[1]
                     for end in (held.accuracy.low, held.accuracy.high))  # fmt: skip
        told = f"{name}: {held.accuracy.value:.3f} at {cost_words(places[run])} {words}"
        parts.append(svg.element("g", svg.line(at[0], low, at[0], high, "thin"),
                                 svg.mark(shape, *at, told=told), cls=kind))  # fmt: skip
        if held.accuracy.value > best:
            best = held.accuracy.value
            front.append(at)
    parts.insert(1, svg.path(front, "ideal"))
    return Box(0, 0, _WIDTH, _HEIGHT, parts).figure(f"Accuracy against {words}: {measure.title}")
