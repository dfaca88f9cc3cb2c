"""Ordinary ways of writing a recipe: what comes in, what a step works with, what it leaves."""

from __future__ import annotations

import pytest

from thence.domains.recipes.coverage import parse_with_care
from thence.domains.recipes.goods import listing, names
from thence.domains.recipes.plain_text import recipes
from thence.domains.recipes.plainly import plainly


def links(steps, goods=()) -> set[tuple[int, int]]:
    """The links between steps, counted from 1."""
    found = parse_with_care("", steps, goods=goods)[0].links
    return {(each.source + 1, each.to + 1) for each in found}


def traces(steps, goods=()):
    return parse_with_care("", steps, goods=goods)[0].lowered.traces


@pytest.mark.parametrize(
    ("goods", "steps", "found"),
    [
        pytest.param(
            [],
            ("Heat the oven to 220C and oil a loaf tin.", "Mix the flour and water to a dough.",
             "Bake in the oiled tin for 40 minutes, then tip the loaf out.", "Slice the cheese.",
             "Top with the cheese and serve."),
            {(1, 3), (2, 3), (3, 5), (4, 5)},
            id="a-tin-and-an-oven-of-one-step",
        ),
        pytest.param(
            ["200 g bacon", "2\u20133 carrots", "500 g beef"],
            ("Fry the bacon.", "Fry the beef with the carrots.", "Add the bacon to the beef."),
            {(1, 3), (2, 3)},
            id="amounts-from-to",
        ),
        pytest.param(
            [],
            ("Salt the steaks.", "Heat a large frying pan.", "Fry the steaks.", "Serve."),
            {(1, 3), (2, 3), (3, 4)},
            id="a-pan-that-is-heated-first",
        ),
        pytest.param(
            [],
            ("Get a saucepan hot.", "Boil the rice in a pot.", "Fry the steaks."),
            {(1, 3)},
            id="a-pan-is-not-for-what-cooks-in-another",
        ),
        pytest.param(
            ["1 kg pork", "1 peach"],
            ("Rub the pork with salt.", "Fire up the grill and oil the grates.",
             "Grill the peach.", "Grill the pork."),
            {(2, 3), (2, 4), (1, 4)},
            id="a-grill-is-lit",
        ),
        pytest.param(
            ["200 g flour", "100 g butter"],
            ("Set the oven to 220C and dust a baking sheet with flour.",
             "Rub the butter into the flour.", "Bake on the baking sheet."),
            {(1, 3), (2, 3)},
            id="flour-on-a-sheet",
        ),
        pytest.param(
            ["1 litre stock", "300 g shrimp", "2 cloves garlic"],
            ("Bring the stock to a simmer.", "Toss the shrimp with the garlic.",
             "Add the shrimp to the stock."),
            {(1, 3), (2, 3)},
            id="nothing-is-tossed-in-stock",
        ),
        pytest.param(
            ["100 g butter", "100 g sugar", "2 eggs"],
            ("Cream the butter and sugar.", "Whisk the eggs in a jug.",
             "Beat the eggs into the mixture."),
            {(1, 3), (2, 3)},
            id="creamed-butter-is-no-fat-to-fry-in",
        ),
        pytest.param(
            ["1 pumpkin", "1 tin chickpeas", "1 onion"],
            ("Slice the onion.",
             "Spread the pumpkin over one tray and the chickpeas over the other.",
             "Serve the pumpkin with the onion."),
            {(1, 3), (2, 3)},
            id="the-other-tray",
        ),
        pytest.param(
            ["50 g hazelnuts", "100 g butter", "50 g light muscovado sugar"],
            ("Toast the hazelnuts.", "Melt the butter with the muscovado.",
             "Pour the caramel over the hazelnuts."),
            {(1, 3), (2, 3)},
            id="a-sugar-by-its-sort",
        ),
        pytest.param(
            ["1 l stock", "4 leaves sage"],
            ("Simmer the stock.", "Fry the sage.", "Blend the stock.",
             "Warm it without letting it boil.", "Serve with the sage."),
            {(1, 3), (3, 4), (2, 5), (4, 5)},
            id="it-twice-in-a-clause",
        ),
        pytest.param(
            ["100 g tahini", "3 tbsp soy sauce", "200 g noodles"],
            ("Whisk the tahini with the soy.", "Boil the noodles and drain.",
             "Toss the noodles with two thirds of the sauce.",
             "Serve with the rest of the sauce."),
            {(1, 3), (2, 3), (1, 4), (3, 4)},
            id="the-sauce-is-no-soy-sauce",
        ),
        pytest.param(
            ["200 g feta", "parsley", "500 g dough"],
            ("Knead the dough.", "Crumble the feta into a bowl and mix in the parsley.",
             "Roll the dough into a circle and put a big spoonful of filling in the middle."),
            {(1, 3), (2, 3)},
            id="a-spoonful-of-filling",
        ),
        pytest.param(
            ["1 tin tomatoes", "4 eggs"],
            ("Simmer the tomatoes.", "Make four wells and crack the eggs into them."),
            {(1, 2)},
            id="four-wells",
        ),
        pytest.param(
            ["4 noodles", "1 cucumber"],
            ("Bring a pan of water to the boil - no salt.", "Slice the cucumber.",
             "Drop the noodles into the boiling water."),
            {(1, 3)},
            id="no-salt-comes-in",
        ),
        pytest.param(
            ["2 tbsp oil", "50 g breadcrumbs", "1 tin anchovies", "400 g pasta"],
            ("Toast the breadcrumbs in a skillet. Tip into a bowl and wipe out the skillet.",
             "Melt the anchovies in the skillet.", "Boil the pasta.",
             "Toss the pasta with the anchovies and scatter with the crumbs."),
            {(2, 4), (3, 4), (1, 4)},
            id="a-pan-that-was-wiped-out",
        ),
        pytest.param(
            ["200 g flour", "1 tsp baking powder", "100 g butter", "100 g sugar", "buttermilk"],
            ("Arrange the plums in a tin.", "Mix the flour with the baking powder.",
             "Cream the butter with the sugar.",
             "Add half the dry ingredients, the buttermilk and the rest of the dry ingredients.",
             "Spoon the batter over the plums."),
            {(2, 4), (3, 4), (1, 5), (4, 5)},
            id="half-of-the-dry-ingredients-and-the-rest",
        ),
        pytest.param(
            ["1 coconut", "1 tbsp ginger-garlic paste", "2 onions"],
            ("Grind the coconut to a smooth paste.", "Fry the onions.",
             "Add the ginger-garlic paste and fry for a minute.", "Stir in the coconut paste."),
            {(2, 3), (1, 4), (3, 4)},
            id="a-paste-that-was-bought",
        ),
        pytest.param(
            ["200 g prunes", "2 onions", "1 bottle beer"],
            ("Soak the prunes.", "Fry the onions.", "Pour the beer in with the onions.",
             "Stir in the prunes."),
            {(2, 3), (1, 4), (3, 4)},
            id="in-with-the-onions",
        ),
        pytest.param(
            ["1 shallot", "200 ml cream", "1 fish", "1 tsp mustard", "1 lemon"],
            ("Simmer the shallot with the cream.", "Grill the fish.",
             "Reheat the cream, whisk in the mustard, and sharpen it with the lemon.",
             "Spoon it over the fish."),
            {(1, 3), (2, 4), (3, 4)},
            id="a-verb-that-is-not-known",
        ),
        pytest.param(
            ["1 cup sorghum syrup", "3 eggs", "1 packet pastry"],
            ("Roll out the pastry.", "Whisk the eggs and sorghum together.",
             "Pour into the pastry."),
            {(1, 3), (2, 3)},
            id="a-syrup-by-its-sort",
        ),
        pytest.param(
            ["3 tbsp maple syrup", "200 g cherries", "400 g tofu"],
            ("Roast the cherries with 1 tbsp of the maple syrup.",
             "Blend the tofu with the rest of the maple.", "Top with the cherries."),
            {(1, 3), (2, 3)},
            id="the-rest-of-a-syrup",
        ),
        pytest.param(
            ["1 broccoli", "400 g turkey"],
            ("Toss the broccoli with oil on a sheet pan.",
             "Shape the turkey into balls and put them on the second pan.",
             "Serve the balls with the broccoli."),
            {(1, 3), (2, 3)},
            id="the-second-pan",
        ),
        pytest.param(
            ["1 cauliflower, in florets, rinsed", "100 g flour", "6 tortillas"],
            ("Whisk the flour with water to a smooth batter.", "Dip the florets in the batter.",
             "Serve with the tortillas."),
            {(1, 2), (2, 3)},
            id="florets-of-the-list",
        ),
        pytest.param(
            ["2 eggs, separated", "100 g flour", "100 ml milk"],
            ("Whisk the egg yolks with the milk.", "Whip the egg whites until stiff.",
             "Stir the flour into the yolks.", "Fold in the whites."),
            {(1, 3), (2, 4), (3, 4)},
            id="yolks-and-whites",
        ),
        pytest.param(
            ["1 lemon", "3 tbsp jam", "100 g sugar", "2 eggs"],
            ("Beat the eggs with the sugar and lemon zest, and bake.",
             "Shortly before the cake is ready, warm the jam with the lemon juice.",
             "Spoon the jam over the cake."),
            {(1, 3), (2, 3)},
            id="zest-and-juice",
        ),
        pytest.param(
            ["1 packet pastry", "2 leeks", "3 eggs"],
            ("Roll out the pastry.", "Fry the leeks.", "Spread the leeks over the pastry case."),
            {(1, 3), (2, 3)},
            id="a-pastry-case",
        ),
        pytest.param(
            ["500 g lamb", "1 onion"],
            ("Soak 8 wooden skewers in cold water.", "Salt the onion to draw out the water.",
             "Thread the lamb and onion onto the skewers."),
            {(1, 3), (2, 3)},
            id="skewers-hold-no-water",
        ),
        pytest.param(
            ["4 pork cheeks", "2 tbsp flour", "2 onions"],
            ("Dust the cheeks with the flour.", "Fry the onions.", "Brown the pork.",
             "Add the onions to the pork."),
            {(1, 3), (2, 4), (3, 4)},
            id="pork-by-its-cut",
        ),
    ],
)  # fmt: skip
def test_what_a_step_works_with(goods, steps, found):
    assert links(steps, goods) == found


