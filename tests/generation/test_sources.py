from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.extra import known, offered
from tests.scoring.results import results
from thence import families
from thence.analysis.summary import overview
from thence.core.sample import Sample
from thence.errors import FileError, UsageError
from thence.generation.plan import Plan
from thence.generation.sample_files import write_samples
from thence.generation.sources import FromFiles, FromTasks, checked_samples, is_file, sample_source
from thence.generation.suite import generate
from thence.prompts.catalog import protocol
from thence.scoring.judge import Response, score_sample

TASKS = [families.task(name) for name in offered()]
each_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.full_name)
PROCBENCH = [task for task in TASKS if task.family == "procbench"]
TYPES = list(
    {(task.format.states, task.generator.procedure.final): task for task in PROCBENCH}.values()
)
each_type = pytest.mark.parametrize("task", TYPES, ids=lambda task: task.full_name)


def made(name: str = "procbench/sort", size: int = 2, seed: int = 0) -> list[Sample]:
    return list(generate(Plan([name], seed, size, settings=known(name, steps="4"))))


def write(path: Path, samples: list[Sample]) -> Path:
    write_samples(path, samples)
    return path


# One file ---------------------------------------------------------------------------------------


@each_task
@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_what_was_generated_is_taken(tmp_path: Path, task: Any, suffix: str) -> None:
    samples = made(task.full_name)
    assert list(checked_samples(write(tmp_path / f"s.{suffix}", samples))) == samples


STRANGE = [None, 5, "a", [], ["a"], {}, {"intermediate": []}, {"final": "a"}, True]
STRANGE += [{"intermediate": listed, "final": final} for listed, final in (
    ("ab", "c"), (None, "c"), ({}, "c"), ([], None), ([], {}), ([1.5], 1.5), ([None], "c"),
    ([[["a"]]], "c"), ([True], True), ([[True]], [True]), ([["a", 1]], ["a", 1]),
)]  # fmt: skip


@each_type
@pytest.mark.parametrize("target", STRANGE, ids=json.dumps)
def test_a_target_of_another_type_is_refused(tmp_path: Path, task: Any, target: Any) -> None:
    good, other = made(task.full_name)
    path = write(tmp_path / "s.jsonl", [good, replace(other, target=target)])
    with pytest.raises(FileError, match=r"s\.jsonl: sample 2: .*target") as caught:
        list(checked_samples(path))
    assert "\n" not in str(caught.value)


@each_type
def test_a_target_of_another_type_of_task_is_refused(tmp_path: Path, task: Any) -> None:
    (good,) = made(task.full_name, 1)
    for other in TYPES:
        (sample,) = made(other.full_name, 1)
        path = write(tmp_path / "s.jsonl", [replace(good, target=sample.target)])
        if other is not task:
            with pytest.raises(FileError, match=f"the target of {task.full_name}"):
                list(checked_samples(path))


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        {"question": {"string": "ba"}},
        {"steps": 2},
        {"question": "ba", "steps": 2},
        {"question": {"string": "ba"}, "steps": "2"},
        {"question": {"string": "ba"}, "steps": None},
        {"question": [], "steps": 4},
        {"question": {"string": "ba"}, "steps": 3},
        {"question": {"string": "ba"}, "steps": 4.0},
    ],
)
def test_metadata_that_lacks_the_question_is_refused(
    tmp_path: Path, metadata: dict[str, Any]
) -> None:
    (good,) = made(size=1)
    path = write(tmp_path / "s.jsonl", [replace(good, metadata=metadata)])
    with pytest.raises(FileError, match="sample 1: the metadata of procbench/sort"):
        list(checked_samples(path))


def test_an_unknown_task_is_named_with_the_nearest(tmp_path: Path) -> None:
    (good,) = made(size=1)
    path = write(tmp_path / "s.jsonl", [good, replace(good, task="procbench/srot")])
    with pytest.raises(FileError, match=r"sample 2: unknown task .*did you mean 'procbench/sort'"):
        list(checked_samples(path))


def test_a_family_that_is_not_the_tasks_is_refused_or_does_no_harm(tmp_path: Path) -> None:
    (good,) = made(size=1)
    path, task = write(tmp_path / "s.jsonl", [replace(good, family="nope")]), PROCBENCH[0]
    try:
        (sample,) = checked_samples(path)
    except FileError:
        return
    replies = [Response(sample.id, response=task.format.write(sample.target))]
    rows = score_sample(sample, replies, protocol("direct"))
    assert overview(results("", "", rows)).tasks[task.full_name].correct == 1


