"""Recipes: a cookbook, a generator and a parser, all lowered to procedures with exact facts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from thence.core.procedure import Procedure

LONG_ENOUGH = 9  # steps; 57 such recipes have more than 710 pairs of either kind
CHANCE_OF_BOOK = 0.25  # of a procedure to stand in the cookbook, where both sources are asked


def procedures(
    rng: Random, count: int | None = None, fewest: int = LONG_ENOUGH
) -> Iterator[Procedure]:
    """Yield distinct procedures with their order, from the cookbook and from the generator.

    Args:
        rng: the source of all randomness.
        count: number of procedures; None for no limit.
        fewest: minimal number of steps; at most 12, since the generator seldom makes more.
    """
    from thence.domains.recipes.book import cookbook
    from thence.domains.recipes.generator import generate

    book = [each for each in cookbook() if len(each.traces) >= fewest]
    rng.shuffle(book)
    seen: set[tuple[str, ...]] = set()
    while count is None or len(seen) < count:
        made = book.pop() if book and rng.random() < CHANCE_OF_BOOK else generate(rng)
        texts = tuple(step.text for step in made.procedure.steps)
        if len(texts) >= fewest and texts not in seen:
            seen.add(texts)
            yield made.procedure
