"""What a glance at two steps sees: the things they name, what joins them, and who waited."""

from __future__ import annotations

import pytest

from thence.families.catbench.surface import SHORTCUTS, Named, named, stem, things

PIE = (
    "boil 1 kg of potatoes until tender and mash them with half of the butter.",
    "melt the rest of the butter in a pan and stir in 40g flour.",
    "heat the oven to 200°c.",
    "stir 500ml milk into the roux.",
    "pour the sauce over 400g cod in a dish.",
    "spread the mash over the filling.",
    "bake the pie in the oven.",
    "let it stand.",
)
CARS = (
    "car 1: drive north.",
    "car 2: drive north.",
    "car 2: turn left.",
    "car 3: wait here until car 2 has done this: turn left.",
    "car 3: drive on.",
    "car 1: you have arrived at your destination.",
    "car 2: wait here until car 1 has arrived.",
    "car 2: turn right.",
)


def test_things_are_words_that_say_something_and_numbered_names():
    assert things("load package 2 into truck 1 at location 3.") == (
        "load", "package 2", "truck 1", "location 3",
    )  # fmt: skip
    assert "20 minut" not in things("boil for 20 minutes") and stem("potatoes") == stem("potato")
    assert named(PIE).things[2] == {stem("oven")}  # what begins a step is its verb


def test_what_two_steps_share():
    told = named(PIE).seen(0, 1)
    assert (told["things of both"], told["things that i brings in"]) == (1, 1)
    assert (told["known things of i"], told["things last named in i"]) == (1, 1)
    assert told["next with a thing of i"] == told["last with a thing of j"] == "at"
    assert told["joined by a step"] is True
    told = named(PIE).seen(2, 6)
    assert (told["things of both"], told["next with the object of i"]) == (1, "at")
    told = named(PIE).seen(0, 2)
    assert (told["things of both"], told["joined by a step"]) == (0, False)
    assert told["next with a thing of i"] == "before"


def test_what_only_later_steps_name():
    told = named(PIE).seen(2, 4)
    assert (told["only after j"], told["things of i named after j"]) == (True, 1)
    assert named(PIE).seen(0, 1)["only after j"] is False


def test_a_step_that_goes_on_names_nothing_new():
    assert named(PIE).seen(6, 7)["goes on"] is True
    assert named(PIE).seen(5, 7)["goes on"] is False  # another step stands between
    assert named(PIE).seen(0, 3)["only new things"] is False
    assert named(PIE).seen(1, 2)["goes on"] is False


def test_steps_between_that_join_two():
    chain = ("cut bread.", "toast bread with cheese.", "serve cheese with wine.", "drink wine.")
    steps = Named(chain)
    assert steps.seen(0, 2)["joined by a step"] and not steps.seen(0, 3)["joined by a step"]
    assert steps.seen(0, 3)["joined by two steps"] is True
    assert steps.seen(0, 2)["steps with things of both"] == 1
    assert steps.seen(0, 3)["breaks"] == 0 == steps.seen(0, 3)["new starts"]


@pytest.mark.parametrize(
    ("i", "j", "joined", "since"),
    [
        (1, 4, True, True),  # car 3 waited for car 2
        (0, 4, False, True),  # for car 2, not for car 1, but for a step after it
        (5, 7, True, True),  # for the arrival of car 1
        (4, 7, False, True),
        (0, 2, False, False),
    ],
)
def test_who_waited_for_whom(i, j, joined, since):
    told = named(CARS).seen(i, j)
    assert told["joined by a wait"] is joined
    assert told["waited for what is later than i"] is since
    assert named(PIE).seen(0, 3)["joined by a wait"] is None


def test_every_look_is_a_shortcut_with_a_text():
    assert {each.name for each in SHORTCUTS} == set(named(PIE).seen(0, 1))
    assert all(each.text for each in SHORTCUTS)
