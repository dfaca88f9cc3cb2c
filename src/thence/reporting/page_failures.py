"""Section of the page on how models fail: outcomes, confusions, first wrong steps, twins, turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from thence import families
from thence.analysis import consistency
from thence.analysis.comparison import ALPHA
from thence.analysis.standings import Measure
from thence.analysis.summary import Summary
from thence.core.failures import plural
from thence.core.score import Outcome
from thence.core.statistics import EMPTY, mcnemar
from thence.core.table import Entry, Table
from thence.reporting import svg
from thence.reporting.chart_frame import Axis, Box, axes
from thence.reporting.exhibit import Exhibit, Section, Shown
from thence.reporting.failure_counts import READ, TENTHS
from thence.reporting.palette import FEW
from thence.scoring import turns

ORDER = ("correct", "wrong", "no_answer", "truncated", "refused", "provider_error")
"""Outcomes from the best to the worst, the order of the page."""
_ANSWERS = 2  # of these outcomes are answers, the first ones
_MOST_LABELS = 4  # of a confusion matrix
_LONG = 12  # rows beyond which a table is folded
_WIDTH, _ROW = 330.0, 22.0


def failures(shown: Shown) -> Section:
    """Return the section."""
    exhibits = [*_outcomes(shown), *_confusions(shown), *_first_errors(shown), *_twins(shown),
                *_turns(shown)]  # fmt: skip
    lead = (
        "What became of the replies, which answers stand for which truths, and where they go wrong."
    )
    return Section("fails", "How it fails", lead, exhibits)


def _outcomes(shown: Shown) -> list[Exhibit]:
    """Return bars of 100% by measure, a row a run."""
    rows: list[tuple[Entry, ...]] = [
        (shown.names[run], measure.title, total, *counts)
        for measure in shown.measures
        for run in measure.order
        for counts in [_counts(measure.summaries[run])]
        if (total := sum(counts))
    ]
    panels: list[tuple[int | None, Markup]] = [
        (None, _outcome_panel(shown, measure)) for measure in shown.measures
    ]
    columns = ("run", "measure", "replies", *(name.replace("_", " ") for name in ORDER))
    note = "Each bar is all replies of a run, 100%; the counts stand in the data."
    table = Table("outcomes", "Outcomes", columns, rows)
    return [Exhibit("outcomes", _outcome_title(shown), note, panels, table)]


def _counts(summary: Summary | None) -> list[int]:
    """Return the replies of a run with each outcome, in the order of the page."""
    return [summary.outcomes[Outcome(each)] for each in ORDER] if summary else [0] * len(ORDER)


def _outcome_panel(shown: Shown, measure: Measure) -> Markup:
    """Return the bars of a measure."""
    parts = [svg.text(0, 8, measure.title, size=13)]
    left = min(150.0, max(svg.width_of(name) for name in shown.names) + 24)
    y = 22.0
    for run in measure.order:
        name, counts = shown.names[run], _counts(measure.summaries[run])
        total = sum(counts)
        if not total:
            continue
        kind, shape = shown.styles.of(name)
        parts.append(svg.element("g", svg.mark(shape, 6, y + 8), cls=kind))
        parts.append(svg.text(16, y + 8, svg.short_name(name, left - 20), told=name))
        x = left
        for outcome, count in zip(ORDER, counts, strict=True):
            wide = (_WIDTH - left) * count / total
            if count:
                words = outcome.replace("_", " ")
                parts.append(_slab(x, y, wide, outcome, f"{name}, {words}: {count:,} of {total:,}"))
            x += wide
        y += _ROW
    return Box(0, 0, _WIDTH, y + 4, parts).figure(f"Outcomes: {measure.title}")


def _outcome_title(shown: Shown) -> str:
    """Return the title, which names the run with the most replies without an answer."""
    failed = [
        (sum(sum(_counts(each.summaries[run])[_ANSWERS:]) for each in shown.measures), name)
        for run, name in enumerate(shown.names)
    ]
    most, name = max(failed, default=(0, ""))
    if not most:
        return "Outcomes: every reply has an answer"
    return f"Outcomes: {name} fails to answer most often ({plural(most, 'reply')})"


def _slab(x: float, y: float, wide: float, outcome: str, told: str) -> Markup:
    shape = svg.element("rect", x=x, y=y, width=wide, height=_ROW - 6, cls="bar", told=told)
    return svg.element("g", shape, cls=f"o-{outcome}")


def _confusions(shown: Shown) -> list[Exhibit]:
    """Return truths against answers by run, for tasks of a few answers."""
    exhibits = []
    for name, counts in _counted(shown).items():
        truths = sorted({truth for tally in counts for truth, _ in tally})
        if not 2 <= len(truths) <= _MOST_LABELS:
            continue
        answers = [*truths, READ]
        rows: list[tuple[Entry, ...]] = []
        for run, tally in zip(shown.names, counts, strict=True):
            for truth in truths:
                every = sum(tally[truth, each] for each in answers)
                if every:
                    shares = (tally[truth, each] / every for each in answers)
                    rows.append((run, truth, every, *shares))
        columns = (
            "run",
            "truth",
            "n",
            *(f"answered {each}" for each in truths),
            "no parsed answer",
        )
        title = f"{name}: {_bias(shown.names, counts, truths)}"
        note = "Rows: truths; columns: answers, as shares of the row. n: replies of the row."
        slug = name.lower().replace(" ", "-").replace(",", "")
        table = Table(f"confusion-{slug}", title, columns, rows)
        exhibits.append(
            Exhibit(
                f"confusion-{slug}",
                title,
                note,
                table=table,
                shaded=True,
                folded=len(rows) > _LONG,
            )
        )
    return exhibits


def _counted(shown: Shown) -> Mapping[str, list[Counter[tuple[str, str]]]]:
    """Return by family, for each run, how often an answer met a truth."""
    found: dict[str, list[Counter[tuple[str, str]]]] = {}
    for task in families.in_order({task for held in shown.failure_counts for task in held}):
        for run, held in enumerate(shown.failure_counts):
            if task in held and held[task].answers:
                title = families.families()[families.task(task).family].title
                several = found.setdefault(title, [Counter() for _ in shown.names])
                several[run].update(held[task].answers)
    return found


def _bias(
    names: Sequence[str], counts: Sequence[Counter[tuple[str, str]]], truths: Sequence[str]
) -> str:
    """Return the answer that a run favours most, and significantly, beyond its truths."""
    most, words = 0.0, "none of the answers is given significantly too often"
    for name, held in zip(names, counts, strict=True):
        total = sum(held.values())
        for each in truths:
            said = sum(count for (_, answer), count in held.items() if answer == each)
            true = sum(count for (truth, _), count in held.items() if truth == each)
            excess, both = (said - true) / total if total else 0.0, held[each, each]
            if excess > most and mcnemar(true - both, said - both) < ALPHA:
                most, words = excess, f"{name} says {each} {100 * excess:.0f} points too often"
    return words


def _first_errors(shown: Shown) -> list[Exhibit]:
    """Return how far wrong replies of procedures are right, as a share of their steps."""
    counted = [_places(shown, run) for run in range(len(shown.names))]
    if not any(sum(held) for held in counted):
        return []
    most = max(max(held) / sum(held) for held in counted if sum(held))
    scale = Axis(0.0, most, "share of wrong replies")
    panels: list[tuple[int | None, Markup]] = [
        (run, _first_error_panel(shown, name, held, scale))
        for run, (name, held) in enumerate(zip(shown.names, counted, strict=True))
        if sum(held)
    ]
    rows: list[tuple[Entry, ...]] = [
        (name, _tenth(place), count)
        for name, held in zip(shown.names, counted, strict=True)
        if sum(held)
        for place, count in enumerate(held)
    ]
    title = _first_error_title(shown.names, counted)
    note = "n: wrong replies in which states could be read; the bars of a run add up to 1."
    table = Table("first-error", title, ("run", "first wrong step", "wrong replies"), rows)
    return [Exhibit("first-error", title, note, panels, table)]


def _first_error_panel(shown: Shown, name: str, counts: Sequence[int], scale: Axis) -> Markup:
    """Return the bars of a run: a bar for each tenth of the steps."""
    total = sum(counts)
    kind, shape = shown.styles.of(name)
    plot = Box(42, 38, _WIDTH - 58, 96)
    n = f" (n = {total:,})"
    words = svg.short_name(name, _WIDTH - 24 - svg.width_of(n)) + n
    step = plot.width / len(counts)
    bars = []
    for place, count in enumerate(counts):
        high = plot.height * scale.share(count / total)
        x, y = plot.x + step * place + 1, plot.bottom - high
        told = f"{_tenth(place)} of the steps: {count:,}"
        bars.append(
            svg.element("rect", x=x, y=y, width=step - 2, height=high, cls="bar", told=told)
        )
    middle = plot.x + plot.width / 2
    parts = [
        svg.element("g", svg.mark(shape, 8, 10), cls=kind),
        svg.text(20, 10, words, told=name),
        svg.text(plot.x, plot.y - 10, scale.title, cls="soft"),
        *axes(plot, None, scale, up=True),
        svg.element("g", *bars, cls=kind),
        *(
            svg.text(plot.x + plot.width * share / 100, plot.bottom + 10, f"{share}%", "middle")
            for share in (0, 50, 100)
        ),
        svg.text(middle, plot.bottom + 26, "first wrong step, in % of the steps", "middle", "soft"),
    ]
    return Box(0, 0, _WIDTH, 176, parts).figure(f"First wrong step: {name}")


def _tenth(place: int) -> str:
    return f"{10 * place}% to {10 * place + 10}%"


def _first_error_title(names: Sequence[str], counted: Sequence[Sequence[int]]) -> str:
    """Return the title, which names the run whose wrong replies go wrong earliest."""
    early = [
        (sum(held[:3]) / sum(held), name)
        for held, name in zip(counted, names, strict=True)
        if sum(held) >= FEW
    ]
    if not early:
        return "First wrong step of the wrong replies"
    share, name = max(early)
    rank = ", the largest share" * (len(early) > 1)
    return (
        f"First wrong step: within the first 30% of the steps in {100 * share:.0f}% of the "
        f"wrong replies of {name}{rank}"
    )


def _places(shown: Shown, run: int) -> list[int]:
    """Return by tenths of the length how many wrong replies go wrong there."""
    counts = Counter[int]()
    for counted in shown.failure_counts[run].values():
        counts.update(counted.first_errors)
    return [counts[place] for place in range(TENTHS)]


def _twins(shown: Shown) -> list[Exhibit]:
    """Return how often twins are answered alike."""
    exhibits = []
    rows: list[tuple[Entry, ...]] = [
        (name, tc, tc.n, occ, occ.n)
        for name, view in zip(shown.names, shown.views, strict=True)
        if "catbench" in view.families
        for metrics in [view.families["catbench"].metrics]
        for tc, occ in [(metrics.get(consistency.TC, EMPTY), metrics.get(consistency.OCC, EMPTY))]
    ]  # fmt: skip
    if rows:
        title = "CaT-Bench's twins: how often a model agrees with itself"
        note = (
            "Share of pairs of questions that are answered alike. TC: the same two steps, asked "
            "with before and with after; OCC: the same question with the steps in another order."
        )
        columns = ("run", "before and after (TC)", "pairs (TC)", "other order (OCC)", "pairs (OCC)")
        exhibits.append(
            Exhibit(
                "consistent",
                title,
                note,
                table=Table("consistent", title, columns, rows),
                folded=False,
            )
        )
    exhibits += [
        Exhibit(table.name, table.title, table.note, table=table, folded=False)
        for table in consistency.tables(list(shown.results))
    ]
    return exhibits


def _turns(shown: Shown) -> list[Exhibit]:
    """Return what a further turn changed, by run."""
    found = []
    for run, held in enumerate(shown.results):
        for table in turns.tables(held):
            name = f"{table.name}-{run}"
            made = Table(name, f"{shown.names[run]}. {table.title}", table.columns, table.rows)
            flows = table.name == "turns"
            note = "Hollow: before; filled: after. n: conversations; 95% intervals in the data."
            panels = [(run, _flows(shown, run))] if flows else []
            found.append(Exhibit(name, made.title, note * flows, panels, made, folded=flows))
    return found


def _flows(shown: Shown, run: int) -> Markup:
    """Return before and after, a row a task with a line from one to the other."""
    kind, shape = shown.styles.of(shown.names[run])
    changes = turns.by_task(shown.results[run])
    left = min(240.0, max(svg.width_of(task) for task in changes)) + 12
    plot = Box(left, 8, 620 - left, 18.0 * len(changes))
    scale = Axis(0.0, 1.0, "accuracy")
    parts = [*axes(plot, None, scale)]
    for place, (task, held) in enumerate(changes.items()):
        y = plot.y + 18 * (place + 0.5)
        x = [plot.x + plot.width * scale.share(each.value) for each in (held.before, held.after)]
        told = (
            f"{task}: {held.before.value:.3f} before, {held.after.value:.3f} after, "
            f"n = {held.n:,}; {held.gained:,} gained, {held.lost:,} lost"
        )
        ends = [svg.line(x[0], y, x[1], y, "path"), svg.mark("hollow", x[0], y)]
        parts.append(svg.text(left - 8, y, svg.cut(task, left - 12), "end", told=task))
        parts.append(svg.element("g", *ends, svg.mark(shape, x[1], y), told=told, cls=kind))
    title = f"Before and after: {shown.names[run]}"
    return Box(0, 0, 640, plot.bottom + 36, parts).figure(title)
