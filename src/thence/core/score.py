"""What became of a response and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

NO_VALUES: Mapping[str, float] = MappingProxyType({})


class Outcome(StrEnum):
    """What became of a response, in order of precedence; all but PROVIDER_ERROR stay in n."""

    PROVIDER_ERROR = "provider_error"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    NO_ANSWER = "no_answer"
    CORRECT = "correct"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Answer:
    """What was read out of a reply.

    Attributes:
        value: typed by the task.
        rule: the name of the reading rule that fired.
        delimited: whether it stood in the delimiter that the prompt asked for. Only such an answer
            counts in a reply that was cut off, as any other may be half of what was meant.
    """

    value: Any
    rule: str
    delimited: bool = True


@dataclass(frozen=True, slots=True)
class Grade:
    """What an answer is worth against the truth.

    Attributes:
        correct: the task's own criterion of a right answer.
        values: the family's metrics by name, such as ``{"pa": 0.5}``.
    """

    correct: bool
    values: Mapping[str, float] = NO_VALUES


@dataclass(frozen=True, slots=True)
class Score:
    """The verdict on one response: a line of ``scores.jsonl``.

    Attributes:
        outcome: see Outcome.
        answer: what was read; None where nothing was readable.
        rule: the reading rule that fired, or None.
        values: the family's metrics; empty where the outcome is PROVIDER_ERROR, so that unscored
            never looks like 0.
        explanation: what was given beside the answer, where the protocol asks for it.
    """

    outcome: Outcome
    answer: Any = None
    rule: str | None = None
    values: Mapping[str, float] = NO_VALUES
    explanation: str | None = None

    @property
    def counts(self) -> bool:
        """Whether the response stays in n."""
        return self.outcome is not Outcome.PROVIDER_ERROR

    @property
    def correct(self) -> bool:
        """Whether the answer was right."""
        return self.outcome is Outcome.CORRECT
