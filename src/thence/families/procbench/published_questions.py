"""Parsers for the published questions of the benchmark.

The authors' prompts end in ``[Question]`` and the parameters; each task parses its own with these
helpers. All raise ValueError where the text has another form.
"""

from __future__ import annotations

QUESTION = "[Question]"


def question_part(prompt: str) -> str:
    """Return the text after ``[Question]`` in a published prompt."""
    _, found, rest = prompt.partition(QUESTION)
    if not found:
        raise ValueError(f"the prompt has no {QUESTION} part")
    return rest


def after(text: str, label: str) -> str:
    """Return the text after a label, without outer white space."""
    _, found, rest = text.partition(label)
    if not found:
        raise ValueError(f"the question has no '{label}' part")
    return rest.strip()


def between(text: str, label: str, end: str) -> str:
    """Return the text between two labels, without outer white space."""
    rest = after(text, label)
    body, found, _ = rest.partition(end)
    if not found:
        raise ValueError(f"the question has no '{end}' part")
    return body.strip()


def items(text: str) -> list[str]:
    """Return the parts of ``[a, b, c]`` or ``a, b, c``."""
    body = text.strip().removeprefix("[").removesuffix("]").strip()
    return [item.strip() for item in body.split(",")] if body else []


def tuples(text: str) -> list[list[str]]:
    """Return the parts of ``(a, b), (c, d)``, with or without brackets around them."""
    return [items(part.partition(")")[0]) for part in text.split("(")[1:]]
