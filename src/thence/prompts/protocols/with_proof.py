"""The answer with its proof: the steps that decide it, in a form that can be checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from thence import families
from thence.core.digest import compact_json
from thence.core.evidence import Evidence
from thence.core.json_schema import object_of
from thence.core.reply_text import keyed, visible
from thence.core.sample import Sample
from thence.core.task import Task
from thence.errors import ParameterError
from thence.prompts.protocol import Protocol
from thence.prompts.protocols._explained import as_text, as_value
from thence.prompts.wording import Prompt, Render

_TWO_FORMS = "each asks for a reply in a form of its own"


class WithProof(Protocol):
    """Asks for an answer and a proof, of any task that can check proofs.

    Attributes:
        evidence_key: the key of the proof in a reply.
        missing: why a task cannot be asked that checks none.
    """

    name = "with_proof"
    summary = "the answer with the steps that decide it, which the analysis checks"
    templates: Sequence[str] = ("protocols/with_proof",)
    explains = True
    evidence = "proofs"
    evidence_key = "proof"
    missing = "has no proofs that could be checked"
    excludes = {  # noqa: RUF012 - constant
        "answer_then_explain": _TWO_FORMS,
        "explain_then_answer": _TWO_FORMS,
        "chain_of_thought": _TWO_FORMS,
    }

    def check(self, samples: Callable[[], Iterable[Sample]]) -> None:
        """Raise an error if a sample has no evidence of this kind."""
        for sample in samples():
            self._part(sample, families.task(sample.task))

    def _part(self, sample: Sample, task: Task) -> Evidence:
        """Return the part of a task that checks the evidence.

        Raises:
            ParameterError: a sample has none.
        """
        why, part = self.missing, task.evidence(self.evidence)
        if part is not None:
            why = part.refusal(sample)
            if not why:
                return part
        raise ParameterError(
            "protocol", self.name, f"{task.full_name}: {why}; ask it by another protocol"
        )

    def shape(self, prompt: Prompt, render: Render) -> Prompt:
        """Return the prompt with an instruction for writing answer and evidence."""
        part = self._part(prompt.sample, prompt.task)
        values = {
            "key": prompt.task.format.answer_key,
            self.evidence_key: self.evidence_key,
            "instruction": prompt.instruction,
            "form": render(part.template, part.values(prompt.sample.metadata)),
        }
        return prompt.with_(instruction=render(self.templates[0], values))

    def schema(self, schema: Mapping[str, Any] | None, task: Task) -> Mapping[str, Any] | None:
        """Return the schema of an object with the answer and its evidence."""
        answer = {task.format.answer_key: schema or {"type": "string"}}
        return object_of(**answer, **{self.evidence_key: {"type": "object"}})

    def grammar(self, answer: str) -> str | None:
        """Return None: the reply is JSON."""
        return None

    def answer_part(self, reply: str, task: Task) -> str:
        """Return the value of the answer's key, else the whole reply."""
        held = keyed(visible(reply), task.format.answer_key)
        return reply if held is None else as_text(held.value, task)

    def begins(self, reply: str, task: Task) -> int:
        """Return where the last object has the answer's key."""
        text = visible(reply)
        held = keyed(text, task.format.answer_key)
        inside = 0 if held is None else text.find(task.format.answer_key, held.span[0])
        return len(reply) - len(text) + max(0, inside)

    def ended(self, reply: str, task: Task) -> bool:
        """Return whether the answer is complete."""
        return keyed(visible(reply), task.format.answer_key, whole=True) is not None

    def proof(self, reply: str, task: Task) -> Any:
        """Return the evidence in a reply; None where there is none."""
        held = keyed(visible(reply), self.evidence_key, whole=True)
        return None if held is None else held.value

    def write(self, answer: str, why: str, task: Task) -> str:
        """Return the object of an answer and its evidence, which is given as JSON text."""
        value = as_value(task.format.part(answer))
        return compact_json(
            {task.format.answer_key: value, self.evidence_key: json.loads(why or "{}")}
        )


PROTOCOL = WithProof()
