"""Recipes as people post them, in plainer words, with their lists of ingredients and names."""

from __future__ import annotations

import pytest

from thence.domains.recipes.coverage import parse_with_care
from thence.domains.recipes.goods import as_bought, listed, listing, whole
from thence.domains.recipes.plainly import plainly


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Cream butter & sugar; serve w/ jam.", "Cream butter and sugar; serve with jam."),
        ("Chuck in the peas and give it a good stir.", "add in the peas and stir it."),
        ("Simmer for 5 mins, adding the peas.", "Simmer for 5 mins, add the peas."),
        ("Simmer, stirring all the time.", "Simmer, stirring all the time."),
        ("Heat (fan 160C) to 180C. Bake.", "Heat to 180C . Bake."),
        ("Cook the rice to pack instructions.", "Cook the rice to."),
        ("Cook the rice following pack instructions.", "Cook the rice."),
        ("You'll need to chill the dough.", "chill the dough."),
        ("Peel, core and slice the apples.", "slice the apples."),
        ("In with the carrots.", "add the carrots."),
        ("Clamp on the lid.", "add on the lid."),
        ("Salt the water.", "Salt the water."),
        ("Potatoes in the oven.", "Potatoes in the oven."),
        ("In a second bowl, beat the eggs.", "In another bowl, beat the eggs."),
        ("Heat to 200C/180C fan/gas 6.", "Heat to 200C ."),
        ("Start melting the butter.", "melt the butter."),
        ("Now begin to add the milk.", "add the milk."),
        (
            "Use the rest of the cheese to cover the top.",
            "cover the top with the rest of the cheese.",
        ),
        ("Slice the steak against the grain.", "Slice the steak."),
        ("Lay the feta on top in one slab.", "Lay the feta on top."),
        ("Carry the pan to the table.", "take the pan to the table."),
        ("Shower with the nuts.", "scatter with the nuts."),
        ("Bake, and don't rush this bit.", "Bake."),
        (
            "Stir the remaining oil and sumac into the onions.",
            "Stir the remaining oil and the remaining sumac into the onions.",
        ),
        ("Add the rest of the sugar and stir over a low heat.",) * 2,
        (
            "Add the remaining garlic and salt.",
            "Add the remaining garlic and the remaining salt.",
        ),
        ("Let it cool, otherwise it might split.", "Let it cool."),
        (
            "Grill the fish, or you can fry it in butter, then add the sauce.",
            "Grill the fish, or fry it in butter, then add the sauce.",
        ),
        ("Stir, or it will burn, then add the sauce.", "Stir, then add the sauce."),
        ("Stir or they will burn and add the sauce.", "Stir and add the sauce."),
        ("Stir, or it will stick and burn.", "Stir."),
        (
            "Slice the steak thinly, against the grain, and serve.",
            "Slice the steak thinly, and serve.",
        ),
        ("Serve the chicken with the grain salad.", "Serve the chicken with the grain salad."),
        ("Slice the loaf and serve with the grain.", "Slice the loaf and serve with the grain."),
        ("Slice the bread with the grain salad.", "Slice the bread with the grain salad."),
        ("Bake the fish in one piece and serve.", "Bake the fish and serve."),
        ("Wrap the cheese in a piece.", "Wrap the cheese in a piece."),
        ("Boil hard until thick.", "boil until thick."),
        ("Spoon it over the top of the rack.", "Spoon it over the top."),
        ("Lay it in a wide, shallow pan.", "Lay it in a wide shallow pan."),
        ("Check the seasoning and spoon over the stir-fry.", "taste and spoon over the mixture."),
        ("Fry, making sure not to burn it.", "Fry."),
        ("You can now add the peas.", "add the peas."),
        ("Brown the chicken: Heat the oil.", "Heat the oil."),
        ("For the sauce: Heat the oil.", "For the sauce: Heat the oil."),
        ("Put the mushrooms you set aside on top.", "Put the reserved mushrooms on top."),
        (
            "Boil it in a wide, nonreactive 4-quart pot.",
            "Boil it in a wide nonreactive 4-quart pot.",
        ),
        ("Add a carrot, onion and a pan of water.", "Add a carrot, onion and a pan of water."),
        ("Pour into a dish suitable to hold the peppers.", "Pour into a dish."),
        ("Lightly butter and flour two cake tins.", "Lightly grease two cake tins."),
        ("Melt the butter and flour in a large pan.", "Melt the butter and flour in a large pan."),
        ("Drain any excess fat.", "Drain off the fat."),
        ("Spoon the fat over the potatoes.", "Spoon the fat over the potatoes."),
        ("Stuff each bell pepper with the beef.", "Stuff the bell pepper with the beef."),
        ("Divide it, each topped with an egg.", "Divide it, each topped with an egg."),
        ("Stir every few minutes.", "Stir every few minutes."),
        ("Add the peas 5 minutes before the end.", "Add the peas."),
        (
            "Salt and pepper, to taste, and add parsley.",
            "season with salt and pepper, and add parsley.",
        ),
        ("Salt and pepper the lamb.", "Salt and pepper the lamb."),
        ("Cook and drain the noodles.", "Cook the noodles and drain."),
        ("Cook and drain them.", "Cook and drain them."),
        ("Add all the rest except the peas.", "Add all the rest."),
        ("Pour over the leek-bacon mixture.", "Pour over the leek bacon mixture."),
    ],
)
def test_what_people_write_is_read_in_plainer_words(said, plain):
    assert plainly(said) == plain


