"""The user's files: recipes to ask about, curated or not, and questions that a person flagged."""

from __future__ import annotations

import csv
import json
import multiprocessing
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from thence.domains.recipes.parser import Phrases, load_phrases, parse
from thence.domains.recipes.reading import Text, read
from thence.errors import FileError
from thence.families.fable._recipes_curation import curate, questions
from thence.families.fable._recipes_kitchen import Kitchen, kitchen
from thence.kernel.disk import file_hash
from thence.kernel.procedure import executable

PAPER = "paper"
SURE = 0.75  # a recipe with a link that is less sure is not asked about
_paths: dict[str, Path] = {}
_ID = re.compile(r"[0-9a-f]{32}")  # as `thence.kernel.digest.digest` writes it
_MOST_LINES = 20  # problems that are shown one by one


@dataclass(frozen=True, slots=True)
class Collection:
    """What a file gave.

    Attributes:
        cases: the recipes to ask about.
        notes: what was read, dropped and why.
    """

    cases: tuple[Kitchen, ...]
    notes: Mapping[str, Any]


def register(path: str) -> str:
    """The hash of a file's content, under which `cases` and `notes` know it.

    Raises:
        FileError: no such file.
    """
    place = Path(path)
    if not place.is_file():
        raise FileError(f"--set recipes={path}: no such file; give JSON lines or plain text")
    name = file_hash(place)[:32]
    _paths[name] = place
    return name


def cases(name: str, curation: str, pipeline: str = "") -> Sequence[Kitchen]:
    """The recipes of a registered file; a spaCy pipeline may bound their noun phrases."""
    return _collection(name, curation, pipeline).cases


def notes(name: str, curation: str, pipeline: str = "") -> Mapping[str, Any]:
    """What the manifest says of a registered file."""
    return _collection(name, curation, pipeline).notes


@lru_cache(maxsize=4)
def phrases(pipeline: str) -> Phrases | None:
    """Noun phrases by a spaCy pipeline; None where none is named.

    Raises:
        UsageError: spaCy or that pipeline is not installed, or it finds no noun phrases.
    """
    return load_phrases(pipeline) if pipeline else None


@lru_cache(maxsize=8)
def _collection(name: str, curation: str, pipeline: str) -> Collection:
    by_pipeline = phrases(pipeline)
    texts = read(_paths[name])
    _tell(texts.problems)
    made, unsure = [], 0
    for text in texts.recipes:
        case, sure = _case(text, by_pipeline)
        unsure += sure < SURE
        made.append((text, case, sure))
    found: dict[str, Any] = {"recipes read": len(made), "problems": len(texts.problems)}
    if texts.problems:
        found["first problems"] = texts.problems[:_MOST_LINES]
    if pipeline:
        found["noun phrases by"] = pipeline
    if curation == PAPER:
        curated = curate(
            [text.steps for text, _, _ in made], [questions(case) for _, case, _ in made]
        )
        found["curation"] = dict(curated.counts)
        _tell([f"curation: {what}: {count}" for what, count in curated.counts.items()])
        kept = [replace(made[place][1], vocabulary=curated.vocabulary) for place in curated.kept]
    else:
        kept = [case for text, case, sure in made if sure >= SURE and len(text.steps) > 1]
        found["recipes with an unsure link"] = unsure
    if not kept:
        raise FileError(
            f"--set recipes={_paths[name]}: none of {len(made)} recipes is left to ask about"
            + ("; leave out --set curate=paper" if curation == PAPER else "")
        )
    found["recipes asked about"] = len(kept)
    return Collection(tuple(kept), found)


def _case(text: Text, by_pipeline: Phrases | None) -> tuple[Kitchen, float]:
    parsed = parse(text.title, text.steps, by_pipeline)
    sure = min((each.sure for each in parsed.links), default=1.0)
    if parsed.unplaced or not executable(parsed.lowered.traces):
        sure = min(sure, 0.5)
    source = {"kind": "file", "line": text.line, "sure": sure}
    return kitchen(parsed.lowered, source), sure


def _tell(lines: Sequence[str]) -> None:
    """What there is to say of a file on stderr, once: worker processes keep quiet."""
    if multiprocessing.parent_process() is not None:
        return
    for line in lines[:_MOST_LINES]:
        print(line, file=sys.stderr)
    if len(lines) > _MOST_LINES:
        print(f"... and {len(lines) - _MOST_LINES} more like these", file=sys.stderr)


# Questions that a person flagged --------------------------------------------------------------


@lru_cache(maxsize=8)
def flagged(path: str) -> frozenset[str]:
    """Ids of the questions that a review flags.

    The file holds JSON lines or CSV with ``id`` and ``flag``, or one id a line. Where there is a
    column ``flag``, only those count for which it holds something but no, false or 0.

    Raises:
        FileError: no such file, no ids in it, or something that is no id.
    """
    place = Path(path)
    if not place.is_file():
        raise FileError(f"--set review={path}: no such file; give a list of ids")
    try:
        text = place.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"--set review={path}: not UTF-8; save it in that encoding") from error
    lines = [line for line in text.splitlines() if line.strip()]
    head = lines[0] if lines else ""
    if head.startswith("{"):
        rows = [_row(line, path, number) for number, line in enumerate(lines, 1)]
    elif "," in head or head.strip() == "id":
        rows = list(csv.DictReader(lines))
    else:
        rows = [{"id": line.strip()} for line in lines]
    if not rows or any(not row.get("id") for row in rows):
        what = "a line has no id" if rows else "holds no ids"
        raise FileError(f"--set review={path}: {what}; give the id of each sample")
    for row in rows:
        if not _ID.fullmatch(str(row["id"])):
            shown = str(row["id"])[:40]
            raise FileError(f"--set review={path}: {shown!r} is no id; give the id of a sample")
    return frozenset(str(row["id"]) for row in rows if _is_flagged(row))


def _row(line: str, path: str, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise FileError(f"--set review={path}: line {number} is not a JSON object")
    return row


def _is_flagged(row: Mapping[str, Any]) -> bool:
    if "flag" not in row:
        return "input" not in row  # a file of samples without marks flags nothing
    return str(row["flag"] or "").strip().lower() not in ("", "no", "false", "0", "none")
