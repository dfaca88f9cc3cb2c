"""Validation of tasks: checks that the truth is right and that wrong answers score less."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from thence import families
from thence.core.sample import Sample
from thence.core.score import Score
from thence.generation import suite
from thence.generation.plan import Plan
from thence.prompts.catalog import protocol
from thence.scoring.judge import Response, judge

CHECKS = {
    "recomputed": "the truth, computed again from the metadata, is the target",
    "truth_scores_1": "a reply with the truth is read and correct",
    "perturbed_is_wrong": "a reply with a perturbed truth is read and wrong",
    "cut_off_is_not_correct": "half of a right reply is never correct",
    "nothing_is_no_answer": "an empty reply has no answer",
}


@dataclass
class Validation:
    """Result of the checks of one task.

    Attributes:
        task: full name.
        checked: number of samples.
        failed: check -> ids of the samples that failed it.
    """

    task: str
    checked: int = 0
    failed: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in CHECKS})

    @property
    def holds(self) -> bool:
        """Tell whether there was something to check and no check failed."""
        return self.checked > 0 and not any(self.failed.values())

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that ``validate --json`` prints."""
        return {
            "task": self.task,
            "checked": self.checked,
            "holds": self.holds,
            "failed": self.failed,
        }


def validate(plan: Plan) -> list[Validation]:
    """Return the validation of each task of a plan."""
    found = {name: Validation(name) for name in plan.tasks}
    for sample in suite.generate(plan):
        held = found[sample.task]
        held.checked += 1
        for check, passed in _checks(sample).items():
            if not passed:
                held.failed[check].append(sample.id)
    return list(found.values())


def _checks(sample: Sample) -> dict[str, bool]:
    task = families.task(sample.task)
    direct = protocol("direct")

    def verdict(reply: str) -> Score:
        return judge(Response(sample.id, response=reply), sample, task, direct)

    right = task.format.write(sample.target)
    wrong = verdict(task.format.write(task.checks.perturb(sample, Random(sample.id))))
    return {
        "recomputed": task.checks.recompute(sample) == sample.target,
        "truth_scores_1": verdict(right).correct,
        "perturbed_is_wrong": wrong.rule is not None and not wrong.correct,
        "cut_off_is_not_correct": not verdict(right[: len(right) // 2]).correct,
        "nothing_is_no_answer": verdict("").outcome == "no_answer",
    }
