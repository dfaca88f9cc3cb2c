"""Audit of the questions that the paper's authors published, recomputed from the corpus alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any
from unicodedata import normalize

from thence.core import csv_files
from thence.core.audit import Audit, AuditOptions, Disagreement
from thence.domains.flow_graphs import Corpus, FlowRecipe, read_corpus
from thence.errors import FileError, ParameterError
from thence.families.catbench.questions import RELATIONS, wording
from thence.system.progress import followed

type Pair = tuple[int, int]

FIELDS = ("title", "steps", "question_type", "step_pair_idx_asked_about", "binary_question")
_STEPS = "step texts"
_KINDS = ("dependent", "nondependent")
REAL = "real"


def audit(path: Path, options: AuditOptions) -> Audit:
    """Return the comparison of every published question, truth and step text with the corpus.

    Args:
        path: the CSV of questions.
        options: ``flow_graphs``, the folder of the corpus; ``titles``, the map of titles.

    Raises:
        ParameterError: no corpus is given.
        FileError: the CSV has another form, or holds nothing to check.
    """
    if "flow_graphs" not in options:
        raise ParameterError(
            "flow_graphs", None, "needed: the folder of the corpus that the questions are made of"
        )
    if not path.is_file():
        raise FileError(f"{path}: no such file")
    titles = options.get("titles")
    corpus = read_corpus(Path(options["flow_graphs"]), None if titles is None else Path(titles))
    found = Audit("catbench", notes=list(corpus.skipped))
    rows = csv_files.read_rows(path)
    header = next(rows, (0, {}))[1]
    missing = [name for name in FIELDS if name not in header]
    if missing:
        raise FileError(f"{path}: has no column '{missing[0]}'; give CaT-Bench's CSV of questions")
    auditor = _Auditor(path, corpus, found)
    for number, row in followed(rows, "questions"):
        auditor.check(number, row)
    if not found.checked:
        raise FileError(f"{path}: holds no question about a recipe of {corpus.folder}")
    return found


class _Auditor:
    """Checks row after row; each text of a step is checked at its first occurrence."""

    def __init__(self, path: Path, corpus: Corpus, found: Audit) -> None:
        self._path = path
        self._corpus = corpus
        self._found = found
        self._unknown: set[str] = set()
        self._seen: set[tuple[str, str, Any]] = set()

    def check(self, number: int, row: Mapping[str, str]) -> None:
        """Count the claims of a row as right or wrong, or as skipped if it cannot be read."""
        title = row["title"]
        recipe = self._corpus.by_title.get(normalize("NFC", title.strip()))
        if recipe is None:
            self._found.skipped += 1
            if title not in self._unknown:
                self._unknown.add(title)
                self._note(number, f"title '{title}': no recipe of the corpus has it; left out")
            return
        kind, order, relation = parts_of(row["question_type"])
        pair = pair_of(row["step_pair_idx_asked_about"], len(recipe.steps))
        if not kind or pair is None:
            what = "step_pair_idx_asked_about" if kind else "question_type"
            self._found.skipped += 1
            self._note(number, f"{what} '{row[what]}' cannot be read; left out")
            return
        self._question(recipe, row, kind, relation, pair)
        self._steps(number, recipe, row, None if order == REAL else pair)

    def _note(self, number: int, what: str) -> None:
        self._found.notes.append(f"{self._path}:{number}: {what}")

    def _question(
        self, recipe: FlowRecipe, row: Mapping[str, str], kind: str, relation: str, pair: Pair
    ) -> None:
        """Check whether a path connects the two steps, and the wording of the question."""
        i, j = pair
        group, asked = row["question_type"], wording(i, j, relation)
        name = f"{row['title']} [{i}, {j}]"
        chain = recipe.graph.shortest_chain(i, j)
        computed = _KINDS[0] if chain else _KINDS[1]
        if computed != kind:
            why = f"the chain {chain} orders them" if chain else f"no chain leads from {i} to {j}"
            self._found.disagree(Disagreement(name, group, kind, computed, why))
        elif row["binary_question"].strip() != asked:
            why = "the question is put otherwise"
            self._found.disagree(Disagreement(name, group, row["binary_question"], asked, why))
        else:
            self._found.agree(group)

    def _steps(
        self, number: int, recipe: FlowRecipe, row: Mapping[str, str], swap: Pair | None
    ) -> None:
        """Check every text of a recipe once, and once more for each pair of exchanged texts."""
        title = row["title"]
        key = (title, row["steps"], swap)
        if key in self._seen:
            return
        self._seen.add(key)
        published = texts_of(row["steps"])
        if published is None:
            self._found.skipped += 1
            self._note(number, "steps are not a JSON list of texts; left out")
            return
        ours = list(recipe.steps)
        if swap is not None:
            ours[swap[0]], ours[swap[1]] = ours[swap[1]], ours[swap[0]]
        for place, (theirs, text) in enumerate(zip_longest(published, ours)):
            if theirs == text:
                self._found.agree(_STEPS)
            else:
                name = f"{title} step {place}"
                why = f"the text is {text!r}, not {theirs!r}"
                self._found.disagree(Disagreement(name, _STEPS, theirs, text, why))


def parts_of(question_type: str) -> tuple[str, str, str]:
    """Return class, order and relation of ``dependent_real_before``; empty for another name."""
    kind, _, rest = question_type.strip().partition("_")
    order, _, relation = rest.rpartition("_")
    if kind in _KINDS and order and relation in RELATIONS:
        return kind, order, relation
    return "", "", ""


def pair_of(text: str, steps: int) -> Pair | None:
    """Return the two steps of ``[i, j]``, 0-based with i < j; None for another text."""
    try:
        i, j = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    if type(i) is int and type(j) is int and 0 <= i < j < steps:
        return i, j
    return None


def texts_of(text: str) -> list[str] | None:
    """Return the texts of a JSON list; None for another text."""
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(held, list) and all(isinstance(each, str) for each in held):
        return held
    return None
