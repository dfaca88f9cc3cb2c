"""What a text's own list of ingredients tells of the things that its steps name."""

from __future__ import annotations

import pytest

from thence.domains.recipes.coverage import parse_with_care
from thence.domains.recipes.shopping import ShoppingList
from thence.domains.recipes.subjects import subjects


def links(goods: list[str], *steps: str, title: str = "") -> set[tuple[int, int]]:
    """The links between steps, counted from 1, but those to ovens."""
    found = parse_with_care(title, steps, goods=goods)[0].links
    return {(each.source + 1, each.to + 1) for each in found if each.rule != "oven"}


def test_what_no_step_has_named_is_new_though_another_ingredient_has_its_word():
    goods = ["2 tbsp rice wine", "300g pork", "200g rice"]
    steps = ("Mix the pork with the rice wine.", "Boil the rice.", "Serve the rice with the pork.")
    assert links(goods, *steps) == {(1, 3), (2, 3)}


def test_of_two_ingredients_with_one_noun_the_adjectives_tell():
    goods = ["1 red onion", "1 white onion", "2 tbsp vinegar", "400g tomatoes", "8 tortillas"]
    steps = (
        "Slice the red onion and put it in a jar with the vinegar.",
        "Fry the white onion for 10 minutes.",
        "Add the tomatoes and simmer.",
        "Tip the onion mixture into a blender and blitz.",
        "Warm the tortillas and serve with the red onion and the sauce.",
    )
    assert links(goods, *steps) == {(2, 3), (3, 4), (1, 5), (4, 5)}


def test_what_is_bought_melted_is_not_what_was_rubbed_in_cold():
    goods = ["3 tbsp cold butter", "1/2 cup flour", "1/2 cup butter, melted", "2 eggs"]
    steps = (
        "Rub the cold butter and the flour together and put the bowl in the fridge.",
        "Beat the melted butter with the eggs.",
    )
    assert links(goods, *steps) == set()
    assert links(goods[:2] + goods[3:], *steps) == {(1, 2)}


@pytest.mark.parametrize("name", ["croutons", "sprinkles"])
def test_what_the_list_lacks_was_made(name):
    goods = ["4 leeks", "1 litre stock", "100g bread", "2 tbsp oil"]
    steps = (
        "Simmer the leeks in the stock.",
        "Toss the bread in the oil and bake until crisp.",
        f"Ladle the soup into bowls and scatter over the {name}.",
    )
    assert links(goods, *steps, title="Leek soup") == {(1, 3), (2, 3)}


def test_what_waits_is_named_by_what_an_opening_says_of_it():
    goods = ["2 onions", "1 cucumber", "100g yogurt", "200g spinach"]
    steps = (
        "Fry the onions.",
        "While the curry is bubbling, grate the cucumber and mix it with the yogurt.",
        "Add the spinach to the curry.",
    )
    assert (1, 3) in links(goods, *steps)
    assert (2, 3) not in links(goods, *steps)


def test_a_step_works_on_what_its_opening_names():
    goods = ["4 beetroot", "50g walnuts"]
    steps = (
        "Roast the beetroot.",
        "Toast the walnuts.",
        "When the beetroot are cool enough to handle, rub off the skins and cut into wedges.",
    )
    assert links(goods, *steps) == {(1, 3)}


def test_what_lies_beside_an_ingredient_that_is_taken_stays():
    goods = ["600g potatoes", "2 onions", "500g mince", "30g butter"]
    steps = (
        "Peel the potatoes and boil for 20 minutes. Chop the onions.",
        "Fry the mince with the onions.",
        "Drain the potatoes and mash with the butter.",
        "Spread the mash over the mince.",
    )
    assert links(goods, *steps) == {(1, 2), (1, 3), (2, 4), (3, 4)}


def test_what_is_added_is_added_to_what_was_there():
    goods = ["500g mince", "1 onion"]
    assert links(goods, "Put the mince in a bowl.", "Dice the onion. Add it.") == {(1, 2)}


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        (("Chop the carrots.", "Chop the leeks.", "Add the rest of the ingredients."),
         {(1, 3), (2, 3)}),
        (("Fry the leeks.", "Meanwhile, grate the carrots."), set()),
        (("Sear the leeks. Meanwhile, grate the carrots.", "Scatter with salt."), {(1, 2)}),
        (("Heat the oil in a pan.", "Chop the leeks to your liking."), set()),
        (("Chop the leeks.", "Heat the oil in a pan.", "Fry until golden."), {(1, 3), (2, 3)}),
    ],
)  # fmt: skip
def test_what_a_step_leaves_unsaid_is_found(steps, found):
    assert links(["3 leeks", "2 carrots", "oil"], *steps) == found


