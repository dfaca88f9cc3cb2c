"""Results of an audit of published data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thence.core.table import Table

type AuditOptions = Mapping[str, str | Path]
"""Options of an audit by name, such as a dialect or a folder."""

MOST_EXAMPLES = 20  # disagreements per group that are kept in full


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A published truth that differs from the computed one.

    Attributes:
        id: the published id.
        group: name of the group that it counts in.
        published: the published truth.
        computed: our truth; None where none could be computed.
        why: the reason, in a clause.
    """

    id: str
    group: str
    published: Any
    computed: Any
    why: str


@dataclass
class Audit:
    """Counts of published truths that were recomputed, by group.

    Attributes:
        family: the benchmark that published the data.
        checked: number of truths that were checked, by group.
        agreed: number of truths that were found right, by group.
        skipped: number of items without a truth to check.
        disagreements: the truths that were found wrong, up to MOST_EXAMPLES per group.
        expected: the share that must agree in a group; 1 where a group is not listed.
        notes: one line for each item that could not be read and was left out.
        tables: further results; they are printed in place of single disagreements.
    """

    family: str
    checked: dict[str, int] = field(default_factory=dict)
    agreed: dict[str, int] = field(default_factory=dict)
    skipped: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)
    expected: Mapping[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    def agree(self, group: str) -> None:
        """Count a truth that was found right."""
        self.checked[group] = self.checked.get(group, 0) + 1
        self.agreed[group] = self.agreed.get(group, 0) + 1

    def disagree(self, found: Disagreement) -> None:
        """Count a truth that was found wrong."""
        self.checked[found.group] = self.checked.get(found.group, 0) + 1
        self.agreed.setdefault(found.group, 0)
        if self.checked[found.group] - self.agreed[found.group] <= MOST_EXAMPLES:
            self.disagreements.append(found)

    @property
    def below(self) -> list[str]:
        """Groups whose share of agreement is lower than expected."""
        return [
            group
            for group, checked in self.checked.items()
            if self.agreed[group] < checked * self.expected.get(group, 1.0)
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON document of ``audit --json``."""
        checked, agreed = sum(self.checked.values()), sum(self.agreed.values())
        document: dict[str, Any] = {
            "family": self.family,
            "checked": checked,
            "agreed": agreed,
            "disagreed": checked - agreed,
            "skipped": self.skipped,
            "groups": {
                group: {"checked": number, "agreed": self.agreed[group]}
                for group, number in self.checked.items()
            },
            "examples": [
                {
                    "id": each.id,
                    "published": each.published,
                    "computed": each.computed,
                    "why": each.why,
                }
                for each in self.disagreements
            ],
        }
        if self.tables:
            document["tables"] = {
                table.name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
                for table in self.tables
            }
        return document
