"""The paper's figures and its table from our scores, with the printed figures beside."""

from __future__ import annotations

from collections.abc import Sequence

from thence.core.results import Results
from thence.core.table import Table
from thence.families.releval.cells import COMPARE, CONSISTENT, PLAN, of
from thence.families.releval.tables_plans import plans
from thence.families.releval.tables_questions import by_group, overall, twins
from thence.families.releval.tables_turns import corrections


def tables(found: Sequence[Results]) -> list[Table]:
    """Every figure that some results have the samples for.

    Args:
        found: one a run; runs of one model are taken together.
    """
    made = [
        *plans(of(found, PLAN)),
        *overall("releval-figure-2a", of(found, CONSISTENT)),
        *by_group("releval-figure-2b", of(found, CONSISTENT)),
        *overall("releval-figure-4a", of(found, COMPARE)),
        *by_group("releval-figure-4b", of(found, COMPARE)),
        *twins("releval-table-1", found, "framing", "symbolic"),
        *twins("releval-notation", found, "notation", "mixed"),
        *corrections(found),
    ]
    return [table for table in made if table.rows]
