"""Sentences of explanations: what they leave out of an order, and what they name."""

from __future__ import annotations

from itertools import pairwise

import pytest

from thence.core.procedure import Choice, Procedure, Step
from thence.dataflow import Flow, analysis
from thence.dataflow.sentences import listed
from thence.families.fable.shared.plain import Verb, plain


def test_an_order_is_whole_where_it_is_short() -> None:
    assert listed(range(16)) == ", ".join(map(str, range(1, 17)))


def test_of_a_long_order_the_steps_that_matter_stay_and_dots_stand_for_three_or_more() -> None:
    run = [*range(9), 70, *range(9, 70)]
    said = listed(run, [5, 70]).split(", ")
    assert said == ["1", "2", "3", "4", "5", "6", "7", "8", "9", "71", "10", "...", "69", "70"]
    assert listed(run[:60]) == ", ".join(str(number + 1) for number in run[:60])
    for kept in range(71):
        names = listed(run, [kept]).split(", ")
        assert str(kept + 1) in names
        numbers = [run.index(int(name) - 1) if name != "..." else None for name in names]
        for before, after in pairwise([each for each in numbers if each is not None]):
            assert after - before == 1 or after - before > 3


def test_a_chain_is_named_step_by_step() -> None:
    steps = tuple(Step(f"do {number}") for number in range(5))
    flow = Flow(Procedure("", steps, ((0, 1), (1, 3), (3, 4))))
    concurrency = analysis("concurrency")
    assert concurrency.decide(flow, i=4, j=0).why == (
        "Step 1 must come before step 5, by way of step 2 and step 4."
    )
    assert concurrency.decide(flow, i=0, j=1).why == "Step 1 must come before step 2."


def test_contamination_is_told_link_by_link_and_what_replaces_it_is_named() -> None:
    steps = (
        Step("spill", defines=("a",)),
        Step("mix", uses=("a",), defines=("b",)),
        Step("serve", uses=("b",)),
        Step("wash", defines=("a",), kills=("a",)),
        Step("taste", uses=("a",)),
    )
    taint = analysis("taint")
    flow = Flow(Procedure.total("", steps))
    assert taint.decide(flow, i=0, j=2).why == (
        "Contamination goes from step 1 by 'a' to step 2, and from there by 'b' to step 3, and no "
        "step on the way sanitises it."
    )
    assert taint.decide(flow, i=0, j=4).why == (
        "Neither what step 1 defines nor anything made from it gets to step 5: step 4 kills and "
        "redefines 'a' before step 5 uses it."
    )


def test_what_ends_a_fact_does_so_always_or_perhaps_and_what_may_mend_it_is_told() -> None:
    get, away = Step("get", defines=("p",)), Step("away", kills=("p",))
    use, again = Step("use", uses=("p",)), Step("again", defines=("p",))

    def why(order: tuple[tuple[int, int], ...]) -> str:
        """Of step 4, before which step 3 gets p again and is left out."""
        flow = Flow(Procedure("", (get, away, again, use, again), order))
        verdict = analysis("type_state").decide(flow, i=2, j=3)
        assert verdict.answer is False
        return verdict.why

    chain = ((0, 1), (1, 2), (2, 3))
    assert why((*chain, (3, 4))) == (
        "Without step 3, step 4 misses 'p': step 2 kills it before, and nothing else defines it "
        "again."
    )
    assert why(chain) == (
        "Without step 3, step 4 can miss 'p': step 2 kills it before, with nothing else sure to "
        "define it again."
    )
    assert why(((0, 1), (0, 2), (2, 3), (3, 4))) == (
        "Without step 3, step 4 can miss 'p': step 2 can kill it before, and nothing else defines "
        "it again; step 3 does not rule that out either."
    )


CHOICE = (Choice("bridge", ("open", "closed")),)
OPEN, CLOSED = (("bridge", "open"),), (("bridge", "closed"),)


def test_a_chain_through_steps_that_are_never_all_carried_out_says_so() -> None:
    steps = (Step("a"), Step("b", when=OPEN), Step("c", when=CLOSED), Step("d"))
    concurrency = analysis("concurrency")
    both = Flow(Procedure("", steps, ((0, 1), (1, 2), (2, 3)), choices=CHOICE))
    assert concurrency.decide(both, i=0, j=3).why == (
        "Step 1 must come before step 4, by way of step 2 and step 3. Those of these steps that "
        "are not carried out still keep the others in order."
    )
    one = Flow(Procedure("", steps, ((0, 1), (1, 3)), choices=CHOICE))
    assert concurrency.decide(one, i=0, j=3).why == (
        "Step 1 must come before step 4, by way of step 2."
    )


