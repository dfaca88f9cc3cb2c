"""A short portion of `credit`, the same each time."""

from __future__ import annotations

from tests.fuzz.credit import check


def test_no_reply_without_the_answer_is_right() -> None:
    counts = check(3_000, 1)
    assert counts["correct"] > 300
    assert counts["wrong"] + counts["no_answer"] > 1_000
