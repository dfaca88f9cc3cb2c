"""CaT-Bench's published questions, as a CSV: titles, steps and questions as they stand.

The file holds no prompts. The frame around its texts has the parts that the paper describes, in
our words: the task in a sentence, goal, numbered steps, question, and the choice of yes or no.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thence.core import csv_files
from thence.core.digest import digest
from thence.core.graph import Graph
from thence.core.procedure import Step
from thence.core.sample import PUBLISHED, WORDS, Sample
from thence.errors import FileError
from thence.families.catbench.audit import FIELDS, REAL, pair_of, parts_of, texts_of
from thence.families.catbench.questions import (
    DEP,
    NONDEP,
    SWITCHED,
    question_metadata,
    switched,
    truth,
)
from thence.families.catbench.sources import Subject
from thence.families.catbench.tasks.order import TASK

_FRAME = """\
Given a goal, a procedure that achieves it and a question about the steps of the procedure, answer \
the question in one sentence.

Goal: {title}

Procedure:
{steps}

{question}"""
_CHOICE = "Select between yes or no."


def questions(path: Path) -> Iterator[Sample] | None:
    """Return the questions of a CSV; None where the file has another form.

    Raises:
        FileError: as they are read, a row that differs from the published format.
    """
    if path.suffix != ".csv" or not path.is_file():
        return None
    header = next(csv_files.read_rows(path), (0, {}))[1]
    return _samples(path) if set(FIELDS) <= set(header) else None


def _samples(path: Path) -> Iterator[Sample]:
    rows = [_Row.of(f"{path}:{line}", row) for line, row in _rows(path)]
    order: dict[str, set[tuple[int, int]]] = {}
    for row in rows:
        if row.split == DEP:
            order.setdefault(row.title, set()).add((row.i, row.j))
    for row in rows:
        yield row.sample(order.get(row.title, set()))


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    rows = csv_files.read_rows(path)
    next(rows)  # the header
    return rows


@dataclass(frozen=True, slots=True)
class _Row:
    """One published question about steps i < j, 0-based."""

    title: str
    steps: list[str]
    split: str
    relation: str
    i: int
    j: int
    asked: str

    @classmethod
    def of(cls, place: str, row: Mapping[str, str]) -> _Row:
        """Return the question of a row.

        Raises:
            FileError: a field that cannot be read.
        """
        kind, order, relation = parts_of(row["question_type"])
        steps = texts_of(row["steps"])
        pair = pair_of(row["step_pair_idx_asked_about"], len(steps or ()))
        title, asked = row["title"].strip(), row["binary_question"].strip()
        read = {"question_type": kind, "steps": steps, "step_pair_idx_asked_about": pair}
        for name, value in {**read, "title": title, "binary_question": asked}.items():
            if not value:
                raise FileError(f"{place}: {name} '{row[name][:60]}' cannot be read")
        assert steps and pair
        split = DEP if kind == "dependent" else NONDEP if order == REAL else SWITCHED
        return cls(title, steps, split, relation, *pair, asked)

    def sample(self, order: Collection[tuple[int, int]]) -> Sample:
        """Return the question, with the published pairs of dependent steps for its recipe's order.

        It has the id of the published replies to it.
        """
        metadata = question_metadata(self.title, self.i, self.j, self.relation, self.split)
        steps = "\n".join(f"Step {n}: {text}" for n, text in enumerate(self.steps, 1))
        words = _FRAME.format(title=self.title, steps=steps, question=self.asked)
        metadata |= {
            "procedure": self._procedure(order),
            "question": {"kind": self.relation, "i": self.i, "j": self.j, "fact": None},
            "parameters": {"split": self.split, "procedure": self.title},
            "group": self.split,
            "source": PUBLISHED,
            "template": PUBLISHED,
            WORDS: words,
            "origin": {"source": PUBLISHED, "name": self.title},
        }
        if self.split == DEP:
            metadata["witness"] = {"chain": [self.i, self.j]}
        parts = (self.title, self.i, self.j, self.relation, self.split)
        return Sample(
            digest(TASK.full_name, *parts),
            TASK.family,
            TASK.full_name,
            TASK.version,
            f"{words}\n\n{_CHOICE}",
            truth(self.split),
            metadata,
        )

    def _procedure(self, order: Collection[tuple[int, int]]) -> dict[str, Any]:
        """Return the steps as they stand, with their order."""
        steps = tuple(map(Step, self.steps))
        graph = Graph(len(steps), [pair for pair in order if pair[1] < len(steps)])
        procedure = Subject(self.title, self.title, steps, graph).procedure
        if self.split != SWITCHED:
            return procedure
        return {**switched(procedure, self.i, self.j), "steps": procedure["steps"]}
