"""How pairs of steps are matched: what is seen rarely counts more, and there is room in any set."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import islice
from random import Random

import numpy as np
import pytest

from thence.core.procedure import Procedure, Step
from thence.families.catbench import matching, pair_surface, questions, selection, sources
from thence.families.catbench.matching import matched
from thence.families.catbench.pair_surface import Pair, PairSurface
from thence.families.catbench.sources import Subject
from thence.generation.plan import Plan
from thence.generation.suite import generate

ORDERS = (((0, 2), (1, 2)), ((0, 1),))  # of a dependent pair, and of an independent one


def pair(side, number, word):
    """Return the first and the last of three steps, of which the last has a word."""
    steps = tuple(Step(f"Do {text}") for text in ("one", "two", f"three {word}"))
    subject = Subject.of(Procedure(f"{side} {number}", steps, ORDERS[side]), apart=True)
    return Pair(subject, 0, 2)


@pytest.fixture
def fresh():
    """No choice of pairs is kept from before, nor for later tests."""
    cached = (selection.choice_of, selection.balance_of)
    for each in cached:
        each.cache_clear()
    yield
    for each in cached:
        each.cache_clear()


def test_what_is_seen_rarely_counts_more_in_exact_parts():
    common, usual, rare = pair_surface._weights(np.array([0.5, 0.1, 0.001]), 9.0, 0.33).tolist()
    assert common < usual == 9.0 < rare
    assert all((each * pair_surface.FINE).is_integer() for each in (common, usual, rare))


def test_each_rare_word_stands_as_often_in_both_classes():
    """Forty words are each in two pairs of each class, of which half are chosen."""
    words = [f"{chr(97 + k % 8)}{chr(97 + k // 8 % 5)}ing" for k in range(80)]
    pools = ([pair(side, number, word) for number, word in enumerate(words)] for side in range(2))
    chosen = matched(*pools, 40, Random(3))
    seen = [Counter(pair.subject.steps[2].text.split()[-1] for pair in held) for held in chosen]
    assert all(sum(held.values()) == 40 for held in seen)
    assert sum(abs(seen[0][word] - seen[1][word]) for word in seen[0] | seen[1]) <= 4


def chosen_of_recipes(count, rng):
    """Return what pairs show that are chosen of those of sixty recipes."""
    recipes = list(islice(sources.subjects("recipes", rng), 60))
    pools = [[Pair(each, i, j) for each in recipes for i, j in each.pairs[kind]] for kind in (1, 0)]
    return PairSurface(matched(*pools, count, rng))


def leaning(tables, *places):
    """Return how far what is seen leans to one class, of some pairs of each."""
    sums = [each[held].sum(axis=0) for each, held in zip(tables, places, strict=True)]
    return float(((sums[0] + sums[1]) ** 2).sum())


def test_the_first_pairs_are_more_balanced_than_some_of_them_are():
    """How far what is seen leans, of the first thirty of each class and of thirty by chance."""
    rng = Random(3)
    tables = chosen_of_recipes(120, rng).tables()
    some = [[rng.sample(range(120), 30) for _ in tables] for _ in range(40)]
    chance = [leaning(tables, *places) for places in some]
    assert leaning(tables, range(30), range(30)) < 0.6 * sum(chance) / len(chance)


def test_less_tells_of_the_chosen_pairs_when_what_does_was_weighed(monkeypatch):
    every = range(120)

    def told():
        return leaning(chosen_of_recipes(120, Random(3)).telling((every, every)), every, every)

    weighed = told()
    monkeypatch.setattr(matching, "_ANEW", 0)
    assert weighed < 0.9 * told()


def test_what_tells_of_the_chosen_pairs_alone_is_seen():
    """Of all pairs neither word tells anything; of the chosen ones each class has one of them."""
    words = ["whisking", "grating"] * 30
    surface = PairSurface(tuple([pair(k, n, word) for n, word in enumerate(words)] for k in (0, 1)))

    def by_word(*chosen):
        """Return how many columns all pairs with the first word have, and no other pair has."""
        tables = (each.toarray() != 0 for each in surface.telling(chosen))
        return [int((each[::2].all(axis=0) & ~each[1::2].any(axis=0)).sum()) for each in tables]

    assert by_word(range(60), range(60)) == [0, 0]
    assert min(by_word(range(0, 60, 2), range(1, 60, 2))) > 0


def test_a_worker_gets_a_procedure_without_what_was_worked_out_of_it():
    subject = pair(1, 0, "whisking").subject
    worked_out = {"pairs": subject.pairs, "switches": subject.switches, "counts": subject.counts}
    again = pickle.loads(pickle.dumps(subject))
    assert not worked_out.keys() & vars(again).keys()
    assert (again.name, again.steps, again.pairs) == (subject.name, subject.steps, subject.pairs)


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("size", [60, None, 6000])
def test_as_many_pairs_are_looked_at_for_each_that_is_chosen_in_any_set(size, monkeypatch):
    looked = []

    def first(dependent, independent, count, rng):
        looked.append((len(dependent), len(independent), count))
        return list(dependent[:count]), list(independent[:count])

    monkeypatch.setattr(questions, "matched", first)
    next(iter(generate(Plan(["catbench/order"], 3, size, settings={"source": "runbooks"}), 1)))
    ((dependent, independent, count),) = looked
    assert count == {60: 10, None: 710, 6000: 1000}[size]
    assert dependent == independent == {60: 720, None: 17040, 6000: 24000}[size]
