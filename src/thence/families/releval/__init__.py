"""RELEVAL (anonymous 2025): relations between objects; plans, contradictions, comparisons."""

from __future__ import annotations

from thence.kernel.task import Family

FAMILY = Family(
    name="releval",
    title="RELEVAL",
    paper=(
        "Anonymous 2025, RELEVAL: A Structured Benchmark for Logical and Relational Reasoning in "
        "LLMs"
    ),
    summary="relations between objects: write them, find their contradictions, draw conclusions",
)
