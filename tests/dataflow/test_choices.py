"""The analyses of procedures with choices agree with an oracle that lists every execution."""

from __future__ import annotations

import ast
import json
import re
import weakref
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.dataflow import drawn
from tests.dataflow.choice_oracle import ChoiceOracle
from tests.dataflow.oracle import Oracle
from tests.dataflow.test_graphs import closed
from tests.dataflow.test_oracle import questions
from thence.core.procedure import Choice, Procedure, Quantity, Step
from thence.dataflow import (
    ANALYSES,
    Flow,
    conflict_order,
    conflicts,
    entity_flow_graph,
    step_dependency_graph,
)
from thence.dataflow.analyses.intervals import amounts, elapsed
from thence.errors import UsageError

CHOICES = {"choices": {f"c{number}": list("xyz") for number in range(3)}}


def asked_of(flow: Flow, rng: Random) -> list[tuple[str, dict[str, Any]]]:
    """Every question about steps that some execution carries out; of taint a few."""
    return [
        (name, given)
        for name, given in questions(flow.procedure, rng)
        if all(flow.is_possible(given[key]) for key in ("i", "j") if key in given)
    ]


def compare(number: int, most: int, seen: Counter[Any]) -> None:
    rng = Random(f"choices oracle {number}")
    flow = Flow(drawn.with_choices(rng))
    oracle = ChoiceOracle(flow.procedure.to_json())
    assert flow.start == oracle.start, number
    asked = asked_of(flow, rng)
    for name, given in rng.sample(asked, min(most, len(asked))):
        verdict = ANALYSES[name].decide(flow, **given)
        expected = getattr(oracle, name)(**given)
        assert verdict.answer == expected, f"{number}: {name} {given} of {flow.procedure}"
        seen[name, str(expected) if name != "intervals" else ""] += 1


def solved(name: str, flow: Flow, oracle: ChoiceOracle) -> set[tuple[Any, ...]]:
    """What `DataflowAnalysis.solution` should give, by asking every question that it speaks of."""
    ask, steps = ANALYSES[name].decide, [k for k in range(len(flow)) if oracle.carried_out(k)]
    if name in {"reaching_definitions", "available_expressions"}:
        asked = [(i, j, fact) for i, j in permutations(steps, 2) for fact in flow.steps[j].uses]
        return {row for row in asked if ask(flow, *row).answer}
    if name in {"live_variables", "very_busy_expressions"}:
        made = [(i, fact) for i in steps for fact in flow.steps[i].defines]
        return {(i, None, fact) for i, fact in made if ask(flow, i=i, fact=fact).answer}
    if name == "intervals":
        never = {(None, None, None)} if len(steps) < len(flow) else set()
        return never | {(*ask(flow, i=k).answer, None) for k in steps}
    if name == "concurrency":
        return {(i, j, None) for i, j in combinations(steps, 2) if ask(flow, i, j).answer}
    if name == "type_state":
        invalid = {j for run in oracle.executions for j in run if not oracle.finds(run, None, j)}
        asked_of = [(i, j) for i, j in permutations(steps, 2) if j not in invalid]
        return {(i, j, None) for i, j in asked_of if not ask(flow, i, j).answer}
    there = sorted(flow.start & set(flow.facts))
    return {(None, j, None) for j in steps for f in there if ask(flow, j=j, fact=f).answer}


@pytest.mark.parametrize("block", range(3))
def test_all_eight_agree_with_the_oracle_on_3000_procedures_with_choices(block: int) -> None:
    seen = Counter[Any]()
    for number in range(1000 * block, 1000 * (block + 1)):
        compare(number, 25, seen)
    for name, answer in product(ANALYSES, ("True", "False")):
        assert seen[name, "" if name == "intervals" else answer] > 40, (name, answer)


def test_a_solution_lists_just_what_deciding_question_by_question_finds() -> None:
    for number in range(60):
        flow = Flow(drawn.with_choices(Random(f"choices solution {number}")))
        oracle = ChoiceOracle(flow.procedure.to_json())
        for name, analysis in ANALYSES.items():
            rows = [(row.i, row.j, row.fact) for row in analysis.solution(flow)]
            assert set(rows) == solved(name, flow, oracle), f"{number}: {name} of {flow.procedure}"
            assert name == "intervals" or len(rows) == len(set(rows))


