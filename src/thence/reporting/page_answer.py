"""First section of the page: which model is best at what, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from thence.analysis.shortcut_marks import SHORTCUT
from thence.analysis.standings import Measure, sentences
from thence.analysis.summary import Overview, Summary
from thence.core.statistics import EMPTY
from thence.reporting import svg
from thence.reporting.exhibit import Shown

_WIDTH, _HEIGHT, _EDGE = 116.0, 22.0, 7.0


@dataclass(frozen=True)
class Placing:
    """Figures of a run by one measure.

    Attributes:
        summary: the figures; None where the run was not asked.
        drawing: dot and interval over 0 to 100%, with marks at chance and the best shortcut.
        letters: letters shared with runs that are not significantly different.
        verdict: whether it lies above chance and shortcut, in words; empty where it does.
        shortcut: the best shortcut; NaN where it is not known.
    """

    summary: Summary | None
    drawing: Markup
    letters: str = ""
    verdict: str = ""
    shortcut: float = math.nan


@dataclass(frozen=True)
class MatrixRow:
    """Row of the matrix: a run or a baseline.

    Attributes:
        name: of the run.
        run: number of the run; None for a baseline beside the runs.
        mark: its mark in its colour.
        cells: by measure.
        cost: USD per 100 questions, tokens and seconds in words by column.
    """

    name: str
    run: int | None
    mark: Markup
    cells: Sequence[Placing]
    cost: Mapping[str, tuple[float, str]]


@dataclass(frozen=True)
class FirstScreen:
    """Contents of the section: sentences and the matrix."""

    sentences: Sequence[str]
    measures: Sequence[Measure]
    lines: Sequence[MatrixRow]
    costs: Sequence[str]


def answer(shown: Shown, baselines: Sequence[tuple[str, Overview]]) -> FirstScreen:
    """Return the first section.

    Args:
        shown: the runs.
        baselines: summaries of baselines that were not run, by name.
    """
    several = len(shown.names) > 1
    costs = {run: _costs(shown.facts(run)) for run in range(len(shown.names))}
    heads = list(dict.fromkeys(name for held in costs.values() for name in held))
    lines = [
        MatrixRow(
            name,
            run,
            svg.small_mark(*shown.styles.of(name)),
            [
                _cell(
                    shown.styles.of(name),
                    measure.summaries[run],
                    measure.letters[run] if several else "",
                )
                for measure in shown.measures
            ],
            costs[run],
        )
        for run, name in enumerate(shown.names)
    ]
    lines.sort(key=lambda line: -_mean(line))
    lines += [
        MatrixRow(
            name,
            None,
            svg.small_mark(*shown.styles.of(name)),
            [_cell(shown.styles.of(name), _summary(view, each)) for each in shown.measures],
            {},
        )
        for name, view in baselines
    ]
    told = sentences(shown.names, shown.measures) if shown.measures else []
    return FirstScreen(told, shown.measures, lines, heads)


def _summary(view: Overview, measure: Measure) -> Summary | None:
    return view.families.get(measure.name) or view.tasks.get(measure.name)


def _mean(line: MatrixRow) -> float:
    """Return the mean accuracy of a run over the measures."""
    held = [each.summary.accuracy.value for each in line.cells if each.summary]
    return sum(held) / len(held) if held else -1.0


def _cell(style: tuple[str, str], summary: Summary | None, letters: str = "") -> Placing:
    if summary is None or not summary.accuracy.n:
        return Placing(None, Markup(""))
    shortcut = summary.metrics.get(SHORTCUT, EMPTY).value
    return Placing(
        summary, _drawing(style, summary, shortcut), letters, _verdict(summary, shortcut), shortcut
    )


def _verdict(summary: Summary, shortcut: float) -> str:
    low = summary.accuracy.low
    if low <= summary.chance:
        return "not shown to be above chance"
    return "not shown to be above the best shortcut" if low <= shortcut else ""


def _drawing(style: tuple[str, str], summary: Summary, shortcut: float) -> Markup:
    kind, shape = style
    held, middle = summary.accuracy, _HEIGHT / 2

    def at(share: float) -> float:
        return _EDGE + (_WIDTH - 2 * _EDGE) * share

    parts = [svg.line(at(0), middle, at(1), middle, "grid")]
    parts += [svg.line(at(x), middle - 3, at(x), middle + 3, "grid") for x in (0, 0.5, 1)]
    for value, name in ((summary.chance, "tick"), (shortcut, "shortcut")):
        if not math.isnan(value):
            parts.append(svg.line(at(value), 2, at(value), _HEIGHT - 2, name))
    dot = [svg.mark(shape, at(held.value), middle)]
    if not math.isnan(held.low):
        dot.insert(0, svg.line(at(held.low), middle, at(held.high), middle, "path"))
    parts.append(svg.element("g", *dot, cls=kind))
    told = f"{100 * held.value:.1f}%, 95% interval {100 * held.low:.0f}% to {100 * held.high:.0f}%"
    return svg.figure(_WIDTH, _HEIGHT, told, *parts)


def _costs(facts: Mapping[str, float]) -> dict[str, tuple[float, str]]:
    """Return cost per 100 questions, output tokens and seconds a question, where known."""
    found = {}
    asked = facts.get("asked", 0.0)
    if asked and "cost" in facts:
        each = 100 * facts["cost"] / asked
        found["USD per 100"] = (each, cost_words(each))
    if asked and facts.get("output"):
        each = facts["output"] / asked
        found["tokens out"] = (each, f"{each:,.0f}")
    if "seconds" in facts:
        found["seconds"] = (facts["seconds"], f"{facts['seconds']:.2g}")
    return found


def cost_words(value: float) -> str:
    """Return an amount with two decimals, or two digits where it is small."""
    return f"{value:,.2f}" if value >= 0.1 else f"{value:.2g}"
