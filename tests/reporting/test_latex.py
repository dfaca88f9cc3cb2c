"""Tables in LaTeX: figures aligned by siunitx, the best in bold; compiled where LaTeX is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from thence.core.statistics import Estimate
from thence.core.table import Table
from thence.reporting import exports

NASTY = 'a & b_c % $x$ {y} ~ ^ # \\ <z> | "q"'


def table(columns: int, rows: int = 3) -> Table:
    names = ("model", *(f"c_{place}" for place in range(columns - 1)))
    held = [
        (f"{NASTY} {row}", *[Estimate(0.5 + row / 200, 0.25, 0.75, 8)] * (columns - 2), 1200 + row)
        for row in range(rows)
    ]
    printed = ("gpt (paper)", *[0.99] * (columns - 2), None)
    return Table(f"t-{columns}-{rows}", f"Title {NASTY}", names, [*held, printed], "A note.")


@pytest.mark.parametrize(
    ("columns", "rows", "kind"),
    [(3, 3, "table"), (8, 3, "table"), (12, 3, "sidewaystable"), (3, 60, "longtable")],
)
def test_tables_are_aligned_and_the_best_is_bold(columns: int, rows: int, kind: str) -> None:
    latex = exports.latex(table(columns, rows))
    assert rf"\begin{{{kind}}}" in latex
    assert "resizebox" not in latex
    assert "S[table-format=1.3" in latex
    assert latex.count(r"\bfseries") == columns - 2  # the best of each column of shares
    assert rf"\bfseries {0.5 + (rows - 1) / 200:.3f}" in latex
    assert "{c\\_0}" in latex


def test_no_row_is_bold_where_all_are_equal_or_alone() -> None:
    same = [("a", Estimate(0.5, 0.4, 0.6, 9)), ("b", Estimate(0.5, 0.4, 0.6, 9))]
    for rows in (same, same[:1]):
        assert "bfseries" not in exports.latex(Table("t", "T", ("model", "x"), rows))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_tables_compile(tmp_path: Path) -> None:
    made = [table(3), table(8), table(12), table(3, 60)]
    body = "\n".join(exports.latex(each) for each in made)
    head = (
        r"\documentclass{article}\usepackage{booktabs,siunitx,longtable,rotating}\begin{document}"
    )
    (tmp_path / "t.tex").write_text(f"{head}\n{body}\n\\end{{document}}\n", "utf-8")
    done = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "t.tex"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-1500:]
    assert (tmp_path / "t.pdf").read_bytes().startswith(b"%PDF")
