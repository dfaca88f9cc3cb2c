"""Parser for the prompts of FABLE's authors: goal, steps and question."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from thence.core.reply_text import last_match

_GOAL = re.compile(r"\bGoal:[ \t]*(.*)")
_STEPS = re.compile(r"\b(?:Plan steps|Route steps|Steps):[ \t]*\n")
_QUESTION = re.compile(r"\nQuestion:[ \t]*\n?")
_INSTRUCTION = re.compile(r"\n[ \t]*\n[ \t]*(?:Please|Answer)\b")
_NUMBERED = re.compile(r"[ \t]*(?:Step[ \t]*)?\d{1,4}[:.][ \t]*")
_ASKED = re.compile(r"\bSteps?\s(\d{1,4})\b")


class Parts(NamedTuple):
    """Parsed form of a published prompt.

    Attributes:
        goal: one line.
        steps: the texts of the steps, without numbers.
        question: the sentence.
    """

    goal: str
    steps: list[str]
    question: str

    @property
    def asked(self) -> int | None:
        """The first step that the question names, 0-based."""
        found = _ASKED.search(self.question)
        return int(found[1]) - 1 if found else None


def parts(prompt: str) -> Parts:
    """Return the parts of a prompt, or of a row of the published files with the same headings.

    Raises:
        ValueError: one clause that names the missing part.
    """
    goal, steps = _GOAL.search(prompt), _STEPS.search(prompt)
    question = last_match(_QUESTION, prompt)
    if goal is None or steps is None or question is None or question.start() < steps.end():
        raise ValueError("no goal, steps and question")
    asked = prompt[question.end() :]
    end = _INSTRUCTION.search(asked)
    listed = prompt[steps.end() : question.start()].strip("\n")
    return Parts(goal[1].strip(), _listed(listed), (asked[: end.start()] if end else asked).strip())


def _listed(text: str) -> list[str]:
    """Return the steps of a numbered list, or of a list printed by Python."""
    if text.lstrip().startswith("["):
        try:
            steps = ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
            raise ValueError("steps that are no list") from error
        return [str(step) for step in steps]
    found: list[str] = []
    for line in text.splitlines():
        numbered = _NUMBERED.match(line)
        if numbered:
            found.append(line[numbered.end() :].strip())
        elif found and line.strip():
            found[-1] += " " + line.strip()
    return found
