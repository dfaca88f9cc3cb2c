"""PDDL is read and checked, and whatever is wrong with it is one clause."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thence.domains.plans.lowering import BUILT_IN_DOMAINS, built_in_domain
from thence.domains.plans.pddl import parse_domain, parse_problem
from thence.domains.plans.sexpr import PddlError

FERRY = built_in_domain("ferry")
PROBLEM = """(define (problem two) (:domain ferry)
  (:objects c1 c2 - car l1 l2 - shore)
  (:init (at c1 l1) (at c2 l2) (at-ferry l1) (empty-ferry))
  (:goal (and (at c1 l2) (at c2 l1))))"""


def test_our_own_domains_are_read():
    assert {name: sorted(built_in_domain(name).actions) for name in BUILT_IN_DOMAINS} == {
        "hanoi": ["move"],
        "gripper": ["drop", "move", "pick"],
        "ferry": ["board", "debark", "sail"],
        "driverlog": [
            "board-truck", "disembark-truck", "drive-truck", "load-truck", "unload-truck", "walk",
        ],
    }  # fmt: skip
    assert "fits" not in built_in_domain("hanoi").fluent
    assert built_in_domain("driverlog").fluent == {"at", "in", "driving", "empty"}


def test_a_problem_is_read_whatever_its_case_and_comments():
    text = PROBLEM.upper().replace("(:GOAL", "; said (so\n(:GOAL")
    problem = parse_problem(text, FERRY)
    assert problem.goal == (("at", "c1", "l2"), ("at", "c2", "l1"))
    assert problem.objects["l2"] == ("shore",)


WRONG = {
    "the bracket": (PROBLEM[:-1], "line 1: '(' is never closed"),
    "one too many": (PROBLEM + ")", "')' closes nothing"),
    "text after": (PROBLEM + " (a)", "stands after the end"),
    "another domain": (PROBLEM.replace("(:domain ferry)", "(:domain boat)"), "domain 'boat'"),
    "unknown type": (PROBLEM.replace("- car", "- lorry"), "'c1' is of unknown type 'lorry'"),
    "wrong type": (PROBLEM.replace("(at c1 l1)", "(at l1 l1)"), "'l1' is of type 'shore', but"),
    "unknown object": (PROBLEM.replace("(at c2 l2)", "(at c3 l2)"), "object 'c3' is not declared"),
    "unknown predicate": (PROBLEM.replace("(empty-ferry)", "(full)"), "unknown predicate 'full'"),
    "arguments": (PROBLEM.replace("(at-ferry l1)", "(at-ferry)"), "takes 1 terms, not 0"),
    "twice": (PROBLEM.replace("c1 c2", "c1 c1"), "object 'c1' is given twice"),
    "no goal": (PROBLEM[: PROBLEM.index("(:goal")] + ")", "has no :goal"),
    "or": (PROBLEM.replace("(and (at c1", "(or (at c1"), "'or' is not taken"),
    "not ASCII": (PROBLEM.replace("c1", "ç1"), "is not ASCII"),
    "NUL": (PROBLEM.replace("two", "t\0"), "NUL"),
    "nothing": ("; empty", "holds no definition"),
    "deep": ("(" * 100_000, "brackets are open"),
    "a section": (PROBLEM.replace("(:init", "(:start"), "section ':start' is not taken"),
}


@pytest.mark.parametrize("case", WRONG, ids=str)
def test_what_is_wrong_with_a_problem_is_said(case):
    text, why = WRONG[case]
    with pytest.raises(PddlError) as caught:
        parse_problem(text, FERRY)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


ACTION = "(:action a :parameters (?x - t) :precondition (p ?x) :effect (not (p ?x)))"
DOMAIN = f"(define (domain d) (:types t u) (:predicates (p ?x - t)) {ACTION})"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("(?x - t) :pre", "(?x - v) :pre", "unknown type 'v'"),
        ("(?x - t) :pre", "(?x - u) :pre", "'?x' is of type 'u', but 'p' takes 't'"),
        (":effect (not (p ?x))", ":effect (when (p ?x) (p ?x))", "'when' is not taken"),
        (":effect (not (p ?x))", ":effect (not (q ?x))", "unknown predicate 'q'"),
        (":effect (not (p ?x))", ":effect (p ?y)", "variable '?y' is not declared"),
        (" :effect (not (p ?x))", "", "has no :effect"),
        (ACTION, "", "has no :action"),
        (ACTION, ACTION * 2, "action 'a' is given twice"),
        ("(:types t u)", "(:types t - u u - t)", "subtype of itself"),
        ("(:types", "(:requirements :adl) (:types", "requirement ':adl' is not taken"),
        ("(domain d)", "(problem d)", "must begin with (define (domain"),
    ],
)
def test_what_is_wrong_with_a_domain_is_said(old, new, why):
    parse_domain(DOMAIN)
    with pytest.raises(PddlError, match=None) as caught:
        parse_domain(DOMAIN.replace(old, new))
    assert why in str(caught.value)


def test_a_subtype_fits_and_either_does_where_both_do():
    text = DOMAIN.replace("(:types t u)", "(:types v - t w - t u)")
    domain = parse_domain(text)
    problem = "(define (problem q) (:domain d) (:objects a - v b - (either v w) c - (either v u))"
    parse_problem(problem + " (:init (p a) (p b)) (:goal (p a)))", domain)
    with pytest.raises(PddlError, match="'c' is of type 'v or u'"):
        parse_problem(problem + " (:init (p c)) (:goal (p a)))", domain)


@given(st.data())
def test_a_mutilated_text_is_refused_in_one_way_or_taken(data):
    text = data.draw(st.sampled_from([PROBLEM, FERRY.text]))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    put = data.draw(st.text(alphabet="()-?;:abn =\n", max_size=6))
    mutilated = text[:start] + put + text[end:]
    try:
        if text == PROBLEM:
            parse_problem(mutilated, FERRY)
        else:
            parse_domain(mutilated)
    except PddlError as error:
        assert "\n" not in str(error) and len(str(error)) < 400
