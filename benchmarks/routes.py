"""Speed of routes: generated map and tiles from nothing, routes a second.

    python benchmarks/routes.py [NODES] [PAIRS] [DRAWN]

With DRAWN it also draws that many pairs as questions do, three routes each, and prints their
lengths.

The figures are shown as wall time and as CPU time of this process and its children, because only
CPU time is meaningful on a shared machine.
"""

from __future__ import annotations

import itertools
import os
import resource
import sys
import tempfile
import time
from random import Random

from _machine import tell
from thence.domains.routes import router, tiles
from thence.domains.routes.synthetic.state import draw_state


def spent() -> float:
    """Return the CPU seconds of this process and of its ended children."""
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(who) for who in both]
    return sum(each.ru_utime + each.ru_stime for each in used)


def lengths(asked: router.Router, pairs: int) -> None:
    """Print the numbers of steps of the questions' routes (paper: 4 to 56, 17.26 on average)."""
    rng = Random(1)
    held = sorted(len(each.steps) for _ in range(pairs) for each in asked.draw(rng))
    mean = sum(held) / len(held)
    print(f"{len(held)} drawn routes: {held[0]} to {held[-1]} steps, {mean:.2f} on average")
    for low, found in itertools.groupby(held, lambda steps: steps // 4 * 4):
        count = sum(1 for _ in found)
        print(f"{low:4}-{low + 3:<3} {count:5} {'#' * round(100 * count / len(held))}")


def main() -> None:
    """Print each figure beside its target."""
    tell()
    nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    tiles.valhalla()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["THENCE_CACHE"] = folder
        wall, cpu = time.perf_counter(), spent()
        draw_state(0, nodes)
        drawn = time.perf_counter() - wall, spent() - cpu
        wall, cpu = time.perf_counter(), spent()
        made = tiles.synthetic(0, nodes)
        cold = time.perf_counter() - wall, spent() - cpu
        asked = router.Router(made)
        places, rng = list(made.landmarks), Random(0)
        chosen = [rng.sample(places, 2) for _ in range(pairs)]
        for start, stop in chosen:
            asked.route(start, stop, "default")
        wall, cpu = time.perf_counter(), spent()
        count = steps = 0
        for start, stop in chosen:
            for costing in router.COSTINGS:
                steps += len(asked.route(start, stop, costing).steps)
                count += 1
        routed = time.perf_counter() - wall, spent() - cpu
        if len(sys.argv) > 3:
            lengths(asked, int(sys.argv[3]))
    print(f"map of {nodes} nodes, drawn alone      {drawn[0]:8.2f} s wall {drawn[1]:8.2f} s CPU")
    print(f"map and tiles cold (wanted: < 3 s)     {cold[0]:8.2f} s wall {cold[1]:8.2f} s CPU")
    print(f"{count} routes of {steps / count:.1f} steps on average")
    print(
        f"routes a second (wanted: 100 or more)  {count / routed[0]:8.0f} wall   "
        f"{count / routed[1]:8.0f} CPU"
    )


if __name__ == "__main__":
    main()
