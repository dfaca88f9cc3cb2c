"""``thence errors``: what is not right in a run, for every family."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import refused, rows, thence, write_rows
from tests.extra import offered
from tests.families.catbench.corpora import small_corpus
from thence import families

COLUMNS = [
    "model", "task", "id", "epoch", "outcome", "question", "truth", "reply", "answer", "rule",
    "witness", "error_type",
]  # fmt: skip


def listed(path: Path | str = "errors.csv") -> list[dict[str, str]]:
    limit = csv.field_size_limit(2**31 - 1)
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            found = list(reader)
            assert reader.fieldnames == COLUMNS
    finally:
        csv.field_size_limit(limit)
    return found


def catbench_run(folder: Path, replies: Any, *more: object) -> list[dict[str, Any]]:
    """A run of CaT-Bench whose replies are made from each sample; the samples."""
    corpus, titles = small_corpus(folder)
    thence(
        "run", "catbench", "--set", f"flow_graphs={corpus}", "--set", f"titles={titles}",
        "--model", "baseline/oracle", "-o", "run", *more,
    )  # fmt: skip
    samples = {row["id"]: row for row in rows("run/samples.jsonl")}
    answers = rows("run/responses.jsonl")
    write_rows("run/responses.jsonl", [row | replies(samples[row["id"]]) for row in answers])
    return list(samples.values())


def test_every_wrong_answer_stands_with_what_it_was_judged_by(tmp_path: Path) -> None:
    def reply(sample: dict[str, Any]) -> dict[str, Any]:
        wrong = "No, it need not." if sample["target"] == "yes" else "yes"
        return {"response": sample["target"] if sample["metadata"]["close"] else wrong}

    samples = {row["id"]: row for row in catbench_run(tmp_path, reply)}
    done = thence("errors", "run", "-o", "errors.csv")
    assert done.err == ""
    found = listed()
    expected = [row["id"] for row in samples.values() if not row["metadata"]["close"]]
    assert [row["id"] for row in found] == expected
    assert done.last == f"{len(expected):,} answers are not right: errors.csv"
    kinds = set()
    for row in found:
        sample = samples[row["id"]]
        assert row["question"] == sample["input"]
        assert row["truth"] == sample["target"]
        assert (row["outcome"], row["task"], row["epoch"]) == ("wrong", "catbench/order", "0")
        if sample["target"] == "no":
            assert (row["answer"], row["rule"], row["witness"]) == ("yes", "word", "")
            assert row["error_type"] == ""
            continue
        assert (row["reply"], row["answer"], row["rule"]) == ("No, it need not.", "no", "opening")
        chain = sample["metadata"]["witness"]["chain"]
        assert row["witness"] == ", then ".join(f"Step {place + 1}" for place in chain)
        assert all(f"Step {place + 1}" in row["question"] for place in (chain[0], chain[-1]))
        assert row["error_type"] == ("multi-hop" if len(chain) > 2 else "")
        kinds.add(row["error_type"])
    assert kinds == {"", "multi-hop"}


def test_what_could_not_be_read_is_listed_and_an_error_of_the_provider_is_not(
    tmp_path: Path,
) -> None:
    odd = iter([{"response": "I cannot tell."}, {"response": "ye", "finish_reason": "length"}])
    failed = {"kind": "timeout", "message": "none came", "status": None}

    def reply(sample: dict[str, Any]) -> dict[str, Any]:
        return next(odd, {"response": None, "error": failed})

    catbench_run(tmp_path, reply)
    assert "2 answers are not right" in thence("errors", "run", "-o", "errors.csv").out
    first, second = listed()
    assert (first["outcome"], first["answer"], first["rule"]) == ("no_answer", "", "")
    assert first["reply"] == "I cannot tell."
    assert second["outcome"] == "truncated"
    assert first["error_type"] == second["error_type"] == ""


def test_a_hostile_reply_is_written_whole(tmp_path: Path) -> None:
    text = 'no, "quoted"\r\n=1+1\x00\ud800 \x1b[2J' + "x" * 5000
    catbench_run(tmp_path, lambda sample: {"response": text}, "--size", 12)
    thence("errors", "run", "-o", "errors.csv")
    found = listed()
    assert {row["reply"] for row in found} == {text.replace("\ud800", "\\ud800")}
    shown = thence("errors", "run").out
    assert "\x1b[2J" not in shown
    assert "\\x1b[2J" in shown
    assert "characters ...]" in shown


def test_no_reply_becomes_a_formula(tmp_path: Path) -> None:
    catbench_run(tmp_path, lambda sample: {"response": "=cmd|' /C calc'!A0"}, "--size", 12)
    thence("errors", "run", "-o", "errors.csv")
    assert {row["reply"] for row in listed()} == {"'=cmd|' /C calc'!A0"}


@pytest.mark.parametrize("name", ["procbench/sort", "releval", "catbench"])
def test_it_works_for_every_family(name: str) -> None:
    if not any(task.startswith(name) for task in offered()):
        pytest.skip(f"{name} is not offered here")
    thence("run", name, "--size", "9", "--model", "baseline/random", "-o", "run")
    thence("errors", "run", "-o", "errors.csv")
    scores = thence("score", "run", "--json").json()["groups"]
    wrong = sum(each["n"] - each["correct"] for each in scores.values())
    found = listed()
    assert len(found) == wrong > 0
    for row in found:
        task = families.task(row["task"])
        assert task.format.write(
            json.loads(row["truth"]) if row["truth"][:1] in "{[" else row["truth"]
        )


def test_a_right_run_has_none() -> None:
    thence("run", "procbench/sort", "--size", "2", "--model", "baseline/oracle", "-o", "run")
    assert thence("errors", "run").out == "0 answers are not right\n"
    thence("errors", "run", "-o", "errors.csv")
    assert listed() == []


def test_refusals() -> None:
    refused("errors", "none", says=("none: no such run directory",))
    thence("run", "procbench/sort", "--size", "2", "--model", "baseline/oracle", "-o", "run")
    Path("there.csv").write_text("mine")
    refused("errors", "run", "-o", "there.csv", says=("-o there.csv: exists", "--overwrite"))
    refused("errors", "run", "-o", "no/such.csv", says=("-o no/such.csv: name a file",))
    refused("errors", "run", "-o", "run", "--overwrite", says=("-o run: name a file",))
    thence("errors", "run", "-o", "there.csv", "--overwrite")
    assert listed("there.csv") == []
