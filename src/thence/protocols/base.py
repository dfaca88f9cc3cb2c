"""How a sample is put to a model.

A protocol does up to three things: it shapes the first prompt, it asks on after a reply, and it
says which part of a reply holds the answer. ``a+b`` does what a does and then what b does, so that
any protocol serves any family and composes with the others. Epochs, keys and resume belong to the
engine: a protocol never sees them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from typing import Protocol as Interface

from thence.errors import UsageError
from thence.kernel.replies import visible
from thence.kernel.sample import Sample
from thence.kernel.task import Knob, Task
from thence.kernel.templates import Templates


@dataclass(frozen=True, slots=True)
class Prompt:
    """The first turn in its parts.

    Attributes:
        sample: what is asked about.
        task: its task.
        question: the question in words.
        instruction: how to write the answer.
        before: messages that stand before the question, such as worked examples.
    """

    sample: Sample
    task: Task
    question: str
    instruction: str
    before: tuple[dict[str, str], ...] = ()

    def with_(self, **changes: Any) -> Prompt:
        """A copy with some parts changed."""
        return replace(self, **changes)


class Render(Interface):
    """Renders a template by name: `Templates.render`."""

    def __call__(self, name: str, values: Mapping[str, Any]) -> str:
        """The text of the template."""
        ...


class Protocol:
    """One way to ask; kept as the constant ``PROTOCOL`` of its module.

    Attributes:
        name: as in ``--protocol``.
        summary: one line for ``thence list``.
        turns: how many further turns follow the first reply.
        knobs: what ``--set-protocol`` may change.
        templates: names of the templates that it renders.
    """

    name: str
    summary: str = ""
    turns: int = 0
    knobs: Sequence[Knob] = ()
    templates: Sequence[str] = ()

    def configured(self, values: Mapping[str, Any]) -> Protocol:
        """This protocol with the values of its knobs; itself where it has none."""
        return self

    def shape(self, prompt: Prompt, render: Render) -> Prompt:
        """The first prompt as this protocol changes it."""
        return prompt

    def follow_up(
        self,
        prompt: Prompt,
        replies: Sequence[str],
        render: Render,
    ) -> str:
        """What to say after the latest of the replies; asked ``turns`` times."""
        raise NotImplementedError

    def schema(self, schema: Mapping[str, Any] | None, task: Task) -> Mapping[str, Any] | None:
        """The JSON schema to ask for with ``--structured``, given that of the task's answer."""
        return schema

    def answer_part(self, reply: str, sample: Sample, task: Task) -> str:
        """The part of a reply that the task's reader is to read."""
        return reply


class Composed(Protocol):
    """Several protocols, one after the other, under the name ``a+b``."""

    def __init__(self, parts: Sequence[Protocol]) -> None:
        self.parts = tuple(parts)
        self.name = "+".join(part.name for part in parts)
        self.turns = sum(part.turns for part in parts)
        self.shapes = any(type(part).shape is not Protocol.shape for part in parts)
        unwrap = Protocol.answer_part
        self._unwrapping = [p for p in reversed(parts) if type(p).answer_part is not unwrap]
        self.templates = ("protocols/direct", *(name for part in parts for name in part.templates))

    def shape(self, prompt: Prompt, render: Render) -> Prompt:
        """Each part's shape in turn."""
        for part in self.parts:
            prompt = part.shape(prompt, render)
        return prompt

    def follow_up(self, prompt: Prompt, replies: Sequence[str], render: Render) -> str:
        """The next turn of the part whose turn it is; it sees the replies from its first on."""
        before = 0
        for part in self.parts:
            if len(replies) - 1 < before + part.turns:
                return part.follow_up(prompt, replies[before:], render)
            before += part.turns
        raise IndexError(f"protocol {self.name} has {self.turns} further turns")

    def schema(self, schema: Mapping[str, Any] | None, task: Task) -> Mapping[str, Any] | None:
        """Each part's in turn."""
        for part in self.parts:
            schema = part.schema(schema, task)
        return schema

    def answer_part(self, reply: str, sample: Sample, task: Task) -> str:
        """Each part's, the last wrapper unwrapped first."""
        for part in self._unwrapping:
            reply = part.answer_part(reply, sample, task)
        return reply


class Conversation:
    """What is said to a model about one sample, turn by turn.

    The sample's own ``input`` is used wherever the protocol leaves the first turn as it is, so that
    a file is asked in the words that stand in it.

    Raises:
        UsageError: the protocol words the first turn anew, but not by the sample's templates.
    """

    def __init__(
        self, sample: Sample, task: Task, protocol: Composed, templates: Templates
    ) -> None:
        self._sample = sample
        self._task = task
        self._protocol = protocol
        self._templates = templates
        self._replies: list[str] = []
        self._messages: list[dict[str, str]] = [{"role": "user", "content": sample.input}]
        if protocol.shapes or protocol.turns:
            self._check_words()
        if protocol.shapes:
            text = opening(self._prompt, templates)
            self._messages = [*self._prompt.before, {"role": "user", "content": text}]

    @cached_property
    def _prompt(self) -> Prompt:
        plain = first_prompt(self._sample, self._task, self._templates)
        return self._protocol.shape(plain, self._templates.render)

    def _check_words(self) -> None:
        ours = template_hash(self._task, self._templates)
        if self._sample.metadata.get("template", ours) != ours:
            raise UsageError(
                f"--protocol {self._protocol.name}: sample {self._sample.id} of "
                f"{self._sample.task} was worded by other templates; give their folder with "
                "--templates, or generate it anew"
            )

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON schema of the next reply; None where the task has none."""
        return self._protocol.schema(self._task.schema(self._sample), self._task)

    @property
    def messages(self) -> tuple[dict[str, str], ...]:
        """The chat so far, ending in the user's turn."""
        return tuple(self._messages)

    def hear(self, reply: str) -> bool:
        """Takes in a reply; says whether another turn follows."""
        self._replies.append(reply)
        if len(self._replies) > self._protocol.turns:
            return False
        text = self._protocol.follow_up(self._prompt, self._replies, self._templates.render)
        self._messages += [
            {"role": "assistant", "content": visible(reply).strip() or reply},
            {"role": "user", "content": text},
        ]
        return True


def first_prompt(sample: Sample, task: Task, templates: Templates) -> Prompt:
    """A sample in words, before any protocol shapes it."""
    question = task.question_values(sample.metadata)
    return Prompt(
        sample=sample,
        task=task,
        question=templates.render(task.question_template, question),
        instruction=templates.render_once(
            task.answer_template, task.answer_values(sample.metadata)
        ),
    )


def opening(prompt: Prompt, templates: Templates) -> str:
    """The text of the first turn."""
    values = {"question": prompt.question, "instruction": prompt.instruction}
    return templates.render("protocols/direct", values)


def template_hash(task: Task, templates: Templates) -> str:
    """The hash of all that words a sample's ``input``; stored in its metadata."""
    return templates.hash(task.question_template, task.answer_template, "protocols/direct")
