"""OpenStreetMap extracts: writing a drawn map, reading the landmarks of any extract."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, hypot, radians
from pathlib import Path
from typing import Any

from thence.domains.routes.synthetic.draft import Landmark, MapDraft, Way
from thence.domains.routes.synthetic.geometry import Point
from thence.errors import FileError, MissingExtra

FRAME = (130_000.0, 110_000.0)  # metres from the middle of a drawn map to its country's borders
KINDS: Mapping[str, Mapping[str, str]] = {  # tag -> value -> kind of landmark
    "aeroway": {"aerodrome": "airport"},
    "amenity": {
        "hospital": "hospital",
        "townhall": "government",
        "courthouse": "government",
        "library": "government",
        "post_office": "government",
        "police": "government",
        "university": "landmark",
        "theatre": "landmark",
    },
    "tourism": {"museum": "landmark", "attraction": "landmark"},
    "building": {"public": "government", "government": "government"},
}
SIGNS: Mapping[str, tuple[str, str]] = {  # kind of landmark -> the tag that we write
    "airport": ("aeroway", "aerodrome"),
    "hospital": ("amenity", "hospital"),
    "historic": ("historic", "building"),
    "government": ("amenity", "townhall"),
    "landmark": ("tourism", "attraction"),
}
COUNTRY: Mapping[str, str] = {
    # It has no ISO code on purpose: by the code of the United States, Valhalla also makes up how a
    # voice would read every road number out, which takes it as long as all the rest of a route.
    "type": "boundary",
    "boundary": "administrative",
    "admin_level": "2",
    "name": "United States",
}
BORDER: Mapping[str, str] = {"boundary": "administrative"}
ROOM = 64  # bytes on disk for each node, more than a map takes
PLACES = ("city", "town", "village", "hamlet", "suburb")


def osmium() -> Any:
    """Return the package osmium, imported late."""
    try:
        import osmium as package
    except ImportError as error:
        raise MissingExtra("finding routes", "routes") from error
    return package


def write(draft: MapDraft, path: Path) -> None:
    """Write a map as an extract, inside a country in which one drives on the right.

    Raises:
        MissingExtra: osmium is not installed.
        OSError: the file cannot be written.
    """
    package = osmium()
    from osmium.osm.mutable import Node, Relation
    from osmium.osm.mutable import Way as Line

    count = len(draft.points)
    signs = {**draft.tags, **_signs(draft)}
    frame = MapDraft(draft.state, [*draft.points, *_corners(), *(at for _, at in draft.towns)])
    for number, (name, _) in enumerate(draft.towns, count + 4):
        signs[number] = {"place": "town", "name": name}
    border = Way([count, count + 1, count + 2, count + 3, count], BORDER)
    # On a full disk osmium aborts this process; reserving the space first gives an error instead.
    path.write_bytes(bytes(4_096 + ROOM * len(frame.points)))
    with package.SimpleWriter(str(path), overwrite=True) as writer:
        for node, (latitude, longitude) in enumerate(frame.degrees()):
            place = (longitude, latitude)
            writer.add_node(Node(id=node + 1, location=place, tags=signs.get(node)))
        for number, way in enumerate((*draft.ways, border), 1):
            nodes = [node + 1 for node in way.nodes]
            writer.add_way(Line(id=number, nodes=nodes, tags=way.tags))
        writer.add_relation(
            Relation(id=1, members=[("w", len(draft.ways) + 1, "outer")], tags=COUNTRY)
        )


def write_country(path: Path) -> None:
    """Write the country around a drawn map without the map."""
    write(MapDraft(("", "")), path)


def _signs(draft: MapDraft) -> dict[int, dict[str, str]]:
    """Return the tags of landmarks by their nodes."""
    found = {}
    for node, name, city, kind in draft.landmarks:
        tag, value = SIGNS[kind]
        found[node] = {"name": name, tag: value, "addr:city": city, "addr:state": draft.state[1]}
    return found


def _corners() -> list[Point]:
    """Return the corners of the country around a map."""
    east, north = FRAME
    return [(-east, -north), (east, -north), (east, north), (-east, north)]


def landmarks(path: Path) -> list[Landmark]:
    """Return the named places of an extract at which routes can start and end, in file order.

    Raises:
        FileError: not an extract, or one without roads.
    """
    package = osmium()
    found: list[tuple[str, str, str, str, float, float]] = []
    towns: list[tuple[str, float, float]] = []
    state, roads = "", 0
    try:
        reader = package.FileProcessor(str(path)).with_locations()
        for each in reader:
            if each.is_way() and "highway" in each.tags:
                roads += 1
            name = each.tags.get("name") if len(each.tags) else None
            if not name:
                continue
            if each.is_relation():
                code = each.tags.get("ISO3166-2", "")
                state = state or (code[3:] if code.startswith("US-") else "")
                continue
            spot = _spot(each)
            kind = _kind(each.tags)
            if spot and each.is_node() and each.tags.get("place") in PLACES:
                towns.append((name, *spot))
            elif spot and kind:
                city, code = each.tags.get("addr:city", ""), each.tags.get("addr:state", "")
                found.append((name, city, code, kind, *spot))
    except RuntimeError as error:
        raise FileError(f"{path}: not an OpenStreetMap extract: {error}") from error
    if not roads:
        raise FileError(f"{path}: holds no roads; give an extract with ways tagged highway=...")
    return [
        Landmark(name, city or _nearest(towns, at), code or state, kind, *at)
        for name, city, code, kind, *at in found
    ]


def _kind(tags: Any) -> str:
    if "historic" in tags:
        return "historic"
    for tag, kinds in KINDS.items():
        if tags.get(tag) in kinds:
            return kinds[tags.get(tag)]
    return ""


def _spot(each: Any) -> tuple[float, float] | None:
    if each.is_node():
        return each.location.lat, each.location.lon
    places = [node.location for node in each.nodes if node.location.valid()]
    if not places:
        return None
    return (
        sum(place.lat for place in places) / len(places),
        sum(place.lon for place in places) / len(places),
    )


def _nearest(towns: list[tuple[str, float, float]], at: list[float]) -> str:
    if not towns:
        return ""
    scale = cos(radians(at[0]))  # a degree to the east is shorter than one to the north
    return min(towns, key=lambda town: hypot(town[1] - at[0], (town[2] - at[1]) * scale))[0]
