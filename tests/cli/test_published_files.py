"""Questions of the benchmarks' authors, put to models as they stand in the authors' files."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import thence as library
from tests.cli.command import refused, rows, settle, thence, write_rows
from thence.analysis.shortcut_marks import mark
from thence.errors import ParameterError

DATA = Path(__file__).parents[3] / "shared" / "data"

EXAMPLE = {
    "prompt": "Add or multiply numbers to N.\n\n[Question]\nN = 4\n"
    "Operations: [Add 0, Multiply 5]\n\n",
    "label": {"final": 20, "init": 4, "intermediate": [4]},
    "task_name": "task21",
    "example_name": "0001",
    "problem_name": "task21_0001",
}
STEPS = ["Cut the bread.", "Heat the pan.", "Toast it.", "Serve."]
ASKED = "Must Step 1 happen before Step 3?"
CELLS = "reaching_definitions", "concurrency_analysis"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch, tmp_path)


def pairs() -> Path:
    """A CSV of questions about one recipe: 1 -> 3 -> 4, and 2 is apart; one pair switched."""
    path, switched = Path("questions.csv"), [STEPS[1], STEPS[0], *STEPS[2:]]
    held = [
        ("dependent_real_before", [0, 2], ASKED, STEPS),
        ("dependent_real_after", [0, 2], "Must Step 3 happen after Step 1?", STEPS),
        ("dependent_real_before", [2, 3], "Must Step 3 happen before Step 4?", STEPS),
        ("nondependent_real_before", [0, 1], "Must Step 1 happen before Step 2?", STEPS),
        ("nondependent_switched_before", [0, 1], "Must Step 1 happen before Step 2?", switched),
    ]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["title", "steps", "question_type", "step_pair_idx_asked_about", "binary_question"]
        )
        for kind, pair, asked, steps in held:
            writer.writerow(["toast", json.dumps(steps), kind, json.dumps(pair), asked])
    return path


def checkout() -> Path:
    """The layout of FABLE's results: two models, the same questions in two cells."""
    prompt = (
        "You are an analyst.\n\nGiven the following:\n\n  Goal: tea\n\n  Steps:\n"
        "  Step 1: Boil water.\n  Step 2: Pour it.\n\nQuestion:\n  Is {} done by Step 2?\n\n"
        "Please answer only 'Yes' or 'No'."
    )
    for model in ("one", "two"):
        for cell, truth in zip(CELLS, ("True", "No"), strict=True):
            path = Path(f"fable_data/results/recipe/result_{model}_{cell}.csv")
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(["prompt", "ground_truth", "response"])
                for what in ("boiling", "pouring"):
                    writer.writerow([prompt.format(what), truth, f"{model} says Yes"])
    return Path("fable_data")


def requests(source: Path, *options: object) -> list[str]:
    """The prompts that a model is sent, by a function as a model."""
    sent: list[str] = []

    def model(messages: list[dict[str, str]]) -> str:
        sent.append(messages[-1]["content"])
        return "No"

    library.run(source, model, out=Path("asked"), name="a function")
    return sent


def test_procbench_is_asked_by_its_own_prompts() -> None:
    path = write_rows("taken.jsonl", [EXAMPLE])
    assert requests(path) == [EXAMPLE["prompt"]]
    (sample,) = library.read(path)
    assert (sample.task, sample.target) == (
        "procbench/cumulate",
        {"intermediate": [4], "final": 20},
    )
    assert sample.published
    assert sample.metadata["origin"] == {"source": "published", "name": "task21_0001"}
    again = write_rows("more.jsonl", [{**EXAMPLE, "problem_name": "task21_0002"}, EXAMPLE])
    assert library.read(again)[1].id == sample.id  # of name and prompt alone


def test_catbench_is_asked_with_its_titles_steps_and_questions() -> None:
    held = list(library.read(pairs()))
    assert [each.target for each in held] == ["yes", "yes", "yes", "no", "no"]
    assert [each.metadata["split"] for each in held] == [*["DEP"] * 3, "NONDEP", "NONDEP-S"]
    first, last = held[0].input, held[-1].input
    assert "Goal: toast\n" in first
    assert first.index("Step 1: Cut the bread.") < first.index("Step 2: Heat the pan.")
    assert last.index("Step 1: Heat the pan.") < last.index("Step 2: Cut the bread.")
    assert f"\n{ASKED}\n\nSelect between yes or no." in first
    for each in held:
        task = library.tasks(each.task)[0]
        assert task.name == "catbench/order"
    thence("run", "questions.csv", "--model", "baseline/oracle", "-o", "oracle")
    assert "accuracy catbench 1.000" in thence("score", "oracle").last


def test_catbench_is_asked_for_explanations_around_its_own_words() -> None:
    sample = library.read(pairs())[0]
    (message,) = library.conversation(sample, "explain_then_answer").messages
    assert ASKED in message["content"]
    assert "binary_answer" in message["content"]
    assert "Select between yes or no." not in message["content"]


def test_fable_is_asked_by_the_prompts_of_its_results_once_each() -> None:
    folder = checkout()
    held = list(library.read(folder))
    assert Counter(each.task for each in held) == {
        "fable/recipes/reaching_definitions": 2,
        "fable/recipes/concurrency": 2,
    }
    assert all("You are an analyst." in each.input for each in held)
    thence("run", folder, "--model", "baseline/oracle", "-o", "oracle")
    for scorer in ("strict", "official"):  # a truth written "True" is found by both
        done = thence("score", "oracle", "--scorer", scorer)
        assert "accuracy fable 1.000" in done.last
    by_model = {each.id for each in held}
    gathered = thence("score", folder, "--details", "all.jsonl")
    assert {row["id"] for row in rows("all.jsonl")} == by_model, gathered.out


