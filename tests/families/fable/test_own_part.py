"""What looks at queues and vehicles see: the nearest step of a part, others, waits, conditions."""

from __future__ import annotations

from typing import Any

import pytest

from thence.core.sample import Sample
from thence.core.shortcuts import ShownQuestion
from thence.families.fable.plans.shortcuts import LISTED, OWN_QUEUE
from thence.families.fable.plans.shortcuts import WAITS as QUEUE_WAITS
from thence.families.fable.routes.shortcuts import OWN_STEPS, WAITS
from thence.families.fable.routes.surface import waits

OPEN, SHUT = [["office", "open"]], [["office", "shut"]]


def step(text: str, uses: str = "", defines: str = "", kills: str = "", when: Any = None) -> Any:
    roles = {"uses": uses, "defines": defines, "kills": kills}
    return {"text": text, "when": when, **{role: each.split() for role, each in roles.items()}}


STEPS = [
    step("Van: Fill the tank.", defines="full"),
    step("Truck: Fill the tank.", defines="full", when=OPEN),
    step("Van: Wait until the truck has done step 2."),
    step("Van: Pour the tank out.", uses="full", kills="full", when=SHUT),
    step("Truck: Use the tank.", uses="full"),
    step("Truck: Wait until the van has done step 3."),
    step("Van: Use the tank.", uses="full ready"),
    step("Truck: Drain the tank.", kills="full"),
]


def looks(i: int | None, j: int | None, fact: str = "full", **more: Any) -> dict[str, Any]:
    asked = {"i": i, "j": j, "fact": fact, **more}
    told = {"goal": "", "steps": STEPS}
    metadata = {"question": asked, "procedure": told}
    shown = ShownQuestion(Sample("", "fable", "", "", "", None, metadata))
    in_queues = [*OWN_QUEUE, *LISTED, *QUEUE_WAITS]
    group = in_queues if "queues" in more else [*OWN_STEPS, *WAITS]
    return {each.name: each.value(shown) for each in group}


def test_waits_are_read_off_the_sheet():
    assert waits(step["text"] for step in STEPS) == [(1, 2), (2, 5)]


def test_the_next_step_of_the_vehicle_and_what_the_other_one_does():
    told = looks(0, None)
    # step 4 depends on an option, so that the next sure step of the van is the seventh
    assert (told["next in the part of i"], told["where the next in the part is"]) == ("uses", "")
    assert told["users in other parts"] == 1
    assert told["changes in other parts"] == 2
    assert looks(0, 3)["where the next in the part is"] == "after"
    assert looks(0, 6)["where the next in the part is"] == "at"


def test_what_last_changed_the_fact_in_the_part_of_the_later_step():
    assert looks(0, 6)["last change in the part of j"] == ("defines", "at")
    assert looks(1, 6)["last change in the part of j"] == ("defines", "before")
    assert looks(1, 4)["last change in the part of j"] == ("defines", "at")  # i itself counts
    assert looks(0, 4)["last change in the part of j"] is None  # under another option than both
    assert looks(0, 6)["ends outside the part of j"] == 1


def test_needs_of_the_later_step():
    told = looks(None, 6)
    assert (told["needs made in the part"], told["needs ended in the part"]) == (False, False)
    assert told["needs ended in other parts"] is True
    assert looks(0, 6)["needs ended in the part"] is False
    assert looks(None, 4)["needs made in the part"] is False  # made under an option only


@pytest.mark.parametrize(
    ("i", "j", "across"), [(0, 1, 0), (1, 3, 1), (1, 6, 2), (6, 1, 2), (2, 6, 1), (3, 7, 0)]
)
def test_waits_of_which_both_steps_stand_between(i, j, across):
    assert looks(i, j)["waits across"] == across


def test_changes_between_and_conditions():
    assert looks(0, 6)["changes in own parts between"] == 0
    assert looks(3, 6)["sure ends between"] == 0
    assert looks(0, 3)["conditions of both"] == "wider"
    assert looks(3, 0)["conditions of both"] == "narrower"
    assert looks(1, 3)["conditions of both"] == "opposite"
    assert looks(0, 4)["conditions of both"] == "none"


def test_queues_in_the_list():
    told = looks(2, 6, queues=[[0, 2, 3, 6], [1, 4, 5, 7]], waits=[[1, 2], [2, 5]])
    assert told["waited for just before i"] == (True, False)
    assert (told["queue of the next"], told["queue of the one after j"]) == (True, False)
    assert told["gap before j in its queue"] == 3
    assert (told["waits in the queue of j"], told["waits for the queue of j"]) == (1, 0)
    assert told["of the queue of j between"] == 1
    assert told["waits across"] == 1


def test_what_the_parts_of_both_do_in_the_order_of_the_list():
    told = looks(0, 6)
    assert told["changes in the part of i between"] == (True, True, 1)
    assert told["places apart in their parts"] == 3
    assert told["two last in the part of j"] == ("defines", "uses kills")


def test_waits_after_the_earlier_and_before_the_later_step():
    for i, j in ((0, 7), (7, 0)):
        told = looks(i, j)
        assert told["waits of both"] == (False, True, True)
        assert (told["waits out"], told["waits in"]) == ((False, 1), (False, 1))
        assert told["next waited for"] == told["last wait"] == (False, True, True)
        assert (told["waits before the later"], told["waited for after the earlier"]) == (1, 1)
    told = looks(3, 7)  # the wait for step 3 does not hold up what comes after step 4
    assert told["waits of both"] == (False, False, False)
    assert (told["next waited for"], told["last wait"]) == (None, (False, True, False))


def test_steps_of_other_parts_without_a_wait():
    told = looks(0, None)
    assert (
        told["users without waits"],
        told["ends without waits"],
        told["makers without waits"],
    ) == (1, 1, 0)
    assert told["last of another part"] == (None, False)
    assert looks(3, None)["last of another part"] == ("defines", True)
    assert told["other parts soon"] == (True, True, True)
    assert told["other parts lately"] is False
    assert told["changed soon, waited for"] == (True, True)


def test_the_nearest_step_that_ends_or_makes_the_fact():
    told = looks(0, None)
    assert told["nearest end"] == ((True, True), False)
    assert told["nearest maker"] == ((True, False), "uses kills")
    assert looks(2, None)["nearest end"] == ((True, True), True)
    assert looks(0, 6)["nearest end to j"] == (True, False)
    queues = [[0, 2, 3, 6], [1, 4, 5, 7]]
    told = looks(0, 6, queues=queues, waits=[[1, 6], [6, 7]])
    assert told["waits of an end and j"] == (True, True)
    assert looks(0, 6, queues=queues, waits=[[4, 6]])["waits of an end and j"] == (False, False)
