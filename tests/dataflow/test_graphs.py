"""The order that conflicts make, the graphs of a procedure, and sums of ranges."""

from __future__ import annotations

import gc
import weakref
from itertools import combinations
from random import Random

import pytest

from tests.dataflow import drawn
from tests.dataflow.oracle import Oracle
from thence.core.graph import bitset, members
from thence.core.procedure import Procedure, Quantity, Step
from thence.dataflow import (
    START,
    Flow,
    Label,
    conflict_order,
    conflicts,
    entity_flow_graph,
    step_dependency_graph,
)
from thence.dataflow.analyses import ANALYSES
from thence.dataflow.analyses.intervals import amounts, elapsed, summed
from thence.dataflow.analyses.taint import _leaving, _leaving_in_closure
from thence.dataflow.strategies import needs
from thence.errors import UsageError


def clash(a: Step, b: Step) -> bool:
    """The specification's words: one kills what the other uses or defines, or defines its use."""
    return any(
        set(x.kills) & (set(y.uses) | set(y.defines)) or set(x.defines) & set(y.uses)
        for x, y in ((a, b), (b, a))
    )


def closed(n: int, pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The transitive closure, by adding until nothing is new."""
    held = set(pairs)
    while more := {(a, d) for a, b in held for c, d in held if b == c} - held:
        held |= more
    return held


def test_the_order_of_conflicts_is_the_reduced_closure_of_every_clash() -> None:
    for number in range(300):
        steps = drawn.procedure(Random(f"conflicts {number}")).steps
        n = len(steps)
        pairs = {(i, j) for i, j in combinations(range(n), 2) if clash(steps[i], steps[j])}
        assert all(bool(conflicts(steps[i], steps[j])) == ((i, j) in pairs)
                   for i, j in combinations(range(n), 2))  # fmt: skip
        order = conflict_order(steps)
        whole = closed(n, pairs)
        assert list(order) == sorted(order)
        assert closed(n, set(order)) == whole
        for left_out in order:
            assert closed(n, set(order) - {left_out}) != whole


def test_the_graphs_hold_what_the_oracle_sees_and_no_more() -> None:
    for number in range(200):
        flow = Flow(drawn.procedure(Random(f"graphs {number}")))
        oracle, steps = Oracle(flow.procedure.to_json()), flow.steps
        edges = {
            (edge.source, edge.fact, edge.target): edge.label
            for edge in entity_flow_graph(flow).edges
        }
        flows = {(i, fact, j) for i, fact, j in oracle.reached if fact in steps[j].uses}
        born = {
            (i, fact, i) for i, step in enumerate(steps) for fact in step.defines
            if fact not in step.uses
        }  # fmt: skip
        assert set(edges) == flows | born
        for (_, fact, j), label in edges.items():
            assert (label is not Label.CONSUMPTION) == (fact in steps[j].defines)
        pairs = {(edge.source, edge.target) for edge in step_dependency_graph(flow).edges}
        assert pairs == {(i, j) for i, j in oracle.always_before if clash(steps[i], steps[j])}
        assert all(edge.source != START or edge.label is not Label.CREATION
                   for edge in entity_flow_graph(flow).edges)  # fmt: skip


def test_times_and_amounts_are_summed_as_ranges() -> None:
    cook = Procedure.total("soup", [
        Step("Chop", seconds=(60, 120), quantities=(Quantity("carrot", 2, 3),)),
        Step("Fry", seconds=(300, 300), quantities=(Quantity("oil", 10, 20, "ml"),)),
        Step("Simmer", seconds=(600, 900), quantities=(Quantity("carrot", 1, 1),
                                                      Quantity("carrot", 50, 60, "g"))),
        Step("Serve"),
    ])  # fmt: skip
    flow = Flow(cook)
    assert elapsed(flow, 0, 2) == (900, 1200)
    assert elapsed(flow, 1, 2) == (600, 900)
    assert elapsed(flow, 0, 3) is None
    assert summed([]) == (0, 0)
    assert amounts(flow, "carrot", [0, 1, 2]) == {"": (3, 4), "g": (50, 60)}
    assert amounts(flow, "salt", [0]) == {}
    for i, j in ((2, 1), (1, 1)):
        with pytest.raises(UsageError, match="not fixed"):
            elapsed(flow, i, j)
    with pytest.raises(UsageError, match="not fixed"):
        elapsed(Flow(Procedure("soup", cook.steps)), 0, 1)


def test_bitsets_hold_their_members_full_or_nearly_empty() -> None:
    rng = Random(1)
    for size, share in ((0, 0.5), (1, 1.0), (9, 0.5), (300, 0.9), (300, 0.05), (5000, 0.001)):
        chosen = [node for node in range(size) if rng.random() < share]
        assert list(members(bitset(rng.sample(chosen, len(chosen))))) == chosen


def test_what_leaves_a_step_is_the_same_with_and_without_the_graph_of_all_flows() -> None:
    met = 0
    for number in range(200):
        flow = Flow(drawn.procedure(Random(f"leaving {number}")))
        if not flow.is_total:
            for source in (START, *range(len(flow))):
                assert list(_leaving(flow, source)) == _leaving_in_closure(flow, source)
            met += 1
    assert met > 100


def test_a_fact_ends_where_it_is_killed_or_made_anew() -> None:
    steps = (
        Step("Fill", defines=("water",)),
        Step("Drink", uses=("water",)),
        Step("Pour", kills=("water",)),
    )
    assert [*members(Flow(Procedure("", steps)).enders("water"))] == [0, 2]


def test_an_index_is_freed_without_a_search_for_cycles() -> None:
    gc.disable()
    try:
        for procedure in (drawn.procedure(Random("freed")), drawn.with_choices(Random("freed"))):
            flow = Flow(procedure)
            for asked in ANALYSES["live_variables"].solve(flow):
                needs(flow, "live_variables", asked)
            kept = weakref.ref(flow)
            del flow
            assert kept() is None
    finally:
        gc.enable()
