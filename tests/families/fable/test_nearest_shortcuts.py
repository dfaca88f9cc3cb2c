"""Shortcuts by the nearest steps with the fact, conditions, and the nearest waits of plans."""

from __future__ import annotations

from typing import Any

from thence.core.sample import Sample
from thence.core.shortcuts import Shortcut, ShownQuestion
from thence.families.fable.plans.shortcuts import WAITS
from thence.families.fable.shared.shortcuts import NEAREST

OPEN = {"weather": "dry"}


def step(text: str, uses: str = "", defines: str = "", kills: str = "", **more: Any) -> Any:
    roles = {"uses": uses, "defines": defines, "kills": kills}
    return {"text": text, **{role: tuple(facts.split()) for role, facts in roles.items()}, **more}


STEPS = [
    step("Light the lamp", defines="light"),
    step("Read", uses="light", when=OPEN),
    step("Put the lamp out", kills="light", when=OPEN),
    step("Light the lamp", defines="light"),
    step("Wait"),
    step("Write", uses="light"),
]


def shown(text: str = "", **question: Any) -> ShownQuestion:
    metadata = {"question": question, "procedure": {"goal": "evening", "steps": STEPS}}
    return ShownQuestion(Sample("", "fable", "", "", text, None, metadata))


def values(shortcuts: list[Shortcut], question: ShownQuestion) -> dict[str, Any]:
    return {each.name: each.value(question) for each in shortcuts}


def test_the_nearest_steps_with_the_fact_are_told_with_their_conditions():
    held = values(NEAREST, shown(i=0, j=5, fact="light"))
    assert held["nearest after i"] == ("uses", False)
    assert held["nearest before j"] == ("defines", True)
    assert (held["conditions between"], held["surely ended between"]) == (2, 1)
    assert (held["said twice at i"], held["said twice at j"]) == (True, False)
    assert (held["option at i"], held["condition of i"]) == (False, 3)
    held = values(NEAREST, shown(i=2, j=1, fact="light"))
    assert (held["option at j"], held["condition of j"]) == (True, 1)
    assert (held["nearest after i"], held["surely ended between"]) == (("defines", True), 0)


def test_a_checked_step_is_looked_at_only_where_the_prompt_says_which_it_is():
    asked = {"i": 0, "j": 5, "sanitizers": [2]}
    assert values(NEAREST, shown(**asked))["checked between"] is None
    told = values(NEAREST, shown("Step 3 is checked.", **asked))
    assert (told["checked between"], told["checked under an option"]) == (True, True)


def test_the_nearest_waits_are_counted_in_the_queues_of_both_steps():
    queues = {"queues": [[0, 2, 4], [1, 3, 5]], "waits": [[3, 2], [4, 5]]}
    held = values(WAITS, shown(i=4, j=1, **queues))
    assert (held["last wait up to i"], held["next waited for from i"]) == (1, 0)
    assert (held["last wait up to j"], held["next waited for from j"]) == (None, 1)
    assert held["waits on the way"] == (False, False, True, False)
    assert values(WAITS, shown(i=4, j=1))["waits on the way"] is None
