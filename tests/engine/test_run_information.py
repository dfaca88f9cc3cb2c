"""``run.json`` as it is read and written: what may lack, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import thence
from thence.core.prices import Prices
from thence.engine import session
from thence.engine.directory import RunDirectory
from thence.engine.run_config import RunConfig
from thence.engine.run_information import RunInformation, RunRequest
from thence.errors import FileError
from thence.generation.sources import sample_source

FILE = Path("run/run.json")
REQUEST = RunRequest(
    samples={"tasks": ["procbench/sort"], "seed": 0}, model="x/m", protocol="direct",
    set_protocol={}, epochs=2, generation={"temperature": 0.5}, templates="",
)  # fmt: skip
WHOLE = RunInformation(
    fingerprint=REQUEST.fingerprint, identity="ab", request=REQUEST,
    versions={"procbench/sort": "1-0"}, reduce="majority", samples=3, samples_sha256="c",
    conversations={"all": 6, "done": 6}, responses=6, responses_sha256="d",
    usage={"input_tokens": 5}, usd_per_million_tokens={"input": 1, "output": 2}, cost_usd=0.5,
)  # fmt: skip


def read(row: dict[str, Any]) -> RunInformation:
    return RunInformation.read(json.dumps(row).encode(), FILE)


def test_what_is_written_is_read() -> None:
    assert read(WHOLE.to_json()) == WHOLE
    assert WHOLE.is_whole
    assert WHOLE.prices == Prices(1, 2)
    assert replace(WHOLE, usd_per_million_tokens=None).prices is None
    cached = {"input": 1, "output": 2, "cached": 0.1}
    assert replace(WHOLE, usd_per_million_tokens=cached).prices == Prices(1, 2, 0.1)


def test_what_a_run_that_was_killed_has_not_told_may_lack() -> None:
    told = {
        name: WHOLE.to_json()[name] for name in ("fingerprint", "request", "versions", "samples")
    }
    told["request"] = {name: told["request"][name] for name in ("samples", "model", "protocol")}
    found = read({**told, "request": {**told["request"], "epochs": 1}})
    assert (found.reduce, found.accept_errors, found.comparable, found.thence) == (
        "mean", False, True, "",
    )  # fmt: skip
    assert found.conversations is found.responses is found.usage is None
    assert not found.is_whole


def test_more_epochs_of_a_run_are_the_same_run_and_not_at_its_end() -> None:
    more = replace(REQUEST, epochs=4)
    assert more.fingerprint == REQUEST.fingerprint
    assert replace(REQUEST, model="x/n").fingerprint != REQUEST.fingerprint
    assert not replace(WHOLE, request=more).is_whole


def test_what_a_start_says_first_does_not_tell_of_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = thence.generate("procbench/sort", size=2)
    thence.run(asked, lambda messages: "[]", out="run", name="m")
    directory = RunDirectory(Path("run"))
    assert directory.whole
    old = replace(directory.information(), thence="0.0.1")
    config = RunConfig(
        source=sample_source(("run/samples.jsonl",)), model="baseline/random", epochs=3,
        reduce="majority", folder=Path("other"),
    )  # fmt: skip
    told = session._with_settings(old, session.prepare(config))
    assert (told.request.epochs, told.reduce, told.thence) == (3, "majority", "0.0.1")
    assert told.conversations is told.responses_sha256 is None
    directory.write_information(told)  # as a run that is killed then leaves it
    assert not directory.whole
    assert not RunDirectory(Path("run")).trusted  # its samples are of another version's making


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("samples", -1), ("samples", True), ("samples", "3"), ("responses", -1), ("reduce", "best"),
        ("conversations", {"all": -1}), ("versions", {"a": 1}), ("fingerprint", None),
        ("accept_errors", 1), ("address", 5), ("cost_usd", "1"), ("request", {}),
    ],
)  # fmt: skip
def test_what_we_did_not_write_is_refused_in_one_line(name: str, value: object) -> None:
    with pytest.raises(FileError, match=r"run.json: damaged or not written by thence; take it"):
        read({**WHOLE.to_json(), name: value})