@pytest.mark.parametrize(
    ("text", "goods", "found"),
    [
        ("Fry the garlic and spring onions in the oil.", [], ["garlic", "spring onions", "oil"]),
        ("Dress with extra virgin olive oil.", [], ["extra virgin olive oil"]),
        ("Mix in the whole wheat flour.", [], ["whole wheat flour"]),
        ("Stir in the chocolate drops.", ["100 g chocolate drops"], ["chocolate drops"]),
        ("Fry the rice and let everything toast.", [], ["rice"]),
        ("Boil eggs 7 minutes.", [], ["eggs"]),
        ("Take half of the rice and chill it for the slaw.", ["100 g rice"], ["rice"]),
        ("Grease a tin with butter and fill it with rice.", [], ["rice"]),
    ],
)
def test_what_comes_in(text, goods, found):
    assert list(traces([text], goods)[0].brings) == found


@pytest.mark.parametrize(
    ("steps", "name"),
    [
        (("Cream the butter and sugar.",), "mixture"),
        (("Boil the beans.", "Skim off the scum."), "beans"),
        (("Boil the beans with a bay leaf.", "Fish out the bay leaf."), "mixture"),
        (("Whisk the flour and milk to a batter.", "Melt butter in a pan.",
          "Ladle in some of the batter and cook."), "batter of step 3"),
    ],
)  # fmt: skip
def test_what_a_step_leaves(steps, name):
    assert list(traces(steps)[-1].defines) == [name]


