"""Solution of a gen/kill problem for one fact: the interface of both solvers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from thence.dataflow.choices import Options
from thence.dataflow.flow import Flow
from thence.dataflow.problems import Problem


@dataclass(frozen=True, slots=True)
class Failure:
    """Reason why a fact does not hold in every execution.

    Attributes:
        step: a step that kills it in some execution with no generation after; one that always
            comes before, where there is one. None where some execution has no generation at all.
        options: the options under which that happens; None without choices.
    """

    step: int | None
    options: Options | None = None


class Solution(ABC):
    """Solution of one problem for one fact.

    A *point* is a step: forward the moment before it, backward the moment after it. A *source* is a
    step, or START, that generates the fact.
    """

    @abstractmethod
    def __init__(self, problem: Problem, flow: Flow, fact: str) -> None:
        """Solve a problem for one fact of a procedure."""

    @abstractmethod
    def reaches(self, source: int, point: int) -> bool:
        """Return whether the value of a source reaches a point."""

    @abstractmethod
    def reaching(self, point: int) -> list[int]:
        """Return the sources whose values reach a point, in the direction of the problem."""

    @abstractmethod
    def holds(self, point: int) -> bool:
        """Return whether the fact holds at a point, from any source."""

    @abstractmethod
    def killers(self, source: int, point: int) -> list[int]:
        """Return a killing step on the way that keeps a value from a point.

        The first one, but where one that may come between is enough: then the last. There
        are several where each is left out under some options, but never all of them; none
        where no step kills it on the way, and only the order or the options keep it away.
        """

    def deciding(self, point: int, source: int | None = None) -> Options | None:
        """Return options under which some execution shows the answer.

        That is, the value of a source, or of any, reaches the point (may), or does not (must).

        Returns:
            The options; None without choices, and where every execution is needed to show it.
        """
        return None

    @abstractmethod
    def failure(self, point: int, without: int | None = None) -> Failure | None:
        """Return the reason why the fact need not hold at a point; None where it must hold.

        Args:
            point: a step.
            without: a step that is left out, while the order through it still holds.
        """

    @abstractmethod
    def essential(self, point: int) -> list[int]:
        """Return the steps each of which the fact needs to hold in every execution."""

    def nearest(self, point: int) -> int | None:
        """Return the last source, in the direction of the problem, that reaches a point."""
        sources = self.reaching(point)
        return sources[-1] if sources else None
