"""Speed of generating RELEVAL's sets, and growth of the cost of one comparison with n + m.

Prints the claim beside the measured figure, in seconds of one core.
"""

from __future__ import annotations

import time
from random import Random

from _machine import tell
from thence.core.parts import Condition
from thence.families import task
from thence.families.releval.construction import acyclic, chained
from thence.generation import suite
from thence.generation.plan import Plan


def main() -> None:
    """Run all measurements and print one line each."""
    tell()
    start = time.process_time()
    count = 0
    for framing in ("symbolic", "software", "finance"):
        plan = Plan(
            [f"releval/{name}" for name in ("plan_generation", "consistency", "comparison")],
            settings={"framing": framing},
        )
        count += sum(1 for _ in suite.generate_lines(plan, workers=1))
    seconds = time.process_time() - start
    print(
        f"the default set in three framings, {count:,} samples: {seconds:.1f} s (claim: under 20)"
    )

    print("one comparison with a chain of 6, prompt not counted:")
    for n, m in ((250, 1250), (500, 2500), (1000, 5000), (2000, 10_000), (4000, 20_000)):
        cell = Condition("x", {"n": n, "m": m, "z": 6, "verdict": "True"}, 1)
        best = min(_timed(lambda cell=cell: task("releval/comparison").draw(cell, Random(1))))
        claim = " (claim: under 500)" if n == 1000 else ""
        rate = best / (n + m) * 1e6
        print(
            f"  {n:5,} objects, {m:6,} relations: {best * 1e3:6.1f} ms, {rate:4.1f} us each{claim}"
        )

    print("building against drawing until it fits, 10 objects, 30 relations, a chain of 4:")
    rng = Random(2)
    built = min(_timed(lambda: chained(10, 30, 4, rng)))
    drawn = min(_timed(lambda: acyclic(10, 30, rng)))
    print(f"  built: {built * 1e3:.2f} ms; one draw that hardly ever fits: {drawn * 1e3:.2f} ms")


def _timed(run: object, times: int = 3) -> list[float]:
    assert callable(run)
    found = []
    for _ in range(times):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return found


if __name__ == "__main__":
    main()
