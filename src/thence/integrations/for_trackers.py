"""Runs in trackers of experiments: MLflow, Weights & Biases, Trackio and TensorBoard.

Where a tracker keeps its data, and whether it sends them anywhere, is up to its own settings.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import thence
from thence.api.scores import Scores
from thence.errors import MissingExtra, ParameterError, UsageError, one_line
from thence.integrations.run_figures import by_owner, figures, finished

_COLUMNS = (
    "id", "task", "epoch", "turn", "outcome", "correct", "question", "truth", "reply", "answer",
)  # fmt: skip
_SHOWN = 100  # samples that TensorBoard is given, as it draws them all at once


@dataclass(frozen=True)
class TrackedRun:
    """Name, request, figures and rows of a run, as a tracker takes them.

    Attributes:
        project: the experiment that it belongs to.
        name: of the run.
        request: what was asked for, flat.
        figures: each by its name, ``catbench/order/accuracy`` and the like.
        rows: of the samples, in the order of the columns.
    """

    project: str
    name: str
    request: Mapping[str, Any]
    figures: Mapping[str, float]
    rows: list[list[Any]]


def log_run(run: str | Path, to: str, *, project: str = "thence", name: str | None = None) -> str:
    """Hand a finished run to a tracker: request, figures with intervals, and samples.

    Args:
        run: the run's directory.
        to: one of `TRACKERS`.
        project: the experiment in MLflow, the project in wandb and Trackio, the folder of
            TensorBoard's files.
        name: of the run there; None for that of its directory.

    Returns:
        Where the tracker has it, in its own words.

    Raises:
        ParameterError: another tracker.
        FileError: no run, or an unfinished one.
        MissingExtra: the tracker is not installed.
        UsageError: it refuses the run.
    """
    if to not in TRACKERS:
        raise ParameterError("to", to, f"must be one of {', '.join(TRACKERS)}")
    held, scores = finished(run)
    information = held.information
    request = _flat("", information["request"]) | _flat("version.", information["versions"])
    request |= {"thence": information["thence"], "fingerprint": information["fingerprint"]}
    rows = [[row.get(column) for column in _COLUMNS] for row in scores.details()]
    told_run = TrackedRun(project, name or held.path.name, request, _measured(scores), rows)
    try:
        return TRACKERS[to](told_run)
    except ImportError as error:
        raise MissingExtra(f"thence log --to {to}", to) from error
    except thence.ThenceError:
        raise
    except Exception as error:
        raise UsageError(f"{to}: {one_line(str(error))}") from error


def _measured(scores: Scores) -> dict[str, float]:
    """Return the figures by names such as ``catbench/order/accuracy``.

    Those of a family are in ``FAMILY/all``: a metric may be called as a task is, and a tracker may
    keep each name as a path.
    """
    found: dict[str, float] = {}
    for each in figures(scores):
        begin = f"{_owner(each.owner)}/{each.name}"
        found[begin] = each.value
        if each.ends is not None:
            found[f"{begin}_ci_low"], found[f"{begin}_ci_high"] = each.ends
    for owner, told in by_owner(scores).items():
        for outcome, count in told["outcomes"].items():
            found[f"{_owner(owner)}/outcome/{outcome}"] = count
    return found


def _owner(name: str) -> str:
    return name if "/" in name else f"{name}/all"


def _flat(begin: str, held: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of nested mappings under names with dots."""
    found: dict[str, Any] = {}
    for key, value in held.items():
        if isinstance(value, Mapping):
            found |= _flat(f"{begin}{key}.", value)
        else:
            found[f"{begin}{key}"] = json.dumps(value) if isinstance(value, list) else value
    return found


def _mlflow(run: TrackedRun) -> str:
    import mlflow

    table = "eval_results_table.json"
    mlflow.set_experiment(run.project)
    with mlflow.start_run(run_name=run.name) as begun:
        mlflow.log_params({name.replace("/", "."): value for name, value in run.request.items()})
        mlflow.log_metrics(dict(run.figures))
        # What `log_table` does, which needs pandas.
        mlflow.log_dict({"columns": list(_COLUMNS), "data": run.rows}, table)
        tables = json.dumps([{"path": table, "type": "table"}])
        mlflow.set_tag("mlflow.loggedArtifacts", tables)
        return f"run {begun.info.run_id} of {mlflow.get_tracking_uri()}"


def _wandb(run: TrackedRun) -> str:
    import wandb

    # A column of a table has one type, or any.
    table = wandb.Table(columns=list(_COLUMNS), data=run.rows, allow_mixed_types=True)
    quiet = wandb.Settings(silent=True)
    with wandb.init(
        project=run.project, name=run.name, config=dict(run.request), settings=quiet
    ) as begun:
        begun.log({**run.figures, "samples": table})
        return str(begun.dir if begun.offline else begun.url)


def _trackio(run: TrackedRun) -> str:
    import trackio
    from trackio.utils import TRACKIO_DIR

    begun = trackio.init(
        project=run.project, name=run.name, config=dict(run.request), embed=False,
        auto_log_gpu=False, auto_log_cpu=False,
    )  # fmt: skip
    begun.log({**run.figures, "samples": trackio.Table(columns=list(_COLUMNS), data=run.rows)})
    trackio.finish()
    return f"run {run.name} of project {run.project} in {TRACKIO_DIR}"


def _tensorboard(run: TrackedRun) -> str:
    from tensorboardX import SummaryWriter

    folder = Path(run.project, run.name)
    with SummaryWriter(str(folder)) as writer:
        for name, value in run.figures.items():
            writer.add_scalar(name, value, 0)
        writer.add_text("request", _table(["name", "value"], list(run.request.items())), 0)
        writer.add_text("samples", _table(_COLUMNS, run.rows[:_SHOWN]), 0)
    return str(folder)


def _table(columns: Any, rows: Any) -> str:
    """Return a table in Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(map(_cell, each))} |\n" for each in lines)


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replace("\n", "<br>")


TRACKERS: Mapping[str, Callable[[TrackedRun], str]] = {
    "mlflow": _mlflow,
    "wandb": _wandb,
    "trackio": _trackio,
    "tensorboard": _tensorboard,
}
"""Functions that hand a run over, by the name of the tracker."""
