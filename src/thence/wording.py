"""The templates of this installation, with the user's folder over them."""

from __future__ import annotations

from pathlib import Path

from thence import families, protocols
from thence.kernel.task import Task
from thence.kernel.templates import Templates


def templates(folder: Path | None = None) -> Templates:
    """Templates of every family and protocol; files of the user's folder come first."""
    places = {name: [package] for name, package in families.packages().items()}
    return Templates({**places, "protocols": protocols.packages()}, folder)


def template_hash(task: Task, held: Templates) -> str:
    """The hash of all that words a sample's ``input``; stored in its metadata."""
    return held.hash(task.question_template, task.answer_template, "protocols/direct")