def test_a_procedure_without_choices_is_the_special_case() -> None:
    for number in range(60):
        rng = Random(f"choices none {number}")
        plain = drawn.procedure(rng)
        oracle, literal = Oracle(plain.to_json()), ChoiceOracle(plain.to_json())
        assert oracle.start == literal.start
        idle = replace(plain, choices=(Choice("c0", ("x", "y")),))
        asked = questions(plain, rng)
        for name, given in rng.sample(asked, min(20, len(asked))):
            expected = getattr(oracle, name)(**given)
            assert getattr(literal, name)(**given) == expected
            assert ANALYSES[name].decide(Flow(idle), **given).answer == expected


def test_the_graphs_hold_what_the_oracle_sees_and_no_more() -> None:
    for number in range(150):
        flow = Flow(drawn.with_choices(Random(f"choices graphs {number}")))
        oracle, steps = ChoiceOracle(flow.procedure.to_json()), flow.steps
        flows = {edge for group in oracle.groups for edge in oracle.flows(group)}
        born = {
            (i, fact, i) for i, step in enumerate(steps) for fact in step.defines
            if fact not in step.uses and oracle.carried_out(i)
        }  # fmt: skip
        entities = entity_flow_graph(flow)
        assert {(edge.source, edge.fact, edge.target) for edge in entities.edges} == flows | born
        dependencies = step_dependency_graph(flow)
        assert {(edge.source, edge.target) for edge in dependencies.edges} == {
            (i, j)
            for i, j in permutations(range(len(steps)), 2)
            if (i, j) in oracle.before
            and oracle.carried_out(i, j)
            and conflicts(steps[i], steps[j])
        }
        assert entities.to_json()["when"] == [[list(taken) for taken in step.when]
                                              for step in steps]  # fmt: skip


def test_the_order_of_conflicts_leaves_out_steps_that_exclude_each_other() -> None:
    for number in range(200):
        steps = drawn.with_choices(Random(f"choices conflicts {number}")).steps
        order = conflict_order(steps)
        oracle = ChoiceOracle(Procedure("", steps, order).to_json() | CHOICES)
        clashing = {
            (i, j)
            for i, j in combinations(range(len(steps)), 2)
            if conflicts(steps[i], steps[j]) and oracle.carried_out(i, j)
        }
        assert list(order) == sorted(order)
        assert oracle.before == closed(len(steps), clashing)
        for left_out in order:
            assert closed(len(steps), {*order} - {left_out}) != oracle.before


def test_sums_are_the_least_and_the_greatest_over_all_executions() -> None:
    for number in range(150):
        rng = Random(f"choices sums {number}")
        procedure = drawn.with_choices(rng)
        lasts = [(low, low + rng.randint(0, 3)) for low in (rng.randint(0, 5) for _ in range(7))]
        steps = tuple(
            replace(step, seconds=last, quantities=(Quantity("oil", *last),))
            for step, last in zip(procedure.steps, lasts, strict=False)
        )
        flow = Flow(replace(procedure, steps=steps))
        oracle = ChoiceOracle(flow.procedure.to_json())
        for i, j in permutations(range(len(steps)), 2):
            runs = [run for run in oracle.executions if i in run and j in run]
            if not runs or (i, j) not in oracle.before:
                with pytest.raises(UsageError, match="not fixed"):
                    elapsed(flow, i, j)
                continue
            between = [[lasts[k] for k in run[run.index(i) + 1 : run.index(j) + 1]] for run in runs]
            assert elapsed(flow, i, j) == least_and_greatest(between)
        chosen = rng.sample(range(len(steps)), rng.randint(1, len(steps)))
        added = [[lasts[k] for k in run if k in chosen] for run in oracle.executions]
        assert amounts(flow, "oil", chosen) == {"": least_and_greatest(added)}


def least_and_greatest(lists: list[list[tuple[int, int]]]) -> tuple[int, int]:
    sums = [(sum(low for low, _ in rows), sum(high for _, high in rows)) for rows in lists]
    return min(low for low, _ in sums), max(high for _, high in sums)


def test_choices_that_each_guard_one_step_are_decided_at_once_however_many() -> None:
    n = 1500
    choices = tuple(Choice(f"c{k}", ("x", "y")) for k in range(n))
    steps = [
        Step("Fill", defines=("water",)),
        *(Step(f"Spill {k}", kills=("water",), when=((f"c{k}", "x"),)) for k in range(n)),
        Step("Drink", uses=("water",)),
    ]
    flow = Flow(replace(Procedure.total("water", steps), choices=choices))
    verdict = ANALYSES["live_variables"].decide(flow, i=0, fact="water")
    assert verdict.answer
    assert verdict.witness["execution"] == [0, n + 1]
    assert set(verdict.witness["options"].values()) == {"y"}
    assert not ANALYSES["available_expressions"].decide(flow, i=0, j=n + 1, fact="water").answer


