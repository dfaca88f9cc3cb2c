"""Random procedures for the tests: every shape of order, every kind of step."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from thence.dataflow import conflict_order
from thence.kernel.procedure import Pair, Procedure, Step

MOST = 7  # steps whose executions an oracle can list


def procedure(rng: Random, most: int = MOST) -> Procedure:
    """A procedure of at most so many steps; few facts, so that they meet."""
    n = rng.randint(1, most)
    facts = [f"f{number}" for number in range(rng.randint(1, 4))]
    density = [rng.choice((0.0, 0.15, 0.3, 0.5, 0.8)) for _ in range(3)]
    drawn = [
        [tuple(fact for fact in facts if rng.random() < share) for share in density]
        for _ in range(n)
    ]
    steps = tuple(Step(f"do {place}", *facts) for place, facts in enumerate(drawn))
    start = tuple(fact for fact in facts if rng.random() < 0.5) if rng.random() < 0.2 else None
    return Procedure("a goal", steps, order(rng, steps), start)


def order(rng: Random, steps: tuple[Step, ...]) -> tuple[Pair, ...]:
    """A chain, an antichain, what conflicts demand, or any order; not always along the text."""
    n = len(steps)
    shape = rng.choice(("chain", "antichain", "conflicts", "any", "any", "any"))
    places = list(range(n))
    if rng.random() < 0.4:
        rng.shuffle(places)
    if shape == "chain":
        return tuple(pairwise(places))
    if shape == "antichain":
        # One of seven steps has 5,040 executions; smaller ones show the same.
        return () if n <= 5 else tuple((places[0], place) for place in places[1:3])
    if shape == "conflicts":
        return conflict_order(steps)
    share = rng.choice((0.2, 0.4, 0.6)) if n <= 5 else rng.choice((0.3, 0.5))
    return tuple(
        (places[a], places[b]) for a in range(n) for b in range(a + 1, n) if rng.random() < share
    )
