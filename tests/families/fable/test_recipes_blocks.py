"""The recipes of a block: drawn as they are needed, the same however they were drawn."""

from __future__ import annotations

from typing import Any

import pytest

from thence.domains.recipes import additions
from thence.families.fable.recipes import domain


def titles(count: int, analysis: str) -> list[tuple[str, ...]]:
    """The steps of the first recipes of a block."""
    cases = domain._cases("both", "a block", analysis)
    return [tuple(line.text for line in ways[0].script.lines) for ways in cases[:count]]


@pytest.fixture(autouse=True)
def _nothing_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domain, "_HELD", {})


def test_analyses_share_recipes_whichever_asks_first(monkeypatch: pytest.MonkeyPatch) -> None:
    few = titles(999, "reaching_definitions")
    many = titles(999, "live_variables")
    assert len(few) < len(many) and many[: len(few)] == few
    monkeypatch.setattr(domain, "_HELD", {})
    assert titles(999, "live_variables") == many


@pytest.mark.parametrize("at", [5, 200])
def test_an_interrupt_changes_no_recipe(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once while the first are drawn, once while more are drawn to others."""
    extend, drawn = additions.extend, 0

    def interrupted(*args: Any, **given: Any) -> Any:
        nonlocal drawn
        drawn += 1
        if drawn == at:
            raise KeyboardInterrupt
        return extend(*args, **given)

    wanted = titles(999, "live_variables")
    monkeypatch.setattr(domain, "_HELD", {})
    monkeypatch.setattr(additions, "extend", interrupted)
    with pytest.raises(KeyboardInterrupt):
        for analysis in ("reaching_definitions", "live_variables"):
            titles(999, analysis)
    assert titles(999, "live_variables") == wanted


def test_equipment_is_put_away_in_half_of_the_recipes_and_more_where_answers_turn_on_it() -> None:
    def share(analysis: str) -> float:
        cases = domain._cases("both", "a block", analysis)
        return sum(bool(ways[0].script.equipment) for ways in cases) / len(cases)

    assert 0.3 < share("reaching_definitions") < 0.6
    assert share("type_state") > 0.7
    assert share("concurrency") == 1
