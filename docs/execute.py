"""Executes the notebooks of these pages and keeps what they show: ``python docs/execute.py``.

Needs nbclient and ipykernel, which the group `hosts` holds.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "notebooks"


def execute(path: Path) -> Any:
    """Return a notebook after all its cells were executed anew in an empty folder.

    Raises:
        CellExecutionError: a cell fails.
    """
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(
            book, timeout=600, kernel_name="python3", resources={"metadata": {"path": folder}}
        ).execute()
    for cell in book.cells:
        cell.metadata.pop("execution", None)  # when it was
    return book


def main() -> None:
    """Execute all notebooks, and write them."""
    import nbformat

    os.environ["COLUMNS"] = "100"
    for path in sorted(FOLDER.glob("*.ipynb")):
        nbformat.write(execute(path), path)


if __name__ == "__main__":
    main()
