"""Explanations and questions about recipes keep to what their prompt says."""

from __future__ import annotations

import re
from functools import cache

import pytest

from thence.core.procedure import Choice, Procedure, Step
from thence.dataflow import Flow, analysis
from thence.dataflow.flow import Role
from thence.domains.recipes.lowering import IN_ANY_FORM
from thence.families.fable.recipes import durations
from thence.families.fable.recipes.open_names import said_of_two
from thence.families.fable.recipes.question_base import instance, plural
from thence.generation import suite
from thence.generation.plan import Plan


@cache
def asked(name, size=60):
    settings = {"source": "generator"}
    plan = Plan([f"fable/recipes/{name}"], seed=502, size=size, settings=settings)
    return list(suite.generate(plan))


RICE = (("rice", "brown"),)
STEPS = (
    Step("If you use brown rice, soak it for 30 minutes.", defines=("rice",), when=RICE),
    Step("Boil the rice for 10 minutes.", uses=("rice",), defines=("rice",)),
    Step("Stir the sauce for 5 minutes.", defines=("sauce",)),
)
FLOW = Flow(Procedure("Rice", STEPS, ((0, 1),), ("rice",), (Choice("rice", ("brown", "white")),)))
TOLD = {"rice\nbrown": "you use brown rice", "rice\nwhite": "you use white rice"}


def test_a_time_is_explained_with_the_options_that_it_depends_on():
    found = durations.question(FLOW, {"what": "until", "i": 1, "j": None}, {}, TOLD)
    assert found.explanation == (
        "The least, where you use white rice, is 10 minutes: 10 (step 2). "
        "The most, where you use brown rice, is 40 minutes: 30 (step 1) + 10 (step 2)."
    )
    bare = Step("Drain the rice.", uses=("rice",), defines=("rice",))
    steps = (STEPS[0], bare)
    flow = Flow(Procedure("Rice", steps, ((0, 1),), ("rice",), FLOW.procedure.choices))
    found = durations.question(flow, {"what": "until", "i": 1, "j": None}, {}, TOLD)
    least = "The least, where you use white rice, is 0 minutes, as no step that counts takes any."
    assert found.explanation.startswith(least)


def told(name, steps, i, j, order=()):
    flow = Flow(Procedure("Beans", tuple(steps), order, ()))
    verdict = analysis(name).decide(flow, i=i, j=j)
    why, _ = instance(name, verdict, i, j, None, (), steps=flow.steps).reasons()
    return why


def test_what_is_thrown_away_is_not_said_to_be_used_up():
    steps = (
        Step("Boil the beans.", defines=("beans",)),
        Step("Throw them away.", kills=("beans",)),
        Step("Boil them again.", defines=("beans",)),
        Step("Serve the beans.", uses=("beans",)),
    )
    why = told("type_state", steps, 2, 3, ((0, 1), (1, 2), (2, 3)))
    assert "step 2 throws them away before then" in why


def test_two_steps_are_told_what_keeps_them_apart_or_lets_them_be_done_at_once():
    out = Step("Get out the kitchen tongs.", defines=("kitchen tongs",))
    turn = Step("Turn it.", uses=("kitchen tongs",))
    assert told("concurrency", (out, turn), 0, 1, ((0, 1),)) == (
        "Step 1 must come before step 2, as step 1 gets out the kitchen tongs, "
        "which step 2 works with."
    )
    assert told("concurrency", (out, out), 0, 1) == (
        "No order is required between step 1 and step 2, which both get out the kitchen tongs; "
        "otherwise neither makes, changes, uses up or throws away what the other works with. "
        "The two stand side by side, and can change places, in the order 1, 2."
    )


def test_what_a_later_step_takes_up_and_changes_is_not_said_to_be_made():
    take = Step("Take some of the stock.", uses=("stock",))
    season = Step("Season the stock.", uses=("stock",), defines=("stock",))
    assert told("concurrency", (take, season), 0, 1, ((0, 1),)) == (
        "Step 1 must come before step 2, as step 1 works with the stock, which step 2 changes."
    )


def test_plural_things_have_plural_verbs():
    for name in ("type_state", "reaching_definitions"):
        for sample in asked(name):
            why = sample.metadata["explanation"]
            for thing in re.findall(
                r"the ([a-z -]+?)(?: \(in any form\))?, which (?:is there|(?:always )?reaches)", why
            ):
                assert not plural(thing), why


def test_what_reaches_a_step_is_said_not_to_be_altered():
    found = [sample.metadata["explanation"] for sample in asked("reaching_definitions")]
    assert not any("uses it up or makes it anew" in why for why in found)
    assert any("alters it, uses it up or throws it away" in why for why in found)


@pytest.mark.parametrize("name", ["live_variables", "very_busy_expressions"])
def test_more_of_an_ingredient_is_said_to_count_where_another_step_brings_some_in(name):
    met = set()
    for sample in asked(name):
        question = sample.metadata["question"]
        if question["form"] == "within":
            flow = Flow(Procedure.from_json(sample.metadata["procedure"]))
            several = len(flow.steps_with(Role.DEFINE, question["fact"])) > 1
            assert ("another step brings in count" in sample.input) == several
            assert re.search(r"A step that brings (it|them) in does not \w+ \1", sample.input)
            met.add(several)
    assert True in met


def test_a_step_that_brings_in_anew_is_not_said_to_count_for_nothing():
    said = {
        "within": "What another step brings in anew does not count",
        "itself": "what another step makes anew does not count",
    }
    forms = [
        (each.metadata["question"]["form"], each.input) for each in asked("available_expressions")
    ]
    assert {form for form, _ in forms} >= set(said)
    assert all(said.get(form, "") in prompt for form, prompt in forms)


def test_a_prompt_does_not_say_first_that_cooks_do_not_matter():
    for sample in asked("concurrency", 12):
        head = sample.input.partition("\n\nRecipe:")[0]
        assert "has to come before the other, be it for what they do or for who does them" in head


def test_oil_for_the_leeks_is_not_asked_about_where_a_dressing_has_oil_too():
    oil, other = "olive oil" + IN_ANY_FORM, "oil for the salad" + IN_ANY_FORM
    steps = [
        Step("Fry the leeks in the olive oil.", defines=(oil,)),
        Step("Whisk 3 tablespoons of Olive Oil with vinegar.", defines=(other,)),
        Step("Stir the leeks into the rice.", uses=(oil,)),
    ]
    assert said_of_two(steps) == {oil}
    assert said_of_two([steps[0], steps[2]]) == frozenset()
    onions, red = "onions" + IN_ANY_FORM, "red onion" + IN_ANY_FORM
    named = [Step("Fry 2 onions.", defines=(onions,)), Step("Slice 1 red onion.", defines=(red,))]
    assert said_of_two(named) == {onions}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tomatoes", "Chop 1 tomato."),
        ("tomato", "Chop 2 tomatoes."),
        ("berries", "Set 1 berry by."),
    ],
)
def test_a_name_is_known_again_be_there_one_or_several(name: str, text: str):
    fact = name + IN_ANY_FORM
    steps = [Step("Wash it.", defines=(fact,)), Step(text, defines=("another thing",))]
    assert said_of_two(steps) == {fact}
