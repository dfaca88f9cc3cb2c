"""Replies of many kinds, made from a right, a wrong and a random answer to each question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.fake_endpoint import Answer


@dataclass(frozen=True)
class Base:
    """Replies to one question that the others are made from.

    Attributes:
        right: states the truth.
        wrong: states the truth of another question.
        guess: states something drawn at random.
    """

    right: str
    wrong: str
    guess: str


def _think(text: str) -> str:
    return f"<think>\n{text}\n</think>\n"


KINDS: dict[str, Callable[[Base], Answer]] = {
    "right": lambda base: Answer(base.right),
    "wrong": lambda base: Answer(base.wrong),
    "guess": lambda base: Answer(base.guess),
    "refused": lambda base: Answer("I'm sorry, but I can't help with that."),
    "refused by the endpoint": lambda base: Answer(
        None, message={"refusal": "That is not allowed."}
    ),
    "filtered": lambda base: Answer("", finish_reason="content_filter"),
    "truncated": lambda base: Answer(
        base.right[: max(1, len(base.right) // 2)], finish_reason="length"
    ),
    "complete at the limit": lambda base: Answer(base.right, finish_reason="length"),
    "empty": lambda base: Answer(""),
    "chatter": lambda base: Answer("That is an interesting question; let me come back to it."),
    "fenced": lambda base: Answer(f"Here it is:\n\n```json\n{base.right}\n```\nI hope this helps."),
    "thought": lambda base: Answer(_think(base.wrong) + base.right),
    "thought only": lambda base: Answer(f"<think>\n{base.right}"),
    "reasoning": lambda base: Answer(base.right, message={"reasoning_content": base.wrong}),
    "prose": lambda base: Answer(
        f"Let me go through it step by step. First I look at the question. So the answer is "
        f"{base.right}."
    ),
    "labelled": lambda base: Answer(f"Some words before it.\n\nAnswer: {base.right}"),
    "output": lambda base: Answer(f"Some words before it.\n\nOUTPUT:\n{base.right}"),
    "boxed": lambda base: Answer(f"Therefore \\boxed{{{base.right}}}"),
    "bold": lambda base: Answer(f"**{base.right}**"),
    "upper case": lambda base: Answer(base.right.upper() + "."),
    "spaced": lambda base: Answer(f"\n\n   {base.right.replace(',', ' ,  ')}  \n\n"),
    "wrong, then right": lambda base: Answer(f"{base.wrong}\n\nNo, wait.\n\n{base.right}"),
    "right, then wrong": lambda base: Answer(f"{base.right}\n\nor\n\n{base.wrong}"),
    "every answer": lambda base: Answer("Yes No True False Unknown consistent inconsistent 1 2 3"),
    "odd characters": lambda base: Answer(f"\u201c{base.right}\u201d\u00a0\u2028\x00\ufeff"),
}
