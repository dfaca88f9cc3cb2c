"""Recipes: a cookbook, a generator and a parser, all lowered to procedures with exact facts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from thence.core.procedure import Pair, Procedure

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

    book = [each for each in cookbook(anew=True) if len(each.traces) >= fewest]
    rng.shuffle(book)
    seen: set[tuple[str, ...]] = set()
    while count is None or len(seen) < count:
        made = book.pop() if book and rng.random() < CHANCE_OF_BOOK else generate(rng, anew=True)
        texts = tuple(step.text for step in made.procedure.steps)
        if len(texts) >= fewest and texts not in seen:
            seen.add(texts)
            yield made.procedure


def firm_links(procedure: Procedure) -> list[Pair]:
    """Return the links between steps without those of "the rest of the butter".

    That a step takes what another left over does not mean to every reader that it has to wait.
    """
    from thence.domains.recipes.lowering import REST

    links = []
    for j, later in enumerate(procedure.steps):
        for i, earlier in enumerate(procedure.steps[:j]):
            ends = {*earlier.kills, *earlier.defines}
            both = (
                ends.intersection(later.uses)
                | {*later.kills, *later.defines}.intersection(earlier.uses)
                | set(earlier.defines).intersection(later.kills)
                | set(earlier.kills).intersection(later.defines)
            )
            firm = any(not fact.startswith(REST) for fact in both)
            if firm or (not both and (i, j) in procedure.order):  # the latter by "meanwhile"
                links.append((i, j))
    return links
