"""How pairs of steps are matched: what is seen rarely counts more, and there is room in any set."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from thence.core.procedure import Procedure, Step
from thence.families.catbench import matching, questions, selection, sources
from thence.families.catbench.matching import Pair, matched
from thence.families.catbench.sources import Subject
from thence.generation.plan import Plan
from thence.generation.suite import generate


def test_what_is_seen_rarely_counts_more_in_exact_parts():
    codes = np.array([0] * 50 + [1] * 10 + [2])
    weights = matching._weights(codes, 100, 9.0, 0.33)
    common, usual, rare = (float(weights[codes == code][0]) for code in range(3))
    assert common < usual == 9.0 < rare
    assert all(float(each * matching._FINE).is_integer() for each in weights)


def test_each_rare_word_stands_as_often_in_both_classes():
    """Forty words are each in two pairs of each class, of which half are chosen."""
    rng = Random(3)
    pools: tuple[list[Pair], list[Pair]] = ([], [])
    for side, order in enumerate((((0, 2), (1, 2)), ((0, 1),))):
        for number in range(80):
            word = f"{chr(97 + number % 8)}{chr(97 + number // 8 % 5)}ing"
            steps = tuple(Step(f"Do {text}") for text in ("one", "two", f"three {word}"))
            subject = Subject.of(Procedure(f"{side} {number}", steps, order), apart=True)
            pools[side].append(Pair(subject, 0, 2))
    chosen = matched(*pools, 40, rng)
    seen = [Counter(pair.subject.steps[2].text.split()[-1] for pair in held) for held in chosen]
    assert all(sum(held.values()) == 40 for held in seen)
    assert sum(abs(seen[0][word] - seen[1][word]) for word in seen[0] | seen[1]) <= 4


@pytest.mark.parametrize("size", [60, 4260, 6000])
def test_as_many_pairs_are_looked_at_for_each_that_is_chosen_in_any_set(size, monkeypatch):
    looked = []

    def first(dependent, independent, count, rng):
        looked.append((len(dependent), len(independent), count))
        return list(dependent[:count]), list(independent[:count])

    monkeypatch.setattr(questions, "matched", first)
    for cached in (selection.choice_of, selection.balance_of):
        cached.cache_clear()
    next(iter(generate(Plan(["catbench/order"], 3, size, settings={"source": "runbooks"}), 1)))
    ((dependent, independent, count),) = looked
    room = sources.ROOM * max(count, selection._LEAST)
    assert dependent == independent == room
