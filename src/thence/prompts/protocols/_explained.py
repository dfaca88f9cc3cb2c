"""The common base of protocols that ask for answer and explanation (Lal et al. 2024, section 4).

The answer is written in the task's own form, as a part of the reply; the protocol puts it into a
JSON object beside the explanation, or under a label. Keys are read in any order, also from JSON
that is cut off or has a comma too many; where neither key nor label is found, the whole reply
counts as the answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Self

from thence.core.digest import compact_json
from thence.core.gbnf import ANYTHING, literal
from thence.core.json_schema import object_of
from thence.core.parameters import Parameter, one_of
from thence.core.reply_text import keyed, visible
from thence.core.task import Task
from thence.prompts.protocol import Protocol
from thence.prompts.wording import Prompt, Render

WHY = "why_answer"
_DECORATION = " \t\r#*_>`-"
_LONGEST_LABEL = 40


FORM = Parameter(
    "form", "json", "how answer and explanation are written: json or text", one_of("json", "text")
)


class Explained(Protocol):
    """Asks for an answer with its explanation.

    Attributes:
        first: whether the answer comes before the explanation.
        answer_label: label of the answer in the text form.
        why_label: label of the explanation in the text form.
    """

    parameters = (FORM,)
    explains = True
    first: bool
    answer_label: str
    why_label: str

    def __init__(self, form: str = "json") -> None:
        self.form = form
        self.free = form == "text"

    @property
    def templates(self) -> tuple[str, ...]:  # type: ignore[override]
        """One template, which words both forms."""
        return (f"protocols/{self.name}",)

    def configured(self, values: Mapping[str, Any]) -> Self:
        """Return the protocol in the chosen form."""
        return type(self)(values["form"])

    def shape(self, prompt: Prompt, render: Render) -> Prompt:
        """Return the prompt with an instruction for writing answer and explanation."""
        values = {
            "form": self.form,
            "key": prompt.task.format.answer_key,
            "why": WHY,
            "answer_label": self.answer_label,
            "why_label": self.why_label,
            "instruction": prompt.instruction,
        }
        return prompt.with_(instruction=render(f"protocols/{self.name}", values))

    def schema(self, schema: Mapping[str, Any] | None, task: Task) -> Mapping[str, Any] | None:
        """Return the schema of an object with both keys in the requested order."""
        answer = {task.format.answer_key: schema or {"type": "string"}}
        why = {WHY: {"type": "string"}}
        properties = {**answer, **why} if self.first else {**why, **answer}
        return object_of(**properties)

    def grammar(self, answer: str) -> str | None:
        """Return the grammar of both labelled parts in order; None where the reply is JSON."""
        if self.form == "json":
            return None
        answered = f"{literal(f'{self.answer_label}: ')} {answer}"
        why = f"{literal(f'{self.why_label}: ')} {ANYTHING}"
        new_line = literal("\n")
        return " ".join([answered, new_line, why] if self.first else [why, new_line, answered])

    def answer_part(self, reply: str, task: Task) -> str:
        """Return the value of the answer's key, else the labelled text, else the whole reply."""
        text = visible(reply)
        held = keyed(text, task.format.answer_key)
        if held is not None:
            return as_text(held.value, task)
        parts = labelled(text, last=not self.first)
        return reply if parts is None else parts[0]

    def begins(self, reply: str, task: Task) -> int:
        """Return where the last object has the answer's key, else where the label begins."""
        text = visible(reply)
        before = len(reply) - len(text)
        held = keyed(text, task.format.answer_key)
        if held is not None:
            return before + max(0, text.find(task.format.answer_key, held.span[0]))
        return before + label_place(text, last=not self.first)

    def ended(self, reply: str, task: Task) -> bool:
        """Return whether the answer is complete: its value is, or the other label follows it."""
        text = visible(reply)
        if keyed(text, task.format.answer_key, whole=True) is not None:
            return True
        reasons = (place for place, line in enumerate(text.split("\n")) if _label(line) in _REASONS)
        return self.first and next(reasons, 0) > 0

    def explanation(self, reply: str, task: Task) -> str | None:
        """Return the value of the explanation's key, else the text outside the answer."""
        text = visible(reply)
        held = keyed(text, WHY)
        if held is not None:
            return as_text(held.value, task)
        parts = labelled(text, last=not self.first)
        return None if parts is None else parts[1]

    def write(self, answer: str, why: str, task: Task) -> str:
        """Return answer and explanation in the requested form and order."""
        answer = task.format.part(answer)
        if self.form == "text":
            lines = [f"{self.answer_label}: {answer}", f"{self.why_label}: {why}"]
            return "\n".join(lines if self.first else reversed(lines))
        pairs = [(task.format.answer_key, as_value(answer)), (WHY, why)]
        return compact_json(dict(pairs if self.first else reversed(pairs)))


def as_text(value: Any, task: Task) -> str:
    if isinstance(value, bool):
        return task.format.booleans[not value]
    return value if isinstance(value, str) else compact_json(value)


def as_value(answer: str) -> Any:
    """Return an answer that is a JSON object or list as such, any other as a string."""
    if answer[:1] not in {"{", "["}:
        return answer
    try:
        return json.loads(answer)
    except ValueError:
        return answer


def labelled(text: str, *, last: bool) -> tuple[str, str] | None:
    """Return the text under the first or last label of an answer, and all other text.

    A label begins a line: ``Answer:``, ``Answer 1:``, ``**Final answer:**``. ``Answer 2:`` begins
    the explanation where the answer comes first. Takes linear time.
    """
    lines = text.split("\n")
    starts = [place for place, line in enumerate(lines) if _label(line) in _ANSWERS]
    if not starts:
        return None
    start = starts[-1] if last else starts[0]
    end = len(lines)
    if not last:
        following = range(start + 1, len(lines))
        end = next((place for place in following if _label(lines[place]) in _REASONS), end)
    answer = [_after_label(lines[start]), *lines[start + 1 : end]]
    others = lines[:start] + lines[end:]
    if others and _label(others[0]) in _REASONS:
        others[0] = _after_label(others[0])
    return "\n".join(answer).strip(), "\n".join(others).strip()


def label_place(text: str, *, last: bool) -> int:
    """Return where the line of the first or last label of an answer begins; 0 without one."""
    place, found = 0, list[int]()
    for line in text.split("\n"):
        if _label(line) in _ANSWERS:
            found.append(place)
        place += len(line) + 1
    return found[-1 if last else 0] if found else 0


_ANSWERS = frozenset(("answer", "answer 1", "final answer", "the answer", "my answer"))
_REASONS = frozenset(("answer 2", "explanation", "reason", "reasoning", "why"))


def _label(line: str) -> str:
    label, colon, _ = line[:_LONGEST_LABEL].partition(":")
    return label.strip(_DECORATION).lower() if colon else ""


def _after_label(line: str) -> str:
    return line.partition(":")[2].strip().lstrip("*_ ")
