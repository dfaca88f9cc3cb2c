"""Figures as frames and as the tables of a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

    from thence.analysis.summary import Summary


def row_of(summary: Summary) -> dict[str, Any]:
    """The figures of a summary in columns: each metric with the ends of its interval."""
    row: dict[str, Any] = {"n": summary.n, "correct": summary.correct}
    for name, figure in {"accuracy": summary.accuracy, **summary.metrics}.items():
        low, high = figure.interval() or (None, None)
        row |= {name: figure.value if figure.n else None, f"{name}_low": low, f"{name}_high": high}
    return row | dict(summary.outcomes)


def frame_of(rows: Sequence[Mapping[str, Any]]) -> polars.DataFrame:
    """A frame of some rows, which may lack columns that others have."""
    import polars

    return polars.DataFrame(rows, infer_schema_length=None)


def html_of(columns: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table for a notebook; numbers with three digits."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(_shown(cell))}</td>' for cell in row)}</tr>" for row in rows
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<tr>{head}</tr>{body}</table>"


def _shown(cell: object) -> str:
    if cell is None:
        return ""
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)
