"""How a sample is put to a model.

A protocol does up to three things: it shapes the first prompt, it asks on after a reply, and it
says which part of a reply holds the answer. ``a+b`` does what a does and then what b does, so that
any protocol serves any family and composes with the others. Epochs, keys and resume belong to the
engine: a protocol never sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from typing import Protocol as Interface

from thence.core.parameters import Parameter
from thence.core.sample import Sample
from thence.core.task import Task
from thence.prompts.wording import (
    Prompt,
    Render,
    first_prompt,
    opening,
)


class Pool(Interface):
    """Where worked examples come from: samples of other seeds, class-balanced."""

    def nearest(self, prompt: Prompt, source: int | str, k: int) -> Sequence[Sample]:
        """The samples whose questions are most like that of a prompt, the most like it last.

        They are of the same task, and none of them is of the prompt's procedure.

        Args:
            prompt: what is asked.
            source: how many samples to make, or a file that holds them.
            k: how many are wanted.
        """
        ...

    def refuse(self, asked: Iterable[Sample], file: str) -> None:
        """Makes sure that a file of worked examples holds none of the samples that are asked."""
        ...


class Protocol:
    """One way to ask; kept as the constant ``PROTOCOL`` of its module.

    Attributes:
        name: as in ``--protocol``.
        summary: one line for ``thence list``.
        turns: how many further turns follow the first reply.
        parameters: what a caller may set, by ``--set-protocol``.
        templates: names of the templates that it renders.
        excludes: protocol name -> why the two cannot be composed.
        free: whether a reply begins with free text, so that ``--structured`` cannot serve it.
        explains: whether a reply holds an explanation beside the answer.
    """

    name: str
    summary: str = ""
    turns: int = 0
    parameters: Sequence[Parameter] = ()
    templates: Sequence[str] = ()
    excludes: Mapping[str, str] = {}
    free: bool = False
    explains: bool = False

    @property
    def shapes_first(self) -> bool:
        """Whether the first turn is worded otherwise than the sample's own input."""
        kind = type(self)
        return kind.shape is not Protocol.shape or kind.examples is not Protocol.examples

    def configured(self, values: Mapping[str, Any]) -> Protocol:
        """This protocol with the values of its parameters; itself where it has none."""
        return self

    def bound(self, pool: Pool) -> Protocol:
        """This protocol with a source of worked examples; itself where it needs none."""
        return self

    def check(self, samples: Callable[[], Iterable[Sample]]) -> None:
        """Raises UsageError before anything is sent where one of the samples cannot be asked."""

    def examples(self, prompt: Prompt) -> Sequence[Sample]:
        """Samples to show with their answers before the question."""
        return ()

    def shape(self, prompt: Prompt, render: Render) -> Prompt:
        """The first prompt as this protocol changes it."""
        return prompt

    def follow_up(self, prompt: Prompt, replies: Sequence[str], render: Render) -> str:
        """What to say after the latest of the replies; asked ``turns`` times."""
        raise NotImplementedError

    def schema(self, schema: Mapping[str, Any] | None, task: Task) -> Mapping[str, Any] | None:
        """The JSON schema to ask for with ``--structured``, given that of the task's answer."""
        return schema

    def grammar(self, answer: str) -> str | None:
        """The whole reply, given the answer as an expression of `thence.core.grammar`.

        None where the reply is JSON, which a schema describes.
        """
        return answer

    def answer_part(self, reply: str, task: Task) -> str:
        """The part of a reply that the task's reader is to read."""
        return reply

    def ended(self, reply: str, task: Task) -> bool:
        """Whether the answer in a reply that was cut off stands in a part that is whole."""
        return False

    def explanation(self, reply: str, task: Task) -> str | None:
        """The explanation in a reply, where the protocol asks for one."""
        return None

    def write(self, answer: str, why: str, task: Task) -> str:
        """A reply in the form that this protocol asks for; `answer_part` undoes it.

        Args:
            answer: in the task's own form.
            why: an explanation, where one is known.
            task: whose answer it is.
        """
        return answer


class Composed(Protocol):
    """Several protocols, one after the other, under the name ``a+b``."""

    def __init__(self, parts: Sequence[Protocol]) -> None:
        self.parts = tuple(parts)
        self.name = "+".join(part.name for part in parts)
        self.turns = sum(part.turns for part in parts)
        self.shapes = any(part.shapes_first for part in parts)
        self.free = any(part.free for part in parts)
        self.explains = any(part.explains for part in parts)
        unwrap = Protocol.answer_part
        self._unwrapping = [p for p in reversed(parts) if type(p).answer_part is not unwrap]
        self.templates = ("protocols/direct", *(name for part in parts for name in part.templates))

    def bound(self, pool: Pool) -> Composed:
        """The same of bound parts."""
        return Composed([part.bound(pool) for part in self.parts])

    def check(self, samples: Callable[[], Iterable[Sample]]) -> None:
        """Each part's."""
        for part in self.parts:
            part.check(samples)

    def shape(self, prompt: Prompt, render: Render) -> Prompt:
        """Each part's shape in turn; worked examples are put and answered in the same way."""
        examples = [each for part in self.parts for each in part.examples(prompt)]
        shaped = self._shaped(prompt, render)
        if not examples:
            return shaped
        before = list(shaped.before)
        for sample in examples:
            asked = self._shaped(first_prompt(sample, prompt.task, render), render)
            answer = prompt.task.format.write(sample.target)
            why = prompt.task.explainer.explain(sample)
            before += [
                {"role": "user", "content": opening(asked, render)},
                {"role": "assistant", "content": self.write(answer, why, prompt.task)},
            ]
        return shaped.with_(before=tuple(before))

    def _shaped(self, prompt: Prompt, render: Render) -> Prompt:
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

    def grammar(self, answer: str) -> str | None:
        """Each part's in turn; None where one of them has none."""
        whole: str | None = answer
        for part in self.parts:
            whole = None if whole is None else part.grammar(whole)
        return whole

    def answer_part(self, reply: str, task: Task) -> str:
        """Each part's, the last wrapper unwrapped first."""
        for part in self._unwrapping:
            reply = part.answer_part(reply, task)
        return reply

    def ended(self, reply: str, task: Task) -> bool:
        """Whether one part's is."""
        return any(part.ended(reply, task) for part in self.parts)

    def explanation(self, reply: str, task: Task) -> str | None:
        """That of the part which asks for one."""
        found = (part.explanation(reply, task) for part in self.parts)
        return next((each for each in found if each is not None), None)

    def write(self, answer: str, why: str, task: Task) -> str:
        """Each part's form around that of the one before."""
        for part in self.parts:
            answer = part.write(answer, why, task)
        return answer
