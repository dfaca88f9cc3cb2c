from __future__ import annotations

import gzip
import hashlib
import itertools
import math
import re
import sys
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.domains.routes.conftest import NODES
from thence.core.graph import Graph
from thence.domains.routes import cars, lowering, osm_files, router, tiles
from thence.domains.routes.synthetic import geometry, highways, names
from thence.domains.routes.synthetic.state import draw_state
from thence.domains.routes.synthetic.town import Town
from thence.errors import FileError, MissingExtra, UsageError

pytest.importorskip("valhalla")
pytest.importorskip("osmium")


def _written(path, nodes, ways):
    """An extract with the given nodes (place, tags) and ways (references, tags)."""
    import osmium
    from osmium.osm.mutable import Node, Way

    writer = osmium.SimpleWriter(str(path))
    for number, (place, tags) in enumerate(nodes, 1):
        writer.add_node(Node(id=number, version=1, location=place, tags=tags))
    for number, (refs, tags) in enumerate(ways, 1):
        writer.add_way(Way(id=number, version=1, nodes=refs, tags=tags))
    writer.close()
    return path


TOWN = [
    ((-89.00, 40.00), {}),
    ((-88.99, 40.00), {}),
    ((-88.98, 40.00), {}),
    ((-88.98, 40.01), {}),
    ((-88.98, 40.02), {}),
    ((-89.00, 40.0001), {"name": "Ash Hospital", "amenity": "hospital"}),
    ((-88.98, 40.0199), {"name": "Old Mill", "historic": "mill"}),
    ((-88.99, 40.01), {"name": "Ashford", "place": "town"}),
]
STREETS = [
    ([1, 2, 3], {"highway": "primary", "name": "Elm Street"}),
    ([3, 4, 5], {"highway": "residential", "name": "Oak Street"}),
    ([2, 4], {"highway": "residential", "name": "Pine Street"}),
]


def test_the_same_seed_draws_the_same_map_and_another_one_does_not():
    one, same, other = (draw_state(seed, NODES) for seed in (3, 3, 4))
    assert (one.points, one.ways, one.landmarks) == (same.points, same.ways, same.landmarks)
    assert one.points != other.points


def test_a_map_is_the_same_on_every_machine():
    """A change of this number is a change of all routes: raise the version's first number."""
    draft = draw_state(3, NODES)
    ways = [(way.nodes, sorted(way.tags.items())) for way in draft.ways]
    tags = sorted((node, sorted(held.items())) for node, held in draft.tags.items())
    row = repr((draft.units().tolist(), ways, tags, draft.landmarks, draft.towns))
    assert (tiles.VERSION, hashlib.sha256(row.encode()).hexdigest()[:12]) == (3, "f555e8717f57")


