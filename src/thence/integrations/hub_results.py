"""The accuracies of a run as a model's page on the Hugging Face Hub shows them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from thence.errors import DiskError, FileError, ParameterError
from thence.integrations.run_figures import finished


def write_results(
    run: str | Path, dataset: str, path: str | Path, *, overwrite: bool = False
) -> Path:
    """Write the accuracies of a run by family, for ``.eval_results/`` in a model's repository.

    Args:
        run: the run's directory.
        dataset: ``ORG/NAME`` of the questions on the Hub.
        path: of the file; ends in ``.yaml``.
        overwrite: replace a file that is there.

    Returns:
        The path of the file.

    Raises:
        ParameterError: a name of another form, another ending, or a file that is there.
        FileError: no run, an unfinished one, or none with an accuracy.
        DiskError: the disk would not take it.
    """
    file = Path(path)
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", dataset):
        raise ParameterError("dataset", dataset, "must be ORG/NAME")
    if file.suffix != ".yaml":
        raise ParameterError("path", file, "must end in .yaml")
    if file.is_dir() or not file.parent.is_dir():
        raise ParameterError("path", file, "name a file in a folder that exists")
    if file.exists() and not overwrite:
        raise ParameterError("path", file, "exists; overwrite=True replaces it")
    held, scores = finished(run)
    rows = [
        _entry(row, dataset, held.information)
        for row in scores.summary().to_dicts()
        if row["accuracy"] is not None
    ]
    if not rows:
        raise FileError(f"{held.path}: its tasks have no accuracy in common; export one of them")
    try:
        file.write_text(yaml.safe_dump(rows, sort_keys=False), encoding="utf-8")
    except OSError as error:
        raise DiskError.of(file, error) from error
    return file


def _entry(row: dict[str, Any], dataset: str, information: Any) -> dict[str, Any]:
    asked = information["request"]
    ends = row["accuracy_low"], row["accuracy_high"]
    between = "" if None in ends else f", 95% interval {ends[0]:.3f} to {ends[1]:.3f}"
    return {
        "dataset": {"id": dataset, "task_id": row["family"]},
        "value": row["accuracy"],
        "date": datetime.now(UTC).date().isoformat(),
        "notes": f"accuracy of {row['n']} replies{between}; thence {information['thence']}, "
        f"protocol {asked['protocol']}, run {information['fingerprint']}",
    }
