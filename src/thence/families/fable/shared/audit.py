"""Audit of FABLE's published answers, on one page for a whole checkout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thence import families
from thence.core.audit import Audit, AuditOptions, Disagreement
from thence.core.table import Entry, Table
from thence.errors import FileError
from thence.families.fable.shared.analyses import ANALYSES, DOMAINS
from thence.families.fable.shared.domain import Checked, Domain
from thence.families.fable.shared.generator import PUBLISHED, SOUND, CellGenerator
from thence.families.fable.shared.published_replies import files, samples
from thence.families.fable.shared.task import NO_TRUTH
from thence.system.progress import followed

# The share of published answers that the published rules reproduce: routes are read from sentences,
# and some sentences leave open the roads that these two rules need.
EXPECTED: Mapping[str, float] = {
    "fable/routes/reaching_definitions": 0.96,
    "fable/routes/live_variables": 0.95,
}
_WITNESS = 110  # longest witness in a table, in characters
_KIND = 40  # longest kind in a table, in characters


@dataclass
class _Cell:
    """Counts of one cell."""

    answers: Counter[str] = field(default_factory=Counter)
    questions: Counter[str] = field(default_factory=Counter)
    unsound: Counter[str] = field(default_factory=Counter)
    differing: Counter[str] = field(default_factory=Counter)
    witnesses: dict[tuple[str, str], Checked] = field(default_factory=dict)
    absent: list[Checked] = field(default_factory=list)

    def differs(self, counted: Counter[str], dialect: str, found: Checked) -> None:
        """Count an answer that differs from ours; the first of a kind is its witness."""
        kind = found.kind or "other"
        counted[kind] += 1
        self.witnesses.setdefault((dialect, kind), found)


def audit(root: Path, options: AuditOptions) -> Audit:
    """Return the comparison of every published answer with ours, and other faults of questions.

    Args:
        root: a checkout of FABLE's repository, or a part of one.
        options: ``dialect``: the rules to compare with, ``published`` unless given.

    Raises:
        FileError: no folder, nothing published in it, or a file in another format.
    """
    if not root.is_dir():
        raise FileError(f"{root}: no such folder; give a checkout of FABLE's repository")
    dialect = str(options.get("dialect") or PUBLISHED)
    found = Audit("fable", expected=_expected(dialect))
    cells: dict[str, _Cell] = {}
    for domain in domains():
        _check(domain.audit(root, dialect), dialect, cells, found)
        if dialect != SOUND:
            _check(domain.audit(root, SOUND), SOUND, cells)
    if not found.checked and not found.skipped:
        raise FileError(
            f"{root}: holds nothing that FABLE published; expected raw_data/plans, "
            "benchmarks/new_travel or benchmarks/recipe"
        )
    found.tables += [_differing(cells, dialect)] if dialect != SOUND else []
    found.tables += [_unsound(cells), _questions(cells)]
    replies = _changed_verdicts(root)
    found.tables += [replies] if replies is not None else []
    found.tables = [table for table in found.tables if table.rows]
    return found


def domains() -> list[Domain]:
    """Return FABLE's domains, in the order of the paper."""
    held = {}
    for task in families.select(["fable"]):
        if isinstance(task.generator, CellGenerator):
            held[task.generator.domain.name] = task.generator.domain
    return [held[name] for name in DOMAINS if name in held]


def _expected(dialect: str) -> Mapping[str, float]:
    """Return the expected agreement by group; none is expected from the sound rules."""
    if dialect == PUBLISHED:
        return EXPECTED
    return {f"fable/{domain}/{name}": 0.0 for domain in DOMAINS for name in ANALYSES}