def test_choices_that_are_tied_in_too_many_ways_are_given_up_in_one_line() -> None:
    holes = range(11)  # as many pigeons and one more: no options keep all of them apart
    choices = tuple(Choice(f"c{k}", tuple(map(str, holes))) for k in (*holes, len(holes)))
    clashes = [
        (choices[a].name, choices[b].name, str(hole))
        for a, b in combinations(range(len(choices)), 2)
        for hole in holes
    ]
    steps = [
        Step("Fill", defines=("water",)),
        *(Step("Spill", kills=("water",), when=((a, o), (b, o))) for a, b, o in clashes),
        Step("Drink", uses=("water",)),
    ]
    flow = Flow(replace(Procedure.total("water", steps), choices=choices))
    with pytest.raises(UsageError, match="choices: 12 of them have too many") as caught:
        ANALYSES["live_variables"].decide(flow, i=0, fact="water")
    assert "\n" not in str(caught.value)


def test_what_is_wrong_with_choices_is_said_in_one_line() -> None:
    weather = Choice("weather", ("rain", "sun"))
    for choices, when, message in (
        ((weather,), (("wether", "rain"),), "unknown choice 'wether'; did you mean 'weather'?"),
        ((weather,), (("weather", "ran"),), "unknown option 'ran' of 'weather'; did you mean"),
        ((), (("roof", "open"),), "unknown choice 'roof'; add it to the choices"),
        ((weather, weather), (), "choice 'weather' stands twice"),
        ((Choice("roof", ()),), (), "choice 'roof' has no options; name two or more"),
        ((Choice("roof", ("on", "off", "on")),), (), "the option 'on' twice; leave one out"),
    ):
        with pytest.raises(UsageError, match=re.escape(message)):
            Flow(Procedure("walk", (Step("Go", when=when),), choices=choices))
    flow = Flow(Procedure("walk", (Step("Go", when=(("weather", "rain"),)),), choices=(weather,)))
    for options, message in (
        ({"wether": "rain"}, "unknown choice 'wether'; did you mean 'weather'?"),
        ({"weather": "ran"}, "unknown option 'ran' of 'weather'; did you mean 'rain'?"),
        ({"roof": "on"}, "unknown choice 'roof'; the choices are weather"),
        ({"weather": "fog"}, "unknown option 'fog' of 'weather'; the options are rain and sun"),
    ):
        with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
            flow.under(options)
    with pytest.raises(UsageError, match="unknown choice 'roof'; there are no choices"):
        Flow(Procedure("walk", (Step("Go"),))).under({"roof": "on"})
    never = Step("Go", when=(("weather", "rain"), ("weather", "sun")))
    flow = Flow(Procedure("walk", (never, Step("Stay")), choices=(weather,)))
    with pytest.raises(UsageError, match="no execution carries out step 0"):
        ANALYSES["intervals"].decide(flow, i=0)


def test_choices_survive_a_round_through_json() -> None:
    for number in range(50):
        procedure = drawn.with_choices(Random(f"choices json {number}"))
        assert Procedure.from_json(json.loads(json.dumps(procedure.to_json()))) == procedure
    row = Procedure("walk", (Step("Go"),)).to_json()
    assert not {"choices", "when"} & {*row, *row["steps"][0]}
    row["steps"][0]["when"] = [["weather", "rain"]]
    with pytest.raises(ValueError, match="an option that the procedure does not have"):
        Procedure.from_json(row)


def test_the_oracle_shares_nothing_with_what_it_checks() -> None:
    source = Path(__file__).with_name("choice_oracle.py").read_text(encoding="utf-8")
    imported = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert imported == {"__future__", "collections.abc", "itertools", "typing"}


@pytest.mark.long
@pytest.mark.parametrize("block", range(20))
def test_all_eight_agree_with_the_oracle_on_100000_procedures_with_choices(block: int) -> None:
    for number in range(5000 * (block + 1), 5000 * (block + 2)):
        compare(number, 60, Counter())


@pytest.mark.parametrize("make", [drawn.procedure, drawn.with_choices])
def test_what_is_known_of_a_procedure_goes_with_it_at_once(make: Any) -> None:
    for number in range(20):
        rng = Random(f"freed {number}")
        flow = Flow(make(rng))
        for name, given in asked_of(flow, rng):
            ANALYSES[name].decide(flow, **given)
        left = weakref.ref(flow)
        del flow
        assert left() is None, number
