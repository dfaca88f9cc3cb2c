"""Travel routes as procedures: turn-by-turn directions on a real or a made-up map."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from thence.core.procedure import Procedure

NODES = 20_000  # points of the made-up map, unless told otherwise


def procedures(
    rng: Random,
    count: int = 1,
    *,
    osm: Path | None = None,
    seed: int = 0,
    nodes: int = NODES,
    low: int = 4,
    high: int = 56,
) -> list[Procedure]:
    """Return routes as procedures whose steps are done in the order of the text.

    Args:
        rng: all chance.
        count: how many; no two are of the same pair of places by design.
        osm: an OpenStreetMap extract; None for the made-up map.
        seed: of the made-up map.
        nodes: of the made-up map, about.
        low: fewest steps of a route.
        high: most steps of a route.

    Raises:
        MissingExtra: Valhalla or osmium is not installed.
        FileError: the extract is broken, or holds no roads or places.
        UsageError: no route of that many steps was found.
    """
    from thence.domains.routes import router, tiles
    from thence.domains.routes.lowering import lower

    chosen = router.extract(tiles.extract(osm)) if osm else router.synthetic(seed, nodes)
    found = []
    for _ in range(count):
        fit = [each for each in chosen.draw(rng, low, high) if low <= len(each.steps) <= high]
        route = rng.choice(fit)
        found.append(lower(route.goal, route.steps).procedure)
    return found
