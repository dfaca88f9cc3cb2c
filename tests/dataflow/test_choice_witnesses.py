"""Every witness about a procedure with choices shows what it is a witness of."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from tests.dataflow import drawn
from tests.dataflow.choice_oracle import ChoiceOracle
from tests.dataflow.test_choices import asked_of
from thence.core.procedure import Choice, Procedure, Step
from thence.dataflow import ANALYSES, Flow, Verdict
from thence.dataflow.questions import FlowQuestion
from thence.dataflow.reasons import reason

Given = dict[str, Any]


class Checker:
    """Looks at witnesses about one procedure, with the oracle's lists of executions."""

    def __init__(self, procedure: Given) -> None:
        self.oracle = ChoiceOracle(procedure)
        self.steps = procedure["steps"]
        self.choices = procedure["choices"]

    def does(self, step: int, what: str, fact: str) -> bool:
        return fact in self.steps[step][what]

    def ends(self, step: int, fact: str) -> bool:
        return self.does(step, "kills", fact) or self.does(step, "defines", fact)

    def group(self, witness: Given) -> list[tuple[int, ...]]:
        """The executions under the options of a witness, which names one of each choice."""
        options = witness["options"]
        assert options.keys() == self.choices.keys()
        present = self.oracle.present(options)
        return next(group for group in self.oracle.groups if set(group[0]) == set(present))

    def run(self, witness: Given) -> list[int]:
        assert tuple(witness["execution"]) in self.group(witness)
        return list(witness["execution"])

    def between(self, witness: Given, i: int, j: int) -> list[int]:
        run = self.run(witness)
        assert run.index(i) < run.index(j)
        return run[run.index(i) + 1 : run.index(j)]

    def never_both(self, witness: Given, i: int, j: int) -> str:
        for step, option in zip((i, j), witness["needs"], strict=True):
            assert [witness["choice"], option] in self.steps[step]["when"]
        assert not self.oracle.carried_out(i, j)
        return "never both"

    def stopped(self, witness: Given, i: int, j: int, fact: str) -> bool:
        """Whether in any case one of the steps of a witness ends a fact between two others."""
        steps = witness.get("steps", [witness.get("step")])
        runs = [run for run in self.oracle.executions if i in run and j in run]
        return all(self.ends(step, fact) for step in steps) and all(
            any(run.index(i) < run.index(k) < run.index(j) for k in steps if k in run)
            for run in runs
            if run.index(i) < run.index(j)
        )

    # One method an analysis and answer ----------------------------------------------------------

    def reaching_definitions_true(self, w: Given, i: int, j: int, fact: str) -> str:
        assert self.does(i, "defines", fact)
        assert not any(self.ends(k, fact) for k in self.between(w, i, j))
        return "execution"

    def reaching_definitions_false(self, w: Given, i: int, j: int, fact: str) -> str:
        if "choice" in w:
            return self.never_both(w, i, j)
        if "order" in w:
            assert all(pair in self.oracle.before for pair in pairwise(w["order"]))
            assert (w["order"][0], w["order"][-1]) == (j, i)
            return "order"
        if {"step", "steps"} & w.keys():
            assert self.stopped(w, i, j, fact)
            return "steps" if "steps" in w else "step"
        assert i == j or not self.does(i, "defines", fact)
        return "no definition"

    def available_expressions_true(self, w: Given, i: int, j: int, fact: str) -> str:
        assert self.does(i, "defines", fact)
        assert all(pair in self.oracle.before for pair in pairwise(w["order"]))
        return "order"

    def available_expressions_false(self, w: Given, i: int, j: int, fact: str) -> str:
        if "step" in w:
            assert self.does(w["step"], "kills", fact)
            assert w["step"] in self.between(w, i, j)
            return "step"
        if "execution" in w:
            run = self.run(w)
            assert j in run
            if i not in run:
                return "left out"
            assert run.index(j) < run.index(i)
            return "execution"
        assert i == j or not self.does(i, "defines", fact)
        return "no definition"

    def live_variables_true(self, w: Given, i: int, fact: str) -> str:
        assert self.does(w["step"], "uses", fact)
        assert not any(self.ends(k, fact) for k in self.between(w, i, w["step"]))
        return "execution"

    def live_variables_false(self, w: Given, i: int, fact: str) -> str:
        users = {
            k
            for run in self.oracle.executions
            if i in run
            for k in run[run.index(i) + 1 :]
            if self.does(k, "uses", fact)
        }
        if not {"step", "steps"} & w.keys():
            assert not users
            return "no use"
        assert any(self.stopped(w, i, user, fact) for user in users)
        return "steps" if "steps" in w else "step"

    def very_busy_expressions_true(self, w: Given, i: int, fact: str) -> str:
        steps = w.get("steps", [w.get("step")])
        assert all(self.does(k, "uses", fact) for k in steps)
        assert all(set(steps) & set(run[run.index(i) :]) for run in self.oracle.executions
                   if i in run)  # fmt: skip
        return "steps" if "steps" in w else "step"

    def very_busy_expressions_false(self, w: Given, i: int, fact: str) -> str:
        run = self.run(w) if "execution" in w else list(self.group(w)[0])
        rest = run[run.index(i) + 1 :]
        if "step" in w:
            assert self.ends(w["step"], fact)
            rest = rest[: rest.index(w["step"])]
        assert not any(self.does(k, "uses", fact) for k in rest)
        return "step" if "step" in w else "no use"

    def type_state_true(self, w: Given, i: int, j: int) -> str:
        assert w["step"] == j
        return "uses"

    def type_state_false(self, w: Given, i: int, j: int) -> str:
        assert self.does(j, "uses", w["fact"])
        assert any(not self.oracle.finds(run, i, j) for run in self.group(w))
        if "step" in w:
            assert self.does(w["step"], "kills", w["fact"])
            assert w["step"] in self.group(w)[0]
            return "step"
        return "fact"

    def taint_true(self, w: Given, **given: Any) -> str:
        group, chain = self.group(w), w["chain"]
        flows = self.oracle.flows(group)
        assert chain[0]["from"] == given.get("i")
        assert given.get("fact") in {None, chain[0]["fact"]}
        assert chain[-1]["to"] == given["j"]
        for link in chain:
            source = -1 if link["from"] is None else link["from"]
            assert (source, link["fact"], link["to"]) in flows
        for link, after in pairwise(chain):
            assert link["to"] == after["from"]
            assert link["to"] not in given.get("sanitizers", ())
        return "a chain" if len(chain) > 1 else "a link"

    def taint_false(self, w: Given, **given: Any) -> str:
        if "choice" in w:
            return self.never_both(w, given["i"], given["j"])
        if "sanitizers" not in w:
            assert not self.oracle.taint(**{**given, "sanitizers": ()})
            return "never"
        assert set(w["sanitizers"]) <= set(given["sanitizers"])
        assert self.oracle.taint(**{**given, "sanitizers": ()})
        assert not self.oracle.taint(**{**given, "sanitizers": w["sanitizers"]})
        return "cut"

    def concurrency_true(self, w: Given, i: int, j: int) -> str:
        run = self.run(w)
        assert abs(run.index(i) - run.index(j)) == 1
        return "execution"

    def concurrency_false(self, w: Given, i: int, j: int) -> str:
        if "choice" in w:
            return self.never_both(w, i, j)
        if "order" in w:
            assert {w["order"][0], w["order"][-1]} == {i, j}
            assert all(pair in self.oracle.before for pair in pairwise(w["order"]))
            return "order"
        assert all(self.does(k, what, w["fact"]) for k, what in zip((i, j), w["does"], strict=True))
        return "conflict"

    def intervals(self, w: Given, i: int) -> str:
        assert (w["after"], w["before"]) == self.oracle.intervals(i)
        return "bounds"


