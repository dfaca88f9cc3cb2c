"""Scores of replies that lie in a form in which a family's authors publish theirs."""

from __future__ import annotations

from pathlib import Path

from thence.scoring import imported
from thence.scoring.results import Results


def published(path: Path, scorer: str) -> list[Results]:
    """The scores of each model; empty where no family knows the form."""
    return [replies.scored(scorer) for replies in imported.published(path, scorer) or ()]
