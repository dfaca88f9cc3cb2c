from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thence.domains.routes import narrative, published
from thence.domains.routes.lowering import lower
from thence.domains.routes.reading import plain, read, variants

NAMES = st.lists(
    st.text(string.ascii_letters, min_size=3, max_size=9).map(str.title), min_size=1, max_size=3
).map("/".join)


@pytest.mark.parametrize(
    ("text", "roads", "passed", "toward"),
    [
        ("Drive east.", (), (), ()),
        ("Drive north on Kellogg Boulevard.", ("Kellogg Boulevard",), (), ()),
        ("Turn left onto Ash Street/MA 97.", ("Ash Street", "MA 97"), (), ()),
        ("Turn left onto Ash Road/MA 3. Continue on MA 3.", ("MA 3",), ("Ash Road",), ()),
        (
            "Keep left to stay on I 40 toward I 73 North/Clay.",
            ("I 40",),
            (),
            ("I 73 North", "Clay"),
        ),
        (
            "Keep right to take exit 23 onto CA 22 toward Long Beach.",
            ("CA 22",),
            (),
            ("Long Beach",),
        ),
        ("Take the I 195 West ramp toward Airport.", ("I 195 West",), (), ("Airport",)),
        ("Turn right to take the US 9 ramp.", ("US 9",), (), ()),
        ("Take the NY 21 North exit on the right.", ("NY 21 North",), (), ()),
        ("Take exit 4 on the right toward Mill Street.", (), (), ("Mill Street",)),
        ("Take the exit on the right after 41 meters or 2-3 seconds.", (), (), ()),
        ("Enter the roundabout and take the 2nd exit.", (), (), ()),
        ("Enter Ash Circle and take the 2nd exit onto Elm Way/US 5.", ("Elm Way", "US 5"), (), ()),
        ("Keep right to take Lockwood Drive.", ("Lockwood Drive",), (), ()),
        ("Continue on US 1.", ("US 1",), (), ()),
        ("Turn left after 9 meters or 3 seconds.", (), (), ()),
        ("Continue for 41 meters or 7-9 seconds.", None, (), ()),
        ("You have arrived at your destination.", None, (), ()),
        ("Your destination is on the left.", None, (), ()),
    ],
)
def test_a_sentence_names_its_road(text, roads, passed, toward):
    found = read(text)
    assert (found.roads, found.passed, found.toward) == (roads, passed, toward)


def test_times_and_lengths_are_read_with_one_number_or_two():
    assert read("Turn left after 937 meters or 77-94 seconds.").seconds == (77, 94)
    assert read("Turn left after 9 meters or 3 seconds.").seconds == (3, 3)
    assert read("Turn left after 937 meters or 77-94 seconds.").metres == 937
    assert read("Turn left onto 3rd Street.").seconds is None


@given(
    NAMES, st.sampled_from(["Turn left onto {}.", "Keep left to stay on {}.", "Continue on {}."])
)
def test_a_name_that_is_written_is_read_back(name, form):
    assert read(form.format(name)).roads == tuple(name.split("/"))


def test_a_direction_at_the_end_is_not_part_of_a_name():
    assert plain("I 93 South") == "I 93"
    assert plain("South Street") == "South Street"
    assert plain("North") == "North"
    assert variants(("US 5 North", "Main Street")) == ("US 5 North", "US 5", "Main Street")


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    read(text)


ROUTE = [
    "Drive north on Ash Street.",  # 1
    "Turn left onto Elm Street/US 5.",  # 2
    "Keep left to stay on US 5.",  # 3
    "Turn right onto Oak Lane.",  # 4
    "Turn left onto US 5/Main Street. Continue on US 5.",  # 5
    "Turn left after 300 meters or 20-24 seconds.",  # 6
    "Turn left after 80 meters or 9 seconds.",  # 7
    "Continue for 40 meters or 8-9 seconds.",  # 8
    "Your destination is on the left.",  # 9
]


def test_lowering_follows_roads_through_their_names():
    route = lower("A to B", ROUTE)
    steps = route.procedure.steps
    assert steps[1].defines == ("place 2", "on Elm Street", "on US 5")
    assert steps[1].kills == ("place 1", "on Ash Street")
    assert steps[2].uses == ("place 2", "on US 5")
    assert route.unclear[2] == {
        "on Elm Street"
    }  # 'stay on US 5' leaves open what else it is called
    assert "on US 5" in steps[3].kills
    assert steps[4].defines == ("place 5", "on US 5")
    assert route.unclear[4] == {"on Main Street"}
    assert route.unclear[5] == {"on US 5"}  # a turn without a name may or may not leave the road
    assert steps[6].seconds == (9, 9)
    assert not route.clear("on Elm Street", 1, 4)
    assert route.clear("on US 5", 1, 8)  # left for good in step 4, whatever comes later


def test_published_rules_and_the_sound_interval():
    steps = [read(text) for text in ROUTE]
    assert published.interval(steps, 7) == [29, 33]
    assert published.elapsed(steps, 6, 8) == [17, 18]
    assert published.elapsed(steps, 4, 6) is None
    assert published.still_on(steps, "US 5", 2, 3) == (True, None)
    assert published.still_on(steps, "US 5", 2, 6) == (False, 4)
    assert published.live(steps, "Elm Street", 2, 2) == (False, 3)
    assert published.live(steps, "US 5", 2, 3) == (False, 4)


def test_a_roundabout_is_one_step_and_the_last_stretch_is_stated():
    made = [
        {"type": 1, "instruction": "Drive east.", "length": 0.1, "time": 10.0},
        {
            "type": 26,
            "instruction": "Enter the roundabout and take the 2nd exit toward Troy.",
            "length": 0.05,
            "time": 5.0,
        },
        {
            "type": 27,
            "instruction": "Exit the roundabout onto Elm Street.",
            "street_names": ["Elm Street"],
            "length": 0.4,
            "time": 40.0,
        },
        {"type": 15, "instruction": "Turn left.", "length": 0.03, "time": 4.0},
        {"type": 4, "instruction": "You have arrived at your destination.", "length": 0, "time": 0},
    ]
    texts, roads = narrative.steps(made)
    assert roads[1] == ("Elm Street",)
    assert texts == [
        "Drive east.",
        "Enter the roundabout and take the 2nd exit onto Elm Street toward Troy.",
        "Turn left after 450 meters or 40-50 seconds.",
        "Continue for 30 meters or 4 seconds.",
        "You have arrived at your destination.",
    ]
