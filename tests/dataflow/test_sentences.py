"""Sentences of explanations: what they leave out of an order, and what they name."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise, permutations
from random import Random

import pytest

from tests.dataflow import drawn
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
        "Contamination goes from step 1 by way of 'a' to step 2, and from there by way of 'b' to "
        "step 3, and no "
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
        "Without step 3, step 4 lacks 'p': step 2 kills it before then, and nothing else defines "
        "it again."
    )
    assert why(chain) == (
        "Without step 3, step 4 can lack 'p': step 2 kills it before then, and step 5 defines it, "
        "but need not come in between."
    )
    assert why(((0, 1), (0, 2), (2, 3), (3, 4))) == (
        "Without step 3, step 4 can lack 'p': step 2 can kill it before then, and nothing else "
        "defines it again; step 4 can lack it with step 3, too."
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


def test_a_step_that_ends_a_fact_under_an_option_is_said_to_be_carried_out_with_both() -> None:
    steps = (
        Step("a", defines=("p",)),
        Step("b", kills=("p",), when=OPEN),
        Step("c", uses=("p",), when=OPEN),
    )
    flow = Flow(Procedure("", steps, ((0, 1), (1, 2)), choices=CHOICE))
    assert analysis("reaching_definitions").decide(flow, i=0, j=2, fact="p").why == (
        "Step 2 comes between step 1 and step 3, and it kills 'p'; where step 3 is carried out, "
        "so is step 2."
    )


def test_a_use_under_another_option_is_named_where_no_step_uses_a_fact() -> None:
    (taken,) = OPEN
    shut = ((taken[0], next(each for each in CHOICE[0].options if each != taken[1])),)
    steps = (
        Step("a", uses=("p",)),
        Step("b", defines=("p",), when=OPEN),
        Step("c", uses=("p",), when=shut),
    )
    flow = Flow(Procedure("", steps, ((0, 1), (1, 2)), choices=CHOICE))
    assert analysis("live_variables").decide(flow, i=1, fact="p").why == (
        "No step uses 'p' after step 2: step 1, which uses it, always comes before; step 3, which "
        "uses it, is never carried out together with step 2."
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
        "Contamination can go from step 1 by way of 'p' to step 3, and no step on the way "
        "sanitises it."
    )


def test_steps_at_once_are_told_apart_in_the_words_of_the_definition() -> None:
    steps = (Step("a", defines=("p",)), Step("b", defines=("p",)))
    why = analysis("concurrency").decide(Flow(Procedure("", steps, ())), i=0, j=1).why
    assert plain(why, Verb("make", "false"), Verb("make", "true"), "need") == (
        "No order is required between step 1 and step 2, and neither makes false what the other "
        "needs or makes true, nor makes true what the other needs. The two stand side by side, and "
        "can change places, in the order 1, 2."
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


LAMP = Choice("lamp", ("on", "off"))
ON = (("lamp", "on"),)
GET, AWAY, USE = Step("get", defines=("p",)), Step("away", kills=("p",)), Step("use", uses=("p",))


def test_an_example_order_names_the_options_of_its_steps_and_none_is_shown_of_all_orders() -> None:
    steps = (GET, AWAY, USE, Step("else", when=OPEN))
    racing = Flow(Procedure("", steps, ((0, 2),), choices=CHOICE))
    reaching = analysis("reaching_definitions")
    assert reaching.decide(racing, i=0, j=2, fact="p").why == (
        "Step 1 defines 'p', which can reach step 3 with no step between that kills or redefines "
        "it (such as in the order 1, 3, 2, 4, where 'bridge' is 'open')."
    )
    fixed = Flow(Procedure("", steps, ((0, 2), (2, 1)), choices=CHOICE))
    assert reaching.decide(fixed, i=0, j=2, fact="p").why == (
        "Step 1 defines 'p', which always reaches step 3 with no step between that kills or "
        "redefines it."
    )


@pytest.mark.parametrize(
    ("other", "begun"),
    [
        ((), "Step 3 kills"),
        (ON, "For example, where 'lamp' is 'on', step 3 kills"),
    ],
    ids=["always put away", "put away under either option"],
)
def test_an_option_is_an_example_where_the_fact_ends_without_it_too(
    other: tuple[tuple[str, str], ...], begun: str
) -> None:
    steps = (GET, Step("away", kills=("p",), when=OPEN), Step("away", kills=("p",), when=other))
    order = ((0, 1), (0, 2), (1, 3), (2, 3))
    flow = Flow(Procedure("", (*steps, USE), order, choices=(*CHOICE, LAMP)))
    why = analysis("available_expressions").decide(flow, i=0, j=3, fact="p").why
    assert why == f"{begun} 'p' and always comes between step 1 and step 4."
    alone = Flow(Procedure("", (*steps[:2], USE), ((0, 1), (1, 2)), choices=CHOICE))
    assert analysis("available_expressions").decide(alone, i=0, j=2, fact="p").why == (
        "Where 'bridge' is 'open', step 2 kills 'p' and comes between step 1 and step 3."
    )


def test_the_next_uses_are_all_told_where_either_may_come_first() -> None:
    steps = (GET, AWAY, USE, USE)
    live = analysis("live_variables")
    flow = Flow(Procedure("", steps, ((0, 1), (1, 2), (1, 3))))
    assert live.decide(flow, i=0, fact="p").why == (
        "Step 2 always kills 'p' after step 1 and before step 3 and step 4, the next that use it."
    )
    other = Flow(Procedure("", (*steps, AWAY), ((0, 1), (1, 2), (0, 4), (4, 3))))
    assert live.decide(other, i=0, fact="p").why == (
        "Step 2 always kills 'p' after step 1 and before step 3, which uses it; before step 4, "
        "step 5 kills 'p'."
    )


def test_all_steps_that_define_a_fact_but_need_not_come_before_are_told() -> None:
    flow = Flow(Procedure("", (GET, GET, GET, USE), ((0, 3),), start=()))
    assert analysis("type_state").decide(flow, i=0, j=3).why == (
        "Without step 1, step 4 can lack 'p': step 2 and step 3 define it too, but need not come "
        "before."
    )


def test_no_use_after_a_step_is_told_where_each_comes_before() -> None:
    flow = Flow(Procedure("", (USE, GET, Step("else")), ((0, 1),)))
    why = analysis("very_busy_expressions").decide(flow, i=1, fact="p").why
    assert why == "No step uses 'p' after step 2."


def test_no_more_sanitising_steps_are_told_than_cut_all_ways() -> None:
    steps = (
        Step("", defines=("p", "q")),
        Step("", uses=("p",), defines=("r",)),
        Step("", uses=("q", "r"), defines=("s",)),
        Step("", uses=("s",)),
    )
    flow = Flow(Procedure.total("", steps))
    assert analysis("taint").decide(flow, i=0, j=3, sanitizers=(1, 2)).why == (
        "All that could get from step 1 to step 4 goes through step 3, which sanitises it. "
        "Contamination would go from step 1 by way of 'q' to step 3, and from there by way of 's' "
        "to step 4, if step 3 did not sanitise it."
    )


def _runs(flow: Flow, options: str) -> list[list[int]]:
    """Every execution under the options that are named, by brute force."""
    assert flow.choices is not None
    found = []
    for each in flow.choices.combinations(flow.choices.options):
        if all(f"'{c}' is '{each[c]}'" in options for c in each if f"'{c}' is" in options):
            left = flow.under(each)
            done = [k for k in range(len(flow)) if not left.is_left_out(k)]
            found += [
                [*run]
                for run in permutations(done)
                if not any(flow.precedes(b, a) for n, b in enumerate(run) for a in run[:n])
            ]
    return found


def _meets(flow: Flow, run: list[int], a: int, b: int, roles: tuple[str, ...], fact: str) -> bool:
    """Whether step b comes after step a in an execution, with none between with such roles."""
    between = run[run.index(a) + 1 : run.index(b)] if run.index(a) < run.index(b) else None
    return between is not None and not any(
        fact in getattr(flow.steps[k], role) for k in between for role in roles
    )


def _shows(
    name: str, flow: Flow, at: tuple[int, int, int | None], fact: str, run: list[int]
) -> bool:
    """Whether an execution is as the sentence says of steps i and j and the deciding step."""
    i, j, k = at
    if name == "reaching_definitions":
        return _meets(flow, run, i, j, ("kills", "defines"), fact)
    if k is None:
        return run.index(j) < run.index(i)
    if name == "available_expressions":
        return run.index(i) < run.index(k) < run.index(j)
    between = ("uses",) if name == "very_busy_expressions" else ("kills", "defines")
    return _meets(flow, run, i, k, between, fact)


SAID = re.compile(r"\b(always|can|which|step \d+|and) (?:reach|use|come)(?:s|es)?\b", re.IGNORECASE)


@pytest.mark.parametrize(
    "name",
    ["reaching_definitions", "available_expressions", "live_variables", "very_busy_expressions"],
)
def test_what_is_always_so_is_so_in_all_executions_and_what_can_be_in_some(name: str) -> None:
    rng, seen, forward = Random(5), Counter[bool](), name.startswith(("reaching", "available"))
    for _ in range(1500):
        flow = Flow(drawn.with_choices(rng))
        if not 2 < len(flow) < 6 or not flow.facts:
            continue
        fact, (i, j) = rng.choice(flow.facts), rng.sample(range(len(flow)), 2)
        if not (flow.is_possible(i) and flow.is_possible(j) and fact in flow.steps[i].defines):
            continue
        verdict = analysis(name).decide(flow, i=i, j=j if forward else None, fact=fact)
        why, k = verdict.why, verdict.witness.get("step")
        if "in the order" in why:
            order = verdict.witness["execution"]
            taken = {taken for step in order for taken in flow.steps[step].when}
            assert all(f"'{choice}' is '{option}'" in why for choice, option in taken), why
        found = SAID.search(why)
        if found is None or verdict.answer is name.endswith("expressions"):
            continue
        if k is None and name != "reaching_definitions" and f"before step {i + 1}" not in why:
            continue
        runs = _runs(flow, why[: why.lower().index("step ")])
        runs = [run for run in runs if i in run and (not forward or j in run)]
        assert all(k in {None, *run} for run in runs), why
        shown = {_shows(name, flow, (i, j, k), fact, run) for run in runs}
        assert shown == {True} if found[1] != "can" else True in shown, (why, flow.procedure)
        seen[found[1] != "can"] += 1
    assert min(seen[True], seen[False]) > 5, seen
