"""Maps as files: writing an OpenStreetMap extract, reading one's landmarks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from thence.domains.routes._draft import Draft, Landmark
from thence.errors import FileError, MissingExtra

MARGIN = 30_000.0  # metres of country around the synthetic map
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
PLACES = ("city", "town", "village", "hamlet", "suburb")


def osmium() -> Any:
    """The package, loaded late."""
    try:
        import osmium as package
        import osmium.osm.mutable
    except ImportError as error:
        raise MissingExtra("finding routes", "routes") from error
    return package


def write(draft: Draft, path: Path) -> None:
    """Writes a map as an extract, with a country around it, where one drives on the right."""
    package = osmium()
    from osmium.osm.mutable import Node, Relation
    from osmium.osm.mutable import Way as Line

    writer = package.SimpleWriter(str(path), 16_000_000)
    try:
        signs = _signs(draft)
        node = Node(version=1)  # the writer takes a copy, so that one will do
        for number in range(len(draft.points)):
            latitude, longitude = draft.degrees(number)
            node.id, node.location = number + 1, (longitude, latitude)
            node.tags = signs.get(number) or draft.tags.get(number)
            writer.add_node(node)
        corner = len(draft.points)
        border = _border(draft)
        for step, (latitude, longitude) in enumerate(border, 1):
            writer.add_node(Node(id=corner + step, version=1, location=(longitude, latitude)))
        for step, (name, place) in enumerate(draft.towns, 1):
            frame = Draft(draft.state, [place])
            latitude, longitude = frame.degrees(0)
            tags = {"place": "town", "name": name}
            where = (longitude, latitude)
            writer.add_node(Node(id=corner + 4 + step, version=1, location=where, tags=tags))
        for number, way in enumerate(draft.ways, 1):
            refs = [node + 1 for node in way.nodes]
            writer.add_way(Line(id=number, version=1, nodes=refs, tags=dict(way.tags)))
        ring = [corner + step for step in (1, 2, 3, 4, 1)]
        around = len(draft.ways) + 1
        writer.add_way(Line(id=around, version=1, nodes=ring, tags={"boundary": "administrative"}))
        for number, tags in enumerate(_areas(draft), 1):
            writer.add_relation(
                Relation(id=number, version=1, members=[("w", around, "outer")], tags=tags)
            )
    finally:
        writer.close()


def _signs(draft: Draft) -> dict[int, dict[str, str]]:
    """The tags of landmarks, by their nodes."""
    found = {}
    for node, name, city, kind in draft.landmarks:
        tag, value = SIGNS[kind]
        found[node] = {"name": name, tag: value, "addr:city": city, "addr:state": draft.state[1]}
    return found


def _border(draft: Draft) -> list[tuple[float, float]]:
    xs, ys = zip(*draft.points, strict=True)
    frame = Draft(draft.state)
    for x in (min(xs) - MARGIN, max(xs) + MARGIN):
        for y in (min(ys) - MARGIN, max(ys) + MARGIN):
            frame.node((x, y))
    return [frame.degrees(number) for number in (0, 2, 3, 1)]


def _areas(draft: Draft) -> list[dict[str, str]]:
    """The country and the state.

    They have no ISO codes on purpose: by the code of the United States, Valhalla also makes up how
    a voice would read every road number out, which takes it as long as all the rest of a route.
    """
    common = {"type": "boundary", "boundary": "administrative"}
    return [
        {**common, "admin_level": "2", "name": "United States"},
        {**common, "admin_level": "4", "name": draft.state[0]},
    ]


def landmarks(path: Path) -> list[Landmark]:
    """Named places of an extract that routes can start and end at, in the order of the file.

    Raises:
        FileError: no such file, not an extract, or one without roads.
    """
    package = osmium()
    if not path.is_file():
        raise FileError(f"{path}: no such file; --set osm takes an OpenStreetMap extract")
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
    return min(towns, key=lambda town: (town[1] - at[0]) ** 2 + (town[2] - at[1]) ** 2)[0]
