"""The outcome and the grade of a response."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from thence.errors import ParameterError

REDUCTIONS = ("mean", "majority")
EXTRACT_CHOICES = ("unread", "all")
"""Which replies an extractor converts."""
"""Ways to make one score of the epochs of a sample."""


def check_reduction(name: str) -> None:
    """Raise a ParameterError unless a name is one of `REDUCTIONS`."""
    if name not in REDUCTIONS:
        raise ParameterError("reduce", name, f"must be {' or '.join(REDUCTIONS)}")


class Outcome(StrEnum):
    """The outcome of a response, in order of precedence; all but PROVIDER_ERROR count in n.

    A response without a readable answer that the model's limit cut off is TRUNCATED, any other
    NO_ANSWER.

    Example:
        >>> import thence
        >>> [outcome.value for outcome in thence.Outcome][-2:]
        ['correct', 'wrong']
    """

    PROVIDER_ERROR = "provider_error"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    NO_ANSWER = "no_answer"
    CORRECT = "correct"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that was read in a reply.

    Attributes:
        value: the answer's value, typed by the task.
        rule: the name of the reading rule that found it.
        delimited: whether it stood in the delimiter that the prompt asked for. A reply that was cut
            off counts only with such an answer, as any other may be incomplete.
        span: from and to, in characters of the text that was read: where the answer stands.
    """

    value: Any
    rule: str
    delimited: bool = True
    span: tuple[int, int] | None = None

    def shifted(self, by: int) -> Answer:
        """Return the answer with its span moved right by so many characters."""
        if self.span is None or not by:
            return self
        return replace(self, span=(self.span[0] + by, self.span[1] + by))


@dataclass(frozen=True, slots=True)
class Grade:
    """The result of comparing an answer with the truth.

    Attributes:
        correct: whether the answer is right by the task's own criterion.
        values: the family's metrics by name, such as ``{"pa": 0.5}``.
    """

    correct: bool
    values: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Score:
    """The verdict on one response: a line of ``scores.jsonl``.

    Attributes:
        outcome: see Outcome.
        answer: the value that was read; None where nothing was readable.
        rule: the name of the reading rule that found it, or None.
        values: the family's metrics; empty where the outcome is PROVIDER_ERROR, so that an unscored
            response never looks like 0.
        explanation: the explanation beside the answer, where the protocol asks for one.
        span: from and to, in characters of the reply: where the answer stands; None where nothing
            was read, or where it was read in what an extractor wrote.

    Example:
        >>> import thence
        >>> sample = thence.generate("procbench/sort", size=1)[0]
        >>> score = thence.score_reply(sample, thence.answer(sample))
        >>> score.correct, score.outcome.value, score.values["pa"]
        (True, 'correct', 1.0)
    """

    outcome: Outcome
    answer: Any = None
    rule: str | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    explanation: str | None = None
    span: tuple[int, int] | None = None

    @property
    def counts(self) -> bool:
        """Whether the response counts in n."""
        return self.outcome is not Outcome.PROVIDER_ERROR

    @property
    def correct(self) -> bool:
        """Whether the answer is right."""
        return self.outcome is Outcome.CORRECT
