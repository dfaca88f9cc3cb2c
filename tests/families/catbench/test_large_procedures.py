"""Pairs of a large procedure are drawn without making them all."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from thence.core.graph import Graph
from thence.core.procedure import Step
from thence.families.catbench import questions
from thence.families.catbench.sources import Subject


def large(steps: int, rng: Random) -> Subject:
    """A procedure in which each step but the first waits for one shortly before it."""
    edges = [(max(0, step - rng.randrange(1, 9)), step) for step in range(1, steps)]
    return Subject("large", "", tuple(Step(f"step {n}") for n in range(steps)), Graph(steps, edges))


def test_counts_and_drawn_pairs_are_those_of_all_pairs() -> None:
    subject = large(60, Random(1))
    every = subject.pairs
    assert subject.counts == {kind: len(pairs) for kind, pairs in every.items()}
    assert sum(subject.counts.values()) == len(list(combinations(range(60), 2)))
    for kind in (True, False):
        whole = subject.some_pairs(kind, len(every[kind]), Random(2))
        assert sorted(whole) == every[kind]
        some = subject.some_pairs(kind, 7, Random(3))
        assert len(set(some)) == 7
        assert set(some) < set(every[kind])
        assert some != sorted(some)
        assert some == subject.some_pairs(kind, 7, Random(3))


@pytest.mark.parametrize("most", [None, 5, 20_000])
def test_a_large_procedure_is_never_paired_whole(most: int | None) -> None:
    subject = large(1_000, Random(4))
    found = questions.balanced([subject], Random(5), most)
    assert "pairs" not in vars(subject)
    assert found.counts[:2] == (subject.counts[True], subject.counts[False])
    assert len(found.dependent) == len(found.independent) == (most or questions.MOST_OF_ONE)
    assert all(subject.depends(pair.i, pair.j) for pair in found.dependent[:200])
    assert not any(subject.depends(pair.i, pair.j) for pair in found.independent[:200])
    assert found == questions.balanced([subject], Random(5), most)
