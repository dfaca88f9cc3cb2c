"""The published rules on plans of every length, against a second way that knows only the table.

The plans are random walks, so that steps repeat, undo each other and follow without purpose, as the
published ones seldom do; the words of the questions are those of the published files.
"""

from __future__ import annotations

from random import Random

import pytest

from thence.domains.plans.generate import GROUNDED, SolvedPlan
from thence.domains.plans.lowering import built_in_domain
from thence.families.fable.plans import audit as audited
from thence.families.fable.plans.published import decided, instance
from thence.families.fable.plans.words import plan_case
from thence.families.fable.shared.analyses import ANALYSES

TABLE = {
    "hanoi": {"move": ("d f t", "on d f, clear d, clear t", "clear f, on d t", "on d f, clear t")},
    "gripper": {
        "move": ("f t", "at-robby f", "at-robby t", "at-robby f"),
        "pick": ("b r g", "at b r, at-robby r, free g", "carry b g", "at b r, free g"),
        "drop": ("b r g", "carry b g, at-robby r", "at b r, free g", "carry b g"),
    },
    "ferry": {
        "board": ("c l", "at c l, at-ferry l, empty-ferry", "on c", "at c l, empty-ferry"),
        "debark": ("c l", "on c, at-ferry l", "at c l, empty-ferry", "on c"),
        "sail": ("f t", "at-ferry f", "at-ferry t", "at-ferry f"),
    },
    "driverlog": {
        "load-truck": ("o k l", "at k l, at o l", "in o k", "at o l"),
        "unload-truck": ("o k l", "at k l, in o k", "at o l", "in o k"),
        "board-truck": ("d k l", "at k l, at d l, empty k", "driving d k", "at d l, empty k"),
        "disembark-truck": ("d k l", "at k l, driving d k", "at d l, empty k", "driving d k"),
        "drive-truck": ("k f t d", "at k f, driving d k", "at k t", "at k f"),
        "walk": ("d f t", "at d f", "at d t", "at d f"),
    },
}
OBJECTS = {"d": 3, "f": 3, "t": 3, "b": 2, "r": 3, "g": 2, "c": 2, "l": 3, "o": 2, "k": 2}
YES_NO = [name for name in ANALYSES if name != "intervals"]


def drawn(kind, length, rng):
    """Actions with their sets of atoms, of any length, executable or not."""
    steps = []
    for _ in range(length):
        if steps and rng.random() < 0.1:
            steps.append(rng.choice(steps))
            continue
        name = rng.choice(sorted(TABLE[kind]))
        letters, *sets = TABLE[kind][name]
        given = {letter: f"{place(letter)}{rng.randint(1, OBJECTS[letter])}"
                 for letter in letters.split()}  # fmt: skip
        done = [{(atom.split()[0], *(given[each] for each in atom.split()[1:]))
                 for atom in part.split(", ")} for part in sets]  # fmt: skip
        done[2] -= done[1]  # deleting comes before adding
        steps.append(((name, *given.values()), *done))
    return steps


def place(letter):
    return {"f": "p", "t": "p", "l": "p", "r": "p"}.get(letter, letter)


def triples(steps):
    """Every definition with a later use that nothing between touches, by brute force."""
    return [
        (i, j, p)
        for i, (_, _, add, _) in enumerate(steps)
        for j in range(i + 1, len(steps))
        for p in sorted(add & steps[j][1])
        if not any(p in step[2] | step[3] for step in steps[i + 1 : j])
    ]


def truth(name, steps, i, j, p):
    """The specification's table, row by row."""
    pre, add, dele = ([step[part] for step in steps] for part in (1, 2, 3))
    following = range(len(steps) - 1)
    rows = {
        "reaching_definitions": lambda: bool(triples(steps)),
        "available_expressions": lambda: True,
        "live_variables": lambda: not any(p in dele[k] for k in range(i + 1, j + 1)),
        "type_state": lambda: bool(add[i] & pre[i + 1]),
        "concurrency": lambda: not (dele[i] & pre[j] or dele[j] & pre[i]),
        "very_busy_expressions": lambda: any(add[k] & pre[k + 1] for k in following),
        "taint": lambda: any(dele[k] & pre[k + 1] for k in following),
    }
    return "Yes" if rows[name]() else "No"


def between(steps, k):
    """The table's interval of step k, 0-based, as the published files print it."""
    a = max((i for i in range(k) if steps[i][2] & steps[k][1]), default=None)
    c = min((j for j in range(k + 1, len(steps)) if steps[k][2] & steps[j][1]), default=None)
    if a is not None and c is not None:
        return f"Between Step {a + 1} and Step {c + 1}"
    if a is not None:
        return f"After Step {a + 1}"
    if c is not None:
        return f"Before Step {c + 1}"
    return "No specific interval found based on immediate dependencies."


