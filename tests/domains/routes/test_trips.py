from __future__ import annotations

import re
from random import Random

import pytest

from thence.core.procedure import Choice, executable
from thence.dataflow.flow import Flow
from thence.dataflow.worlds import worlds
from thence.domains.routes import router
from thence.domains.routes.narrative import Stretch
from thence.domains.routes.synthetic.draft import Landmark
from thence.domains.routes.trips import random_trips
from thence.domains.routes.trips.legs import Around, Leg
from thence.domains.routes.trips.rules import RULES, rules
from thence.domains.routes.trips.things import Things
from thence.domains.routes.trips.writing import Writer
from thence.errors import ParameterError

pytest.importorskip("valhalla")
pytest.importorskip("osmium")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("THENCE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield router.synthetic(3, 2_000)


@pytest.fixture(scope="module")
def trips(small):
    rng = Random(4)
    return [trip for _ in range(12) for trip in random_trips.draw(small, rng, sheets=2)]


def test_trips_are_repeatable(small):
    one, same, other = (random_trips.draw(small, Random(seed), sheets=2) for seed in (5, 5, 6))
    assert one == same
    assert one != other


def test_every_step_finds_what_it_needs_in_the_listed_order_under_all_options(trips):
    for trip in trips:
        for world in worlds(Flow(trip.procedure)):
            steps = [step for k, step in enumerate(world.steps) if not world.is_left_out(k)]
            assert executable(steps, trip.procedure.start)


def test_there_are_choices_waits_and_trips_of_one_and_of_two_vehicles(trips):
    texts = [" ".join(step.text for step in trip.procedure.steps) for trip in trips]
    assert any("Truck: " in text for text in texts)
    assert any("Truck: " not in text for text in texts)
    assert any("Wait until" in text for text in texts)
    assert any(trip.closures for trip in trips)
    assert any(len(trip.procedure.choices) > len(trip.closures) for trip in trips)


def test_a_choice_names_the_steps_of_its_options(trips):
    for trip in trips:
        steps = trip.procedure.steps
        for number, step in enumerate(steps):
            found = re.search(r"If (.+) is (not )?(?:closed|shut), take steps? (\d+)", step.text)
            if found:
                choice = next(c for c in trip.procedure.choices if c.name == found[1])
                taken = choice.options[1] if found[2] else choice.options[0]
                assert int(found[3]) == number + 2
                assert steps[number + 1].when == ((choice.name, taken),)


def test_what_depends_on_an_option_changes_what_other_steps_go_by(trips):
    decided = 0
    for trip in trips:
        steps = trip.procedure.steps
        always = [step for step in steps if not step.when]
        touched = {fact for step in always for fact in (*step.uses, *step.defines)}
        changed = {fact for step in steps if step.when for fact in (*step.defines, *step.kills)}
        decided += bool(touched & {fact for fact in changed if " is on " not in fact})
    assert decided > 0.8 * len(trips)


def test_no_way_around_a_closed_road_takes_it_and_each_leaves_later_than_the_leg_begins(trips):
    seen = 0
    for trip in trips:
        for road in trip.closures:
            around = [s.text for s in trip.procedure.steps if (road, "closed") in s.when]
            taken = [s.text for s in trip.procedure.steps if (road, "open") in s.when]
            assert not any(re.search(rf"\b{re.escape(road)}\b", text) for text in around)
            assert any(road in text for text in taken)
            seen += 1
    assert seen


def test_jobs_by_the_road_are_where_one_can_stop(trips):
    for trip in trips:
        texts = [step.text.partition(": ")[2] or step.text for step in trip.procedure.steps]
        driven = ""
        for text in texts:
            if re.match(r"(?:Start|Arrive) at", text):
                driven = ""
            elif re.match(
                r"(?:Turn|Drive (?!in)|Bear|Keep|Take (?:the|exit)|Enter|Make|Merge)", text
            ):
                driven = text
            elif not re.match(r"(?:If|Wait)", text):
                assert not re.search(r"ramp|exit|\bI \d", driven), texts


def test_a_real_state_is_not_named_beside_roads_of_a_made_up_one(trips, small):
    code = small.map.landmarks[0].state
    for trip in trips:
        told = [trip.procedure.goal, *(step.text for step in trip.procedure.steps)]
        assert not any(re.search(rf"\b{code}\b", text) for text in told)


def test_every_kind_of_step_has_a_rule(trips):
    for trip in trips:
        for step in trip.procedure.steps:
            does = step.uses or step.defines or step.kills
            named = any(re.search(part, step.text) for part in RULES)
            assert bool(does) <= (named or " is on " in "".join((*step.defines, *step.kills)))
    assert any("driving, starting" in rule for rule in rules([], roads=False))


def test_times_are_stated_where_a_step_takes_some(trips):
    for trip in trips:
        for step in trip.timed().steps:
            stated = re.search(r"\((\d+)-(\d+) seconds\)\.$", step.text)
            assert (step.seconds == (0, 0)) is (stated is None)
            if stated:
                assert step.seconds == (int(stated[1]), int(stated[2]))


def test_steps_that_no_trip_has_are_refused(small):
    with pytest.raises(ParameterError, match="give other numbers of steps"):
        random_trips.draw(small, Random(1), 300, 400)


def test_no_job_is_done_by_the_road_before_a_turn_that_is_told_by_length(trips):
    seen = 0
    for trip in trips:
        last = {}
        for step in trip.procedure.steps:
            who, _, text = step.text.rpartition(": ")
            if re.search(r" after \d+ meters", text):
                seen += 1
                assert not last[who], (last[who], text)
            drives = " is on " in "".join((*step.defines, *step.kills))
            last[who] = "" if drives or not (step.uses or step.kills) else text
    assert seen


class Always(Random):
    """Chance by which all that is done now and then is done."""

    def random(self):
        return 0.0


@pytest.mark.parametrize(
    ("around", "taken", "stops"),
    [
        (["Turn left onto A Street."], ["Turn right onto B Street."], True),
        (["Turn left after 300 meters."], ["Turn right onto B Street."], False),
        (["Turn left onto A Street."], ["Turn right after 300 meters."], False),
        ([], ["Turn right onto B Street."], False),
    ],
)
def test_no_stop_is_made_before_a_choice_that_begins_with_a_turn_told_by_length(
    around, taken, stops
):
    one, last = ["Drive north on C Street."], ["Turn left after 200 meters.", "Turn left."]
    parts = [
        [Stretch(text, ("C Street",), 60, (0, 0), highway=False) for text in part]
        for part in (one, taken, last, around)
    ]
    first, second, rest, other = parts
    place = Landmark("the mill", "", "", "landmark", 0.0, 0.0)
    drawing = random_trips._Drawing(None, Always(1), 30)
    drawing.vehicles, drawing.state = ["van"], ""
    drawing.legs = [[Leg(place, place, (*first, *second, *rest), ())]]
    drawing.choices = [Choice("B Street", random_trips.CLOSED)]
    drawing.arounds = {(0, 0): ("B Street", Around(1, 2, tuple(other)))}
    things = Things(drawing.rng, ["the mill"], ["the mill"], ["van"])
    writer = Writer(drawing.rng, ["van"], things, drawing.choices, {})
    writer.arrive("van", place.name, first=True)
    drawing._leg(writer, 0, 0)
    asks = next(k for k, line in enumerate(writer.lines) if line.choice)
    assert (writer.lines[asks - 1].drive is None) is stops


def test_rules_tell_only_of_steps_that_there_are():
    one, _ = rules(["Pump water from the front tank into the cistern."], roads=False)
    assert "into a cistern" in one
    both = rules(["Pump water from the front tank into the rear tank.", "Drive on"], roads=True)
    assert "from one tank into the other" in both[0]
    assert not any(word in both[1] for word in ("roundabout", "compass", "slash", "gate"))
