"""Tests of the dishes of the generator as the sound dialect tells them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from thence.domains.recipes.form import Recipe
from thence.domains.recipes.generator import recipe

_DRESSED = re.compile(r"(?:Toss|Mix) the \w+(?: \w+)? with the (?:salad )?dressing")
_MEAL = re.compile(r"(?:Bring|Carry) the meal to the table")


def told(count: int) -> Iterator[tuple[Recipe, list[str]]]:
    rng = Random(12)
    for _ in range(count):
        made = recipe(rng, anew=True)
        yield made, [" ".join(move.text for move in moves) for moves in made.steps]


def test_each_step_names_what_it_works_on_or_calls_it_it() -> None:
    for made, texts in told(800):
        assert not any(moves[0].again for moves in made.steps), texts


def test_a_meal_is_served_once_and_its_salad_is_dressed_right_before() -> None:
    met = 0
    for _, texts in told(1_500):
        if _MEAL.search(texts[-1]):
            met += 1
            assert not any(re.search(r"\b(?i:serve|hand round)\b", text) for text in texts), texts
            dressed = [k for k, text in enumerate(texts) if _DRESSED.search(text)]
            assert all(len(texts) - k <= 2 for k in dressed), texts
    assert met > 50


def test_soups_and_stews_are_of_what_their_cuisine_eats() -> None:
    met = set()
    for made, texts in told(2_000):
        text = " ".join(texts)
        if made.course == "soup" and made.cuisine in ("Turkish", "Moroccan", "Indian"):
            assert "bacon" not in text
            met.update(cheese for cheese in ("halloumi", "paneer") if cheese in text)
        if "Chicken Stew" in made.title:
            assert "beef stock" not in text
            met.update({"chicken stock"} if "chicken stock" in text else ())
        if "Stew" in made.title and (tipped := re.search(r"Tip [^.]*tomatoes[^.]*\.", text)):
            assert "with enough water to cover" in tipped[0]
            met.add("water")
    assert met == {"halloumi", "paneer", "chicken stock", "water"}


def test_tofu_is_not_chilled_and_custard_is_of_milk_and_eggs() -> None:
    met = set()
    for made, texts in told(2_000):
        if "Tofu" in made.title:
            assert not any("hill for" in text for text in texts)
            met.add("tofu")
        if any("thick custard" in text for text in texts):
            assert any(re.search(r"Stir (?:the thin custard|it) over", x) for x in texts)
            met.add("custard")
    assert len(met) == 2
