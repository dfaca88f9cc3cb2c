"""Kinds of errors that people filled in: how often each was named, and how far people agree.

The sheets are those of ``thence errors``, with the column ``error_type`` filled in; each sheet is
one person's, unless a column ``rater`` says whose a row is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from thence.core import sheets
from thence.core.agreement import agreement, kappa
from thence.core.statistics import Estimate, finite, pooled, wilson
from thence.core.table import Entry, Table
from thence.errors import FileError

NEEDED = ("task", "id", "epoch", "outcome", "error_type")
ALL = "all tasks"
NO_ERROR = "no error"
"""The kind by which a person says that the reply is right, and the truth or the reader wrong."""
_NAMED = 5  # answers that a note names


class AnswerKey(NamedTuple):
    """An answer that is not right: whose, to which question, in which epoch."""

    task: str
    id: str
    epoch: str
    model: str


@dataclass(frozen=True)
class TaskKinds:
    """The kinds of errors of one task.

    Attributes:
        answers: number of answers with a kind from anyone.
        counts: for each kind, the number of answers that each rater gave it to.
        agreed: for each kind, the number of answers that two raters or more gave it to, and no
            rater another.
        several: number of answers with a kind from two raters or more.
        equal: share of pairs of raters that agree, and Fleiss' kappa of these answers, with
            intervals of a bootstrap over answers.
    """

    answers: int
    counts: Mapping[str, Mapping[str, int]]
    agreed: Mapping[str, int]
    several: int
    equal: Mapping[str, Estimate]


@dataclass
class ErrorKinds:
    """Kinds of errors from filled-in sheets, with counts.

    Attributes:
        raters: names of the people.
        tasks: the kinds of each task; those of all tasks under `ALL` where there are several.
        blank: number of rows without a kind.
        notes: one line for each thing that a person should know about the sheets.
    """

    raters: Sequence[str] = ()
    tasks: dict[str, TaskKinds] = field(default_factory=dict)
    blank: int = 0
    notes: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return all figures as JSON."""
        return {
            "raters": list(self.raters),
            "unfilled": self.blank,
            "tasks": {
                name: {
                    "answers": task.answers,
                    "kinds": {
                        kind: {"raters": dict(by), "agreed": task.agreed[kind]}
                        for kind, by in task.counts.items()
                    },
                    "answers_of_several": task.several,
                    **{figure: finite(each.value) for figure, each in task.equal.items()},
                }
                for name, task in self.tasks.items()
            },
        }


def read_kinds(paths: Sequence[Path]) -> ErrorKinds:
    """Return what people filled in; kinds are the same whatever their case and blanks.

    Raises:
        FileError: a file is no such sheet, is given twice or contradicts another one, or none
            holds a kind.
    """
    return _filled(paths).tabulated()


def accepted_corrections(paths: Sequence[Path]) -> set[AnswerKey]:
    """Return the answers of which more than half of those who judged them say `NO_ERROR`.

    Raises:
        FileError: as `read_kinds` does.
    """
    return {
        key
        for key, kinds in _filled(paths).kinds.items()
        if 2 * sum(kind.casefold() == NO_ERROR for kind in kinds.values()) > len(kinds)
    }


def _filled(paths: Sequence[Path]) -> _Filled:
    filled = _Filled()
    for place, path in enumerate(paths):
        if path.resolve() in {other.resolve() for other in paths[:place]}:
            raise FileError(f"{path}: is given twice; name each sheet once")
        sheet = sheets.read(path, NEEDED)
        filled.found.notes += sheet.notes
        for where, row in sheet.rows:
            named = row.get("rater", "").strip()
            several = f"{path}, {named}" if named else str(path)
            filled.add(where, row, several if len(paths) > 1 else named or several)
    if not filled.kinds:
        names = ", ".join(map(str, paths))
        raise FileError(f"{names}: no row has an error_type; fill in that column")
    return filled