def _check(
    every: Iterable[Checked], dialect: str, cells: dict[str, _Cell], found: Audit | None = None
) -> None:
    """Count a domain's results by cell, and in ``found`` if it is the audit of this dialect."""
    for each in followed(every, "answers"):
        cell = cells.setdefault(each.group, _Cell())
        undecided = dialect == SOUND and each.computed is None
        agrees = each.published == each.computed
        if dialect == SOUND and not agrees and not undecided:
            cell.differs(cell.unsound, dialect, each)
        if found is None:
            continue
        cell.answers[str(each.published)] += 1
        if each.question:
            cell.questions[each.question] += 1
        if each.not_in_text:
            cell.absent.append(each)
        if undecided:
            found.skipped += 1
        elif agrees:
            found.agree(each.group)
        else:
            if dialect != SOUND:
                cell.differs(cell.differing, dialect, each)
            why = each.why or f"it is {each.computed}, not {each.published}"
            found.disagree(Disagreement(each.id, each.group, each.published, each.computed, why))


def _differing(cells: Mapping[str, _Cell], dialect: str) -> Table:
    return Table(
        "fable-audit-differing",
        f"Answers that the {dialect} rules do not give",
        ["cell", "kind", "answers", "for example"],
        _kinds(cells, dialect, lambda cell: cell.differing),
    )


def _unsound(cells: Mapping[str, _Cell]) -> Table:
    return Table(
        "fable-audit-unsound",
        "Answers that are not sound, by kind, with a witness",
        ["cell", "kind", "answers", "witness"],
        _kinds(cells, SOUND, lambda cell: cell.unsound),
    )


def _kinds(cells: Mapping[str, _Cell], dialect: str, counted: Any) -> list[Sequence[Entry]]:
    rows: list[Sequence[Entry]] = []
    for name, cell in cells.items():
        for kind, number in counted(cell).most_common():
            first = cell.witnesses[dialect, kind]
            shown = f"{first.id}: '{first.published}' should be '{first.computed}': {first.why}"
            rows.append([_cell(name), _short(kind, _KIND), number, _short(shown)])
    return rows


def _short(text: str, most: int = _WITNESS) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 3] + "..."


def _cell(group: str) -> str:
    """Return the name of a cell without that of the family."""
    return group.removeprefix("fable/")


def _questions(cells: Mapping[str, _Cell]) -> Table:
    """Return the faults of the questions themselves; cells without faults are left out."""
    rows: list[Sequence[Entry]] = []
    for name, cell in cells.items():
        constant = next(iter(cell.answers)) if len(cell.answers) == 1 else ""
        again = sum(cell.questions.values()) - len(cell.questions)
        absent = ""
        if cell.absent:
            first = cell.absent[0]
            absent = _short(f"{first.id}: {first.not_in_text}")
        if constant or again or cell.absent:
            rows.append([_cell(name), constant, again, len(cell.absent), absent])
    return Table(
        "fable-audit-questions",
        "Cells with one answer, questions that repeat another, and what they name in vain",
        ["cell", "always", "repeated", "not in the text", "for example"],
        rows,
    )


def _changed_verdicts(root: Path) -> Table | None:
    """Return the replies whose verdict is changed by the authors' scorer."""
    found = files(root)
    if found is None:
        return None
    counts: dict[tuple[str, str], Counter[str]] = {}
    for file in found:
        task = families.task(file.task)
        held = counts.setdefault((file.model, file.domain), Counter())
        for sample, reply in samples(file):
            answer = task.format.read(reply, task.question(sample))
            official = task.grader.grade_by("official", reply, answer, sample)
            strict = bool(official.values["strict"])
            held["replies"] += 1
            if official.correct and not strict:
                unread = answer is None or sample.target == NO_TRUTH
                held["none" if unread else "wrong"] += 1
            held["right"] += strict and not official.correct
    return Table(
        "fable-audit-turned",
        "Replies whose verdict the authors' scorer turns round",
        ["model", "domain", "replies", "wrong, scored right", "no answer, scored right",
         "right, scored wrong"],
        [[*key, *(held[name] for name in ("replies", "wrong", "none", "right"))]
         for key, held in counts.items()],
    )  # fmt: skip
