from __future__ import annotations

import json
import re
from collections import Counter
from itertools import combinations, product
from random import Random

import pytest

import thence
from tests.families.fable.sheet_reader import solve
from thence.analysis.validation import validate
from thence.core.procedure import Choice, Procedure, Step
from thence.dataflow import ANALYSES, Flow, analysis, conflicts
from thence.dataflow.questions import FlowQuestion
from thence.domains.runbooks import COLLECTION, firm_links
from thence.families.catbench.sources import Subject
from thence.families.fable.runbooks import words
from thence.families.fable.runbooks.candidates import twins
from thence.families.fable.runbooks.shown_procedures import ShownProcedure
from thence.families.fable.runbooks.words import Mistakes
from thence.families.fable.shared.divided_reasons import finer_reason
from thence.families.fable.shared.domain import Case
from thence.generation import suite
from thence.generation.plan import Plan
from thence.procedures.document import Document
from thence.procedures.lints import findings
from thence.procedures.variation import divided, mistaken, settled

CELLS = [name for name in ANALYSES if name != "intervals"]
WAY = Choice("way", ("long", "short"))


def plan(name, size=12, seed=0, **settings):
    return Plan([f"fable/runbooks/{name}"], seed=seed, size=size, settings=settings)


@pytest.fixture(scope="module")
def asked():
    """Twelve questions of each cell."""
    return {name: list(suite.generate(plan(name))) for name in ANALYSES}


def right(name, sample):
    found = solve(name, sample.input)
    if name == "intervals":
        return found == pytest.approx([sample.target["low"], sample.target["high"]])
    return found == sample.target


@pytest.mark.parametrize("name", ANALYSES)
def test_answers_are_those_of_a_reader_of_the_prompt(name, asked):
    assert [sample.id for sample in asked[name] if not right(name, sample)] == []


@pytest.mark.parametrize("name", CELLS)
def test_half_of_the_answers_are_yes_and_none_has_one_reason_only(name, asked):
    assert [sample.target for sample in asked[name]].count("Yes") == 6
    assert len({sample.metadata["reason"] for sample in asked[name]}) > 2


@pytest.mark.long
@pytest.mark.parametrize("name", ANALYSES)
def test_many_answers_are_those_of_a_reader_of_the_prompt(name):
    for sample in suite.generate(plan(name, 192, seed=8)):
        assert right(name, sample), sample.id


def test_the_thirty_runbooks_contradict_nothing_in_any_variant():
    rng = Random(3)
    assert len(COLLECTION.written) == 30
    assert {each.kind for each in COLLECTION.written} == {
        "checklists", "laboratory", "operations", "workshop",
    }  # fmt: skip
    goals = [each.procedure.goal for each in COLLECTION.written]
    assert len(set(goals)) == 30
    assert not any("<" in goal for goal in goals)  # variants share it
    for each in COLLECTION.written:
        for share in (0.0, 0.5, 1.0):
            variant = COLLECTION.variant(each, rng, share)
            wrong = [found for found in findings(Document.of(variant)) if found.is_error]
            assert not wrong, (each.name, wrong)
            assert "<" not in str(variant.to_json())


SMALL = {"a", "an", "the", "of", "in", "on", "to", "with", "off", "up", "at", "is", "its"}


def stems(text):
    """The beginnings of its words, so that a text may say "measured" of a measure."""
    return {word[:5] for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in SMALL}


def test_a_step_names_what_ties_it_to_the_steps_before():
    hidden = []
    for each in COLLECTION.written:
        for i, j in each.procedure.order:
            one, other = each.procedure.steps[i], each.procedure.steps[j]
            facts = [stems(found.fact) for found in conflicts(one, other)]
            told = stems(other.text)
            if not any(len(fact & told) >= max(1, len(fact) - 1) for fact in facts):
                hidden.append((each.name, one.text, other.text))
    assert hidden == []


def test_a_seed_gives_other_names_times_listings_and_choices(asked):
    again = list(suite.generate(plan("taint", seed=1)))
    texts = {sample.input for sample in asked["taint"]}
    assert not texts & {sample.input for sample in again}
    assert [sample.input for sample in suite.generate(plan("taint"))] == [
        sample.input for sample in asked["taint"]
    ]


