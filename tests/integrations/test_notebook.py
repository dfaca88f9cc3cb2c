"""The page about notebooks, executed as one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.documents import execute

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "notebooks.md"


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_each_cell_shows_its_table(tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("pandas")
    from nbformat import v4

    cells = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    book = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(
        book, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    shown = [result(cell) for cell in book.cells]
    for html, text in zip(
        shown,
        ("procbench/sort", "baseline/random", "outcome</th>", "<table"),
        strict=True,
    ):
        assert "<table" in html
        assert text in html
    assert "procbench/sort" in shown[1]  # the scores of the run
    said = str([each for cell in book.cells for each in cell["outputs"] if "name" in each])
    assert "Warning" not in said
    assert "0 missing" in str(book.cells[1]["outputs"])


def result(cell: Any) -> str:
    """The HTML of what a cell returned."""
    (found,) = [each for each in cell["outputs"] if each["output_type"] == "execute_result"]
    return str(found["data"]["text/html"])


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", sorted(execute.FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_of_the_docs_shows_what_it_showed(path: Path) -> None:
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    import nbformat

    held, anew = nbformat.read(path, as_version=4), execute.execute(path)
    for before, after in zip(held.cells, anew.cells, strict=True):
        assert shown(after) == shown(before)
    assert any(shown(cell) for cell in held.cells)


def shown(cell: Any) -> list[str]:
    """The texts of what a cell printed and returned."""
    return [
        str(each.get("text") or each.get("data", {}).get("text/plain", ""))
        for each in cell.get("outputs", [])
    ]
