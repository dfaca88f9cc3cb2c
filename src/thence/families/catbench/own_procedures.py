"""Step graphs of a user's own procedures: a file, or the files of a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from thence.errors import ParameterError
from thence.families.catbench.sources import DOMAINS, SourceChoice, Subject

if TYPE_CHECKING:
    from thence.procedures import Document

FILE = "file"  # name of the source in the samples of files
UNREVIEWED = "unreviewed"
NAMED = ("auto", "corpus", *DOMAINS)
"""Sources that are no files."""
_SUFFIXES = frozenset({".yaml", ".yml", ".json"})
_MANY_STEPS = 500  # of more, the text is not looked at for steps that stay behind another


def is_own(source: str) -> bool:
    """Return whether a source is a folder or named like a file of a procedure, and no other one."""
    if not source or source in NAMED:
        return False
    return Path(source).suffix in _SUFFIXES or Path(source).is_dir()


def of_files(source: str, *, unreviewed: bool) -> SourceChoice:
    """Return the procedures of a file or folder, in the format of ``thence analyze``.

    Raises:
        FileError: a file cannot be read, or does not hold a procedure.
        ParameterError: a procedure contradicts itself or is not reviewed, or there are no pairs
            for questions.
    """
    from thence.procedures.own_files import documents

    read = documents(source, unreviewed=unreviewed)
    fit = [each for each in read if not each.flow.procedure.choices]
    if not fit:
        raise ParameterError(
            "source",
            source,
            "its steps depend on choices, and questions are about steps that are all carried out; "
            "make a file of the steps of one option each",
        )
    subjects = [_subject(each) for each in fit]
    counts = {kind: sum(each.counts[kind] for each in subjects) for kind in (True, False)}
    if not all(counts.values()):
        why = "no step waits for another" if counts[False] else _fixed(subjects)
        raise ParameterError("source", source, f"{why}; questions need pairs of both kinds")
    warnings = [*_warnings(source, read), *_without_pairs(source, fit, subjects)]
    used = [each for each in subjects if any(each.counts.values())]
    notes = {"procedures": len(used), "file": Path(source).name}
    return SourceChoice(used, {**notes, "warnings": warnings})


def _fixed(subjects: Sequence[Subject]) -> str:
    """Return why no step of some procedures can change places with another."""
    stuck = next(filter(None, (each.stuck for each in subjects)), "")
    if not stuck:
        return "no step could change places with another"
    return (
        f"steps may be done in either order, but {_refers(stuck)}, so that they cannot change "
        "places; say in each step what it is about"
    )


def _refers(text: str) -> str:
    return f'a text such as "{text}" needs the step before it'


def _without_pairs(
    source: str, documents: Sequence[Document], subjects: Sequence[Subject]
) -> Iterator[str]:
    """Yield a line for each file that gives no pair, or no independent one because of its text."""
    for document, subject in zip(documents, subjects, strict=True):
        used, stuck = any(subject.counts.values()), subject.stuck
        if used and not stuck:
            continue
        what = "steps in no order are not asked about" if used else "left out"
        why = _refers(stuck) if stuck else "it has no two steps"
        place = document.path if Path(source).is_dir() else source
        yield f"{place}: {what}, as {why}"


def _subject(document: Document) -> Subject:
    procedure = document.flow.procedure
    subject = Subject.of(procedure, apart=len(procedure.steps) > _MANY_STEPS)
    return replace(subject, remarks={UNREVIEWED: True}) if document.unreviewed else subject


def _warnings(source: str, documents: Sequence[Document]) -> Iterator[str]:
    from thence.procedures.lints import findings

    for each in documents:
        place = each.path if Path(source).is_dir() else source
        if each.flow.procedure.choices:
            yield f"{place}: left out, as its steps depend on choices"
            continue
        for found in findings(each):
            yield f"{place}: {found.message}: {found.cause}"
