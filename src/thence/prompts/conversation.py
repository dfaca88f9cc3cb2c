"""The messages to a model about one sample, turn by turn."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Protocol

from thence.core.gbnf import grammar
from thence.core.reply_text import visible, without_prompt
from thence.core.sample import WORDS, Sample
from thence.core.task import Task
from thence.errors import ParameterError
from thence.prompts.protocol import Composed, evidence
from thence.prompts.templates import Templates
from thence.prompts.wording import Prompt, first_prompt, opening, template_hash


class Dialogue(Protocol):
    """Messages to a model, turn by turn, and the form of the next reply."""

    @property
    def messages(self) -> tuple[dict[str, str], ...]:
        """The chat so far, ending in the user's turn."""
        ...

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON schema of the next reply; None where the reply is not JSON."""
        ...

    @property
    def grammar(self) -> str | None:
        """The GBNF grammar of the next reply; None where a schema describes it or neither can."""
        ...

    def hear(self, reply: str) -> bool:
        """Add a reply; return whether another turn follows."""
        ...


class Conversation:
    """The messages to a model about one sample, turn by turn.

    The sample's own ``input`` is used wherever the protocol leaves the first turn unchanged, so
    that a file is asked in its own words.

    Raises:
        ParameterError: the protocol words the first turn anew, but with other templates than the
            sample, or in place of the words of its authors.
    """

    def __init__(
        self, sample: Sample, task: Task, protocol: Composed, templates: Templates
    ) -> None:
        self._sample = sample
        self._task = task
        self._question = task.question(sample)
        self._protocol = protocol
        self._templates = templates
        self._replies: list[str] = []
        self._messages: list[dict[str, str]] = [{"role": "user", "content": sample.input}]
        if sample.published:
            self._check_published()
        elif protocol.shapes_first or protocol.turns:
            self._check_words()
        if protocol.shapes_first:
            text = opening(self._prompt, templates.render)
            self._messages = [*self._prompt.before, {"role": "user", "content": text}]

    @cached_property
    def _prompt(self) -> Prompt:
        render, part = self._templates.render, self._protocol.explains
        if self._sample.published and WORDS not in self._sample.metadata:
            return Prompt(self._sample, self._task, self._sample.input, "")
        return self._protocol.shape(
            first_prompt(self._sample, self._task, render, part=part), render
        )

    def _check_published(self) -> None:
        if self._protocol.shapes_first and WORDS not in self._sample.metadata:
            raise ParameterError(
                "protocol",
                self._protocol.name,
                f"sample {self._sample.id} of {self._sample.task} is put in its authors' "
                "words, which say how to answer; use direct or are_you_sure",
            )

    def _check_words(self) -> None:
        ours = template_hash(self._task, self._templates)
        if self._sample.metadata.get("template", ours) != ours:
            raise ParameterError(
                "protocol",
                self._protocol.name,
                f"sample {self._sample.id} of {self._sample.task} was worded by other templates; "
                "give templates=FOLDER, or generate it anew",
            )

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON schema of the next reply; None where the reply is not JSON."""
        if self._protocol.free:
            return None
        return self._protocol.schema(self._task.format.schema(self._question), self._task)

    @property
    def grammar(self) -> str | None:
        """The GBNF grammar of the next reply; None where a schema describes it or neither can."""
        if self.schema is not None:
            return None
        form = self._task.format
        answer = (form.part_grammar if self._protocol.explains else form.grammar)(self._question)
        whole = None if answer is None else self._protocol.grammar(answer)
        return None if whole is None else grammar(whole)

    def write(self, answer: str, *, proved: bool = True) -> str:
        """Return an answer in the form that the protocol asks for, for baselines.

        Args:
            answer: in the task's own form.
            proved: whether the evidence of the truth stands beside it, where it is asked for.
        """
        kind = self._protocol.evidence
        why = "{}"
        if proved or not kind:
            why = evidence(self._sample, self._task, kind)
        return self._protocol.write(answer, why, self._task)

    @property
    def messages(self) -> tuple[dict[str, str], ...]:
        """The chat so far, ending in the user's turn."""
        return tuple(self._messages)

    def hear(self, reply: str) -> bool:
        """Add a reply; return whether another turn follows.

        Raises:
            ParameterError: a reply that is no text.
        """
        if not isinstance(reply, str):
            raise ParameterError("reply", type(reply).__name__, "must be text")
        self._replies.append(reply)
        if len(self._replies) > self._protocol.turns:
            return False
        prompt = self._prompt
        if self._protocol.remarks:
            prompt = prompt.with_(remark=self._remark(reply))
        text = self._protocol.follow_up(prompt, self._replies, self._templates.render)
        self._messages += [
            {"role": "assistant", "content": visible(reply).strip() or reply},
            {"role": "user", "content": text},
        ]
        return True

    def _remark(self, reply: str) -> str:
        """Return what is wrong with a reply: the protocol sees this sentence, and no truth."""
        text, task, sample = without_prompt(reply, self._sample.input), self._task, self._sample
        answer = task.format.read(self._protocol.answer_part(text, task), self._question)
        if answer is None:
            return ""
        if part := task.evidence(self._protocol.evidence):
            return part.fault(self._protocol.proof(text, task), answer.value, sample)
        return task.critic.remark(answer.value, sample) if task.critic else ""
