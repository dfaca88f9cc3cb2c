"""The user's files: recipes to ask about, curated or not, and questions flagged by a reviewer."""

from __future__ import annotations

import codecs
import json
import multiprocessing
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from thence.core import sheets
from thence.domains.recipes.coverage import parse_with_care
from thence.domains.recipes.parser import Phrases, load_phrases, parse
from thence.domains.recipes.reading import RecipeText, Texts, read
from thence.errors import ParameterError
from thence.families.fable.recipes.curation import curate, questions
from thence.families.fable.recipes.kitchen import Kitchen, kitchen
from thence.system.disk import file_hash
from thence.system.log import logger
from thence.system.workers import spread

PAPER = "paper"
_log = logger("recipes")
_ID = re.compile(r"[0-9a-f]{32}")  # as `thence.core.digest.digest` writes it
_MOST_LINES = 20  # problems that are shown one by one
_AT_A_TIME = 500  # recipes in one batch of a process
_MOST_FILES = 4  # that are kept at a time


@dataclass(frozen=True, slots=True)
class RecipeFile:
    """A file of recipes as it was at a time: two of the same content are equal.

    Attributes:
        hash: of its content.
        path: of the file.
    """

    hash: str
    path: Path = field(compare=False)

    @classmethod
    def at(cls, path: str) -> RecipeFile:
        """Return the file at a path.

        Raises:
            ParameterError: the file does not exist.
        """
        place = Path(path)
        if not place.is_file():
            raise ParameterError("recipes", path, "no such file; give JSON lines or plain text")
        return cls(file_hash(place)[:32], place)

    def texts(self) -> Texts:
        """Return the recipes of the file.

        Raises:
            ParameterError: the file has changed since.
        """
        found = read(self.path)
        if file_hash(self.path)[:32] != self.hash:
            raise ParameterError("recipes", self.path, "was changed meanwhile; start again")
        return found


class Judged(NamedTuple):
    """Whether a recipe can be asked about, and its candidate questions.

    Attributes:
        refusal: why it is not asked about, with the steps; empty where it is.
        askable: analysis -> candidate entities of its questions; empty without curation.
    """

    refusal: str
    askable: Mapping[str, Sequence[str]]


class AskedRecipes(Sequence[Kitchen]):
    """The usable recipes of a file, each parsed on first access.

    Args:
        texts: the texts of the recipes.
        pipeline: a spaCy pipeline that bounds noun phrases, or nothing.
        vocabulary: the entities allowed in questions; None for all.
    """

    def __init__(
        self, texts: Sequence[RecipeText], pipeline: str, vocabulary: frozenset[str] | None
    ) -> None:
        self._texts = texts
        self._pipeline = pipeline
        self._vocabulary = vocabulary
        self._read: dict[int, Kitchen] = {}

    def __len__(self) -> int:
        """Return the number of recipes."""
        return len(self._texts)

    def __getitem__(self, place: int) -> Kitchen:  # type: ignore[override]
        """Return a recipe by its place, from 0."""
        found = self._read.get(place)
        if found is None:
            careful = self._vocabulary is None
            case = _case(self._texts[place], phrases(self._pipeline), careful=careful)
            found = self._read[place] = replace(case, vocabulary=self._vocabulary)
        return found


@dataclass(frozen=True, slots=True)
class Collection:
    """The cases of a file.

    Attributes:
        cases: the recipes to ask about.
        notes: numbers of read and dropped items, with reasons.
        texts: what was read.
        judged: the judgement of each text, which takes time to find.
    """

    cases: Sequence[Kitchen]
    notes: Mapping[str, Any]
    texts: Texts
    judged: Sequence[Judged]


type Reading = tuple[RecipeFile, str, str]
"""A file, its curation, and the spaCy pipeline that finds its noun phrases, or ""."""

type Findings = tuple[Reading, Texts, Sequence[Judged]]
"""What one process found in a file, for other processes."""

_received: dict[Reading, Findings] = {}  # of a worker process, from the process that started it


def cases(file: RecipeFile, curation: str, pipeline: str = "") -> Sequence[Kitchen]:
    """Return the recipes of a file; a spaCy pipeline may find their noun phrases."""
    return _collection(file, curation, pipeline).cases


def notes(file: RecipeFile, curation: str, pipeline: str = "") -> Mapping[str, Any]:
    """Return the manifest notes of a file."""
    return _collection(file, curation, pipeline).notes


def findings(file: RecipeFile, curation: str, pipeline: str = "") -> Findings:
    """Return what was found in a file, for `receive` in a worker process."""
    found = _collection(file, curation, pipeline)
    return (file, curation, pipeline), found.texts, found.judged


def receive(found: Findings) -> None:
    """Take what another process found in a file, so that this one need not look for it."""
    _received[found[0]] = found


@lru_cache(maxsize=4)
def phrases(pipeline: str) -> Phrases | None:
    """Return a noun-phrase function from a spaCy pipeline; None if no pipeline is given.

    Raises:
        UsageError: spaCy or the pipeline is not installed, or it finds no noun phrases.
    """
    return load_phrases(pipeline) if pipeline else None


