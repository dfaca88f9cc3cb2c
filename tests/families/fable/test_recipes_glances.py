"""What glances at recipes see: kinds of steps, who names a thing next, what is thrown away."""

from __future__ import annotations

from typing import Any

import pytest

from thence.core.sample import Sample
from thence.core.shortcuts import ShownQuestion
from thence.families.fable.recipes.glances import glances
from thence.families.fable.shared.analyses import ANALYSES

TEXTS = (
    "Get out the whisk.",
    "Whisk 3 eggs with the milk to make a batter.",
    "If the batter has lumps, throw it away.",
    "If the batter has lumps, make it again with new ingredients, as in Step 2.",
    "Put the whisk away.",
    "Get out the whisk.",
    "Fry the batter in butter.",
    "Cover the pancakes and keep them warm.",
)
READING = [
    "Two cooks share the work.",
    "Step 6 gets the whisk out only where it is not out yet.",
    "Besides what they say, Steps 2 and 7, and no others, work with the whisk, which must be out.",
]
COOKS = [[0, 1, 2, 6], [3, 4, 5, 7]]


def looks(i: int, j: int | None = None, fact: str = "", **more: Any) -> dict[str, Any]:
    asked = {"i": i, "j": j, "fact": fact or None, "cooks": COOKS, "reading": READING,
             "ingredients": ["3 eggs", "milk", "butter"], **more}  # fmt: skip
    told = {"goal": "", "steps": [{"text": text} for text in TEXTS]}
    metadata = {"question": asked, "procedure": told}
    shown = ShownQuestion(Sample("", "fable", "", "", "", None, metadata))
    held = [each for analysis in ANALYSES for each in glances(analysis)]
    return {each.name: each.value(shown) for each in held}


@pytest.mark.parametrize(
    ("i", "kind"),
    [(0, "get"), (1, "bring"), (2, "throw"), (3, "again"), (4, "put"), (6, "bring"), (7, "alter")],
)
def test_kinds_of_steps(i, kind):
    assert looks(i)["kind of i"] == kind


def test_who_names_the_thing_next_and_last():
    told = looks(1, 6, "batter", form="itself", made=1)
    assert told["next namer"] == ("between", (True, True))
    assert told["next namer's If"] == ("between", True)
    assert told["last namer"] == ("between", (False, False))  # the other cook makes it again
    assert told["thrown away"] == ("between", (True, True))
    assert told["made again"] == ("between", (False, False))
    assert told["kinds around"] == ("again", "throw")
    # the first cook throws it away under an If before step 7, after which nobody names it
    assert told["last for its cook"] == ("throw", True)
    assert (told["next for its cook"], told["next after it"]) == (None, (None, False))
    told = looks(1, None, "batter", form="itself", made=1)
    assert told["around for its cook"] == (None, ("throw", True))
    assert told["next after it"] == (("throw", True), True)
    assert looks(3, None, "batter", form="itself", made=1)["thrown away"] == (
        "before",
        (False, False),
    )


def test_how_often_a_tool_is_got_out_and_whether_it_is_put_away():
    told = looks(0, 6, "whisk", form="tool")
    assert told["got out between"] == told["got out, not away"] == ("tool", 1)
    assert told["got out for j"] == ("tool", False, False)
    assert told["away last"] == ("tool", "between", False)
    assert told["away between"] == ("tool", True, False)
    assert looks(0, 4, "whisk", form="tool")["got out between"] == ("tool", 0)


def test_two_steps_at_once():
    told = looks(0, 5)
    assert told["alike"] is True
    assert told["handed on"][0] is False  # both only get the tool out
    assert looks(1, 6)["handed on"][0] is True  # both name the batter
    assert looks(2, 3)["conditions"] == (True, True, 0)
    told = looks(1, 4)
    assert (told["before the later"], told["back to the earlier's cook"]) == ((True, False), 2)
    assert looks(1, 2)["conditions"][:2] == (False, True)


def test_what_two_steps_do_with_equipment():
    assert looks(0, 5)["tools of both"] == ("get", "sure")
    assert looks(1, 4)["tools of both"] == ("put", "works")
    assert looks(2, 7)["tools of both"] == ("", "")


def test_ifs_that_name_the_thing_and_undo_it():
    told = looks(1, 6, "batter", form="itself", made=1)
    assert told["Ifs that name it"] == ("itself", 2, 1)
    assert told["Ifs between"] == ("itself", False, 2)
    assert told["undone between"] == (2, 2)
    told = looks(1, None, "batter", form="itself", made=1)
    assert told["Ifs after"] == ("itself", 2, 1)
    assert told["undoings after"] == ("itself", 1)
    assert told["nothing left"] == ("", False)
    assert looks(6, None, "batter", form="itself", made=1)["nothing left"][1] is True
    assert looks(6, 1, "batter", form="itself", made=1)["Ifs between"] == ("itself", True, 2)
