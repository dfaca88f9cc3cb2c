"""What the words of a recipe settle: what comes in where, how long a night is, what is new."""

from __future__ import annotations

from random import Random

from thence.core.procedure import Procedure, Step
from thence.dataflow import Flow, analysis
from thence.domains.recipes import additions
from thence.domains.recipes.additions.extension import ExtendedRecipe
from thence.domains.recipes.form import recipe
from thence.domains.recipes.generator import generate
from thence.domains.recipes.lowering import lower
from thence.families.fable.recipes import cooks, durations
from thence.families.fable.recipes.askable import _needed
from thence.families.fable.recipes.contamination import contaminations
from thence.families.fable.recipes.open_names import open_names
from thence.families.fable.recipes.recipe_cases import RecipeCase
from thence.families.fable.recipes.sound import _depends
from thence.generation import suite
from thence.generation.plan import Plan


def cases(count, *, soils=False):
    rng = Random(4)
    for _ in range(count):
        script = additions.extend(generate(rng, anew=True), rng, soils=soils)
        if script is not None:
            yield RecipeCase(script, {}, cooks.share(len(script.lines), rng))


def test_a_night_is_no_number_of_minutes():
    texts = ["Soak the beans overnight.", "Boil them for 2 minutes.", "Drain them."]
    assert durations.spans_of(texts) == [None, (2.0, 2.0), (0.0, 0.0)]
    supplied = " ".join(line.text for case in cases(60) for line in case.script.lines if line.added)
    assert "overnight" not in supplied


def test_a_repeated_step_without_a_time_has_a_clear_one_only_if_its_model_has_none():
    simmer, chop = "Simmer the sauce for 20 minutes.", "Chop the chives."
    again = "If the sauce is burnt, make it again, as in Step {}."
    assert durations.spans_of([simmer, again.format(1)]) == [(20.0, 20.0), None]
    assert durations.spans_of([chop, again.format(1)]) == [(0.0, 0.0), (0.0, 0.0)]
    told = "If it is burnt, make it again, as in Step 1, which takes 20 minutes."
    assert durations.spans_of([simmer, told]) == [(20.0, 20.0), (20.0, 20.0)]
    assert durations.spans_of([again.format(9)]) == [None]


def test_a_step_that_puts_one_thing_into_another_is_not_left_out():
    topped = Step("Top it with the cheese.", ("dish", "cheese"), ("dish",), ("cheese",))
    covered = Step("Cover the dish.", ("dish",), ("dish",), ())
    assert open_names([topped, covered], {}, frozenset()).steps == {0}


def test_what_a_part_of_a_step_turns_into_something_else_is_not_asked_about():
    met = 0
    for case in cases(1_500):
        for k, line in enumerate(case.script.lines):
            if "slices under a hot grill" in line.text and "garlic bread" in line.things():
                assert line.renames == {"spread slices"}
                assert case.leaves_open("live_variables", {"i": k, "fact": "spread slices"})
                assert case.leaves_open("type_state", {"i": k})
                met += ". " in line.text
    assert met  # it does something else to another thing, too


def test_what_stands_by_halves_in_two_places_is_not_asked_about():
    met = 0
    for case in cases(500):
        for k, line in enumerate(case.script.lines):
            if "into a small bowl for the table" in line.text:
                (thing,) = line.halves
                assert thing in line.uses
                assert case.leaves_open("available_expressions", {"i": k, "fact": thing})
                assert not case.leaves_open("reaching_definitions", {"i": k, "fact": thing})
                met += 1
    assert met


def test_what_is_unsafe_comes_in_where_the_recipe_first_has_it():
    met = 0
    for case in cases(120, soils=True):
        lines = case.script.lines
        for asked in contaminations(case):
            i, name = asked["i"], asked["ingredient"]
            if lines[i].added and f" {name}, " in lines[i].text:
                option = lines[i].text.partition(",")[0]
                assert not any(line.text.startswith(option) for line in lines[:i])
                met += 1
            else:
                assert name not in lines[i].uses
            assert case.bare.steps[asked["j"]].uses != ("oven",)
    assert met


def soils_of(*lines):
    script = ExtendedRecipe(lower(recipe("Leeks", "", "", [[line] for line in lines])), Random(1))
    return [(each["i"], each["j"]) for each in contaminations(RecipeCase(script, {}))]


def test_vegetables_that_are_fried_are_no_hazard():
    first, last = "Slice {3 leeks|leeks}. -> slices", "Stir <the leeks> into {cream}. -> sauce"
    assert soils_of(first, "Fry <the slices> in {butter}. -> leeks", last) == []
    assert soils_of(first, "Toss <the slices> in {butter}. -> leeks", last) == [(0, 1), (0, 2)]


def test_a_prompt_says_what_counts_where_something_is_made_again_or_thrown_away():
    for name, said in (
        ("live_variables", "whichever step has made it or brought it in"),
        ("available_expressions", "anew does not count"),
    ):
        met = 0
        plan = Plan([f"fable/recipes/{name}"], seed=3, size=20, settings={"source": "generator"})
        for sample in suite.generate(plan):
            asked = sample.metadata["question"]
            told = "as in Step" in sample.input or "Once more, " in sample.input
            if name == "available_expressions":
                told = asked["form"] in ("within", "itself")
            if told:
                assert said in sample.input
                met += 1
            assert "eanwhile, " not in "".join(
                step["text"][:12] for step in sample.metadata["procedure"]["steps"]
            )
        assert met


def test_no_time_is_asked_for_where_what_comes_in_anew_may_count():
    for case in cases(40):
        for asked in durations.candidates(case.flow):
            if asked["what"] == "through" and durations.question(case.flow, asked, {}):
                makers = [step for step in case.flow.steps if asked["fact"] in step.defines]
                assert len({step.when for step in makers}) == len(makers)
                assert len(makers) == 1 or all(step.when for step in makers)


def test_nothing_is_asked_of_two_steps_that_are_never_both_carried_out():
    for case in cases(40):
        for asked in _needed(case, sure=False):
            whens = [dict(case.flow.steps[asked[key]].when) for key in ("i", "made")]
            shared = set(whens[0]) & set(whens[1])
            assert all(whens[0][choice] == whens[1][choice] for choice in shared)


def test_the_order_in_which_a_thing_is_lost_need_not_be_the_listed_one():
    tidy = ("scales out",)
    steps = (
        Step("Get the scales out", defines=tidy),
        Step("Put the scales away", uses=tidy, kills=tidy),
        Step("Get the scales out again", defines=tidy),
        Step("Weigh the flour", uses=tidy),
    )
    flow = Flow(Procedure("Dough", steps, ((0, 1), (0, 3)), ()))
    assert not analysis("type_state").decide(flow, i=0, j=3).answer
    assert not _depends(flow, 0, 3, answer=False)
