"""FABLE's travel routes: the eight analyses over turn-by-turn directions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from pathlib import Path
from random import Random
from threading import Lock
from typing import TYPE_CHECKING, Any

from thence.core.digest import digest
from thence.core.parameters import Parameter, Whole, WholeRange
from thence.core.procedure import Procedure
from thence.domains.routes import NODES, missing_extra
from thence.domains.routes.lowering import lower
from thence.domains.routes.reading import read
from thence.domains.routes.trips import random_trips
from thence.domains.routes.trips.sheet import Trip
from thence.errors import FileError, MissingExtra
from thence.families.fable.routes import published as official
from thence.families.fable.routes import sound
from thence.families.fable.routes.audit import check
from thence.families.fable.routes.surface import shortcut
from thence.families.fable.routes.trip_cases import TripCase
from thence.families.fable.shared.analyses import INTERVALS
from thence.families.fable.shared.answers import TimeRange
from thence.families.fable.shared.blocks import DEEP_CLASS
from thence.families.fable.shared.domain import Case, Checked, Domain, Instance, Unaskable
from thence.families.fable.shared.generator import DEPTH
from thence.families.fable.shared.task import tasks

if TYPE_CHECKING:
    from thence.core.shortcuts import Shortcut
    from thence.domains.routes.router import Router

_MIXTURES: Mapping[str, Sequence[int]] = {
    "concurrency": (1, 1, 1, 1, 2, 3, 4, 4, 5, 6),  # the depth of every conflict is 1
    # of fewer links what the own vehicle does next tells most
    "reaching_definitions": (1, 2, 3, 4, 5, 6, 6, 6, 6, 6),
    "available_expressions": (1, 1, 2, 2, 3, 3, 4, 5, 6, 6),  # options decide far off, or at once
    INTERVALS: (1, 2, 3, 3, 4, 4, 5, 6, 6, 6),  # short sums seldom go from a vehicle to the other
    # of other depths the next step with the fact tells more; kills are two to four links off
    "live_variables": (1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6),
    "very_busy_expressions": (1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 6, 6),
    # of three links a glance at what the vehicle made tells nearly all
    "type_state": (1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 6, 6),
}
FEWEST, MOST = 4, 56  # steps of a route, as in the paper
PLACE = ("benchmarks", "new_travel")  # in a checkout
COLUMNS = ("id", "Goal", "Plan", "Question", "Ground Truth")


def _file(text: str) -> str:
    if text:
        from thence.domains.routes import tiles

        try:
            tiles.check_extract(Path(text))
        except FileError as error:
            raise ValueError(str(error).removeprefix(f"{Path(text)}: ")) from error
    return text


class Routes(Domain):
    """Turn-by-turn routes from Valhalla, over a generated map or an OpenStreetMap extract."""

    name = "routes"
    has_depth = True
    served = 200
    kept = 150
    intervals = TimeRange()
    settable = (
        Parameter("osm", "", "an OpenStreetMap extract, FILE.osm.pbf; none: a made-up map", _file),
        Parameter("map", "0", "the seed of the made-up map", Whole(0, 2**53)),
        Parameter("nodes", str(NODES), "about how many points it has", Whole(1_000, 200_000)),
        Parameter(
            "steps",
            f"{FEWEST}-{MOST}",
            "fewest and most steps of a route",
            WholeRange(4, 500, "20 or 4-56", list),
        ),
    )

    def missing(self) -> MissingExtra | None:
        """Return the error of the router that is not installed."""
        return missing_extra()

    def offered(self, values: Mapping[str, Any]) -> Mapping[str, str | None]:
        """Return all cells: a plain route with one possible answer is changed first."""
        return dict.fromkeys(official.FILES)

    def parameters(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the hash of the extract, or the seed and size of the generated map."""
        kept = {"steps": values["steps"]}
        if values["osm"]:
            from thence.domains.routes import tiles

            return {"osm": tiles.extract(Path(values["osm"])), **kept}
        return {"map": values["map"], "nodes": values["nodes"], **kept}

    def case(self, values: Mapping[str, Any], rng: Random) -> Case:
        """Return one of three routes between two places, which published questions are about."""
        router = _router(values)
        low, high = values["steps"]
        routes = rng.sample(router.draw(rng, low, high), 3)
        routes.sort(key=lambda each: not low <= len(each.steps) <= high)  # one that fits first
        route = routes[0]
        source = {**router.map.source, "kind": route.costing, "steps": len(route.steps)}
        return Case(lower(route.goal, route.steps).procedure, source)

    def in_blocks(self, parameters: Mapping[str, Any]) -> bool:
        """Return True: sound questions are chosen among those about the trips of a block."""
        return True

    def candidates(
        self, analysis: str, values: Mapping[str, Any], rng: Random
    ) -> Iterable[tuple[Case, Instance]]:
        """Yield the questions about the trips of a block; see `routes.sound`."""
        deepest = max(DEEP_CLASS, *values.get(DEPTH.name) or (0,))
        source = {**_router(values).map.source, "kind": "trip"}
        cases = [
            TripCase(each, {**source, "steps": len(each.procedure.steps)})
            for each in _trips(values, _MORE_TRIPS.get(analysis, _TRIPS))
        ]
        return sound.ask(analysis, cases, rng, deepest)

    def mixture(self, analysis: str) -> Sequence[int]:
        """Return the depths of as many pairs of a Yes and a No; some cells have their own."""
        return _MIXTURES.get(analysis) or super().mixture(analysis)

    def unaskable(self, analysis: str, parameters: Mapping[str, Any], error: Unaskable) -> str:
        """Return why trips of such lengths have no question, with the remedy."""
        low, high = parameters["steps"]
        other = random_trips.other_steps(low, high)
        many = str(low) if low == high else f"{low} to {high}"
        return f"{_TRIPS} trips of {many} steps have {error}; {other}, other depths, or another map"

    def sound(self, analysis: str, case: Case, rng: Random) -> Sequence[Instance]:
        """Return nothing: all sound questions are chosen in blocks."""
        return ()

    def published(self, analysis: str, case: Case, rng: Random) -> Instance | None:
        """Return a question by the published rules; see `routes.published`."""
        return official.ask(analysis, case, rng)

    def truth(self, analysis: str, metadata: Mapping[str, Any]) -> Any:
        """Return the truth by the rule of the sample's dialect."""
        procedure, question = Procedure.from_json(metadata["procedure"]), metadata["question"]
        if metadata["dialect"] == "sound":
            return sound.truth(analysis, procedure, question)
        asked = {key: question[key] for key in ("road",) if key in question}
        for key in ("i", "j"):
            if question.get(key) is not None:
                asked[key] = question[key] + 1
        steps = [read(step.text) for step in procedure.steps]
        return official.answer(analysis, steps, asked)[0]

    def surface_answer(self, analysis: str, metadata: Mapping[str, Any]) -> Any:
        """Return the shortcut's answer; see `routes.surface`."""
        steps = [step["text"] for step in metadata["procedure"]["steps"]]
        return shortcut(analysis, steps, metadata["question"])

    def shortcuts(self, analysis: str) -> Sequence[Shortcut]:
        """Return the shortcuts of `routes.shortcuts`; for intervals with guesses."""
        from thence.families.fable.routes.glances import glances
        from thence.families.fable.routes.shortcuts import OWN_STEPS, SHORTCUTS, SUMS, WAITS
        from thence.families.fable.shared.shortcuts import NEAR, NEAREST

        more = SUMS if analysis == "intervals" else NEAREST
        own = [*OWN_STEPS, *WAITS] if analysis not in ("intervals", "taint") else []
        return [*NEAR, *SHORTCUTS, *more, *own, *glances(analysis)]

    def audit(self, root: Path, dialect: str) -> Iterable[Checked]:
        """Yield the check of every row of ``benchmarks/new_travel`` under a checkout."""
        from thence.core import csv_files

        folder = root.joinpath(*PLACE)
        for analysis, name in official.FILES.items():
            if not (folder / name).is_file():
                continue
            rows = csv_files.read_columns(folder / name, COLUMNS)
            for line, (row, goal, plan, question, truth) in rows:
                id_ = f"{name}:{row or line}"
                yield check(analysis, id_, (goal, plan, question, truth), dialect)

    def resolve(
        self, analysis: str, goal: str, steps: Sequence[str], question: str, dialect: str
    ) -> Checked | None:
        """Return the check of a published question about a route, from its words alone."""
        try:
            official.question(analysis, question, len(steps))
        except (official.UnreadableRoute, LookupError):
            return None
        return check(analysis, "", (goal, repr(list(steps)), question, None), dialect)


