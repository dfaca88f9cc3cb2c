from __future__ import annotations

import re
from itertools import pairwise
from random import Random
from types import SimpleNamespace

import pytest

from thence.core.procedure import Choice, executable
from thence.dataflow.flow import Flow
from thence.dataflow.worlds import worlds
from thence.domains.routes import router
from thence.domains.routes.narrative import Stretch
from thence.domains.routes.synthetic.draft import Landmark
from thence.domains.routes.trips import jobs, legs, random_trips
from thence.domains.routes.trips.dispatcher import with_dispatcher
from thence.domains.routes.trips.job_durations import Durations
from thence.domains.routes.trips.legs import Around, Leg
from thence.domains.routes.trips.rules import RULES, rules
from thence.domains.routes.trips.sheet import _METRES, Line
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


def test_no_drain_is_opened_on_the_road(trips):
    seen = 0
    for trip in trips:
        driven = {}
        for step in trip.procedure.steps:
            who, _, text = step.text.rpartition(": ")
            if re.match(r"(?:Start|Arrive) at", text):
                driven[who] = False
            elif " is on " in "".join((*step.defines, *step.kills)) or text.startswith("Turn "):
                driven[who] = True
            elif text.startswith("Open the drain"):
                seen += 1
                assert not driven[who], text
    assert seen


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
    with pytest.raises(ParameterError, match="give other numbers of steps, such as steps=4-400"):
        random_trips.draw(small, Random(1), 300, 400)
    assert random_trips.draw(small, Random(1), 4, 400)


@pytest.mark.parametrize("span", [(4, 6), (20, 20), (44, 56), (45, 60), (50, 56), (56, 60)])
def test_few_numbers_of_steps_can_be_asked_for(small, span):
    rng = Random(1)
    found = [trip for _ in range(4) for trip in random_trips.draw(small, rng, *span, sheets=4)]
    assert len(found) == 16
    assert all(span[0] <= len(trip.procedure.steps) <= span[1] for trip in found)


def test_no_job_is_done_by_the_road_before_a_turn_that_is_told_by_length(trips):
    seen = 0
    for trip in trips:
        last = {}
        for step in trip.procedure.steps:
            who, _, text = step.text.rpartition(": ")
            if re.search(r" after [\d.]+ (?:kilo)?meters", text):
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
    _, one, _ = rules(["Pump water from the front tank into the cistern."], roads=False)
    assert "into a cistern" in one
    both = rules(["Pump water from the front tank into the rear tank.", "Drive on"], roads=True)
    assert "from one tank into the other" in both[1]
    assert not any(word in both[2] for word in ("roundabout", "compass", "slash", "gate"))


def test_a_rule_tells_that_what_is_moved_stays_where_else_it_was():
    told = rules(["Unload the red crate."], roads=False)
    assert any("what else was true of it stays true" in rule for rule in told)
    assert not any("else was true" in rule for rule in rules(["Weigh the red crate."], roads=False))


def test_both_ways_around_a_closed_road_begin_with_other_sentences(trips):
    seen = 0
    for trip in trips:
        steps = trip.procedure.steps
        for step in steps:
            found = re.search(r"closed, take steps? (\d+).*, otherwise steps? (\d+)", step.text)
            if found:
                seen += 1
                assert steps[int(found[1]) - 1].text != steps[int(found[2]) - 1].text
    assert seen


def stretch(text, seconds, *roads):
    return Stretch(text, roads, seconds, (0, 1), highway=False)


def test_a_street_that_both_ways_take_has_the_times_of_both():
    start = stretch("Drive north on C Street.", 100, "C Street")
    closed = stretch("Turn left onto B Street.", 50, "B Street")
    last = stretch("Turn left onto D Street.", 40, "D Street")
    other = (
        stretch("Drive north on C Street.", 200, "C Street"),
        stretch("Turn left onto A Street.", 50, "A Street"),
        stretch("Turn left onto D Street.", 40, "D Street"),
    )
    finder = SimpleNamespace(drive=lambda *_: (other, ()))
    place = Landmark("the mill", "", "", "landmark", 0.0, 0.0)
    leg = Leg(place, place, (start, closed, last), ((0.0, 0.0), (1.0, 1.0)))
    around = legs.around(finder, leg, "B Street")
    assert (around.first, around.last, around.other) == (1, 2, other[1:2])
    assert around.seconds == {0: (90, 220), 2: (36, 44)}


JOBS = {
    job.text: job
    for job in (
        *jobs.of_tank(jobs.FRONT, jobs.REAR, "van", "the mill"),
        *jobs.of_tank(jobs.REAR, jobs.FRONT, "van", "the mill"),
        *jobs.of_list("van", None),
        *jobs.of_place(jobs.GATE, "the mill"),
    )
}
FILL, POUR, WASH, PUMP, BACK, LIST, CHECK, OPEN, CLOSE = (
    "Fill the front tank at the hydrant.",
    "Pour all the water from the front tank onto the trees.",
    "Wash a road sign with water from the front tank.",
    "Pump water from the front tank into the rear tank.",
    "Pump water from the rear tank into the front tank.",
    "Take down a new job list by phone.",
    "Check the job list by phone and correct it.",
    "Open the gate.",
    "Close the gate.",
)