def test_a_list_is_told_from_the_steps_behind_it():
    lines = ["A word before it.", "2 eggs", "100 g flour", "Salt", "Beat the eggs.", "Add flour."]
    assert listing(lines) == (1, 4)
    assert listing(lines[:4]) == (0, 0)  # nothing to do with it
    assert listing(["Beat the eggs.", "Add the flour.", "Fry it."]) == (0, 0)


def test_the_ingredients_of_a_list_are_known_by_one_word_and_by_two():
    lines = ["400g tin chopped tomatoes, drained", "2 tbsp lime juice", "salt and pepper"]
    assert {"tomato", "juice", "lime juice", "salt", "pepper"} <= listed(lines)


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("two oil", "Heat two tablespoons of the oil.", "oil"),
        ("bay", "Add the bay leaves.", "bay leaves"),
        ("water", "Top up with sparkling water.", "sparkling water"),
        ("cream", "Whisk in the cream of tartar.", "cream of tartar"),
        ("tartar", "Whisk in the cream of tartar.", ""),
        ("fat", "Drain off the fat.", ""),
        ("fat", "Melt the fat.", "fat"),
        ("seasoning", "Taste for seasoning.", ""),
        ("squares", "Cut into squares.", ""),
    ],
)
def test_an_ingredient_is_named_whole_and_what_is_none_is_not(name, text, named):
    assert whole(name, text) == named


def test_what_is_bought_in_a_tin_is_not_raw():
    assert as_bought("tuna", ["2 cans tuna, drained", "salt"]) == "tinned tuna"
    assert as_bought("tuna", ["200 g tuna", "1 can beans"]) == "tuna"
    assert as_bought("beans", ["1 can beans"]) == "beans"


def things(*steps: str, goods: tuple[str, ...] = ()) -> list[list[str]]:
    found = parse_with_care("", steps, goods=goods)[0]
    return [list(trace.defines) for trace in found.lowered.traces]


def test_what_a_step_leaves_is_called_what_it_has_become():
    assert things("Melt the butter in a pan.", "Beat in the flour.", "Cool the paste.") == [
        ["butter"], ["paste"], ["paste"],
    ]  # fmt: skip
    assert things("Fry the chicken.", "Season with salt.") == [["chicken"], ["chicken"]]


def test_a_hot_oven_is_used_beside_the_tin_of_the_same_step():
    found = parse_with_care(
        "", ["Heat the oven and grease a tin.", "Beat the eggs.", "Bake the eggs in the tin."]
    )[0]
    assert {"tin", "oven"} <= set(found.lowered.traces[2].uses)


@pytest.mark.parametrize(
    ("text", "brings", "left"),
    [
        ("Peel and seed the squash and cut it into cubes.", ["squash"], ["squash"]),
        ("Top and tail the beans.", ["beans"], ["beans"]),
        ("Simmer the noodles in 4 cups water.", ["noodles", "water"], ["noodles"]),
        ("Pat the fish dry.", ["fish"], ["fish"]),
        ("Trim the beef, then toss the meat in flour.", ["beef", "flour"], ["mixture"]),
        (
            "Cover the beef with pastry and cut a slit for the steam.",
            ["beef", "pastry"],
            ["mixture"],
        ),
    ],
)
def test_what_is_no_thing_is_not_named(text, brings, left):
    (trace,) = parse_with_care("", [text])[0].lowered.traces
    assert (trace.brings, trace.defines) == (brings, left)


def test_what_rests_is_called_by_its_name_alone():
    steps = ("Bake the muffins.", "Let the muffins sit in the tin for 5 minutes.")
    traces = parse_with_care("", steps)[0].lowered.traces
    assert [name for trace in traces for name in trace.defines] == ["muffins", "muffins"]


def test_more_of_an_ingredient_comes_in_though_some_is_there():
    steps = ["Mix the oats with milk.", "Chill overnight.", "Thin with a splash of milk."]
    traces = parse_with_care("", steps)[0].lowered.traces
    assert traces[2].brings == ["milk of step 3"]


@pytest.mark.parametrize(
    ("steps", "links"),
    [
        # a cut by itself is the meat; the lid comes off what is named
        (["Season the chicken.", "Heat the oil.", "Add the thighs."], [(0, 2), (1, 2)]),
        (["Fry the sausages.", "Mix the parsley and capers in a bowl.",
          "Remove the lid from the sausages."], [(0, 2)]),
        # soaking water is no boiling water, and the rest of a packet is in the packet
        (["Soak the skewers in cold water.", "Put the lamb in a bowl."], []),
        (["Fry the onion and celery with 2 cloves of garlic.",
          "Mix the tahini with the rest of the garlic."], []),
        # "the sauce" is what else there is
        (["Boil the rice.", "Warm the cream with the lemon.", "Toss the rice with the sauce."],
         [(0, 2), (1, 2)]),
    ],
)  # fmt: skip
def test_steps_are_linked_as_a_cook_would(steps, links):
    found = parse_with_care("", steps)[0]
    assert sorted((each.source, each.to) for each in found.links) == links