_TRIPS, _SHEETS = 256, 4  # trips of a block, and those by the same legs
_MORE_TRIPS: Mapping[str, int] = {"live_variables": 448}  # where what decides is rare
_KEPT = 4  # blocks whose trips are kept, as each serves eight cells


def _trips(values: Mapping[str, Any], count: int) -> list[Trip]:
    """Return so many trips of a block; each cell has an index of its own, and drops it after use.

    A cell with more of them has those of the others, too.
    """
    router = _router(values)
    low, high = values["steps"]
    key = digest(router.map.source, low, high, values["block"])
    with _DRAWING:
        rng, found = _HELD.get(key) or (Random(int(key, 16)), [])
        if len(found) < count:
            rng, found = copy(rng), [*found]  # so that an error leaves what is held as it was
            while len(found) < count:
                found += random_trips.draw(router, rng, low, high, _SHEETS)
            if key not in _HELD and len(_HELD) >= _KEPT:
                _HELD.clear()
            _HELD[key] = rng, found
        return found[:count]


_DRAWING = Lock()
_HELD: dict[str, tuple[Random, list[Trip]]] = {}


def _router(values: Mapping[str, Any]) -> Router:
    from thence.domains.routes import router

    if "osm" in values:
        return router.extract(values["osm"])
    return router.synthetic(values["map"], values["nodes"])


TASKS = tasks(Routes())
