"""The first turn in words: the question, and how to answer it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from typing import Protocol as Interface

from thence.core.sample import Sample
from thence.core.task import Task
from thence.prompts.templates import Templates


class Prompt(NamedTuple):
    """The first turn in its parts.

    Attributes:
        sample: what is asked about.
        task: its task.
        question: the question in words.
        instruction: how to reply.
        answer_form: how to write the answer where it is only a part of the reply.
        before: messages that stand before the question, such as worked examples.
    """

    sample: Sample
    task: Task
    question: str
    instruction: str
    answer_form: str
    before: tuple[dict[str, str], ...] = ()

    def with_(self, **changes: Any) -> Prompt:
        """A copy with some parts changed."""
        return self._replace(**changes)


class Render(Interface):
    """Renders a template by name: `Templates.render`."""

    def __call__(self, name: str, values: Mapping[str, Any]) -> str:
        """The text of the template."""
        ...


def plain_input(task: Task, metadata: Mapping[str, Any], templates: Templates) -> str:
    """A sample's ``input``: how the default protocol puts what stands in its metadata."""
    values = {
        "question": templates.render(
            task.question_template, task.generator.question_values(metadata)
        ),
        "instruction": how_to_answer(task, metadata, templates.render),
    }
    return templates.render("protocols/direct", values)


def how_to_answer(
    task: Task, metadata: Mapping[str, Any], render: Render, *, part: bool = False
) -> str:
    """How to write the answer to a sample.

    Args:
        task: whose sample it is.
        metadata: of the sample.
        render: renders the template of the answer.
        part: whether the answer is a part of the reply, beside an explanation, and not all of it.
    """
    return render(task.answer_template, {**task.format.answer_values(metadata), "part": part})


def first_prompt(sample: Sample, task: Task, render: Render) -> Prompt:
    """The first turn about a sample, before any protocol shapes it."""
    values = task.generator.question_values(sample.metadata)
    return Prompt(
        sample,
        task,
        render(task.question_template, values),
        how_to_answer(task, sample.metadata, render),
        how_to_answer(task, sample.metadata, render, part=True),
    )


def opening(prompt: Prompt, render: Render) -> str:
    """The text of the first turn."""
    values = {"question": prompt.question, "instruction": prompt.instruction}
    return render("protocols/direct", values)


def template_hash(task: Task, templates: Templates) -> str:
    """The hash of all that words a sample's ``input``; stored in its metadata."""
    return templates.hash(task.question_template, task.answer_template, "protocols/direct")
