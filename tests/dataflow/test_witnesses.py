"""Every witness shows what it is a witness of: checked against the procedure, not the engine."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from tests.dataflow import drawn
from tests.dataflow.oracle import Oracle
from tests.dataflow.test_oracle import questions
from thence.dataflow import ANALYSES, Flow, Verdict

Given = dict[str, Any]


class Checker:
    """Looks at witnesses about one procedure; knows its sets, its order and its executions."""

    def __init__(self, procedure: dict[str, Any]) -> None:
        self.oracle = Oracle(procedure)
        self.steps = procedure["steps"]
        self.order = {tuple(pair) for pair in procedure["order"]}

    def does(self, step: int, what: str, fact: str) -> bool:
        return fact in self.steps[step][what]

    def ends(self, step: int, fact: str) -> bool:
        return self.does(step, "kills", fact) or self.does(step, "defines", fact)

    def is_execution(self, run: Sequence[int]) -> bool:
        place = {step: at for at, step in enumerate(run)}
        return sorted(run) == list(range(len(self.steps))) and all(
            place[a] < place[b] for a, b in self.order
        )

    def is_chain(self, chain: Sequence[int], first: int, last: int) -> bool:
        ends = len(chain) > 1 and (chain[0], chain[-1]) == (first, last)
        return ends and all(pair in self.order for pair in pairwise(chain))

    def between(self, run: Sequence[int], i: int, j: int) -> list[int]:
        assert self.is_execution(run)
        assert run.index(i) < run.index(j)
        return list(run[run.index(i) + 1 : run.index(j)])

    def said(self, witness: Given, fact: str) -> None:
        """The doings that a witness names are the step's."""
        if "does" in witness and "step" in witness:
            for what in witness["does"].split(", "):
                assert self.does(witness["step"], what, fact)

    # One method an analysis and answer, named so -------------------------------------------------

    def reaching_definitions_true(self, w: Given, i: int, j: int, fact: str) -> str:
        assert self.does(i, "defines", fact)
        assert not any(self.ends(k, fact) for k in self.between(w["execution"], i, j))
        return "execution"

    def reaching_definitions_false(self, w: Given, i: int, j: int, fact: str) -> str:
        if "order" in w:
            assert self.is_chain(w["order"], j, i)
            return "order"
        if "step" in w:
            assert self.ends(w["step"], fact)
            assert {(i, w["step"]), (w["step"], j)} <= self.oracle.always_before
            return "step"
        assert i == j or not self.does(i, "defines", fact)
        return "no definition"

    def available_expressions_true(self, w: Given, i: int, j: int, fact: str) -> str:
        assert self.does(i, "defines", fact)
        assert self.is_chain(w["order"], i, j)
        return "order"

    def available_expressions_false(self, w: Given, i: int, j: int, fact: str) -> str:
        if "step" in w:
            assert self.does(w["step"], "kills", fact)
            assert w["step"] in self.between(w["execution"], i, j)
            return "step"
        if "execution" in w:
            self.between(w["execution"], j, i)
            return "execution"
        assert i == j or not self.does(i, "defines", fact)
        return "no definition"

    def live_variables_true(self, w: Given, i: int, fact: str) -> str:
        assert self.does(w["step"], "uses", fact)
        assert not any(self.ends(k, fact) for k in self.between(w["execution"], i, w["step"]))
        return "execution"

    def live_variables_false(self, w: Given, i: int, fact: str) -> str:
        later = [
            k
            for k in range(len(self.steps))
            if self.does(k, "uses", fact) and (i, k) in self.oracle.some_before
        ]
        if "step" not in w:
            assert not later
            return "no use"
        assert self.ends(w["step"], fact)
        assert (i, w["step"]) in self.oracle.always_before
        assert any((w["step"], k) in self.oracle.always_before for k in later)
        return "step"

    def very_busy_expressions_true(self, w: Given, i: int, fact: str) -> str:
        assert self.does(w["step"], "uses", fact)
        assert (i, w["step"]) in self.oracle.always_before
        if "order" in w:
            assert self.is_chain(w["order"], i, w["step"])
            return "order"
        return "step"

    def very_busy_expressions_false(self, w: Given, i: int, fact: str) -> str:
        run = w.get("execution", self.oracle.executions[0])
        assert self.is_execution(run)
        rest = run[run.index(i) + 1 :]
        if "step" in w:
            assert self.ends(w["step"], fact)
            rest = self.between(run, i, w["step"])
        assert not any(self.does(k, "uses", fact) for k in rest)
        return "step" if "step" in w else "no use"

    def type_state_true(self, w: Given, i: int, j: int) -> str:
        assert w["step"] == j
        assert sorted(w.get("facts", [])) == sorted(set(self.steps[j]["uses"]))
        return "uses" if "facts" in w else "nothing used"

    def type_state_false(self, w: Given, i: int, j: int) -> str:
        fact = w["fact"]
        assert self.does(j, "uses", fact)
        assert any(not self._finds(run, i, j, fact) for run in self.oracle.executions)
        if "step" in w:
            assert self.does(w["step"], "kills", fact)
            assert w["step"] != i
            assert (w["step"], j) in self.oracle.some_before
            return "step"
        return "fact"

    def _finds(self, run: Sequence[int], without: int, j: int, fact: str) -> bool:
        there = fact in self.oracle.start
        for step in run[: run.index(j)]:
            if step != without:
                there = self.does(step, "defines", fact) or (
                    there and not self.does(step, "kills", fact)
                )
        return there

    def taint_true(self, w: Given, **given: Any) -> str:
        chain, source = w["chain"], given.get("i")
        assert chain[0]["from"] == source
        assert given.get("fact") in {None, chain[0]["fact"]}
        assert chain[-1]["to"] == given["j"]
        for link in chain:
            start = -1 if link["from"] is None else link["from"]
            assert (start, link["fact"], link["to"]) in self.oracle.reached
            assert self.does(link["to"], "uses", link["fact"])
        for link, after in pairwise(chain):
            assert link["to"] == after["from"]
            assert link["to"] not in given.get("sanitizers", ())
        return "a chain" if len(chain) > 1 else "a link"

    def taint_false(self, w: Given, **given: Any) -> str:
        if "sanitizers" not in w:
            assert not self.oracle.taint(**{**given, "sanitizers": ()})
            return "never"
        assert w["sanitizers"]
        assert set(w["sanitizers"]) <= set(given["sanitizers"])
        assert self.oracle.taint(**{**given, "sanitizers": ()})
        assert not self.oracle.taint(**{**given, "sanitizers": w["sanitizers"]})
        return "cut"

    def concurrency_true(self, w: Given, i: int, j: int) -> str:
        run = w["execution"]
        assert self.is_execution(run)
        assert abs(run.index(i) - run.index(j)) == 1
        return "execution"

    def concurrency_false(self, w: Given, i: int, j: int) -> str:
        if "order" in w:
            a, b = w["order"][0], w["order"][-1]
            assert {a, b} == {i, j}
            assert self.is_chain(w["order"], a, b)
            return "order"
        assert w["does"][0] != w["does"][1]
        assert all(self.does(k, what, w["fact"]) for k, what in zip((i, j), w["does"], strict=True))
        return "conflict"

    def intervals(self, w: Given, i: int) -> str:
        if w["after"] is not None:
            assert (w["after"], i) in self.oracle.always_before
        if w["before"] is not None:
            assert (i, w["before"]) in self.oracle.always_before
        return "bounds"


