"""What questions about trips need, by bitsets, and their finer reasons."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.dataflow import drawn
from tests.dataflow.test_choices import asked_of
from thence.core.procedure import Choice, Procedure, Step
from thence.dataflow import ANALYSES, Flow
from thence.dataflow.depth import depth
from thence.dataflow.questions import FlowQuestion
from thence.dataflow.reasons import reason
from thence.dataflow.strategies import needs
from thence.families.fable.routes import times
from thence.families.fable.routes.trip_reasons import OF_TRIPS
from thence.families.fable.shared.analyses import ONCE
from thence.families.fable.shared.divided_reasons import finer_reason
from thence.families.fable.shared.needed_parts import NeededParts

OFFICE = Choice("the office", ("shut", "open"))


def trip_reason(flow, analysis, asked):
    return finer_reason(flow, analysis, asked, OF_TRIPS)


def test_bitsets_find_the_same_needs_as_the_strategies():
    seen = Counter()
    for number in range(1200):
        rng = Random(f"needed parts {number}")
        flow = Flow(drawn.with_choices(rng) if number % 3 else drawn.procedure(rng))
        if flow.canonical != tuple(range(len(flow))):
            continue
        asked_here = asked_of(flow, rng)
        for name, given in rng.sample(asked_here, min(len(asked_here), 30)):
            if name == "intervals" or given.get("i") in {None, given.get("j")}:
                continue
            made = flow.steps[given["i"]].defines
            if given.get("fact", "") not in {"", *made} or (name == "taint" and "fact" in given):
                continue
            cleans = frozenset(given.get("sanitizers", ()))
            asked = FlowQuestion(given["i"], given.get("j"), given.get("fact"), cleans)
            parts = NeededParts(flow, cleans)
            expected = needs(flow, name, asked)
            assert parts.needs(name, given) == expected, (number, name, given, flow.procedure)
            if name == "taint":
                assert parts.depth(given) == depth(flow, name, asked)
            if name in ONCE:
                assert parts.reason(name, given) == reason(flow, name, asked).name
            seen.update((name, each) for each in expected)
    assert {name for name, _ in seen} == {*ANALYSES} - {"intervals"}
    assert len(seen) == 42, seen


def trip(*texts, order, when=()):
    """Return the flow of a trip whose gate some steps open, close or drive through."""
    steps = []
    for k, text in enumerate(texts):
        roles = {"Open": "defines", "Close": "kills", "Drive": "uses"}
        role = roles.get(text.split()[1])
        taken = ((OFFICE.name, "open"),) if k in when else ()
        steps.append(Step(text, **({role: ("gate",)} if role else {}), when=taken))
    return Flow(Procedure("Rounds", tuple(steps), order, ("gate",), (OFFICE,) if when else ()))


OPEN, CLOSE, IN = "Van: Open the gate", "Truck: Close the gate", "Van: Drive in"


@pytest.mark.parametrize(
    ("texts", "when", "i", "j", "expected"),
    [
        ((OPEN, CLOSE, IN), (), 0, 2, "killed_between"),
        ((OPEN, CLOSE, IN), (1,), 0, 2, "killed_by_option"),
        ((CLOSE, OPEN, IN), (), 1, 2, "killed_later"),
        ((OPEN, IN, CLOSE), (), 0, 1, "killed_earlier"),
        ((OPEN, IN, CLOSE), (2,), 0, 1, "killed_earlier_by_option"),
    ],
)
def test_what_kills_a_fact_is_told_apart_by_where_it_stands(texts, when, i, j, expected):
    flow = trip(*texts, order=((i, j),), when=when)
    asked = FlowQuestion(i, j, "gate")
    assert trip_reason(flow, "available_expressions", asked) == expected


def test_what_ends_a_fact_is_told_apart_by_the_listed_order():
    for texts, order, expected in (
        ((OPEN, CLOSE, IN), ((0, 2),), "ended_as_listed"),
        ((OPEN, IN, CLOSE), ((0, 1),), "ended_in_race"),
    ):
        asked = FlowQuestion(0, None, "gate")
        assert trip_reason(trip(*texts, order=order), "very_busy_expressions", asked) == expected


def test_steps_in_a_chain_are_told_apart_by_the_step_that_is_awaited():
    texts = ("Van: Load", "Van: Weigh", "Truck: Wait", "Truck: Measure")
    for awaited, expected in ((0, "awaited"), (1, "later_awaited")):
        flow = trip(*texts, order=((0, 1), (awaited, 2), (2, 3)))
        assert trip_reason(flow, "concurrency", FlowQuestion(3, 0)) == expected
    assert trip_reason(flow, "concurrency", FlowQuestion(0, 2)) == "later_awaited"


def test_steps_that_only_the_dispatcher_joins_are_told_apart():
    told = ("Dispatcher: Wait", "Dispatcher: Give the truck the go-ahead")
    texts = ("Van: Load", *told, "Truck: Wait", "Truck: Measure", "Van: Weigh")
    order = ((0, 1), (1, 2), (2, 3), (3, 4), (0, 5))
    flow = trip(*texts, order=order)
    assert trip_reason(flow, "concurrency", FlowQuestion(0, 4)) == "dispatched"
    # A wait of the truck for the van itself is seen beside him, one of a later step is not.
    assert trip_reason(trip(*texts, order=(*order, (0, 3))), "concurrency", FlowQuestion(0, 4)) == (
        "awaited"
    )
    after = (*texts, "Truck: Wait")
    flow = trip(*after, order=(*order, (4, 6), (5, 6)))
    assert trip_reason(flow, "concurrency", FlowQuestion(0, 4)) == "dispatched"
    # Of steps that nothing joins, those with waits of the dispatcher alone between them.
    apart = ("Van: Load", *told, "Truck: Measure")
    flow = trip(*apart, order=((0, 1), (1, 2)))
    assert trip_reason(flow, "concurrency", FlowQuestion(0, 3)) == "dispatcher_waits"


def test_steps_that_may_be_done_at_once_are_told_apart_by_waits_between_them():
    texts = ("Van: Load", "Van: Weigh", "Truck: Wait", "Truck: Measure")
    flow = trip(*texts, order=((0, 1), (0, 2), (2, 3)))
    assert trip_reason(flow, "concurrency", FlowQuestion(1, 3)) == "other_waits"
    flow = trip(*texts, order=((0, 1), (2, 3)))
    assert trip_reason(flow, "concurrency", FlowQuestion(1, 3)) == "no_wait"


def test_a_time_is_told_apart_by_the_choices_that_it_depends_on():
    road = Choice("Mill Street", ("closed", "open"))
    steps = [
        Step("Start", seconds=(0, 0)),
        Step("Fill", seconds=(10, 10), when=((OFFICE.name, "open"),)),
        Step("Pour", seconds=(20, 20), when=((road.name, "closed"),)),
        Step("Drive", seconds=(5, 5)),
    ]
    order = ((0, 1), (1, 2), (2, 3))
    flow = Flow(Procedure("Rounds", tuple(steps), order, (), (OFFICE, road)))
    found = times.instance(flow, 0, 3, {})
    assert (found.answer, found.traits.reason) == ([5, 35], "several_choices")
    fewer = (*steps[:1], *steps[2:])
    flow = Flow(Procedure("Rounds", fewer, ((0, 1), (1, 2)), (), (road,)))
    found = times.instance(flow, 0, 2, {})
    assert (found.answer, found.traits.reason) == ([5, 25], "one_choice")
