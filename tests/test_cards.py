"""What the pages about the questions promise: counts, seeds, marks, and sheets for people."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import thence
from thence import cli
from thence.api.questions import TRAINING
from thence.core.sample import CANARY
from thence.engine.person_run import People
from thence.generation import frozen_sets
from thence.generation.sources import FromFiles

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


def test_people_answer_the_questions_of_the_page_and_are_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (path,) = (ROOT / "docs").rglob("human_baseline.md")
    text = path.read_text(encoding="utf-8")
    (make,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(make, path.name, "exec"), names)
    right = {each.input: thence.answer(each) for each in names["questions"]}
    (block,) = re.findall(r"```sh\n(.*?)\n```", text, re.DOTALL)
    serve, *lines = (shlex.split(line)[1:] for line in block.splitlines())
    assert serve[:3] == ["ratings", "serve", "--questions"]
    people = People(FromFiles([Path(serve[3])]), Path(serve[5]))
    for person in map(people.rater, ("p1", "p2")):
        for place in range(len(right)):
            shown = people.show(person, place)
            people.judge(person, place, right[shown["parts"][0]["text"]], seconds=1.0)
    thence.run(serve[3], "baseline/random", out="runs/model")
    for line in lines:
        gate = ["--fail-under", "procbench=1"] if line[0] == "score" else []
        assert cli.run([*line, *gate]) == 0


def test_pages_that_a_repository_shows_are_where_they_are_looked_for() -> None:
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md", "CITATION.cff", "LICENSE", "CHANGELOG.md"):
        assert (ROOT / name).is_file(), name
