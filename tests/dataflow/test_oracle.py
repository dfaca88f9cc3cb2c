"""The analyses agree with an oracle that lists every execution."""

from __future__ import annotations

import ast
from collections import Counter
from itertools import permutations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.dataflow import drawn
from tests.dataflow.oracle import Oracle
from thence.core.procedure import Procedure
from thence.dataflow import ANALYSES, Flow

Asked = tuple[str, dict[str, Any]]


def questions(procedure: Procedure, rng: Random) -> list[Asked]:
    """Every question about a procedure; of taint, whose sources are many, a few."""
    flow = Flow(procedure)
    steps, facts = range(len(flow)), flow.facts
    asked: list[Asked] = []
    for i, fact in product(steps, facts):
        asked += [
            (name, {"i": i, "fact": fact}) for name in ("live_variables", "very_busy_expressions")
        ]
    for i, j, fact in product(steps, steps, facts):
        for name in ("reaching_definitions", "available_expressions"):
            asked.append((name, {"i": i, "j": j, "fact": fact}))
    for i, j in permutations(steps, 2):
        asked += [(name, {"i": i, "j": j}) for name in ("type_state", "concurrency")]
    asked += [("intervals", {"i": k}) for k in steps]
    for j in steps:
        given: dict[str, Any] = {"j": j}
        if facts and rng.random() < 0.7:
            given["fact"] = rng.choice(facts)
        if "fact" not in given or rng.random() < 0.5:
            given["i"] = rng.choice(steps)
        if rng.random() < 0.5:
            given["sanitizers"] = rng.sample(steps, rng.randint(1, min(2, len(steps))))
        asked.append(("taint", given))
    return asked


def compare(number: int, most: int, seen: Counter[Any]) -> None:
    rng = Random(f"dataflow oracle {number}")
    procedure = drawn.procedure(rng)
    flow, oracle = Flow(procedure), Oracle(procedure.to_json())
    assert flow.start == oracle.start
    assert flow.is_total == (len(oracle.executions) == 1)
    assert tuple(flow.canonical) == min(oracle.executions)
    asked = questions(procedure, rng)
    for name, given in rng.sample(asked, min(most, len(asked))):
        verdict = ANALYSES[name].decide(flow, **given)
        expected = getattr(oracle, name)(**given)
        assert verdict.answer == expected, f"{number}: {name} {given} of {procedure}: {verdict}"
        seen[name, flow.is_total, str(expected) if name != "intervals" else ""] += 1


@pytest.mark.parametrize("block", range(5))
def test_all_eight_agree_with_the_oracle_on_5000_procedures(block: int) -> None:
    seen = Counter[Any]()
    for number in range(1000 * block, 1000 * (block + 1)):
        compare(number, 45, seen)
    for name, total in product(ANALYSES, (True, False)):
        if name == "intervals":
            assert seen[name, total, ""] > 100
        elif (name, total) == ("concurrency", True):
            assert not seen[name, total, "True"]
        else:
            assert min(seen[name, total, "True"], seen[name, total, "False"]) > 20


def solved(name: str, flow: Flow, oracle: Oracle) -> set[tuple[Any, ...]]:
    """What `DataflowAnalysis.solution` should give, by asking every question that it speaks of."""
    ask, steps = ANALYSES[name].decide, range(len(flow))
    if name in {"reaching_definitions", "available_expressions"}:
        asked = [(i, j, fact) for i, j in permutations(steps, 2) for fact in flow.steps[j].uses]
        return {row for row in asked if ask(flow, *row).answer}
    if name in {"live_variables", "very_busy_expressions"}:
        made = [(i, fact) for i in steps for fact in flow.steps[i].defines]
        return {(i, None, fact) for i, fact in made if ask(flow, i=i, fact=fact).answer}
    if name == "intervals":
        return {(*ask(flow, i=k).answer, None) for k in steps}
    if name == "concurrency":
        return {(i, j, None) for i in steps for j in steps if i < j and ask(flow, i, j).answer}
    if name == "type_state":
        invalid = {j for run in oracle.executions for j in oracle.invalid(run)}
        asked_of = [(i, j) for i, j in permutations(steps, 2) if j not in invalid]
        return {(i, j, None) for i, j in asked_of if not ask(flow, i, j).answer}
    there = sorted(flow.start & set(flow.facts))
    return {(None, j, None) for j in steps for f in there if ask(flow, j=j, fact=f).answer}


def test_a_solution_lists_just_what_deciding_question_by_question_finds() -> None:
    for number in range(400):
        flow = Flow(drawn.procedure(Random(f"dataflow solution {number}")))
        oracle = Oracle(flow.procedure.to_json())
        for name, analysis in ANALYSES.items():
            rows = [(row.i, row.j, row.fact) for row in analysis.solution(flow)]
            assert set(rows) == solved(name, flow, oracle), f"{number}: {name} of {flow.procedure}"
            assert name == "intervals" or len(rows) == len(set(rows))


def test_the_random_procedures_hold_every_kind_of_step_and_order() -> None:
    seen = Counter[str]()
    for number in range(5000):
        procedure = drawn.procedure(Random(f"dataflow oracle {number}"))
        steps, n = procedure.steps, len(procedure.steps)
        order = frozenset(procedure.order)
        chain = n > 1 and Flow(procedure).is_total
        definers = Counter(fact for step in steps for fact in step.defines)
        marks = {
            "one step": n == 1,
            "a chain": chain,
            "an antichain": n > 1 and not order,
            "neither": n > 1 and bool(order) and not chain,
            "order against the text": any(i > j for i, j in order),
            "a step without facts": any(
                not (step.uses or step.defines or step.kills) for step in steps
            ),
            "no facts at all": not any(step.uses or step.defines or step.kills for step in steps),
            "a redefinition": max(definers.values(), default=0) > 1,
            "defines what it uses": any(set(step.defines) & set(step.uses) for step in steps),
            "kills what it uses": any(set(step.kills) & set(step.uses) for step in steps),
            "kills what it defines": any(set(step.kills) & set(step.defines) for step in steps),
            "a stated start": procedure.start is not None,
            "an empty start": procedure.start == (),
        }
        seen.update(name for name, holds in marks.items() if holds)
        for name in marks:
            seen.setdefault(name, 0)
    assert min(seen.values()) >= 50, seen


def test_the_oracle_shares_nothing_with_what_it_checks() -> None:
    source = Path(__file__).with_name("oracle.py").read_text(encoding="utf-8")
    imported = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert imported == {"__future__", "collections.abc", "typing"}


@pytest.mark.long
@pytest.mark.parametrize("block", range(20))
def test_all_eight_agree_with_the_oracle_on_100000_procedures(block: int) -> None:
    for number in range(5000 * (block + 1), 5000 * (block + 2)):
        compare(number, 1000, Counter())
