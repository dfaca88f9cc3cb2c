"""A user's own PDDL that is not what it must be: one line with the file, the line and the mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import refused

DOMAIN = """(define (domain tea)
  (:requirements :strips :typing)
  (:types cup pot - vessel)
  (:predicates (full ?v - vessel) (clean ?c - cup))
  (:action pour
    :parameters (?p - pot ?c - cup)
    :precondition (and (full ?p) (clean ?c))
    :effect (and (full ?c) (not (clean ?c)))))
"""
PROBLEM = """(define (problem morning)
  (:domain tea)
  (:objects c1 c2 - cup p1 - pot)
  (:init (full p1) (clean c1) (clean c2))
  (:goal (and (full c1) (full c2))))
"""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def asked(domain, problem, says, *, changes=False):
    Path("d.pddl").write_bytes(domain if isinstance(domain, bytes) else domain.encode())
    Path("p.pddl").write_bytes(problem if isinstance(problem, bytes) else problem.encode())
    files = ["--set", "domain=d.pddl", "--set", "problem=p.pddl"]
    refused(
        *("generate", "fable/plans/concurrency", "--dialect", "published", "--size", "2"),
        *(*files, "-o", "out.jsonl"),
        says=says,
        changes=changes,
    )


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("(clean c1)", "((clean c1)", ["line 1", "'(' is never closed"]),
        (" (full c2))))", " (full c2", ["line 5", "'(' is never closed"]),
        ("- cup p1", "- mug p1", ["line 3", "unknown type 'mug'", "cup, object, pot"]),
        ("(clean c2)", "(clean p1)", ["line 4", "'p1' is of type 'pot'", "takes 'cup'"]),
        ("(full c2)", "(full c9)", ["line 5", "object 'c9' is not declared"]),
        ("(full c2)", "(fill c2)", ["line 5", "unknown predicate 'fill'", "clean, full"]),
        ("(full c2)", "(full c2 c1)", ["line 5", "takes 1 terms, not 2"]),
        ("domain tea", "domain coffee", ["line 2", "'coffee'", "defines 'tea'"]),
        ("  (:goal (and (full c1) (full c2)))", "", ["problem=p.pddl", "has no :goal"]),
        (PROBLEM, "", ["problem=p.pddl", "holds no definition"]),
    ],
)
def test_a_problem_that_is_not_as_it_must_be(old, new, says):
    assert old in PROBLEM
    asked(DOMAIN, PROBLEM.replace(old, new), ["p.pddl", *says])


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("(clean ?c))\n    :effect", "(cleen ?c))\n    :effect", ["line 7", "'cleen'"]),
        ("?c - cup)\n    :pre", "?c - mug)\n    :pre", ["line 6", "unknown type 'mug'"]),
        ("(full ?c) (not", "(full ?d) (not", ["line 8", "variable '?d' is not declared"]),
        ("(and (full ?p)", "(or (full ?p)", ["line 7", "'or' is not taken"]),
        (DOMAIN, PROBLEM, ["line 1", "(define (domain NAME)"]),
    ],
)
def test_a_domain_that_is_not_as_it_must_be(old, new, says):
    assert old in DOMAIN
    asked(DOMAIN.replace(old, new), PROBLEM, ["--set domain=d.pddl", *says])


def test_what_is_no_text(tmp_path):
    asked(b"\xff\xfe\x00", PROBLEM, ["d.pddl", "not UTF-8 text", "give a PDDL file"])
    asked(DOMAIN, b"\x80", ["p.pddl", "not UTF-8 text", "give a PDDL file"])
    asked(DOMAIN, "(" * 100_000, ["p.pddl"])


def test_a_problem_without_a_plan_or_with_nothing_to_do():
    pytest.importorskip("fast_downward", reason="the extra 'plans' is not installed")
    stuck = PROBLEM.replace("(full p1) ", "")
    says = ["--set problem", "'morning'", "no plan reaches its goal", "mend its :init or :goal"]
    asked(DOMAIN, stuck, says, changes=True)
    done = PROBLEM.replace("(and (full c1) (full c2))", "(full p1)")
    says = ["--set problem", "'morning'", "holds at the start", "mend its :goal"]
    asked(DOMAIN, done, says, changes=True)
