"""Finite sets: the command's bytes, files, parts, frames."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import thence
from tests.cli.command import thence as command
from thence.api.asked import samples_of
from thence.errors import DiskError, FileError, ParameterError
from thence.generation.sources import sample_source

TASKS = ("procbench/sort", "releval/comparison")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_command_writes_the_same_bytes_and_manifest() -> None:
    command("generate", *TASKS, "--size", "6", "--seed", "3", "--limit", "5", "-o", "x.jsonl")
    thence.generate(TASKS, size=6, seed=3, limit=5).write("y.jsonl")
    held = thence.generate(TASKS, size=6, seed=3, limit=5)
    assert len(held) == 10  # made first, then written
    held.write("z.jsonl")
    assert Path("x.jsonl").read_bytes() == Path("y.jsonl").read_bytes()
    assert Path("x.jsonl").read_bytes() == Path("z.jsonl").read_bytes()
    told = [json.loads(Path(f"{name}.jsonl.manifest.json").read_text()) for name in "xyz"]
    assert all(each | {"file": ""} == told[0] | {"file": ""} for each in told)
    assert held.manifest["request"]["seed"] == 3


def test_writing_holds_no_set_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    made = thence.generate(TASKS, size=6)
    monkeypatch.setattr("thence.generation.suite.generate", None)  # as a list would be made
    made.write("x.jsonl")
    assert made.manifest["samples"] == Path("x.jsonl").read_bytes().count(b"\n") == 12
    assert repr(made) == "<Dataset of 2 tasks, not yet made>"


def test_a_file_and_a_folder_are_read_back() -> None:
    made = thence.generate(TASKS, size=4)
    made.write("x.jsonl")
    made.write("x.parquet")
    for path in ("x.jsonl", "x.parquet"):
        assert [each.to_json() for each in thence.read(path)] == [each.to_json() for each in made]
    assert thence.read("x.jsonl").manifest["samples"] == 8
    Path("folder").mkdir()
    made.filter(tasks=TASKS[0]).write("folder/a.jsonl")
    made.filter(tasks=TASKS[1]).write("folder/b.jsonl")
    assert len(thence.read("folder")) == 8
    run = thence.run("folder/", "baseline/oracle", out="run")
    assert len(run.samples()) == 8


def test_what_is_no_file_of_questions_is_refused() -> None:
    Path("bad.jsonl").write_text("{}\n")
    Path("empty").mkdir()
    for path in ("none.jsonl", "bad.jsonl", "empty", "none"):
        with pytest.raises(FileError, match=path):
            thence.read(path)


def test_parts_and_filters() -> None:
    made = thence.generate(TASKS, size=24)
    assert len(made[:5]) == 5 and made[:5][-1] == made[4]
    twelve = made.filter(tasks="procbench", steps=12)
    assert [each.metadata["steps"] for each in twelve] == [12]
    assert {each.target for each in made.filter(lambda each: each.target == "True")} == {"True"}
    assert twelve.manifest["samples"] == 1
    assert twelve.manifest["part of"]["size"] == 24


def test_a_frame_has_the_columns_of_parquet() -> None:
    made = thence.generate(TASKS, size=3)
    frame = made.to_frame()
    assert frame.columns == [
        "id", "family", "task", "version", "input", "target", "metadata", "canary",
    ]  # fmt: skip
    assert [json.loads(text) for text in frame["target"]] == [each.target for each in made]
    for row, sample in zip(frame.iter_rows(named=True), made, strict=True):
        assert thence.score_reply(row, thence.answer(sample)).correct


def test_nothing_is_written_over_or_into_nowhere() -> None:
    made = thence.generate(TASKS[0], size=2)
    made.write("x.jsonl")
    for path in ("x.jsonl", "x.csv", "none/x.jsonl"):
        with pytest.raises(ParameterError, match=rf"path={path}"):
            made.write(path)
    assert made.write("x.jsonl", overwrite=True) == Path("x.jsonl")
    assert not issubclass(ParameterError, DiskError)


def test_it_pickles_before_and_after_it_is_made() -> None:
    made = thence.generate(TASKS, size=3)
    early = pickle.loads(pickle.dumps(made))
    ids = [each.id for each in made]
    late = pickle.loads(pickle.dumps(made))
    assert [each.id for each in early] == [each.id for each in late] == ids


def test_threads_share_one_set() -> None:
    made = thence.generate("procbench", size=10)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda place: made[place], range(230)))
    assert len({id(each) for each in found}) == 230


def test_a_notebook_shows_a_table_and_escapes() -> None:
    made = thence.generate("releval/comparison", size=3)
    shown = made._repr_html_()
    assert "<td>releval/comparison</td><td>3</td>" in shown
    assert "<RESPONSE>" not in shown
    assert repr(made) == "<Dataset of 3 questions of 1 tasks>"


def test_more_than_there_are_is_said_when_they_are_made(caplog: pytest.LogCaptureFixture) -> None:
    assert len(thence.generate("procbench/count", steps=1, size=2)) == 1
    assert "1 of 2 questions of N = 1 are left out" in caplog.text


@pytest.mark.parametrize("workers", [0, True, 1.5])
def test_workers_are_a_number(workers: object) -> None:
    with pytest.raises(ParameterError, match="workers"):
        thence.generate("procbench", workers=workers)  # type: ignore[arg-type]


def test_two_sets_with_other_settings_do_not_meet() -> None:
    def sets() -> list[thence.api.dataset.Dataset]:  # type: ignore[name-defined]
        return [
            thence.generate("releval/consistency", size=6, framing=framing, seed=2)
            for framing in ("symbolic", "software")
        ] + [thence.generate("fable/recipes/taint", size=6, dialect="published", workers=1)]

    alone = [[each.to_json() for each in made] for made in sets()]
    first, second, third = sets()
    mixed = [(first[k], second[k], third[k]) for k in range(6)]
    assert [[row[k].to_json() for row in mixed] for k in range(3)] == alone


SCRIPT = """
import thence
from thence.generation import suite
suite._SMALL = 1  # so few samples are worth no workers
print(len(thence.generate("procbench/sort", size=200{workers})))
"""


def run_script(text: str) -> subprocess.CompletedProcess[str]:
    Path("script.py").write_text(text)
    return subprocess.run(
        [sys.executable, "script.py"], capture_output=True, text=True, check=False, timeout=100
    )


def test_a_script_without_a_guard_is_not_run_again_by_workers() -> None:
    done = run_script(SCRIPT.format(workers=""))
    assert (done.stdout, done.stderr) == ("200\n", "")


def test_workers_in_a_script_without_a_guard_are_refused_with_the_mend() -> None:
    done = run_script(SCRIPT.format(workers=", workers=2"))
    assert done.returncode == 1
    assert "thence.errors.WorkerError: a worker process ended" in done.stderr
    assert 'without `if __name__ == "__main__":`; give workers=1' in done.stderr


@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("fable/recipes/taint", "recipes"),
        ("fable/recipes/taint", "review"),
        ("catbench", "source"),
        ("catbench", "flow_graphs"),
    ],
)
def test_a_file_that_is_not_there_is_refused_at_once(task: str, name: str) -> None:
    with pytest.raises(ParameterError, match=f"{name}=none.yaml: no such"):
        thence.generate(task, **{name: "none.yaml"})


def test_a_folder_or_file_with_the_name_of_a_family_hides_no_task() -> None:
    Path("procbench").mkdir()
    thence.generate("releval/comparison", size=3).write(Path("procbench/questions.jsonl"))
    assert next(samples_of("procbench")).family == "procbench"
    assert {each.family for each in samples_of(Path("procbench"))} == {"releval"}
    Path("releval").write_text("a file")
    assert sample_source(["releval"]).names == ["releval"]
