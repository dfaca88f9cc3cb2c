"""Valhalla's tiles of a map, built once and kept in the cache folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from thence.core.digest import digest
from thence.domains.routes import osm_files, pbf
from thence.domains.routes.synthetic.draft import Landmark
from thence.errors import DiskError, FileError, MissingExtra
from thence.system.caches import cache_folder

VERSION = 3  # of the drawn map and of the folder: raise it when either changes
SMALL = {  # how the made-up map is built: faster, and none the worse for its size
    "id_table_size": 1_000_000,  # bits that are cleared for node numbers; ours are few
    "shortcuts": False,
}
QUICK: Mapping[str, Mapping[str, Any]] = {  # how the made-up map is searched, being small and whole
    "loki": {"service_defaults": {"minimum_reachability": 0}},
    "thor": {
        "bidirectional_astar": {
            "threshold_delta": 60.0,
            "hierarchy_limits": {
                "expand_within_distance": {"0": 100_000_000.0, "1": 5_000, "2": 1_000},
            },
        }
    },
}
ADMINS, TILES = "valhalla_build_admins", "valhalla_build_tiles"
BUILD = "build.json"  # settings for both
MOST = 4  # cores that build the made-up map, which comes out the same however many there are
LIMIT = 3_600.0  # seconds that a tool of Valhalla's may take
PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"PK\x03\x04", b"\x28\xb5\x2f\xfd")  # gzip and others
DONE = "places.json"  # written last


@dataclass(frozen=True, slots=True)
class Tiles:
    """Map on which routes can be found.

    Attributes:
        folder: with the tiles and ``valhalla.json``.
        landmarks: places that routes start and end at.
        source: what the map was made from, for the metadata.
    """

    folder: Path
    landmarks: Sequence[Landmark]
    source: dict[str, Any]


def valhalla() -> Any:
    """Return the package valhalla, imported late.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        import valhalla as package
    except ImportError as error:
        raise MissingExtra("finding routes", "routes") from error
    return package


def synthetic(seed: int, nodes: int) -> Tiles:
    """Return the tiles of a made-up map."""
    key = digest(VERSION, valhalla().__version__, "synthetic", seed, nodes)

    def fill(folder: Path) -> list[Landmark]:
        from thence.domains.routes.synthetic.state import draw_state

        path, country = folder / "map.osm.pbf", folder / "country.osm.pbf"
        _configure(folder, {**SMALL, "concurrency": min(os.cpu_count() or 1, MOST)})
        osm_files.write_country(country)
        with ThreadPoolExecutor(1) as pool:  # the country is read while the map is drawn
            read = pool.submit(_run, ADMINS, folder, country)
            draft = draw_state(seed, nodes)
            osm_files.write(draft, path)
            read.result()
        _run(TILES, folder, path)
        return draft.places()

    return _kept(key, fill, {"map": "synthetic", "seed": seed, "nodes": nodes})


def extract(path: Path) -> str:
    """Build the tiles of an OpenStreetMap extract, and return the hash of its content.

    Raises:
        FileError: no extract, one without roads, or with fewer than two named places.
    """
    check_extract(path)
    hashed = blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            hashed.update(block)
    content = hashed.hexdigest()

    def fill(folder: Path) -> list[Landmark]:
        found = osm_files.landmarks(path)
        if len(found) < 2:
            raise FileError(
                f"{path}: holds {len(found)} named places to travel between (airports, hospitals, "
                "historic, public and other sites); two are needed"
            )
        _configure(folder)
        for tool in (ADMINS, TILES):
            _run(tool, folder, path)
        return found

    _kept(_extract_key(content), fill, {"map": "extract", "content": content})
    return content


def check_extract(path: Path) -> None:
    """Check that a file can be an extract.

    Raises:
        FileError: it is none, cannot be read, is empty or packed.
    """
    wanted = "it takes an OpenStreetMap extract, FILE.osm.pbf"
    try:
        if path.is_dir():
            raise FileError(f"{path}: is a folder; {wanted}")
        if not path.is_file():
            missing = "is no regular file" if path.exists() else "no such file"
            raise FileError(f"{path}: {missing}; {wanted}")
        with path.open("rb") as file:
            start = file.read(6)
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}; {wanted}") from error
    if not start:
        raise FileError(f"{path}: is empty; {wanted}")
    if start.startswith(PACKED):
        raise FileError(f"{path}: is packed; unpack it first")
    pbf.check_size(path)


