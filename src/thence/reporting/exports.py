"""Tables as Markdown, LaTeX and CSV, figures as SVG and PDF: files for a paper."""

from __future__ import annotations

import importlib
import io
import logging
from collections.abc import Callable, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any

from thence.core import csv_files
from thence.core.statistics import Estimate
from thence.core.table import Table
from thence.errors import MissingExtra
from thence.reporting import charts, svg
from thence.reporting.cell_text import Column, columns, parts, records, texts
from thence.reporting.outlined_text import outlined
from thence.reporting.palette import PAPER, Styles
from thence.system.disk import disk, replacing

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "[": "{[}", "]": "{]}",
}  # fmt: skip
_log = logging.getLogger(__name__)
_PLAIN = Styles()
_PAGE = 45  # rows of a page
_WIDE, _ROTATED = 6, 9  # columns beyond which letters are smaller, or a table is turned


def markdown(table: Table) -> str:
    """Return a table in GitHub's Markdown, with its title above and its note below."""
    lines = [
        f"**{_cell(table.title)}**",
        "",
        _row(table.columns),
        _row(["---" if column.words else "--:" for column in columns(table)]),
    ]
    lines += map(_row, texts(table))
    if table.note:
        lines += ["", _cell(table.note)]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _cell(words: str) -> str:
    return words.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def latex(table: Table) -> str:
    """Return a table in LaTeX with a caption, the best of each column of shares in bold.

    It needs ``booktabs`` and ``siunitx``; ``longtable`` for more rows than a page has; and
    ``rotating`` for so many columns that the table is turned on its side. No table is scaled: one
    of many columns has smaller letters and its intervals below the figures.
    """
    layout = columns(table)
    below = len(layout) > _WIDE
    form = "".join("l" if column.words else _form(table, place, column, below=below)
                   for place, column in enumerate(layout))  # fmt: skip
    heads = " & ".join(
        _escaped(each.name) if each.words else f"{{{_escaped(each.name)}}}" for each in layout
    )
    best = _best(table, layout)
    body = [
        line
        for place in range(len(table.rows))
        for line in _row_lines(table, layout, best, place, below)
    ]
    words = [each.strip().rstrip(".") for each in (table.title, table.note)]
    text = ". ".join(_escaped(each) for each in words if each)
    caption, label = rf"\caption{{{text}.}}", rf"\label{{tab:{table.name}}}"
    top, size = [r"\toprule", rf"{heads} \\", r"\midrule"], [r"\footnotesize"] * below
    if len(table.rows) > _PAGE:
        lines = ["{" * below, *size, rf"\begin{{longtable}}{{{form}}}", caption + label + r" \\",
                 *top, r"\endfirsthead", *top, r"\endhead", r"\bottomrule", r"\endlastfoot",
                 *body, r"\end{longtable}", "}" * below]  # fmt: skip
        return "\n".join(filter(None, lines)) + "\n"
    kind = "sidewaystable" if len(layout) > _ROTATED else "table"
    lines = [rf"\begin{{{kind}}}", r"\centering", *size, caption, label,
             rf"\begin{{tabular}}{{{form}}}", *top, *body, r"\bottomrule", r"\end{tabular}",
             rf"\end{{{kind}}}"]  # fmt: skip
    return "\n".join(lines) + "\n"


def _form(table: Table, place: int, column: Column, *, below: bool) -> str:
    """Return the column of siunitx for the numbers of a column, with room for their intervals."""
    held = [parts(row[place], column.digits) for row in table.rows]
    before = max(
        (len(value.partition(".")[0].lstrip("-").replace(",", "")) for value, _ in held), default=1
    )
    after = max((len(value.partition(".")[2]) for value, _ in held), default=0)
    sign = "-" * any(value.startswith("-") for value, _ in held)
    beside = any(interval for _, interval in held) and not below
    room = r", table-space-text-post={\,\scriptsize [0.00, 0.00]}" * beside
    return rf"S[table-format={sign}{max(1, before)}.{after}, detect-weight, mode=text{room}]"


def _best(table: Table, layout: Sequence[Column]) -> dict[int, float]:
    """Return the greatest share of each column of shares that several of our rows have."""
    found: dict[int, float] = {}
    ours = [row for row in table.rows if not any(str(each).endswith(PAPER) for each in row[:2])]
    for place, column in enumerate(layout):
        held = [row[place] for row in ours]
        values = [
            each.value for each in held if isinstance(each, Estimate) and not isnan(each.value)
        ]
        shares = all(0 <= value <= 1 for value in values)
        if not column.words and len(values) > 1 and shares and min(values) < max(values):
            found[place] = max(values)
    return found


