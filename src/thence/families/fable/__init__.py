"""FABLE (Pallagani et al. 2025): eight data-flow analyses over plans, routes and recipes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thence.kernel.task import Family

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from thence.kernel.gathered import Gathered
    from thence.kernel.statistics import Estimate


def _gather(path: Path, scorer: str) -> Sequence[Gathered] | None:
    from thence.families.fable._results import gather

    return gather(path)


def _figures(rows: Sequence[Any]) -> Mapping[str, Estimate]:
    from thence.families.fable._figures import figures

    return figures(rows)


FAMILY = Family(
    name="fable",
    title="FABLE",
    paper=(
        "Pallagani et al. 2025, FABLE: A Novel Data-Flow Analysis Benchmark on Procedural Text "
        "for Large Language Model Evaluation"
    ),
    summary="eight data-flow analyses of plans, travel routes and recipes",
    dimensions=("reasoning", "truth"),
    orders={"reasoning": ("state", "causal", "temporal")},
    scorers=("strict", "official"),
    gather=_gather,
    figures=_figures,
)
