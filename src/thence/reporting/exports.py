"""Tables as Markdown, LaTeX and CSV, figures as SVG and PDF: files for a paper."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from thence.core.table import Entry, Table
from thence.reporting import figures
from thence.reporting.cells import columns, parts, texts
from thence.system.disk import disk, replacing

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "[": "{[}", "]": "{]}",
}  # fmt: skip
_PAGE, _WIDE, _ROTATED = 45, 6, 9  # rows of a page, columns beside each other, and of its length
_ROOM = r"\rule{0pt}{2.4ex}"  # above a cell of two lines
_LONG = 24  # letters of a name that is set in two lines


def markdown(table: Table) -> str:
    """A GitHub table with its title above and its note below."""
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
    """A table with a caption.

    It needs ``booktabs``; ``longtable`` where its rows are more than a page's; ``graphicx`` where
    it has so many columns that it is made as wide as the text, with intervals below their figures,
    and ``rotating`` where it has still more and lies on its side.
    """
    set_so = columns(table)
    wide, rotated = len(set_so) > _WIDE, len(set_so) > _ROTATED
    form = "".join("l" if column.words else "r" for column in set_so)
    heads = " & ".join(_escaped(column.name) for column in set_so) + r" \\"
    body = [
        " & ".join(
            _latex_cell(entry, each.digits, stacked=wide)
            for entry, each in zip(row, set_so, strict=True)
        )
        + r" \\"
        for row in table.rows
    ]
    told = ". ".join(_escaped(words).rstrip(".") for words in (table.title, table.note) if words)
    caption, label = rf"\caption{{{told}.}}", rf"\label{{tab:{table.name}}}"
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
    """An entry; its interval is smaller. A long name stands in two lines, parted at a stroke."""
    value, interval = (_escaped(part) for part in parts(entry, digits))
    if interval and stacked:
        return rf"\shortstack[r]{{{_ROOM}{value}\\ {{\scriptsize {interval}}}}}"
    if interval:
        return rf"{value} {{\scriptsize {interval}}}"
    place = value.rfind("/") + 1
    if len(value) <= _LONG or not place:
        return value
    return rf"\shortstack[l]{{{_ROOM}{value[:place]}\\ {value[place:]}}}"


def _escaped(words: str) -> str:
    return "".join(_LATEX.get(letter, letter) if letter.isprintable() else " " for letter in words)


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
