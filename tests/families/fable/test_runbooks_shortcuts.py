"""What looks at runbooks see: who shares the list, who waits, and what is done again."""

from __future__ import annotations

from typing import Any

from thence import families
from thence.core.sample import Sample
from thence.core.shortcuts import ShownQuestion
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
        assert (IN_COMMON in shortcuts) is (name == "concurrency")


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