KINDS = {
    "reaching_definitions_true": {"execution"},
    "reaching_definitions_false": {"never both", "order", "steps", "step", "no definition"},
    "available_expressions_true": {"order"},
    "available_expressions_false": {"step", "left out", "execution", "no definition"},
    "live_variables_true": {"execution"},
    "live_variables_false": {"no use", "steps", "step"},
    "very_busy_expressions_true": {"steps", "step"},
    "very_busy_expressions_false": {"step", "no use"},
    "type_state_true": {"uses"},
    "type_state_false": {"step", "fact"},
    "taint_true": {"a chain", "a link"},
    "taint_false": {"never both", "never", "cut"},
    "concurrency_true": {"execution"},
    "concurrency_false": {"never both", "order", "conflict"},
    "intervals": {"bounds"},
}


def proved(checker: Checker, name: str, given: Given, verdict: Verdict) -> str:
    kind = name if name == "intervals" else f"{name}_{str(verdict.answer).lower()}"
    assert json.loads(json.dumps(verdict.witness)) == verdict.witness
    return f"{kind}: {getattr(checker, kind)(verdict.witness, **given)}"


def worded(flow: Flow, name: str, given: Given, verdict: Verdict) -> None:
    why = verdict.why
    assert re.fullmatch(r"[A-Z'][^\n]*\.", why), why
    assert not re.search(r"  |None|\{|\}|\.\.$|step 0\b|step -", why), why
    numbers = {int(number) - 1 for number in re.findall(r"[Ss]tep (\d+)", why)}
    assert numbers <= set(range(len(flow))), why
    assert numbers & {given.get("i"), given.get("j")}, why
    named = re.findall(r"(?:[Ww]here|and|,) '(c\d)' is '([xyz])'", why)
    if "options" in verdict.witness:
        assert all(verdict.witness["options"][choice] == option for choice, option in named), why
    else:
        assert not named or re.search("never both|did not sanitise", why), why


