"""The words of the first turn: the question, and how to answer it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from typing import Protocol as Interface

from thence.core.sample import WORDS, Sample
from thence.core.task import Task
from thence.prompts.templates import Templates


class Prompt(NamedTuple):
    """The first turn in its parts.

    Attributes:
        sample: the sample of the question.
        task: the task of the sample.
        question: the question in words.
        instruction: how to reply.
        before: messages before the question, such as worked examples.
        remark: what is wrong with the latest reply, for a protocol that tells it; empty where there
            is nothing to say.
    """

    sample: Sample
    task: Task
    question: str
    instruction: str
    before: tuple[dict[str, str], ...] = ()
    remark: str = ""

    def with_(self, **changes: Any) -> Prompt:
        """Return a copy with some parts changed."""
        return self._replace(**changes)


class Render(Interface):
    """Function that renders a template by name: `Templates.render`."""

    def __call__(self, name: str, values: Mapping[str, Any]) -> str:
        """Return the text of the template."""
        ...


def plain_input(task: Task, metadata: Mapping[str, Any], templates: Templates) -> str:
    """Return a sample's ``input``: its metadata in the words of the default protocol."""
    values = {
        "question": templates.render(
            task.question_template, task.generator.question_values(metadata)
        ),
        "instruction": how_to_answer(task, templates.render),
    }
    return templates.render("protocols/direct", values)


def how_to_answer(task: Task, render: Render, *, part: bool = False) -> str:
    """Return how to write the answer to a task's questions.

    Args:
        task: the task.
        render: renders the answer's template.
        part: whether the answer stands beside an explanation and is only a part of the reply.
    """
    return render(task.answer_template, {**task.format.answer_values(), "part": part})


def first_prompt(sample: Sample, task: Task, render: Render, *, part: bool = False) -> Prompt:
    """Return the first turn about a sample, before any protocol changes it.

    Args:
        sample: the sample to ask about.
        task: the task of the sample.
        render: renders the templates of the task.
        part: whether the answer will be only a part of the reply.
    """
    question = sample.metadata.get(WORDS)
    if question is None:
        values = task.generator.question_values(sample.metadata)
        question = render(task.question_template, values)
    return Prompt(sample, task, question, how_to_answer(task, render, part=part))


def opening(prompt: Prompt, render: Render) -> str:
    """Return the text of the first turn."""
    values = {"question": prompt.question, "instruction": prompt.instruction}
    return render("protocols/direct", values)


def template_hash(task: Task, templates: Templates) -> str:
    """Return the hash of all templates behind a sample's ``input``, for its metadata."""
    return templates.hash(task.question_template, task.answer_template, "protocols/direct")