def test_questions_about_one_runbook_are_a_cluster(asked):
    every = [sample for held in asked.values() for sample in held]
    by_goal = {}
    for sample in every:
        goal = sample.metadata["procedure"]["goal"]
        by_goal.setdefault(goal, set()).add(sample.metadata["cluster"])
    assert all(len(clusters) == 1 for clusters in by_goal.values())
    assert len(by_goal) > 15


def test_the_same_slot_is_the_same_question_at_any_size():
    few = [s.id for s in suite.generate(plan("live_variables", 4))]
    assert [s.id for s in suite.generate(plan("live_variables", 12))][:4] == few


def test_the_common_checks_hold():
    names = [f"fable/runbooks/{name}" for name in ANALYSES]
    assert all(found.holds for found in validate(Plan(names, seed=0, size=4)))


def test_orders_of_runbooks_are_asked_about_and_a_runbook_is_a_cluster():
    made = list(suite.generate(Plan(["catbench/order"], 1, 90, settings={"source": "runbooks"})))
    goals = {}
    for sample in made:
        goal = sample.metadata["procedure"]["goal"]
        goals.setdefault(goal, set()).add(sample.metadata["cluster"])
    assert all(len(clusters) == 1 for clusters in goals.values())
    assert not any("choices" in sample.metadata["procedure"] for sample in made)
    plan = Plan(["catbench/order"], 2, 12, settings={"source": "runbooks"})
    assert all(found.holds for found in validate(plan))


def test_no_order_that_a_step_left_out_gave_is_asked_about():
    way = (("way", "long"),)
    make, pump, mix = Step("Make", defines=("a",)), Step("Pump"), Step("Mix", uses=("b",))
    long = Step("Fetch", uses=("a",), defines=("b",), when=way)
    whole = Procedure("work", (make, long, pump, mix), ((0, 1), (1, 3)), (), (WAY,))
    short = settled(whole, {"way": "short"})
    assert short.order == ((0, 2),)  # nothing but the step left out ties them
    assert Subject.of(short).pairs[True] == [(0, 2)]
    assert Subject.of(short, firm=firm_links).pairs[True] == []


def test_no_step_of_a_variant_waits_without_a_ground():
    bare = []
    for each in COLLECTION.written:
        every = [(None, *choice.options) for choice in each.procedure.choices]
        names = [choice.name for choice in each.procedure.choices]
        for options in product(*every):
            taken = {name: option for name, option in zip(names, options, strict=True) if option}
            variant = settled(each.procedure, taken)
            for i, j in variant.order:
                one, other = variant.steps[i], variant.steps[j]
                if not conflicts(one, other):
                    bare.append((one.text, other.text))
    assert bare == []


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("buffer", "Pour the calibration solutions away", "After the pH reading, rinse"),
        ("film", "Put the tools", "Open the closed tank"),
        ("gel", "Pour the rest", "Lift the gel"),
        ("pcr", "Put the enzyme mix back", "Throw the rest"),
        ("pcr", "Throw the rest", "Run the sample tubes"),
        ("plating", "Switch the hot water bath off", "Shake the shocked cells"),
        ("plating", "Tip the ice", "Autoclave"),
        ("plating", "Switch the running hood off", "Keep the inoculated plates"),
        ("water_sample", "Stop the running pump", "Stick the labels"),
        ("backup_restore", "Wipe the key", "Complete the readable"),
        ("theatre", "Unlock the doors", "Send the ushers in the foyer up"),
    ],
)
def test_what_a_later_step_ends_orders_no_step_that_only_waits_for_something_done(
    name, first, second
):
    flow = Flow(next(each.procedure for each in COLLECTION.written if each.name == name))
    texts = [step.text for step in flow.steps]
    i, j = (
        next(k for k, text in enumerate(texts) if text.startswith(begin))
        for begin in (first, second)
    )
    assert not flow.precedes(i, j)
    assert not flow.precedes(j, i)


def test_steps_of_one_choice_may_exclude_each_other_and_the_question_says_what_then_holds():
    one, same, other, free = (
        Step("Work", when=when)
        for when in ((("way", "long"),), (("way", "long"),), (("way", "short"),), ())
    )
    flow = Flow(Procedure("work", (one, same, other, free), (), (), (WAY,)))
    for name in ("reaching_definitions", "taint", "concurrency"):
        told = [
            "(if there are none, the answer is No)" in words.scope(name, flow, {"i": 0, "j": j})
            for j in (1, 2, 3)
        ]
        assert told == [True, True, False], name