def writer(*start, vehicles=("van",)):
    things = Things(Random(1), ["the mill"], ["the mill"], vehicles)
    things.start = [*start]
    choices = [Choice("the office", random_trips.SHUT)]
    found = Writer(Random(1), vehicles, things, choices, {})
    for vehicle in vehicles:
        found.arrive(vehicle, "the mill")
    return found


@pytest.mark.parametrize(
    ("done", "then", "refused"),
    [
        ([FILL], POUR, True),
        ([FILL], "Fill the front tank from the cistern.", True),
        ([FILL], BACK, True),
        ([FILL, WASH], BACK, False),
        ([FILL, WASH], POUR, False),
        ([FILL, LIST], POUR, True),
        ([FILL, WASH], "Wash a road sign with water from the rear tank.", True),
        ([FILL, PUMP], BACK, True),
        ([FILL, PUMP, WASH], BACK, False),
        ([LIST], CHECK, False),
        ([CLOSE], OPEN, True),
    ],
)
def test_a_job_does_not_undo_or_repeat_at_a_stop_what_served_nothing(done, then, refused):
    sheet = writer("the cistern at the mill holds water", "the rear tank of the van holds water")
    for text in done:
        sheet._do("van", JOBS[text], ())
    assert (sheet._any("van", [JOBS[then]], ()) is None) is refused
    assert sheet._any("van", [JOBS[then]], (), may_undo=True) is JOBS[then]


def test_at_the_next_stop_something_else_may_be_done_with_what_served_nothing():
    sheet = writer()
    sheet._do("van", JOBS[FILL], ())
    sheet._do("van", JOBS[LIST], ())
    assert sheet._any("van", [JOBS[POUR]], ()) is None
    sheet.arrive("van", "the yard")
    assert sheet._any("van", [JOBS[POUR]], ()) is JOBS[POUR]


@pytest.mark.parametrize("text", [OPEN, "Buy a day ticket."])
def test_no_gate_is_opened_and_no_ticket_bought_where_that_was_done_in_any_case(text):
    sheet = writer()
    job = JOBS.get(text) or next(each for each in jobs.of_ticket("van") if each.text == text)
    sheet._do("van", job, (("the office", "shut"),))
    sheet.arrive("van", "the mill")
    assert sheet._any("van", [job], (("the office", "open"),), apart=1) is job
    assert sheet._any("van", [job], (("the office", "shut"),), apart=1) is None


def test_a_job_of_one_option_undoes_nothing_of_the_other():
    sheet = writer()
    sheet._do("van", JOBS[CLOSE], (("the office", "shut"),))
    assert sheet._any("van", [JOBS[OPEN]], (("the office", "open"),)) is JOBS[OPEN]
    assert sheet._any("van", [JOBS[OPEN]], (("the office", "shut"),)) is None


def test_a_thing_is_not_unloaded_where_it_has_been():
    sheet = writer("the key is at the mill")
    load, back, _ = jobs.of_thing("the key", "van", "the mill")
    again, unload, _ = jobs.of_thing("the key", "van", "the yard")
    for job in (load, unload, again):
        sheet.arrive("van", "the mill" if job is load else "the yard")
        assert sheet._any("van", [job], (), apart=1) is job
        sheet._do("van", job, ())
    for job in (unload, back):
        sheet.arrive("van", "the mill" if job is back else "the yard")
        assert sheet._any("van", [job], (), apart=1) is None


def test_a_wait_with_nothing_after_it_is_left_out():
    sheet = writer(vehicles=("van", "truck"))
    first, other = sheet.lines
    wait = sheet.add(Line("van", target=other))
    last = sheet.add(Line("van", "Turn left."))
    for vehicle in ("truck", "van"):
        sheet.add(Line(vehicle, target=first))
    sheet.finish()
    assert sheet.lines == [first, other, wait, last]


def test_of_two_waits_in_a_row_the_first_is_left_out():
    sheet = writer(vehicles=("van", "truck"))
    first, other = sheet.lines
    sheet.add(Line("van", target=other))
    arrival = sheet.add(Line("truck", "Arrive at the yard."))
    wait = sheet.add(Line("van", target=arrival))
    last = sheet.add(Line("van", "Turn left."))
    sheet.finish()
    assert sheet.lines == [first, other, arrival, wait, last]


def dispatched(trips):
    """The trips with a dispatcher, as his steps and the steps of all."""
    for trip in trips:
        steps = trip.procedure.steps
        his = [k for k, step in enumerate(steps) if step.text.startswith("Dispatcher: ")]
        if his:
            yield trip, his, steps


def test_a_dispatcher_waits_notes_and_gives_go_aheads(trips):
    texts = {
        re.sub(r"\d+|\b(?:van|truck)\b", "_", steps[k].text)
        for _, his, steps in dispatched(trips)
        for k in his
    }
    assert texts == {
        "Dispatcher: Wait until the _ has done step _.",
        "Dispatcher: Give the _ the go-ahead.",
        "Dispatcher: Note it in the log.",
    }
    waiting = [any("Wait until" in s.text for s in trip.procedure.steps) for trip in trips]
    his = [any("Dispatcher: " in s.text for s in trip.procedure.steps) for trip in trips]
    assert all(wait or not desk for wait, desk in zip(waiting, his, strict=True))
    assert sum(his) > 0.9 * sum(waiting) > 0


