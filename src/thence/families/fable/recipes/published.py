"""The rules of FABLE's published recipe answers, and the rows of its files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from thence.core import csv_files
from thence.core.amounts import Amount, times

FILES = {
    "reaching_definitions": "recipe_reaching_definitions.csv",
    "very_busy_expressions": "recipe_very_busy_expressions.csv",
    "available_expressions": "recipe_available_expressions.csv",
    "live_variables": "recipe_live_variable_analysis.csv",
    "intervals": "recipe_interval_analysis.csv",
    "type_state": "recipe_type_state_analysis.csv",
    "taint": "recipe_taint_analysis.csv",
    "concurrency": "recipe_concurrency_analysis.csv",
}
CONSTANT = {
    "reaching_definitions": "Yes",
    "available_expressions": "Yes",
    "taint": "Yes",
    "type_state": "No",
    "concurrency": "No",
}
SPELLED = {"true": "Yes", "false": "No", "yes": "Yes", "no": "No"}
_QUESTIONS = {
    "reaching_definitions": r"In Step (?P<j>\d+), is the (?P<entity>.+?) from Step (?P<i>\d+) ",
    "very_busy_expressions": r"Is (?:the )?(?P<entity>.+?) from Step (?P<i>\d+) ",
    "available_expressions": r"Is (?:the )?(?P<entity>.+?) from Step (?P<i>\d+) .*Step (?P<j>\d+)",
    "live_variables": r"(?:Is|Are) (?:the )?(?P<entity>.+?) live after Step (?P<i>\d+)",
    "intervals": r"(?P<entity>).*Step (?P<i>\d+)",
    "type_state": (
        r"If we skip Step (?P<i>\d+), is it still valid to \S+ (?:the )?"
        r"(?P<entity>.+?) in Step (?P<j>\d+)"
    ),
    "taint": r"Does using (?P<entity>.+?) in Step (?P<i>\d+)",
    "concurrency": r"Can we (?P<entity>.+?) \(Step (?P<i>\d+)\) and .+? \(Step (?P<j>\d+)\)",
}
_FORMS = {name: re.compile(form) for name, form in _QUESTIONS.items()}
_STEP = re.compile(r"^[ \t]*Step (\d+)[:.]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Asked:
    """Parsed form of a published prompt.

    Attributes:
        goal: title of the recipe.
        steps: texts in order.
        i: 0-based first step of the question, its origin.
        j: the second step, if there is one.
        entity: the entity of the question; empty if it names none.
    """

    goal: str
    steps: tuple[str, ...]
    i: int
    j: int | None
    entity: str


def asked(analysis: str, prompt: str) -> Asked:
    """Parse the recipe and the question of a published prompt.

    Raises:
        ValueError: the prompt does not have the published wording.
    """
    head, found, question = prompt.rpartition("Question:")
    goal, steps = _recipe(head)
    match = _FORMS[analysis].search(question)
    if not found or not steps or match is None:
        raise ValueError("goal, steps or question cannot be found in the prompt")
    parts = match.groupdict()
    i, j = int(parts["i"]) - 1, int(parts["j"]) - 1 if parts.get("j") else None
    if not 0 <= i < len(steps) or not 0 <= (j or 0) < len(steps):
        raise ValueError("the question names a step that the recipe does not have")
    return Asked(goal, steps, i, j, parts["entity"].strip())


def _recipe(head: str) -> tuple[str, tuple[str, ...]]:
    before, _, after = head.partition("Steps:")
    goal = before.rpartition("Goal:")[2].strip()
    marks: list[re.Match[str]] = []
    for mark in _STEP.finditer(after):  # a step's own text may speak of "Step 2:" elsewhere
        if int(mark[1]) == len(marks) + 1:
            marks.append(mark)
    if not marks:
        return goal, ()
    ends = [mark.start() for mark in marks[1:]] + [len(after)]
    texts = [after[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)]
    return goal, tuple(texts)


@lru_cache(maxsize=256)
def _word(entity: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(entity)}(?!\w)", re.IGNORECASE)


def mentions(entity: str, steps: Sequence[str]) -> int:
    """Return the number of steps with the entity as a full word ("floured" is not "flour")."""
    word = _word(entity)
    return sum(word.search(text) is not None for text in steps)


def last_time(text: str) -> Amount | None:
    """Return the last duration of a step; number words count only if there are no digits."""
    found = times(text, wide=False) or times(text)
    return found[-1] if found else None


def answer(analysis: str, steps: Sequence[str], i: int, entity: str) -> str | None:
    """Return the published answer; None if the rule has none (a step without a time)."""
    if analysis in CONSTANT:
        return CONSTANT[analysis]
    if analysis == "intervals":
        last = last_time(steps[i])
        return None if last is None else last.text
    wanted = 1 if analysis == "live_variables" else 2
    return "Yes" if mentions(entity, steps[i + 1 :]) >= wanted else "No"


def normal(answer: str) -> str:
    """Return a published answer in normal form for comparison: True and False are Yes and No."""
    return SPELLED.get(answer.strip().rstrip(".").lower(), answer.strip())


def same(analysis: str, published: str, computed: str | None) -> bool:
    """Return whether two answers are equal: times by their words or by their bounds."""
    if computed is None:
        return False
    if analysis != "intervals":
        return normal(published) == computed
    if published.strip().rstrip(".").lower() == computed.rstrip(".").lower():
        return True
    ours, theirs = last_time(computed), last_time(published)
    return (
        ours is not None
        and theirs is not None
        and (ours.low, ours.high) == (theirs.low, theirs.high)
    )


def rows(root: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield id, analysis, prompt and answer of every published recipe question of a checkout.

    Raises:
        FileError: a file lacks the published columns, is cut off or is not UTF-8.
    """
    for analysis, name in FILES.items():
        for path in sorted(root.glob(f"benchmarks/recipe*/{name}")):
            rows_ = csv_files.read_columns(path, ("prompt", "answer"))
            for number, (_, (prompt, answer_)) in enumerate(rows_, 1):
                yield f"{path.stem}:{number}", analysis, prompt, answer_
