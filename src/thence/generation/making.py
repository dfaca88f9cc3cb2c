"""From a slot to a sample: a draft is drawn, put into words and identified by its content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thence import families
from thence.core.digest import compact_json, digest
from thence.core.sample import Sample
from thence.core.seeds import stream
from thence.core.task import Task
from thence.core.versions import major
from thence.generation.exclusion import Identity, identity
from thence.generation.plan import Plan, SampleSlot
from thence.prompts import template_loader
from thence.prompts.templates import Templates
from thence.prompts.wording import plain_input, template_hash

type Line = tuple[Identity, str]
"""A sample as worker processes return it: its identity and its JSON text."""


def make(slot: SampleSlot, seed: int, templates: Templates, attempt: int = 0) -> Sample:
    """Return the sample of a slot, drawn for the ``attempt``-th time."""
    return make_of(families.task(slot.task), slot, seed, templates, attempt)


def make_of(
    task: Task,
    slot: SampleSlot,
    seed: int,
    templates: Templates,
    attempt: int = 0,
    *,
    worded: bool = True,
) -> Sample:
    """Return the sample of a slot of a task; without its prompt unless it is to be worded."""
    again = task.generator.redraw(slot.condition, attempt) if attempt else None
    condition = again or slot.condition
    version = task.version_of(condition.options)
    rng = stream(slot.task, version, condition.parameters, seed, slot.index, attempt)
    draft = task.generator.draw(condition, rng)
    metadata = {
        **draft.metadata,
        "question": dict(draft.question),
        "parameters": dict(condition.parameters),
        "group": condition.group,
        "seed": seed,
        "source": "generated",
        "template": template_hash(task, templates),
    }
    if condition.options:
        metadata["options"] = dict(condition.options)
    if draft.structure is not None:
        metadata["structure"] = draft.structure
    return Sample(
        sample_id(task, draft.structure, draft.question, draft.target, version),
        task.family,
        slot.task,
        version,
        plain_input(task, metadata, templates) if worded else "",
        draft.target,
        metadata,
    )


def sample_id(
    task: Task,
    structure: Any,
    question: Mapping[str, Any],
    target: Any,
    version: str | None = None,
) -> str:
    """Return the id of a sample; neither its wording nor its position in a file enters it."""
    number = major(version or task.version)
    return digest(task.full_name, number, structure, dict(question), target)


class Maker:
    """Makes the samples of a plan with one set of templates."""

    def __init__(self, plan: Plan) -> None:
        self._seed, self._excludes = plan.seed, bool(plan.exclude)
        self._templates = template_loader.templates(plan.templates)

    def sample(self, slot: SampleSlot, attempt: int = 0) -> Sample:
        """Return the sample of a slot, drawn for the ``attempt``-th time."""
        task = families.task(slot.task)
        # Of a sample that is another shard's only the identity is needed; exclusion has the words.
        worded = slot.kept or self._excludes
        return make_of(task, slot, self._seed, self._templates, attempt, worded=worded)

    def line(self, slot: SampleSlot, attempt: int = 0) -> Line:
        """Return the identity of the sample and its JSON line."""
        sample = self.sample(slot, attempt)
        return self.identity(sample), compact_json(sample.to_json()) if slot.kept else ""

    def identity(self, sample: Sample) -> Identity:
        """Return the values of a sample that tell whether it repeats another one."""
        return identity(sample, steps=self._excludes)
