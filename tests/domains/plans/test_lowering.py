"""Grounded actions become steps as the specification's table says."""

from __future__ import annotations

from itertools import combinations

import pytest

from thence.domains.plans import english
from thence.domains.plans.lowering import (
    atom_text,
    built_in_domain,
    built_in_domain_of,
    conflict_order,
    effects,
    lowered,
    parse_action,
)
from thence.domains.plans.pddl import parse_domain

TABLE = {
    # what an action needs; adds; deletes
    "hanoi": {
        "move(d, x, y)": "on(d, x), clear(d), clear(y); clear(x), on(d, y); on(d, x), clear(y)",
    },
    "gripper": {
        "move(x, y)": "at-robby(x); at-robby(y); at-robby(x)",
        "pick(b, r, g)": "at(b, r), at-robby(r), free(g); carry(b, g); at(b, r), free(g)",
        "drop(b, r, g)": "carry(b, g), at-robby(r); at(b, r), free(g); carry(b, g)",
    },
    "ferry": {
        "board(c, l)": "at(c, l), at-ferry(l), empty-ferry; on(c); at(c, l), empty-ferry",
        "debark(c, l)": "on(c), at-ferry(l); at(c, l), empty-ferry; on(c)",
        "sail(f, t)": "at-ferry(f); at-ferry(t); at-ferry(f)",
    },
    "driverlog": {
        "load-truck(o, k, l)": "at(k, l), at(o, l); in(o, k); at(o, l)",
        "unload-truck(o, k, l)": "at(k, l), in(o, k); at(o, l); in(o, k)",
        "board-truck(d, k, l)": ("at(k, l), at(d, l), empty(k); driving(d, k); at(d, l), empty(k)"),
        "disembark-truck(d, k, l)": ("at(k, l), driving(d, k); at(d, l), empty(k); driving(d, k)"),
        "drive-truck(k, f, t, d)": "at(k, f), driving(d, k); at(k, t); at(k, f)",
        "walk(d, f, t)": "at(d, f); at(d, t); at(d, f)",
    },
}
ROWS = [(name, action, row) for name, rows in TABLE.items() for action, row in rows.items()]


@pytest.mark.parametrize(("name", "action", "row"), ROWS, ids=[row[1] for row in ROWS])
def test_what_an_action_needs_adds_and_deletes(name, action, row):
    domain = built_in_domain_of([parse_action(action)])
    assert domain is built_in_domain(name)
    done = effects(domain, parse_action(action))
    wanted = [{part.replace(",", ", ").strip() for part in _split(each)} for each in row.split(";")]
    assert [set(map(atom_text, each)) for each in (done.needs, done.adds, done.deletes)] == wanted


def _split(text):
    parts = text.strip().split("), ")
    return [
        part if part.endswith(")") or "(" not in part else part + ")"
        for part in parts
        for part in _words(part)
    ]


def _words(part):
    """``empty-ferry`` may stand before others without brackets."""
    return part.split(", ") if "(" not in part else [part.replace(", ", ",")]


def test_actions_are_read_as_they_are_written():
    for text in ("board(c2, l1)", "noop", "drive-truck(truck1, s1, s2, driver1)"):
        assert atom_text(parse_action(text)) == text
    for text in ("", "board(c2", "board(c2,)", "(c2)", "a b(c)", "x" * 2000):
        with pytest.raises(ValueError, match="is no action"):
            parse_action(text)


def test_actions_of_no_domain_and_of_two_are_told():
    assert built_in_domain_of([("fly", "a", "b")]) is None
    assert built_in_domain_of([("sail", "a", "b"), ("walk", "d", "a", "b")]) is None
    assert built_in_domain_of([("move", "a", "b")]) is built_in_domain("gripper")
    assert built_in_domain_of([("move", "d", "a", "b")]) is built_in_domain("hanoi")


def test_the_order_is_the_closure_of_all_conflicts_reduced():
    actions = [
        parse_action(text)
        for text in (
            "pick(b1, r1, left)", "pick(b2, r1, right)", "move(r1, r2)", "drop(b2, r2, right)",
            "drop(b1, r2, left)", "move(r2, r1)", "pick(b3, r1, right)",
        )
    ]  # fmt: skip
    procedure = lowered(built_in_domain("gripper"), "", actions)
    assert procedure.order == ((0, 2), (1, 2), (2, 3), (2, 4), (3, 5), (4, 5), (5, 6))
    assert procedure.order == conflict_order(procedure.steps)
    reached = set(procedure.order)
    for _ in actions:
        reached |= {(a, d) for a, b in reached for c, d in reached if b == c}
    for i, j in combinations(range(len(actions)), 2):
        one, other = procedure.steps[i], procedure.steps[j]
        clash = (
            set(one.kills) & {*other.uses, *other.defines}
            or set(other.kills) & {*one.uses, *one.defines}
            or set(one.defines) & set(other.uses)
            or set(other.defines) & set(one.uses)
        )
        assert not clash or (i, j) in reached


def test_what_must_not_hold_is_a_fact_of_its_own():
    domain = parse_domain(
        "(define (domain d) (:predicates (p) (q))"
        "(:action a :precondition (not (p)) :effect (p))"
        "(:action b :precondition (p) :effect (and (q) (not (p)) (p)))"
        "(:action c :precondition (q) :effect (not (p))))"
    )
    a, b, c = (effects(domain, (name,)) for name in "abc")
    assert (a.needs, a.adds, a.deletes) == ((("not-p",),), (("p",),), (("not-p",),))
    assert (b.adds, b.deletes) == ((("q",), ("p",)), (("not-p",),))  # adding wins
    assert (c.adds, c.deletes) == ((("not-p",),), (("p",),))


def test_english_names_every_object_of_every_action_and_fact():
    for name in TABLE:
        domain = built_in_domain(name)
        for action in domain.actions.values():
            letters = [chr(ord("A") + place) for place in range(len(action.parameters))]
            text = english.action(name, (action.name, *letters))
            assert text.endswith(".") and all(f"{each}" in text for each in letters)
        for predicate in sorted(domain.fluent):
            letters = ["X", "Y"][: len(domain.predicates[predicate])]
            text = english.fact(name, (predicate, *letters))
            assert all(each in text for each in letters) and "'" not in text.replace("robot's", "")
    assert english.action("other", ("lift-up", "a", "b")) == "Lift up with a and b."
    assert english.goal("ferry", [("at", "c1", "l2")]) == "Car 1 is ashore at shore 2."
