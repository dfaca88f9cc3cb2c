"""Protocols: the ways to present a sample to a model.

A protocol does up to three things: it changes the first prompt, it asks again after a reply, and it
finds the part of a reply that holds the answer. ``a+b`` does the work of a and then that of b, so
that any protocol fits any family and combines with the others. Epochs, keys and resume belong to
the engine: a protocol never sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from typing import Protocol as Interface

from thence.core.digest import compact_json
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
    """A source of worked examples: samples of other seeds, balanced by class."""

    def nearest(self, prompt: Prompt, source: int | str, k: int) -> Sequence[Sample]:
        """Return the samples whose questions are most similar to a prompt's, most similar last.

        They are of the same task, and none is about the prompt's procedure.

        Args:
            prompt: the prompt of the question.
            source: the number of samples to generate, or a file that holds them.
            k: the number of samples to return.
        """
        ...

    def refuse(self, asked: Iterable[Sample], file: str) -> None:
        """Raise an error if a file of worked examples holds one of the samples of a run."""
        ...


class Protocol:
    """One way to ask; kept as the constant ``PROTOCOL`` of its module.

    Attributes:
        name: such as ``direct``.
        summary: one line for ``thence list``.
        turns: the number of further turns after the first reply.
        parameters: the parameters that a caller may set.
        templates: names of the templates that it renders.
        excludes: names of protocols that it cannot be combined with, and the reasons.
        free: whether a reply begins with free text, so that no JSON schema describes it.
        explains: whether a reply holds an explanation beside the answer.
        evidence: the part of a task that checks what a reply holds beside the answer: ``proofs``,
            ``forms``, or nothing.
        remarks: whether a further turn tells what is wrong with the latest reply.
    """

    name: str
    summary: str = ""
    turns: int = 0
    parameters: Sequence[Parameter] = ()
    templates: Sequence[str] = ()
    excludes: Mapping[str, str] = {}
    free: bool = False
    explains: bool = False
    evidence: str = ""
    remarks: bool = False

    @property
    def shapes_first(self) -> bool:
        """Whether the first turn differs from the sample's own input."""
        kind = type(self)
        return kind.shape is not Protocol.shape or kind.examples is not Protocol.examples

    def configured(self, values: Mapping[str, Any]) -> Protocol:
        """Return this protocol with values of its parameters; itself if it has none."""
        return self

    def bound(self, pool: Pool) -> Protocol:
        """Return this protocol with a source of worked examples; itself if it needs none."""
        return self

    def check(self, samples: Callable[[], Iterable[Sample]]) -> None:
        """Raise a UsageError before the first request if one of the samples cannot be asked."""

    def examples(self, prompt: Prompt) -> Sequence[Sample]:
        """Return samples to show with their answers before the question."""
        return ()

    def shape(self, prompt: Prompt, render: Render) -> Prompt:
        """Return the first prompt with this protocol's changes."""
        return prompt

    def follow_up(self, prompt: Prompt, replies: Sequence[str], render: Render) -> str:
        """Return the text of the turn after the latest reply; called ``turns`` times."""
        raise NotImplementedError

    def schema(self, schema: Mapping[str, Any] | None, task: Task) -> Mapping[str, Any] | None:
        """Return the JSON schema of a reply, given the answer's schema."""
        return schema

    def grammar(self, answer: str) -> str | None:
        """Return the grammar of a reply, given the answer's expression of `thence.core.gbnf`.

        None where the reply is JSON, which a schema describes.
        """
        return answer

    def answer_part(self, reply: str, task: Task) -> str:
        """Return the part of a reply that the task's reader should read."""
        return reply

    def begins(self, reply: str, task: Task) -> int:
        """Return an index in a reply from which on the part with the answer is to be found."""
        return 0

    def ended(self, reply: str, task: Task) -> bool:
        """Return whether a reply that was cut off holds the complete part with the answer."""
        return False

    def explanation(self, reply: str, task: Task) -> str | None:
        """Return the explanation in a reply, where the protocol asks for one."""
        return None

    def proof(self, reply: str, task: Task) -> Any:
        """Return the proof or form in a reply, as JSON; None where there is none."""
        return None

    def write(self, answer: str, why: str, task: Task) -> str:
        """Return a reply in the form that this protocol asks for; the inverse of `answer_part`.

        Args:
            answer: the answer in the task's own form.
            why: an explanation, where one is known; of a protocol that asks for evidence, that
                evidence as JSON text.
            task: the task of the answer.
        """
        return answer


