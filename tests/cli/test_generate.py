"""``thence generate``: the file, the manifest beside it, and what they depend on."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import (
    alone,
    ended,
    held,
    kill,
    process,
    rows,
    the_line,
    thence,
    until,
)
from thence import __version__, cli, families
from thence.core.sample import CANARY
from thence.generation import making

TASKS = ("procbench/sort", "procbench/gather", "procbench/count")


def generated(*arguments: object, name: str = "x.jsonl") -> list[dict[str, Any]]:
    """The samples that a command line makes."""
    thence("generate", *arguments, "-o", name, "--overwrite")
    return rows(name)


def test_the_manifest_says_what_the_file_holds() -> None:
    done = thence("generate", *TASKS, "--size", "5", "--seed", "7", "-o", "x.jsonl")
    assert done.err == ""
    assert done.out == "15 samples of 3 tasks: x.jsonl (x.jsonl.manifest.json beside it)\n"
    assert sorted(held(Path())) == ["x.jsonl", "x.jsonl.manifest.json"]
    made = rows("x.jsonl")
    assert json.loads(Path("x.jsonl.manifest.json").read_text()) == {
        "file": "x.jsonl",
        "sha256": sha256(Path("x.jsonl").read_bytes()).hexdigest(),
        "thence": __version__,
        "request": {"tasks": list(TASKS), "seed": 7, "size": 5, "limit": None, "set": {}},
        "samples": 15,
        "groups": {
            task: dict(Counter(row["metadata"]["group"] for row in made if row["task"] == task))
            for task in TASKS
        },
        "redrawn_duplicates": 0,
    }


def test_a_sample_has_the_fields_of_the_interface() -> None:
    for row in generated(*TASKS, "--size", "3"):
        assert list(row) == [
            "id", "family", "task", "version", "input", "target", "metadata", "canary",
        ]  # fmt: skip
        assert row["family"] == "procbench"
        assert row["version"].count("-") == 1
        assert row["canary"] == CANARY
        assert set(row["target"]) == {"intermediate", "final"}
        assert {"steps", "init", "question", "group", "seed", "template"} <= set(row["metadata"])
        assert len(row["target"]["intermediate"]) <= row["metadata"]["steps"]


def test_the_papers_set() -> None:
    made = generated("procbench/sort")
    assert Counter(row["metadata"]["steps"] for row in made) == dict.fromkeys(range(2, 26), 10)
    assert len({row["id"] for row in made}) == 240


@pytest.mark.parametrize("size", [1, 2, 5, 24, 25, 50])
def test_a_size_is_spread_evenly(size: int) -> None:
    made = generated("procbench/sort", "procbench/count", "--size", size)
    assert Counter(row["task"] for row in made) == {
        "procbench/sort": size,
        "procbench/count": size,
    }
    counts = Counter(row["metadata"]["steps"] for row in made if row["task"] == "procbench/sort")
    assert max(counts.values()) - min([*counts.values(), 0 if size < 24 else 99]) <= 1


def test_a_limit_takes_a_part_of_each_task() -> None:
    whole = generated("procbench/sort", "procbench/count", "--size", "6")
    part = generated("procbench/sort", "procbench/count", "--size", "6", "--limit", "2")
    assert part == [whole[place] for place in (1, 3, 7, 9)]
    assert len(generated("procbench/sort", "procbench/count", "--total", "5")) == 5


def test_settings_shape_the_truth() -> None:
    made = generated("procbench/sort", "--set", "steps=3", "--size", "4")
    assert [row["metadata"]["steps"] for row in made] == [3] * 4
    made = generated("procbench/sort", "--set", "steps=30-31", "--size", "4")
    assert [row["metadata"]["steps"] for row in made] == [30, 30, 31, 31]


def test_families_tasks_and_globs_name_tasks_once_in_the_order_of_tables() -> None:
    every = [row["task"] for row in generated("procbench", "--size", "1")]
    assert every == [name for name, task in families.tasks().items() if task.family == "procbench"]
    same = generated("procbench/count", "procbench/*", "procbench/sort", "--size", "1")
    assert [row["task"] for row in same] == every
    split = [name for name in every if name.startswith("procbench/s")]
    assert [row["task"] for row in generated("procbench/s*", "--size", "1")] == split


def test_the_same_seed_gives_the_same_bytes_anywhere() -> None:
    arguments = ("generate", *TASKS, "--size", "6", "-o")
    thence(*arguments, "here.jsonl")
    with (
        process(*arguments, "there.jsonl", "--workers", "2", PYTHONHASHSEED="1") as one,
        process(*arguments, "yonder.jsonl", PYTHONHASHSEED="2", LC_ALL="C", TZ="Asia/Tokyo") as two,
    ):
        ended(one, 0)
        ended(two, 0)
    whole = Path("here.jsonl").read_bytes()
    assert Path("there.jsonl").read_bytes() == whole
    assert Path("yonder.jsonl").read_bytes() == whole
    manifests = [json.loads(path.read_text()) for path in Path().glob("*.manifest.json")]
    assert len({manifest.pop("file") for manifest in manifests}) == 3
    assert manifests[1:] == manifests[:-1]


def test_seeds_share_nothing() -> None:
    made = [generated("procbench", "--size", "5", "--seed", seed) for seed in (0, 1, 2, 3)]
    names = [row["id"] for each in made for row in each]
    assert len(set(names)) == len(names)


def test_a_sample_depends_on_its_place_alone() -> None:
    alone = generated("procbench/count", "--size", "24")
    among = generated("procbench", "--size", "48")
    longer = {row["id"] for row in among if row["task"] == "procbench/count"}
    assert {row["id"] for row in alone} <= longer


def test_duplicates_are_drawn_again_and_counted() -> None:
    arguments = ("procbench/move_cyclic", "--set", "steps=1", "--size", "300")
    made = generated(*arguments)
    assert len({row["id"] for row in made}) == 300
    manifest = json.loads(Path("x.jsonl.manifest.json").read_text())
    again = manifest["redrawn_duplicates"]
    assert again > 0
    done = thence("generate", *arguments, "-o", "y.jsonl")
    assert f"300 samples of 1 task, {again:,} duplicates drawn again: y.jsonl" in done.out


def test_parquet_holds_the_same() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    thence("generate", *TASKS, "--size", "5", "-o", "x.parquet")
    table = parquet.read_table("x.parquet")
    assert {str(field.type) for field in table.schema} == {"string"}
    found = [
        row | {name: json.loads(row[name]) for name in ("target", "metadata")}
        for row in table.to_pylist()
    ]
    assert found == generated(*TASKS, "--size", "5")
    manifest = json.loads(Path("x.parquet.manifest.json").read_text())
    assert manifest["sha256"] == sha256(Path("x.parquet").read_bytes()).hexdigest()
    thence("run", "x.parquet", "--model", "baseline/oracle", "-o", "one")
    thence("run", "x.jsonl", "--model", "baseline/oracle", "-o", "two")
    for name in ("samples.jsonl", "scores.jsonl"):
        assert Path("one", name).read_bytes() == Path("two", name).read_bytes()


def test_own_templates_word_the_prompt_and_leave_the_truth() -> None:
    Path("mine/procbench").mkdir(parents=True)
    Path("mine/procbench/sort.jinja").write_text("Ordne <{{ string }}> & zeig alles.")
    plain = generated("procbench/sort", "procbench/count", "--size", "2")
    own = generated("procbench/sort", "procbench/count", "--size", "2", "--templates", "mine")
    for before, after in zip(plain, own, strict=True):
        assert [before[name] for name in ("id", "target")] == [after["id"], after["target"]]
    for row in own[:2]:
        string = row["metadata"]["question"]["string"]
        assert row["input"].startswith(f"Ordne <{string}> & zeig alles.\n")
    assert own[0]["metadata"]["template"] != plain[0]["metadata"]["template"]
    assert own[2:] == plain[2:]


def test_what_was_there_is_replaced_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    generated("procbench/sort", "--size", "4")
    before = held(Path())
    made = making.make_of

    def stopping(*arguments: Any, **others: Any) -> Any:
        stopping.calls += 1  # type: ignore[attr-defined]
        if stopping.calls == 3:  # type: ignore[attr-defined]
            raise KeyboardInterrupt
        return made(*arguments, **others)

    stopping.calls = 0  # type: ignore[attr-defined]
    monkeypatch.setattr(making, "make_of", stopping)
    done = thence(
        "generate", "procbench/sort", "--size", "4", "--seed", "1", "-o", "x.jsonl", "--overwrite",
        status=cli.INTERRUPTED,
    )  # fmt: skip
    assert "interrupted" in the_line(done.err)
    assert held(Path()) == before


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_a_process_that_is_stopped_leaves_no_worker(sent: signal.Signals) -> None:
    Path("x.jsonl").write_text("mine")
    arguments = ("generate", "procbench", "--size", "4000", "--workers", "2", "--overwrite")
    with process(*arguments, "-o", "x.jsonl") as started:
        name = f".x.jsonl.{started.pid}-*.part"
        until(lambda: any(part.stat().st_size for part in Path().glob(name)), started)
        if sent is signal.SIGINT:  # as a terminal does: to all of them
            os.killpg(started.pid, sent)
            assert "interrupted" in the_line(ended(started, cli.INTERRUPTED).err)
            assert not list(Path().glob(name))
        else:
            kill(started)
        until(lambda: alone(started))
    assert Path("x.jsonl").read_text() == "mine"


def test_a_manifest_that_was_there_is_not_lost() -> None:
    Path("x.jsonl.manifest.json").write_text("of a file that was moved away")
    thence("generate", "procbench/sort", "--size", "2", "-o", "x.jsonl", status=2)
    assert Path("x.jsonl.manifest.json").read_text() == "of a file that was moved away"