def test_amounts_are_no_part_of_a_listed_ingredient():
    lines = [
        "2\u20133 carrots",
        "1 \u2013 2 onions",
        "\u2013 200 g flour",
        "about 200 g rice",
        "½\u20131 lemon",
    ]
    assert [each[-1] for each in names(lines)] == ["carrot", "onion", "flour", "rice", "lemon"]


def test_what_a_listed_ingredient_is_for_is_no_part_of_it():
    assert names(["For the dough: 2 eggs", "Topping: 3 tbsp sugar"]) == [["egg"], ["sugar"]]


def test_two_ingredients_at_the_top_are_a_list():
    assert listing(["3 eggs", "1 tbsp butter", "Beat the eggs.", "Fry them."]) == (0, 2)
    assert listing(["Beat the eggs.", "3 eggs", "1 tbsp butter", "Fry them."]) == (0, 0)


def test_a_line_of_adjectives_is_an_ingredient():
    assert list(traces(["Scatter with crushed crisps."], ["some crushed crisps"])[0].brings)


@pytest.mark.parametrize(
    ("steps", "source"),
    [
        (("Chop 2 onions.", "Boil 3 onions in water.", "Add the chopped onions to the beef."), 1),
        (("Chop 2 onions.", "Boil 3 onions in water.", "Add the boiled onions to the beef."), 2),
        (("Fry 2 onions in oil.", "Slice 3 onions.", "Add the fried onions to the beef."), 1),
        (("Whip 1 cup cream.", "Boil 2 cups cream.", "Fold the whipped cream into the beef."), 1),
    ],
)
def test_of_two_the_one_is_taken_to_which_it_was_done(steps, source):
    first, second, last = steps
    assert links((first, second, "Toss the beef with salt.", last)) == {(source, 4), (3, 4)}