@pytest.mark.parametrize(
    ("goods", "steps", "found"),
    [
        pytest.param(
            ["500g beef", "1 litre stock", "200g flour"],
            ("Brown the beef in the stock.",
             "About 20 minutes before the stew is ready, mix the flour into dumplings.",
             "Drop the dumplings into the stew."),
            {(1, 3), (2, 3)},
            id="what-an-opening-with-before-names-waits",
        ),
        pytest.param(
            ["oil", "300g beef", "1 broccoli"],
            ("Fry the beef in the oil and set aside on a plate.",
             "Heat a wok, add the broccoli and stir for 2 minutes.",
             "Return the beef to the wok."),
            {(1, 3), (2, 3)},
            id="a-vessel-that-is-heated-first-is-empty",
        ),
        pytest.param(
            ["1 onion", "200g lentils"],
            ("Simmer the lentils.", "Dice the onion and add it to the pot."),
            {(1, 2)},
            id="a-pot-that-was-not-named",
        ),
        pytest.param(
            ["30g butter", "200g mushrooms", "100g rice"],
            ("Boil the rice.",
             "Melt the butter in a pan. Slice the mushrooms, add them to the pan.",
             "Mix the rice with the mushrooms."),
            {(1, 3), (2, 3)},
            id="a-pan-that-was-named-in-the-step",
        ),
        pytest.param(
            ["1 chicken"],
            ("Heat the oven and put a tray inside.",
             "Rub the chicken with salt. Roast on the tray."),
            {(1, 2)},
            id="a-tray-put-in-the-oven",
        ),
        pytest.param(
            ["200g flour", "2 eggs", "300ml milk"],
            ("Whisk the eggs and milk.",
             "Sift the flour into a bowl and make a well in the centre.",
             "Pour the milk mixture into the well and whisk."),
            {(1, 3), (2, 3)},
            id="what-a-well-is-in",
        ),
        pytest.param(
            ["200g butter", "1 apple", "200g flour", "20g parsley"],
            ("Fry the apple in half the butter.", "Rub the remaining butter into the flour.",
             "Scatter the remaining parsley over the apple."),
            {(1, 3)},
            id="the-rest-of-what-came-in-by-a-part-is-in-its-packet",
        ),
        pytest.param(
            ["2 tbsp soy sauce", "300g beef", "1 tsp honey"],
            ("Put the beef in a bowl with 1 tbsp of the soy sauce and leave for 10 minutes.",
             "Stir the rest of the soy sauce with the honey.",
             "Fry the beef and pour over the sauce."),
            {(1, 3), (2, 3)},
            id="so-is-that-of-what-was-measured",
        ),
        pytest.param(
            ["1 tbsp sesame oil", "2 tbsp sunflower oil", "50g cashews", "1 tbsp honey"],
            ("Mix the sesame oil with the honey.", "Heat half the oil and fry the cashews.",
             "Pour the honey mixture over the cashews."),
            {(1, 3), (2, 3)},
            id="half-of-an-oil-is-not-of-the-other",
        ),
        pytest.param(
            ["400g pork", "2 tbsp soy sauce", "1 tbsp honey"],
            ("Fry the pork.", "Make the sauce by mixing everything together.",
             "Pour the sauce over the pork."),
            {(1, 3), (2, 3)},
            id="everything-of-something-begun-is-on-the-list",
        ),
        pytest.param(
            ["4 apples", "3 eggs", "300ml milk"],
            ("Stew the apples.", "Start the custard: heat the milk in a pan.",
             "Whisk the eggs into the warm milk.", "Serve the apples with the custard."),
            {(2, 3), (1, 4), (3, 4)},
            id="what-is-started-is-made",
        ),
        pytest.param(
            ["250g flour", "125g butter", "40g butter", "3 leeks"],
            ("Rub the butter into the flour with a pinch of salt and chill the pastry.",
             "Melt the butter in a pan and cook the leeks.", "Cover the leeks with the pastry."),
            {(1, 3), (2, 3)},
            id="of-two-lines-with-one-noun-each-is-for-another-step",
        ),
        pytest.param(
            ["100g flour", "1 tsp cinnamon", "2 eggs", "1/2 tsp cinnamon"],
            ("Mix the flour, baking powder and cinnamon.", "Beat the eggs with the cinnamon.",
             "Pour the eggs over the flour mixture."),
            {(1, 3), (2, 3)},
            id="whatever-the-noun",
        ),
        pytest.param(
            ["3 leeks"],
            ("Simmer the leeks.", "Heat the oven to 200C and put a baking sheet inside to heat up.",
             "Serve the leeks."),
            {(1, 3)},
            id="a-tray-in-the-oven",
        ),
        pytest.param(
            ["3 leeks"],
            ("Simmer the leeks.", "Switch the oven to low and slide a big plate inside.",
             "Keep the leeks on the warm plate."),
            {(1, 3), (2, 3)},
            id="a-plate-in-the-oven",
        ),
        pytest.param(
            ["2 cucumbers"],
            ("Wash jars and lids in hot water.", "Slice the cucumbers.",
             "Pack the cucumbers into the jars."),
            {(1, 3), (2, 3)},
            id="jars-are-washed",
        ),
        pytest.param(
            ["300g flour", "100ml water", "4 tomatoes"],
            ("Knead the flour and water to a dough and divide into 4 balls.",
             "Chop the tomatoes and set aside.",
             "On a floured surface roll one ball into a round."),
            {(1, 3)},
            id="a-ball-is-of-dough",
        ),
        pytest.param(
            ["25g dried porcini mushrooms", "350g mixed mushrooms", "1 litre stock", "50g butter"],
            ("Soak the porcini in boiling water. Lift out the mushrooms and chop roughly.",
             "Fry the mixed mushrooms in the butter and set aside.",
             "Simmer the stock with the chopped porcini."),
            {(1, 3)},
            id="porcini-are-mushrooms-but-not-the-mixed-ones",
        ),
        pytest.param(
            ["1 chicken", "500g potatoes"],
            ("Roast the chicken.", "Boil the potatoes.",
             "Tip the potatoes into a tin and roast alongside the chicken.",
             "Carve the chicken and serve with the potatoes."),
            {(2, 3), (1, 4), (3, 4)},
            id="what-lies-alongside-is-left-alone",
        ),
        pytest.param(
            ["200g noodles", "2 tbsp soy sauce", "1 tbsp honey"],
            ("Boil the noodles. Save a cup of the cooking water.",
             "Whisk the soy sauce with the honey and thin with 4 tbsp of the saved water."),
            {(1, 2)},
            id="saved-water-is-that-of-before",
        ),
        pytest.param(
            ["25g dried porcini mushrooms", "1 litre stock", "2 shallots"],
            ("Soak the porcini in boiling water.", "Heat the porcini liquid with the stock.",
             "Fry the shallots and stir in the porcini."),
            {(1, 2), (1, 3)},
            id="the-liquid-is-taken-alone",
        ),
        pytest.param(
            ["1 tbsp oil", "1 tbsp sesame oil", "300g chicken", "50g cashews", "1 tbsp honey"],
            ("Mix the sesame oil with the honey.", "Fry the cashews in the oil in a wok.",
             "Add the chicken to the oil left in the wok.",
             "Pour the honey mixture over the chicken."),
            {(2, 3), (1, 4), (3, 4)},
            id="the-oil-left-in-a-wok",
        ),
        pytest.param(
            ["250g rigatoni", "250g ricotta"],
            ("Mix the ricotta with salt.",
             "Boil the rigatoni for 3 minutes less than the package directs.",
             "Toss the pasta with the ricotta."),
            {(1, 3), (2, 3)},
            id="what-the-package-directs",
        ),
        pytest.param(
            ["400g chicken", "300g macaroni"],
            ("Fry the chicken.", "Cook the pasta.", "Mix the chicken with the pasta."),
            {(1, 3), (2, 3)},
            id="macaroni-are-pasta",
        ),
        pytest.param(
            ["500g beef", "100g cornmeal", "2 eggs", "50g butter"],
            ("Simmer the beef.", "Heat the oven to 220C and put a skillet inside to get hot.",
             "Whisk the cornmeal with the eggs.",
             "Remove the skillet from the oven and swirl in the butter. Pour in the batter.",
             "Serve the beef with the cornbread."),
            {(2, 4), (3, 4), (1, 5), (4, 5)},
            id="a-skillet-from-the-oven-is-empty",
        ),
        pytest.param(
            ["1 tsp salt", "200g rice", "200g lentils", "1 onion"],
            ("Boil the rice with a pinch of salt.", "Simmer the lentils.",
             "Add the salt to the lentils."),
            {(2, 3)},
            id="salt-is-of-no-other-step",
        ),
        pytest.param(
            ["4 peppers", "200g rice"],
            ("Boil the rice.", "Slice the tops off the peppers.",
             "Fill the peppers with the rice."),
            {(1, 3), (2, 3)},
            id="tops-are-of-what-they-are-cut-off",
        ),
        pytest.param(
            ["200g rice", "1 tsp saffron", "50ml milk"],
            ("Leave the rice to soak.", "Crumble the saffron into the warm milk.",
             "Pour the milk over the rice."),
            {(1, 3), (2, 3)},
            id="what-something-is-crumbled-into-may-be-new",
        ),
        pytest.param(
            ["400g fish", "300ml milk", "500g potatoes"],
            ("Poach the fish in the milk in a pan.",
             "Boil the potatoes, drain and return to the pan.",
             "Mash the potatoes with the fish."),
            {(1, 3), (2, 3)},
            id="what-is-drained-returns-to-its-own-pan",
        ),
        pytest.param(
            ["1 chicken", "6 bay leaves", "1 lemon"],
            ("Toss the chicken with the lemon and chill.",
             "Soak 6 wooden skewers in cold water.", "Thread the chicken onto the skewers."),
            {(1, 3), (2, 3)},
            id="skewers-are-soaked",
        ),
        pytest.param(
            ["400g chickpeas", "2 tbsp tahini", "1 lemon"],
            ("Blitz the chickpeas and chill.", "Whisk the tahini with the lemon.",
             "Shape the chilled mixture into 20 balls."),
            {(1, 3)},
            id="the-mixture-that-was-chilled",
        ),
        pytest.param(
            ["1 tin tomatoes", "200g beans", "8 tortillas"],
            ("Simmer the tomatoes to a sauce.",
             "Mash the beans and add 4 tablespoons of the tomato sauce.",
             "Pour the sauce over the tortillas."),
            {(1, 2), (1, 3)},
            id="spoonfuls-of-a-sauce-leave-the-rest",
        ),
        pytest.param(
            ["300g fish", "4 potatoes", "50g flour", "100g breadcrumbs"],
            ("Mash the potatoes with the fish and shape into 8 cakes.",
             "Put the flour on a plate and the breadcrumbs on another plate.",
             "Coat each stew in the flour, then the breadcrumbs."),
            {(1, 3), (2, 3)},
            id="the-title-names-the-dish",
        ),
        pytest.param(
            ["4 potatoes", "1 onion"],
            ("Fry the onion.", "Boil the potatoes and arrange over the base of a deep dish.",
             "Scatter the onion over the potatoes."),
            {(1, 3), (2, 3)},
            id="the-base-of-a-dish-is-the-dish",
        ),
        pytest.param(
            ["2 eggs", "100g flour", "200ml buttermilk", "100g blueberries", "1 tbsp sugar"],
            ("Separate the eggs, putting the whites into a bowl. Mix the yolks with the flour.",
             "Simmer the blueberries with the sugar.",
             "Whip the egg whites and fold them into the batter."),
            {(1, 3)},
            id="a-batter-holds-flour",
        ),
    ],
)  # fmt: skip
def test_what_is_begun_is_not_linked_to_what_waits(goods, steps, found):
    assert links(goods, *steps, title="Beef stew") == found