def test_a_town_is_as_wide_as_its_streets():
    """Hamlets keep away from it, and motorways cut it, as far as it says that it reaches."""
    for seed in range(30):
        town = Town(Random(seed), "Elmwood", (0.0, 0.0), 9 + seed % 14, ["Ashford", "Bell", "Cole"])
        cells = {cell for edge in town.streets for cell in edge}
        far = sorted(math.dist(town.place(cell), town.centre) for cell in cells)
        assert far[len(far) // 2] < town.radius <= far[-1]


def test_a_map_has_all_that_routes_need():
    draft = draw_state(0, 20_000)
    used = {node for way in draft.ways for node in way.nodes}
    assert 16_000 < len(used) < 24_000
    kinds = {way.tags["highway"] for way in draft.ways}
    assert {"motorway", "motorway_link", "trunk", "primary", "secondary", "tertiary"} <= kinds
    assert any(way.tags.get("junction") == "roundabout" for way in draft.ways)
    assert any(way.tags.get("oneway") == "yes" and "name" in way.tags for way in draft.ways)
    assert any("ref" in tags for tags in draft.tags.values())
    assert {kind for _, _, _, kind in draft.landmarks} == {
        "airport",
        "hospital",
        "historic",
        "government",
        "landmark",
    }
    assert draft.connected().ways == draft.ways


def test_the_country_holds_the_largest_map():
    """The border is drawn, and read, before the map is."""
    for seed, nodes in ((0, 60_000), (1, 20_000), (2, NODES)):
        spread = np.abs(np.array(draw_state(seed, nodes).points)).max(axis=0)
        assert (spread + 20_000 < osm_files.FRAME).all()


def test_tiles_are_the_same_on_one_core_and_on_many(cached, monkeypatch):
    """Drawn anew each time, under a key of its own."""
    held = []
    for cores in (1, 3):
        monkeypatch.setattr(tiles, "MOST", cores)
        monkeypatch.setattr(tiles, "VERSION", f"{cores} cores")
        monkeypatch.setattr(tiles.os, "cpu_count", lambda: 3)
        folder = tiles.synthetic(7, 6_000).folder
        found = sorted((folder / "tiles").rglob("*.gph"))
        held.append([(tile.relative_to(folder), tile.read_bytes()) for tile in found])
    assert len(held[0]) > 8
    assert held[0] == held[1]


def test_roundabouts_turn_against_the_clock():
    draft = draw_state(0, 20_000)
    rings = [way for way in draft.ways if way.tags.get("junction") == "roundabout"]
    for ring in rings:
        points = [draft.points[node] for node in ring.nodes]
        area = sum(a[0] * b[1] - a[1] * b[0] for a, b in itertools.pairwise(points))
        assert area > 0


def test_a_pool_gives_out_no_name_twice():
    pool = names.suburbs(Random(1))
    taken = [pool.take() for _ in range(700)]
    assert len(set(taken)) == len(taken)


def test_a_pool_does_not_run_dry():
    pool = names.rural(Random(1))
    taken = [pool.take() for _ in range(8_000)]
    assert len(set(taken)) > 7_900
    assert all(name.endswith(" Road") for name in taken)


def test_routes_have_three_wordings_and_end_at_their_destination(small):
    for seed in range(6):
        routes = small.draw(Random(seed))
        assert len({route.steps for route in routes}) == 3
        for route in routes:
            assert route.steps[0].startswith("Drive ")
            assert route.steps[-1].startswith(("You have arrived", "Your destination"))
            assert route.steps[-2].startswith("Continue for ")
            assert "Exit the roundabout" not in " ".join(route.steps)
            assert "  " not in " ".join(route.steps)


def test_one_drives_on_the_right(small):
    """The first exit of a roundabout is a turn to the right, and ramps leave to the right."""
    texts = [
        text for seed in range(60) for route in small.draw(Random(seed)) for text in route.steps
    ]
    assert any("roundabout" in text or "Circle" in text for text in texts)
    leave = [text for text in texts if text.startswith("Take") and "exit" in text]
    assert not any("on the left" in text for text in leave)


def test_the_roads_of_the_text_are_those_of_the_router(small):
    """A second way to the road after a step: the router's own names of the stretch."""
    checked = 0
    for seed in range(6):
        for route in small.draw(Random(seed)):
            lowered = lowering.lower(route.goal, route.steps, roads=route.roads)
            for number, sentence in enumerate(lowered.sentences):
                if not sentence.roads or "ramp" in sentence.text or "exit" in sentence.text:
                    continue
                clear = [
                    fact
                    for fact in lowering.facts(sentence.roads)
                    if fact not in lowered.unclear[number]
                ]
                assert set(clear) <= set(lowering.facts(route.roads[number])), sentence.text
                checked += bool(clear)
    assert checked > 60


def test_five_cars_have_steps_that_depend_and_steps_that_do_not(cached):
    made = list(islice(cars.procedures(Random(5), seed=3, nodes=NODES), 3))
    assert made == list(islice(cars.procedures(Random(5), seed=3, nodes=NODES), 3))
    for each in made:
        graph = Graph(len(each.steps), each.order)
        pairs = [(i, j) for i in range(graph.n) for j in range(i + 1, graph.n)]
        assert 0 < sum(graph.reaches(i, j) for i, j in pairs) < len(pairs)
        assert any("Wait here until" in step.text for step in each.steps)
        assert re.fullmatch(r".+ to .+, with cars 1 to 3; .+ to .+, with cars 4 and 5", each.goal)
        assert {step.text[:5] for step in each.steps} == {f"Car {number}" for number in range(1, 6)}
        strands = cars.strands(each)
        for place, step in enumerate(each.steps):
            car = step.text[:5]
            assert car in strands[place]
            if "Wait here until" in step.text:  # what it quotes tells the order by its words
                assert any(strands[place] & other - {car} for other in strands[:place])


def test_an_extract_serves_as_a_map(cached, tmp_path):
    path = _written(tmp_path / "town.osm.pbf", TOWN, STREETS)
    found = router.extract(tiles.extract(path))
    places = found.map.landmarks
    assert [place.label for place in places] == ["Ash Hospital (Ashford)", "Old Mill (Ashford)"]
    route = found.route(*places, "default")
    assert route.goal == "Ash Hospital (Ashford) to Old Mill (Ashford)"
    assert any("Oak Street" in text for text in route.steps)


def test_the_nearest_town_is_so_in_metres_not_in_degrees():
    """A tenth of a degree is 8.5 kilometres to the east here, and 11.1 to the north."""
    towns = [("North", 40.09, -89.0), ("East", 40.0, -88.9)]
    assert osm_files._nearest(towns, [40.0, -89.0]) == "East"


def test_the_made_up_map_is_itself_an_extract(small):
    found = osm_files.landmarks(small.map.folder / "map.osm.pbf")
    assert {(place.label, place.kind) for place in found} == {
        (place.label, place.kind) for place in small.map.landmarks
    }


def test_missing_packages_name_their_extra(monkeypatch):
    for name, load in (("valhalla", tiles.valhalla), ("osmium", osm_files.osmium)):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(MissingExtra, match=r"pip install 'thence\[routes\]'"):
            load()


def test_a_bad_extract_is_refused_in_one_line(cached, tmp_path):
    broken = tmp_path / "broken.osm.pbf"
    broken.write_bytes(b"no extract at all")
    empty = tmp_path / "empty.osm.pbf"
    empty.write_bytes(b"")
    packed = tmp_path / "packed.osm.gz"
    packed.write_bytes(gzip.compress(b"<osm/>"))
    bare = _written(tmp_path / "bare.osm.pbf", TOWN, [])
    lonely = _written(tmp_path / "lonely.osm.pbf", TOWN[:6], STREETS[:1])
    for path, told in (
        (broken, "not an OpenStreetMap extract"),
        (empty, "is empty"),
        (packed, "is packed; unpack it first"),
        (tmp_path, "is a folder"),
        (Path("/dev/null"), "is no regular file"),
        (bare, "holds no roads"),
        (lonely, "holds 1 named places"),
        (tmp_path / "none.osm.pbf", "no such file"),
    ):
        with pytest.raises(FileError, match=told) as caught:
            tiles.extract(path)
        assert "\n" not in str(caught.value)


def test_routes_of_a_wanted_length_are_found_or_the_lengths_told(small):
    for low, high in ((4, 6), (7, 7), (20, 56)):
        first, *others = small.draw(Random(1), low, high)
        assert low <= len(first.steps) <= high
        assert len(others) == 2
    with pytest.raises(UsageError, match=r"steps=90-99: .* have \d+ to \d+ steps; give"):
        small.draw(Random(1), 90, 99)


def test_places_that_no_road_joins_are_said(cached, tmp_path):
    apart = [*TOWN[:5], ((-88.90, 40.10), {}), ((-88.90, 40.11), {})]
    apart += [
        ((-89.00, 40.0001), {"name": "Ash Hospital", "amenity": "hospital"}),
        ((-88.90, 40.1101), {"name": "Old Mill", "historic": "mill"}),
    ]
    island = ([6, 7], {"highway": "residential", "name": "Far Street"})
    path = _written(tmp_path / "island.osm.pbf", apart, [*STREETS[:2], island])
    found = router.extract(tiles.extract(path))
    with pytest.raises(router.NoRoute, match="no route from Ash Hospital to Old Mill"):
        found.route(*found.map.landmarks, "default")
    with pytest.raises(UsageError, match="no route between any two of the 2 places"):
        found.draw(Random(1))


def test_tiles_of_another_version_are_refused(cached, tmp_path):
    path = _written(tmp_path / "old.osm.pbf", TOWN, [*STREETS, STREETS[2]])
    content = tiles.extract(path)
    done = tiles.prepared(content).folder / tiles.DONE
    done.write_text(done.read_text().replace(tiles.valhalla().__version__, "0.0.1"))
    with pytest.raises(FileError, match=r"tiles of Valhalla 0\.0\.1"):
        tiles.prepared(content)


def test_a_lost_tile_is_said(cached, tmp_path):
    path = _written(tmp_path / "lost.osm.pbf", TOWN, [*STREETS, *STREETS])
    content = tiles.extract(path)
    for tile in (tiles.prepared(content).folder / "tiles").rglob("*.gph"):
        tile.write_bytes(b"rubbish")
    with pytest.raises((FileError, router.NoRoute)) as caught:
        found = router.Router(tiles.prepared(content))
        found.route(*found.map.landmarks, "default")
    assert "\n" not in str(caught.value)


def test_a_written_map_is_read_as_it_was_drawn(tmp_path):
    import osmium

    draft = draw_state(4, NODES)
    path = tmp_path / "map.osm.pbf"
    osm_files.write(draft, path)
    spots, ways, rings = {}, [], []
    for each in osmium.FileProcessor(str(path)):
        tags = {tag.k: tag.v for tag in each.tags}
        if each.is_node():
            spots[each.id] = (each.location.lat, each.location.lon), tags
        elif each.is_way():
            ways.append(([node.ref - 1 for node in each.nodes], tags))
        else:
            rings.append(([member.ref for member in each.members], tags["admin_level"]))
    for number, place in enumerate(draft.degrees(), 1):
        assert spots[number][0] == pytest.approx(place, abs=1e-9)
    assert [(list(way.nodes), dict(way.tags)) for way in draft.ways] == ways[:-1]
    assert rings == [([len(ways)], "2")]
    assert len(set(ways[-1][0])) == 4 and ways[-1][0][0] == ways[-1][0][-1]
    named = {tags["name"] for _, tags in spots.values() if tags.get("place") == "town"}
    assert named == {name for name, _ in draft.towns}
    for number, tags in draft.tags.items():
        assert spots[number + 1][1] == tags


def test_a_full_disk_is_an_error_not_the_end_of_the_process(tmp_path):
    path = tmp_path / "map.osm.pbf"
    path.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        osm_files.write(draw_state(5, 1_000), path)


def test_neighbours_have_no_third_point_between_them():
    rng = Random(1)
    points = [(rng.uniform(0, 9), rng.uniform(0, 9)) for _ in range(40)]
    found = set(highways.neighbours(points, 3.0))
    for a, b in itertools.combinations(range(40), 2):
        middle = [(points[a][axis] + points[b][axis]) / 2 for axis in (0, 1)]
        reach = math.dist(points[a], points[b]) / 2
        free = all(math.dist(points[c], middle) >= reach for c in range(40) if c not in {a, b})
        assert ((a, b) in found) == (free and 2 * reach <= 3)


def test_segments_meet_where_they_cross():
    rng = Random(2)
    spans = [
        [((rng.random(), rng.random()), (rng.random(), rng.random())) for _ in range(20)]
        for _ in range(2)
    ]
    found = geometry.crossings(*spans)
    assert len(found) > 20
    for i, j, share, other in found:
        one = geometry.between(*spans[0][i], share)
        assert one == pytest.approx(geometry.between(*spans[1][j], other))

    def side(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0

    for i, (a, b) in enumerate(spans[0]):
        for j, (c, d) in enumerate(spans[1]):
            crosses = side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)
            assert crosses == ((i, j) in {each[:2] for each in found})


def test_writing_the_same_map_gives_the_same_bytes(tmp_path):
    draft = draw_state(5, 1_000)
    for name in ("a", "b"):
        osm_files.write(draft, tmp_path / f"{name}.osm.pbf")
    assert (tmp_path / "a.osm.pbf").read_bytes() == (tmp_path / "b.osm.pbf").read_bytes()
