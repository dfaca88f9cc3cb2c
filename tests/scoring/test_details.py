"""A row for every response: from the command and from Python, in every format."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import polars
import pytest
from openpyxl import load_workbook

import thence as library
from tests.cli.command import refused, rows, thence, write_rows
from thence.scoring import details


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*more: object) -> None:
    thence(
        "run", "procbench/sort", "procbench/count", "--size", 4, "--model", "baseline/random",
        "--epochs", 2, "--reduce", "majority", "-o", "run", *more,
    )  # fmt: skip


def read(path: str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_row_holds_question_reply_and_score() -> None:
    run()
    held = json.loads(Path("run/run.json").read_text())
    held["usd_per_million_tokens"] = {"input": 2.0, "output": 10.0}
    Path("run/run.json").write_text(json.dumps(held))
    responses = rows("run/responses.jsonl")
    for row in responses:
        row |= {"usage": {"input_tokens": 1000, "output_tokens": 100}, "response": "=1+1"}
    responses[-1] |= {"response": None, "error": {"kind": "timeout", "message": "none came"}}
    write_rows("run/responses.jsonl", responses)
    done = thence("score", "run", "--details", "d.csv", status=1)
    assert done.last == "16 responses: d.csv"
    found = read("d.csv")
    assert len(found) == len(responses) == 16  # each epoch for itself, whatever is voted
    samples = {row["id"]: row for row in rows("run/samples.jsonl")}
    by_place = {(row["id"], row["epoch"]): row for row in responses}
    for row in found:
        sample, response = samples[row["id"]], by_place[row["id"], int(row["epoch"])]
        assert (row["question"], row["task"]) == (sample["input"], sample["task"])
        assert json.loads(row["truth"]) == sample["target"]
        assert (row["model"], row["source"], row["turn"]) == ("baseline/random", "run", "0")
        assert float(row["cost_usd"]) == pytest.approx(0.003)
        assert (row["input_tokens"], row["output_tokens"]) == ("1000", "100")
        if response["response"] is None:
            assert row["outcome"] == "provider_error"
            assert row["error"] == "timeout: none came"
            assert row["pa"] == ""
        else:
            assert (row["reply"], row["outcome"], row["correct"]) == ("'=1+1", "no_answer", "false")
            assert row["pa"] == "0.0"
    names = list(found[0])
    assert names[: len(details.FIRST)] == list(details.FIRST)
    assert names[-len(details.LAST) :] == list(details.LAST)
    assert {"steps", "sm"} <= set(names)


def test_every_format_holds_the_same() -> None:
    run("--protocol", "are_you_sure")
    thence("run", "catbench", "--size", 6, "--model", "baseline/oracle", "-o", "other")
    for suffix in details.SUFFIXES:
        done = thence("score", "run", "other", "--json", "--details", f"d{suffix}")
        done.json()
        assert done.err == f"38 responses: d{suffix}\n"
    frames = [
        polars.read_csv("d.csv", infer_schema_length=None),
        polars.read_parquet("d.parquet"),
        polars.DataFrame(rows("d.jsonl"), infer_schema_length=None),
    ]
    sheet = load_workbook("d.xlsx").active
    assert sheet is not None
    header, *cells = sheet.iter_rows(values_only=True)
    held: list[dict[str, Any]] = [dict(zip(map(str, header), row, strict=True)) for row in cells]
    for name in ("model", "source", "id", "epoch", "turn", "correct", "outcome", "pa", "split"):
        values = frames[1][name].to_list()
        assert [frame[name].to_list() for frame in frames] == [values] * 3
        assert [row[name] for row in held] == values
    assert frames[1]["turn"].max() == 1
    assert frames[1]["witness"].drop_nulls()[0].startswith("Step ")
    schema = frames[1].schema
    assert schema["pa"] == polars.Float64
    assert schema["correct"] == polars.Boolean
    assert schema["epoch"] == polars.Int64
    assert schema["steps"] == polars.String
    assert schema["span"] == polars.List(polars.Int64)


def test_replies_gathered_elsewhere_have_details_too() -> None:
    thence("generate", "procbench/sort", "--size", 3, "-o", "q.jsonl")
    write_rows("r.jsonl", [{"id": row["id"], "response": "?"} for row in rows("q.jsonl")])
    thence("score", "r.jsonl", "--samples", "q.jsonl", "--details", "d.csv")
    found = read("d.csv")
    assert [row["reply"] for row in found] == ["?"] * 3
    assert {row["source"] for row in found} == {"r.jsonl"}
    assert {row["cost_usd"] for row in found} == {""}


def test_from_python() -> None:
    asked = library.generate("procbench/sort", size=3)
    done = library.run(asked, "baseline/oracle", out="run")
    scores = done.scores()
    held = list(scores.details())
    assert [row["id"] for row in held] == [sample.id for sample in asked]
    assert [row["correct"] for row in held] == scores.frame["correct"].to_list() == [True] * 3
    assert held[0]["reply"] == library.answer(asked[0])
    assert held[0]["span"] == [0, len(held[0]["reply"])]
    assert scores.write("d.csv") == Path("d.csv")
    assert read("d.csv")[0]["span"] == f"0-{len(held[0]['reply'])}"
    scores.write("d.jsonl")
    assert rows("d.jsonl")[0]["span"] == held[0]["span"]
    with pytest.raises(library.ParameterError, match="overwrite=True"):
        scores.write("d.csv")
    replies = {sample.id: [library.answer(sample), "?"] for sample in asked}
    found = library.score(asked, replies, reduce="majority").details()
    assert [(row["epoch"], row["correct"]) for row in found] == [(0, True), (1, False)] * 3


def test_rows_are_made_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    run()
    made: list[str] = []
    written: list[int] = []
    plain = details._row

    def noted(*given: Any) -> dict[str, Any]:
        made.append("row")
        return plain(*given)

    def write(path: Path, columns: Any, whole: Any) -> Any:
        written.extend(len(made) for _ in whole)
        return details.sheets.Written(len(written))

    monkeypatch.setattr(details, "_row", noted)
    monkeypatch.setattr(details.sheets, "write", write)
    thence("score", "run", "--details", "d.csv")
    assert written == list(range(1, 17))


def test_refusals() -> None:
    run()
    known = ".csv, .xlsx, .parquet or .jsonl"
    refused("score", "run", "--details", "d.txt", says=(f"--details d.txt: must end in {known}",))
    refused("score", "run", "--details", "no/d.csv", says=("--details no/d.csv: name a file",))
    Path("d.csv").write_text("mine")
    refused("score", "run", "--details", "d.csv", says=("--details d.csv: exists", "--overwrite"))
    thence("score", "run", "--details", "d.csv", "--overwrite")
    assert len(read("d.csv")) == 16