@lru_cache(maxsize=_MOST_FILES)
def _collection(file: RecipeFile, curation: str, pipeline: str) -> Collection:
    received = _received.pop((file, curation, pipeline), None)
    texts = received[1] if received else file.texts()
    _tell(texts.problems)
    judging = partial(judge, curation=curation, pipeline=pipeline)
    judged = received[2] if received else spread(judging, texts.recipes, _AT_A_TIME)
    found: dict[str, Any] = {"recipes read": len(judged), "problems": len(texts.problems)}
    if texts.problems:
        found["first problems"] = texts.problems[:_MOST_LINES]
    if pipeline:
        found["noun phrases by"] = pipeline
    vocabulary = None
    if curation == PAPER:
        curated = curate([each.steps for each in texts.recipes], [each.askable for each in judged])
        found["curation"] = dict(curated.counts)
        _tell([f"curation: {what}: {count}" for what, count in curated.counts.items()])
        kept, vocabulary = [texts.recipes[place] for place in curated.kept], curated.vocabulary
    else:
        kept = [
            text
            for text, each in zip(texts.recipes, judged, strict=True)
            if not each.refusal and len(text.steps) > 1
        ]
        refused = [
            f"{text.title or 'recipe'} (line {text.line}): {each.refusal}"
            for text, each in zip(texts.recipes, judged, strict=True)
            if each.refusal
        ]
        found["recipes not read well enough"] = len(refused)
        if refused:
            found["first of these"] = refused[:_MOST_LINES]
    if not kept:
        mend = "; leave out curate=paper" if curation == PAPER else f" ({refused[0]})"
        raise ParameterError(
            "recipes", file.path, f"none of {len(judged)} recipes is left to ask about{mend}"
        )
    found["recipes asked about"] = len(kept)
    return Collection(AskedRecipes(kept, pipeline, vocabulary), found, texts, judged)


def judge(texts: Sequence[RecipeText], *, curation: str, pipeline: str) -> list[Judged]:
    """Return whether recipes can be asked about, and their candidate questions."""
    by_pipeline = phrases(pipeline)
    if curation != PAPER:
        read = (parse_with_care(text.title, text.steps, by_pipeline, text.goods) for text in texts)
        return [Judged(coverage.refusal, {}) for _, coverage in read]
    return [Judged("", questions(_case(text, by_pipeline))) for text in texts]


def _case(text: RecipeText, by_pipeline: Phrases | None, *, careful: bool = False) -> Kitchen:
    if careful:
        parsed, coverage = parse_with_care(text.title, text.steps, by_pipeline, text.goods)
        source = {"kind": "file", "line": text.line, "share": round(coverage.share, 3)}
    else:
        parsed = parse(text.title, text.steps, by_pipeline)
        source = {"kind": "file", "line": text.line}
    return kitchen(parsed.lowered, source)


def _tell(lines: Sequence[str]) -> None:
    """Log the notes of a file once; worker processes log nothing."""
    if multiprocessing.parent_process() is not None:
        return
    for line in lines[:_MOST_LINES]:
        _log.warning(line)
    if len(lines) > _MOST_LINES:
        _log.warning("... and %d more like these", len(lines) - _MOST_LINES)


# Questions that a person flagged --------------------------------------------------------------


@lru_cache(maxsize=8)
def flagged(path: str) -> frozenset[str]:
    """Return the ids of the questions flagged by a review.

    The file holds JSON lines or a sheet with ``id`` and ``flag``, or one id a line. Where there is
    a column ``flag``, only ids with a value other than no, false or 0 count.

    Raises:
        ParameterError: the file does not exist, has no ids, or has an invalid one.
    """
    place = Path(path)
    if not place.is_file():
        raise ParameterError("review", path, "no such file; give a list of ids")
    rows = _reviewed(place)
    if not rows or any(not row.get("id") for row in rows):
        what = "a line has no id" if rows else "holds no ids"
        raise ParameterError("review", path, f"{what}; give the id of each sample")
    for row in rows:
        if not _ID.fullmatch(str(row["id"])):
            shown = str(row["id"])[:40]
            reason = f"{shown!r} is no id; give the id of a sample"
            raise ParameterError("review", path, reason)
    return frozenset(str(row["id"]) for row in rows if _is_flagged(row))


def _reviewed(place: Path) -> Sequence[Mapping[str, Any]]:
    """Return the rows of a review: of a sheet, of JSON lines, or one id a line."""
    lines = place.read_bytes().removeprefix(codecs.BOM_UTF8).strip().splitlines() or [b""]
    is_json = lines[0].startswith(b"{")
    if place.suffix.lower() == ".xlsx" or (not is_json and re.search(rb"[,;\t]|^id$", lines[0])):
        return [row for _, row in sheets.read(place, ("id",)).rows]
    try:
        texts = [line.decode() for line in lines if line.strip()]
    except UnicodeDecodeError as error:
        raise ParameterError("review", place, "not UTF-8; save it in that encoding") from error
    if is_json:
        return [_row(text, str(place), number) for number, text in enumerate(texts, 1)]
    return [{"id": text.strip()} for text in texts]


def _row(line: str, path: str, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise ParameterError("review", path, f"line {number} is not a JSON object")
    return row


def _is_flagged(row: Mapping[str, Any]) -> bool:
    if "flag" not in row:
        return "input" not in row  # a file of samples without marks flags nothing
    return str(row["flag"] or "").strip().lower() not in ("", "no", "false", "0", "none")
