"""Scores of replies that lie in a form in which a family's authors publish theirs."""

from __future__ import annotations

from pathlib import Path

from thence import gathered
from thence.results import Results


def published(path: Path, scorer: str) -> list[Results]:
    """The scores of each model; empty where no family knows the form."""
    return [replies.scored(scorer) for replies in gathered.published(path, scorer) or ()]
