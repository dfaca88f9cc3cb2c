"""Versions ``N-X`` of a task's questions: scores of one N compare, whatever X is."""

from __future__ import annotations


def major(version: str) -> str:
    """Return the N of ``N-X``, which changes whenever the questions or their truths do."""
    return version.partition("-")[0]


def comparable(one: str, other: str) -> bool:
    """Return whether scores of two versions of a task compare."""
    return major(one) == major(other)