class _Filled:
    """The rows of all sheets."""

    def __init__(self) -> None:
        self.found = ErrorKinds()
        self.kinds: dict[AnswerKey, dict[str, str]] = {}
        self._outcomes: dict[AnswerKey, tuple[str, str]] = {}
        self._spelled: dict[str, str] = {}

    def add(self, where: str, row: Mapping[str, str], rater: str) -> None:
        """Take in a row.

        Raises:
            FileError: it contradicts an earlier one.
        """
        key = AnswerKey(*(row.get(name, "").strip() for name in AnswerKey._fields))
        outcome = row["outcome"].strip()
        seen, first = self._outcomes.setdefault(key, (outcome, where))
        if seen != outcome:
            raise FileError(
                f"{where}: outcome '{outcome}' of {key.id}, which is '{seen}' at {first}; give "
                "sheets of the same run"
            )
        words = " ".join(row["error_type"].split())
        if not words:
            self.found.blank += 1
            return
        kind = self._spelled.setdefault(words.casefold(), words)
        if self.kinds.setdefault(key, {}).setdefault(rater, kind) != kind:
            raise FileError(
                f"{where}: {key.id} has another error_type by {rater} before; keep one row of it"
            )

    def tabulated(self) -> ErrorKinds:
        """Return the kinds by task."""
        found = self.found
        found.raters = list(dict.fromkeys(name for kinds in self.kinds.values() for name in kinds))
        found.notes += _missing(self.kinds, found.raters)
        tasks = sorted({key.task for key in self.kinds})
        for task in tasks:
            found.tasks[task] = _task(
                [each for key, each in self.kinds.items() if key.task == task]
            )
        if len(tasks) > 1:
            found.tasks[ALL] = _task(list(self.kinds.values()))
        return found


def _missing(held: Mapping[AnswerKey, Mapping[str, str]], raters: Iterable[str]) -> Iterator[str]:
    """Yield a line for each person who left out answers that others filled in."""
    for rater in raters:
        left = [key.id for key, kinds in held.items() if rater not in kinds]
        if left:
            named = ", ".join(left[:_NAMED]) + (", ..." if len(left) > _NAMED else "")
            yield f"{rater}: {len(left)} of {len(held)} answers have no error_type: {named}"


def _task(answers: Sequence[Mapping[str, str]]) -> TaskKinds:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for kinds in answers:
        for rater, kind in kinds.items():
            counts[kind][rater] += 1
    names = sorted(counts, key=lambda kind: (-counts[kind].total(), kind))
    several = [list(kinds.values()) for kinds in answers if len(kinds) > 1]
    agreed = Counter(kinds[0] for kinds in several if len(set(kinds)) == 1)
    return TaskKinds(
        len(answers),
        {kind: counts[kind] for kind in names},
        {kind: agreed[kind] for kind in names},
        len(several),
        _agreement(several, names),
    )


def _agreement(several: Sequence[Sequence[str]], names: Sequence[str]) -> dict[str, Estimate]:
    """Return the share of pairs that agree, and kappa, by a bootstrap over answers."""
    same = [[float(one == other) for other in names] for one in names]
    sums: dict[Hashable, list[float]] = {}
    for number, kinds in enumerate(several):
        row = [float(kinds.count(name)) for name in names]
        sums[number] = [1.0, agreement(row, same), *row]

    def figures(totals: Sequence[Any]) -> dict[str, Any]:
        answers, observed, *shares = totals
        return {"equal": observed / answers, "kappa": kappa(answers, observed, shares, same)}

    return pooled(sums, figures)


def tables(found: ErrorKinds) -> list[Table]:
    """Return the kinds by task, and the agreement where several people filled in the same."""
    one = len(found.raters) == 1
    heads = ("answers", "share") if one else (*(f"by {name}" for name in found.raters), "agreed")
    rows: list[Sequence[Entry]] = []
    for name, task in found.tasks.items():
        for kind, by in task.counts.items():
            numbers: list[Entry] = [by.get(rater, 0) for rater in found.raters]
            if one:
                count = by[found.raters[0]]
                ends = wilson(count, task.answers)
                numbers.append(Estimate(count / task.answers, *ends, task.answers))
            else:
                numbers.append(task.agreed[kind])
            rows.append((name, kind, *numbers))
    note = (
        f"By {found.raters[0]}. Intervals: Wilson's."
        if one
        else "Answers by who named the kind; agreed: by two or more, and nobody named another."
    )
    made = [Table("error-kinds", "Kinds of errors", ("task", "kind", *heads), rows, note)]
    both = [
        (name, task.several, task.equal["equal"], task.equal["kappa"])
        for name, task in found.tasks.items()
        if task.several
    ]
    if both:
        made.append(
            Table(
                "error-kinds-agreement",
                "Agreement on the kinds of errors",
                ("task", "answers", "equal", "kappa"),
                both,
                "Over answers with a kind from two or more. equal: share of pairs that agree; "
                "kappa: Fleiss'. Intervals: bootstrap over answers.",
            )
        )
    return made