def _row_lines(
    table: Table,
    layout: Sequence[Column],
    best: Mapping[int, float],
    place: int,
    below: bool,
) -> list[str]:
    """Return the lines of a row: its figures, then the intervals that stand below them."""
    figures, intervals = [], []
    for at, (entry, column) in enumerate(zip(table.rows[place], layout, strict=True)):
        value, interval = parts(entry, column.digits)
        bold = isinstance(entry, Estimate) and entry.value == best.get(at)
        if column.words:
            figures.append(_escaped(value))
            intervals.append("")
            continue
        plain = value.replace(",", "")
        number = (
            plain
            if plain.replace("-", "", 1).replace(".", "", 1).isdigit()
            else f"{{{_escaped(value)}}}"
        )
        small = rf"\scriptsize {_escaped(interval)}" if interval else ""
        figures.append((r"\bfseries " if bold else "") + (number if value else "{}") +
                       (rf" {{\,{small}}}" if small and not below else ""))  # fmt: skip
        intervals.append(f"{{{small}}}" if small else "{}")
    lines = [" & ".join(figures) + r" \\"]
    if below and any("scriptsize" in each for each in intervals):
        lines.append(" & ".join(intervals) + r" \\[0.4ex]")
    return lines


def _escaped(words: str) -> str:
    return "".join(_LATEX.get(letter, letter) if letter.isprintable() else " " for letter in words)


def comma_separated(table: Table) -> str:
    """Return a table as CSV, with the ends of intervals in columns of their own.

    No cell is run as a formula where it is opened.
    """
    file = io.StringIO(newline="")
    csv_files.write_rows(file, *flat(table))
    return file.getvalue()


def flat(table: Table) -> tuple[list[str], list[list[csv_files.Cell]]]:
    """Return columns and rows, with the ends of intervals in columns of their own."""
    rows = records(table)
    names = list(dict.fromkeys(name for row in rows for name in row)) or list(table.columns)
    return names, [[row.get(name) for name in names] for row in rows]


_TABLES: Mapping[str, Callable[[Table], str | bytes]] = {
    ".md": markdown,
    ".tex": latex,
    ".csv": comma_separated,
}


def scalable(table: Table, styles: Styles = _PLAIN) -> str:
    """Return a figure as SVG, a file of its own."""
    return svg.alone(charts.drawn(table, styles, alone=True))


def portable(table: Table, styles: Styles = _PLAIN) -> bytes:
    """Return a figure as PDF with its typefaces in it.

    Raises:
        MissingExtra: the extra ``report`` is not installed.
    """
    made: bytes = _converter().svg_to_pdf(scalable(table, styles))
    return made


def _converter() -> Any:
    """Return the module that makes PDF of SVG."""
    try:
        return importlib.import_module("vl_convert")
    except ImportError as error:
        raise MissingExtra("writing figures as PDF", "report") from error


def write_all(folder: Path, tables: Sequence[Table], models: Sequence[str] = ()) -> list[Path]:
    """Write every table in three formats and every figure in two; return the paths.

    Figures are in PDF, and their words outlined in SVG, only where the extra ``report`` is
    installed; that it is not is logged.

    Args:
        folder: where to.
        tables: the tables and figures.
        models: the models that have a colour of their own, in order.
    """
    with disk(folder):
        folder.mkdir(parents=True, exist_ok=True)
    written, styles = [], Styles(models)
    figures: dict[str, Callable[[Table], str | bytes]] = {
        ".svg": lambda table: outlined(scalable(table, styles)),
        ".pdf": lambda table: portable(table, styles),
    }
    try:
        _converter()
        outlined('<svg xmlns="http://www.w3.org/2000/svg"/>')
    except MissingExtra as error:
        figures = {".svg": lambda table: scalable(table, styles)}
        _log.warning("without PDF: %s", error)
    for table in tables:
        drawn = bool(charts.drawable([table]))
        for suffix, made in ({**_TABLES, **figures} if drawn else _TABLES).items():
            path = folder / f"{table.name}{suffix}"
            content = made(table)
            with replacing(path) as part:
                if isinstance(content, str):
                    form = csv_files.ENCODING if suffix == ".csv" else "utf-8"
                    content = content.encode(form, "replace")
                part.write_bytes(content)
            written.append(path)
    return written
