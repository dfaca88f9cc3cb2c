"""Questions about a folder of a user's own procedures, from FABLE and CaT-Bench."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import refused, rows, thence
from tests.families.fable.sheet_reader import solve
from thence import families

TEA = """
goal: Serve tea and toast
start: [cold water, bread, leaves, clean cup]
results: [tea in the cup, toast]
choices: {milk: [none, some]}
steps:
  - {text: Boil the water, uses: [cold water], kills: [cold water], defines: [hot water],
     duration: 3-4 min}
  - {text: Toast the bread, uses: [bread], defines: [toast], duration: 2 min}
  - {text: Pour hot water on the leaves, uses: [hot water, leaves], kills: [hot water],
     defines: [tea], duration: 30 s}
  - {text: Pour milk into the cup, uses: [clean cup], defines: [cup ready], when: {milk: some}}
  - {text: Set the cup out, uses: [clean cup], defines: [cup ready], when: {milk: none}}
  - {text: Pour the tea into the cup, uses: [tea, cup ready], kills: [tea],
     defines: [tea in the cup]}
"""
PAINT = """
goal: Paint a door
steps:
  - {text: Sand the door, defines: [smooth door]}
  - {text: Stir the paint, defines: [paint]}
  - {text: Paint the door, uses: [smooth door, paint], kills: [paint], defines: [wet door]}
  - {text: Wash the brush, after: 3, defines: [clean brush]}
  - {text: Let the door dry, uses: [wet door], defines: [dry door]}
results: [dry door, clean brush]
"""
EXTRACTED = "extracted: {model: x/y, source: door.txt}\n"


@pytest.fixture(autouse=True)
def _folder() -> None:
    Path("own").mkdir()
    Path("own/tea.yaml").write_text(TEA, encoding="utf-8")
    Path("own/paint.yaml").write_text(PAINT, encoding="utf-8")


def test_a_folder_is_asked_about_and_a_cell_without_questions_stops_no_other() -> None:
    done = thence(
        "generate", "fable/runbooks/*", "--set", "source=own", "--size", 6, "-o", "q.jsonl"
    )
    made = rows("q.jsonl")
    assert len({row["id"] for row in made}) == len(made) > 20
    for row in made:
        kind = row["task"].rpartition("/")[2]
        found, target = solve(kind, row["input"]), row["target"]
        if kind == "intervals":
            target = [target["low"], target["high"]]
        assert found == target, row["input"]
    assert {row["metadata"]["origin"]["name"] for row in made} == {"paint.yaml", "tea.yaml"}
    few = [line for line in done.err.splitlines() if "questions about these procedures" in line]
    assert few
    Path("own/tea.yaml").unlink()
    done = thence("generate", "fable/runbooks/*", "--set", "source=own", "-o", "p.jsonl")
    assert "intervals is not offered: no step that waits for another tells" in done.err
    assert "fable/runbooks/concurrency" in {row["task"] for row in rows("p.jsonl")}


def test_questions_are_guessed_and_shown_examples_where_the_folder_is_not_known() -> None:
    asked = ("fable/runbooks/concurrency", "fable/runbooks/intervals")
    thence("generate", *asked, "--set", "source=own", "--size", 3, "-o", "q.jsonl")
    for path in Path("own").iterdir():
        path.unlink()
    families.task("fable/runbooks/intervals").generator.domain._own.clear()  # type: ignore[attr-defined]
    count = len(rows("q.jsonl"))
    few_shot = ("--protocol", "few_shot", "--set-protocol", "pool=12")
    for number, more in enumerate(((), few_shot)):
        thence("run", "q.jsonl", "--model", "baseline/random", *more, "-o", f"r{number}")
        held = rows(f"r{number}/responses.jsonl")
        assert len(held) == count
        assert not any(row["error"] for row in held)


def test_the_order_of_a_folder_is_asked_about_and_what_has_choices_left_out() -> None:
    done = thence("generate", "catbench", "--set", "source=own", "-o", "q.jsonl")
    assert "own/tea.yaml: left out, as its steps depend on choices" in done.err
    assert {row["metadata"]["procedure"]["goal"] for row in rows("q.jsonl")} == {"Paint a door"}


STUCK = """
goal: Boil pasta with bacon
steps:
  - {text: Boil the pasta, defines: [pasta]}
  - {text: "Meanwhile, fry the bacon", defines: [bacon]}
