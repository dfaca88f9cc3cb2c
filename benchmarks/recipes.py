"""Speed of generating and parsing recipes, and accuracy of the parser.

    python benchmarks/recipes.py [FLOW_GRAPH_CORPUS]

Recipes are generated and parsed by one process, then by one process per core, start included. The
parser gets titles and texts alone (with care also the list of ingredients): of the cookbook, of the
generator, of posted recipes (annotated by hand in ``tests/domains/recipes``) and of the flow-graph
corpus. A *use* is a pair of steps of
which the later works directly with the result of the earlier; a *definition* is an ingredient that
comes in at a step; a *dependency* is a pair of steps of which the earlier must come first, directly
or through other steps.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from _machine import tell
from thence.domains.recipes.book import cookbook
from thence.domains.recipes.coverage import parse_with_care
from thence.domains.recipes.generator import generate
from thence.domains.recipes.lexicon import stem
from thence.domains.recipes.lowering import LoweredRecipe, reachable
from thence.domains.recipes.parser import Parsed, parse
from thence.system.workers import processes, spread

if TYPE_CHECKING:
    from tests.domains.recipes.posted import Posted

_POSTED = {
    "first set": "posted.txt", "second": "posted_later.txt", "third": "posted_third.txt",
    "fourth": "posted_fourth.txt", "fifth": "posted_fifth.txt", "sixth": "posted_sixth.txt",
    "sixth, kept": "posted_sixth_kept.txt", "seventh": "posted_seventh.txt",
    "eighth": "posted_eighth.txt", "ninth": "posted_ninth.txt", "tenth": "posted_tenth.txt",
    "eleventh": "posted_eleventh.txt", "twelfth": "posted_twelfth.txt",
    "thirteenth": "posted_thirteenth.txt", "fourteenth": "posted_fourteenth.txt",
    "fifteenth": "posted_fifteenth.txt", "sixteenth": "posted_sixteenth.txt",
    "seventeenth": "posted_seventeenth.txt",
}  # fmt: skip
COUNT = 1000  # recipes by one process
MANY = 10_000  # by several
_AT_A_TIME = 250

type Pairs = set[tuple[int, object]]
type Plain = tuple[str, list[str]]
type Case = tuple[str, list[str], dict[str, Pairs]]


def of_lowered(made: LoweredRecipe) -> Case:
    """Return a recipe with its exact facts as pairs."""
    last: dict[str, int] = {}
    uses: Pairs = set()
    brings: Pairs = set()
    for place, trace in enumerate(made.traces):
        uses |= {(last[name], place) for name in trace.uses}
        brings |= {(place, noun(name)) for name in trace.brings}
        last.update(dict.fromkeys(trace.defines, place))
    found = {
        "uses": uses,
        "definitions": brings,
        "dependencies": closure(reachable(made.procedure)),
    }
    return made.recipe.title, [step.text for step in made.procedure.steps], found


def noun(name: str) -> str:
    """Return an ingredient's singular noun without its purpose (``butter for the sauce``)."""
    return stem(name.partition(" for ")[0].split()[-1])


def closure(before: list[int]) -> Pairs:
    """Return the pairs of steps of some bit sets."""
    return {(i, j) for j, bits in enumerate(before) for i in range(j) if bits >> i & 1}


def of_parsed(parsed: Parsed) -> dict[str, Pairs]:
    """Return the facts found by the parser as pairs."""
    return {
        "uses": {(each.source, each.to) for each in parsed.links},
        "definitions": {
            (place, noun(name))
            for place, trace in enumerate(parsed.lowered.traces)
            for name in trace.brings
        },
        "dependencies": closure(reachable(parsed.lowered.procedure)),
    }


def corpus(folder: Path) -> Iterator[Case]:
    """Yield the recipes of the corpus with edges and paths; definitions are not annotated."""
    from thence.core.graph import Graph

    for path in sorted(folder.glob("r-*/*.list")):
        places: dict[tuple[str, str], list[str]] = {}
        for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
            fields = line.split()
            if len(fields) >= 5:
                places.setdefault((fields[0], fields[1]), []).append(fields[3])
        index = {key: place for place, key in enumerate(places)}
        edges = set()
        flow = path.with_suffix(".flow").read_text(encoding="utf-8", errors="replace")
        for line in flow.split("\n"):
            fields = line.split()
            if len(fields) >= 6 and not line.startswith("#"):
                a, b = index.get((fields[0], fields[1])), index.get((fields[4], fields[5]))
                if a is not None and b is not None and a != b:
                    edges.add((a, b))
        graph = Graph(len(places), sorted(edges))
        pairs = {
            (i, j) for j in range(len(places)) for i in range(j) if graph.descendants[i] >> j & 1
        }
        title = path.stem.removesuffix("_recipe__All_recipes_UK").replace("_", " ")
        title = "" if title.startswith("recipe-") else title
        texts = [" ".join(tokens) for tokens in places.values()]
        uses: Pairs = {(a, b) for a, b in edges if a < b}
        yield title, texts, {"uses": uses, "dependencies": {*pairs}}