def read(text: str):
    return list(recipes(enumerate(text.splitlines(), 1)))


@pytest.mark.parametrize("heading", ["Sauce:", "The sauce:", "For the sauce:", "SAUCE"])
def test_headings_between_steps_say_what_is_made(heading):
    (found,) = read(f"Pasta\n\n1. Boil the pasta.\n\n{heading}\n2. Fry the onion.\n")
    assert found.steps == ["1. Boil the pasta.", "For the sauce: Fry the onion."]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Cook 10 minutes.", "Cook for 10 minutes."),
        ("Cook for about 10 minutes or 12 minutes.", "Cook for about 10 minutes or 12 minutes."),
        ("Roll out the no knead dough.", "Roll out the no knead dough."),
        ("Get a pan hot. No oil.", "Get a pan hot."),
        ("Fish out the bay leaf.", "take out the bay leaf."),
        ("Towards the end of that time, heat the oven.", "heat the oven."),
        ("Pour over half this dressing.", "Pour over half the dressing."),
        ("Chop the dill, and sharpen it with lemon.", "Chop the dill, and press it with lemon."),
    ],
)
def test_plainer_words(text, plain):
    assert plainly(text) == plain


def test_what_is_made_may_stand_before_a_step():
    assert plainly("Sauce: fry the onion.") == "For the sauce: fry the onion."
    assert plainly("Note: fry the onion.") == "Note: fry the onion."


def test_a_first_step_that_ends_in_an_exclamation_mark_begins_no_recipe():
    (found,) = read("Toast\n\n2 slices bread\n10 g butter\n\nButter the bread!\nToast it.\n")
    assert found.steps == ["Butter the bread!", "Toast it."]


@pytest.mark.parametrize("mark", ["--", "①"])
def test_other_marks_before_steps(mark):
    (found,) = read(f"Toast\n{mark} Toast the bread.\n")
    assert found.steps[0].lstrip("-1. ") == "Toast the bread."


