"""FABLE (Pallagani et al. 2025): eight data-flow analyses over plans, routes and recipes."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, Any

from thence.core.family import Family

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from thence.core.audit import Audit
    from thence.core.frame import Part
    from thence.core.imported_replies import Gathered
    from thence.core.statistics import Estimate
    from thence.core.table import Table


def _gathered(path: Path, scorer: str) -> Sequence[Gathered] | None:
    from thence.families.fable.shared.published_replies import gather

    return gather(path)


def _audited(path: Path, options: Mapping[str, Any]) -> Audit:
    from thence.families.fable.shared.audit import audit

    return audit(path, options)


def _figured(rows: Part) -> Mapping[str, Estimate]:
    from thence.families.fable.shared.extra_metrics import figures

    return figures(rows)


def _tabled(results: Sequence[Any]) -> Sequence[Table]:
    from thence.families.fable.shared.tables import tables

    return tables(results)


def _numbers(row: Any) -> Mapping[str, float]:
    """How many steps the procedure has, and how many seconds the reply took; NaN if not known."""
    procedure = row.sample.metadata.get("procedure")
    steps = procedure.get("steps") if isinstance(procedure, dict) else None
    return {
        "steps": float(len(steps)) if isinstance(steps, list) else nan,
        "seconds": nan if row.latency is None else row.latency,
    }


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
    gather=_gathered,
    audit=_audited,
    audit_options=("dialect",),
    figures=_figured,
    numbers=_numbers,
    tables=_tabled,
)
