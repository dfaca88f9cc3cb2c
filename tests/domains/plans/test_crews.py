"""Plans of two crews: each is carried out as if it were alone, in any order of both."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import product
from random import Random

import pytest

from thence.core.procedure import executable
from thence.dataflow import Flow
from thence.domains.plans.crews import side_by_side, with_crews
from thence.domains.plans.generate import PlanParameters, SolvedPlan, shelf
from thence.domains.plans.lowering import built_in_domain, parse_action
from thence.families.fable.plans.sound import opening

SIZES = {
    "driverlog": {"drivers": (1, 2), "trucks": (1, 2), "packages": (2, 4), "places": (2, 3)},
    "gripper": {"balls": (2, 4), "rooms": (2, 2)},
}
WANTED = PlanParameters(("gripper", "driverlog"), SIZES, (8, 18))
solved = pytest.mark.skipif(
    find_spec("fast_downward") is None, reason="the extra 'plans' is not installed"
)
MOVES = ("driver", "truck", "package")


def plan(goal, *actions):
    return SolvedPlan(
        built_in_domain("driverlog"), (parse_action(goal),), tuple(map(parse_action, actions))
    )


ONE = plan(
    "at(package1, s2)", "board-truck(driver1, truck1, s1)", "load-truck(package1, truck1, s1)",
    "drive-truck(truck1, s1, s2, driver1)", "unload-truck(package1, truck1, s2)",
)  # fmt: skip
OTHER = plan(
    "at(package2, s1)", "walk(driver2, s1, s3)", "board-truck(driver2, truck1, s3)",
    "load-truck(package2, truck1, s3)", "drive-truck(truck1, s3, s1, driver2)",
    "unload-truck(package2, truck1, s1)",
)  # fmt: skip


def test_no_step_of_a_crew_is_bound_to_one_of_the_other():
    both = side_by_side(ONE, OTHER, Random(7))
    named = {term for atom in both.actions for term in atom[1:]}
    assert named == {
        "driver1", "driver2", "truck1", "truck2", "package1", "package2", "s1", "s2", "s3",
    }  # fmt: skip
    assert len(both.goal) == 2
    assert [atom[0] for atom in both.actions] == [a[0] for a in (*ONE.actions, *OTHER.actions)]
    flow = Flow(both.procedure())
    for i, j in product(range(len(ONE.actions)), range(len(ONE.actions), len(flow))):
        assert not flow.precedes(i, j) and not flow.precedes(j, i)


def test_places_keep_their_names():
    both = side_by_side(ONE, OTHER, Random(7))
    assert both.actions[2][2:4] == ("s1", "s2") and both.actions[4][2:] == ("s1", "s3")


@solved
def test_plans_of_two_crews_work_and_keep_to_what_is_asked_for():
    found = shelf(WANTED, "a shelf", 12, with_crews)
    crews = [each for each in found if each.domain.name == "driverlog"]
    assert 0 < len(crews) < len(found) == 12
    for each in crews:
        steps = each.procedure().steps
        assert 8 <= len(steps) <= 18
        assert executable(steps, opening(steps))
        terms = {term for atom in (*each.goal, *each.actions) for term in atom[1:]}
        counts = {stem: sum(term.startswith(stem) for term in terms) for stem in MOVES}
        assert counts["driver"] == counts["truck"] == 2 <= counts["package"] <= 4


@solved
def test_what_cannot_be_halved_is_done_by_one_crew():
    sizes = {"driverlog": {**SIZES["driverlog"], "drivers": (1, 1)}}
    alone = PlanParameters(("driverlog",), sizes, (8, 18))
    assert shelf(alone, "a shelf", 3, with_crews) == shelf(alone, "a shelf", 3)


@solved
@pytest.mark.parametrize("steps", [(3, 5), (4, 7), (5, 7)])
def test_where_half_of_the_steps_deliver_nothing_there_is_one_crew(steps):
    alone = PlanParameters(("driverlog",), {"driverlog": SIZES["driverlog"]}, steps)
    assert shelf(alone, "few", 4, with_crews) == shelf(alone, "few", 4)
