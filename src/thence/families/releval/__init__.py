"""RELEVAL (anonymous 2025): relations between objects; plans, contradictions, comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thence.core.family import Family

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from thence.core.table import Table


def _tables(found: Sequence[Any]) -> Sequence[Table]:
    from thence.families.releval.tables import tables

    return tables(found)


def _numbers(row: Any) -> Mapping[str, float]:
    """The sizes of a plan that was asked for; whether the answer to a comparison was Unknown."""
    target = row.sample.target
    if isinstance(target, str):
        return {"unknown": float(row.score.answer == "Unknown")}
    if "objects" in target:
        return {name: float(target[name]) for name in ("objects", "relations")}
    return {}


FAMILY = Family(
    name="releval",
    title="RELEVAL",
    paper=(
        "Anonymous 2025, RELEVAL: A Structured Benchmark for Logical and Relational Reasoning in "
        "LLMs"
    ),
    summary="relations between objects: write them, find their contradictions, draw conclusions",
    dimensions=("group", "framing", "truth", "depth", "objects", "relations"),
    within=("group",),
    numbers=_numbers,
    tables=_tables,
)
