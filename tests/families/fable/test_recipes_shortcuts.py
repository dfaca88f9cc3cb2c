"""What shortcuts see of recipes: equipment that was put away, and steps that only make sure."""

from __future__ import annotations

import pytest

from thence.core.sample import Sample
from thence.core.shortcuts import ShownQuestion
from thence.families.fable.recipes.shortcuts import COOKS, SHORTCUTS

TEXTS = (
    "Get out the thermometer.",
    "Fetch the spatula.",
    "Put the thermometer away.",
    "Get out the thermometer.",
    "Simmer for 5 minutes.",
)
READING = [
    "There is one oven.",
    "Step 4 gets the thermometer out only where it is not out yet.",
]


def seen(name: str, i: int, j: int, cooks: list[list[int]]) -> object:
    """What the named shortcut sees of a question about two steps."""
    asked = {"i": i, "j": j, "cooks": cooks, "reading": READING}
    told = {"goal": "", "steps": [{"text": text} for text in TEXTS]}
    sample = Sample("", "fable", "", "", "", None, {"question": asked, "procedure": told})
    (look,) = (each for each in [*SHORTCUTS, *COOKS] if each.name == name)
    return look.value(ShownQuestion(sample))


@pytest.mark.parametrize(
    ("i", "last"), [(0, "unnamed"), (2, "named"), (3, "away"), (1, "unnamed"), (4, None)]
)
def test_the_last_step_that_names_the_equipment_puts_it_away_or_not(i: int, last: object) -> None:
    assert seen("equipment before", i, 4, [[0, 1, 2, 3, 4]]) == last


def test_a_step_that_makes_sure_is_read_off_the_rules() -> None:
    assert [seen("makes sure", i, 4, [[0, 1, 2, 3, 4]]) for i in range(4)] == [
        False,
        False,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("j", "cooks", "told"),
    [
        (4, [[0, 1, 2], [3, 4]], ((True, True),)),
        (4, [[0, 1, 3], [2, 4]], ((True, False),)),
        (2, [[0, 1, 2], [3, 4]], ((False, False),)),
    ],
)
def test_who_makes_sure_before_step_j(j: int, cooks: list[list[int]], told: object) -> None:
    assert seen("the cook of j makes sure", 0, j, cooks) == told