def askable(name, steps):
    """Whether the table has an instance, and what it answers where it has none."""
    some = bool(triples(steps))
    busy = any(steps[k][2] & steps[k + 1][1] for k in range(len(steps) - 1))
    if name == "reaching_definitions":
        return some, "No"
    if name in ("available_expressions", "live_variables"):
        return some, "N/A"
    if name == "very_busy_expressions":
        return busy, "No" if len(steps) > 1 else "N/A"
    return len(steps) > 1, "N/A"


def sentence(name, asked):
    """A question in the published form."""
    fact = asked["fact"]
    words = "" if fact is None else repr(tuple(fact.replace("(", ", ").rstrip(")").split(", ")))
    steps = [asked[key] for key in ("i", "j") if asked[key] is not None]
    if name == "reaching_definitions":
        steps.reverse()
    told = " and ".join(f"Step {step + 1} (x)" for step in steps) or "the plan"
    return f"Is '{words}' so of {told}?" if words else f"Is it so of {told}?"


CASES = [(kind, length) for kind in TABLE for length in (1, 2, 2, 2, 3, 4, 5, 7, 9, 12, 15) * 4]


@pytest.mark.parametrize("kind", TABLE)
def test_published_questions_and_the_audit_say_what_the_table_says(kind):
    rng = Random(f"table of {kind}")
    seen = {name: set() for name in ANALYSES}
    for length in [length for each, length in CASES if each == kind]:
        steps = drawn(kind, length, rng)
        case = plan_case(
            SolvedPlan(built_in_domain(kind), (), tuple(step[0] for step in steps)), GROUNDED
        )
        texts = [step.text for step in case.procedure.steps]
        for name in ANALYSES:
            asked = instance(name, case, rng)
            exists, default = askable(name, steps)
            nowhere = {"i": None, "j": None, "fact": None}
            if not exists:
                words = sentence(name, nowhere)
                found = audited._worked_out(name, texts, words, "published")[0]
                assert found == default, (name, texts)
                seen[name].add(default)
                if default == "N/A":
                    assert asked is None
                continue
            question = dict(asked.question)
            found = audited._worked_out(name, texts, sentence(name, question), "published")[0]
            if name == "intervals":
                assert audited._printed(asked.answer) == between(steps, question["i"])
                assert audited._printed(found) == between(steps, question["i"])
                continue
            expected = truth(name, steps, question["i"], question["j"], _atom(question["fact"]))
            assert asked.answer == found == expected, (name, texts, question)
            seen[name].add(expected)
            check_instance(name, steps, question)
    assert seen["taint"] >= {"N/A"} and seen["concurrency"] == {"Yes", "No", "N/A"}
    assert "No" in seen["reaching_definitions"] and "N/A" in seen["live_variables"]


def _atom(fact):
    return None if fact is None else tuple(fact.replace("(", ", ").rstrip(")").split(", "))


def check_instance(name, steps, question):
    """The table's second column: which instance is asked about."""
    i, j, p = question["i"], question["j"], _atom(question["fact"])
    held = triples(steps)
    if name in ("reaching_definitions", "available_expressions"):
        assert (i, j, p) in held and j == min(use for _, use, _ in held)
    elif name == "live_variables":
        assert i == min(maker for maker, _, _ in held)
        assert j == min(use for maker, use, fact in held if (maker, fact) == (i, p))
    elif name == "very_busy_expressions":
        assert j == i + 1 and p in steps[i][2] & steps[j][1]
    elif name == "type_state":
        assert j == i + 1
    elif name == "concurrency":
        assert i != j


def test_a_plan_of_one_step_has_nothing_to_ask_about():
    for action, kind in (
        (("sail", "p1", "p2"), "ferry"),
        (("walk", "d1", "p1", "p2"), "driverlog"),
    ):
        case = plan_case(SolvedPlan(built_in_domain(kind), (), (action,)), GROUNDED)
        told = {name: instance(name, case, Random(0)) for name in ANALYSES}
        assert told["reaching_definitions"].answer == "No"
        assert [name for name, asked in told.items() if asked is not None] == [
            "reaching_definitions"
        ]


def test_steps_may_repeat_and_be_equal():
    steps = plan_case(
        SolvedPlan(built_in_domain("ferry"), (), (("sail", "p1", "p2"), ("sail", "p2", "p1")) * 2),
        GROUNDED,
    ).procedure.steps
    assert decided("live_variables", steps, 0, 1, "at-ferry(p2)") == "No"
    assert decided("concurrency", steps, 0, 2, None) == "No"
    assert decided("intervals", steps, 2, None, None) == {"after": 2, "before": 4}
