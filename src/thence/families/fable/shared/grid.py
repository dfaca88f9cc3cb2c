"""Scored replies by model and cell, the basis of all of FABLE's tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from thence import families
from thence.core.results import Results
from thence.core.score_frame import ScoreFrame
from thence.core.statistics import Estimate, estimates, finite, wilson
from thence.families.fable.shared import paper_figures as published
from thence.families.fable.shared.analyses import ANALYSES, DOMAINS
from thence.families.fable.shared.extra_metrics import extra_metrics

READINGS = ("strict", "official", "within")
PRINTED = 100  # number of questions behind each of the paper's figures


@dataclass(frozen=True)
class Cell:
    """The replies of one model to the questions of one cell.

    Attributes:
        rows: the counted replies; at least one.
    """

    rows: ScoreFrame

    @cached_property
    def figures(self) -> Mapping[str, Estimate]:
        """``accuracy``, each of READINGS, ``constant``, ``random``, and ``sound`` where known."""
        right = self.rows.correct()
        columns = {"accuracy": right}
        for name in READINGS:
            values = self.rows.numbers(name)
            columns[name] = np.where(np.isnan(values), right, values)
        return {**estimates(columns, self.rows.clusters()), **extra_metrics(self.rows)}

    @property
    def accuracy(self) -> float:
        """Accuracy by the requested scorer."""
        return float(self.rows.correct().mean())

    @property
    def gain(self) -> float:
        """Accuracy minus that of chance."""
        return self.accuracy - self.figures["random"].value

    @property
    def seconds(self) -> float | None:
        """Seconds per 100 prompts: the sum of latencies; None where a latency is not known."""
        taken = 100 * math.fsum(self.rows.numbers("latency")) / len(self.rows)
        return finite(taken)


@dataclass(frozen=True)
class Grid:
    """The cells of some models.

    Attributes:
        cells: the cell of each (model, domain, analysis).
        models: the models in the order of the results.
        scorer: the scorer of the accuracy; ``strict`` unless the official one read the replies.
    """

    cells: Mapping[tuple[str, str, str], Cell]
    models: Sequence[str]
    scorer: str

    @property
    def domains(self) -> list[str]:
        """The domains with a cell: those of the paper in its order, then others."""
        held = dict.fromkeys(key[1] for key in self.cells)
        return [*(each for each in DOMAINS if each in held), *sorted(held.keys() - {*DOMAINS})]

    def row(self, model: str, domain: str) -> dict[str, Cell]:
        """Return the cells of a model in a domain, by analysis, in the order of the paper."""
        held = {name: self.cells.get((model, domain, name)) for name in ANALYSES}
        return {name: cell for name, cell in held.items() if cell is not None}


def grid(results: Sequence[Results]) -> Grid:
    """Return the cells of some `Results`; a repeated model name gets its source added."""
    cells: dict[tuple[str, str, str], Cell] = {}
    names: list[str] = []
    official = False
    for held in results:
        asked = families.in_order(name for name in held.frames if name.startswith("fable/"))
        rows = {name: found for name in asked if (found := held.final([name]))}
        if not rows:
            continue
        model = held.model or held.source
        model = f"{model}@{held.source}" if model in names else model
        names.append(model)
        for name, found in rows.items():
            _, domain, analysis = name.split("/")
            cells[model, domain, analysis] = Cell(found)
            # Only the official scorer adds the strict scorer's verdict.
            official = official or "strict" in found.metrics
    return Grid(cells, names, "official" if official else "strict")


def printed(model: str, domain: str, analysis: str) -> Estimate | None:
    """Return the paper's accuracy of a cell, with the interval of 100 questions."""
    row = published.ACCURACY.get(published.name(model), {}).get(domain)
    if row is None:
        return None
    right = row[list(ANALYSES).index(analysis)]
    return Estimate(right / PRINTED, *wilson(right, PRINTED), PRINTED)