@pytest.mark.parametrize(
    ("when", "told"), [((), "the next that uses it."), (OPEN, "uses it if it is carried out.")]
)
def test_a_later_use_that_depends_on_an_option_is_told_as_such(
    when: tuple[tuple[str, str], ...], told: str
) -> None:
    steps = (Step("a", defines=("p",)), Step("b", kills=("p",)), Step("c", uses=("p",), when=when))
    choices = CHOICE if when else ()
    flow = Flow(Procedure("", steps, ((0, 1), (1, 2)), choices=choices))
    assert analysis("live_variables").decide(flow, i=0, fact="p").why.endswith(told)


@pytest.mark.parametrize(("made", "told"), [(("p",), "it too,"), ((), "it,")])
def test_another_step_defines_a_fact_too_only_where_the_omitted_step_does(
    made: tuple[str, ...], told: str
) -> None:
    steps = (Step("a", defines=made), Step("b", defines=("p",)), Step("c", uses=("p",)))
    flow = Flow(Procedure("", steps, ((0, 2),), start=()))
    verdict = analysis("type_state").decide(flow, i=0, j=2)
    assert f"step 2 defines {told} but need not come before" in verdict.why


def test_what_ends_a_fact_under_the_option_of_its_use_is_not_said_to_do_so_always() -> None:
    steps = (
        Step("a", defines=("p",)),
        Step("b", kills=("p",), when=OPEN),
        Step("c", uses=("p",), when=OPEN),
    )
    flow = Flow(Procedure("", steps, ((0, 1), (1, 2)), choices=CHOICE))
    assert analysis("live_variables").decide(flow, i=0, fact="p").why == (
        "Step 2 kills 'p' after step 1 and before step 3, the next that uses it if it is carried "
        "out; where step 3 is carried out, so is step 2."
    )


@pytest.mark.parametrize(
    ("uses", "told"),
    [(("p",), "'p', which"), (("q", "p"), "all that it uses, including 'p', which")],
)
def test_a_step_that_uses_one_fact_is_not_said_to_use_several(
    uses: tuple[str, ...], told: str
) -> None:
    steps = (Step("a", defines=("p", "q")), Step("b", defines=("p",)), Step("c", uses=uses))
    verdict = analysis("type_state").decide(Flow(Procedure.total("", steps)), i=1, j=2)
    assert verdict.why == f"Without step 2, step 3 still finds {told} is there from elsewhere."


def test_where_executions_differ_contamination_can_go_its_way() -> None:
    steps = (Step("a", defines=("p",)), Step("b", kills=("p",)), Step("c", uses=("p",)))
    flow = Flow(Procedure("", steps, ((0, 2),)))
    assert analysis("taint").decide(flow, i=0, j=2).why == (
        "Contamination can go from step 1 by 'p' to step 3, and no step on the way sanitises it."
    )


def test_steps_at_once_are_told_apart_in_the_words_of_the_definition() -> None:
    steps = (Step("a", defines=("p",)), Step("b", defines=("p",)))
    why = analysis("concurrency").decide(Flow(Procedure("", steps, ())), i=0, j=1).why
    assert plain(why, Verb("make", "false"), Verb("make", "true"), "need") == (
        "No order is required between step 1 and step 2, and neither makes false what the other "
        "needs or makes true, nor makes true what the other needs."
    )


@pytest.mark.parametrize(("again", "told"), [((), "kills"), (("p",), "redefines")])
def test_what_ends_a_fact_before_another_use_is_told_where_the_first_ending_may_be_left_out(
    again: tuple[str, ...], told: str
) -> None:
    steps = (
        Step("a", defines=("p",)),
        Step("b", kills=("p",), when=OPEN),
        Step("c", uses=("p",), when=OPEN),
        Step("d", kills=() if again else ("p",), defines=again),
        Step("e", uses=("p",)),
    )
    order = tuple((k, k + 1) for k in range(4))
    flow = Flow(Procedure("", steps, order, choices=CHOICE))
    assert analysis("live_variables").decide(flow, i=0, fact="p").why == (
        "Step 2 kills 'p' after step 1 and before step 3, the next that uses it if it is carried "
        f"out; where step 3 is carried out, so is step 2; before step 5, step 4 {told} 'p'."
    )
