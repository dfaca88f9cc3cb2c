"""Shards of sets, files and runs; what they hold together; and what is said of runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import Solver, refused, rows, samples, thence
from tests.fake_endpoint import Answer, FakeEndpoint, Status
from thence.generation.shards import Shard

TASKS = ("procbench/sort", "procbench/copy", "releval/comparison", "catbench/order")


def lines(*paths: str) -> list[str]:
    return sorted(line for path in paths for line in Path(path).read_text().splitlines())


def shards(count: int) -> list[str]:
    return [f"{number}/{count}" for number in range(1, count + 1)]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 60])
def test_the_shards_of_a_set_are_the_set(count: int) -> None:
    sizes = {"a": 5, "b": 40, "c": 1, "d": 0}
    every = [
        (name, place)
        for text in shards(count)
        for name, kept in Shard(*map(int, text.split("/"))).ranges(sizes).items()
        for place in kept
    ]
    assert every == [(name, place) for name, size in sizes.items() for place in range(size)]


@pytest.mark.parametrize("workers", [1, 2])
def test_generated_shards_are_merged_to_the_same_bytes(workers: int) -> None:
    common = ("generate", *TASKS, "--size", "12", "--seed", "3", "--workers", workers)
    thence(*common, "-o", "whole.jsonl")
    names = []
    for number, shard in enumerate(shards(3)):
        thence(*common, "--shard", shard, "-o", f"{number}.jsonl")
        names.append(f"{number}.jsonl")
    assert lines(*names) == lines("whole.jsonl")
    counts = [len(rows(name)) for name in names]
    assert sum(counts) == 48 and max(counts) - min(counts) <= 1
    done = thence("merge", *reversed(names), "-o", "merged.jsonl")
    assert done.out == "48 samples of 3 parts: merged.jsonl\n"
    assert Path("merged.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()
    manifests = [
        json.loads(Path(f"{n}.jsonl.manifest.json").read_text()) for n in ("merged", "whole")
    ]
    assert [each["groups"] for each in manifests] == [manifests[1]["groups"]] * 2
    assert [each["request"] for each in manifests] == [manifests[1]["request"]] * 2
    refused("merge", *names[1:], "-o", "x.jsonl", says=("1.jsonl: shard 1/3 is missing",))
    refused("merge", *names, names[0], "-o", "x.jsonl", says=("is shard 1/3, as 0.jsonl is; name",))


def test_the_shards_of_a_run_are_merged_to_the_run() -> None:
    samples(size=7)
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        run = ("run", "samples.jsonl", "--model", "x/m", "--base-url", fake.url, "--price", "1,1")
        for shard in shards(3):
            thence(*run, "--shard", shard, "-o", f"run{shard[0]}")
        whole = thence(*run, "-o", "whole")
        names = ["run1", "run2", "run3"]
        for file in ("samples", "scores"):
            parts = [f"{name}/{file}.jsonl" for name in names]
            assert lines(*parts) == lines(f"whole/{file}.jsonl")
        thence("merge", *names, "-o", "merged")
        asked = len(fake.requests)
        again = thence(*run, "-o", "merged")
        assert len(fake.requests) == asked == 14
    assert Path("merged/samples.jsonl").read_bytes() == Path("whole/samples.jsonl").read_bytes()
    assert lines("merged/scores.jsonl") == lines("whole/scores.jsonl")
    table = again.out.replace("merged", "whole")
    assert table.partition("summary:")[0] == whole.out.partition("summary:")[0]
    found = json.loads(Path("merged/run.json").read_text())
    assert (found["samples"], found["conversations"]) == (7, {"all": 7, "done": 7})
    assert found["usage"] == {"input_tokens": 84, "output_tokens": 21}
    refused("merge", *names[:2], "-o", "x", says=("shard 3/3 is missing",))
    refused("merge", *names, "-o", "merged", says=("merged: is there",))
    refused("merge", "whole", *names, "-o", "x", says=("whole: is a run of no shard",))
    refused("merge", *names, "samples.jsonl", "-o", "x", says=("not both",))


def test_shards_of_different_runs_are_not_merged() -> None:
    samples(size=4)
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        run = ("run", "samples.jsonl", "--model", "x/m", "--base-url", fake.url)
        thence(*run, "--shard", "1/2", "-o", "a")
        thence(*run, "--shard", "2/2", "-o", "b", "--temperature", "1")
    says = ("b: differs from a in generation temperature: 1.0, not null",)
    refused("merge", "a", "b", "-o", "c", says=says)


def test_parts_of_different_versions_are_not_merged() -> None:
    for number in "12":
        shard = ("--size", "4", "--shard", f"{number}/2")
        thence("generate", "procbench/sort", *shard, "-o", f"{number}.jsonl")
        run = ("run", "procbench/sort", *shard, "--model", "baseline/oracle", "-q")
        thence(*run, "-o", f"run{number}")
    for path, was in (("2.jsonl", '"version":"1-0"'), ("run2/run.json", '"procbench/sort": "1-0"')):
        text = Path(path).read_text()
        Path(path).write_text(text.replace(was, was.replace("1-0", "2-0")))
    says = "is of version 2-0 of procbench/sort, and {} of 1-0; their scores do not compare"
    refused("merge", "1.jsonl", "2.jsonl", "-o", "x.jsonl", says=(says.format("1.jsonl"),))
    Path("2.jsonl").write_text(Path("2.jsonl").read_text().replace('"2-0"', '"1-1"'))
    thence("merge", "1.jsonl", "2.jsonl", "-o", "both.jsonl")
    refused("merge", "run1", "run2", "-o", "x", says=(says.format("run1"),))


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/0", "1/2/3", "-1/2"])
def test_a_shard_has_a_number_and_a_count(text: str) -> None:
    generate = ("generate", "procbench/sort", "--size", "2", "-o", "x.jsonl")
    refused(*generate, f"--shard={text}", says=(f"--shard {text}: must be I/N",))


def test_status_says_what_is_done_missing_spent_and_expected() -> None:
    samples(size=4)
    solver = Solver("samples.jsonl")

    def answer(body: object, count: int) -> Answer | Status:
        return Status(400, body="too odd") if count == 3 else solver(body, count)  # type: ignore[arg-type]

    with FakeEndpoint.in_thread(answer) as fake:
        run = ("run", "samples.jsonl", "--model", "x/m", "--base-url", fake.url, "-o", "run")
        prices = ("--price", "1e5,1e5", "--max-connections", "1")
        thence(*run, *prices, status=1)
        done = thence("status", "run", status=1)
        assert done.out == (
            "run: 3 of 4 done, 1 missing, 1 of these failed, 45 tokens, 4.50 USD, about 6.00 "
            "USD in all\n"
        )
        [row] = thence("status", "run", "--json", status=1).json()
        assert row["path"] == "run" and row["expected"] == 6
        thence(*run, *prices)
    assert thence("status", "run").out == "run: 4 of 4 done, 60 tokens, 6.00 USD\n"
    refused("status", "none", says=("none: no such run directory",))
