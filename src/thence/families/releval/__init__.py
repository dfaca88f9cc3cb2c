"""RELEVAL (anonymous 2025): relations between objects; plans, contradictions, comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thence.core.family import Family

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from thence.core.results import Results
    from thence.core.sample import Sample
    from thence.core.score import Score
    from thence.core.table import Table


def _tables(found: Sequence[Results]) -> Sequence[Table]:
    from thence.families.releval.tables import tables

    return tables(found)


def _extra_columns(sample: Sample, score: Score) -> Mapping[str, float]:
    """Return the sizes of a plan, whether a comparison was Unknown, or the causes of cycles."""
    target = sample.target
    if isinstance(score.answer, dict) and "cycles" in score.answer:
        from thence.families.releval.false_cycles import counts

        return counts(sample, score.answer)
    if isinstance(target, str):
        return {"unknown": float(score.answer == "Unknown")}
    if "objects" in target:
        return {f"{name}_asked": float(target[name]) for name in ("objects", "relations")}
    return {}


FAMILY = Family(
    name="releval",
    title="RELEVAL",
    paper=(
        "Anonymous 2025, RELEVAL: A Structured Benchmark for Logical and Relational Reasoning in "
        "LLMs"
    ),
    chance=(
        "one third for one of three words; one half where there is no cycle, and next to nothing "
        "where all are to be listed; for a plan, the share of right ones among random relations."
    ),
    summary="relations between objects: write them, find their contradictions, draw conclusions",
    dimensions=("group", "framing", "truth", "depth", "objects", "relations"),
    within=("group",),
    averaged=False,
    beside=("f1", "yes_no"),
    titles={
        "consistency": "plan consistent",
        "duplicates": "plan without duplicates",
        "object_numbers": "plan of asked objects",
        "relation_numbers": "plan of asked relations",
    },
    hidden=("waits", "question_marks", "dags"),
    extra_columns=_extra_columns,
    tables=_tables,
)
