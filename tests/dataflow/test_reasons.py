"""Reasons, depth and incomplete strategies agree with an oracle that looks at every execution."""

from __future__ import annotations

import ast
import gc
import weakref
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.dataflow import drawn
from tests.dataflow.depth_oracle import DepthOracle
from tests.dataflow.test_choices import asked_of
from thence.core.procedure import Choice, Procedure, Step
from thence.dataflow import ANALYSES, Flow
from thence.dataflow.depth import depth
from thence.dataflow.questions import FlowQuestion
from thence.dataflow.reasons import REASONS, reason
from thence.dataflow.strategies import STRATEGIES, decided, needs, suppliers_ignored
from thence.dataflow.worlds import chain_length

ONE = Procedure("one", (Step("Go"),))
SHOWING = (  # numbers of procedures that show all reasons but two
    *(0, 1, 2, 3, 6, 7, 10, 11, 12, 14, 17, 20, 25, 35, 37, 49, 61, 80, 115, 155, 265, 673),
    *(1835, 8569),
)
MOST = 150  # executions of a procedure that is looked at


def drawn_one(number: int) -> tuple[Flow, Random]:
    rng = Random(f"reasons {number}")
    return Flow(drawn.with_choices(rng) if number % 2 else drawn.procedure(rng)), rng


def question(given: dict[str, Any]) -> FlowQuestion:
    return FlowQuestion(**{**given, "sanitizers": frozenset(given.get("sanitizers", ()))})


def compare(number: int, most: int) -> bool:
    """Compares answers about a procedure that has few executions; returns whether it does."""
    flow, rng = drawn_one(number)
    oracle = DepthOracle(flow.procedure.to_json())
    if len(oracle.executions) > MOST or len(flow) > 5:
        return False
    asked = asked_of(flow, rng)
    for name, given in rng.sample(asked, min(most, len(asked))):
        where, put = f"{number}: {name} {given} of {flow.procedure}", question(given)
        answer = oracle.ask(name, given)
        found = reason(flow, name, put).name
        assert found == oracle.reason(name, given), where
        assert depth(flow, name, put) == oracle.depth(name, given), where
        wrong = set()
        for each, said in oracle.strategies(name, given):
            assert STRATEGIES[each].answer(flow, name, put) == said, f"{each} {where}"
            wrong |= {each} if said != answer else set()
        assert needs(flow, name, put) == wrong
    return True


@pytest.mark.parametrize("block", range(3))
def test_reasons_depth_and_strategies_agree_with_the_oracle(block: int) -> None:
    assert sum(compare(number, 12) for number in range(100 * block, 100 * (block + 1))) > 60


def test_every_reason_of_the_closed_lists_occurs_and_no_other() -> None:
    known = {(*key, each.name) for key, listed in REASONS.items() for each in listed}
    seen = {("concurrency", False, reason(Flow(ONE), "concurrency", FlowQuestion(0, 0)).name)}
    ways = (Step("Spill", kills=("water",), when=(("bridge", "open"),)),
            Step("Fill", defines=("water",), when=(("bridge", "closed"),)))  # fmt: skip
    fire = Procedure.total("fire", (Step("Go"), *ways, Step("Drink", uses=("water",))))
    flow = Flow(replace(fire, choices=(Choice("bridge", ("open", "closed")),)))
    dead = reason(flow, "live_variables", FlowQuestion(0, None, "water"))
    seen.add(("live_variables", False, dead.name))
    for number in SHOWING:
        flow, rng = drawn_one(number)
        for name, given in asked_of(flow, rng):
            answer = ANALYSES[name].decide(flow, **given).answer
            said = reason(flow, name, question(given)).name
            seen.add((name, None if name == "intervals" else answer, said))
    assert seen == known


def test_every_strategy_errs_somewhere_and_is_right_where_its_part_does_not_matter() -> None:
    err = {(each.name, name) for each in STRATEGIES.values() for name in each.analyses}
    for number in range(200):
        flow, rng = drawn_one(number)
        asked = asked_of(flow, rng)
        for name, given in rng.sample(asked, min(15, len(asked))):
            wrong = needs(flow, name, question(given))
            idle = without_part(flow) - (
                {"direct_links", "two_links"} if name == "taint" else set()
            )
            assert not wrong & idle, f"{number}: {wrong & idle} {name} {given}"
            assert given.get("sanitizers") or "sanitizers_ignored" not in wrong
            err -= {(each, name) for each in wrong}
    for number in SHOWING + tuple(range(200, 2000)):  # what is rare
        if not err:
            break
        flow, rng = drawn_one(number)
        for name, given in asked_of(flow, rng):
            if any(name == other for _, other in err):
                err -= {(each, name) for each in needs(flow, name, question(given))}
    assert not err


