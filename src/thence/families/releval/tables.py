"""The paper's figures and its table from our scores, with the printed figures beside ours."""

from __future__ import annotations

from collections.abc import Sequence

from thence.core.results import Results
from thence.core.table import Table
from thence.families.releval.cells import COMPARE, CONSISTENT, PLAN, frames_by_model
from thence.families.releval.tables_plans import plans
from thence.families.releval.tables_questions import by_group, overall, twins
from thence.families.releval.tables_turns import corrections


def tables(found: Sequence[Results]) -> list[Table]:
    """Return every figure that the responses allow.

    Args:
        found: one item per run; runs of one model are joined.
    """
    made = [
        *plans(frames_by_model(found, PLAN)),
        *overall("releval-figure-2a", frames_by_model(found, CONSISTENT)),
        *by_group("releval-figure-2b", frames_by_model(found, CONSISTENT)),
        *overall("releval-figure-4a", frames_by_model(found, COMPARE)),
        *by_group("releval-figure-4b", frames_by_model(found, COMPARE)),
        *twins("releval-table-1", found, "framing", "symbolic"),
        *twins("releval-notation", found, "notation", "mixed"),
        *corrections(found),
    ]
    return [table for table in made if table.rows]
