"""The tables of docs/findings.md are what the program makes of the published data."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared/data"


@pytest.mark.long
@pytest.mark.skipif(not DATA.is_dir(), reason="needs the published data in ../shared/data")
def test_the_tables_of_the_document_are_the_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    monkeypatch.delitem(sys.modules, "findings", raising=False)
    from findings import findings

    document = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    made = dict(findings(DATA))
    assert document.count("<!-- ") == len(made) == 7
    for name, table in made.items():
        assert f"<!-- {name} -->\n\n{table}\n" in document, name