def test_a_line_of_sentences_needs_no_title():
    (found,) = read("Fry the onions. Add the stock. Serve it.")
    assert found.title == ""
    assert found.steps == ["Fry the onions.", "Add the stock.", "Serve it."]


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        pytest.param(
            ("Whip the cream.", "Beat the cream cheese and sugar.", "Fold in the cream."),
            {(1, 3), (2, 3)},
            id="cream-is-no-cream-cheese",
        ),
        pytest.param(
            ("Melt the butter.", "Beat the peanut butter and eggs.", "Stir in the melted butter."),
            {(1, 3), (2, 3)},
            id="butter-is-no-peanut-butter",
        ),
        pytest.param(
            ("Boil the coconut milk.", "Toast some coconut.", "Stir in the coconut."),
            {(1, 3), (2, 3)},
            id="coconut-is-no-coconut-milk",
        ),
        pytest.param(
            ("Chop the onion and garlic.", "Fry the cumin in ghee.", "Add the onion and fry.",
             "Add the garlic and fry."),
            {(1, 3), (2, 3), (1, 4), (3, 4)},
            id="chopped-side-by-side",
        ),
        pytest.param(
            ("Put a skillet in the oven and heat to 200C.", "Whisk the flour and milk together.",
             "Remove the hot skillet from the oven and add the butter.",
             "Pour the batter into the skillet."),
            {(1, 3), (2, 4), (3, 4)},
            id="fat-in-a-hot-skillet",
        ),
        pytest.param(
            ("Drain the noodles.", "Get your wok really hot, add the oil and throw in the prawns.",
             "Add the noodles."),
            {(1, 3), (2, 3)},
            id="a-wok-that-is-made-hot",
        ),
        pytest.param(
            ("Cook the apples in a pan.", "Spoon the apples into a pie dish.", "Bake the apples.",
             "Warm the milk in a pan.", "Pour the milk onto the yolks in a bowl.",
             "Return the custard to the pan.", "Serve the apples with the custard."),
            {(1, 2), (2, 3), (4, 5), (5, 6), (3, 7), (6, 7)},
            id="apples-that-left-their-pan",
        ),
        pytest.param(
            ("Melt the chocolate.", "Let it cool or it'll scramble the eggs.",
             "Whisk the eggs and sugar.", "Fold the chocolate into the eggs."),
            {(1, 2), (2, 4), (3, 4)},
            id="what-else-would-happen",
        ),
        pytest.param(
            ("Whisk the soy sauce with the honey.", "Fry the beef in the oil.",
             "Give the sauce a stir, pour it in and cook for 1 minute."),
            {(1, 3), (2, 3)},
            id="stirred-and-poured-in",
        ),
        pytest.param(
            ("Cream the butter and sugar.", "Sift in the flour and fold it in."),
            {(1, 2)},
            id="folded-in-after-it-came-in",
        ),
        pytest.param(
            ("Fry the turkey.", "Stir in the cumin.", "Rinse and drain the beans.",
             "Pour in the tomatoes, broth and the beans."),
            {(1, 2), (2, 4), (3, 4)},
            id="beans-that-were-only-drained",
        ),
        pytest.param(
            ("Slice the cucumber.", "Deseed the pepper and cut it into rings.",
             "Combine the cucumber, pepper and feta in a bowl."),
            {(1, 3), (2, 3)},
            id="a-pepper-that-was-cut",
        ),
        pytest.param(
            ("Slice the pepper.", "Fry the beef.", "Season the beef with salt and pepper."),
            {(2, 3)},
            id="a-pepper-beside-salt-is-spice",
        ),
        pytest.param(
            ("Slice the steak.", "Toss the beef with the soy sauce.", "Fry the beef."),
            {(1, 2), (2, 3)},
            id="beef-of-a-steak",
        ),
        pytest.param(
            ("Simmer the lamb and onions.", "Chop the coriander.",
             "Scatter the curry with the coriander."),
            {(1, 3), (2, 3)},
            id="the-curry-is-the-dish",
        ),
        pytest.param(
            ("Simmer the lamb and onions.", "Chop the coriander.",
             "Garnish the dish with the coriander."),
            {(1, 3), (2, 3)},
            id="the-dish-is-no-vessel",
        ),
        pytest.param(
            ("Beat the butter and flour.", "Toss the apples with the extra tablespoon of flour.",
             "Fold the apples into the batter."),
            {(1, 3), (2, 3)},
            id="extra-flour-is-no-batter",
        ),
        pytest.param(
            ("Stir the cream and sugar together.", "Toss half of this mixture with the cabbage.",
             "Stir the lime into the remaining cream mixture."),
            {(1, 2), (1, 3)},
            id="the-rest-of-a-named-mixture",
        ),
        pytest.param(
            ("Brown the lamb in a casserole, lifting it out onto a plate.",
             "Fry the bacon in the same casserole.", "Return the lamb to the casserole."),
            {(1, 2), (1, 3), (2, 3)},
            id="lifted-out-of-its-vessel",
        ),
    ],
)  # fmt: skip
def test_things_are_told_from_those_that_share_a_word_or_a_vessel(steps, found):
    assert links(steps) == found


