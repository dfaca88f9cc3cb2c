"""Shortcuts by the nearest steps with the fact, conditions, and the nearest waits of plans."""

from __future__ import annotations

from typing import Any

import pytest

from thence import families
from thence.core.sample import Sample
from thence.core.shortcuts import GENERIC, Shortcut, ShownQuestion
from thence.families.fable.plans.shortcuts import WAITS
from thence.families.fable.shared.blocks import Block
from thence.families.fable.shared.offers import Offer
from thence.families.fable.shared.shortcuts import CHECKED, NEAREST
from thence.generation.plan import Plan
from thence.generation.suite import generate

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
    assert held["two after i"] == ("uses", "kills")
    assert held["three after i"] == ("uses", "kills", "defines")
    assert held["ends after i"] == 1
    assert values(NEAREST, shown(i=3, j=5, fact="light"))["last before i"] == ("kills", False)
    given = values(NEAREST, shown(i=0, j=5, fact="light", start=["light"]))
    assert given["last before i"] == (None, True)
    held = values(NEAREST, shown(i=2, j=1, fact="light"))
    assert (held["option at j"], held["condition of j"]) == (True, 1)
    assert held["nearest after i"] == ("defines", True)
    assert held["surely ended between"] is None  # there is no way from step i to step j
    assert values(NEAREST, shown(i=5, j=1))["surely ended between"] == 0


def test_the_checked_step_is_looked_at():
    told = values(CHECKED, shown(i=0, j=5, sanitizers=[2]))
    assert (told["checked between"], told["checked under an option"]) == (True, True)
    assert (told["checked from i"], told["checked from j"], told["checked steps"]) == (2, -3, 1)
    assert set(values(CHECKED, shown(i=0, j=5)).values()) == {None}


@pytest.mark.parametrize("domain", ["plans", "routes", "recipes", "runbooks"])
def test_a_choice_sees_of_a_candidate_what_a_shortcut_sees_of_its_prompt(domain, monkeypatch):
    """Only its length and its words are those of other texts; else nothing could be balanced."""
    chosen: list[Offer] = []
    make = Block.__init__

    def making(block: Block, offers: list[Offer], *more: Any) -> None:
        make(block, offers, *more)
        chosen.extend(offers[place] for place in block._chosen)

    monkeypatch.setattr(Block, "__init__", making)
    name = f"fable/{domain}/taint"
    looks = families.task(name).generator.domain.looks("taint")
    samples = list(generate(Plan([name], 11, 10), workers=1))
    other = {
        look.name
        for sample, offer in zip(samples, chosen, strict=False)
        for look, seen in zip(looks, offer.seen, strict=True)
        if look.value(ShownQuestion(sample)) != seen
    }
    assert "prompt length" in other
    assert other <= {look.name for look in GENERIC}


def test_the_nearest_waits_are_counted_in_the_queues_of_both_steps():
    queues = {"queues": [[0, 2, 4], [1, 3, 5]], "waits": [[3, 2], [4, 5]]}
    held = values(WAITS, shown(i=4, j=1, **queues))
    assert (held["last wait up to i"], held["next waited for from i"]) == (1, 0)
    assert (held["last wait up to j"], held["next waited for from j"]) == (None, 1)
    assert held["waits on the way"] == (False, False, True, False)
    assert values(WAITS, shown(i=4, j=1))["waits on the way"] == (True,) * 4