def looked_at(numbers: range, most: int) -> Counter[str]:
    seen = Counter[str]()
    for number in numbers:
        rng = Random(f"choices witness {number}")
        flow = Flow(drawn.with_choices(rng))
        checker = Checker(flow.procedure.to_json())
        asked = asked_of(flow, rng)
        for name, given in rng.sample(asked, min(most, len(asked))):
            verdict = ANALYSES[name].decide(flow, **given)
            worded(flow, name, given, verdict)
            seen[proved(checker, name, given, verdict)] += 1
    return seen


def test_every_witness_about_choices_shows_what_it_is_a_witness_of() -> None:
    seen = looked_at(range(300), 60)
    known = {f"{kind}: {each}" for kind, found in KINDS.items() for each in found}
    assert known - {each for each in known if each.endswith(": steps")} <= seen.keys() <= known


def test_steps_of_several_options_prove_an_answer_together() -> None:
    kills, uses = {"kills": ("water",)}, {"uses": ("water",)}
    bridge = Choice("bridge", ("open", "closed"))
    for name, does, j, said in (
        (
            "reaching_definitions",
            kills,
            3,
            "comes between step 1, which defines 'water', and",
        ),
        ("live_variables", kills, None, "comes after step 1 and before step 4, the next that uses"),
        ("very_busy_expressions", uses, None, "comes after step 1 and uses 'water'"),
    ):
        steps = (
            Step("Fill the tank", defines=("water",)),
            Step("Cross the bridge", **does, when=(("bridge", "open"),)),
            Step("Go round", **does, when=(("bridge", "closed"),)),
            Step("Put the fire out", uses=("water",)),
        )
        left = steps if j else (*steps[:3], replace(steps[3], uses=())) if does is uses else steps
        flow = Flow(Procedure("fire", left, ((0, 1), (0, 2), (1, 3), (2, 3)), (), (bridge,)))
        verdict = ANALYSES[name].decide(flow, 0, j, "water")
        assert verdict.answer is (does is uses)
        assert verdict.why.startswith(f"Step 2 or step 3, whichever is carried out, {said}")
        given = {"i": 0, "fact": "water"} | ({} if j is None else {"j": j})
        checker = Checker(flow.procedure.to_json())
        assert proved(checker, name, given, verdict).endswith(": steps")


def test_that_two_steps_are_never_both_carried_out_is_told_before_their_order() -> None:
    bridge = Choice("bridge", ("open", "closed"))
    steps = (Step("Cross", when=(("bridge", "open"),)), Step("Turn", when=(("bridge", "closed"),)))
    flow = Flow(Procedure("go", steps, ((0, 1),), (), (bridge,)))
    verdict = ANALYSES["concurrency"].decide(flow, i=0, j=1)
    assert not verdict.answer
    assert verdict.why.endswith("so never both.")
    assert verdict.witness == {"choice": "bridge", "needs": ["open", "closed"]}
    assert reason(flow, "concurrency", FlowQuestion(0, 1)).name == "never_both"


@pytest.mark.long
def test_every_witness_about_20000_procedures_with_choices_shows_what_it_should() -> None:
    looked_at(range(2000, 22000), 40)