@pytest.mark.parametrize("make", [pairs, checkout, lambda: write_rows("x.jsonl", [EXAMPLE])])
def test_runs_of_published_questions_are_resumed_compared_and_reported(make: Any) -> None:
    source = make()
    asked = ("run", source, "--model", "baseline/oracle", "-o", "oracle")
    thence(*asked)
    before = Path("oracle/responses.jsonl").read_bytes()
    thence(*asked)
    assert Path("oracle/responses.jsonl").read_bytes() == before
    thence("run", source, "--model", "baseline/random", "-o", "random")
    assert "B-A" in thence("compare", "random", "oracle").out
    thence("report", "oracle", "random", "-o", "page.html")
    told = "Published questions, in the words of their authors."
    assert told in Path("page.html").read_text(encoding="utf-8")
    assert told in thence("score", "oracle").out
    assert len(rows("oracle/samples.jsonl")) == len(library.read(source))


def test_a_part_of_a_published_file_is_asked() -> None:
    thence("run", pairs(), "--limit", "2", "--model", "baseline/oracle", "-o", "part")
    assert [row["metadata"]["split"] for row in rows("part/samples.jsonl")] != ["DEP", "DEP"]


def test_protocols_that_would_word_a_published_prompt_anew_are_refused() -> None:
    path = write_rows("x.jsonl", [EXAMPLE])
    (sample,) = library.read(path)
    with pytest.raises(ParameterError, match=r"its authors' words.*use direct or are_you_sure"):
        library.conversation(sample, "chain_of_thought")
    talk = library.conversation(sample, "are_you_sure", words="plain")
    assert talk.hear("[4], 20")
    assert [each["content"] for each in talk.messages[::2]] == [EXAMPLE["prompt"], "Are you sure?"]
    said = ("--protocol few_shot", "authors' words", "use direct or are_you_sure")
    refused(
        "run", path, "--model", "baseline/oracle", "--protocol", "few_shot", says=said, changes=True
    )


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"prompt": "no question here"}, "the prompt cannot be read"),
        ({"label": {"final": 20}}, "the label must hold 'intermediate'"),
        ({"label": {"final": [20], "intermediate": [4]}}, "must hold its states"),
        ({"task_name": "task99"}, "ProcBench's are task01 to task23"),
    ],
)
def test_a_damaged_example_is_named_by_its_line(row: dict[str, Any], says: str) -> None:
    path = write_rows("x.jsonl", [EXAMPLE, {**EXAMPLE, **row}])
    line = refused("run", path, "--model", "baseline/oracle", says=("x.jsonl:", says), changes=True)
    assert "2" in line


def test_a_damaged_question_of_a_csv_is_named_by_its_line() -> None:
    path = pairs()
    path.write_text(path.read_text(encoding="utf-8").replace('"[2, 3]"', '"[3, 2]"'), "utf-8")
    says = ("questions.csv:4:", "step_pair_idx_asked_about '[3, 2]' cannot be read")
    refused("run", path, "--model", "baseline/oracle", says=says, changes=True)


@pytest.mark.parametrize(
    ("name", "count", "tasks"),
    [
        ("procbench/official_sample.jsonl", 460, 23),
        ("catbench/official_questions.csv", 1596, 1),
        ("fable", 720, 24),
    ],
)
def test_the_published_data_are_asked_whole(name: str, count: int, tasks: int) -> None:
    if not (DATA / name).exists():
        pytest.skip("the published data are not beside this repository")
    held = list(library.read(DATA / name))
    assert (len(held), len({each.task for each in held})) == (count, tasks)
    assert len({each.id for each in held}) == count
    thence("run", DATA / name, "--model", "baseline/oracle", "-o", "oracle")
    scorers = ("strict", "official") if name == "fable" else ("strict",)
    for scorer in scorers:
        document = thence("score", "oracle", "--scorer", scorer, "--json").json()
        assert [each["accuracy"] for each in document["overall"].values()] == [1]


def test_a_file_without_questions_is_refused() -> None:
    path = pairs()
    path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n", "utf-8")
    refused("run", path, "--model", "baseline/oracle", "-o", "none", says=("holds no questions",))


def test_the_mark_of_our_own_questions_does_not_stand_beside_published_ones() -> None:
    thence("run", pairs(), "--model", "baseline/majority", "-o", "theirs")
    thence("run", "catbench", "--size", 6, "--model", "baseline/majority", "-o", "ours")
    found = [library.open_run(name).scores().results[0] for name in ("ours", "theirs")]
    assert [mark(each, "catbench/order") is None for each in found] == [False, True]


def test_two_versions_of_a_task_are_asked_in_two_runs() -> None:
    for dialect in ("published", "sound"):
        made = ("fable/recipes/taint", "--size", 2, "--dialect", dialect)
        thence("generate", *made, "-o", f"{dialect}.jsonl")
    files = ("published.jsonl", "sound.jsonl")
    says = (
        "sound.jsonl: sample",
        "is of version 2-0 of fable/recipes/taint, and one before it of 1-0",
    )
    refused("run", *files, "--model", "baseline/oracle", "-o", "mix", says=says, changes=True)
    both = [each for name in files for each in library.read(name)]
    with pytest.raises(ParameterError, match="ask them in two runs"):
        library.run(both, "baseline/oracle", out="mix")


def test_a_run_of_the_published_dialect_is_of_a_version_of_today() -> None:
    model = ("--model", "baseline/oracle", "-o", "run")
    thence("run", "fable/recipes/taint", "--size", 2, "--dialect", "published", *model)
    thence("report", "run", "-o", "page.html")
    assert "Of another version" not in Path("page.html").read_text(encoding="utf-8")
    assert "all 8 rules are kept" in thence("check-submission", "run").out
