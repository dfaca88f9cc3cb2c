"""The routes of two cars in one list: procedures with steps that do not depend on each other.

A single route is a chain in which every step depends on the one before it. Where questions need
independent steps as well, as CaT-Bench's do, two cars that wait for each other here and there give
both.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thence.kernel.procedure import Procedure

MOST = 30  # steps of both cars, without waits


def procedures(rng: Random, *, seed: int = 0, nodes: int = 20_000) -> Iterator[Procedure]:
    """Such procedures without end, no two alike.

    Args:
        rng: all chance.
        seed: of the made-up map.
        nodes: of the made-up map, about.

    Raises:
        MissingExtra: Valhalla or osmium is not installed.
    """
    from thence.domains.routes import router
    from thence.domains.routes.perturbed import two_cars

    chosen = router.synthetic(seed, nodes)
    seen: set[tuple[str, ...]] = set()
    while True:
        one, other = rng.sample(chosen.draw(rng), 2)
        if len(one.steps) + len(other.steps) > MOST or (*one.steps, *other.steps) in seen:
            continue
        seen.add((*one.steps, *other.steps))
        goal = f"{one.goal}, with two cars on different ways"
        yield two_cars(goal, one.steps, other.steps, rng).procedure
