"""FABLE (Pallagani et al. 2025): eight data-flow analyses over plans, routes and recipes."""

from __future__ import annotations

from thence.kernel.task import Family

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
)
