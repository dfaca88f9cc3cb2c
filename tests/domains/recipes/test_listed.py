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
    ("text", "found"),
    [
        ("Once the peppers are soft, peel them.", [("pepper", False)]),
        ("Drain. While the pasta cooks, fry the leeks.", [("pasta", True)]),
        ("To check the chicken is done, pierce it.", [("chicken", False)]),
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
