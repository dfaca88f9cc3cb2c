"""Speed of the eight analyses on total orders of up to 100,000 steps and a partial order of 2,000.

Each analysis computes its full solution: all reached uses, available uses, live and very busy
definitions, bounds of steps, steps lost without another step, steps contaminated from the start,
and pairs of concurrent steps.

Run: python benchmarks/dataflow.py
"""

from __future__ import annotations

import time
from random import Random

from _machine import tell
from thence.core.procedure import Pair, Procedure, Step
from thence.dataflow import ANALYSES, Flow


def steps(n: int, rng: Random) -> list[Step]:
    """Return random steps over n / 10 facts and one fact that many steps share."""
    facts = [f"f{number}" for number in range(n // 10)]

    def drawn(most: int) -> tuple[str, ...]:
        """Return up to ``most`` distinct random facts."""
        return tuple(dict.fromkeys(rng.choice(facts) for _ in range(rng.randint(0, most))))

    hot = ("hot",)
    return [
        Step(
            f"step {place}",
            drawn(3) + hot * (place % 3 == 0),
            drawn(2) + hot * (place % 5 == 0),
            drawn(1) + hot * (place % 7 == 0),
        )
        for place in range(n)
    ]


def partial(n: int, rng: Random) -> tuple[Pair, ...]:
    """Return a partial order: each step follows up to two of the hundred steps before it."""
    return tuple(
        (rng.randrange(max(0, place - 100), place), place)
        for place in range(1, n)
        for _ in range(rng.randint(0, 2))
    )


def whole(procedure: Procedure) -> tuple[dict[str, float], int]:
    """Return the seconds of each analysis's full solution, and the total number of rows."""
    begun = time.process_time()
    flow = Flow(procedure)
    flow.steps_by_fact, flow.start  # noqa: B018 - computed here, for all of them
    spent, rows = {"order and facts": time.process_time() - begun}, 0
    for name, analysis in ANALYSES.items():
        begun = time.process_time()
        rows += sum(1 for _ in analysis.solution(flow))
        spent[name] = time.process_time() - begun
    return spent, rows


def show(title: str, procedure: Procedure) -> float:
    """Print one procedure's figures; return the seconds of all eight analyses."""
    spent, rows = whole(procedure)
    total = sum(spent.values())
    facts = sum(len(step.uses) + len(step.defines) + len(step.kills) for step in procedure.steps)
    print(f"{title} that name {facts:,} facts: {total:6.2f} s, all eight with {rows:,} rows")
    for name, seconds in spent.items():
        print(f"    {name:24} {seconds:7.3f} s")
    return total


def main() -> None:
    """Print all sizes, and the growth of the time when the size doubles."""
    tell()
    before = 0.0
    for n in (12_500, 25_000, 50_000, 100_000):
        total = show(f"total order, {n:7,} steps", Procedure.total("", steps(n, Random(n))))
        if before:
            print(f"    twice the steps take {total / before:.2f} times as long")
        before = total
    rng = Random(2000)
    for n in (1000, 2000):
        held = tuple(steps(n, rng))
        show(f"partial order, {n:,} steps", Procedure("", held, partial(n, rng)))


if __name__ == "__main__":
    main()
