from __future__ import annotations

import pickle

from thence.core.procedure import Procedure, Step
from thence.dataflow import Flow
from thence.dataflow.flow_cache import cached
from thence.dataflow.graphs import entity_edges


def test_a_flow_keeps_each_result_even_none_and_shares_it_with_no_other() -> None:
    calls: list[tuple[int, str]] = []

    @cached
    def looked_up(flow: Flow, fact: str) -> str | None:
        calls.append((id(flow), fact))
        return fact or None

    procedure = Procedure("", (Step("Stir the soup."),), ())
    one, other = Flow(procedure), Flow(procedure)
    for flow in (one, one, other):
        assert looked_up(flow, "soup") == "soup"
        assert looked_up(flow, "") is None
    assert calls == [(id(flow), fact) for flow in (one, other) for fact in ("soup", "")]


def test_a_flow_is_pickled_without_its_cache() -> None:
    flow = Flow(Procedure.total("tea", [Step("Boil", defines=("water",)), Step("Pour")]))
    assert entity_edges(flow) == []
    held = pickle.loads(pickle.dumps(flow))
    assert (len(held), held.cache) == (2, {})
    assert flow.cache
