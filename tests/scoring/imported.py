"""Scores of replies that lie in a form in which a family's authors publish theirs."""

from __future__ import annotations

from pathlib import Path

from tests.scoring.results import RowResults
from thence.scoring import imported


def published(path: Path, scorer: str) -> list[RowResults]:
    """The scores of each model; empty where no family knows the form."""
    return [
        RowResults(**vars(replies.scored(scorer)), rows=list(replies.rows(scorer)))
        for replies in imported.published(path, scorer) or ()
    ]
