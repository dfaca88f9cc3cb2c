"""Tables as Markdown, LaTeX and CSV, figures as SVG and PDF: files for a paper."""

from __future__ import annotations

import importlib
import importlib.util
import io
import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from thence.core import csv_files
from thence.core.table import Entry, Table
from thence.errors import MissingExtra
from thence.reporting import charts, svg
from thence.reporting.cell_text import columns, parts, records, texts
from thence.reporting.palette import Styles
from thence.system.disk import disk, replacing

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "[": "{[}", "]": "{]}",
}  # fmt: skip
_log = logging.getLogger(__name__)
_PLAIN = Styles()
_PAGE = 45  # rows of a page
_WIDE, _ROTATED = 6, 9  # columns beyond which a table is scaled, or turned on its side
_STRUT = r"\rule{0pt}{2.4ex}"  # space above a cell of two lines
_LONG = 24  # letters beyond which a name takes two lines


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
    """Return a table in LaTeX with a caption.

    It needs ``booktabs``; ``longtable`` for more rows than a page has; ``graphicx`` for so many
    columns that it is scaled to the text, with intervals below their figures; and ``rotating`` for
    still more columns, which turn it on its side.
    """
    layout = columns(table)
    wide, rotated = len(layout) > _WIDE, len(layout) > _ROTATED
    form = "".join("l" if column.words else "r" for column in layout)
    heads = " & ".join(_escaped(column.name) for column in layout) + r" \\"
    body = [
        " & ".join(
            _latex_cell(entry, each.digits, stacked=wide)
            for entry, each in zip(row, layout, strict=True)
        )
        + r" \\"
        for row in table.rows
    ]
    words = [each.strip().rstrip(".") for each in (table.title, table.note)]
    text = ". ".join(_escaped(each) for each in words if each)
    caption, label = rf"\caption{{{text}.}}", rf"\label{{tab:{table.name}}}"
    if len(table.rows) > _PAGE:
        top = [r"\toprule", heads, r"\midrule"]
        lines = [rf"\begin{{longtable}}{{{form}}}", caption + label + r" \\", *top,
                 r"\endfirsthead", *top, r"\endhead", r"\bottomrule", r"\endlastfoot",
                 *body, r"\end{longtable}"]  # fmt: skip
    else:
        kind = "sidewaystable" if rotated else "table"
        lines = [rf"\begin{{{kind}}}", r"\centering", caption, label,
                 *([r"\resizebox{\linewidth}{!}{%"] if wide else []),
                 rf"\begin{{tabular}}{{{form}}}", r"\toprule", heads, r"\midrule", *body,
                 r"\bottomrule", r"\end{tabular}" + ("}" if wide else ""),
                 rf"\end{{{kind}}}"]  # fmt: skip
    return "\n".join(lines) + "\n"


def _latex_cell(entry: Entry, digits: int, *, stacked: bool) -> str:
    """Return an entry with its interval in small print; a long name is broken after a slash."""
    value, interval = (_escaped(part) for part in parts(entry, digits))
    if interval and stacked:
        return rf"\shortstack[r]{{{_STRUT}{value}\\ {{\scriptsize {interval}}}}}"
    if interval:
        return rf"{value} {{\scriptsize {interval}}}"
    place = value.rfind("/") + 1
    if len(value) <= _LONG or not place:
        return value
    return rf"\shortstack[l]{{{_STRUT}{value[:place]}\\ {value[place:]}}}"


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
    try:
        converter = importlib.import_module("vl_convert")
    except ImportError as error:
        raise MissingExtra("writing figures as PDF", "report") from error
    made: bytes = converter.svg_to_pdf(scalable(table, styles))
    return made


def write_all(folder: Path, tables: Sequence[Table], models: Sequence[str] = ()) -> list[Path]:
    """Write every table in three formats and every figure in two; return the paths.

    Figures are in PDF only where the extra ``report`` is installed; that it is not is logged.

    Args:
        folder: where to.
        tables: the tables and figures.
        models: the models that have a colour of their own, in order.
    """
    with disk(folder):
        folder.mkdir(parents=True, exist_ok=True)
    written, styles = [], Styles(models)
    figures: dict[str, Callable[[Table], str | bytes]] = {
        ".svg": lambda table: scalable(table, styles),
        ".pdf": lambda table: portable(table, styles),
    }
    if importlib.util.find_spec("vl_convert") is None:
        del figures[".pdf"]
        _log.warning("without PDF: %s", MissingExtra("writing figures as PDF", "report"))
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
