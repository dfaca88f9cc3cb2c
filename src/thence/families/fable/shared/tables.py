"""The tables and figures of the FABLE paper, from our scores, with the printed figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import isnan
from statistics import fmean, stdev
from typing import Any

import numpy as np

from thence.core.results import Results
from thence.core.score_frame import joined
from thence.core.statistics import Estimate, estimates, numbered
from thence.core.table import Chart, Entry, Table
from thence.families.fable.shared import paper_figures as published
from thence.families.fable.shared.analyses import ANALYSES, DOMAINS, REASONING
from thence.families.fable.shared.decided_tables import decided_tables
from thence.families.fable.shared.grid import Grid, grid, printed
from thence.families.fable.shared.welch import welch

_PAPER = " (paper)"
_PAIRS = list(combinations(DOMAINS, 2))
_NOT_COMPARED = (
    "Table 8 is left out: it compares domains, and no model has replies to two analyses in each of "
    "two domains whose accuracies vary."
)
_KINDS = list(dict.fromkeys(REASONING.values()))


def tables(results: Sequence[Results]) -> list[Table]:
    """Return every table that the responses allow."""
    held = grid(results)
    if not held.cells:
        return []
    return [
        _sizes(held),
        _accuracy(held),
        _readings(held),
        _reasoning(held),
        *decided_tables(held),
        *_over_analyses(held),
        *_times(held),
        *_radars(held),
    ]


def _sizes(held: Grid) -> Table:
    """Return Table 3."""
    rows: list[list[Entry]] = []
    for domain in held.domains:
        asked = joined([cell.rows for key, cell in held.cells.items() if key[1] == domain])
        _, first = numbered(asked.clusters())
        steps = asked.numbers("procedure_steps")[first]
        steps = steps[~np.isnan(steps)].astype(int).tolist()
        sizes = [fmean(steps), min(steps), max(steps)] if steps else [None, None, None]
        questions = asked.data["id"].n_unique()
        rows.append([domain, len(first), *sizes, None, questions])
        if domain in published.SIZES:
            rows.append([domain + _PAPER, *published.SIZES[domain]])
    return Table(
        "fable-table-3",
        "Procedures and questions (Table 3)",
        ["domain", "procedures", "steps, mean", "least", "most", "questions made", "asked"],
        rows,
        f"Ours: of the questions that were answered. (paper): {published.SOURCE}, Table 3.",
    )


def _accuracy(held: Grid) -> Table:
    """Return Table 6."""
    rows: list[list[Entry]] = []
    for domain in held.domains:
        for model in held.models:
            cells = held.row(model, domain)
            if cells:
                figures = {name: cell.figures["accuracy"] for name, cell in cells.items()}
                rows.append([domain, model, *(figures.get(name) for name in ANALYSES)])
        for model in published.ACCURACY:
            paper = [printed(model, domain, name) for name in ANALYSES]
            if any(paper):
                rows.append([domain, model + _PAPER, *paper])
    return Table(
        "fable-table-6",
        f"Accuracy by cell, {held.scorer} scorer (Table 6)",
        ["domain", "model", *ANALYSES.values()],
        rows,
        f"(paper): {published.SOURCE}, Table 6, of 100 questions a cell by its own rules, by the "
        "official scorer; the intervals are ours.",
    )


def _absent(held: Grid) -> list[str]:
    """Return the paper's models that are not among ours."""
    ours = {published.name(model) for model in held.models}
    return [model for model in published.ACCURACY if model not in ours]


def _readings(held: Grid) -> Table:
    """Return published, official and strict accuracy side by side, with model-free baselines."""
    names = ("official", "strict", "within", "constant", "random")
    sound = any("sound" in cell.figures for cell in held.cells.values())
    rows: list[list[Entry]] = []
    for model in held.models:
        for domain in held.domains:
            for analysis, cell in held.row(model, domain).items():
                row: list[Entry] = [model, f"{domain}/{analysis}", len(cell.rows)]
                row.append(printed(model, domain, analysis))
                row += [cell.figures[name] for name in names]
                rows.append([*row, cell.figures.get("sound")] if sound else row)
    return Table(
        "fable-readings",
        "What a cell is worth, by who reads the replies",
        ["model", "cell", "n", "published", *names, *(["sound"] if sound else [])],
        rows,
        "official: the authors' scorer, which looks for the truth's letters anywhere in the reply, "
        "reasoning included. strict: the answer that was given. within: an interval that lies in "
        "the truth's counts as right. constant: the commonest truth to every question. random: "
        "chance. sound: strict, against the sound truth, where it decides the question.",
    )


