from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thence.core.sample import CANARY, Sample
from thence.errors import DiskError, FileError, ParameterError
from thence.generation import sample_files
from thence.generation.plan import Plan
from thence.generation.repetition import Tally
from thence.generation.sample_files import (
    check_output,
    manifest,
    read_samples,
    write_lines,
    write_manifest,
    write_samples,
)
from thence.generation.suite import generate
from thence.system.disk import file_hash, read_lines, replacing

any_text = st.text(st.characters())  # lone surrogates too
utf8_text = st.text(st.characters(codec="utf-8"))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-(10**60), 10**60) | any_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=10,
)
metadata = st.dictionaries(any_text, json_values, max_size=4)


def samples_of(text: st.SearchStrategy[str]) -> st.SearchStrategy[list[Sample]]:
    one = st.builds(Sample, text, text, text, text, text, json_values, metadata, text)
    return st.lists(one, min_size=1, max_size=4)


def sample(**changes: Any) -> Sample:
    return replace(Sample("i", "f", "t", "1-0", "?", 5, {"k": [1]}), **changes)


def files_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# Round trips ------------------------------------------------------------------------------------

in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@in_one_folder
@given(samples_of(any_text))
def test_json_lines_give_back_what_was_written(tmp_path: Path, samples: list[Sample]) -> None:
    path = tmp_path / "s.jsonl"
    assert write_samples(path, samples) == len(samples)
    assert list(read_samples(path)) == samples
    data = path.read_bytes()
    assert data.decode("utf-8").count("\n") == data.count(b"\n") == len(samples)
    assert data.endswith(b"\n")


@in_one_folder
@given(samples_of(utf8_text))
def test_parquet_gives_back_what_was_written(tmp_path: Path, samples: list[Sample]) -> None:
    path = tmp_path / "s.parquet"
    assert write_samples(path, samples) == len(samples)
    assert list(read_samples(path)) == samples


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_generated_samples_and_more_than_a_batch_of_them(tmp_path: Path, suffix: str) -> None:
    made = list(generate(Plan(["procbench/sort", "procbench/cumulate"], size=24)))
    many = [sample(id=str(number)) for number in range(5000)]
    for samples in (made, many):
        path = tmp_path / f"s.{suffix}"
        assert write_samples(path, iter(samples)) == len(samples)
        assert list(read_samples(path)) == samples


def test_target_and_metadata_are_json_text_in_parquet(tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"
    write_samples(path, [sample(target={"a": 10**30}, metadata={"b": "\ud800"})])
    table = parquet.read_table(path)
    assert table.column_names == [*sample().to_json()]
    assert set(table.schema.types) == {arrow.string()}
    (row,) = table.to_pylist()
    assert (json.loads(row["target"]), json.loads(row["metadata"])) == (
        {"a": 10**30},
        {"b": "\ud800"},
    )


def test_a_sample_needs_no_metadata_and_no_canary(tmp_path: Path) -> None:
    path, row = tmp_path / "s.jsonl", sample().to_json()
    path.write_text(json.dumps({k: row[k] for k in row if k not in ("metadata", "canary")}))
    assert list(read_samples(path)) == [sample(metadata={}, canary="")]
    assert sample().canary == CANARY


def test_blank_lines_and_a_byte_order_mark_are_no_samples(tmp_path: Path) -> None:
    path, line = tmp_path / "s.jsonl", json.dumps(sample().to_json()).encode()
    path.write_bytes(b"\xef\xbb\xbf" + line + b"\r\n\n  \n" + line)
    assert list(read_samples(path)) == [sample(), sample()]
    assert [number for number, _ in read_lines(path)] == [1, 4]


# Written whole or not at all --------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
@pytest.mark.parametrize("error", [RuntimeError("half way"), KeyboardInterrupt(), FileError("x")])
@pytest.mark.parametrize("before", [b"what was there", None])
def test_a_failure_half_way_leaves_all_as_it_was(
    tmp_path: Path, suffix: str, error: BaseException, before: bytes | None
) -> None:
    path = tmp_path / f"s.{suffix}"
    if before is not None:
        path.write_bytes(before)
    held = files_of(tmp_path)

    def samples() -> Iterator[Sample]:
        yield from [sample()] * 5000
        assert any(name.endswith(".part") for name in files_of(tmp_path))
        raise error

    with pytest.raises(type(error)) as caught:
        write_samples(path, samples())
    assert caught.value is error
    assert files_of(tmp_path) == held
    assert before is None or path.read_bytes() == before


def test_a_reader_sees_the_old_file_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text("old")
    with replacing(path) as part:
        part.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert files_of(tmp_path) == ["s.jsonl"]


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    if not os.path.exists("/dev/full"):  # noqa: PTH110 - a device
        pytest.skip("no device that is always full")
    full = pytest.raises(DiskError, match=r"s\.jsonl: the disk is full")
    with full as caught, replacing(tmp_path / "s.jsonl") as part:
        part.symlink_to("/dev/full")
        part.write_text("x" * 100_000)
    assert caught.value.exit_status == 3
    assert files_of(tmp_path) == []


def test_lines_are_written_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    assert write_lines(path, ["{}", '{"a": "é\u2028"}']) == 2
    assert path.read_bytes() == '{}\n{"a": "é\u2028"}\n'.encode()
    assert [row for _, row in read_lines(path)] == [{}, {"a": "é\u2028"}]


def test_the_manifest_says_what_the_file_holds(tmp_path: Path) -> None:
    path, plan, tally = tmp_path / "s.jsonl", Plan(["procbench/sort"], seed=3, size=30), Tally()
    write_samples(path, generate(plan, 1, tally))
    written = write_manifest(path, manifest(plan, tally))
    assert written.name == "s.jsonl.manifest.json"
    held = json.loads(written.read_text())
    assert held["sha256"] == sha256(path.read_bytes()).hexdigest() == file_hash(path)
    assert (held["file"], held["samples"], held["redrawn_duplicates"]) == ("s.jsonl", 30, 0)
    assert sum(held["groups"]["procbench/sort"].values()) == 30
    assert (held["request"]["seed"], held["request"]["size"]) == (3, 30)
    assert files_of(tmp_path) == ["s.jsonl", "s.jsonl.manifest.json"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("s.csv", "must end in .jsonl or .parquet"),
        ("s", "must end in"),
        ("folder.jsonl", "is a folder"),
        ("no/s.jsonl", "folder .*no does not exist"),
        ("there.jsonl", "exists; overwrite=True replaces it"),
    ],
)
def test_an_output_that_would_lose_something_is_refused(
    tmp_path: Path, name: str, message: str
) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "there.jsonl").touch()
    with pytest.raises(ParameterError, match=message):
        check_output(tmp_path / name, overwrite=False)
    check_output(tmp_path / "there.jsonl", overwrite=True)
    check_output(tmp_path / "new.parquet", overwrite=False)


