"""Tables for a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def html_table(columns: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Return a table in HTML; numbers have three digits, None is an empty cell."""
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
