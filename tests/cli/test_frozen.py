"""Frozen sets: the questions that their hashes promise, and private twins of them."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import pytest

import thence as library
from tests.cli.command import refused, rows, thence
from tests.generation.record_frozen import FILES, NAME
from thence.api import frozen
from thence.domains import routes
from thence.errors import ParameterError, UsageError
from thence.generation import frozen_sets

QUICK = ["procbench.jsonl", "releval.jsonl"]


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the set one of a few questions, whose hashes are not those recorded."""
    held = frozen_sets.frozen_set(NAME)
    few = ("procbench.jsonl", "releval.jsonl", "fable-routes.jsonl")
    files = {name: replace(held.files[name], size=2) for name in few}
    monkeypatch.setattr(frozen_sets, "frozen_set", lambda name: replace(held, files=files))


def test_a_part_of_the_set_is_made_again() -> None:
    made = frozen.write(NAME, "set", files=QUICK, workers=1)
    assert made.differing == []
    assert made.samples == 1104 + 300
    subprocess.run(["sha256sum", "--check", "--strict", frozen.HASHES], cwd="set", check=True)
    assert len(library.read("set")) == made.samples


@pytest.mark.long
def test_the_whole_set_is_made_again_by_one_command() -> None:
    missing = [name for name in ("fast_downward", "valhalla") if find_spec(name) is None]
    if missing:
        pytest.skip(f"{missing[0]} is not installed")
    thence("generate", "--frozen", NAME, "-o", "set", "--workers", "1")
    held = frozen_sets.frozen_set(NAME).files
    assert list(held) == list(FILES)
    for name, each in held.items():
        content = (Path("set") / name).read_bytes()
        assert sha256(content).hexdigest() == each.sha256, name
        assert content.count(b"\n") == each.samples


def test_the_set_has_every_task() -> None:
    asked = [task for each in frozen_sets.frozen_set(NAME).files.values() for task in each.versions]
    assert sorted(asked) == sorted(task.name for task in library.tasks())


def test_a_private_twin_has_as_many_questions_of_each_task_and_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small(monkeypatch)
    for folder, seed in (("public", None), ("private", 4_611)):
        assert frozen.write(NAME, folder, seed=seed, files=QUICK, workers=1).samples == 52
    for name in QUICK:
        public, private = rows(f"public/{name}"), rows(f"private/{name}")
        assert Counter(row["task"] for row in public) == Counter(row["task"] for row in private)
        shared = {row["id"] for row in public} & {row["id"] for row in private}
        several = [row for row in public if row["task"] != "releval/plan_generation"]
        assert not shared & {row["id"] for row in several}  # that task has one prompt a group
    manifest = json.loads(Path("private/releval.jsonl.manifest.json").read_text("utf-8"))
    assert manifest["request"]["seed"] == 4_611


def test_the_command_names_what_differs_and_ends_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    monkeypatch.setattr(routes, "find_spec", lambda name: None)
    given = ("generate", "--frozen", NAME, "-o", "set", "--workers", "1")
    refused(*given, says=("fable/routes/*", "--skip-unavailable goes on without"))
    done = thence(*given, "--skip-unavailable", status=1)
    assert "set/procbench.jsonl differs from the file of the set" in done.err
    assert "samples in 2 files of thence-1: set (SHA256SUMS in it)" in done.out
    done_before = thence(*given, "--skip-unavailable", status=2)
    assert "-o set/procbench.jsonl: exists; --overwrite" in done_before.err
    again = thence(*given, "--skip-unavailable", "--overwrite", "--seed", "5")
    assert "like thence-1, from your seed 5" in again.out
    assert "differs" not in again.err


def test_what_shapes_questions_is_refused_beside_a_frozen_set() -> None:
    given = ("generate", "--frozen", NAME, "-o", "set")
    refused(*given, "releval", says=("--frozen thence-1", "leave TASK out"))
    refused(*given, "--size", "3", says=("leave --size out",))
    refused(*given, "--set", "steps=3", says=("leave --set out",))
    refused("generate", "--frozen", "thence1", "-o", "set", says=("did you mean 'thence-1'?",))
    refused("generate", "-o", "set", says=("TASK",))
    Path("file").touch()
    refused(*given[:-1], "file", says=("-o file: is a file; name a folder",))
    for name in ("fr.jsonl", "fr.parquet"):
        says = f"-o {name}: is the name of a file, and thence-1 has several; name a folder"
        refused(*given[:-1], name, says=(says,))
    with pytest.raises(ParameterError, match=r"thence-1 has: procbench\.jsonl, "):
        frozen.write(NAME, "set", files=["other.jsonl"])


def test_another_version_of_a_task_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    held = frozen_sets.frozen_set(NAME)
    versions = {**held.files["releval.jsonl"].versions, "releval/comparison": "0-9"}
    files = {"releval.jsonl": replace(held.files["releval.jsonl"], versions=versions)}
    monkeypatch.setattr(frozen_sets, "frozen_set", lambda name: replace(held, files=files))
    says = ("version 0-9 of releval/comparison", "has 1-0", f"install thence {held.thence}")
    refused("generate", "--frozen", NAME, "-o", "set", says=says)
    gone = replace(held.files["releval.jsonl"], versions={"releval/gone": "1-0"})
    with pytest.raises(UsageError, match=r"of releval/gone, and thence .* has none"):
        replace(held, files={"releval.jsonl": gone}).check("releval.jsonl")
