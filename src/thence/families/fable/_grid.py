"""Scored replies by model and cell: what all of FABLE's tables are made of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

from thence.families.fable import _published as published
from thence.families.fable._analyses import ANALYSES, DOMAINS
from thence.families.fable._figures import figures
from thence.kernel.statistics import Estimate, estimates, wilson

READINGS = ("strict", "official", "within")
PRINTED = 100  # questions behind each of the paper's figures


@dataclass(frozen=True)
class Cell:
    """The replies of one model to the questions of one cell.

    Attributes:
        rows: of `thence.scoring.Scored`, those that count; at least one.
    """

    rows: Sequence[Any]

    @cached_property
    def figures(self) -> Mapping[str, Estimate]:
        """``accuracy``, each of READINGS, ``constant``, ``random``, and ``sound`` where known."""
        columns = {"accuracy": [float(row.score.correct) for row in self.rows]}
        for name in READINGS:
            columns[name] = [
                row.score.values.get(name, float(row.score.correct)) for row in self.rows
            ]
        clusters = [row.sample.cluster for row in self.rows]
        return {**estimates(columns, clusters), **figures(self.rows)}

    @property
    def accuracy(self) -> float:
        """By the scorer that was asked for."""
        return fmean(float(row.score.correct) for row in self.rows)

    @property
    def gain(self) -> float:
        """Accuracy minus that of chance."""
        return self.accuracy - figures(self.rows)["random"].value

    @property
    def seconds(self) -> float | None:
        """Seconds per 100 prompts: the sum of latencies; None where one is not known."""
        taken = [row.latency for row in self.rows]
        return None if None in taken else 100 * math.fsum(taken) / len(taken)


@dataclass(frozen=True)
class Grid:
    """The cells of some models.

    Attributes:
        cells: (model, domain, analysis) -> its replies.
        models: in the order of the results.
        scorer: whose accuracy it is; ``strict`` unless the official one read the replies.
    """

    cells: Mapping[tuple[str, str, str], Cell]
    models: Sequence[str]
    scorer: str

    @property
    def domains(self) -> list[str]:
        """Those that have a cell, in the order of the paper."""
        return [name for name in DOMAINS if any(key[1] == name for key in self.cells)]

    def row(self, model: str, domain: str) -> dict[str, Cell]:
        """The cells of a model in a domain, by analysis, in the order of the paper."""
        held = {name: self.cells.get((model, domain, name)) for name in ANALYSES}
        return {name: cell for name, cell in held.items() if cell is not None}


def grid(results: Sequence[Any]) -> Grid:
    """The cells of some `thence.scoring.Results`; a model named twice has its source added."""
    cells: dict[tuple[str, str, str], list[Any]] = {}
    names: list[str] = []
    official = False
    for held in results:
        rows = [row for row in held.final() if row.score.counts and row.sample.family == "fable"]
        if not rows:
            continue
        name = held.model or held.source
        name = f"{name}@{held.source}" if name in names else name
        names.append(name)
        for row in rows:
            _, domain, analysis = row.sample.task.split("/")
            cells.setdefault((name, domain, analysis), []).append(row)
            official = official or row.score.rule == "official"
    held_cells = {key: Cell(rows) for key, rows in cells.items()}
    return Grid(held_cells, names, "official" if official else "strict")


def printed(model: str, domain: str, analysis: str) -> Estimate | None:
    """The paper's accuracy of a cell, with the interval that 100 questions give."""
    row = published.ACCURACY.get(published.name(model), {}).get(domain)
    if row is None:
        return None
    right = row[list(ANALYSES).index(analysis)]
    return Estimate(right / PRINTED, *wilson(right, PRINTED), PRINTED)
