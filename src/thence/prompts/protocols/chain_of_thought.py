"""Free reasoning before the answer."""

from __future__ import annotations

from thence.core.gbnf import ANYTHING, literal
from thence.core.reply_text import visible
from thence.core.task import Task
from thence.prompts.protocol import Protocol
from thence.prompts.protocols._explained import label_place, labelled
from thence.prompts.wording import Prompt, Render

_LABEL = "Answer:"


class ChainOfThought(Protocol):
    """Reasoning in free text, then the answer under a label."""

    name = "chain_of_thought"
    summary = "reasoning step by step in free text, then the answer"
    templates = ("protocols/chain_of_thought",)
    free = True
    explains = True

    def shape(self, prompt: Prompt, render: Render) -> Prompt:
        """Return the prompt with an instruction to reason first and then answer."""
        values = {"instruction": prompt.instruction, "label": _LABEL}
        return prompt.with_(instruction=render("protocols/chain_of_thought", values))

    def grammar(self, answer: str) -> str:
        """Return the grammar of any text, the label on a line of its own, and the answer."""
        label = literal(f"\n{_LABEL}\n")
        return f"{ANYTHING} {label} {answer}"

    def answer_part(self, reply: str, task: Task) -> str:
        """Return the text after the last label; the whole reply where there is none."""
        parts = labelled(visible(reply), last=True)
        return reply if parts is None else parts[0]

    def begins(self, reply: str, task: Task) -> int:
        """Return where the last label begins."""
        text = visible(reply)
        return len(reply) - len(text) + label_place(text, last=True)

    def explanation(self, reply: str, task: Task) -> str | None:
        """Return the text before the last label."""
        parts = labelled(visible(reply), last=True)
        return None if parts is None else parts[1]

    def write(self, answer: str, why: str, task: Task) -> str:
        """Return the reasoning, where one is known, the label and the answer."""
        return f"{why}\n\n{_LABEL}\n{task.format.part(answer)}".lstrip()


PROTOCOL = ChainOfThought()
