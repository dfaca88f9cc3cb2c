"""Plans are valid, optimal and the same every time; failures of the planner are told."""

from __future__ import annotations

import logging
import os
import signal
import textwrap
from collections import deque
from random import Random

import pytest

from thence.domains.plans import planner as planning
from thence.domains.plans import problems
from thence.domains.plans.generate import (
    ENGLISH,
    PlanParameters,
    optimal_plan,
    random_plan,
)
from thence.domains.plans.lowering import BUILT_IN_DOMAINS, built_in_domain
from thence.domains.plans.pddl import parse_domain, parse_problem
from thence.domains.plans.planner import Planner, PlannerFailed, Unsolvable
from thence.errors import MissingExtra, UsageError

pytest.importorskip("fast_downward", reason="the extra 'plans' is not installed")

SMALL = {
    "hanoi": {"disks": (2, 3)},
    "gripper": {"balls": (1, 2), "rooms": (2, 3)},
    "ferry": {"cars": (1, 2), "shores": (2, 3)},
    "driverlog": {"drivers": (1, 1), "trucks": (1, 2), "packages": (1, 1), "places": (2, 3)},
}


@pytest.fixture(scope="module")
def planner():
    with Planner() as held:
        yield held


# A second way to plan, which knows only PDDL's own meaning: breadth first over sets of atoms.


def successors(domain, problem, state):
    for action in domain.actions.values():
        for terms in bindings(domain, problem, action):
            given = dict(zip((name for name, _ in action.parameters), terms, strict=True))

            def ground(atoms, given=given):
                return {(atom[0], *(given[term] for term in atom[1:])) for atom in atoms}

            if ground(action.needs) <= state:
                yield (action.name, *terms), (state - ground(action.deletes)) | ground(action.adds)


def bindings(domain, problem, action, chosen=()):
    if len(chosen) == len(action.parameters):
        yield chosen
        return
    for name, types in problem.objects.items():
        if domain.is_a(types, action.parameters[len(chosen)][1]):
            yield from bindings(domain, problem, action, (*chosen, name))


def shortest(domain, problem):
    start, goal = frozenset(problem.init), set(problem.goal)
    waiting, depth = deque([start]), {start: 0}
    while waiting:
        state = waiting.popleft()
        if goal <= state:
            return depth[state]
        for _, after in successors(domain, problem, state):
            if (after := frozenset(after)) not in depth:
                depth[after] = depth[state] + 1
                waiting.append(after)
    return None


@pytest.mark.parametrize("kind", BUILT_IN_DOMAINS)
def test_plans_reach_the_goal_in_as_few_steps_as_breadth_first_search(planner, kind):
    rng = Random(f"plans of {kind}")
    domain = built_in_domain(kind)
    for _ in range(4):
        problem, base = problems.random_problem(kind, SMALL[kind], rng)
        plan = planner.plan(domain, problem, base)
        state = set(problem.init)
        for action in plan:
            state = dict(successors(domain, problem, state))[action]
        assert set(problem.goal) <= state
        assert len(plan) == shortest(domain, problem)
        assert len(planner.plan(domain, problem)) == len(plan)  # without the base


def test_a_plan_depends_on_its_problem_alone(planner):
    rng = Random(5)
    asked = [
        (built_in_domain(kind), *problems.random_problem(kind, problems.SIZES[kind], rng))
        for kind in BUILT_IN_DOMAINS
    ]
    first = [planner.plan(*each) for each in asked]
    with Planner(workers=2) as others:
        assert list(others.plans(reversed(asked))) == first[::-1]


def test_a_base_is_translated_by_one_worker_for_all(monkeypatch):
    problem, base = problems.random_problem("ferry", SMALL["ferry"], Random(4))
    told, ask = [], planning._Worker.ask

    def noted(worker, request, seconds):
        answer = ask(worker, request, seconds)
        told.append(("translated" in request, "translated" in answer))
        return answer

    monkeypatch.setattr(planning._Worker, "ask", noted)
    with Planner(workers=2) as held:  # they take turns
        plans = [held.plan(built_in_domain("ferry"), problem, base) for _ in range(4)]
        assert all(plan == plans[0] for plan in plans)
    assert told == [(False, True), (True, False), (False, False), (False, False)]


def test_a_base_that_does_not_stand_for_the_problem_changes_nothing(planner):
    ferry = built_in_domain("ferry")
    text = (
        "(define (problem p) (:domain ferry) (:objects c1 c2 - car l1 l2 - shore)"
        "(:init (at c1 l1) (at-ferry l1) (empty-ferry) {}) (:goal (and (at c1 l2) {})))"
    )
    odd = parse_problem(text.format("(at c2 l1) (at c2 l2)", "(on c2)"), ferry)
    base = parse_problem(text.format("(at c2 l1)", "(at c2 l2)"), ferry)
    assert planner.plan(ferry, odd, base) == planner.plan(ferry, odd)


def test_there_being_no_plan_is_told_and_the_worker_goes_on(planner):
    ferry = built_in_domain("ferry")
    text = (
        "(define (problem stuck) (:domain ferry) (:objects c1 - car l1 l2 - shore)"
        "(:init (at c1 l1) (empty-ferry)) (:goal (at c1 l2)))"
    )
    with pytest.raises(Unsolvable, match="'stuck': no plan reaches its goal"):
        planner.plan(ferry, parse_problem(text, ferry))
    problem, base = problems.random_problem("ferry", SMALL["ferry"], Random(1))
    assert planner.plan(ferry, problem, base)
    assert planner.restarts == 0