def test_explanations_of_two_steps_at_once_say_that_either_may_come_first():
    flow = Flow(Procedure("work", (Step("Boil"), Step("Sift")), ()))
    asked = {"i": 0, "j": 1}
    verdict = analysis("concurrency").decide(flow, **asked)
    why, _ = words.explained(flow, verdict, asked, Mistakes.NONE)
    assert why.startswith("Either of step 1 and step 2 may come first, and neither ends what")


def shown_procedures(rng):
    """Eight variants, for two people, of each of six procedures."""
    for written in COLLECTION.written[::5]:
        for _ in range(8):
            marked = divided(COLLECTION.unnamed(written, rng, 0.2), rng)
            shown = Case(COLLECTION.with_names(marked, rng))
            yield ShownProcedure(Case(written.procedure), shown, marked, "", Mistakes.WAITS)


@pytest.mark.parametrize("name", ["available_expressions", "live_variables", "taint"])
def test_twins_ask_about_the_same_step_and_have_different_answers(name):
    rng = Random(12)
    pairs = list(twins(name, list(shown_procedures(rng)), rng))
    assert len(pairs) > 50
    for pair in pairs:
        answers, about = [], set()
        for _, (procedure, asked) in pair:
            answers.append(analysis(name).decide(Flow(procedure.shown.procedure), **asked).answer)
            step = procedure.marked.steps[asked["i"]]
            about.add((procedure.case.procedure.goal, step.uses, step.defines, step.kills))
        assert answers == [False, True]
        assert len(about) == 1 or name == "taint"  # which of its two steps comes first may differ
    asked = [id(each) for pair in pairs for _, (_, each) in pair]
    assert len(asked) == len(set(asked))


def test_two_steps_at_once_have_no_twin_only_where_they_conflict():
    rng = Random(13)
    alone = together = 0
    for held in twins("concurrency", list(shown_procedures(rng)), rng):
        procedure, asked = held[0][1]
        flow = Flow(procedure.shown.procedure)
        i, j = asked["i"], asked["j"]
        tied = conflicts(flow.steps[i], flow.steps[j])
        free = not flow.precedes(i, j) and not flow.precedes(j, i)
        assert (len(held) == 1) == bool(tied and free)
        alone += len(held) == 1
        together += len(held) == 2
    assert alone > 20
    assert together > 20


def test_of_a_list_for_two_people_each_keeps_to_their_own_steps():
    rng = Random(5)
    waits = missing = 0
    for each in COLLECTION.written:
        whole = COLLECTION.variant(each, rng, 0.2)
        shared = divided(whole, rng)
        people = [step.text[:3] for step in shared.steps]
        assert set(people) == {"A: ", "B: "}
        assert len(whole.steps) + 2 <= len(shared.steps) <= len(whole.steps) + 4
        flow = Flow(shared)
        for i, j in combinations(range(len(people)), 2):
            assert not flow.precedes(j, i)
            assert people[i] != people[j] or flow.precedes(i, j)
            tied = people[i] != people[j] and conflicts(shared.steps[i], shared.steps[j])
            waits += bool(tied) and flow.precedes(i, j)
            missing += bool(tied) and not flow.precedes(i, j)
    assert waits > 100
    assert missing > 100


def test_options_are_told_in_any_order_and_steps_listed_twice_may_be_for_one():
    rng = Random(6)
    each = COLLECTION.written[0]
    variants = [COLLECTION.variant(each, rng, 0.0) for _ in range(20)]
    assert len({choice.options for found in variants for choice in found.choices}) > len(
        each.procedure.choices
    )
    more = [len(mistaken(found, rng).steps) - len(found.steps) for found in variants]
    assert max(more) > 1
    open_ = sum(not step.when for found in variants for step in found.steps)
    assert any(
        sum(not step.when for step in mistaken(found, rng).steps) < open_ / len(variants)
        for found in variants
    )


def test_steps_end_what_they_do_not_need_and_others_are_listed_after_it():
    rng = Random(7)
    late = 0
    for each in COLLECTION.written:
        steps = each.procedure.steps
        ended = {fact for step in steps for fact in step.kills if fact not in step.uses}
        assert ended & {fact for step in steps for fact in step.uses}, each.name
        shown = mistaken(COLLECTION.variant(each, rng, 0.2), rng).steps
        late += any(
            set(ender.kills).difference(ender.uses).intersection(step.uses)
            for place, ender in enumerate(shown)
            for step in shown[place + 1 :]
        )
    assert late > 15


