"""Tests of the words of dishes that are told anew."""

from __future__ import annotations

import re
from random import Random

import pytest

from thence.domains.recipes import generator
from thence.domains.recipes.grammar import Dish
from thence.domains.recipes.techniques import sides


def test_each_rewording_meets_words_of_some_dish(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that have changed in the grammar would else stay as a cook found them wrong."""
    unmet = {old for old, _ in sides.REWORDED}
    tell = sides.tell_anew

    def told(dish: Dish) -> None:
        lines = [line for block in (*dish.early, *dish.parts, dish.join)
                 for step in block for line in step]  # fmt: skip
        tell(dish)
        unmet.difference_update({old for old in unmet if any(map(old.search, lines))})

    monkeypatch.setattr(sides, "tell_anew", told)
    for seed in range(1_500):
        generator.recipe(Random(seed), anew=True)
        if not unmet:
            break
    assert not unmet


def test_a_step_that_works_on_nothing_is_refused() -> None:
    dish = Dish("Soup", "French", "soup", join=[["~ Stir in {salt}."]])
    with pytest.raises(ValueError, match="nothing was made before"):
        sides.tell_anew(dish)


def test_all_words_that_do_not_suit_a_dish_are_told_anew() -> None:
    dish = Dish("Tofu and Chicken Stew with Rolls", "Turkish", "soup")
    dish.part(["Fry {bacon} in {beef stock}. -> fried"], ["~ Chill for %10-20m[ before slicing/]."])
    sides.tell_anew(dish)
    ((fry, *_), (stand, *_)) = dish.parts[0]
    assert "halloumi" in fry and "chicken stock" in fry
    assert stand.endswith("for %10-20m[/].")


def test_nothing_is_kept_warm_for_an_hour() -> None:
    rng, met = Random(2), 0
    for _ in range(1_500):
        texts = [step.text for step in generator.generate(rng, anew=True).procedure.steps]
        long = max((k for k, text in enumerate(texts) if re.search(r"\bhours?\b", text)), default=0)
        assert not any("keep warm" in text for text in texts[:long])
        met += bool(long)
    assert met > 100


def test_what_is_told_anew_is_in_the_order_and_the_words_of_a_cook() -> None:
    rng, met = Random(4), set()
    for _ in range(1_500):
        made = generator.generate(rng, anew=True)
        texts = [step.text for step in made.procedure.steps]
        title = made.recipe.title
        if title.endswith(" Rolls"):
            assert not any("bread in" in text or "slicing" in text for text in texts)
            met.add("rolls")
        if "Layer Cake" in title:
            (baked,) = (k for k, text in enumerate(texts) if "Bake the cake" in text)
            (mixed,) = (k for k, text in enumerate(texts) if "self-raising" in text)
            assert all(re.search("nto|Fill", text) for text in texts[mixed:baked])
            met.add("batter")
        if "Mousse" in title:
            (whisked,) = (k for k, x in enumerate(texts) if re.search("Whisk .*whites", x))
            assert not any("Melt" in text for text in texts[whisked + 1 :])
            met.add("whites")
        if made.recipe.course == "pasta" and "Lasagne" not in title:
            drained = next(k for k, text in enumerate(texts) if re.search("(?i)drain the", text))
            assert not any("imme" in text or "bubble" in text for text in texts[drained + 1 :])
            met.add("pasta")
    assert len(met) == 4


def test_what_is_hot_or_whipped_is_done_when_it_is_needed() -> None:
    rng, met = Random(6), set()
    for _ in range(2_000):
        made = generator.generate(rng, anew=True)
        texts = [step.text for step in made.procedure.steps]
        for kind, does, before in (
            ("Burgers", "until cooked through", "sliced onions"),
            ("Wraps", "until cooked through", "vinegar"),
            ("Biscuits", "(?:Preheat|Heat) the oven", "hill it for"),
            ("Stir-fried", "in a wok", "then drain"),
            ("Layer Cake", "(?:Whip|Whisk) .*stiff peaks", "Slice the"),
            ("Meatballs", "(?:Brown|Fry|fry|brown) (?:the|it|them)", "and simmer for"),
        ):
            early = [k for k, text in enumerate(texts) if re.search(before, text)]
            if kind in made.recipe.title and early:
                late = next(k for k, text in enumerate(texts) if re.search(does, text))
                assert late >= max(early), texts
                met.add(kind)
    assert len(met) == 6
