"""Four gen/kill problems: direction, meet, gen set and kill set of each classical analysis.

| problem   | direction | meet | gen set | kill set     | question                             |
|-----------|-----------|------|---------|--------------|--------------------------------------|
| REACHING  | forward   | may  | define  | kill, define | can the definition of i reach j?     |
| AVAILABLE | forward   | must | define  | kill         | is the definition of i always at j?  |
| LIVE      | backward  | may  | use     | kill, define | can the fact be used after i?        |
| BUSY      | backward  | must | use     | kill, define | is the fact always used after i?     |

The transfer function of a step is gen | (value - kill): a step that kills and generates a fact
leaves it generated, forward because it defines after it kills, backward because it uses first.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from thence.dataflow.flow import Role


class Direction(Enum):
    """Direction in which values travel; also the sign of a step in the order."""

    FORWARD = 1
    BACKWARD = -1


class Meet(Enum):
    """Meet over the executions: the union of their values (may) or the intersection (must)."""

    MAY = "some"
    MUST = "every"


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A gen/kill problem over the facts of a procedure, compared by identity.

    Attributes:
        direction: FORWARD asks for the values before a step, BACKWARD for those after it.
        meet: over which executions.
        gen: the role in which a step generates the fact; forward, the start generates it too.
        kill: the roles in which a step kills the value of the fact.
    """

    direction: Direction
    meet: Meet
    gen: Role
    kill: tuple[Role, ...]

    @property
    def is_forward(self) -> bool:
        """Whether values travel in the direction of the execution."""
        return self.direction is Direction.FORWARD


_KILLS = (Role.KILL, Role.DEFINE)  # a redefinition kills the earlier value

REACHING = Problem(Direction.FORWARD, Meet.MAY, gen=Role.DEFINE, kill=_KILLS)
AVAILABLE = Problem(Direction.FORWARD, Meet.MUST, gen=Role.DEFINE, kill=(Role.KILL,))
LIVE = Problem(Direction.BACKWARD, Meet.MAY, gen=Role.USE, kill=_KILLS)
BUSY = Problem(Direction.BACKWARD, Meet.MUST, gen=Role.USE, kill=_KILLS)