"""
MIXED = STUCK + "  - {text: Mix the pasta and the bacon, uses: [pasta, bacon], defines: [dinner]}\n"
REFERS = 'a text such as "Meanwhile, fry the bacon" needs the step before it'


def test_steps_whose_text_refers_to_the_one_before_are_said_to_stay_there() -> None:
    Path("own/mixed.yaml").write_text(MIXED, encoding="utf-8")
    refused("generate", "catbench", "--set", "source=own/mixed.yaml", "-o", "q.jsonl",
            says=["own/mixed.yaml: steps may be done in either order", REFERS])  # fmt: skip
    Path("own/stuck.yaml").write_text(STUCK, encoding="utf-8")
    Path("own/single.yaml").write_text("goal: g\nsteps: [Wash the car]", encoding="utf-8")
    done = thence("generate", "catbench", "--set", "source=own", "-o", "q.jsonl")
    assert f"own/mixed.yaml: steps in no order are not asked about, as {REFERS}" in done.err
    assert f"own/stuck.yaml: left out, as {REFERS}" in done.err
    assert "own/single.yaml: left out, as it has no two steps" in done.err


@pytest.mark.parametrize("task", ["fable/runbooks/concurrency", "catbench"])
def test_what_nobody_reviewed_is_asked_about_on_demand_only_and_says_so(task: str) -> None:
    Path("own/paint.yaml").write_text(EXTRACTED + PAINT, encoding="utf-8")
    own = ("generate", task, "--set", "source=own/paint.yaml", "-o", "q.jsonl")
    refused(*own, says=["paint.yaml", "nobody reviewed it", "unreviewed=yes"])
    thence(*own, "--set", "unreviewed=yes")
    assert all("nobody has reviewed it" in row["input"] for row in rows("q.jsonl"))
    Path("own/paint.yaml").write_text(f"{EXTRACTED}reviewed: true\n{PAINT}", encoding="utf-8")
    thence(*own, "--overwrite")
    assert not any("reviewed" in row["input"] for row in rows("q.jsonl"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("goal: g\nsteps: [{text: a, uses: [x]}, {text: b, defines: [x]}]", "bad.yaml"),
        ("goal: g", "no steps"),
        ("goal: g\nsteps: [a, b]\norder: [[b, a]]", "step 2 comes before step 1"),
    ],
)
def test_a_file_of_a_folder_that_is_wrong_is_named(text: str, says: str) -> None:
    Path("own/bad.yaml").write_text(text, encoding="utf-8")
    refused("generate", "fable/runbooks/taint", "--set", "source=own", "-o", "q.jsonl", says=[says])


def test_a_source_that_is_not_there_is_refused() -> None:
    Path("empty").mkdir()
    for name, says in (("nowhere", "no such file or folder"), ("empty", "holds no .yaml file")):
        for task in ("fable/runbooks/taint", *(["catbench"] if name == "empty" else [])):
            refused("generate", task, "--set", f"source={name}", "-o", "q.jsonl", says=[name, says])


def test_the_three_domains_of_the_paper_say_who_takes_a_folder() -> None:
    refused("generate", "fable", "--set", "source=own", "-o", "q.jsonl", says=["fable/runbooks/*"])
    asked = ("fable/recipes/taint", "--set", "source=own", "--set", "unreviewed=yes")
    refused("show", *asked, says=["unreviewed", "it belongs to catbench/order, fable/runbooks/*"])
