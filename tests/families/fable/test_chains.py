"""Chains of contamination whose links hold two by two, but in no one order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random
from typing import Any

import pytest

from tests.dataflow.drawn import with_choices
from thence.core.procedure import Procedure, Step
from thence.dataflow import Flow, analysis
from thence.dataflow.flow import Role
from thence.dataflow.questions import FlowQuestion
from thence.families.fable.shared.chains import one_order_shows, showing_order

NEVER_UNSAFE = FlowQuestion(0, 2, sanitizers=frozenset({1}))
LEFT_UNSAFE = FlowQuestion(0, 2)


def kitchen(*washed: str, order=((0, 1), (1, 2), (0, 3), (3, 2))) -> Flow:
    """Return the flow of chicken cut, then bread, and of both washed away at any time between."""
    steps = (
        Step("Cut the chicken on the board", defines=("board",)),
        Step("Cut the bread on the board", uses=("board",), defines=("bread",)),
        Step("Serve the bread", uses=("bread",)),
        Step("Wash up", kills=washed),
    )
    return Flow(Procedure("supper", steps, order))


@pytest.mark.parametrize("asked", [NEVER_UNSAFE, LEFT_UNSAFE])
def test_what_must_come_both_before_and_after_a_step_shows_no_way(asked):
    assert analysis("taint").decide(kitchen("board", "bread"), 0, 2).answer  # two by two
    assert not one_order_shows(kitchen("board", "bread"), asked)
    assert one_order_shows(kitchen("board"), asked)
    assert one_order_shows(kitchen("bread"), asked)


def test_where_nothing_unsafe_would_get_there_no_way_has_to_be_shown():
    assert one_order_shows(kitchen("board", order=((0, 3), (3, 1), (1, 2))), NEVER_UNSAFE)


def test_a_checked_step_that_always_comes_after_step_j_is_said_to():
    steps = (
        Step("Cut the chicken on the board", defines=("board",)),
        Step("Cut the bread with the knife", uses=("knife",), defines=("bread",)),
        Step("Serve the bread", uses=("bread",)),
        Step("Cut the chicken up and wash the knife", uses=("board",), defines=("knife",)),
    )
    flow = Flow(Procedure("supper", steps, ((0, 2), (2, 3))))
    why = analysis("taint").decide(flow, 0, 2, sanitizers={3}).why
    assert why.endswith(
        "goes through step 4, which sanitises it, and which always comes after step 3."
    )
    assert not one_order_shows(flow, FlowQuestion(0, 2, sanitizers=frozenset({3})))


def test_the_order_that_shows_a_chain_is_permitted_and_no_step_ends_a_fact_on_its_way():
    shown = 0
    for seed in range(300):
        flow = Flow(with_choices(Random(seed)))
        for i, j in permutations(range(len(flow)), 2):
            if not (flow.is_possible(i) and flow.is_possible(j)):
                continue
            verdict = analysis("taint").decide(flow, i, j)
            order = showing_order(flow, verdict.witness) if verdict.answer else None
            if order is not None:
                check_order(flow, verdict.witness, order)
                shown += 1
    assert shown > 300


def check_order(flow: Flow, witness: Mapping[str, Any], order: Sequence[int]) -> None:
    world = flow.under(witness["options"])
    assert sorted(order) == [k for k in range(len(flow)) if not world.is_left_out(k)]
    place = {step: at for at, step in enumerate(order)}
    assert all(place[a] < place[b] for a, b in permutations(order, 2) if world.precedes(a, b))
    for link in witness["chain"]:
        a, fact, b = link["from"], link["fact"], link["to"]
        assert fact in flow.steps[a].defines
        assert fact in flow.steps[b].uses
        ends = {*flow.steps_with(Role.KILL, fact), *flow.steps_with(Role.DEFINE, fact)}
        assert ends.isdisjoint(order[place[a] + 1 : place[b]])