def prepared(content: str) -> Tiles:
    """Return the tiles of an extract by the hash of its content.

    Raises:
        FileError: they have not been made on this machine.
    """

    def fill(folder: Path) -> list[Landmark]:
        raise FileError(
            f"no tiles of the extract with the hash {content} in {cache_folder()}; "
            "give the extract, osm=FILE.osm.pbf"
        )

    return _kept(_extract_key(content), fill, {"map": "extract", "content": content})


def _extract_key(content: str) -> str:
    return digest(VERSION, valhalla().__version__, "extract", content)


def _kept(key: str, fill: Callable[[Path], list[Landmark]], source: dict[str, Any]) -> Tiles:
    """Return the tiles of a key; their folder is filled beside its place and moved there whole.

    Of several processes that fill it at a time, one wins and the others take what it made.
    """
    folder = cache_folder() / "routes" / key
    if not (folder / DONE).is_file():
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            part = Path(tempfile.mkdtemp(prefix=f".{key}.", dir=folder.parent))
        except OSError as error:
            raise DiskError(
                f"{folder.parent}: {error.strerror}; set THENCE_CACHE to a folder to write to"
            ) from error
        try:
            rows = [asdict(place) for place in fill(part)]
            held = {"valhalla": valhalla().__version__, "places": rows}
            (part / DONE).write_text(json.dumps(held), encoding="utf-8")
            if folder.is_dir() and not (folder / DONE).is_file():
                shutil.rmtree(folder, ignore_errors=True)
            try:
                part.rename(folder)
            except OSError:
                if not (folder / DONE).is_file():
                    raise
        except OSError as error:
            raise DiskError(f"{folder}: {error.strerror or error}") from error
        finally:
            shutil.rmtree(part, ignore_errors=True)
    try:
        held = json.loads((folder / DONE).read_bytes())
        places = [Landmark(**row) for row in held["places"]]
        version = held["valhalla"]
    except (OSError, ValueError, TypeError, LookupError) as error:
        raise FileError(f"{folder}: cannot be read; delete it, it is made again") from error
    if version != valhalla().__version__:
        raise FileError(
            f"{folder}: tiles of Valhalla {version}, not {valhalla().__version__}; "
            "delete the folder, and they are built again"
        )
    return Tiles(folder, places, source)


def settings(folder: Path) -> dict[str, Any]:
    """Return Valhalla's settings for building tiles in a folder."""
    package = valhalla()
    tiles = folder / "tiles"
    tiles.mkdir(exist_ok=True)
    values: dict[str, Any] = json.loads(
        json.dumps(package.get_config(tile_extract="", tile_dir=tiles))
    )
    mjolnir = values["mjolnir"]
    mjolnir["admin"] = str(folder / "admins.sqlite")
    mjolnir["concurrency"] = 1  # tiles come out the same however many cores there are
    for name in ("timezone", "transit_dir", "transit_feeds_dir", "landmarks", "traffic_extract"):
        mjolnir.pop(name, None)
    return values


def search_settings(tiles: Tiles) -> dict[str, Any]:
    """Return Valhalla's settings for finding routes."""
    values = settings(tiles.folder)
    if tiles.source["map"] == "synthetic":
        _merge(values, QUICK)
    return values


def _merge(values: dict[str, Any], more: Mapping[str, Any]) -> None:
    for name, value in more.items():
        if isinstance(value, Mapping):
            _merge(values[name], value)
        else:
            values[name] = value


def _configure(folder: Path, more: Mapping[str, Any] | None = None) -> None:
    values = settings(folder)
    values["mjolnir"].update(more or {})
    (folder / BUILD).write_text(json.dumps(values), encoding="utf-8")


def _run(tool: str, folder: Path, path: Path) -> None:
    """Run one of Valhalla's tools on an extract."""
    program = Path(valhalla().__file__).parent / "bin" / tool
    command = [str(program), "-c", str(folder / BUILD), str(path)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False, timeout=LIMIT
        )
    except subprocess.TimeoutExpired as error:
        raise FileError(
            f"{path}: {tool} took over {LIMIT:.0f} s; give a smaller extract"
        ) from error
    except OSError as error:
        raise MissingExtra(f"{tool}", "routes") from error
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        why = lines[-1] if lines else f"exit status {done.returncode}"
        raise FileError(f"{path}: {tool} failed: {why}")
    if tool == TILES and not any((folder / "tiles").rglob("*.gph")):
        raise FileError(f"{path}: Valhalla made no tiles of it; it holds no roads to drive on")
