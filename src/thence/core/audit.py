"""What an audit of published data found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from thence.core.table import Table

MOST_EXAMPLES = 20  # disagreements of a group that are kept in full


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A published truth that is not the computed one.

    Attributes:
        id: as published.
        group: what it is counted under.
        published: the truth as it was printed.
        computed: ours; None where none could be computed.
        why: in a clause.
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
        family: whose data it was.
        checked: group -> truths that were looked at.
        agreed: group -> truths that were found right.
        skipped: items without a truth to check.
        disagreements: the others, up to MOST_EXAMPLES a group.
        expected: the share that must agree in a group, 1 unless its specification says less.
        notes: one clear line for each thing that could not be read and was left out.
        tables: what else there is to say; they are printed in place of single disagreements.
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
        """Counts a truth that was found right."""
        self.checked[group] = self.checked.get(group, 0) + 1
        self.agreed[group] = self.agreed.get(group, 0) + 1

    def disagree(self, found: Disagreement) -> None:
        """Counts one that was not."""
        self.checked[found.group] = self.checked.get(found.group, 0) + 1
        self.agreed.setdefault(found.group, 0)
        if self.checked[found.group] - self.agreed[found.group] <= MOST_EXAMPLES:
            self.disagreements.append(found)

    @property
    def below(self) -> list[str]:
        """The groups that agree less than they must."""
        return [
            group
            for group, checked in self.checked.items()
            if self.agreed[group] < checked * self.expected.get(group, 1.0)
        ]

    def to_json(self) -> dict[str, Any]:
        """As ``audit --json`` prints it."""
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
