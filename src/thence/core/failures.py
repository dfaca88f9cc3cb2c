"""Replies that hold no answer, counted by kind and said in words."""

from __future__ import annotations

from collections.abc import Mapping

from thence.core.score import Outcome

EMPTY, UNREADABLE, MISSING = "empty", "unreadable", "missing"

FAILURES: Mapping[str, str] = {
    Outcome.REFUSED.value: "refused",
    Outcome.TRUNCATED.value: "cut off by the length limit",
    EMPTY: "empty",
    UNREADABLE: "without a readable answer",
    Outcome.PROVIDER_ERROR.value: "provider error",
    MISSING: "not asked yet",
}
"""The kinds of failure in words, in the order in which they are said.

`Outcome.NO_ANSWER` is ``empty`` where nothing came and ``unreadable`` where something did;
``missing`` are questions, each in an epoch, without a response.
"""


def kind_of(outcome: Outcome, text: str | None) -> str:
    """Return the kind of failure of a reply, or the outcome of one with an answer.

    Args:
        outcome: the outcome of the reply.
        text: the reply.
    """
    if outcome in {Outcome.NO_ANSWER, Outcome.WRONG} and not (text or "").strip():
        return EMPTY
    return UNREADABLE if outcome is Outcome.NO_ANSWER else outcome.value


def plural(count: int, noun: str) -> str:
    """Return a count with its noun, such as ``1 reply``, ``2 replies`` and ``2 batches``."""
    if count == 1:
        return f"1 {noun}"
    if noun.endswith("y"):
        return f"{count:,} {noun[:-1]}ies"
    return f"{count:,} {noun}es" if noun.endswith("ch") else f"{count:,} {noun}s"


def in_words(failures: Mapping[str, int]) -> str:
    """Return counts by kind in words, such as ``2 refused, 1 provider error``; empty for none."""
    error = Outcome.PROVIDER_ERROR.value
    return ", ".join(
        plural(failures[kind], words) if kind == error else f"{failures[kind]:,} {words}"
        for kind, words in FAILURES.items()
        if failures.get(kind)
    )
