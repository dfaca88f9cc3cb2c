"""ProcBench (Fujisawa et al. 2024): 23 explicit procedures whose every state counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thence.core.family import Family

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from thence.core.audit import Audit, AuditOptions
    from thence.core.results import Results
    from thence.core.sample import Sample
    from thence.core.score import Score
    from thence.core.table import Table


def _audit(path: Path, options: AuditOptions) -> Audit:
    from thence.families.procbench.audit import audit

    return audit(path)


def _extra_columns(sample: Sample, score: Score) -> Mapping[str, float]:
    """Return the number of states in a reply, where any were read."""
    if not isinstance(score.answer, dict):
        return {}
    return {"states": len(score.answer["intermediate"]) + 1.0}


def _questions(path: Path) -> Iterable[Sample] | None:
    from thence.families.procbench.published_file import questions

    return questions(path)


def _tables(results: Sequence[Results]) -> Sequence[Table]:
    from thence.families.procbench.tables import tables

    return tables(results)


FAMILY = Family(
    name="procbench",
    title="ProcBench",
    paper=(
        "Fujisawa et al. 2024, ProcBench: Benchmark for Multi-Step Reasoning and "
        "Following Procedure"
    ),
    summary="23 explicit procedures on strings, lists and numbers; every state counts",
    dimensions=("length", "steps", "state", "piece", "items", "rules", "alphabet"),
    orders={"length": ("Short", "Medium", "Long", "Other")},
    accuracy_is="sm",
    audit=_audit,
    extra_columns=_extra_columns,
    questions=_questions,
    tables=_tables,
)