@pytest.mark.parametrize(
    ("step", "brought"),
    [
        (
            "Mix oyster sauce, soy sauce and fish sauce.",
            ["oyster sauce", "soy sauce", "fish sauce"],
        ),
        ("Mix olive oil, sesame oil and vinegar.", ["olive oil", "sesame oil", "vinegar"]),
        ("Sift the cocoa powder and baking powder.", ["cocoa powder", "baking powder"]),
        ("Fry the red pepper and green pepper.", ["red pepper", "green pepper"]),
        ("Mix the kidney beans and black beans.", ["kidney beans", "black beans"]),
        ("For the sauce: mix the vinegar and soy sauce.", ["vinegar", "soy sauce"]),
        ("Beat the sugar and eggs and add the sugar mixture.", ["sugar", "eggs"]),
        ("Heat the oil, add the onion and fry the chopped onion.", ["oil", "onion"]),
    ],
)
def test_two_things_with_one_noun_come_in_each_by_itself(step, brought):
    assert traces([step])[0].brings == brought


def test_a_pepper_of_the_list_is_no_spice_once_it_was_cut():
    goods = ["1 cucumber", "1 green pepper", "200g feta"]
    steps = ["Slice the cucumber.", "Slice the pepper.", "Combine the cucumber and pepper."]
    assert links(steps, goods) == {(1, 3), (2, 3)}
    assert links([*steps[:2], "Toss the cucumber with salt and pepper."], goods) == {(1, 3)}


@pytest.mark.parametrize(
    ("step", "cooks"),
    [
        ("Take the lid off the stew and serve.", False),
        ("Bring the chicken to the boil.", False),
        ("Fry the chicken for 5 minutes.", False),
        ("Cook the chicken in the oven for 2 hours.", True),
        ("Bring the chicken to the boil and cook for 12 minutes.", True),
        ("Leave the chicken to simmer.", True),
        ("Return the chicken to the oven for 25 minutes.", True),
        ("Chill the chicken for 2 hours and cook it.", False),
        ("Add the stock and dry white wine and cook for 40 minutes.", True),
        ("Fry the chicken in warm oil for 30 minutes.", True),
        ("Cook the chicken for 30 minutes, then leave to cool.", True),
        ("Marinate the chicken for 10 minutes, then cook for 25 minutes.", True),
        ("Cook the chicken for 10 minutes. Cover and leave for 15 minutes.", True),
        ("Cook the chicken and leave to cool for 30 minutes.", False),
        ("Fry the chicken for 5 minutes. Cover and chill for 2 hours.", False),
        ("Dry the chicken for 30 minutes, then fry.", False),
        ("Bring the chicken to the boil, turn off the heat and leave for 20 minutes.", False),
        ("Fry the chicken in warm oil and keep warm for 30 minutes.", False),
        ("Fry the chicken, remove it from the heat and leave for 30 minutes.", False),
    ],
)
def test_a_step_cooks_by_its_verbs(step, cooks):
    steps = ("Cut the chicken.", step)
    assert traces(steps)[1].heats is cooks
