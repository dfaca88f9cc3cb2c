"""What a prompt about a recipe tells its reader besides the steps, and which names it has."""

from __future__ import annotations

import re
from random import Random

import pytest

from thence.core.procedure import Procedure, Step
from thence.dataflow import Flow
from thence.domains.recipes import additions
from thence.domains.recipes.additions.extension import ExtendedRecipe
from thence.domains.recipes.additions.lines import TOOLS, RecipeLine
from thence.domains.recipes.additions.names import is_said, unsaid
from thence.domains.recipes.additions.utensils import second
from thence.domains.recipes.form import recipe
from thence.domains.recipes.generator import generate
from thence.domains.recipes.lowering import IN_ANY_FORM, lower
from thence.families.fable.recipes import durations
from thence.families.fable.recipes.open_names import drained
from thence.families.fable.recipes.recipe_cases import RecipeCase
from thence.families.fable.recipes.sound import _open_choice
from thence.generation import suite
from thence.generation.plan import Plan


def scripts(count, *, soils=False):
    rng = Random(21)
    made = (additions.extend(generate(rng, anew=True), rng, soils=soils) for _ in range(count))
    return filter(None, made)


def reading(script):
    return " ".join(RecipeCase(script, {}).words[0])


def test_what_is_made_again_for_the_table_is_said_to_be_the_same_thing():
    met = 0
    for script in scripts(900):
        more = [k for k, line in enumerate(script.lines) if line.repeats and not line.when]
        assert ("the same thing as" in reading(script)) == bool(more)
        for k in more:
            first = script.lines.index(script.lines[k].repeats) + 1
            said = rf"Step {k + 1} makes the [\w ]+ again, and \w+ counts? as .* of Step {first}\."
            assert re.search(said, reading(script))
            met += 1
    assert met > 5


def test_steps_for_different_options_set_no_order_between_them():
    met = 0
    for script in scripts(300):
        flow = Flow(script.procedure())
        apart = [
            (i, j)
            for j, line in enumerate(script.lines)
            for i, other in enumerate(script.lines[:j])
            if line.is_apart_from(other)
        ]
        assert ("never both carried out" in reading(script)) == bool(apart)
        reduced = set(flow.procedure.order)
        assert reduced.isdisjoint(apart)
        met += bool(apart)
    assert met > 20


def test_every_tool_is_said_to_be_clean_at_the_start_and_when_it_is_replaced():
    met = 0
    for script in scripts(300, soils=True):
        for tool in TOOLS:
            if second(tool) in script.choices:
                said = f"{tool} is clean at the start, and so is any that replaces it"
                assert said in reading(script)
                met += 1
    assert met > 20


def test_what_is_open_of_a_thing_stays_open_where_its_step_is_left_out():
    met = set()
    for script in scripts(200):
        for k, line in enumerate(script.lines):
            is_open = _open_choice(script, k)
            if is_open:
                (thing,) = (x for x in line.things() if f" {x} " in is_open)
                assert thing not in line.uses
            met.add(bool(is_open))
    assert met == {True, False}


DRAINED = [
    ["Slice {1 red onion|onion}. -> slices"],
    ["Heat {100ml vinegar|vinegar} and {sugar}, pour over <the slices>. -> pickled onion"],
    ["Drain <the pickled onion>. -> drained onion"],
    ["Drain <the drained onion> on kitchen paper. -> dry onion"],
]


def test_what_may_leave_with_a_liquid_is_not_asked_about():
    script = ExtendedRecipe(lower(recipe("Onion", "", "", DRAINED)), Random(1))
    assert set(drained(script.lines)) == {"vinegar" + IN_ANY_FORM, "sugar" + IN_ANY_FORM}
    assert "vinegar" + IN_ANY_FORM in RecipeCase(script, {}).unclear


@pytest.mark.parametrize(
    ("name", "may_leave"),
    [
        ("sesame oil", True),
        ("juice of 1 lemon", True),
        ("sugar snap peas", False),
        ("water chestnuts", False),
        ("milk chocolate", False),
        ("stock cubes", False),
    ],
)
def test_what_is_only_called_after_a_liquid_stays_where_it_is(name, may_leave):
    line = RecipeLine("Drain the bowl.", drains=frozenset({name}))
    assert bool(list(drained([line]))) is may_leave


def test_things_are_asked_about_by_names_that_the_prompt_has():
    assert is_said("fried onions", "fry 2 onions in butter")
    assert is_said("toasted almonds", "toast the almonds")
    assert is_said("chopped berries", "chop a berry")
    assert is_said("soft slices", "slice the onion and soften it")
    assert not is_said("filled tin", "spoon the batter into the tin")
    lines = [RecipeLine("Add garlic to the pan.", uses=["soft onions"], defines=["sauce base"])]
    assert unsaid(lines, "Pasta") == {"soft onions", "sauce base"}
    assert unsaid(lines, "Pasta with soft onions") == {"sauce base"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sauce", "cook in a saucepan"),
        ("salsa", "add salt"),
        ("soup", "stir in the sour cream"),
        ("rice", "spread the ricotta"),
        ("pasta", "fry the paste"),
        ("meat mixture", "shape into meatballs"),
    ],
)
def test_words_that_begin_alike_are_not_one_word(name, text):
    assert not is_said(name, text)


def test_a_time_without_a_range_is_explained_once():
    beans = ("beans",)
    steps = (
        Step("Soak the beans for 60 minutes.", defines=beans),
        Step("Boil the beans for 30 minutes.", uses=beans, defines=beans),
    )
    flow = Flow(Procedure("Beans", steps, ((0, 1),), ()))
    found = durations.question(flow, {"what": "until", "i": 1, "j": None}, {})
    assert found.explanation == "It is 90 minutes: 60 (step 1) + 30 (step 2)."


def test_a_sum_of_listed_steps_is_asked_without_cooks_and_orders():
    met = 0
    for sample in suite.generate(Plan(["fable/recipes/intervals"], seed=501, size=12)):
        if sample.metadata["question"]["what"] == "through":
            assert "share the work" not in sample.input
            assert "permitted order" not in sample.input
            met += 1
        told = 'Ignore "about".' in sample.input
        computed = sample.metadata["question"]["what"] not in durations.STATED
        steps = " ".join(x["text"] for x in sample.metadata["procedure"]["steps"])
        assert told == (computed and "about " in steps)
    assert met


@pytest.mark.parametrize("soils", [False, True])
def test_warm_plates_are_used_where_there_are_any(soils):
    met = 0
    for script in scripts(1500, soils=soils):
        warmed = [line for line in script.lines if "four plates" in line.text]
        for line in warmed:
            users = [x for x in script.lines if "warm plates" in x.uses and x.when == line.when]
            assert len(users) == 1
            met += 1
    assert met
