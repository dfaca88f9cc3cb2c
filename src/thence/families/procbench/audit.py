"""Audit of ProcBench's published labels, which are computed again from the prompts alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from thence import families
from thence.core.audit import Audit, Disagreement
from thence.errors import FileError
from thence.families.procbench.procedure import ExplicitProcedure, ProcedureQuestions
from thence.families.procbench.published_questions import question_part
from thence.system.disk import read_lines
from thence.system.progress import followed

_FIELDS = {"prompt": str, "label": dict, "task_name": str}


def audit(path: Path) -> Audit:
    """Return the comparison of every published label with our procedures' result for its prompt.

    Args:
        path: a file of JSON lines, or a folder that holds such files.

    Raises:
        FileError: no such file, a line that differs from the published format, or nothing to check.
    """
    procedures = {f"task{each.rank:02d}": each for each in _procedures()}
    found = Audit("procbench")
    for file, number, row in followed(_rows(path), "examples"):
        for name, kind in _FIELDS.items():
            if not isinstance(row.get(name), kind):
                raise FileError(f"{file}:{number}: field '{name}' is missing or of the wrong type")
        if row["task_name"] not in procedures:
            raise FileError(
                f"{file}:{number}: unknown task_name '{row['task_name']}'; "
                "ProcBench's are task01 to task23"
            )
        _compare(procedures[row["task_name"]], row, found)
    if not found.checked:
        raise FileError(f"{path}: holds no published examples")
    return found


def _procedures() -> Iterator[ExplicitProcedure[Any]]:
    for each in families.select(["procbench"]):
        if isinstance(each.generator, ProcedureQuestions):
            yield each.generator.procedure


def _rows(path: Path) -> Iterator[tuple[Path, int, dict[str, Any]]]:
    if not path.exists():
        raise FileError(f"{path}: no such file or folder")
    files = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise FileError(f"{path}: holds no .jsonl files")
    for file in files:
        for number, row in read_lines(file):
            yield file, number, row


def _compare(procedure: ExplicitProcedure[Any], row: dict[str, Any], found: Audit) -> None:
    group = f"procbench/{procedure.name}"
    label, name = row["label"], str(row.get("problem_name", row.get("example_name", "")))
    published = {"intermediate": label.get("intermediate"), "final": label.get("final")}
    try:
        question = procedure.parse(question_part(row["prompt"]))
        computed = procedure.truth(question)
        init = procedure.initial(question)
    except (ValueError, LookupError) as error:
        why = f"the prompt cannot be read: {error}"
        found.disagree(Disagreement(name, group, published, None, why))
        return
    if computed != published:
        why = _difference(computed, published)
    elif "init" in label and label["init"] != init:
        why = f"the initial state is {init!r}, not {label['init']!r}"
    else:
        found.agree(group)
        return
    found.disagree(Disagreement(name, group, published, computed, why))


def _difference(computed: dict[str, Any], published: dict[str, Any]) -> str:
    ours, theirs = computed["intermediate"], published["intermediate"]
    if isinstance(theirs, list):
        for number, (mine, other) in enumerate(zip(ours, theirs, strict=False), 1):
            if mine != other:
                return f"state {number} is {mine!r}, not {other!r}"
        if len(ours) != len(theirs):
            return f"the number of intermediate states is {len(ours)}, not {len(theirs)}"
    return f"the final state is {computed['final']!r}, not {published['final']!r}"
