"""Travel routes as procedures: turn-by-turn directions on a real or a made-up map."""

from __future__ import annotations

from importlib.util import find_spec

from thence.errors import MissingExtra

NODES = 20_000  # points of the made-up map, by default


def missing_extra() -> MissingExtra | None:
    """Return the error of the router or the reader of maps, where one is not installed."""
    known = all(find_spec(name) for name in ("valhalla", "osmium"))
    return None if known else MissingExtra("finding routes", "routes")
