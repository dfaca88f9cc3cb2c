"""Random procedures for the tests: every shape of order, every kind of step."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

from thence.core.procedure import Choice, Pair, Procedure, Step, Taken
from thence.dataflow import conflict_order

SIZES = (1, 2, 3, 3, 4, 4, 5, 5, 6, 7)  # steps; more have more executions than one can list


def procedure(rng: Random) -> Procedure:
    """A procedure of at most seven steps; few facts, so that they meet."""
    n = rng.choice(SIZES)
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
        if n <= 5 or rng.random() < 0.02:  # one of seven steps has 5,040 executions
            return ()
        return tuple((a, b) for a in places[:3] for b in places[3:])
    if shape == "conflicts" and (n <= 5 or rng.random() < 0.1):
        return conflict_order(steps)
    share = rng.choice((0.2, 0.4, 0.6)) if n <= 5 else rng.choice((0.4, 0.6))
    return tuple(
        (places[a], places[b]) for a in range(n) for b in range(a + 1, n) if rng.random() < share
    )


def with_choices(rng: Random) -> Procedure:
    """A procedure of at most seven steps with up to three choices of up to three options."""
    drawn = procedure(rng)
    choices = tuple(
        Choice(f"c{number}", tuple("xyz"[: rng.choice((1, 2, 2, 2, 3))]))
        for number in range(rng.choice((1, 1, 2, 2, 3)))
    )
    share = rng.choice((0.3, 0.6, 0.9))
    steps = tuple(
        replace(step, when=guard(rng, choices) if rng.random() < share else ())
        for step in drawn.steps
    )
    again = len(steps) <= 5 and rng.random() < 0.2
    return replace(
        drawn, steps=steps, choices=choices, order=conflict_order(steps) if again else drawn.order
    )


def guard(rng: Random, choices: tuple[Choice, ...]) -> tuple[Taken, ...]:
    """Options of one or two choices; now and then of one twice, which may exclude each other."""
    known = [(choice.name, option) for choice in choices for option in choice.options]
    chosen = [rng.choice(known) for _ in range(rng.choice((1, 1, 2, 3)))]
    names = {choice for choice, _ in chosen}
    return tuple(chosen) if rng.random() < 0.1 or len(names) == len(chosen) else tuple(chosen[:1])
