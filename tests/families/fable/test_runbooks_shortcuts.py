"""What looks at runbooks see: who shares the list, who waits, and what is done again."""

from __future__ import annotations

from typing import Any

from thence import families
from thence.core.sample import Sample
from thence.core.shortcuts import ShownQuestion
from thence.families.fable.runbooks.glances import glances
from thence.families.fable.runbooks.surface import IN_COMMON, LISTS, PEOPLE

OPEN = [["host", "up"]]


def step(text: str, uses: str = "", defines: str = "", kills: str = "", when: Any = None) -> Any:
    roles = {"uses": uses, "defines": defines, "kills": kills}
    return {"text": text, "when": when, **{role: each.split() for role, each in roles.items()}}


STEPS = [
    step("A: Start the server", defines="server"),
    step("B: Start the server", defines="server", when=OPEN),
    step("A: Stop the server", kills="server"),
    step("B: Read the log", uses="server"),
    step("A: Ask the server", uses="server"),
    step("B: Stop the server", kills="server", when=OPEN),
]
NOTES = [
    "",
    'Only if "host" is "up".',
    "Comes after Step 2.",
    "",
    'Needs "server". Comes after Step 2 and Step 4.',
    "",
]


MISTAKEN = "The list has mistakes: some steps are given to both people"


def looks(i: int, j: int | None, steps: Any = STEPS, reading: str = MISTAKEN) -> dict[str, Any]:
    asked = {"i": i, "j": j, "fact": "server", "notes": NOTES, "reading": [reading]}
    metadata = {"question": asked, "procedure": {"goal": "", "steps": steps}}
    shown = ShownQuestion(Sample("", "fable", "", "", "", None, metadata))
    return {each.name: each.value(shown) for each in (*LISTS, *PEOPLE, IN_COMMON)}


def test_the_kind_of_the_list() -> None:
    assert looks(0, None)["list"] == (True, True)
    alone = [{**each, "text": each["text"][3:]} for each in STEPS]
    assert looks(0, None, alone)["list"] == (False, True)
    assert looks(0, None, alone, "Every order is permitted.")["list"] == (False, False)


def test_whether_two_steps_touch_a_fact_in_common() -> None:
    steps = [*STEPS, step("A: Feed the cat", uses="cat", kills="hunger")]
    assert looks(0, 3, steps)["facts in common"] is True
    assert looks(0, 6, steps)["facts in common"] is False
    assert looks(0, None, steps)["facts in common"] is None


def test_only_of_two_steps_at_once_a_fact_in_common_tells() -> None:
    for name in ("concurrency", "type_state", "taint", "reaching_definitions"):
        shortcuts = families.task(f"fable/runbooks/{name}").baselines.shortcuts()
        told = IN_COMMON.name in {each.name for each in shortcuts}
        assert told is (name == "concurrency")


def test_steps_that_touch_the_fact() -> None:
    kind = (True, True)
    told = looks(0, 4)
    assert told["optional steps"] == (kind, 2)
    assert told["sure users after"] == (kind, 1)
    assert told["changes"] == (kind, 2)
    assert told["sure ends on the way"] == (kind, 1)
    assert told["other makers"] == (kind, 0, 1)
    assert told["last change but i"] == ("kills", True)
    assert looks(2, 1)["last change but i"] == ("defines", True)


def test_the_same_words_are_found_whoever_says_them() -> None:
    told = looks(0, 5)
    assert told["said again"] == ((True, True), (False, True))
    assert told["j said again"] == ((True, True), (True, False))
    assert looks(3, None)["said again"] == ((True, True), (False, False))


def test_who_comes_after_whom() -> None:
    told = looks(1, 4)  # B's second and fourth steps come before A's fifth
    assert told["waits of both"] == (False, True, True)
    assert told["waits out"] == (False, 3)
    assert told["users in other parts"] == 1
    assert looks(4, None)["last wait up to i"] == 0


def at_a_glance(analysis: str, i: int, j: int | None, steps: Any = STEPS, **more: Any) -> Any:
    asked = {"kind": analysis, "i": i, "j": j, "fact": "server", "notes": NOTES, **more}
    metadata = {"question": asked, "procedure": {"goal": "", "steps": steps}}
    shown = ShownQuestion(Sample("", "fable", "", "", "", None, metadata))
    return {each.name: each.value(shown) for each in glances(analysis)}


def test_what_two_steps_at_once_have_to_do_with_one_another() -> None:
    assert at_a_glance("concurrency", 0, 4) == {"clash": True, "clashes between": 1}
    assert at_a_glance("concurrency", 3, 4) == {"clash": False, "clashes between": 0}
    assert at_a_glance("concurrency", 0, 1)["clash"] is False  # both provide it


def test_ends_that_can_be_carried_out_with_both_steps() -> None:
    told = at_a_glance("available_expressions", 0, 3)
    assert told == {"ends beside both": (2, False), "ends after i": (True, True)}
    shut = [{**STEPS[0], "when": [["host", "down"]]}, *STEPS[1:]]
    assert at_a_glance("available_expressions", 0, 3, shut)["ends beside both"] == (1, False)
    assert at_a_glance("available_expressions", 0, 1, shut)["ends beside both"] == (1, True)
    changed = at_a_glance("reaching_definitions", 0, 3)
    assert changed["changes beside both"] == (2, False)
    assert changed["last change before j"] == (False, True, (True, True))


def test_what_each_person_does_with_the_fact_next() -> None:
    told = at_a_glance("live_variables", 0, None)
    assert told["next of each"] == (("kills", True), ("defines", False))
    assert told["next sure"] == (True, "kills")
    assert told["next of the other, and waits"] == (("defines", False), False)


def test_who_else_provides_what_the_later_step_needs() -> None:
    told = at_a_glance("type_state", 0, 4)
    assert told["others provide it"] == (False,)  # only where the host is up
    assert told["others provide it, and ends"] == ((False, "sure"),)
    down = step("B: Start it", defines="server", when=[["host", "down"]])
    assert at_a_glance("type_state", 0, 5, [*STEPS[:3], down, *STEPS[3:]])[
        "others provide it, and ends"
    ] == ((True, "again"),)


def test_how_far_one_step_is_from_the_other_past_the_checked_one() -> None:
    chain = [
        step("A: Start the server", defines="server"),
        step("A: Ask the server", uses="server", defines="answer"),
        step("A: Write the answer down", uses="answer", defines="note"),
        step("A: Read the note", uses="note"),
    ]
    told = at_a_glance("taint", 0, 3, chain, reading=[MISTAKEN], sanitizers=[])
    assert told == {"ways": 3, "ways, and mistakes": (True, 3)}
    assert at_a_glance("taint", 0, 3, chain, sanitizers=[1])["ways"] == 0
