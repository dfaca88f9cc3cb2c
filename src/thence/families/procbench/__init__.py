"""ProcBench (Fujisawa et al. 2024): 23 explicit procedures whose every state counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thence.core.family import Family

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from thence.core.audit import Audit
    from thence.core.table import Table


def _audit(path: Path, options: Mapping[str, Any]) -> Audit:
    from thence.families.procbench.audit import audit

    return audit(path)


def _kept() -> Any:
    from thence.families.procbench.columns import Model

    return Model()


def _tabled(results: Sequence[Any]) -> Sequence[Table]:
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
    dimensions=("length", "steps"),
    orders={"length": ("Short", "Medium", "Long", "Other")},
    accuracy_is="sm",
    audit=_audit,
    keeps=_kept,
    tables=_tabled,
)
