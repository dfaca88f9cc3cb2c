"""Published replies, in the CSV format of the paper's authors.

The columns are ``title``, ``i``, ``j`` (0-based, i < j), ``rel`` (before or after), ``split``,
``gold`` and ``answer``, the raw reply. The texts of the steps are not in the file, and are not
needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from thence.core import csv_files
from thence.core.digest import digest
from thence.core.imported_replies import Gathered, GatheredReply
from thence.core.sample import Sample
from thence.errors import FileError
from thence.families.catbench.questions import RELATIONS, SPLITS, question_metadata, truth, wording
from thence.families.catbench.reading import ERROR_MARK
from thence.families.catbench.tasks.order import TASK

FIELDS = ("title", "i", "j", "rel", "split", "gold", "answer")
_PREFIX, _PROTOCOLS = "responses_", ("_answer_only", "_answer_explain", "_explain_answer")


def gather(path: Path, scorer: str) -> list[Gathered] | None:
    """Return the replies of one model; None where the file has another form.

    A row in another format is left out with a note. A mark in place of a reply is a provider error,
    not an answer; an unreadable reply is kept as a reply without an answer.

    Raises:
        FileError: no row can be read.
    """
    if path.suffix != ".csv" or not path.is_file():
        return None
    rows = csv_files.read_rows(path)
    header = next(rows, (0, {}))[1]
    if not set(FIELDS) <= set(header):
        return None
    replies: list[GatheredReply] = []
    skipped: list[str] = []
    epochs: dict[str, int] = {}
    for number, row in rows:
        try:
            sample = _sample(row)
        except ValueError as error:
            skipped.append(f"{path}:{number}: {error}")
            continue
        epoch = epochs[sample.id] = epochs.get(sample.id, -1) + 1
        if epoch:
            skipped.append(f"{path}:{number}: a second reply to the same question")
            continue
        replies.append(_reply(sample, row["answer"]))
    if not replies:
        raise FileError(f"{path}: holds no replies{': ' + skipped[0] if skipped else ''}")
    errors = sum(each.error is not None for each in replies)
    notes = []
    if errors:
        notes.append(
            f"{errors} rows hold {ERROR_MARK} in place of a reply: provider errors, which leave n."
        )
    return [Gathered(_model(path), str(path), replies, skipped, notes)]


def _sample(row: Mapping[str, str]) -> Sample:
    """Return the question of a row.

    Raises:
        ValueError: the row is not valid; the message gives the reason.
    """
    split, relation, gold = row["split"].strip(), row["rel"].strip(), row["gold"].strip().lower()
    try:
        i, j = int(row["i"]), int(row["j"])
    except ValueError as error:
        raise ValueError(f"i = {row['i']!r}, j = {row['j']!r}: must be numbers of steps") from error
    if not 0 <= i < j:
        raise ValueError(f"i = {i}, j = {j}: must be 0-based with i < j")
    if split not in SPLITS:
        raise ValueError(f"split = {split!r}: must be one of {', '.join(SPLITS)}")
    if relation not in RELATIONS:
        raise ValueError(f"rel = {relation!r}: must be before or after")
    if gold != truth(split):
        raise ValueError(
            f"gold = {row['gold']!r}: questions of {split} have the answer {truth(split)}"
        )
    title = row["title"].strip()
    if not title:
        raise ValueError("the title is missing")
    metadata: dict[str, Any] = question_metadata(title, i, j, relation, split)
    metadata["question"] = {"kind": relation, "i": i, "j": j, "fact": None}
    metadata["source"] = "gathered"
    name = digest(TASK.full_name, title, i, j, relation, split)
    text = f"{title}\n{wording(i, j, relation)}"
    return Sample(name, TASK.family, TASK.full_name, TASK.version, text, gold, metadata)


def _reply(sample: Sample, text: str) -> GatheredReply:
    if text.lstrip().startswith(ERROR_MARK):
        message = text.strip().removeprefix(ERROR_MARK).strip()
        return GatheredReply(sample, None, {"kind": "gathered", "message": message})
    return GatheredReply(sample, text)


def _model(path: Path) -> str:
    """Return the model in a file name ``responses_MODEL_answer_only.csv``."""
    name = path.stem.removeprefix(_PREFIX)
    for protocol in _PROTOCOLS:
        name = name.removesuffix(protocol)
    return name
