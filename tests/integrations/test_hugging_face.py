"""A folder of questions for the Hub, as its libraries read it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

import thence
from tests.cli.command import refused, settle
from tests.cli.command import thence as command

pytest.importorskip("pyarrow")

TASKS = ("procbench/sort", "procbench/gather", "releval", "catbench")


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch, tmp_path)


def folder() -> Path:
    done = command("generate", *TASKS, "--size", "6", "--workers", "1", "-o", "hub/")
    assert done.last == "36 samples of 6 tasks: hub/ (manifest.json in it)"
    return Path("hub")


def header(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(
        (path / "README.md").read_text("utf-8").split("---\n")[1]
    )
    return found


def test_a_folder_holds_the_questions_and_says_what_they_are() -> None:
    made = thence.generate(TASKS, size=6, workers=1)
    place = folder()
    found = {each.id: each for each in thence.read(place)}
    assert found == {each.id: each for each in made}
    card = header(place)
    assert card["license"] == "cc-by-4.0"
    configs = {each["config_name"]: each["data_files"][0]["path"] for each in card["configs"]}
    assert configs["procbench"] == ["data/procbench/gather.parquet", "data/procbench/sort.parquet"]
    assert configs["procbench_sort"] == ["data/procbench/sort.parquet"]
    text = (place / "README.md").read_text("utf-8")
    assert made[0].canary in text
    for part in ("CC BY 4.0", "## Datasheet", "| `catbench/order` | 2-0 | 6 |", '"size": 6'):
        assert part in text
    held = json.loads((place / "manifest.json").read_text("utf-8"))
    assert held["samples"] == sum(each["rows"] for each in held["files"]) == 36
    assert "inspect-ai" in (place / "eval.yaml").read_text("utf-8")
    described = json.loads((place / "croissant.json").read_text("utf-8"))
    assert {each["sha256"] for each in described["distribution"]} == {
        each["sha256"] for each in held["files"]
    }


def test_words_from_elsewhere_are_not_ours_to_give() -> None:
    from thence.integrations.hub_card import licence_of

    sample = thence.generate("catbench", size=1)[0]
    assert licence_of(sample) == "cc-by-4.0"
    for change in ({"source": "published"}, {"origin": {"map": "city.osm.pbf"}}):
        row = sample.to_json()
        given = thence.Sample.from_json({**row, "metadata": {**row["metadata"], **change}})
        assert licence_of(given) == "other"


def test_a_folder_is_replaced_only_if_it_is_ours() -> None:
    place = folder()
    refused("generate", *TASKS, "-o", "hub/", says=("-o hub: exists; --overwrite replaces it",))
    command("generate", "catbench", "--size", "3", "--overwrite", "-o", "hub/")
    assert len(thence.read(place)) == 3
    Path("other").mkdir()
    Path("other/thesis.txt").write_text("mine")
    refused("generate", "catbench", "--overwrite", "-o", "other/", says=("holds something else",))
    refused("generate", "catbench", "-o", "no/such/", says=("folder no does not exist",))


def test_no_questions_are_no_folder(tmp_path: Path) -> None:
    from thence.integrations.for_hugging_face import write_folder

    none = thence.generate("catbench", size=1).filter(lambda sample: False)
    with pytest.raises(thence.ParameterError, match="holds no questions"):
        write_folder(none, tmp_path / "hub")
    assert not (tmp_path / "hub").exists()


def test_what_was_changed_on_the_way_is_refused() -> None:
    row = {**thence.generate("catbench", size=1)[0].to_json(), "target": 3}
    with pytest.raises(thence.ThenceError):
        thence.run([row], "baseline/oracle", out="run")


READ = """
import datasets, json, sys
for name in ("procbench", "procbench_sort", "releval", "catbench"):
    rows = datasets.load_dataset(sys.argv[1], name, split="test")
    print(json.dumps([name, [dict(row) for row in rows]]))
"""


def same(lines: list[str]) -> None:
    """Rows of `datasets` are those of `thence.read`, one by one."""
    read = list(thence.read("hub"))
    for line in lines:
        name, rows = json.loads(line)
        ours = [each for each in read if name in (each.family, each.task.replace("/", "_"))]
        assert len(rows) == len(ours) > 0
        for row, sample in zip(rows, ours, strict=True):
            whole = {key: json.loads(row[key]) for key in ("target", "metadata")}
            assert thence.Sample.from_json({**row, **whole}) == sample
            assert row["cluster"] == sample.cluster
            assert thence.score_reply(row, row["answer"]).correct


@pytest.mark.long
@pytest.mark.parametrize("release", ["3.6.0", "5.2.0"])
def test_two_majors_of_datasets_read_the_same(
    release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    uv = shutil.which("uv") or str(Path(__file__).parents[2] / ".tools" / "bin" / "uv")
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("HF_HOME", "cache")
    place = folder()
    ran = subprocess.run(
        [uv, "run", "--quiet", "--no-project", "--with", f"datasets=={release}", "python", "-c",
         READ, str(place)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if ran.returncode == 2 and "datasets" in ran.stderr:  # uv's own way to say that it is not had
        pytest.skip(ran.stderr)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert len(lines) == 4
    same(lines)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_croissant_is_valid_and_read() -> None:
    croissant = pytest.importorskip("mlcroissant")
    found = croissant.Dataset(str(folder() / "croissant.json"))
    assert not found.metadata.ctx.issues.errors
    assert found.metadata.data_collection_type == ["Software Collection"]
    assert found.metadata.personal_sensitive_information == [
        "None: no person, and no person's data."
    ]
    first = next(iter(found.records("catbench/order")))
    ours = next(each for each in thence.read("hub") if each.task == "catbench/order")
    assert first["catbench/order/id"].decode() == ours.id
