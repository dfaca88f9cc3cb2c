"""Recipes of plain text as they stand on web sites: which lines are steps."""

from __future__ import annotations

import pytest

from thence.domains.recipes.goods import names
from thence.domains.recipes.plain_text import recipes

SITE = """---
title: "Leek Soup"
tags: ['soup']
---

![Leek soup](/pix/soup.webp)

A soup for [cold days](/cold). It keeps for a week.

- ⏲️ Prep time: 10 min
- 🍽️ Servings: 4

## Ingredients

* 3 leeks
* 1 litre [stock](/stock)
* cream

## Directions

1. Slice the leeks and simmer them in the
   [stock](/stock) for 20 minutes.
   Rinse the pan meanwhile.
    * Frozen leeks will do as well
2. Stir in the cream.

Enjoy your soup!

It is even better the next day.

## Contribution

- Somebody
"""


def read(text: str):
    (found,) = recipes(enumerate(text.split("\n"), 1))
    return found


def test_a_page_of_a_site_gives_its_title_its_list_and_its_steps():
    found = read(SITE)
    assert found.title == "Leek Soup"
    assert found.goods == ["3 leeks", "1 litre stock", "cream"]
    assert found.steps == [
        (
            "1. Slice the leeks and simmer them in the stock for 20 minutes. Rinse the pan "
            "meanwhile. Frozen leeks will do as well"
        ),
        "2. Stir in the cream.",
    ]


def test_an_instruction_below_the_last_number_is_a_step():
    text = "Soup\n\n1. Simmer the leeks.\n2. Blend them.\n\nServe the soup with bread.\n"
    assert read(text).steps[-1] == "Serve the soup with bread."


def test_a_rule_across_the_page_is_no_beginning_of_settings():
    text = "---\nSoup\n\nSimmer the leeks.\n---\nBlend the leeks.\n"
    assert read(text).steps == ["Simmer the leeks.", "Blend the leeks."]


def test_headings_over_bullets_and_bullets_on_lines_of_their_own_are_no_steps():
    text = (
        "Cake\n\nIngredients\n- 2 eggs\n- 100 g flour\n\nMethod\nPreparation\n-\nBeat the eggs.\n"
        "- Fold in the flour.\nBaking\n- Bake for 30 minutes.\n"
    )
    assert read(text).steps == ["Beat the eggs.", "- Fold in the flour.", "- Bake for 30 minutes."]


def test_a_list_with_blank_lines_between_its_lines_goes_on():
    text = (
        "Pasta\n\nServes: 4\n\nHands-on time: 5 min.\n\n12 oz. pasta\n\n1 cup cream\n\n"
        "Grated cheese\n\n1. Cook the pasta.\n\n2. Stir in the cream and the cheese.\n"
    )
    assert read(text).goods == ["12 oz. pasta", "1 cup cream", "Grated cheese"]


PARTS = """Cinnamon Rolls

{dough}
500 g flour
1 egg

{icing}
4 oz cream cheese
icing sugar

These are what my grandmother baked, and I still make them her way.

1. Mix the flour and the egg.
2. Beat the cream cheese with the icing sugar.
"""


@pytest.mark.parametrize("dough", ["Dough", "For the dough", "Dough:"])
def test_a_list_may_have_parts_under_bare_names_and_a_story_below_it(dough: str):
    found = read(PARTS.format(dough=dough, icing="Icing"))
    assert (found.title, len(found.steps)) == ("Cinnamon Rolls", 2)
    assert names(found.goods) == [["flour"], ["egg"], ["cream", "cheese"], ["icing", "sugar"]]


def test_a_part_of_a_list_under_a_heading_is_no_ingredient():
    listed = PARTS.format(dough="Ingredients", icing="For the icing").replace(
        "These", "Method\n\nThese"
    )
    assert names(read(listed).goods) == [
        ["flour"],
        ["egg"],
        ["cream", "cheese"],
        ["icing", "sugar"],
    ]


def test_a_second_recipe_with_its_list_is_no_part_of_the_first():
    tea = "Tea\n\nBoil the water.\nPour it over the tea.\n\n"
    text = f"{tea}Toast\n2 slices bread\nbutter\n\nToast the bread."
    assert [found.title for found in recipes(enumerate(text.split("\n"), 1))] == ["Tea", "Toast"]