def _reasoning(held: Grid) -> Table:
    """Return accuracy by kind of reasoning."""
    rows: list[list[Entry]] = []
    for model, domain in [*_pairs(held), *((model, "") for model in held.models)]:
        row: list[Entry] = [model, domain or "all"]
        for kind in _KINDS:
            scored = [
                cell.rows
                for key, cell in held.cells.items()
                if key[0] == model and domain in ("", key[1]) and REASONING[key[2]] == kind
            ]
            if scored:
                every = joined(scored)
                found = estimates({"accuracy": every.correct()}, every.clusters())
            row.append(found["accuracy"] if scored else None)
        rows.append(row)
    return Table(
        "fable-reasoning",
        f"Accuracy by type of reasoning, {held.scorer} scorer",
        ["model", "domain", *_KINDS],
        rows,
    )


def _pairs(held: Grid) -> list[tuple[str, str]]:
    return [(m, d) for m in held.models for d in held.domains if held.row(m, d)]


def _over_analyses(held: Grid) -> Iterator[Table]:
    """Yield Tables 7 and 8 and Figure 2, which summarise the eight analyses of a domain."""
    means: list[list[Entry]] = []
    gains: list[list[Entry]] = []
    for model, domain in _pairs(held):
        cells = held.row(model, domain).values()
        values = [100 * cell.accuracy for cell in cells]
        excess = [100 * cell.gain for cell in cells if not isnan(cell.gain)]
        paper = published.MEANS.get(published.name(model), {}).get(domain, (None, None))
        spread = stdev(values) if len(values) > 1 else None
        means.append([model, domain, len(values), fmean(values), spread, *paper])
        gain = published.GAIN.get(published.name(model), {}).get(domain)
        gains.append([model, domain, _spread(excess) if excess else None, gain])
    for model in _absent(held):
        for domain in held.domains:
            if domain in published.MEANS[model]:
                figures = [f"{each:.1f}" for each in published.MEANS[model][domain]]
                means.append([model + _PAPER, domain, None, *figures, None, None])
                gain = published.GAIN[model][domain]
                gains.append([model + _PAPER, domain, gain, None])
    sizes = sorted({row[2] for row in means if isinstance(row[2], int)})
    counted = " to ".join(str(each) for each in dict.fromkeys((sizes[0], sizes[-1])))
    compared = list(_welch(held))
    lacking = "" if compared else f" {_NOT_COMPARED}"
    yield _with_columns(
        "fable-table-7",
        f"Mean and deviation of accuracy over the analyses, %, {held.scorer} scorer (Table 7)",
        ["model", "domain", "analyses", "mean", "deviation", "mean (paper)", "deviation (paper)"],
        means,
        published.DOUBTS["table 7"] + lacking,
    )
    yield from compared
    yield _with_columns(
        "fable-figure-2",
        f"Gain over random, points, {held.scorer} scorer (Figure 2)",
        ["model", "domain", "gain", "gain (paper)"],
        gains,
        "Mean over the analyses of accuracy minus chance; the bar is one deviation to either side. "
        + published.DOUBTS["figure 2"],
        Chart("bar", "domain", "gain", "model", y_title="points over random"),
        f"n = {counted} analyses a bar",
    )


def _with_columns(*made: Any) -> Table:
    """Return a table without its empty columns, such as those of absent models of the paper."""
    table = Table(*made)
    full = [place for place, entries in enumerate(zip(*table.rows, strict=True))
            if any(entry is not None for entry in entries)]  # fmt: skip
    return replace(
        table,
        columns=[table.columns[place] for place in full],
        rows=[[row[place] for place in full] for row in table.rows],
    )


