"""The analyses agree with an oracle that lists every execution."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from tests.dataflow import drawn
from tests.dataflow.oracle import Oracle
from thence.dataflow import ANALYSES, Flow
from thence.kernel.procedure import Procedure

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


@pytest.mark.long
@pytest.mark.parametrize("block", range(20))
def test_all_eight_agree_with_the_oracle_on_100000_procedures(block: int) -> None:
    for number in range(5000 * (block + 1), 5000 * (block + 2)):
        compare(number, 1000, Counter())
