"""ProcBench (Fujisawa et al. 2024): 23 explicit procedures whose every state counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thence.kernel.task import Family

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from thence.kernel.audit import Audit


def _audit(path: Path, options: Mapping[str, Any]) -> Audit:
    from thence.families.procbench._audit import audit

    return audit(path)


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
)
