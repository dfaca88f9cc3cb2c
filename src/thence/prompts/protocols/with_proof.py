"""The answer with its proof: the steps that decide it, in a form that can be checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from thence import families
from thence.core.digest import compact_json
from thence.core.evidence import Proofs
from thence.core.reply_text import keyed, visible
from thence.core.sample import Sample
from thence.core.task import Task
from thence.errors import ParameterError
from thence.prompts.protocol import Protocol
from thence.prompts.protocols._explained import as_text, as_value
from thence.prompts.wording import Prompt, Render

_PROOF = "proof"
_TWO_FORMS = "each asks for a reply in a form of its own"


class WithProof(Protocol):
    """Asks for an answer and a proof, of any task that can check proofs."""

    name = "with_proof"
    summary = "the answer with the steps that decide it, which the analysis checks"
    templates = ("protocols/with_proof",)
    explains = True
    proves = True
    excludes = {  # noqa: RUF012 - constant
        "answer_then_explain": _TWO_FORMS,
        "explain_then_answer": _TWO_FORMS,
        "chain_of_thought": _TWO_FORMS,
    }

    def check(self, samples: Callable[[], Iterable[Sample]]) -> None:
        """Raise an error if a sample has no proofs."""
        for sample in samples():
            self._proofs(sample, families.task(sample.task))

    def _proofs(self, sample: Sample, task: Task) -> Proofs:
        """Return the part of a task that checks proofs.

        Raises:
            ParameterError: a sample has no proofs.
        """
        why = "has no proofs that could be checked"
        if task.proofs is not None:
            why = task.proofs.refusal(sample)
            if not why:
                return task.proofs
        raise ParameterError(
            "protocol", self.name, f"{task.full_name}: {why}; ask it by another protocol"
        )

    def shape(self, prompt: Prompt, render: Render) -> Prompt:
        """Return the prompt with an instruction for writing answer and proof."""
        proofs = self._proofs(prompt.sample, prompt.task)
        values = {
            "key": prompt.task.format.answer_key,
            "proof": _PROOF,
            "instruction": prompt.instruction,
            "form": render(proofs.template, proofs.values(prompt.sample.metadata)),
        }
        return prompt.with_(instruction=render("protocols/with_proof", values))

    def schema(self, schema: Mapping[str, Any] | None, task: Task) -> Mapping[str, Any] | None:
        """Return the schema of an object with the answer and a proof."""
        properties = {
            task.format.answer_key: schema or {"type": "string"},
            _PROOF: {"type": "object"},
        }
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

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
        """Return the proof in a reply; None where there is none."""
        held = keyed(visible(reply), _PROOF, whole=True)
        return None if held is None else held.value

    def write(self, answer: str, why: str, task: Task) -> str:
        """Return the object of an answer and a proof, which is given as JSON text."""
        value = as_value(task.format.part(answer))
        return compact_json({task.format.answer_key: value, _PROOF: json.loads(why or "{}")})


PROTOCOL = WithProof()
