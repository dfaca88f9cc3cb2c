"""A file that was extracted from a text says so, and where its entries stand in that text."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from thence.procedures import SourceError, read_document

FILE = """
goal: Make batter
extracted: {model: rules, source: batter.txt, text: batter.txt, at: 2026-01-05}
start: [eggs]
steps:
  - text: Whisk the eggs
    uses: [eggs]
    defines: [batter]
    spans: {text: [0, 14], uses: {eggs: [10, 14]}}
    unsure: [defines batter]
"""


def read(folder: Path, text: str):
    path = folder / "batter.yaml"
    path.write_text(text)
    return read_document(path)


def test_an_extracted_file_is_unreviewed_until_it_says_otherwise(tmp_path):
    document = read(tmp_path, FILE)
    assert document.unreviewed
    step = document.form.steps[0]
    assert step.spans["uses"]["eggs"][:2] == (10, 14)
    assert step.unsure == ["defines batter"]
    assert not read(tmp_path, FILE + "reviewed: true\n").unreviewed
    held = read(tmp_path, FILE + "    reviewed: false\nreviewed: true\n")
    assert held.unreviewed_because == "a step of it says 'reviewed: false'; review it"
    assert not read(tmp_path, "goal: a\nsteps: [b]\n").unreviewed


def test_what_was_confirmed_of_another_text_is_unreviewed(tmp_path):
    text = "Beat the eggs."
    stamp = f"sha256: {sha256(text.encode()).hexdigest()}, at:"
    confirmed = FILE.replace("at:", stamp) + "reviewed: true\n"
    assert not read(tmp_path, confirmed).unreviewed  # the text is kept elsewhere
    (tmp_path / "batter.txt").write_text(text)
    assert not read(tmp_path, confirmed).unreviewed
    (tmp_path / "batter.txt").write_text("Boil the eggs.")
    why = "batter.txt is not the text that was confirmed; extract it anew"
    assert read(tmp_path, confirmed).unreviewed_because == why


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{eggs:", "{milk:", "9:41: spans: 'milk' is not in uses of this step"),
        ("uses: {", "needs: {", "9:28: spans has no 'needs' (known: text, duration, seconds, "),
        ("[10, 14]", "[14, 10]", "9:41: a span is two whole numbers, the first less, such as"),
        ("at: 2026-01-05}", "at: 2026-01-05}\nreviewed: maybe",
         "4:11: reviewed takes true or false, not 'maybe'"),
        ("model: rules, ", "", "3:12: no model; extracted has a model and a source"),
    ],
)  # fmt: skip
def test_a_stamp_that_is_none_is_refused(tmp_path, old, new, said):
    with pytest.raises(SourceError) as error:
        read(tmp_path, FILE.replace(old, new))
    assert said in str(error.value)