@pytest.mark.parametrize(("version", "taken"), [("1-9", True), ("1", True), ("2-0", False)])
def test_only_n_of_the_version_must_match(tmp_path: Path, version: str, taken: bool) -> None:
    (good,) = made(size=1)
    path = write(tmp_path / "s.jsonl", [replace(good, version=version)])
    if taken:
        assert list(checked_samples(path)) == [replace(good, version=version)]
    else:
        with pytest.raises(FileError, match=r"version 2-0 .*generate it anew"):
            list(checked_samples(path))


# Several files ----------------------------------------------------------------------------------


def test_files_are_read_one_after_the_other_up_to_the_limit_of_each_task(tmp_path: Path) -> None:
    sort, gather = made(size=3), made("procbench/gather", 3)
    one, two = write(tmp_path / "1.jsonl", sort[:2]), write(tmp_path / "2.parquet", gather)
    three = write(tmp_path / "3.jsonl", sort[2:])
    files = (one, two, three)
    assert list(FromFiles(files).samples()) == [*sort[:2], *gather, *sort[2:]]
    assert list(FromFiles(files, limit=2).samples()) == [*sort[:2], *gather[:2]]
    assert FromFiles(files).names == ["1", "2", "3"]


@pytest.mark.parametrize("limit", [None, 1])
def test_a_sample_that_comes_twice_is_refused(tmp_path: Path, limit: int | None) -> None:
    samples = made(size=2)
    one, two = write(tmp_path / "1.jsonl", samples), write(tmp_path / "2.jsonl", samples[1:])
    with pytest.raises(FileError, match=rf"2\.jsonl: sample {samples[1].id} is in .*1\.jsonl"):
        list(FromFiles([one, two], limit).samples())
    twice = write(tmp_path / "3.jsonl", samples + samples)
    with pytest.raises(FileError, match="already"):
        list(FromFiles([twice], limit).samples())


def test_a_file_that_moved_is_the_same_source(tmp_path: Path) -> None:
    one, two = write(tmp_path / "1.jsonl", made()), write(tmp_path / "2.jsonl", made())
    other = write(tmp_path / "3.jsonl", made(seed=1))
    assert FromFiles([one]).to_json() == FromFiles([two]).to_json() != FromFiles([other]).to_json()


# Arguments --------------------------------------------------------------------------------------


def test_tasks_families_and_globs_name_tasks_once_and_in_order() -> None:
    found = sample_source(["procbench/gather", "procbench/s*", "procbench/sort"], seed=2, size=5)
    assert isinstance(found, FromTasks)
    assert found.names == ["procbench/gather", "procbench/s*", "procbench/sort"]
    assert found.plan.tasks == [
        name for name in families.tasks() if name.startswith("procbench/s") or "gather" in name
    ]
    assert (found.plan.seed, found.plan.size) == (2, 5)
    assert sample_source(["procbench"]).plan.tasks == [task.full_name for task in PROCBENCH]
    assert len(list(found.samples())) == 5 * len(found.plan.tasks)


def test_a_name_that_ends_like_a_file_is_one() -> None:
    assert [is_file(name) for name in ("a.jsonl", "a.parquet", "procbench", "a.json")] == [
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (["procbench/srot"], {}, "unknown task 'procbench/srot'; did you mean 'procbench/sort'"),
        (["nope/*"], {}, "unknown task 'nope/*'"),
        (["FILE", "procbench"], {}, "is a file and procbench a task; give files or tasks"),
        (["FILE"], {"seed": 1}, "seed: shapes what is generated"),
        (["FILE"], {"size": 1}, "size: shapes"),
        (["FILE"], {"settings": {"steps": "3"}}, "parameters: shapes"),
        (["FILE"], {"limit": 0}, "limit=0: must be at least 1"),
        (["nothing.jsonl"], {}, "nothing.jsonl: no such file"),
        (["procbench"], {"limit": 0}, "limit=0: must be at least 1"),
        (["OTHER"], {}, "samples are read from .jsonl or .parquet"),
    ],
)
def test_arguments_that_cannot_be_are_refused(
    tmp_path: Path, arguments: list[str], options: dict[str, Any], message: str
) -> None:
    file, other = str(write(tmp_path / "s.jsonl", made())), tmp_path / "s.csv"
    other.touch()
    names = {"FILE": file, "OTHER": str(other)}
    with pytest.raises(UsageError) as caught:
        sample_source([names.get(name, name) for name in arguments], **options)
    assert message in str(caught.value)
    assert sample_source([file], limit=1).names == ["s"]
