"""Explanations say in the words of the questions what the analyses say in those of data flow."""

from __future__ import annotations

import pytest

from thence.core.procedure import Procedure, Step
from thence.dataflow import Flow, analysis
from thence.families.fable.shared.plain import Verb, plain

TRUE, FALSE = Verb("make", "true"), Verb("make", "false")
IN, AWAY = Verb("bring", "in", is_close=True), Verb("throw", "away", is_close=True)


@pytest.mark.parametrize(
    ("said", "plans"),
    [
        ("Step 2 defines 'p', which can reach", "Step 2 makes 'p' true, which can reach"),
        ("that kills or redefines it (such", "that makes it false or makes it true anew (such"),
        ("no step can kill or redefine it", "no step can make it false or make it true anew"),
        ("and it kills 'on(a, b)'.", "and it makes 'on(a, b)' false."),
        ("Step 9 always redefines 'p' after", "Step 9 always makes 'p' true anew after"),
        ("and it kills and redefines 'p'.", "and it makes 'p' false and makes it true again."),
        ("step 5 can kill it before", "step 5 can make it false before"),
        ("and nothing else defines it again", "and nothing else makes it true again"),
        ("and step 5 defines it, but need", "and step 5 makes it true, but need"),
        ("Step 3 does not define 'p'.", "Step 3 does not make 'p' true."),
        ("Neither what step 12 defines nor", "Neither what step 12 makes true nor"),
        (
            "Step 4 defines 'p', which step 7 kills.",
            "Step 4 makes 'p' true, which step 7 makes false.",
        ),
        ("before step 5, which defines it, and", "before step 5, which makes it true, and"),
    ],
)
def test_facts_of_plans_are_made_true_and_false(said, plans):
    assert plain(said, FALSE, TRUE) == plans


@pytest.mark.parametrize(
    ("said", "use", "words"),
    [
        ("Step 7 can use 'used(a)' after step 5", "need", "Step 7 can need 'used(a)' after step 5"),
        ("before any step uses it", "need", "before any step needs it"),
        ("before it is used", "need", "before it is needed"),
        ("Step 2 uses nothing", "work with", "Step 2 works with nothing"),
        ("before it is used", "work with", "before it is worked with"),
        ("Step 2 uses 'tea', kills 'tea'", "use", "Step 2 uses 'tea', makes 'tea' false"),
    ],
)
def test_what_a_step_uses_is_said_in_the_words_of_the_question(said, use, words):
    assert plain(said, FALSE, TRUE, use) == words


@pytest.mark.parametrize(
    ("said", "recipes"),
    [
        (
            "it kills 'sage' (alone or inside something).",
            "it throws away 'sage' (alone or inside something).",
        ),
        ("that kills or redefines it", "that throws it away or brings it in anew"),
        (
            "Step 1 defines 'sage' (alone or inside something),",
            "Step 1 brings in 'sage' (alone or inside something),",
        ),
        ("nothing else defines it before", "nothing else brings it in before"),
    ],
)
def test_ingredients_are_brought_in_and_thrown_away(said, recipes):
    assert plain(said, AWAY, IN) == recipes


def test_a_fact_that_is_made_anew_is_not_said_to_be_unused():
    """Step 3 uses p, and step 1 defines p; but step 3 has its p from step 2."""
    steps = (
        Step("one", defines=("p",)),
        Step("two", defines=("p",), kills=("q",)),
        Step("three", uses=("p",)),
    )
    flow = Flow(Procedure("", steps, ((0, 1), (1, 2))))
    verdict = analysis("taint").decide(flow, i=0, j=2)
    assert verdict.answer is False
    assert verdict.why == (
        "Neither what step 1 defines nor anything made from it gets to step 3: step 2 redefines "
        "'p' before step 3 uses it."
    )


def test_other_verbs_keep_their_endings():
    out, away = Verb("get", "out", is_close=True), Verb("put", "away", is_close=True)
    said = "step 2 kills 'timer', which step 3 defines, and step 5 defines it, but need not"
    words = "step 2 puts away 'timer', which step 3 gets out, and step 5 gets it out, but need not"
    assert plain(said, away, out) == words
