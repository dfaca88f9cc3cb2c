"""Quick answers about steps in queues are those of the analyses."""

from __future__ import annotations

from itertools import chain
from random import Random
from types import SimpleNamespace

from tests.families.fable.test_finer_reasons import STEPS, drawn, questions
from thence.core.graph import Graph
from thence.dataflow import ANALYSES, Flow
from thence.dataflow.depth import depth
from thence.families.fable.plans.depths import Depths
from thence.families.fable.plans.queues import _reduced, standing
from thence.families.fable.plans.ways import ListedPlan
from thence.families.fable.shared.divided_steps import split
from thence.families.fable.shared.quick_answers import Order, QuickAnswers, listed_order


def compare(flow, order, seen):
    quick = QuickAnswers(flow)
    for name in ANALYSES:
        for question in questions(name, flow.steps) if name != "intervals" else ():
            asked = {**question._asdict(), "sanitizers": [*question.sanitizers]}
            answer = quick.holds(name, order, asked)
            assert answer == ANALYSES[name].rule(flow, question).answer, (name, asked)
            seen.add((name, answer))
            if answer and name != "concurrency":
                assert quick.most_links(name, order, asked) >= depth(flow, name, question)


def test_quick_answers_are_those_of_the_analyses():
    seen = set()
    for number in range(25):
        procedure, _ = drawn(Random(f"quick {number}"))
        flow = Flow(procedure)
        compare(flow, Order.of(flow), seen)
        total = flow.with_order([(k, k + 1) for k in range(STEPS - 1)])
        compare(total, listed_order(STEPS), seen)
        compare(flow.with_order(()), Order.none(STEPS), seen)
    assert len(seen) == 14


def test_the_order_of_a_way_is_that_of_the_steps_whatever_their_places():
    held = SimpleNamespace(order=Order([1 << 2, 0, 0], [0, 0, 1 << 0]))
    assert ListedPlan([0, 1, 2], held).order == Order([1 << 2, 0, 0], [0, 0, 1 << 0])
    assert ListedPlan([1, 0, 2], held).order == Order([0, 1 << 2, 0], [0, 0, 1 << 1])


def test_the_order_of_queues_is_that_of_their_graph():
    met = 0
    for number in range(30):
        rng = Random(f"queues {number}")
        conflicts = [(i, j) for i in range(11) for j in range(i + 1, 12) if rng.random() < 0.1]
        held = standing(12, conflicts, rng, 0.5, 0.5)
        if held is not None:
            edges = [(i, j) for i, later in enumerate(held.later) for j in later]
            graph = Graph(12, edges)
            assert [*map(tuple, held.order)] == [graph.descendants, graph.ancestors]
            assert list(_reduced(held)) == sorted(graph.transitive_reduction())
            met += 1
    assert met > 20


def test_steps_that_two_or_three_parts_share_are_divided_among_them():
    rng = Random(2)
    for parts in (2, 3):
        found = [split(9, parts, 0.4, 2, rng) for _ in range(40)]
        assert all(sorted(chain(*each)) == list(range(9)) for each in found)
        assert {min(map(len, each)) for each in found} >= {2, 3}
        assert all(each[0][0] == 0 and len(each) == parts for each in found)


def test_a_no_of_the_greatest_depth_goes_with_a_yes_of_another_great_depth():
    depths = Depths((8, 9), "live_variables", works=True)
    while depths.matched([8], [9]):
        depths.count(8, 9)
    assert depths.matched([9], [8]) == [(9, 8)]
    assert depths.can_match([8]) and not depths.can_match([9])


def test_one_more_wait_is_told_and_leaves_the_queues_as_they_are():
    rng, met = Random(8), 0
    for _ in range(200):
        held = standing(10, [(0, 5), (2, 7), (3, 8)], rng, 0.5, 0.5)
        if held is None:
            continue
        first, then = sorted(rng.sample(range(10), 2))
        if any({first, then} <= set(queue) for queue in held.queues):
            continue
        more = held.with_wait(first, then)
        if more is None or held.order.after[first] >> then & 1:
            continue
        assert more.queues == held.queues and (first, then) in more.waits
        assert all(a | b == b for a, b in zip(held.order.after, more.order.after, strict=True))
        graph = Graph(10, sorted(_reduced(more)))
        assert list(graph.descendants) == list(more.order.after)
        assert list(graph.ancestors) == list(more.order.before)
        met += 1
    assert met > 20