# What cannot be read ----------------------------------------------------------------------------

GOOD = json.dumps(sample().to_json()).encode() + b"\n"


def without(name: str) -> bytes:
    return json.dumps({k: v for k, v in sample().to_json().items() if k != name}).encode()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "not JSON"),
        (b"nonsense", "not JSON"),
        (b"\x00", "not JSON"),
        (b'{"id": "\xff"}', "not UTF-8"),
        (b'{"id": "\xc3("}', "not UTF-8"),
        (b"[]", "must be a JSON object, not list"),
        (b"5", "must be a JSON object, not int"),
        (b"null", "must be a JSON object"),
        (b"[" * 100_000, "not JSON: too deeply nested"),
        (b'{"a":' * 100_000, "not JSON: too deeply nested"),
        (b'{"a": ' + b"1" * 5000 + b"}", "too large a number"),
        *((without(name), f"'{name}'") for name in ("id", "family", "task", "version", "input")),
        (without("target"), "'target' is missing"),
        (GOOD.replace(b'"i"', b"7"), "'id' must be a string"),
        (GOOD.replace(b'{"k": [1]}', b"[]"), "'metadata' must be an object"),
        (GOOD.replace(b'{"k": [1]}', b"null"), "'metadata' must be an object"),
    ],
)
def test_a_bad_line_is_named_with_its_number(tmp_path: Path, line: bytes, message: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(GOOD + b"\n" + GOOD + line + b"\n" + GOOD)
    read = []
    with pytest.raises(FileError, match=message) as caught:
        read.extend(read_samples(path))
    assert str(caught.value).startswith(f"{path}:4: ")
    assert "\n" not in str(caught.value)


@in_one_folder
@given(st.binary(max_size=60) | any_text.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_samples_or_a_file_error(tmp_path: Path, data: bytes) -> None:
    for name in ("s.jsonl", "s.parquet"):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(FileError):
            list(read_samples(path))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing.jsonl", "no such file"),
        ("no/such/folder.jsonl", "no such file"),
        ("smaples.jsonl", "no such file; did you mean '.*samples.jsonl'"),
        ("folder.jsonl", "is a folder; name a file"),
        ("samples.csv", "read from .jsonl or .parquet"),
        ("empty.jsonl", "holds no samples"),
        ("blank.jsonl", "holds no samples"),
        ("empty.parquet", "not a Parquet file"),
        ("lines.parquet", "not a Parquet file"),
        ("none.parquet", "holds no samples"),
    ],
)
def test_a_file_that_holds_no_samples_is_named(tmp_path: Path, name: str, message: str) -> None:
    for each in ("samples.jsonl", "samples.csv", "lines.parquet"):
        (tmp_path / each).write_bytes(GOOD)
    for each in ("empty.jsonl", "empty.parquet"):
        (tmp_path / each).touch()
    (tmp_path / "blank.jsonl").write_text("\n \n")
    (tmp_path / "folder.jsonl").mkdir()
    write_samples(tmp_path / "none.parquet", [])
    with pytest.raises(FileError, match=message) as caught:
        list(read_samples(tmp_path / name))
    assert str(tmp_path / name) in str(caught.value)


