"""Cooks who share the steps of a recipe, and the questions that they turn."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, pairwise
from random import Random

from thence.core.graph import Graph
from thence.core.procedure import Procedure, Step
from thence.families.fable.recipes import cooks
from thence.generation import suite
from thence.generation.plan import Plan


def test_every_step_has_one_cook_who_keeps_the_listed_order():
    rng = Random(1)
    met = set()
    for steps in (4, 9, 14):
        for _ in range(40):
            shares = cooks.share(steps, rng)
            assert sorted(step for each in shares for step in each) == list(range(steps))
            order = cooks.ways(Procedure("Soup", (Step(""),) * steps, ((0, 3),)), shares).reduced
            graph = Graph(steps, order)
            assert graph.reaches(0, 3)
            assert all(graph.reaches(a, b) for each in shares for a, b in pairwise(each))
            assert graph.transitive_reduction() == list(order) == sorted(order)
            met.add(len(shares))
    assert met == {2, 3}


def test_cooks_can_share_so_that_steps_far_apart_are_done_at_the_same_time():
    chains = [(a, a + 1) for a in range(9) if a != 4]  # steps 0 to 4, and 5 to 9
    soup = Procedure("Soup", (Step(""),) * 11, (*chains, (4, 10), (9, 10)))
    rng = Random(1)
    for _ in range(40):
        shares = cooks.share_apart(cooks.ways(soup, ()).order, rng)
        assert shares is not None
        assert shares[0][0] == 0  # the cook of the first step is told of first
        assert sorted(step for each in shares for step in each) == list(range(11))
        after, before = cooks.ways(soup, shares).order
        pairs = ((i, j) for i, j in combinations(range(11), 2) if not after[i] >> j & 1)
        inside = {(i, j): (1 << j) - (2 << i) for i, j in pairs}
        assert any(
            min((bits & after[i]).bit_count(), (bits & before[j]).bit_count()) >= 3
            for (i, j), bits in inside.items()
        )
    line = Procedure("Soup", (Step(""),) * 11, tuple(pairwise(range(11))))
    assert cooks.share_apart(cooks.ways(line, ()).order, rng) is None


def test_the_sentence_names_all_steps_from_1():
    assert cooks.told(((0, 2, 3), (1, 4))) == (
        "Two cooks share the work: the first does Steps 1, 3 and 4 and the second Steps 2 and 5. "
        "Each does one step after the other, in the order in which they stand here."
    )


def test_other_cooks_turn_the_answer_to_one_question():
    name = "concurrency"
    answers = defaultdict(set)
    for sample in suite.generate(Plan([f"fable/recipes/{name}"], seed=3, size=200)):
        question = sample.metadata["question"]
        assert question["reading"][0] == cooks.told(question["cooks"])
        assert question["reading"][0] in sample.input
        key = question["i"], question["j"], question["fact"]
        answers[sample.cluster, key].add(sample.target)
    assert any(len(each) == 2 for each in answers.values())
