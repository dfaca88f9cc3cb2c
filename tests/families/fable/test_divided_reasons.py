"""Reasons that are divided agree with a look at every execution under every option."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from tests.dataflow import drawn
from tests.dataflow.choice_oracle import ChoiceOracle
from tests.dataflow.test_choices import asked_of
from thence.dataflow import ANALYSES, Flow
from thence.dataflow.questions import FlowQuestion
from thence.dataflow.reasons import reason
from thence.families.fable.shared.divided_reasons import DIVISIONS, finer_reason, quick_reason
from thence.families.fable.shared.needed_parts import NeededParts
from thence.generation import suite
from thence.generation.plan import Plan

DRAWN = 700
CELLS = [name for name in ANALYSES if name != "intervals"]


class Executions(ChoiceOracle):
    """Every execution of a small procedure, its listed order and which steps depend on others."""

    def __init__(self, procedure):
        super().__init__(procedure.to_json())
        self.first = {choice.name: choice.options[0] for choice in procedure.choices}
        self.listed = []
        while len(self.listed) < self.n:
            left = [k for k in range(self.n) if k not in self.listed]
            self.listed.append(
                next(k for k in left if not any((a, k) in self.before for a in left))
            )

    def between(self, i, j):
        """The steps that are listed after step i and before step j."""
        return self.listed[self.listed.index(i) + 1 : self.listed.index(j)]

    def first_options(self, *steps):
        """The steps carried out under the first options with which some steps are."""
        options = dict(self.first)
        for step in steps:
            options.update(reversed(self.whens[step]))
        return self.present(options)

    def runs(self, *steps):
        return [run for run in self.executions if {*steps} <= {*run}]

    def is_before(self, a, b):
        """Whether step a comes first wherever both are carried out, which they can be."""
        runs = self.runs(a, b)
        return bool(runs) and all(run.index(a) < run.index(b) for run in runs)

    def conflicts(self, a, b):
        roles = (self.use, self.define, self.kill)
        return any(one[a] & other[b] for one, other in permutations(roles, 2))

    def depends(self, k, on):
        return self.is_before(on, k) and self.conflicts(on, k)

    def reached(self, step):
        """The steps to which a chain leads, each step of which depends on the one before it."""
        found = {step}
        while more := {
            k for k in range(self.n) for a in found if k not in found and self.depends(k, a)
        }:
            found |= more
        return found


def killed(every, asked):
    i, j = asked.i, asked.j
    found = {
        k
        for run in every.runs(j)
        for k in run[run.index(i) + 1 : run.index(j)]
        if asked.fact in every.kill[k]
    }
    first = {*every.first_options(i, j)}
    between = found & {*every.between(i, j)}
    if between:
        return "killed_between" if between & first else "killed_by_option"
    if any(every.listed.index(k) < every.listed.index(i) for k in found):
        return "killed_later"
    return "killed_earlier" if found & first else "killed_earlier_by_option"


def outside(every, asked):
    i, j = asked.i, asked.j
    late = any(
        run.index(k) > run.index(i)
        for run in every.runs(i, j)
        for k in run
        if k not in {i, j} and asked.fact in every.kill[k]
    )
    if not late:
        return "killer_before"
    return "killer_after_use" if asked.fact in every.use[j] else "killer_after_unused"


def ended(every, asked):
    for run in every.runs(asked.i):
        listed = [k for k in every.listed if k in run]
        if not every._used(run, asked.i, asked.fact) and list(run) == listed:
            return "ended_as_listed"
    return "ended_in_race"


def users(every, asked):
    return {
        k
        for run in every.runs(asked.i)
        for k in run[run.index(asked.i) + 1 :]
        if asked.fact in every.use[k]
    }


def remade(every, asked):
    return "remade_before_uses" if len(users(every, asked)) > 1 else "remade_before_use"


def used(every, asked):
    return "one_of_users" if len(users(every, asked)) > 1 else "only_user"


def made(every, asked):
    facts = every.define[asked.i] & every.use[asked.j]
    again = any(
        facts & every.define[k] and every.carried_out(k) for k in every.between(asked.i, asked.j)
    )
    return "made_again" if again else "made_elsewhere"


def met(every, asked):
    i, j = asked.i, asked.j
    kept = every.is_before(i, j) or every.is_before(j, i)
    return "conflict_in_order" if kept else "conflict_alone"


def chained(every, asked):
    i, j = asked.i, asked.j
    first, last = (i, j) if every.is_before(i, j) else (j, i)
    return "chain_of_facts" if last in every.reached(first) else "chain_of_turns"


def apart(every, asked):
    first, last = sorted((asked.i, asked.j), key=every.listed.index)
    found = any(every.depends(k, first) for k in every.between(first, last))
    return "depended_on" if found else "independent"


EXPECTED = {
    ("available_expressions", "killer_outside"): outside,
    ("available_expressions", "killed"): killed,
    ("live_variables", "remade"): remade,
    ("very_busy_expressions", "only_users"): used,
    ("very_busy_expressions", "ended_first"): ended,
    ("type_state", "another_maker"): made,
    ("concurrency", "conflict"): met,
    ("concurrency", "chain"): chained,
    ("concurrency", "nothing_in_common"): apart,
}


def test_of_no_worlds_none_carries_out_the_steps_asked_about():
    parts, asked = NeededParts(Flow(drawn.procedure(Random(1)))), {"i": 0, "j": 1}
    assert len(parts.worlds_of("concurrency", asked)) == 1
    assert parts.worlds_of("concurrency", asked, []) == []


def compare(number, seen):
    rng = Random(f"divided reasons {number}")
    flow = Flow(drawn.with_choices(rng) if number % 3 else drawn.procedure(rng))
    every, parts = Executions(flow.procedure), None
    if flow.canonical == tuple(range(len(flow))):
        parts = NeededParts(flow)
    assert list(flow.canonical) == every.listed
    asked_here = asked_of(flow, rng)
    for name, given in rng.sample(asked_here, min(len(asked_here), 60)):
        if name == "intervals" or given.get("i") in {None, given.get("j")}:
            continue
        asked = FlowQuestion(
            given["i"], given.get("j"), given.get("fact"), frozenset(given.get("sanitizers", ()))
        )
        coarse, found = reason(flow, name, asked).name, finer_reason(flow, name, asked)
        makes = given.get("fact", "") in {"", *flow.steps[asked.i].defines}
        if parts and makes and not (name == "taint" and "fact" in given):
            assert quick_reason(parts, name, given) == found
        if (name, coarse) not in DIVISIONS:
            assert found == coarse
            continue
        expected = EXPECTED[name, coarse](every, asked)
        assert found == expected, (number, name, asked, flow.procedure)
        seen.add((name, coarse, found))


def test_divided_reasons_agree_with_every_execution():
    seen = set()
    for number in range(DRAWN):
        compare(number, seen)
    assert seen == {
        (*key, each.name) for key, division in DIVISIONS.items() for each in division.reasons
    }


@pytest.mark.parametrize("domain", ["recipes", "runbooks"])
@pytest.mark.parametrize("name", sorted({name for name, _ in DIVISIONS}))
def test_no_reason_is_divided_and_given_as_a_whole(domain, name):
    plan = Plan([f"fable/{domain}/{name}"], seed=0, size=12)
    reasons = {sample.metadata["reason"] for sample in suite.generate(plan)}
    assert not {(name, each) for each in reasons} & DIVISIONS.keys()


@pytest.mark.long
@pytest.mark.parametrize("domain", ["recipes", "runbooks"])
@pytest.mark.parametrize("name", CELLS)
def test_each_answer_has_three_reasons_none_of_which_prevails(domain, name):
    made = list(suite.generate(Plan([f"fable/{domain}/{name}"], seed=17, size=200)))
    for answer in ("Yes", "No"):
        reasons = [each.metadata["reason"] for each in made if each.target == answer]
        assert len({*reasons}) >= 3
        assert max(map(reasons.count, reasons)) <= 0.5 * len(reasons)
