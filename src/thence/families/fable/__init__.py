"""FABLE (Pallagani et al. 2025): eight data-flow analyses over plans, routes and recipes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thence.core.family import Family

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from thence.core.audit import Audit, AuditOptions
    from thence.core.imported_replies import Gathered
    from thence.core.results import Results
    from thence.core.sample import Sample
    from thence.core.score import Score
    from thence.core.score_frame import ScoreFrame
    from thence.core.statistics import Estimate
    from thence.core.table import Table


def _gathered(path: Path, scorer: str) -> Sequence[Gathered] | None:
    from thence.families.fable.shared.published_replies import gather

    return gather(path)


def _questions(path: Path) -> Iterable[Sample] | None:
    from thence.families.fable.shared.published_replies import questions

    return questions(path)


def _audited(path: Path, options: AuditOptions) -> Audit:
    from thence.families.fable.shared.audit import audit

    return audit(path, options)


def _extra_metrics(rows: ScoreFrame) -> Mapping[str, Estimate]:
    from thence.families.fable.shared.extra_metrics import extra_metrics

    return extra_metrics(rows)


def _tables(results: Sequence[Results]) -> Sequence[Table]:
    from thence.families.fable.shared.tables import tables

    return tables(results)


def _extra_columns(sample: Sample, score: Score) -> Mapping[str, float]:
    """Return the number of steps of the procedure, where it is known."""
    procedure = sample.metadata.get("procedure")
    steps = procedure.get("steps") if isinstance(procedure, dict) else None
    return {"procedure_steps": float(len(steps))} if isinstance(steps, list) else {}


FAMILY = Family(
    name="fable",
    title="FABLE",
    paper=(
        "Pallagani et al. 2025, FABLE: A Novel Data-Flow Analysis Benchmark on Procedural Text "
        "for Large Language Model Evaluation"
    ),
    chance=(
        "one half for Yes or No; for an interval, the share of the other questions of the cell in "
        "the same unit that have the same truth."
    ),
    summary="eight data-flow analyses of plans, travel routes and recipes",
    dimensions=("reasoning", "truth", "depth", "reason"),
    within=("reason",),
    orders={"reasoning": ("state", "causal", "temporal")},
    gather=_gathered,
    questions=_questions,
    audit=_audited,
    audit_options=("dialect",),
    hidden=("random",),
    extra_metrics=_extra_metrics,
    extra_columns=_extra_columns,
    tables=_tables,
)