KINDS = {
    "reaching_definitions_true": {"execution"},
    "reaching_definitions_false": {"order", "step", "no definition"},
    "available_expressions_true": {"order"},
    "available_expressions_false": {"step", "execution", "no definition"},
    "live_variables_true": {"execution"},
    "live_variables_false": {"no use", "step"},
    "very_busy_expressions_true": {"order", "step"},
    "very_busy_expressions_false": {"no use", "step"},
    "type_state_true": {"uses", "nothing used"},
    "type_state_false": {"fact", "step"},
    "taint_true": {"a chain", "a link"},
    "taint_false": {"never", "cut"},
    "concurrency_true": {"execution"},
    "concurrency_false": {"order", "conflict"},
    "intervals": {"bounds"},
}


def looked_at(
    numbers: range, look: Callable[[Checker, Flow, str, Given, Verdict], str]
) -> Counter[str]:
    """Looks at some verdicts of many random procedures; counts what is seen."""
    seen = Counter[str]()
    for number in numbers:
        rng = Random(f"dataflow witness {number}")
        procedure = drawn.procedure(rng)
        flow, checker = Flow(procedure), Checker(procedure.to_json())
        asked = questions(procedure, rng)
        for name, given in rng.sample(asked, min(40, len(asked))):
            seen[look(checker, flow, name, given, ANALYSES[name].decide(flow, **given))] += 1
    return seen


def proved(checker: Checker, _: Flow, name: str, given: Given, verdict: Verdict) -> str:
    kind = name if name == "intervals" else f"{name}_{str(verdict.answer).lower()}"
    assert json.loads(json.dumps(verdict.witness)) == verdict.witness
    if "fact" in given:
        checker.said(verdict.witness, given["fact"])
    return f"{kind}: {getattr(checker, kind)(verdict.witness, **given)}"


def test_every_witness_shows_what_it_is_a_witness_of() -> None:
    seen = looked_at(range(400), proved)
    assert seen.keys() == {f"{kind}: {each}" for kind, found in KINDS.items() for each in found}


@pytest.mark.long
def test_every_witness_of_20000_procedures_shows_what_it_is_a_witness_of() -> None:
    looked_at(range(2000, 22000), proved)


def worded(_: Checker, flow: Flow, name: str, given: Given, verdict: Verdict) -> str:
    why = verdict.why
    assert re.fullmatch(r"[A-Z'][^\n]*\.", why), why
    assert not re.search(r"  |None|\{|\}|\.\.$|step 0\b|step -", why), why
    numbers = [int(number) for number in re.findall(r"[Ss]tep (\d+)", why)]
    assert all(1 <= number <= len(flow) for number in numbers), why
    told = {given[key] + 1 for key in ("i", "j") if given.get(key) is not None}
    assert told & set(numbers), why
    if given.get("fact") is not None and name != "taint" and "before step" not in why:
        assert f"'{given['fact']}'" in why, why
    if flow.is_total and name != "intervals":
        assert " can " not in why, why
        assert "always" not in why, why
    return name


def test_every_explanation_is_a_sentence_about_the_steps_asked_about() -> None:
    assert set(looked_at(range(300), worded)) == set(ANALYSES)
