"""Files that cannot be what they were given as: one line with the place, and nothing is touched."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import refused, rows, samples, thence, write_rows

ORACLE = ("--model", "baseline/oracle", "-o", "run")


def damaged(change: Callable[[dict[str, Any]], Any]) -> Path:
    """A file of good samples, the third of which is changed."""
    held = rows(samples("good.jsonl"))
    changed = change(held[2])
    held[2] = held[2] if changed is None else changed
    return write_rows("bad.jsonl", held)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{torn", "not JSON"),
        (b"[1, 2]", "must be a JSON object, not list"),
        (b"null", "must be a JSON object, not NoneType"),
        (b'"\xff\xfe"', "not UTF-8"),
        (b"\x00\x01", "not JSON"),
        (b"[" * 100_000, "not JSON: too deeply nested"),
        (b'{"id": ' + b"9" * 5000 + b"}", "not JSON"),
        (b"{}", "not a sample: field 'id' must be a string"),
        (b'{"id": 1}', "not a sample: field 'id' must be a string"),
    ],
    ids=["torn", "list", "null", "not-utf8", "nul", "deep", "huge-number", "empty", "no-sample"],
)
def test_a_line_that_is_no_sample(line: bytes, why: str) -> None:
    text = samples("good.jsonl").read_bytes()
    Path("bad.jsonl").write_bytes(text + line + b"\n")
    refused("run", "bad.jsonl", *ORACLE, says=("bad.jsonl:5: ", why))
    refused("run", "bad.jsonl", *ORACLE, "--dry-run", says=("bad.jsonl:5: ", why))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda row: row.update(task="procbench/srot"), ("'procbench/srot'", "'procbench/sort'?")),
        (lambda row: row.update(version="7-0"), ("version 7-0 of procbench/sort", "anew")),
        (lambda row: row.update(version="x"), ("version x", "generate it anew")),
        (lambda row: row.update(target=None), ("the target of procbench/sort must hold",)),
        (lambda row: row.update(target="x"), ("the target of procbench/sort must hold",)),
        (lambda row: row.update(target={"intermediate": [1], "final": "x"}), ("the target of",)),
        (lambda row: row.update(metadata={}), ("'question'",)),
        (lambda row: row["metadata"].update(steps=10**30), ("metadata.steps = 1000",)),
        (lambda row: row["metadata"].update(question=5), ("'question'",)),
        (lambda row: row["metadata"].update(steps="two"), ("'steps'",)),
    ],
    ids=[
        "task", "version", "no-version", "null-target", "text-target", "number-target",
        "no-metadata", "many-steps", "no-question", "no-steps",
    ],
)  # fmt: skip
def test_a_sample_of_no_task(change: Callable[[dict[str, Any]], None], says: list[str]) -> None:
    damaged(change)
    refused("run", "bad.jsonl", *ORACLE, says=("bad.jsonl: sample 3: ", *says))
    write_rows("x.jsonl", ({"id": row["id"], "response": "x"} for row in rows("good.jsonl")))
    refused("score", "x.jsonl", "--samples", "bad.jsonl", says=("bad.jsonl: sample 3: ", *says))


@pytest.mark.parametrize("name", ["id", "family", "task", "version", "input", "target"])
def test_a_field_that_is_missing(name: str) -> None:
    damaged(lambda row: row.pop(name) and None)
    refused("run", "bad.jsonl", *ORACLE, says=("bad.jsonl:3: not a sample", f"'{name}'"))


def test_metadata_that_is_no_object() -> None:
    damaged(lambda row: row.update(metadata=[1]))
    refused("run", "bad.jsonl", *ORACLE, says=("bad.jsonl:3", "'metadata' must be an object"))


def test_a_sample_that_comes_twice() -> None:
    held = rows(samples("good.jsonl"))
    write_rows("twice.jsonl", [*held, held[1]])
    name = held[1]["id"]
    refused("run", "twice.jsonl", *ORACLE, says=("twice.jsonl", name, "is in twice.jsonl already"))
    refused("run", "good.jsonl", "twice.jsonl", *ORACLE, says=("twice.jsonl", "good.jsonl already"))


@pytest.mark.parametrize("text", ["", "\n\n  \n"])
def test_a_file_of_nothing(text: str) -> None:
    Path("empty.jsonl").write_text(text)
    refused("run", "empty.jsonl", *ORACLE, says=("empty.jsonl", "holds no samples"))


def test_a_file_that_is_not_there() -> None:
    samples("questions.jsonl")
    says = ("qestions.jsonl", "no such file", "did you mean 'questions.jsonl'?")
    refused("run", "qestions.jsonl", *ORACLE, says=says)
    refused("run", "none/x.jsonl", *ORACLE, says=("none/x.jsonl", "no such file"))
    Path("folder.jsonl").mkdir()
    refused("run", "folder.jsonl", *ORACLE, says=("folder.jsonl", "is a folder"))


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("procbench/sort",), ("samples.jsonl is a file", "procbench/sort a task", "not both")),
        (("--seed", "1"), ("--seed", "samples.jsonl is a file", "leave it out")),
        (("--size", "2"), ("--size", "samples.jsonl is a file", "leave it out")),
        (("--set", "steps=2"), ("--set", "samples.jsonl is a file", "leave it out")),
        (("--limit", "0"), ("--limit 0", "at least 1")),
        (("--dialect", "sound"), ("--dialect sound", "a file of samples", "leave it out")),
    ],
)
def test_a_file_takes_no_options_of_generation(more: tuple[str, ...], says: list[str]) -> None:
    samples()
    refused("run", "samples.jsonl", *more, *ORACLE, says=says)
    refused("run", *more, "samples.jsonl", *ORACLE, "--dry-run", says=says)


def test_a_parquet_file_that_is_none() -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    whole = samples("good.parquet").read_bytes()
    Path("text.parquet").write_text("no Parquet")
    Path("cut.parquet").write_bytes(whole[: len(whole) // 2])
    flipped = bytes(byte ^ 0x5A if 40 <= place < 400 else byte for place, byte in enumerate(whole))
    Path("flipped.parquet").write_bytes(flipped)
    held = parquet.read_table("good.parquet").to_pylist()
    deep = [row | {"metadata": "[" * 100_000} for row in held]
    parquet.write_table(arrow.Table.from_pylist(deep), "deep.parquet")
    parquet.write_table(arrow.table({"x": [1, 2]}), "other.parquet")
    for name in ("text.parquet", "cut.parquet", "flipped.parquet", "deep.parquet"):
        refused("run", name, *ORACLE, says=(name, "not a Parquet file of samples"))
    refused("run", "other.parquet", *ORACLE, says=("other.parquet:1", "not a sample", "'id'"))


def test_templates_that_cannot_be_rendered() -> None:
    Path("mine/procbench").mkdir(parents=True)
    template = Path("mine/procbench/sort.jinja")
    for text in ("{% if %}", "{{ nothing_of_the_kind }}", "{{ string.no.such }}", "{{ 1 + 'a' }}"):
        template.write_text(text)
        arguments = ("procbench/sort", "--size", "2", "--templates", "mine")
        says = (str(template),)
        refused("generate", *arguments, "-o", "x.jsonl", says=says)
        refused("show", "procbench/sort", "--templates", "mine", says=says)
        refused("run", *arguments, *ORACLE, says=says)


# A file may lack what the interface does not promise -------------------------------------------


@pytest.mark.parametrize("baseline", ["oracle", "random", "majority", "heuristic"])
def test_samples_that_hold_only_what_the_interface_promises(baseline: str) -> None:
    held = rows(samples("good.jsonl"))
    for row in held:
        promised = ("steps", "init", "question")
        row["metadata"] = {name: row["metadata"][name] for name in promised}
    write_rows("foreign.jsonl", held)
    done = thence("run", "foreign.jsonl", "--model", f"baseline/{baseline}", "-o", "run")
    assert "procbench  " in done.out


def test_a_seed_that_is_none_is_said() -> None:
    damaged(lambda row: row["metadata"].update(seed="a7"))
    for baseline in ("oracle", "random", "heuristic"):
        thence("run", "bad.jsonl", "--model", f"baseline/{baseline}", "-o", baseline)
    run = ("run", "bad.jsonl", "--limit", "3", "--model", "baseline/majority", "-o", "run")
    first = rows("bad.jsonl")
    write_rows("bad.jsonl", first[2:])
    says = (first[2]["id"], "procbench/sort", "generate it anew")
    refused(*run, says=says, changes=True)


# Replies and runs ------------------------------------------------------------------------------


def test_scores_of_what_is_no_run() -> None:
    Path("folder").mkdir()
    samples("good.jsonl")
    refused("score", "folder", says=("folder", "not a run directory", "run.json"))
    refused("score", "none", says=("none", "no such run directory"))
    refused("score", "good.jsonl", says=("good.jsonl", "--samples FILE", "its questions"))
    thence("run", "good.jsonl", *ORACLE)
    said = ("--scorer official", "procbench has only the strict", "leave")
    refused("score", "run", "--scorer", "official", says=said)
    refused("score", "run", "--scorer", "kind", says=("'--scorer'", "'kind'", "'official'"))
    refused("score", "run", "none", says=("none", "no such run directory"))
    extract = ("score", "run", "--extractor")
    refused(*extract, "baseline/oracle", says=("--extractor baseline/oracle", "name a model"))
    refused(*extract, "gpt", says=("gpt", "PROVIDER/NAME"))
    official = ("--extractor", "x/m", "--scorer", "official")
    refused("score", "run", *official, says=("--extractor x/m", "official", "leave one"))
    Path("run/samples.jsonl").unlink()
    refused("score", "run", says=("run/samples.jsonl", "no such file;", "run's command"))


def test_scores_of_a_file_that_is_no_lines() -> None:
    samples("good.jsonl")
    Path("replies.csv").write_text("id,response\n")
    says = ("replies.csv", ".jsonl")
    refused("score", "replies.csv", "--samples", "good.jsonl", says=says)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{torn", "not JSON"),
        ("[]", "must be a JSON object"),
        ('{"response": "x"}', "field 'id' is missing"),
        ('{"id": 5, "response": "x"}', "field 'id' is of the wrong type"),
        ('{"id": "x", "response": 5}', "field 'response' is of the wrong type"),
        ('{"id": "x", "epoch": "1"}', "field 'epoch' is of the wrong type"),
        ('{"id": "x", "epoch": true}', "field 'epoch' is of the wrong type"),
        ('{"id": "x", "error": "bad"}', "field 'error' is of the wrong type"),
    ],
)
def test_a_line_that_is_no_reply(line: str, why: str) -> None:
    held = rows(samples("good.jsonl"))
    good = json.dumps({"id": held[0]["id"], "response": "x"})
    Path("replies.jsonl").write_text(f"{good}\n{line}\n")
    says = ("replies.jsonl:2: ", why)
    refused("score", "replies.jsonl", "--samples", "good.jsonl", says=says)


def test_replies_to_nothing() -> None:
    name = rows(samples("good.jsonl"))[0]["id"]
    score = ("score", "replies.jsonl", "--samples")
    write_rows("replies.jsonl", [{"id": name, "response": "x"}, {"id": "gone", "response": "x"}])
    refused(*score, "good.jsonl", says=("replies.jsonl:2", "good.jsonl", "'gone'", "give the file"))
    refused(*score, "none.jsonl", says=("none.jsonl", "no such file"))
    write_rows("replies.jsonl", [{"id": name, "response": "x"}] * 2)
    refused(*score, "good.jsonl", says=("replies.jsonl:2", name, "before", "'epoch'"))
    write_rows("replies.jsonl", [])
    refused(*score, "good.jsonl", says=("replies.jsonl", "holds no replies"))
    Path("replies.jsonl").unlink()
    refused(*score, "good.jsonl", says=("replies.jsonl", "no such file"))


@pytest.mark.parametrize(
    "more",
    [
        ({"epoch": -1}),
        ({"turn": 1}),
    ],
)
def test_replies_that_belong_nowhere(more: dict[str, int]) -> None:
    held = rows(samples("good.jsonl"))
    write_rows("replies.jsonl", ({"id": row["id"], "response": "x"} | more for row in held))
    says = ("replies.jsonl:1", *more)
    refused("score", "replies.jsonl", "--samples", "good.jsonl", says=says)


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("responses.jsonl", "{torn"),
        ("responses.jsonl", '{"id": 5}'),
        ("samples.jsonl", "{torn"),
        ("samples.jsonl", "{}"),
    ],
)
def test_a_run_with_a_bad_line(file: str, line: str) -> None:
    samples("good.jsonl")
    thence("run", "good.jsonl", *ORACLE)
    with Path("run", file).open("a") as opened:
        opened.write(line + "\n")
    refused("score", "run", says=(f"run/{file}:5: ",))
    refused("run", "good.jsonl", *ORACLE, says=(f"run/{file}:5: ",))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda row: row.update(version="7-0"), ("version 7-0",)),
        (lambda row: row.update(metadata={}), ("'question'",)),
        (lambda row: row.update(task="procbench/srot"), ("unknown task 'procbench/srot'",)),
    ],
)
def test_a_run_whose_samples_are_of_another_time(
    change: Callable[[dict[str, Any]], None], says: list[str]
) -> None:
    samples("good.jsonl")
    thence("run", "good.jsonl", *ORACLE)
    held = rows("run/samples.jsonl")
    for row in held:
        change(row)
    write_rows("run/samples.jsonl", held)
    refused("score", "run", says=says)


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"protocol": "direct", "epochs": "many"},
        {"protocol": "gone"},
    ],
)
def test_a_run_whose_request_is_foreign(request_: dict[str, Any]) -> None:
    samples("good.jsonl")
    thence("run", "good.jsonl", *ORACLE)
    held = json.loads(Path("run/run.json").read_text())
    Path("run/run.json").write_text(json.dumps(held | {"request": request_}))
    refused("score", "run", says=())


@pytest.mark.parametrize(
    "usage",
    [
        {},
        {"input_tokens": 5, "other": "x"},
        ({"input_tokens": "x"}),
        ({"input_tokens": None}),
    ],
)
def test_a_run_goes_on_over_foreign_usage(usage: dict[str, Any]) -> None:
    samples("good.jsonl")
    thence("run", "good.jsonl", *ORACLE)
    held = rows("run/responses.jsonl")
    write_rows("run/responses.jsonl", [row | {"usage": usage} for row in held])
    thence("run", "good.jsonl", *ORACLE)
