"""Crews that hand packages on: the plan of all works, and only what is handed on ties two crews."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import combinations, islice, pairwise
from random import Random

import pytest

from thence.core.graph import Graph
from thence.core.procedure import Procedure, executable
from thence.domains.plans.relays import firm_links, procedures, strands
from thence.generation.plan import Plan
from thence.generation.suite import generate

pytest.importorskip("fast_downward", reason="the extra 'plans' is not installed")


@pytest.fixture(scope="module")
def made():
    return list(islice(procedures(Random(4)), 40))


def crews(procedure):
    """Return for each step its crew, by following who gets into which truck."""
    drives = dict(
        re.findall(r"(Driver \d) gets into (truck \d)", " ".join(s.text for s in procedure.steps))
    )
    named = [re.search(r"truck \d", step.text) for step in procedure.steps]
    return [
        each[0] if each else drives[re.match(r"Driver \d", step.text)[0]]
        for each, step in zip(named, procedure.steps, strict=True)
    ]


def start(procedure):
    """Return what has to hold at first: what a step needs and no step before it made or ended."""
    begun, later = set(), set()
    for step in procedure.steps:
        begun |= {*step.uses} - later
        later |= {*step.defines, *step.kills}
    return begun


def end(steps, held):
    """Return what holds after some steps, or None where one cannot be carried out."""
    held = set(held)
    for step in steps:
        if not held.issuperset(step.uses):
            return None
        held = held - {*step.kills} | {*step.defines}
    return held


def test_plans_are_the_same_for_a_seed_and_work_as_they_are_listed(made):
    assert made[:5] == list(islice(procedures(Random(4)), 5))
    assert len({tuple(step.text for step in each.steps) for each in made}) == len(made)
    for each in made:
        begun = start(each)
        assert executable(each.steps, begun)
        places = [fact for fact in begun if fact.startswith("at(")]
        assert len({fact.partition(",")[0] for fact in places}) == len(places)  # each is once


def test_each_crew_has_one_driver_and_one_truck_and_packages_are_handed_on(made):
    for each in made:
        whose, handlers = crews(each), defaultdict(set)
        assert 2 <= len(set(whose)) <= 3
        for step, crew in zip(each.steps, whose, strict=True):
            for package in re.findall(r"package \d", step.text.lower()):
                handlers[package].add(crew)
        assert sum(len(found) - 1 for found in handlers.values()) >= 1
        drivers = {(driver, crew) for step, crew in zip(each.steps, whose, strict=True)
                   for driver in re.findall(r"Driver \d", step.text)}  # fmt: skip
        assert len(drivers) == len({driver for driver, _ in drivers}) == len(set(whose))


def test_a_package_stands_where_a_crew_left_it(made):
    for each in made:
        at = {}
        for step in each.steps:
            name, place = re.findall(r"package \d", step.text.lower()), step.text[-11:-1]
            if name and step.text.startswith("Unload"):
                at[name[0]] = place
            elif name:
                assert at.get(name[0], place) == place


def test_no_package_is_taken_away_from_where_it_has_to_be_in_the_end(made):
    for each in made:
        ends = dict(re.findall(r"(package \d) is at (location \d)", each.goal.lower()))
        assert ends
        loaded = (re.match(r"load (package \d) .* at (location \d)", step.text.lower())
                  for step in each.steps)  # fmt: skip
        assert not any(ends.get(found[1]) == found[2] for found in loaded if found)


def test_steps_of_two_crews_keep_their_order_only_by_a_package_that_is_handed_on(made):
    """The order is found anew: steps of a crew by the planner's list, packages hand to hand."""
    tied = free = 0
    for each in made:
        whose, count = crews(each), len(each.steps)
        links = [(i, j) for i, j in combinations(range(count), 2) if whose[i] == whose[j]]
        last = {}
        for k, step in enumerate(each.steps):
            for package in re.findall(r"package \d", step.text.lower()):
                if package in last:
                    links.append((last[package], k))
                last[package] = k
        graph, loose = Graph(count, each.order), Graph(count, links)
        for i, j in combinations(range(count), 2):
            if whose[i] != whose[j]:
                assert loose.reaches(i, j) or not graph.reaches(i, j)
                tied += graph.reaches(i, j)
                free += not graph.reaches(i, j)
    assert min(tied, free) > 800


def test_strands_are_crews_and_packages(made):
    for each in made:
        for step, crew, found in zip(each.steps, crews(each), strands(each), strict=True):
            about = re.findall(r"package \d", step.text.lower())
            assert found == {name.replace(" ", "") for name in (crew, *about)}


def later_first(procedure, i, j):
    """Look for an order that works with step j before step i, depth first; None where none does."""
    steps, wanted = procedure.steps, end(procedure.steps, start(procedure))
    hopeless = set()

    def search(done, held):
        if len(done) == len(steps):
            return list(done) if held == wanted else None
        key = frozenset(done), frozenset(held)
        if key in hopeless:
            return None
        for k, step in enumerate(steps):
            if k not in done and (k != i or j in done) and held.issuperset(step.uses):
                found = search([*done, k], held - {*step.kills} | {*step.defines})
                if found:
                    return found
        hopeless.add(key)
        return None

    return search([], start(procedure))


def test_a_firm_link_holds_in_every_order_that_works_and_others_do_not(made):
    """Some conflicting steps may change places: a load of the second visit is done at the first."""
    loose = 0
    for each in made[:12]:
        firm = set(firm_links(each))
        for i, j in each.order:
            order = later_first(each, i, j)
            assert (order is None) == ((i, j) in firm)
            if order:
                assert order.index(j) < order.index(i)
                assert end([each.steps[k] for k in order], start(each)) == end(
                    each.steps, start(each)
                )
                loose += 1
    assert loose > 5


def test_no_question_says_that_a_step_must_come_first_that_may_come_later():
    asked = generate(Plan(["catbench/order"], 3, 60, settings={"source": "plans"}), 1)
    for sample in asked:
        procedure = Procedure.from_json(sample.metadata["procedure"])
        i, j = sample.metadata["question"]["i"], sample.metadata["question"]["j"]
        low, high = sorted((i, j))
        must = sample.target == "yes"
        assert (later_first(procedure, low, high) is None) == must
        if must:
            chain = sample.metadata["witness"]["chain"]
            assert all(later_first(procedure, a, b) is None for a, b in pairwise(chain))
