"""What a cook would not do: heat an oven that was just turned off, or pipe soft cream."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise
from random import Random

from tests.domains.recipes import test_additions
from thence.domains.recipes.additions.equipment import EQUIPMENT
from thence.domains.recipes.additions.extension import ExtendedRecipe
from thence.domains.recipes.additions.lines import OVEN
from thence.domains.recipes.generator import generate

extended = partial(test_additions.extended, seed=12)


def texts_of(script: ExtendedRecipe) -> list[str]:
    return [line.text for line in script.lines]


def test_an_oven_is_turned_off_soon_and_something_is_done_before_it_is_heated_again() -> None:
    met: set[bool] = set()
    for script in extended(1_200):
        for one, other in pairwise(texts_of(script)):
            assert not (
                re.search("(?i)turn the oven off", one) and re.search("(?i)heat the oven", other)
            )
        off = [k for k, line in enumerate(script.lines) if OVEN in line.kills]
        again = any("heat the oven " in text for text in texts_of(script))
        met.update({again} if off else ())
        if off and not again:
            (place,) = off
            last = max(k for k, line in enumerate(script.lines) if OVEN in line.uses)
            assert sum(not line.added for line in script.lines[last + 1 : place]) < 2
    assert met == {True, False}


def test_no_second_helping_is_of_what_the_rest_lies_on() -> None:
    met = 0
    for script in extended(1_200):
        if other := re.search(r"Put the other (.+) on the table", script.lines[-1].text):
            assert not re.search(r"rice|couscous|bulgur|pasta|gnocchi|noodles|potatoes", other[1])
            met += 1
    assert met


def test_a_soiled_tool_is_put_away_for_washing() -> None:
    met = 0
    for script in extended(300, soils=True):
        for text in texts_of(script):
            if "go on with" in text:
                assert "away for washing and go on with" in text
                met += 1
    assert met


def test_a_spatula_is_no_tool_for_hands() -> None:
    assert EQUIPMENT["spatula"].search("Rub the butter into the flour. Stir in the sugar.")
    for script in extended(600):
        for line in script.equipment.get("spatula", ()):
            assert not re.search(r"\b(?i:rub|knead|roll)\b", line.text)


def test_dishes_are_told_in_the_words_of_a_cook() -> None:
    rng, met = Random(5), set()
    for _ in range(2_000):
        made = generate(rng, anew=True)
        text = " ".join(step.text for step in made.procedure.steps)
        assert not re.search(r"cloves? of (?:sliced|crushed|chopped)", text)
        assert not re.search(
            r"(?i)half fill|fill the [a-z]* ?(?:sheets|trays)|Slice .* across", text
        )
        assert "these with the rest." not in text
        if "ipe the whipped cream" in text:
            assert "stiff peaks" in text
            met.add("piped")
        if "thick custard" in text:
            assert "tablespoons of cornflour" in text
            met.add("custard")
        if "Scatter the cake" in text or "Decorate the cake" in text:
            met.add("cake")
        assert not re.search(r"(?:Scatter|Decorate) (?:it|them) with", text)
        if "meal to the table" in text:
            facts = {fact for step in made.procedure.steps for fact in step.defines}
            assert not any(fact.startswith("served ") for fact in facts)
            met.add("meal")
    assert met == {"piped", "custard", "cake", "meal"}
