"""From where a step has what it uses: from no step whose work another always undoes."""

from __future__ import annotations

import pytest

from thence.core.procedure import Choice, Procedure, Step
from thence.dataflow import Flow, analysis
from thence.families.fable.shared.sources_of_facts import with_sources

WHEN = (("tidy", "yes"),)


@pytest.mark.parametrize(
    ("when", "again", "source"),
    [
        ((), (), "step 4"),
        (WHEN, WHEN, "step 1 or step 4"),
        (WHEN, (), "step 4"),
    ],
    ids=["always put away", "put away and got again perhaps", "always got again"],
)
def test_what_is_put_away_or_got_again_in_any_case_is_no_source(
    when: tuple[tuple[str, str], ...], again: tuple[tuple[str, str], ...], source: str
) -> None:
    steps = (
        Step("get", defines=("p",)),
        Step("away", kills=("p",), when=when),
        Step("get", defines=("p",)),
        Step("get", defines=("p",), when=again),
        Step("use", uses=("p",)),
    )
    choices = (Choice("tidy", ("yes", "no")),) if when else ()
    order = ((0, 1), (1, 2), (1, 3), (2, 4), (3, 4))
    flow = Flow(Procedure("", steps, order, choices=choices))
    asked = {"i": 2, "j": 4}
    verdict = analysis("type_state").decide(flow, i=2, j=4)
    assert verdict.answer
    assert f"which is there from {source}." in with_sources(verdict.why, flow, asked)


def _told(steps: tuple[Step, ...], order: tuple[tuple[int, int], ...], i: int, j: int) -> str:
    flow = Flow(Procedure("", steps, order))
    asked = {"i": i, "j": j, "sanitizers": ()}
    verdict = analysis("taint").decide(flow, i=i, j=j)
    assert not verdict.answer
    return with_sources(verdict.why, flow, asked)


def _in_turn(count: int) -> tuple[tuple[int, int], ...]:
    return tuple((k, k + 1) for k in range(count - 1))


def test_the_way_that_is_cut_is_told_up_to_its_cut() -> None:
    steps = (
        Step("", defines=("p",)),
        Step("", uses=("p",), defines=("q",)),
        Step("", kills=("q",)),
        Step("", uses=("q",), defines=("r",)),
        Step("", uses=("r",)),
    )
    assert _told(steps, _in_turn(5), 0, 4) == (
        "Nothing unsafe gets from step 1 to step 5: what is unsafe would go from step 1 by way of "
        "'p' to step 2, and from there by way of 'q' to step 4, but between step 2 and step 4, "
        "step 3 kills 'q', and nothing unsafe gets to step 4 another way."
    )


def test_a_way_that_needs_options_names_them() -> None:
    steps = (
        Step("", defines=("p",)),
        Step("", uses=("p",), defines=("q",), when=WHEN),
        Step("", kills=("q",)),
        Step("", uses=("q",)),
    )
    choices = (Choice("tidy", ("yes", "no")),)
    flow = Flow(Procedure("", steps, _in_turn(4), choices=choices))
    why = analysis("taint").decide(flow, i=0, j=3).why
    assert with_sources(why, flow, {"i": 0, "j": 3, "sanitizers": ()}) == (
        "Where 'tidy' is 'yes', what is unsafe would go from step 1 by way of 'p' to step 2, and "
        "from there by way of 'q' to step 4, but between step 2 and step 4, step 3 kills 'q', and "
        "nothing unsafe gets to step 4 another way."
    )


def test_a_link_is_not_called_cut_where_another_way_leads_round_it() -> None:
    """Step 5 has something unsafe from step 1 all the same; what it makes is ended after it."""
    steps = (
        Step("", defines=("p", "s")),
        Step("", uses=("p",), defines=("q",)),
        Step("", kills=("q",)),
        Step("", uses=("s",), defines=("t",)),
        Step("", uses=("q", "t"), defines=("r",)),
        Step("", kills=("r",)),
        Step("", uses=("r",)),
    )
    why = _told(steps, _in_turn(7), 0, 6)
    assert "between step 5 and step 7, step 6 kills 'r'" in why
    assert "step 3 kills" not in why


def test_where_nothing_would_lead_on_it_says_how_far_what_is_unsafe_gets() -> None:
    steps = (
        Step("", defines=("p",)),
        Step("", uses=("p",), defines=("q",)),
        Step("", defines=("x",)),
        Step("", uses=("x",)),
    )
    assert _told(steps, _in_turn(4), 0, 3) == "From step 1 what is unsafe gets to step 2 only."
    assert _told(steps, _in_turn(4), 1, 3) == "No later step uses what step 2 defines."


def test_what_is_ended_before_any_step_uses_it_is_told_with_what_ends_it() -> None:
    steps = (
        Step("", defines=("p",)),
        Step("", kills=("p",)),
        Step("", uses=("p",)),
        Step("", uses=("x",)),
    )
    assert _told(steps, _in_turn(4), 0, 3) == (
        "Nothing that step 1 defines is there still where it is used: step 2 kills 'p' before "
        "step 3 uses it."
    )


def test_no_way_is_told_that_leads_through_a_step_after_the_last() -> None:
    """Step 5 races with the others: it has 'q' from step 4 and makes 'r' for step 3."""
    steps = (
        Step("", defines=("p",)),
        Step("", defines=("p",)),
        Step("", uses=("r",)),
        Step("", uses=("p",), defines=("q",)),
        Step("", uses=("q",), defines=("r",)),
    )
    why = _told(steps, ((0, 1), (1, 2), (2, 3)), 0, 2)
    assert "between step 1 and step 4" not in why.lower()


@pytest.mark.parametrize(
    ("order", "gets"),
    [(((0, 1),), "always gets"), ((), "can get")],
    ids=["in all orders", "in some orders"],
)
def test_what_gets_to_a_step_in_some_orders_only_can_get_there(
    order: tuple[tuple[int, int], ...], gets: str
) -> None:
    steps = (
        Step("", defines=("p",)),
        Step("", uses=("p",), defines=("q",)),
        Step("", defines=("x",)),
        Step("", uses=("x",)),
    )
    assert _told(steps, order, 0, 3) == f"From step 1 what is unsafe {gets} to step 2 only."
