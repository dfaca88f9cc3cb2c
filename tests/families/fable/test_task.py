"""What every cell of FABLE shares: balance, cues, dialects, corpora."""

from __future__ import annotations

from collections import Counter
from itertools import repeat
from random import Random
from types import SimpleNamespace

import pytest

from tests.families.fable.toy import Lamps, lamp_tasks
from thence.core.procedure import Procedure, Step
from thence.core.seeds import stream
from thence.errors import UsageError
from thence.families.fable.shared.domain import Case, Instance
from thence.families.fable.shared.matching import Unaskable, matched
from thence.families.fable.shared.task import tasks

TASK = lamp_tasks()["live_variables"]


def drawn(task, seed=0, size=200, **settings):
    cells = task.generator.arrange(task.generator.configure(settings), size, seed)
    return [
        task.generator.draw(cell, stream(task.full_name, "1-0", cell.parameters, seed, 0))
        for cell in cells
    ]


def test_both_answers_are_equally_common_and_neither_comes_first():
    answers = [draft.target for draft in drawn(TASK)]
    assert Counter(answers) == {"Yes": 100, "No": 100}
    assert 10 < Counter(answers[::2])["Yes"] < 90
    assert {draft.target for draft in drawn(TASK, size=1, seed=1)} <= {"Yes", "No"}


def test_without_a_side_either_answer_comes_by_chance():
    (cell,) = TASK.generator.conditions(TASK.generator.configure({}))
    rng = Random(1)
    assert 60 < sum(TASK.generator.draw(cell, rng).target == "Yes" for _ in range(200)) < 140


def test_cues_are_the_same_for_both_answers():
    drafts = drawn(TASK, size=2000)
    held = Counter((draft.question["fact"], draft.question["i"], draft.target) for draft in drafts)
    for lamp in "abc":
        for step in range(1, 6):
            counts = [held[f"{lamp} is on", step, answer] for answer in ("Yes", "No")]
            assert max(counts) < 2 * min(counts) + 30


def test_published_asks_by_the_rule_and_never_seeds():
    sound, published = drawn(TASK, size=20), drawn(TASK, size=20, dialect="published")
    assert {draft.target for draft in published} == {"Yes"}
    assert {draft.metadata["dialect"] for draft in published} == {"published"}
    # the first procedure that is looked at is the same: twins share their structure
    shared = [a.structure == b.structure for a, b in zip(sound, published, strict=True)]
    assert any(shared)


def test_given_procedures_are_all_asked_about_before_one_comes_again():
    rng = Random(3)
    held = [Lamps().case({"steps": 4 + number}, rng) for number in range(30)]
    task = lamp_tasks(held)["intervals"]
    clusters = Counter(draft.metadata["cluster"] for draft in drawn(task, size=60))
    assert set(clusters.values()) == {2}


def test_a_sample_tells_nothing_of_its_side_through_its_cell():
    cell = TASK.generator.arrange(TASK.generator.configure({}), 2, 0)[0]
    metadata = {"parameters": dict(cell.parameters), "dialect": "sound"}
    assert "side" in cell.parameters
    assert TASK.generator.condition(
        SimpleNamespace(metadata=metadata)
    ) == TASK.generator.conditions(TASK.generator.configure({}))[0].__class__(
        "live_variables", {"steps": 6}, 1, {"dialect": "sound"}
    )


def test_what_is_not_offered_says_why_and_the_rest_is():
    values = TASK.generator.configure({})
    assert lamp_tasks()["taint"].generator.unavailable(values) == "lamps cannot be contaminated"
    assert TASK.generator.unavailable(values) == ""


def test_an_unknown_dialect_is_refused():
    with pytest.raises(UsageError, match="must be sound or published"):
        TASK.generator.configure({"dialect": "official"})


def _case(number):
    return Case(Procedure.total("g", [Step(str(number))]))


def _instance(answer, *cues):
    return Instance({"kind": "taint"}, answer, "", cues=cues)


def test_a_depth_where_none_is_counted_is_refused_with_what_to_leave_out():
    class Deep(Lamps):
        has_depth = True

    generator = tasks(Deep())[0].generator
    mends = {"sound": "leave depth out", "published": "leave depth or dialect out"}
    for dialect, mend in mends.items():
        with pytest.raises(UsageError, match=mend):
            generator.conditions(generator.configure({"depth": "3", "dialect": dialect}))


def test_matching_waits_for_a_shared_key_and_then_gives_up_the_last_cues():
    cases = (_case(number) for number in range(1000))
    asked = iter([[_instance("Yes", "a", 1)], [_instance("No", "a", 2)], [_instance("No", "a", 1)]])
    found = matched(cases, lambda _: next(asked, []), "Yes", Random(0))
    assert found[1].cues == ("a", 1)

    ask = {0: [_instance("Yes", "a", 1), _instance("Yes", "b", 1)], 1: [_instance("No", "b", 2)]}
    cases = (_case(number) for number in range(1000))
    found = matched(
        cases, lambda case: ask.get(int(case.procedure.steps[0].text), []), "Yes", Random(0)
    )
    assert found[1].cues == ("b", 1)


def test_a_cell_of_one_answer_is_never_made():
    cases = (_case(number) for number in range(1000))
    with pytest.raises(Unaskable, match="all with one answer"):
        matched(cases, lambda _: [_instance("Yes", 1)], "Yes", Random(0))


def test_a_single_procedure_that_is_drawn_again_and_again_is_told_as_one():
    cases = repeat(_case(0))
    with pytest.raises(Unaskable, match="1 question about the one procedure given, all with one"):
        matched(cases, lambda _: [_instance("Yes", 1)], "Yes", Random(0))
    with pytest.raises(Unaskable, match="no question about the one procedure given"):
        matched(cases, lambda _: [], "Yes", Random(0))


@pytest.mark.parametrize("wanted", ["Yes", "No"])
def test_the_wanted_answer_has_no_part_in_the_choice_of_the_cue(wanted):
    def chosen(seed, answer):
        making, rng = Random(seed), Random(seed)
        cases = iter([Lamps().case({"steps": 6}, making) for _ in range(40)])
        return matched(cases, lambda case: Lamps().sound("taint", case, rng), answer, rng)[1]

    keys = {chosen(seed, wanted).cues for seed in range(100)}
    assert len(keys) > 5
    for seed in range(100):
        assert chosen(seed, "Yes").cues == chosen(seed, "No").cues


def test_the_tasks_come_in_the_order_of_the_paper():
    names = [task.name for task in sorted(tasks(Lamps()), key=lambda task: task.rank)]
    assert names == [
        "lamps/reaching_definitions",
        "lamps/very_busy_expressions",
        "lamps/available_expressions",
        "lamps/live_variables",
        "lamps/intervals",
        "lamps/type_state",
        "lamps/taint",
        "lamps/concurrency",
    ]
