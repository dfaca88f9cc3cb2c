"""Audit of ProcBench's published labels, which are computed again from the prompts alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from thence.core.audit import Audit, Disagreement
from thence.errors import FileError
from thence.families.procbench.published_file import Example, examples, files
from thence.families.procbench.published_questions import question_part
from thence.system.progress import followed


def audit(path: Path) -> Audit:
    """Return the comparison of every published label with our procedures' result for its prompt.

    Args:
        path: a file of JSON lines, or a folder that holds such files.

    Raises:
        FileError: no such file, a line that differs from the published format, or nothing to check.
    """
    if not path.exists():
        raise FileError(f"{path}: no such file or folder")
    if not files(path):
        raise FileError(f"{path}: holds no .jsonl files")
    found = Audit("procbench")
    for example in followed(examples(path), "examples"):
        _compare(example, found)
    if not found.checked:
        raise FileError(f"{path}: holds no published examples")
    return found


def _compare(example: Example, found: Audit) -> None:
    group, published, label = example.task.full_name, example.target, example.label
    procedure = example.procedure
    try:
        question = procedure.parse(question_part(example.prompt))
        computed = procedure.truth(question)
        init = procedure.initial(question)
    except (ValueError, LookupError) as error:
        why = f"the prompt cannot be read: {error}"
        found.disagree(Disagreement(example.name, group, published, None, why))
        return
    if computed != published:
        why = _difference(computed, published)
    elif "init" in label and label["init"] != init:
        why = f"the initial state is {init!r}, not {label['init']!r}"
    else:
        found.agree(group)
        return
    found.disagree(Disagreement(example.name, group, published, computed, why))


def _difference(computed: dict[str, Any], published: dict[str, Any]) -> str:
    ours, theirs = computed["intermediate"], published["intermediate"]
    if isinstance(theirs, list):
        for number, (mine, other) in enumerate(zip(ours, theirs, strict=False), 1):
            if mine != other:
                return f"state {number} is {mine!r}, not {other!r}"
        if len(ours) != len(theirs):
            return f"the number of intermediate states is {len(ours)}, not {len(theirs)}"
    return f"the final state is {computed['final']!r}, not {published['final']!r}"