@pytest.mark.parametrize(
    ("name", "steps", "order", "asked", "why"),
    [
        ("concurrency", "ue", [], (0, 1), "conflict_alone"),
        ("concurrency", "ue", [(0, 1)], (0, 1), "conflict_in_order"),
        ("available_expressions", "deu", [(0, 1), (1, 2)], (0, 2), "killed_between"),
        ("available_expressions", "edu", [(1, 2)], (1, 2), "killed_later"),
        ("type_state", "ddu", [(0, 2), (1, 2)], (0, 2), "made_again"),
        ("type_state", "ddu", [(0, 1), (1, 2)], (1, 2), "made_elsewhere"),
        ("type_state", "du", [(0, 1)], (0, 1), "no_other_maker"),
    ],
)
def test_finer_reasons_tell_where_the_other_steps_stand(name, steps, order, asked, why):
    does = {"u": "uses", "e": "kills", "d": "defines"}
    flow = Flow(
        Procedure("work", tuple(Step("Work", **{does[k]: ("p",)}) for k in steps), tuple(order))
    )
    fact = "p" if name == "available_expressions" else None
    assert finer_reason(flow, name, FlowQuestion(*asked, fact, frozenset())) == why


@pytest.mark.long
@pytest.mark.parametrize("name", ["live_variables", "very_busy_expressions", "concurrency"])
def test_what_steps_end_decides_a_quarter_of_the_answers_no(name):
    made = [s for s in suite.generate(plan(name, 200, seed=17)) if s.target == "No"]
    wrong = sum("kills_ignored" in sample.metadata["needs"] for sample in made)
    assert wrong >= 0.25 * len(made)


@pytest.mark.long
@pytest.mark.parametrize("name", ["type_state", "taint", "reaching_definitions"])
def test_every_strategy_that_can_err_does_so_on_nearly_three_tenths_of_an_answer(name):
    wrong, answers = Counter(), Counter()
    for sample in (each for seed in (17, 18, 19) for each in suite.generate(plan(name, 200, seed))):
        answers[sample.target] += 1
        wrong.update((sample.target, each) for each in sample.metadata["needs"])
    for strategy in ("listed_order", "first_option", "suppliers_ignored"):
        shares = [wrong[side, strategy] / answers[side] for side in answers]
        # three tenths are wanted; the first option alone is wrong on 0.297 of reaching definitions
        assert max(shares) >= 0.29, strategy


def test_any_fact_can_be_live_after_any_step_and_the_listed_order_often_errs(asked):
    many = thence.generate("fable/runbooks/very_busy_expressions", seed=17, size=100)
    held = [*asked["live_variables"], *many]
    given = [(each.metadata["question"], each.metadata["procedure"]["steps"]) for each in held]
    assert any(asks["fact"] not in steps[asks["i"]]["defines"] for asks, steps in given)
    assert any(asks["fact"] in steps[asks["i"]]["defines"] for asks, steps in given)
    assert sum("listed_order" in each.metadata["needs"] for each in held) >= 3


def test_times_of_your_own_are_told_exactly_in_seconds_where_minutes_would_be_rounded(tmp_path):
    held = tmp_path / "relay.yaml"
    times = ("20 s", "20 s", "20 s", "20-30 s")
    steps = [{"text": f"Turn switch {k}", "duration": each} for k, each in enumerate(times)]
    order = [[step["text"] for step in steps]]
    held.write_text(json.dumps({"goal": "Relay", "steps": steps, "order": order}))
    found = thence.generate("fable/runbooks/intervals", size=3, seed=3, source=str(held))
    told = {each.metadata["question"]["j"] + 1: each for each in found}
    assert {j: each.target["text"] for j, each in told.items()} == {
        2: "40 seconds", 3: "1 minute", 4: "80 to 90 seconds"
    }  # fmt: skip
    assert "Takes 20 to 30 seconds." in told[2].input
    assert "How many seconds at least" in told[2].input
    assert "How many minutes at least" in told[3].input
    sums = "is 20 (Step 1) + 20 (Step 2) + 20 (Step 3) + 30 (Step 4)"
    assert sums in told[4].metadata["explanation"]
    assert thence.score_reply(told[2], "40 seconds").correct
    assert not thence.score_reply(told[2], "0.66 minutes").correct
    assert thence.score_reply(told[4], "80 to 90 seconds").correct