def without_part(flow: Flow) -> set[str]:
    """The strategies whose part a procedure does not have."""
    makers = Counter(fact for step in flow.steps for fact in {*step.defines})
    reduced = set(flow.graph.transitive_reduction())
    pairs = {(a, b) for a in range(len(flow)) for b in range(len(flow)) if flow.precedes(a, b)}
    return {
        name
        for name, there in {
            "listed_order": not flow.is_total,
            "first_option": flow.choices is not None,
            "kills_ignored": any(step.kills for step in flow.steps),
            "suppliers_ignored": max(makers.values(), default=0) > 1
            or bool({*makers} & flow.start),
            "order_ignored": bool(flow.graph.edges),
            "two_links": any((chain_length(flow, a, b) or 0) > 2 for a, b in pairs),
            "direct_links": bool(pairs - reduced),
        }.items()
        if not there
    }


def test_depth_counts_the_steps_of_a_list_that_is_done_in_its_order() -> None:
    fill, drink = Step("Fill", defines=("water",)), Step("Drink", uses=("water",))
    pour = Step("Pour", kills=("water",))
    steps = [fill, Step("Go"), Step("Go on"), pour, Step("Go back"), drink]
    flow = Flow(Procedure.total("water", steps))
    asked = FlowQuestion(0, 5, "water")
    assert reason(flow, "reaching_definitions", asked).name == "ended"
    assert depth(flow, "reaching_definitions", asked) == 5
    assert depth(flow, "reaching_definitions", FlowQuestion(0, 2, "water")) == 2
    assert needs(flow, "reaching_definitions", asked) == {
        "kills_ignored", "direct_links", "two_links", "order_ignored",
    }  # fmt: skip


def test_a_procedure_without_other_makers_keeps_its_order_and_choices() -> None:
    fill, drink = Step("Fill", defines=("water",)), Step("Drink", uses=("water",))
    again = replace(fill, when=(("way", "long"),))
    procedure = Procedure.total("water", [fill, again, drink])
    flow = Flow(replace(procedure, choices=(Choice("way", ("short", "long")),)))
    view = suppliers_ignored(flow, "reaching_definitions", FlowQuestion(0, 2, "water")).flow
    assert view is not flow and not view.steps[1].defines
    assert view.graph is flow.graph and view.choices is flow.choices


def test_what_was_asked_about_is_freed_at_once_when_it_is_let_go() -> None:
    was_enabled = gc.isenabled()
    gc.disable()  # it frees cycles only, and blocks of questions are made without it
    try:
        for number in range(60):
            flow, rng = drawn_one(number)
            for name, given in rng.sample(asked := asked_of(flow, rng), min(8, len(asked))):
                put = question(given)
                reason(flow, name, put), depth(flow, name, put), needs(flow, name, put)
            held = weakref.ref(flow)
            del flow
            assert held() is None, number
    finally:
        if was_enabled:
            gc.enable()


def test_the_oracles_share_nothing_with_what_they_check() -> None:
    for name in ("reason_oracle.py", "depth_oracle.py"):
        tree = ast.parse(Path(__file__).with_name(name).read_text(encoding="utf-8"))
        froms = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not any((each or "").startswith("thence") for each in froms)


@pytest.mark.long
@pytest.mark.parametrize("block", range(10))
def test_reasons_depth_and_strategies_agree_with_the_oracle_on_5000_procedures(block: int) -> None:
    assert sum(compare(number, 12) for number in range(500 * (block + 2), 500 * (block + 3))) > 300


def test_a_strategy_that_cannot_err_need_not_be_asked() -> None:
    for number in range(150):
        flow, rng = drawn_one(number)
        asked = asked_of(flow, rng)
        for name, given in rng.sample(asked, min(15, len(asked))):
            put = question(given)
            answer = decided(flow, name, put)
            every = (each for each in STRATEGIES.values() if name in each.analyses)
            wrong = {each.name for each in every if each.answer(flow, name, put) != answer}
            assert needs(flow, name, put) == wrong, f"{number} {name} {given}"
