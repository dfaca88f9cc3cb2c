"""CaT-Bench (Lal et al. 2024): must one step of a procedure happen before another?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thence.core.family import Family
from thence.core.ratings import Ratings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from thence.core.audit import Audit
    from thence.core.frame import Part
    from thence.core.imported_replies import Gathered
    from thence.core.ratings import RatingScores, RatingSheet
    from thence.core.statistics import Estimate
    from thence.core.table import Table


def _audit(path: Path, options: Mapping[str, Any]) -> Audit:
    from thence.families.catbench.audit import audit

    return audit(path, options)


def _figures(rows: Part) -> Mapping[str, Estimate]:
    from thence.families.catbench.metrics import figures

    return figures(rows)


def _changes(first: Part, second: Part) -> Mapping[str, Estimate]:
    from thence.families.catbench.metrics import changes

    return changes(first, second)


def _gather(path: Path, scorer: str) -> Sequence[Gathered] | None:
    from thence.families.catbench.published_replies import gather

    return gather(path, scorer)


def _tables(found: Sequence[Any]) -> Sequence[Table]:
    from thence.families.catbench.tables import tables

    return tables(found)


def _draw(found: Any, items: int, raters: int, seed: int) -> RatingSheet:
    from thence.families.catbench.rating_sheet import draw

    return draw(found, items, raters, seed)


def _score(path: Path) -> RatingScores:
    from thence.families.catbench.rating_tables import score

    return score(path)


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
    summary="whether one step of a procedure must happen before or after another",
    dimensions=("split", "relation", "distance"),
    orders={
        "split": ("DEP", "NONDEP", "NONDEP-S"),
        "relation": ("before", "after"),
        "distance": ("close", "distant"),
    },
    hidden=HIDDEN,
    figures=_figures,
    changes=_changes,
    audit=_audit,
    audit_options=("flow_graphs", "titles"),
    gather=_gather,
    tables=_tables,
    ratings=Ratings(_draw, _score),
)