def test_what_is_cooked_in_a_pan_needs_no_oven():
    steps = ("Heat the oven to 180C.", "Bake the fish in it.", "Cook the beans in a pan of water.")
    found = parse_with_care("", steps, goods=["4 fish", "200g beans"])[0].links
    assert {(each.source, each.to) for each in found if each.rule == "oven"} == {(0, 1)}


def test_a_dutch_oven_is_a_pot():
    steps = ("Heat the oven to 160C.", "Brown the beef in a Dutch oven.", "Roast for 2 hours.")
    found = parse_with_care("", steps, goods=["500g beef"])[0].links
    ovens = {(each.source, each.to) for each in found if each.rule == "oven"}
    assert ovens == {(0, 2)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Once the peppers are soft, peel them.", [("pepper", False)]),
        ("Drain. While the pasta cooks, fry the leeks.", [("pasta", True)]),
        ("To check the chicken is done, pierce it.", [("chicken", False)]),
        ("10 minutes before the rice is done, fry the leeks.", [("rice", True)]),
        ("Cook until the onions are soft.", []),
    ],
)
def test_openings_name_what_a_step_is_about(text, found):
    assert list(subjects(text)) == found


def test_an_oven_is_for_the_last_step_that_cooks_where_none_names_it():
    steps = ("Heat the oven to 180C.", "Mix the oats with the bananas.", "Cook for 20 minutes.")
    found = parse_with_care("", steps)[0].links
    assert {(each.source, each.to) for each in found if each.rule == "oven"} == {(0, 2)}


def test_without_a_list_nothing_is_told_by_one():
    assert not ShoppingList()
    steps = ("Simmer the leeks.", "Bake the bread.", "Scatter the croutons over the leeks.")
    assert links([], *steps) == {(1, 3)}
