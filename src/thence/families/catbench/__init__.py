"""CaT-Bench (Lal et al. 2024): must one step of a procedure happen before another?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from thence.core.family import Family
from thence.core.ratings import Ratings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from thence.core.audit import Audit, AuditOptions
    from thence.core.imported_replies import Gathered
    from thence.core.ratings import RatingScores, RatingSheet
    from thence.core.results import Results
    from thence.core.sample import Sample
    from thence.core.score import Score
    from thence.core.score_frame import ScoreFrame
    from thence.core.statistics import Estimate
    from thence.core.table import Table


def _audit(path: Path, options: AuditOptions) -> Audit:
    from thence.families.catbench.audit import audit

    return audit(path, options)


def _extra_metrics(rows: ScoreFrame) -> Mapping[str, Estimate]:
    from thence.families.catbench.metrics import extra_metrics

    return extra_metrics(rows)


def _metric_changes(first: ScoreFrame, second: ScoreFrame) -> Mapping[str, Estimate]:
    from thence.families.catbench.metrics import metric_changes

    return metric_changes(first, second)


def _gather(path: Path, scorer: str) -> Sequence[Gathered] | None:
    from thence.families.catbench.published_replies import gather

    return gather(path, scorer)


def _questions(path: Path) -> Iterable[Sample] | None:
    from thence.families.catbench.published_questions import questions

    return questions(path)


def _tables(found: Sequence[Results]) -> Sequence[Table]:
    from thence.families.catbench.tables import tables

    return tables(found)


def _draw(
    model: str, answers: Iterable[tuple[Sample, Score]], items: int, raters: int, seed: int
) -> RatingSheet:
    from thence.families.catbench.rating_sheet import draw

    return draw(model, answers, items, raters, seed)


def _score(paths: Sequence[Path]) -> RatingScores:
    from thence.families.catbench.rating_tables import score

    return score(paths)


HIDDEN = (
    *(f"{kind}_{name}" for kind in ("dep", "nondep") for name in ("precision", "recall", "f1")),
    *(f"macro_f1_{side}" for side in ("before", "after", "close", "distant")),
    "nondep_recall_distant",
)

FAMILY = Family(
    name="catbench",
    title="CaT-Bench",
    paper=(
        "Lal et al. 2024, CaT-Bench: Benchmarking Language Model Understanding of Causal and "
        "Temporal Dependencies in Plans"
    ),
    chance="one half.",
    summary="whether one step of a procedure must happen before or after another",
    dimensions=("split", "relation", "distance"),
    orders={
        "split": ("DEP", "NONDEP", "NONDEP-S"),
        "relation": ("before", "after"),
        "distance": ("close", "distant"),
    },
    hidden=HIDDEN,
    extra_metrics=_extra_metrics,
    metric_changes=_metric_changes,
    audit=_audit,
    audit_options=("flow_graphs", "titles"),
    gather=_gather,
    questions=_questions,
    tables=_tables,
    ratings=Ratings(_draw, _score),
)
