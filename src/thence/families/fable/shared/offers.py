"""Candidates for the questions of a block, and the slots that they are chosen for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from thence.families.fable.shared.domain import Case, Instance


class Slot(NamedTuple):
    """The answer and the depth that a question should have.

    Attributes:
        side: the place of the answer in `blocks.SIDES`; None for an interval.
        depth: number of links; DEEP_CLASS stands for more, too, where no depths are asked for.
    """

    side: int | None
    depth: int


@dataclass(frozen=True, slots=True)
class Offer:
    """A candidate with all that decides whether it is chosen.

    Attributes:
        case: its procedure.
        instance: the question with its answer.
        side: the place of the answer in `blocks.SIDES`; None for an interval.
        depth: links of the smallest certificate.
        reason: name of the primary reason.
        needs: the strategies that answer it wrongly.
        seen: what the shortcuts see, in their order; of intervals without those that guess one.
        guessed: the names of these whose guess is right.
    """

    case: Case
    instance: Instance
    side: int | None
    depth: int
    reason: str
    needs: frozenset[str]
    seen: tuple[Any, ...]
    guessed: frozenset[str]

    def decided(self) -> Offer:
        """Return the candidate without what was needed only to choose."""
        return replace(self, seen=(), guessed=frozenset())

    @property
    def traits(self) -> dict[str, Any]:
        """The values that stand in the metadata of a sample."""
        return {"reason": self.reason, "depth": self.depth, "needs": sorted(self.needs)}
