"""``thence audit catbench``: published questions and step texts against the corpus."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import refused, thence
from tests.families.catbench.corpora import QUESTIONS, published, small_corpus
from thence.domains.flow_graphs import read_corpus

FIELDS = ["title", "steps", "question_type", "step_pair_idx_asked_about", "binary_question"]


def questions(folder: Path) -> tuple[list[dict[str, str]], tuple[object, ...]]:
    """Right rows about a small corpus, and the options that name it."""
    corpus, titles = small_corpus(folder, 6)
    found = []
    for recipe in read_corpus(corpus, titles).listed:
        for i, j in ((0, 1), (0, 4), (2, 3)):
            kind = "dependent" if recipe.graph.reaches(i, j) else "nondependent"
            for relation in ("before", "after"):
                first, second = (i + 1, j + 1) if relation == "before" else (j + 1, i + 1)
                found.append(
                    {
                        "title": recipe.title,
                        "steps": json.dumps(recipe.steps),
                        "question_type": f"{kind}_real_{relation}",
                        "step_pair_idx_asked_about": f"[{i}, {j}]",
                        "binary_question": f"Must Step {first} happen {relation} Step {second}?",
                    }
                )
    return found, ("--flow-graphs", corpus, "--titles", titles)


def write(rows: list[dict[str, str]]) -> Path:
    path = Path("questions.csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_all_agree(tmp_path: Path) -> None:
    rows, options = questions(tmp_path)
    done = thence("audit", "catbench", write(rows), *options, "--json")
    assert done.err == ""
    found = done.json()
    steps = sum(len(json.loads(steps)) for steps in {row["steps"] for row in rows})
    assert found["checked"] == found["agreed"] == len(rows) + steps
    assert found["groups"]["step texts"] == {"checked": steps, "agreed": steps}
    assert set(found["groups"]) <= {
        "step texts",
        *(f"{kind}dependent_real_{when}" for kind in ("", "non") for when in ("before", "after")),
    }


def test_switched_texts_are_known(tmp_path: Path) -> None:
    rows, options = questions(tmp_path)
    row = next(row for row in rows if row["question_type"].startswith("non"))
    i, j = json.loads(row["step_pair_idx_asked_about"])
    steps = json.loads(row["steps"])
    steps[i], steps[j] = steps[j], steps[i]
    name = row["question_type"].replace("real", "switched")
    turned = {**row, "steps": json.dumps(steps), "question_type": name}
    assert thence("audit", "catbench", write([turned]), *options, "--json").json()["disagreed"] == 0
    thence("audit", "catbench", write([{**turned, "steps": row["steps"]}]), *options, status=1)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda row: {"question_type": _other(row["question_type"])}, "orders them|no chain leads"),
        (lambda row: {"binary_question": "Is it so?"}, "put otherwise"),
        (lambda row: {"steps": row["steps"].replace("Do thing 2", "Undo thing 2")}, "the text is"),
        (lambda row: {"steps": json.dumps(json.loads(row["steps"])[:-1])}, "not None"),
    ],
)
def test_a_difference_is_named(tmp_path: Path, change: Any, why: str) -> None:
    rows, options = questions(tmp_path)
    rows[3] |= change(rows[3])
    done = thence("audit", "catbench", write(rows), *options, "--json", status=1)
    found = done.json()
    assert found["disagreed"] == 1
    (example,) = found["examples"]
    assert any(part in example["why"] for part in why.split("|"))
    assert example["id"].startswith("dish 0 ")


def _other(name: str) -> str:
    return name.removeprefix("non") if name.startswith("non") else f"non{name}"


def test_what_cannot_be_checked_is_skipped_and_said(tmp_path: Path) -> None:
    rows, options = questions(tmp_path)
    rows[0]["title"] = rows[1]["title"] = "no such dish"
    rows[2]["question_type"] = "dependent"
    rows[4]["step_pair_idx_asked_about"] = "[5, 2]"
    rows[5]["step_pair_idx_asked_about"] = "[0, 99]"
    rows[6]["steps"] = "Mix. Stir."
    flow = tmp_path / "corpus" / "r-200" / "recipe-00000.flow"
    flow.write_text(flow.read_text() + "9 9 9 t 1 1 1\n")
    last = len(flow.read_text().splitlines())
    done = thence("audit", "catbench", write(rows), *options, "--json")
    assert done.json()["skipped"] == 6
    assert [line.partition(": ")[2].rpartition("/")[2] for line in done.err.splitlines()[:-1]] == [
        f"recipe-00000.flow:{last}: an edge to or from node 9 9 9, which does not exist; left out",
        "questions.csv:2: title 'no such dish': no recipe of the corpus has it; left out",
        "questions.csv:4: question_type 'dependent' cannot be read; left out",
        "questions.csv:6: step_pair_idx_asked_about '[5, 2]' cannot be read; left out",
        "questions.csv:7: step_pair_idx_asked_about '[0, 99]' cannot be read; left out",
        "questions.csv:8: steps are not a JSON list of texts; left out",
    ]
    assert done.err.splitlines()[-1] == "thence: questions.csv: 6 left out, as said above"


def test_what_is_needed_is_asked_for(tmp_path: Path) -> None:
    rows, options = questions(tmp_path)
    path = write(rows)
    refused("audit", "catbench", path, says=("--flow-graphs DIR",))
    refused("audit", "catbench", "none.csv", *options, says=("none.csv", "no such file"))
    refused("audit", "catbench", path, "--flow-graphs", "none", says=("none: no such folder",))
    refused(
        "audit", "catbench", path, *options[:2], "--titles", "none.json",
        says=("none.json: no such file",),
    )  # fmt: skip
    Path("other.csv").write_text("a,b\n1,2\n")
    refused("audit", "catbench", "other.csv", *options, says=("other.csv: has no column 'title'",))
    rows = [{**row, "title": "x"} for row in rows]
    done = thence("audit", "catbench", write(rows), *options, status=2)
    assert "holds no question about a recipe" in done.err


def test_every_published_question_and_text_agrees() -> None:
    folder = published()
    done = thence(
        "audit", "catbench", QUESTIONS, "--flow-graphs", folder / "flow_graph_corpus",
        "--titles", folder / "title_map.json", "--json",
    )  # fmt: skip
    found = done.json()
    assert done.err == ""
    assert found["checked"] == found["agreed"] == 1596 + 260
    assert found["skipped"] == 0
