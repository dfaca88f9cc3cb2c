"""Runs handed to trackers, and read back from what these keep."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import refused, settle
from tests.cli.command import thence as command
from thence.integrations import for_trackers

real = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch, tmp_path)
    asked = ("procbench/sort", "releval", "--size", "6", "--model", "baseline/random")
    command("run", *asked, "-o", "run")


def wanted() -> dict[str, float]:
    """The accuracies and some others, as the run prints them."""
    told = command("score", "run", "--json").json()
    tasks = {f"{name}/accuracy": each["accuracy"] for name, each in told["groups"].items()}
    low, high = told["groups"]["procbench/sort"]["accuracy_ci"]
    return tasks | {
        "procbench/sort/accuracy_ci_low": low,
        "procbench/sort/accuracy_ci_high": high,
        "procbench/sort/pml": told["groups"]["procbench/sort"]["pml"],
        "releval/all/f1": told["overall"]["releval"]["f1"],
        "procbench/sort/outcome/wrong": told["groups"]["procbench/sort"]["outcomes"]["wrong"],
    }


def compare(found: dict[str, Any]) -> None:
    for name, value in wanted().items():
        assert found[name] == pytest.approx(value), name


def test_a_tracker_is_told_request_figures_and_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[for_trackers.TrackedRun] = []
    monkeypatch.setitem(for_trackers.TRACKERS, "mlflow", lambda run: held.append(run) or "here")
    for_trackers.log_run("run", "mlflow", name="mine")
    (told,) = held
    compare(dict(told.figures))
    assert (told.project, told.name) == ("thence", "mine")
    assert told.request["model"] == "baseline/random"
    assert told.request["version.procbench/sort"] == "1-0"
    assert told.request["generation.temperature"] is None
    assert len(told.rows) == 24
    # None of the names is a folder of another one.
    assert not {f"{name}/" for name in told.figures} & {
        name[: place + 1] for name in told.figures for place, sign in enumerate(name) if sign == "/"
    }


def test_a_tracker_that_is_missing_or_refuses_is_told_of_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, module in (("mlflow", "mlflow"), ("wandb", "wandb"), ("trackio", "trackio"),
                         ("tensorboard", "tensorboardX")):  # fmt: skip
        monkeypatch.setitem(sys.modules, module, None)
        refused("log", "run", "--to", name, says=(f"pip install 'thence[{name}]'",))
    refused("log", "no", "--to", "wandb", says=("no such run directory",))
    refused("log", "run", "--to", "excel", says=("'excel' is not one of",))

    def fails(run: for_trackers.TrackedRun) -> str:
        raise RuntimeError("no key\nat all")

    monkeypatch.setitem(for_trackers.TRACKERS, "wandb", fails)
    refused("log", "run", "--to", "wandb", says=("wandb: no key",))


@pytest.mark.parametrize("to", [pytest.param("mlflow", marks=real)])
def test_mlflow_has_it(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri("file:mlruns")
    command("log", "run", "--to", to)
    client = mlflow.MlflowClient()
    (experiment,) = client.search_experiments(filter_string="name = 'thence'")
    (run,) = client.search_runs([experiment.experiment_id])
    compare(run.data.metrics)
    assert run.data.params["model"] == "baseline/random"
    path = client.download_artifacts(run.info.run_id, "eval_results_table.json")
    table = json.loads(Path(path).read_text("utf-8"))
    assert len(table["data"]) == 24


@pytest.mark.parametrize("to", [pytest.param("wandb", marks=real)])
def test_wandb_has_it(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    command("log", "run", "--to", to)
    (path,) = Path("wandb").glob("offline-run-*/run-*.wandb")
    found: dict[str, Any] = {}
    config: dict[str, Any] = {}
    for record in wandb_records(path.read_bytes()):
        for each in record.history.item:
            with suppress(ValueError):
                found[each.key or "/".join(each.nested_key)] = json.loads(each.value_json)
        config |= {each.key: json.loads(each.value_json) for each in record.run.config.update}
    compare(found)
    assert config["model"] == "baseline/random"
    (table,) = path.parent.glob("files/media/table/samples_*.json")
    assert len(json.loads(table.read_text("utf-8"))["data"]) == 24


def wandb_records(data: bytes) -> Iterator[Any]:
    """Records of wandb's file: blocks of LevelDB's log after a head of seven bytes."""
    from wandb.proto.wandb_internal_pb2 import Record

    place, block, parts = 7, 1 << 15, b""
    while place + 7 <= len(data):
        if block - place % block < 7:
            place += block - place % block
        _, size, kind = struct.unpack_from("<IHB", data, place)
        parts += data[place + 7 : place + 7 + size]
        place += 7 + size
        if kind in {1, 4}:  # whole, or the last part
            record = Record()
            record.ParseFromString(parts)
            yield record
            parts = b""


@pytest.mark.parametrize("to", [pytest.param("trackio", marks=real)])
def test_trackio_has_it(to: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRACKIO_DIR", str(tmp_path / "trackio"))
    pytest.importorskip("trackio")
    from trackio.sqlite_storage import SQLiteStorage

    command("log", "run", "--to", to, "--project", "ours")
    assert SQLiteStorage.get_runs("ours") == ["run"]
    (found,) = SQLiteStorage.get_logs("ours", "run")
    compare(found)
    assert len(found["samples"]["_value"]) == 24
    config = SQLiteStorage.get_run_config("ours", "run")
    assert config["model"] == "baseline/random"


@pytest.mark.parametrize("to", [pytest.param("tensorboard", marks=real)])
def test_tensorboard_has_it(to: str) -> None:
    pytest.importorskip("tensorboardX")
    reading = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    command("log", "run", "--to", to)
    held = reading.EventAccumulator("thence/run").Reload()
    compare({name: held.Scalars(name)[0].value for name in held.Tags()["scalars"]})
    (text,) = held.Tensors("samples/text_summary")
    shown = text.tensor_proto.string_val[0].decode()
    assert shown.count("\n") == 26
    assert (
        "baseline/random"
        in held.Tensors("request/text_summary")[0].tensor_proto.string_val[0].decode()
    )
