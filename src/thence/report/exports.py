"""Tables as Markdown, LaTeX and CSV, figures as SVG and PDF: files for a paper."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from thence.kernel.disk import disk, replacing
from thence.kernel.statistics import Estimate
from thence.kernel.table import Entry, Table
from thence.report import figures

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def text(entry: Entry) -> str:
    """What stands in a cell; an interval follows its figure."""
    if entry is None or (isinstance(entry, float) and math.isnan(entry)):
        return ""
    if isinstance(entry, Estimate):
        if math.isnan(entry.value):
            return ""
        interval = "" if math.isnan(entry.low) else f" [{entry.low:.2f}, {entry.high:.2f}]"
        return f"{entry.value:.3f}{interval}"
    return f"{entry:.3f}" if isinstance(entry, float) else str(entry)


def markdown(table: Table) -> str:
    """A GitHub table with its title above and its note below."""
    lines = [
        f"**{_cell(table.title)}**",
        "",
        _row(table.columns),
        _row(["---"] * len(table.columns)),
    ]
    lines += [_row([text(entry) for entry in row]) for row in table.rows]
    if table.note:
        lines += ["", _cell(table.note)]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _cell(words: str) -> str:
    return words.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def latex(table: Table) -> str:
    """A table environment with a caption; needs ``booktabs``."""
    columns = "l" + "r" * (len(table.columns) - 1)
    lines = [
        r"\begin{table}",
        rf"\caption{{{_escaped(table.title)} {_escaped(table.note)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(map(_escaped, table.columns)) + r" \\",
        r"\midrule",
        *(" & ".join(_escaped(text(entry)) for entry in row) + r" \\" for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _escaped(words: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in words.replace("\n", " "))


def comma_separated(table: Table) -> str:
    """CSV with the ends of intervals in columns of their own."""
    rows = figures.values(table)
    names = list(dict.fromkeys(name for row in rows for name in row)) or list(table.columns)
    file = io.StringIO()
    writer = csv.DictWriter(file, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


_TABLES: Mapping[str, Callable[[Table], str]] = {
    ".md": markdown,
    ".tex": latex,
    ".csv": comma_separated,
}


def write_all(folder: Path, tables: Sequence[Table]) -> list[Path]:
    """Writes every table in three forms, and every figure in two; returns the files."""
    with disk(folder):
        folder.mkdir(parents=True, exist_ok=True)
    written = []
    for table in tables:
        for suffix, form in _TABLES.items():
            path = folder / f"{table.name}{suffix}"
            with replacing(path) as part:
                part.write_text(form(table), encoding="utf-8", errors="replace")
            written.append(path)
    for table in figures.drawable(tables):
        path = folder / f"{table.name}.svg"
        with replacing(path) as part:
            part.write_text(figures.svg(table), encoding="utf-8", errors="replace")
        written.append(path)
        path = folder / f"{table.name}.pdf"
        with replacing(path) as part:
            part.write_bytes(figures.pdf(table))
        written.append(path)
    return written