def test_a_file_that_may_not_be_read_is_the_disks_fault(tmp_path: Path) -> None:
    for name in ("s.jsonl", "s.parquet"):
        path = tmp_path / name
        write_samples(path, [sample()])
        path.chmod(0)
        if os.access(path, os.R_OK):
            pytest.skip("nothing is forbidden to this user")
        with pytest.raises(DiskError):
            list(read_samples(path))
        path.chmod(stat.S_IRUSR)


@pytest.mark.parametrize(
    "change",
    [
        {"target": "["},
        {"target": "[" * 100_000},
        {"target": "1" * 5000},
        {"target": b"\xff"},
        {"target": {"a": 1}},
        {"metadata": "[]"},
        {"metadata": None},
        {"metadata": "{"},
        {"id": 7},
        {"id": None},
    ],
)
def test_a_bad_row_of_parquet_is_a_file_error(tmp_path: Path, change: dict[str, Any]) -> None:
    path, row = tmp_path / "s.parquet", sample().to_json() | {"target": "5", "metadata": "{}"}
    parquet.write_table(arrow.Table.from_pylist([row | change]), path)
    with pytest.raises(FileError, match=r"s\.parquet:"):
        list(read_samples(path))


def test_a_parquet_file_of_something_else_is_a_file_error(tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"
    parquet.write_table(arrow.Table.from_pylist([{"id": "a", "prompt": "b"}]), path)
    with pytest.raises(FileError, match="not a sample"):
        list(read_samples(path))


def test_damaged_parquet_is_a_file_error_or_nothing(tmp_path: Path) -> None:
    path, rng = tmp_path / "s.parquet", Random(0)
    write_samples(path, [sample(id=str(number)) for number in range(50)])
    whole = path.read_bytes()
    damaged = [whole[: len(whole) // 2], whole[100:], whole[:-1]]
    for _ in range(100):
        data = bytearray(whole)
        for _ in range(3):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        damaged.append(bytes(data))
    failed = 0
    for data in damaged:
        path.write_bytes(data)
        try:
            list(read_samples(path))
        except FileError:
            failed += 1
    assert failed > 20


def test_a_refused_file_is_closed_at_once(tmp_path: Path) -> None:
    # While the error is held, as by whoever says it, nothing else may hold the file: what is left
    # to the collection of cycles can be let go of before the reader that would have closed it.
    fds = Path("/proc/self/fd")
    if not fds.is_dir():
        pytest.skip("no list of open files here")
    path = tmp_path / "held.jsonl"
    path.write_text('{"id": 5}\n' * 2)
    with pytest.raises(FileError, match="not a sample") as caught:
        list(read_samples(path))
    assert caught.tb is not None
    links = [each.readlink() for each in fds.iterdir() if each.is_symlink()]
    assert path not in links


def peak() -> int:
    """The most memory that this process has taken, in bytes; 0 where nobody knows."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    return 1024 * int(status.read_text().partition("VmHWM:")[2].split()[0])


@pytest.mark.parametrize(("length", "count"), [(17 << 20, 3), (1 << 20, 3000)])
def test_a_text_that_parquet_repeats_does_not_fill_the_memory(
    tmp_path: Path, length: int, count: int
) -> None:
    path = tmp_path / "bomb.parquet"
    names = ("id", "family", "task", "version", "input", "target", "metadata", "canary")
    text = arrow.DictionaryArray.from_arrays(
        arrow.array([0] * count, arrow.int32()), arrow.array(["x" * length])
    )
    few = arrow.array(["{}"] * count)
    table = arrow.table({name: text if name == "input" else few for name in names})
    parquet.write_table(table, path, compression="zstd")
    assert path.stat().st_size < 1 << 20
    before = peak()
    if length > 1 << 24:
        with pytest.raises(FileError, match="field 'input' has 17,825,792 bytes"):
            next(read_samples(path))
    else:
        for sample in read_samples(path):
            assert len(sample.input) == length
    assert peak() - before < 400 << 20


def test_a_group_of_rows_that_is_too_large_is_refused_by_its_own_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.parquet"
    write_samples(path, [sample()])
    monkeypatch.setattr(sample_files, "_LARGEST_GROUP", 100)
    with pytest.raises(FileError, match=r"row group 0 takes .* write smaller groups"):
        next(read_samples(path))