def report(name: str, cases: Iterable[Case]) -> None:
    """Print the parser's precision and recall over some recipes."""
    counts: dict[str, list[int]] = {}
    total = 0
    for title, texts, true in cases:
        found = of_parsed(parse(title, texts))
        total += 1
        for what, expected in true.items():
            row = counts.setdefault(what, [0, 0, 0])
            row[0] += len(found[what] & expected)
            row[1] += len(found[what])
            row[2] += len(expected)
    for what, (right, said, wanted) in counts.items():
        print(f"{name:<18}{total:>5} recipes  {what:<13} precision {right / said:.3f}"
              f"  recall {right / wanted:.3f}")  # fmt: skip


def marked(name: str) -> list[Posted]:
    """Return posted recipes as they are marked by hand."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.domains.recipes.posted import posted

    return posted(name)


def report_with_care(name: str, recipes: list[Posted]) -> None:
    """Print how many recipes pass the gate, and how well these, and all, are read with care."""
    counts = {"that pass": [0, 0, 0, 0], "in all": [0, 0, 0, 0]}
    passed = 0
    for each in recipes:
        parsed, coverage = parse_with_care(each.title, each.steps, goods=each.goods)
        found = of_parsed(parsed)["dependencies"]
        passed += coverage.passes
        for row in [counts["in all"], *([counts["that pass"]] if coverage.passes else [])]:
            row[0] += len(found & each.possible)
            row[1] += len(found)
            row[2] += len(found & each.dependencies)
            row[3] += len(each.dependencies)
    told = (f"{what} {a / b:.3f}/{c / d:.3f}" for what, (a, b, c, d) in counts.items() if b)
    print(f"{name:<20}with care, {passed} of {len(recipes)} pass: {', '.join(told)}")


def posted(name: str) -> Iterator[Case]:
    """Yield posted recipes with the hand-annotated sources of each step."""
    for each in marked(name):
        true: dict[str, Pairs] = {
            "uses": set(each.uses),
            "dependencies": set(each.dependencies),
        }
        yield each.title, list(each.steps), true


def made(seeds: Sequence[int]) -> list[Plain]:
    """Return one generated recipe per seed, as title and texts."""
    recipes = []
    for seed in seeds:
        new = generate(Random(seed))
        recipes.append((new.recipe.title, [step.text for step in new.procedure.steps]))
    return recipes


def read(recipes: Sequence[Plain]) -> list[float]:
    """Return the parser's confidence in each recipe, after it has found facts and order."""
    return [parse(title, steps).sure for title, steps in recipes]


def speed(name: str, count: int, work: Callable[[], object]) -> None:
    """Print the recipes per CPU second and per second of one process."""
    wall, own = time.perf_counter(), time.process_time()
    work()
    own, wall = time.process_time() - own, time.perf_counter() - wall
    print(f"{name:<10} by one process {count / own:>7,.0f} recipes/s of CPU time"
          f" {count / wall:>7,.0f} recipes/s of wall time (goal 1,000)")  # fmt: skip


def speed_of_all() -> None:
    """Print the same figures for one process per core.

    The CPU time gives the joint speed on a machine with a free core for each process.
    """
    recipes = together("made", lambda: spread(made, range(MANY), _AT_A_TIME))
    together("read", lambda: spread(read, recipes, _AT_A_TIME))


def together[Result](name: str, work: Callable[[], list[Result]]) -> list[Result]:
    """Run work in several processes and print the joint speed, start included."""
    wall, own = time.perf_counter(), os.times()
    found = work()
    wall, ended = time.perf_counter() - wall, os.times()
    workers = ended.children_user + ended.children_system - own.children_user - own.children_system
    rate = processes() * len(found) / workers
    print(f"{name:<10} by {processes():>2} processes {rate:>7,.0f} recipes/s of CPU time"
          f" {len(found) / wall:>7,.0f} recipes/s of wall time (goal 1,000)")  # fmt: skip
    return found


def loop() -> float:
    """Return the CPU seconds for a million additions, the present speed of the processor."""
    begun, total = time.process_time(), 0
    for number in range(1_000_000):
        total += number
    return time.process_time() - begun


def main() -> None:
    """Print speed and accuracy."""
    tell()
    print(f"a million additions take {loop():.2f} s of CPU time here and now")
    read(made(range(-50, 0)))
    recipes: list[Plain] = []
    speed("made", COUNT, lambda: recipes.extend(made(range(COUNT))))
    speed("read", COUNT, lambda: read(recipes))
    speed_of_all()
    cases = [of_lowered(generate(Random(seed))) for seed in range(300)]
    report("cookbook", map(of_lowered, cookbook()))
    report("generator", cases)
    for name, file in _POSTED.items():
        report(f"posted, {name}", posted(file))
        report_with_care(f"posted, {name}", marked(file))
    if len(sys.argv) > 1:
        graphs = list(corpus(Path(sys.argv[1])))
        speed("corpus", len(graphs), lambda: read([each[:2] for each in graphs]))
        report("flow-graph corpus", graphs)


if __name__ == "__main__":
    main()
