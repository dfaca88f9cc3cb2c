"""Whether sound questions about plans need the analysis: quotas, depths, shortcuts, words."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import combinations

import pytest

from thence import families
from thence.analysis.shortcuts import shortcuts
from thence.core.procedure import Procedure
from thence.core.shortcuts import ShownQuestion
from thence.dataflow import Flow
from thence.errors import UsageError
from thence.families.fable.plans.shortcuts import GUESSES
from thence.families.fable.shared.analyses import ANALYSES, INTERVALS
from thence.generation import suite
from thence.generation.plan import Plan, slots

CELLS = [name for name in ANALYSES if name != INTERVALS]
CEILING = 0.64
"""What the best single shortcut may reach on 400 questions."""

BLOCK = 200  # questions that are chosen together
solved = pytest.mark.skipif(
    bool(families.task("fable/plans/taint").generator.unavailable({"dialect": "sound"})),
    reason="the extra 'plans' is not installed",
)


@cache
def asked(analysis, size=50, **settings):
    return list(suite.generate(Plan([f"fable/plans/{analysis}"], 5, size, settings=settings)))


@solved
def test_a_block_keeps_its_quotas():
    held = asked("reaching_definitions", BLOCK)
    depths = Counter((min(each.metadata["depth"], 6), each.target) for each in held)
    for deep in range(1, 7):
        assert depths[deep, "Yes"] == depths[deep, "No"]
    assert sum(count for (deep, _), count in depths.items() if deep >= 3) >= len(held) / 2
    for answer in ("Yes", "No"):
        mine = [each.metadata for each in held if each.target == answer]
        reasons = Counter(each["reason"] for each in mine)
        assert len(reasons) >= 3 and max(reasons.values()) <= 0.6 * len(mine)
        working = sum(not each["question"]["changed"] for each in mine)
        assert working >= 0.4 * len(mine)
    assert len({each.cluster for each in held}) < len(held)  # many questions a plan
    assert len({each.id for each in held}) == len(held)


@solved
def test_no_reason_prevails_where_one_would_in_queues():
    held = asked("type_state", 100)
    for answer in ("Yes", "No"):
        reasons = Counter(each.metadata["reason"] for each in held if each.target == answer)
        assert "already_missing" not in reasons
        assert len(reasons) >= 3 and max(reasons.values()) <= 0.6 * len(held) / 2
    # with step i, step j finds all that it needs: to leave step i out decides
    assert reasons["ended"] + reasons["other_order"] >= 0.4 * reasons.total()
    assert sum(each.metadata["depth"] >= 3 for each in held) >= 0.3 * len(held)


@solved
def test_live_facts_are_asked_about_plans_that_work_for_three_reasons_each():
    held = asked("live_variables", BLOCK)
    for answer in ("Yes", "No"):
        mine = [each.metadata for each in held if each.target == answer]
        reasons = Counter(each["reason"] for each in mine)
        assert len(reasons) >= 3 and max(reasons.values()) <= 0.6 * len(mine)
        assert sum(not each["question"]["changed"] for each in mine) >= 0.3 * len(mine)
    assert sum(each.metadata["depth"] >= 3 for each in held) >= 0.4 * len(held)


@solved
def test_queues_permit_several_orders():
    for each in asked("live_variables", BLOCK):
        flow = Flow(Procedure.from_json(each.metadata["procedure"]))
        apart = sum(not flow.precedes(a, b) for a, b in combinations(range(len(flow)), 2))
        assert apart >= 5


@solved
def test_the_listed_order_alone_is_often_wrong():
    held = [each for each in asked("reaching_definitions") if each.target == "Yes"]
    wrong = sum("listed_order" in each.metadata["needs"] for each in held)
    assert wrong >= 0.3 * len(held)


@solved
def test_a_question_can_be_asked_for_by_its_depth():
    held = asked("reaching_definitions", 8, depth="4-5")
    assert {each.metadata["depth"] for each in held} == {4, 5}
    with pytest.raises(UsageError, match="depth="):
        list(slots(Plan(["fable/plans/taint"], settings={"depth": "5-2"})))
    published = {"depth": "3", "dialect": "published"}
    with pytest.raises(UsageError, match="sound dialect have it; leave depth or dialect out"):
        list(slots(Plan(["fable/plans/taint"], settings=published)))


@solved
def test_one_question_is_the_same_alone_and_among_many():
    many = {each.id: each for each in asked("reaching_definitions")}
    assert all(each.id in many for each in asked("reaching_definitions", 4))


@solved
def test_what_a_model_or_a_reader_gets_says_nothing_of_depth_and_reason():
    for each in asked("reaching_definitions"):
        task = families.task(each.task)
        assert not {"depth", "reason", "needs"} & set(task.question(each).values)


@solved
def test_tables_break_down_by_depth_and_reason():
    sample = asked("reaching_definitions")[0]
    found = families.task(sample.task).grader.breakdown(sample)
    assert found["depth"] == str(sample.metadata["depth"])
    assert found["reason"] == sample.metadata["reason"]


@solved
@pytest.mark.parametrize("text", ["grounded", "english"])
def test_an_explanation_names_every_step_in_the_words_of_the_prompt(text):
    for each in asked("taint", 24, text=text) + asked("concurrency", 24, text=text):
        told = each.metadata["explanation"]
        assert "..." not in told
        assert not re.search(r"[Cc]ontamina|sanitis|\bkill|\bdefine", told), told


@solved
def test_the_nearest_trips_are_seldom_the_bounds_of_a_step():
    """With one truck they are those of everything that is loaded and unloaded."""
    held = asked(INTERVALS, BLOCK)
    (guess,) = (each for each in GUESSES if each.name == "nearest trip")
    assert sum(guess.value(ShownQuestion(each)) == each.target for each in held) <= 0.15 * BLOCK


@solved
@pytest.mark.long
def test_no_two_shortcuts_tell_the_bounds_of_a_step():
    (found,) = shortcuts(Plan([f"fable/plans/{INTERVALS}"], 23, 2000))
    assert found.found[0].score <= 0.3, found.found[0]


@solved
@pytest.mark.long
@pytest.mark.parametrize("analysis", CELLS)
def test_no_shortcut_tells_the_answer_of_400_questions(analysis):
    (found,) = shortcuts(Plan([f"fable/plans/{analysis}"], 29, 400))
    assert found.best("single").score <= CEILING, found.best("single")
    assert found.best("tree").score < 0.9
