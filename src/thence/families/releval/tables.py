"""The paper's figures and its table from our scores, with the printed figures beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from thence.core.results import Results
from thence.core.table import Table
from thence.families.releval.cells import COMPARE, CONSISTENT, PLAN, frames_by_model
from thence.families.releval.tables_cycles import cycle_tables
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
        *cycle_tables(frames_by_model(found, CONSISTENT)),
        *twins("releval-table-1", found, "framing", "symbolic"),
        *twins("releval-notation", found, "notation", "mixed"),
        *corrections(found),
    ]
    return [_of_first_turns(table, found) for table in made if table.rows]


def _of_first_turns(table: Table, found: Sequence[Results]) -> Table:
    """Return the table, with a remark where conversations went on after the answers in it."""
    if "figure-3" in table.name or all(each.turns == 1 for each in found):
        return table
    return replace(table, note=f"{table.note} First turns of conversations.".strip())
