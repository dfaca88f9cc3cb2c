from __future__ import annotations

from thence.core.versions import comparable, major


def test_scores_of_one_major_version_compare() -> None:
    assert major("12-3") == "12"
    assert comparable("2-1", "2-3")
    assert not comparable("3-1", "2-1")
