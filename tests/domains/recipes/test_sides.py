"""Tests of the words of dishes that are told anew."""

from __future__ import annotations

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
