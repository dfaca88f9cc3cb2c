"""RELEVAL (anonymous 2025): relations between objects; plans, contradictions, comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thence.kernel.task import Family

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thence.kernel.table import Table


def _tables(found: Sequence[Any]) -> Sequence[Table]:
    from thence.families.releval._tables import tables

    return tables(found)


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
    tables=_tables,
)