def test_what_the_translator_refuses_is_one_line(planner):
    for domain, problem in (
        ("(", "("),
        ("", ""),
        (built_in_domain("ferry").text, "(define (problem p))"),
    ):
        with pytest.raises((UsageError, PlannerFailed)) as caught:
            planner.solve({"domain": domain, "problem": problem}, "odd")
        assert "'odd'" in str(caught.value) and "\n" not in str(caught.value)


def test_plans_are_the_same_where_only_python_itself_is_to_be_had(planner, monkeypatch, tmp_path):
    program = "import runpy, sys; sys.modules['resource'] = None; runpy.run_path({!r}, None, {!r})"
    bare = tmp_path / "worker.py"
    bare.write_text(program.format(planner._command[2], "__main__"))
    monkeypatch.delattr(os, "killpg")  # as on Windows
    rng = Random("bare")
    asked = [
        (built_in_domain(kind), *problems.random_problem(kind, problems.SIZES[kind], rng))
        for kind in BUILT_IN_DOMAINS
    ]
    with Planner() as held:
        held._command = [*held._command[:2], str(bare), held._command[3]]
        assert list(held.plans(asked)) == list(planner.plans(asked))
        worker = held._idle.get()
        held._idle.put(worker)
    assert held.restarts == 0
    assert worker._process.returncode is not None


def test_the_time_limit_is_told():
    kind = "driverlog"
    sizes = {"drivers": (4, 4), "trucks": (4, 4), "packages": (12, 12), "places": (9, 9)}
    problem, _ = problems.random_problem(kind, sizes, Random(3))
    with Planner(seconds=0.3) as held, pytest.raises(UsageError, match=r"within 0\.3 s"):
        held.plan(built_in_domain(kind), problem)


def fake(monkeypatch, tmp_path, program):
    path = tmp_path / "worker.py"
    path.write_text(textwrap.dedent(program))
    held = Planner(seconds=0.1)
    held._command = [held._command[0], str(path)]
    monkeypatch.setattr(planning, "_GRACE", 0.4)
    return held


REQUEST = {"domain": "", "problem": ""}


def test_a_planner_that_dies_is_started_again_once_and_this_is_said(monkeypatch, tmp_path, caplog):
    program = """
        import pathlib, sys, json
        marks = pathlib.Path(sys.argv[0]).with_suffix(".died")
        for line in sys.stdin:
            if not marks.exists():
                marks.touch()
                sys.exit(1)
            print(json.dumps({"plan": [["a"]]}), flush=True)
    """
    with fake(monkeypatch, tmp_path, program) as held, caplog.at_level(logging.WARNING):
        monkeypatch.setattr(planning, "_GRACE", 20)
        assert held.solve(REQUEST, "p") == (("a",),)
        assert held.restarts == 1
        assert "died on problem 'p'" in caplog.text
    with fake(monkeypatch, tmp_path, "import sys; sys.stdin.readline()") as held:
        monkeypatch.setattr(planning, "_GRACE", 20)
        with pytest.raises(PlannerFailed, match="died on it twice"):
            held.solve(REQUEST, "p")


def test_a_planner_that_hangs_is_ended_and_this_is_said(monkeypatch, tmp_path, caplog):
    program = "import sys, time\nfor line in sys.stdin: time.sleep(60)"
    with fake(monkeypatch, tmp_path, program) as held, caplog.at_level(logging.WARNING):
        with pytest.raises(UsageError, match=r"no plan within 0\.1 s"):
            held.solve(REQUEST, "p")
        assert "hung on problem 'p'" in caplog.text
        assert held._idle.get_nowait() is None
        held._idle.put(None)


def test_a_worker_that_was_killed_is_replaced(caplog):
    ferry = built_in_domain("ferry")
    problem, base = problems.random_problem("ferry", SMALL["ferry"], Random(2))
    with Planner() as held:
        plan = held.plan(ferry, problem, base)
        worker = held._idle.get_nowait()
        os.kill(worker.pid, signal.SIGKILL)
        held._idle.put(worker)
        assert held.plan(ferry, problem, base) == plan
        assert held.restarts == 1


def test_a_missing_planner_names_the_extra(monkeypatch):
    monkeypatch.setattr(planning, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"thence\[plans\]"):
        Planner()


# Generation ---------------------------------------------------------------------------------------


def test_the_same_generator_gives_the_same_plans_and_another_gives_others():
    parameters = PlanParameters(sizes=SMALL)
    first = [random_plan(parameters, Random(seed)).actions for seed in range(6)]
    assert first == [random_plan(parameters, Random(seed)).actions for seed in range(6)]
    assert len(set(first)) > 3


def test_plans_have_the_length_that_is_asked_for():
    parameters = PlanParameters(sizes=SMALL, steps=(4, 6), kinds=("ferry", "hanoi"))
    rng = Random(1)
    assert all(4 <= len(random_plan(parameters, rng).actions) <= 6 for _ in range(6))
    with pytest.raises(UsageError, match="none of 500 problems"):
        random_plan(
            PlanParameters(kinds=("hanoi",), sizes={"hanoi": {"disks": (1, 1)}}, steps=(9, 9)), rng
        )


def test_a_plan_of_ones_own_pddl():
    domain = parse_domain(
        "(define (domain tea) (:predicates (water) (tea) (hot))"
        "(:action boil :precondition (water) :effect (hot))"
        "(:action brew :precondition (and (hot) (not (tea))) :effect (and (tea) (not (hot)))))"
    )
    problem = parse_problem(
        "(define (problem cup) (:domain tea) (:init (water)) (:goal (tea)))", domain
    )
    plan = optimal_plan(domain, problem)
    procedure = plan.procedure()
    assert [step.text for step in procedure.steps] == ["boil", "brew"]
    assert procedure.steps[1].uses == ("hot", "not-tea")
    assert procedure.order == ((0, 1),)
    assert plan.procedure(ENGLISH).goal == "'tea' holds."