def _spread(values: Sequence[float]) -> Estimate:
    mean = fmean(values)
    half = stdev(values) if len(values) > 1 else float("nan")
    return Estimate(mean, mean - half, mean + half, len(values))


def _welch(held: Grid) -> Iterator[Table]:
    """Yield Table 8."""
    rows: list[list[Entry]] = []
    for model in held.models:
        for place, (left, right) in enumerate(_PAIRS):
            vectors = [
                [100 * cell.accuracy for cell in held.row(model, domain).values()]
                for domain in (left, right)
            ]
            found = welch(*vectors)
            if found is not None:
                paper = published.WELCH.get(published.name(model))
                rows.append(
                    [model, f"{left} - {right}", *found, *(paper[place] if paper else (None, None))]
                )
    if not rows:
        return
    ours = {row[1] for row in rows}
    for model in _absent(held):
        for (left, right), (t, p) in zip(_PAIRS, published.WELCH[model], strict=True):
            if f"{left} - {right}" in ours:
                figures = (f"{t:.2f}", f"{p:.3f}", None, None)
                rows.append([model + _PAPER, f"{left} - {right}", *figures])
    yield _with_columns(
        "fable-table-8",
        f"Domains compared: Welch's t over the analyses, {held.scorer} scorer (Table 8)",
        ["model", "domains", "t", "p", "t (paper)", "p (paper)"],
        rows,
        "Two-tailed, of two vectors of one accuracy an analysis. " + published.DOUBTS["table 8"],
    )


def _times(held: Grid) -> Iterator[Table]:
    """Yield Table 5 and Figures 28 to 30."""
    taken = {key: cell.seconds for key, cell in held.cells.items()}
    known = {key: value for key, value in taken.items() if value is not None}
    if not known:
        return
    means: dict[tuple[str, str], float] = {}
    for model, domain in _pairs(held):
        values = [value for key, value in known.items() if key[:2] == (model, domain)]
        if values:
            means[model, domain] = fmean(values)
    rows: list[list[Entry]] = []
    for (model, domain), value in means.items():
        fastest = min(each for key, each in means.items() if key[1] == domain)
        paper = published.SECONDS.get(published.name(model), {}).get(domain, (None, None))
        slowdown = value / fastest if fastest else None
        rows.append([model, domain, value, slowdown, *paper])
    yield _with_columns(
        "fable-table-5",
        "Seconds per 100 prompts, mean over the analyses (Table 5)",
        ["model", "domain", "seconds", "slowdown", "seconds (paper)", "slowdown (paper)"],
        rows,
        "From timing.log where there is one, else sums of the latencies of single requests, which "
        "is more than the time that passed where requests ran in parallel. slowdown: times the "
        "fastest model's of the domain. " + published.DOUBTS["table 5"],
    )
    for number, domain in enumerate(DOMAINS, 28):
        shown: list[list[Entry]] = [
            [key[0], ANALYSES[key[2]], len(held.cells[key].rows), value]
            for key, value in known.items()
            if key[1] == domain
        ]
        if shown:
            yield Table(
                f"fable-figure-{number}",
                f"Seconds per 100 prompts in {domain} (Figure {number})",
                ["model", "analysis", "n", "seconds"],
                shown,
                chart=Chart("heat", "analysis", "model", value="seconds", log=True),
            )


def _radars(held: Grid) -> Iterator[Table]:
    """Yield Figure 3."""
    for domain in held.domains:
        rows: list[list[Entry]] = [
            [model, ANALYSES[analysis], cell.figures["accuracy"]]
            for model in held.models
            for analysis, cell in held.row(model, domain).items()
        ]
        for model in _absent(held):
            paper = {name: printed(model, domain, name) for name in ANALYSES}
            rows += [[model + _PAPER, ANALYSES[name], each] for name, each in paper.items() if each]
        yield Table(
            f"fable-figure-3-{domain}",
            f"Accuracy in {domain} by analysis, {held.scorer} scorer (Figure 3)",
            ["model", "analysis", "accuracy"],
            rows,
            chart=Chart("radar", "analysis", "accuracy", "model"),
        )
