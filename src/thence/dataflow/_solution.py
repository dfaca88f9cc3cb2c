"""What every solution of a gen/kill problem can be asked, whatever the order of the procedure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from thence.dataflow._flow import Flow
from thence.dataflow._problems import Problem


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a fact does not hold in every execution.

    Attributes:
        step: what ends it in some execution with nothing after that generates it again, one that
            always comes before where there is one; None where in some execution nothing
            generates it at all.
    """

    step: int | None


class Solution(ABC):
    """What is known of one fact under one problem.

    A *point* is a step: forward the moment before it, backward the moment after it. A *source* is a
    step, or START, that generates the fact.
    """

    @abstractmethod
    def __init__(self, problem: Problem, flow: Flow, fact: str) -> None:
        """Solves a problem for one fact of a procedure."""

    @abstractmethod
    def carries(self, source: int, point: int) -> bool:
        """Whether what a source generates gets to a point; False where it generates nothing."""

    @abstractmethod
    def alive(self, point: int) -> list[int]:
        """Every source whose value gets to a point, in the direction of the problem."""

    @abstractmethod
    def holds(self, point: int) -> bool:
        """Whether the fact holds at a point, whichever source generated it."""

    @abstractmethod
    def obstacle(self, source: int, point: int) -> int | None:
        """The ending step that keeps a value from a point; None where only the order does.

        Of several the nearest to the point.
        """

    @abstractmethod
    def failure(self, point: int, without: int | None = None) -> Failure | None:
        """Why the fact does not hold in EVERY execution; None where it does.

        Args:
            point: where.
            without: a step that is left out, its place in the order kept.
        """

    @abstractmethod
    def vital(self, point: int) -> list[int]:
        """The steps without which the fact would not hold in EVERY execution, where it does."""

    def nearest(self, point: int) -> int | None:
        """The last, in the direction of the problem, whose value gets to a point."""
        alive = self.alive(point)
        return alive[-1] if alive else None
