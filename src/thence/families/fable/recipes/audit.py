"""Recomputation of FABLE's published recipe answers, by the published rules or soundly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from thence.families.fable.recipes import published as rules
from thence.families.fable.shared.domain import Checked

_UNREADABLE = "not worded as published"


def audit(root: Path, dialect: str) -> Iterator[Checked]:
    """Yield the check of every published recipe answer under a checkout of FABLE's repository."""
    for name, analysis, prompt, answer in rules.rows(root):
        yield _checked(name, analysis, prompt, answer, dialect)


def resolve(
    analysis: str, goal: str, steps: Sequence[str], question: str, dialect: str
) -> Checked | None:
    """Return the check of one published question, from its words alone."""
    lines = [f"Step {number}: {text}" for number, text in enumerate(steps, 1)]
    prompt = f"Goal: {goal}\n\nSteps:\n" + "\n".join(lines) + f"\n\nQuestion:\n{question}"
    try:
        rules.asked(analysis, prompt)
    except ValueError:
        return None
    return _checked("", analysis, prompt, "", dialect)


def _checked(name: str, analysis: str, prompt: str, answer: str, dialect: str) -> Checked:
    group = f"fable/recipes/{analysis}"
    shown = rules.normal(answer)
    try:
        asked = rules.asked(analysis, prompt)
    except ValueError as error:
        computed = rules.CONSTANT.get(analysis)
        return Checked(name, group, shown, computed, str(error), _UNREADABLE, prompt)
    computed = rules.answer(analysis, asked.steps, asked.i, asked.entity)
    if dialect == "sound":
        from thence.families.fable.recipes.unsound import judge

        return judge(name, group, analysis, asked, shown, computed, prompt)
    if rules.same(analysis, answer, computed):
        return Checked(name, group, shown, shown, question=prompt)
    return Checked(name, group, shown, computed, _why(analysis, asked), "rule", prompt)


def _why(analysis: str, asked: rules.Asked) -> str:
    if analysis == "intervals":
        return f"Step {asked.i + 1} states other times"
    later = rules.mentions(asked.entity, asked.steps[asked.i + 1 :])
    return f"{later} later steps hold the word '{asked.entity}'"
