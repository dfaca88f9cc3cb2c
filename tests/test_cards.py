"""What the pages about the questions promise: counts, seeds, marks, and sheets for people."""

from __future__ import annotations

import csv
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import thence
from thence import cli
from thence.api.questions import TRAINING
from thence.core.sample import CANARY
from thence.generation import frozen_sets

ROOT = Path(__file__).parent.parent


def page(name: str) -> str:
    """The text of a page, in one line."""
    (path,) = (ROOT / "docs").rglob(name)
    return " ".join(path.read_text(encoding="utf-8").split())


def test_the_counts_of_the_frozen_set_are_the_recorded_ones() -> None:
    held = frozen_sets.frozen_set("thence-1")
    count = sum(each.samples for each in held.files.values())
    text = page("seeds.md")
    assert f"`thence-1` has {count:,} questions" in text
    assert f"The seed of `thence-1` is {held.seed}." in text
    assert CANARY in text
    assert f"those from {TRAINING:,} on for training" in text
    sizes = {
        name.partition("-")[0].removesuffix(".jsonl"): each for name, each in held.files.items()
    }
    for words, family in (
        ("48 of each of ProcBench's 23", "procbench"),
        ("100 of each of RELEVAL's 3", "releval"),
        ("240 of CaT-Bench", "catbench"),
        ("40 of each of FABLE's 8", "fable"),
    ):
        assert words in text
        assert sizes[family].size == int(words.split()[0])
    assert f"`thence-1` has {count:,}." in page("datasheet.md")


def test_the_sheets_for_people_are_made_and_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (path,) = (ROOT / "docs").rglob("human_baseline.md")
    make, gather = re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(make, path.name, "exec"), names)
    right = {each.id: thence.answer(each) for each in names["questions"]}
    for person in ("p1", "p2"):
        with Path(f"{person}.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        assert [row["id"] for row in rows] != list(right)  # in an order of their own
        for row in rows:
            row["response"] = right[row["id"]]
        with Path(f"{person}.csv").open("w", newline="", encoding="utf-8") as file:
            sheet = csv.DictWriter(file, list(rows[0]))
            sheet.writeheader()
            sheet.writerows(rows)
    exec(compile(gather, path.name, "exec"), names)
    (line,) = re.findall(r"```sh\n(.*?)\n```", path.read_text(encoding="utf-8"))
    assert cli.run([*shlex.split(line)[1:], "--fail-under", "procbench=1"]) == 0


def test_pages_that_a_repository_shows_are_where_they_are_looked_for() -> None:
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md", "CITATION.cff", "LICENSE", "CHANGELOG.md"):
        assert (ROOT / name).is_file(), name