def test_a_dispatcher_needs_changes_and_depends_on_nothing(trips):
    for trip, his, steps in dispatched(trips):
        assert all(
            not (steps[k].uses or steps[k].defines or steps[k].kills or steps[k].when) for k in his
        )
        assert all(trip.seconds[k] is None for k in his)


def test_nobody_waits_for_a_step_again_or_for_one_before_it(trips):
    for _, _, steps in dispatched(trips):
        last = {}
        for step in steps:
            who, _, text = step.text.partition(": ")
            found = re.match(r"Wait until the (\w+) has done step (\d+)", text)
            if found and "dispatcher" in (who.lower(), found[1]):
                assert int(found[2]) > last.get((who, found[1]), 0)
                last[who, found[1]] = int(found[2])


def test_after_a_wait_a_vehicle_does_something_else(trips):
    for _, _, steps in dispatched(trips):
        for who in ("Van", "Truck"):
            own = [step.text for step in steps if step.text.startswith(who)]
            assert "Wait until" not in own[-1]
            assert not any("Wait until" in a and "Wait until" in b for a, b in pairwise(own))


def test_a_note_follows_the_wait_that_it_is_about(trips):
    for _, his, steps in dispatched(trips):
        for k in his:
            if steps[k].text == "Dispatcher: Note it in the log.":
                assert steps[k - 1].text.startswith("Dispatcher: Wait until")


def test_waits_through_a_dispatcher_keep_the_order(small):
    """The dispatcher changes no order that there was, and steps of an option stay together."""
    for seed in range(40):
        rng = Random(seed)
        lines = [Line(("van", "truck")[rng.randrange(2)], f"Go on {k}.") for k in range(24)]
        for k in range(4, 24, 3):
            others = [each for each in lines[:k] if each.vehicle != lines[k].vehicle]
            if others:
                lines[k] = Line(lines[k].vehicle, target=rng.choice(others[-6:]))
        for k in (9, 10, 11):
            lines[k].when = (("the office", "shut"),) if not lines[k].target else ()
        before = {(id(a), id(b)) for a, b in _after(lines)}
        made = with_dispatcher(lines, rng)
        assert [each for each in made if each.vehicle != "dispatcher" and each in lines] == lines
        assert before <= {(id(a), id(b)) for a, b in _after(made)}
        for one, other in pairwise(made):
            assert not (other.when and one.vehicle == "dispatcher")


def _after(lines):
    """Every two lines of which the second comes after the first in each order."""
    after = {id(line): set() for line in lines}
    for k, line in enumerate(lines):
        own = [each for each in lines[:k] if each.vehicle == line.vehicle][-1:]
        for each in [*own, *([line.target] if line.target else [])]:
            after[id(line)] |= {each, *after[id(each)]}
    return [(a, line) for line in lines for a in after[id(line)]]


def test_every_job_has_a_duration_and_another_sentence_is_refused():
    every = [
        *(job for thing in (*jobs.CRATES, jobs.TRAILER)
          for job in jobs.of_thing(thing, "van", "the mill")),
        *JOBS.values(),
        *jobs.of_list("van", "the mill"),
        *jobs.of_ticket("van"),
        *(job for hold in (jobs.CISTERN, jobs.BOARD, jobs.GATE)
          for job in jobs.of_place(hold, "the mill")),
        jobs.of_road("Mill Road", "van"),
    ]  # fmt: skip
    durations = Durations(Random(1))
    assert all(0 < low < high for low, high in (durations.of(job.text) for job in every))
    with pytest.raises(KeyError, match=r"Paint the fence\..*LEAST"):
        durations.of("Paint the fence.")


def test_jobs_of_one_kind_take_about_the_same_time_in_a_sheet():
    sheets = [Durations(Random(seed)) for seed in range(20)]
    for text in JOBS:
        every = [[sheet.of(text) for _ in range(9)] for sheet in sheets]
        for held in every:
            least = [low for low, _ in held]
            assert max(least) <= 1.1 * min(least)
            assert all(0 < low < high <= max(low * 2, low + 5) for low, high in held)
        assert len({tuple(held) for held in every}) > 10
    assert max(sheets[0].of(CLOSE)) < min(sheets[0].of(FILL))


def test_long_ways_are_told_in_kilometers():
    def told(metres: int) -> str:
        text = f"Turn right onto Elm Street after {metres} meters or 9 seconds."
        stretch = Stretch(text, ("Elm Street",), 9.0, (0, 1), highway=False)
        return legs.drive(stretch, "").text

    assert told(9_999) == "Turn right onto Elm Street after 9999 meters."
    assert told(12_345) == "Turn right onto Elm Street after 12.3 kilometers."
    assert _METRES.sub("", told(12_345)) == "Turn right onto Elm Street."
    assert _METRES.sub("", told(9_999)) == "Turn right onto Elm Street."
