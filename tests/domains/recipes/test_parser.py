"""The parser of free text: reference, ellipsis, mixtures, markers; and how often it is right."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domains.recipes.posted import posted
from thence.domains.recipes.book import cookbook
from thence.domains.recipes.clauses import cut, sentences, tokens
from thence.domains.recipes.generator import generate
from thence.domains.recipes.lowering import reachable
from thence.domains.recipes.parser import parse, steps_of


def links(*steps, title=""):
    return {(each.source, each.to): each.rule for each in parse(title, steps).links}


def test_a_preheated_oven_refers_back_past_other_steps():
    found = links(
        "Preheat the oven to 180 C.",
        "Mix the flour, sugar and butter in a bowl.",
        "Bake in the preheated oven for 20 minutes.",
    )
    assert found == {(0, 2): "oven", (1, 2): "unsaid"}


def test_mixtures_hold_their_parts():
    parsed = parse("", ["Whisk the eggs with the milk.", "Stir in the flour.", "Bake for 1 hour."])
    last = parsed.lowered.procedure.steps[2]
    assert {"eggs, in any form", "milk, in any form", "flour, in any form"} <= set(last.uses)


def test_pronouns_and_wholes_mean_what_was_made_last():
    found = links("Chop the onions and fry them.", "Whisk the eggs.", "Pour the mixture over them.")
    assert found[1, 2] == "whole"


def test_a_name_reaches_over_what_stands_between():
    found = links("Grate the cheese.", "Boil the pasta and drain it.", "Scatter with the cheese.")
    assert found[0, 2] == "named"


def test_meanwhile_begins_something_of_its_own():
    found = links("Simmer the lentils for 20 minutes.", "Meanwhile, chop the parsley.")
    assert found == {}


def test_a_part_leaves_the_rest():
    found = links("Make a sauce from tomatoes.", "Spread half of the sauce over bread.",
                  "Serve with the remaining sauce.")  # fmt: skip
    assert (0, 1) in found
    assert (0, 2) in found


def test_what_cannot_be_placed_is_said():
    parsed = parse("", ["Pour the gravy over the plates."])
    assert parsed.unplaced == ((0, "gravy"),)
    assert all(0 < fact.sure <= 1 for fact in parsed.facts)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [  # for each step, counted from 1, the steps that it works with
        (["Bake the cake for 30 minutes.", "While it cools, whisk lemon juice with icing sugar."],
         [[], []]),
        (["Simmer the stew for 1 hour.", "For the dumplings, rub the suet into flour.",
          "Drop the dumplings onto the stew."], [[], [], [1, 2]]),
        (["Brown the lamb in oil.", "Remove the lamb to a plate.",
          "In the same pan, soften an onion.", "Return the lamb to the pan."],
         [[], [1], [2], [2, 3]]),
        (["Boil the beans until soft.", "Fry an onion in oil.", "Add the beans and cook gently."],
         [[], [], [1, 2]]),
        (["Fry the fish in butter.", "The butter should be pale brown.", "Serve it with lemon."],
         [[], [], [1]]),
        (["Put a heavy pot in the oven and let it get hot.", "Knead flour with water to a dough.",
          "Turn the dough into the pot."], [[], [], [1, 2]]),
        (["Simmer the tomatoes until soft and add the basil.", "Roast the peppers.",
          "Make a dressing from oil and vinegar.", "Toss the peppers in it."],
         [[], [], [], [2, 3]]),
        (["Stir most of the parsley into the soft cheese.", "Fry the salmon.",
          "Scatter the rest of the parsley over the salmon."], [[], [], [1, 2]]),
        (["Separate 3 eggs.", "Whisk the whites until stiff.", "Beat the yolks with sugar.",
          "Fold the whites into the yolks."], [[], [1], [1], [2, 3]]),
        (["Whip the cream.", "Slice the strawberries.", "Spoon the cream on top."],
         [[], [], [1, 2]]),
        (["Oven 200C.", "Roast the squash 30 min.", "Back in the oven for 10 min.", "Serve."],
         [[], [1], [1, 2], [3]]),
        (["Get the oven going at 190 C.", "Knead flour with water to a dough.", "Bake it."],
         [[], [], [1, 2]]),
        (["Toss the pork with half the garlic.", "Fry an onion with the remaining garlic.",
          "Grill the pork."], [[], [1], [1]]),
    ],
)  # fmt: skip
def test_what_a_step_works_with(steps, expected):
    found = [[each.source + 1 for each in parse("", steps).links if each.to == k]
             for k in range(len(steps))]  # fmt: skip
    assert found == expected


@pytest.mark.parametrize(
    ("name", "precision", "recall"),
    [
        ("posted.txt", 0.95, 0.92),
        ("posted_third.txt", 0.94, 0.84),
        ("posted_fourth.txt", 0.90, 0.92),
    ],
)
def test_dependencies_of_posted_recipes_are_found(name, precision, recall):
    found = true = right = 0
    for each in posted(name):
        before = reachable(parse(each.title, each.steps).lowered.procedure)
        pairs = {(i, j) for j, bits in enumerate(before) for i in range(j) if bits >> i & 1}
        found, true = found + len(pairs), true + len(each.dependencies)
        right += len(pairs & each.dependencies)
    assert right / found >= precision
    assert right / true >= recall


@pytest.mark.parametrize(
    ("steps", "unplaced"),
    [
        (["Stir the mixture well."], [(0, "mixture")]),
        (["Fry it gently."], [(0, "it")]),
        (["Chop the onion.", "Bake it in the preheated oven."], [(1, "preheated oven")]),
        (["Chop the onion.", "Fry it in the remaining oil."], [(1, "remaining oil")]),
        (["Heat the oven to 180 C.", "Roast the nuts in the preheated oven."], []),
    ],
)
def test_nothing_is_placed_by_force(steps, unplaced):
    assert list(parse("", steps).unplaced) == unplaced


def test_clauses_know_verbs_from_nouns():
    (first, second) = cut(tokens("Butter the dish and whisk the cream with salt."))
    assert (first.verb, [chunk.head for chunk in first.chunks]) == ("butter", ["dish"])
    assert (second.verb, [chunk.prep for chunk in second.chunks]) == ("whisk", ["", "with"])


def test_a_pipeline_of_the_users_may_name_the_ingredients():
    parsed = parse("", ["Chop the onion."], phrases=lambda text: ["the small red onion"])
    assert parsed.lowered.traces[0].brings == ["the small red onion"]


def _shares(found, true):
    right = sum((a & b).bit_count() for a, b in zip(found, true, strict=True))
    return right, sum(a.bit_count() for a in found), sum(b.bit_count() for b in true)


def test_dependencies_of_the_cookbook_and_the_generator_are_found():
    rng = Random(3)
    for recipes, precision, recall in (
        (cookbook(), 0.95, 0.93),
        ([generate(rng) for _ in range(100)], 0.92, 0.88),
    ):
        totals = [0, 0, 0]
        for each in recipes:
            texts = [step.text for step in each.procedure.steps]
            read_ = reachable(parse(each.recipe.title, texts).lowered.procedure)
            for place, share in enumerate(_shares(read_, reachable(each.procedure))):
                totals[place] += share
        assert totals[0] / totals[1] >= precision
        assert totals[0] / totals[2] >= recall


@settings(max_examples=60)
@given(st.lists(st.text(max_size=80), min_size=1, max_size=6))
def test_no_text_is_a_fault(steps):
    parsed = parse("", steps)
    assert len(parsed.lowered.procedure.steps) == len(steps)
    assert all(i < j for i, j in parsed.lowered.procedure.order)


def test_running_text_is_cut_into_sentences():
    assert steps_of("Beat the eggs. Fry them!\nServe.") == ["Beat the eggs.", "Fry them!", "Serve."]


def test_a_mixture_is_known_by_what_it_holds_and_cooking_water_is_no_ingredient():
    steps = ("Simmer the mince with tomatoes to make a meat sauce.",
             "Whisk milk into a roux to make a white sauce.",
             "Spread half of the meat sauce over the dish.")  # fmt: skip
    assert (0, 2) in links(*steps)
    parsed = parse("", ["Pat the beef dry.", "Boil the rice in boiling water.",
                        "Halve 2 avocados and mash the flesh with lime."])  # fmt: skip
    assert [trace.brings for trace in parsed.lowered.traces] == [
        ["beef"], ["rice"], ["avocados", "lime"]
    ]  # fmt: skip


def shape(clause):
    chunks = [(x.words, x.head, x.kind, x.prep, x.definite, x.rest, x.part) for x in clause.chunks]
    return clause.verb, clause.particle, clause.trailing, clause.aside, clause.meanwhile, chunks


def test_sentences_read_one_by_one_say_what_the_whole_text_says():
    rng = Random(4)
    recipes = [*cookbook(), *(generate(rng) for _ in range(50))]
    texts = [step.text for each in recipes for step in each.procedure.steps]
    texts += [step for each in posted("posted_third.txt") for step in each.steps]
    texts += ["Cook 10 min. Turn it (or not.) Serve at 5. Eat.", "", ". ", "Fry. ", "a.b. c d. E"]
    for text in texts:
        assert "".join(sentences(text)) == text
        apart = [shape(one) for each in sentences(text) for one in cut(tokens(each))]
        assert apart == [shape(one) for one in cut(tokens(text))]


def test_a_number_in_a_name_is_kept_though_others_tell_nothing():
    first = parse("", ["Mix 2 eggs with 30g flour.", "Fry the 12 until brown."])
    other = parse("", ["Mix 3 eggs with 45g flour.", "Fry the 24 until brown."])
    assert first.links == other.links
    assert [each.brings for each in first.lowered.traces[:1]] == [["eggs", "flour"]]
    for count in ("12", "24"):
        (clause,) = [each for each in cut(tokens(f"Fry the {count} until brown.")) if each.verb]
        assert clause.chunks[0].words == [count]
    named = [parse("", [f"To make {n}, mix eggs with flour."]).lowered.traces for n in (12, 24)]
    assert [traces[0].defines for traces in named] == [["12"], ["24"]]
