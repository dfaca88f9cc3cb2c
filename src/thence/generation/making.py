"""From a slot to a sample: drawn, put in words and named by its content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thence import families
from thence.core.digest import compact_json, digest
from thence.core.sample import Sample
from thence.core.seeds import stream
from thence.core.task import Task
from thence.generation.plan import Plan, SampleSlot
from thence.prompts import template_loader
from thence.prompts.templates import Templates
from thence.prompts.wording import plain_input, template_hash

type Identity = tuple[str, str, str | None]
"""The id of a sample, what it stems from and the pair that it belongs to."""


type Line = tuple[Identity, str]
"""A sample as worker processes hand it over."""


def make(place: SampleSlot, seed: int, templates: Templates, attempt: int = 0) -> Sample:
    """The sample of a slot, drawn for the ``attempt``-th time."""
    return make_of(families.task(place.task), place, seed, templates, attempt)


def make_of(
    task: Task, place: SampleSlot, seed: int, templates: Templates, attempt: int = 0
) -> Sample:
    """The sample of a slot of a task."""
    again = task.generator.redraw(place.condition, attempt) if attempt else None
    condition = again or place.condition
    rng = stream(place.task, task.version, condition.parameters, seed, place.index, attempt)
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
        sample_id(task, draft.structure, draft.question, draft.target),
        task.family,
        place.task,
        task.version,
        plain_input(task, metadata, templates),
        draft.target,
        metadata,
    )


def sample_id(task: Task, structure: Any, question: Mapping[str, Any], target: Any) -> str:
    """The id of a sample: its wording and its place in any file are no part of it."""
    number = task.version.partition("-")[0]
    return digest(task.full_name, number, structure, dict(question), target)


def identity(sample: Sample) -> Identity:
    """The id, cluster and pair of a sample."""
    return sample.id, sample.cluster, sample.metadata.get("pair")


class Maker:
    """Makes the samples of a plan, with the templates compiled once."""

    def __init__(self, plan: Plan) -> None:
        self._seed = plan.seed
        self._templates = template_loader.templates(plan.templates)

    def sample(self, place: SampleSlot, attempt: int = 0) -> Sample:
        """The sample of a slot, drawn for the ``attempt``-th time."""
        return make(place, self._seed, self._templates, attempt)

    def line(self, place: SampleSlot, attempt: int = 0) -> Line:
        """The identity of the sample and its JSON line."""
        sample = self.sample(place, attempt)
        return identity(sample), compact_json(sample.to_json())