def evidence(sample: Sample, task: Task, kind: str) -> str:
    """Return the explanation of a truth, or the evidence that a protocol asks for as JSON text."""
    part = task.evidence(kind)
    return compact_json(part.write(sample)) if part else task.explainer.explain(sample)


class Composed(Protocol):
    """Several protocols, one after the other, under the name ``a+b``."""

    def __init__(self, parts: Sequence[Protocol]) -> None:
        self.parts = tuple(parts)
        self.name = "+".join(part.name for part in parts)
        self.turns = sum(part.turns for part in parts)
        self._shapes_first = any(part.shapes_first for part in parts)
        self.free = any(part.free for part in parts)
        self.explains = any(part.explains for part in parts)
        self.evidence = next((part.evidence for part in parts if part.evidence), "")
        self.remarks = any(part.remarks for part in parts)
        self.templates = ("protocols/direct", *(name for part in parts for name in part.templates))

    @property
    def shapes_first(self) -> bool:
        """Whether the first turn of a part differs from the sample's own input."""
        return self._shapes_first

    def bound(self, pool: Pool) -> Composed:
        """Return the composition of the bound parts."""
        return Composed([part.bound(pool) for part in self.parts])

    def check(self, samples: Callable[[], Iterable[Sample]]) -> None:
        """Check the samples by each part."""
        for part in self.parts:
            part.check(samples)

    def shape(self, prompt: Prompt, render: Render) -> Prompt:
        """Return the prompt changed by each part in turn, with worked examples in the same form."""
        examples = [each for part in self.parts for each in part.examples(prompt)]
        shaped = self._shaped(prompt, render)
        if not examples:
            return shaped
        before = list(shaped.before)
        for sample in examples:
            asked = self._shaped(
                first_prompt(sample, prompt.task, render, part=self.explains), render
            )
            answer = prompt.task.format.write(sample.target)
            why = evidence(sample, prompt.task, self.evidence)
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
        """Return the next turn of the part in turn, which sees the replies from its own first."""
        before = 0
        for part in self.parts:
            if len(replies) - 1 < before + part.turns:
                return part.follow_up(prompt, replies[before:], render)
            before += part.turns
        raise IndexError(f"protocol {self.name} has {self.turns} further turns")

    def schema(self, schema: Mapping[str, Any] | None, task: Task) -> Mapping[str, Any] | None:
        """Return the schema after each part in turn."""
        for part in self.parts:
            schema = part.schema(schema, task)
        return schema

    def grammar(self, answer: str) -> str | None:
        """Return the grammar after each part in turn; None where a part has none."""
        whole: str | None = answer
        for part in self.parts:
            whole = None if whole is None else part.grammar(whole)
        return whole

    def answer_part(self, reply: str, task: Task) -> str:
        """Return the part of the reply with the answer; the last protocol is undone first."""
        for part in reversed(self.parts):
            reply = part.answer_part(reply, task)
        return reply

    def begins(self, reply: str, task: Task) -> int:
        """Return the largest index of any part."""
        return max(part.begins(reply, task) for part in self.parts)

    def ended(self, reply: str, task: Task) -> bool:
        """Return whether any part finds its answer complete."""
        return any(part.ended(reply, task) for part in self.parts)

    def explanation(self, reply: str, task: Task) -> str | None:
        """Return the explanation from the part that asks for one."""
        found = (part.explanation(reply, task) for part in self.parts)
        return next((each for each in found if each is not None), None)

    def proof(self, reply: str, task: Task) -> Any:
        """Return the proof or form from the part that asks for one."""
        found = (part.proof(reply, task) for part in self.parts)
        return next((each for each in found if each is not None), None)

    def write(self, answer: str, why: str, task: Task) -> str:
        """Return the answer in the form of each part in turn."""
        for part in self.parts:
            answer = part.write(answer, why, task)
        return answer
