"""FABLE's plans: the published answers, and sound questions whose truth is found another way."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from thence import families
from thence.analysis.validation import validate
from thence.domains.plans.lowering import parse_action
from thence.errors import FileError, UsageError
from thence.families.fable.plans import audit as audited
from thence.families.fable.shared.analyses import ANALYSES
from thence.generation import suite
from thence.generation.plan import Plan, slots

DATA = Path(__file__).parents[4] / "shared/data/fable"
CELLS = [name for name in ANALYSES if name != "intervals"]
published_plans = pytest.mark.skipif(not DATA.is_dir(), reason="no published data beside us")
solved = pytest.mark.skipif(
    bool(families.task("fable/plans/taint").generator.unavailable({"dialect": "sound"})),
    reason="the extra 'plans' is not installed",
)


@cache
def samples(size=6, seed=0, names=ANALYSES, **settings):
    plan = Plan([f"fable/plans/{name}" for name in names], seed, size, settings=settings)
    return tuple(suite.generate(plan))


# The published answers ----------------------------------------------------------------------------


@published_plans
def test_every_published_answer_is_found_from_its_text():
    found = list(audited.audit(DATA, "published"))
    assert Counter(each.group for each in found) == {
        f"fable/plans/{name}": len(list((DATA / audited.FOLDER).glob("*.json")))
        for name in ANALYSES
    }
    assert [each for each in found if each.computed != each.published] == []


@published_plans
def test_what_is_unsound_is_said_with_a_witness():
    found = list(audited.audit(DATA, "sound"))
    wrong = [each for each in found if each.computed != each.published]
    cells = Counter(each.group.rpartition("/")[2] for each in wrong)
    live = [each for each in found if each.group.endswith("live_variables")]
    assert cells["live_variables"] == sum(each.published == "No" for each in live)
    assert set(cells) == {"live_variables", "concurrency", "intervals"}
    assert all(each.why and each.kind for each in wrong)
    bound = [each for each in wrong if each.group.endswith("concurrency")]
    assert {each.published for each in bound} == {"Yes"}
    assert {each.kind for each in bound} == {
        "one makes what the other needs, or they conflict", "other steps put them in order",
    }  # fmt: skip


@published_plans
def test_a_changed_answer_plan_or_question_is_noticed(tmp_path):
    source = next((DATA / audited.FOLDER).glob("*ferry*_1007.json"))
    folder = tmp_path / audited.FOLDER
    folder.mkdir(parents=True)
    path = Path(shutil.copy(source, folder))
    row = json.loads(path.read_text())

    def disagreeing():
        path.write_text(json.dumps(row))
        return {each.group for each in audited.audit(tmp_path, "published")
                if each.computed != each.published}  # fmt: skip

    assert disagreeing() == set()
    for title, name in audited.TITLES.items():
        kept = row["benchmarks"][title]
        row["benchmarks"][title] = {**kept, "answer": "Maybe"}
        assert disagreeing() == {f"fable/plans/{name}"}
        row["benchmarks"][title] = {**kept, "question": kept["question"].replace("Step ", "Step 9")}
        assert disagreeing() == ({f"fable/plans/{name}"} if name != "taint" else set())
        row["benchmarks"][title] = kept
    row["plan_steps"][0] = "1: fly(c1, l0)"
    assert len(disagreeing()) == 8
    row["plan_steps"] = "none"
    with pytest.raises(FileError, match="not a published plan"):
        disagreeing()
    path.write_text("{")
    with pytest.raises(FileError, match="not JSON"):
        list(audited.audit(tmp_path, "published"))


def test_a_question_of_other_plans_is_left_to_others():
    assert audited.resolve("taint", ["Turn left."], "Does it?", "sound") is None
    steps = ["1: sail(l1, l2)", "2: board(c1, l2)"]
    asked = "Is the effect '('at-ferry', 'l2')' from Step 1 (sail) still available for Step 2?"
    found = audited.resolve("available_expressions", steps, asked, "sound")
    assert found is not None and found.computed == "Yes"


# The truth of generated questions, found by trying every permitted order --------------------------


def orders(steps, order, done=()):
    """Every permitted order, one after another."""
    if len(done) == len(steps):
        yield done
    for step in range(len(steps)):
        if step not in done and all(i in done for i, j in order if j == step):
            yield from orders(steps, order, (*done, step))


def ends(step, fact):
    return fact in step["kills"] or fact in step["defines"]


def needed_next(steps, execution, i, fact):
    """Whether a step after i needs the fact before one ends it."""
    for step in execution[execution.index(i) + 1 :]:
        if fact in steps[step]["uses"]:
            return True
        if ends(steps[step], fact):
            return False
    return False


def arrives(steps, execution, i, j, fact, ending):
    """Whether i comes before j with no step between that ends the fact."""
    a, b = execution.index(i), execution.index(j)
    return a < b and not any(ending(steps[step], fact) for step in execution[a + 1 : b])


def tainted(steps, execution, i, checked, j):
    """Follows what is tainted through an execution, fact by fact."""
    dirty = set()
    for step in execution:
        touched = set(steps[step]["uses"]) & dirty
        if step == j:
            return bool(touched)
        dirty -= {*steps[step]["kills"], *steps[step]["defines"]}
        if step == i or (touched and step != checked):
            dirty |= set(steps[step]["defines"])
    return False


def valid_without(steps, execution, i, j, start):
    """Whether j finds what it needs where i is left out."""
    held = set(start)
    for step in execution:
        if step == j:
            return set(steps[step]["uses"]) <= held
        if step != i:
            held = (held - set(steps[step]["kills"])) | set(steps[step]["defines"])
    raise AssertionError(j)


def truth(analysis, question, steps, held, start):
    i, j, fact = question["i"], question["j"], question["fact"]
    if analysis == "reaching_definitions":
        return any(arrives(steps, each, i, j, fact, ends) for each in held)
    if analysis == "available_expressions":
        return all(
            arrives(steps, each, i, j, fact, lambda step, fact: fact in step["kills"])
            for each in held
        )
    if analysis == "live_variables":
        return any(needed_next(steps, each, i, fact) for each in held)
    if analysis == "very_busy_expressions":
        return all(needed_next(steps, each, i, fact) for each in held)
    if analysis == "type_state":
        return all(valid_without(steps, each, i, j, start) for each in held)
    if analysis == "taint":
        return any(tainted(steps, each, i, question["sanitizers"][0], j) for each in held)
    # at the same time: each may come right before the other, and the state after is the same
    forwards = any((i, j) in pairwise(each) for each in held)
    backwards = any((j, i) in pairwise(each) for each in held)
    return forwards and backwards


@solved
@pytest.mark.parametrize("analysis", ANALYSES)
def test_the_truth_is_what_every_permitted_order_shows(analysis):
    checked = 0
    for sample in samples(8, names=(analysis,), plan_steps="4-8"):
        procedure = sample.metadata["procedure"]
        steps, order = procedure["steps"], [tuple(pair) for pair in procedure["order"]]
        held = list(orders(steps, order))
        question = sample.metadata["question"]
        checked += 1
        if analysis == "intervals":
            k = question["i"]
            before = [
                s + 1 for s in range(len(steps)) if all(e.index(s) < e.index(k) for e in held)
            ]
            after = [s + 1 for s in range(len(steps)) if all(e.index(s) > e.index(k) for e in held)]
            expected = {"after": max(before, default=None), "before": min(after, default=None)}
            assert sample.target == expected
        else:
            found = truth(analysis, question, steps, held, procedure.get("start"))
            assert sample.target == ("Yes" if found else "No")
    assert checked > 2


@solved
def test_plans_are_balanced_distinct_and_longer_than_most_of_the_papers():
    for name in CELLS:
        held = [each for each in samples() if each.task == f"fable/plans/{name}"]
        assert Counter(each.target for each in held) == {"Yes": 3, "No": 3}
        assert len({each.id for each in held}) == 6
    lengths = [len(each.metadata["procedure"]["steps"]) for each in samples()]
    assert min(lengths) >= 8 and max(lengths) <= 18 and 9 < sum(lengths) / len(lengths) < 15


@solved
def test_intervals_are_often_bounded_by_others_than_the_neighbours():
    """In a chain, "between the step before and the step after" would always be right."""
    beside = 0
    for sample in samples(24, names=("intervals",)):
        place = sample.metadata["question"]["i"] + 1
        last = len(sample.metadata["procedure"]["steps"])
        before = place + 1 if place < last else None
        beside += sample.target == {"after": place - 1 or None, "before": before}
        assert sample.metadata["origin"]["kind"] in ("gripper", "driverlog")
    assert beside < 12


@solved
def test_the_truth_scores_1_and_a_perturbed_one_does_not():
    for dialect in ("sound", "published"):
        plan = Plan(
            [f"fable/plans/{name}" for name in ANALYSES], 1, 2, settings={"dialect": dialect}
        )
        assert all(found.holds for found in validate(plan))


@solved
def test_english_says_the_same_without_a_grounded_action():
    names = ("very_busy_expressions", "intervals", "type_state")
    twins = zip(samples(names=names), samples(names=names, text="english"), strict=True)
    for grounded, english in twins:
        assert english.target == grounded.target
        assert english.metadata["origin"]["actions"] == grounded.metadata["origin"]["actions"]
        assert not any(
            step["text"] in english.input for step in grounded.metadata["procedure"]["steps"]
        )
        assert "_" not in english.input and "{" not in english.input


@solved
def test_published_questions_follow_the_published_rules():
    """The published sentences are made of our questions, and the audit reads them back."""
    for sample in samples(dialect="published"):
        name, question = sample.task.rpartition("/")[2], sample.metadata["question"]
        if name == "intervals" or question["i"] is None:
            continue
        steps = [step + 1 for step in (question["i"], question["j"]) if step is not None]
        if name == "reaching_definitions":
            steps.reverse()
        fact = parse_action(question["fact"]) if question["fact"] else ()
        sentence = f"Is '{fact}' of " + " and ".join(f"Step {step} (x)" for step in steps)
        texts = [step["text"] for step in sample.metadata["procedure"]["steps"]]
        found = audited.resolve(name, texts, sentence, "published")
        assert found is not None and found.computed == sample.target, (sentence, texts)


# Bad input, and a user's own problem --------------------------------------------------------------

TEA = """(define (domain tea) (:types pot) (:predicates (water ?p - pot) (tea ?p - pot))
  (:action brew :parameters (?p - pot) :precondition (water ?p)
    :effect (and (tea ?p) (not (water ?p))))
  (:action fill :parameters (?p - pot) :effect (water ?p)))"""
CUP = """(define (problem cups) (:domain tea) (:objects a b c - pot) (:init (water a))
  (:goal (and (tea a) (tea b) (tea c))))"""


@solved
def test_a_users_own_problem_is_asked_about(tmp_path):
    (tmp_path / "d.pddl").write_text(TEA)
    (tmp_path / "p.pddl").write_text(CUP)
    own = {"domain": str(tmp_path / "d.pddl"), "problem": str(tmp_path / "p.pddl")}
    plan = Plan(["fable/plans/concurrency", "fable/plans/intervals"], 0, 1, settings=own)
    held = list(suite.generate(plan))
    assert len({each.id for each in held}) == 2
    for each in held:
        assert each.metadata["origin"]["kind"] == "tea"
        assert sorted(step["text"] for step in each.metadata["procedure"]["steps"]) == [
            "brew(a)", "brew(b)", "brew(c)", "fill(b)", "fill(c)",
        ]  # fmt: skip


@solved
@pytest.mark.parametrize(
    ("goal", "analysis", "dialect", "why"),
    [
        ("(tea a)", "taint", "sound", "its plan has 1 step, about which there is no such"),
        ("(tea a)", "intervals", "published", "its plan has 1 step, about which there is no"),
        ("(tea b)", "type_state", "sound", "2 steps, and all questions about it have one answer"),
    ],
)
def test_a_problem_too_small_to_ask_about_is_named(tmp_path, goal, analysis, dialect, why):
    (tmp_path / "d.pddl").write_text(TEA)
    (tmp_path / "p.pddl").write_text(CUP.replace("(and (tea a) (tea b) (tea c))", goal))
    own = {"domain": str(tmp_path / "d.pddl"), "problem": str(tmp_path / "p.pddl")}
    plan = Plan([f"fable/plans/{analysis}"], 0, 1, settings={**own, "dialect": dialect})
    with pytest.raises(UsageError, match=why) as caught:
        list(suite.generate(plan))
    assert f"problem={tmp_path / 'p.pddl'}: " in str(caught.value)
    assert "give a problem that takes more steps" in str(caught.value)


def test_a_problem_of_which_all_questions_are_asked_is_named(tmp_path):
    (tmp_path / "d.pddl").write_text(TEA)
    (tmp_path / "p.pddl").write_text(CUP)
    own = {"domain": str(tmp_path / "d.pddl"), "problem": str(tmp_path / "p.pddl")}
    with pytest.raises(UsageError, match="no more questions about it differ; ask for fewer, or"):
        list(suite.generate(Plan(["fable/plans/intervals"], 0, 500, settings=own)))


@pytest.mark.parametrize(
    ("problem", "why"),
    [
        (CUP.replace("(water a)", "(water d)"), "object 'd' is not declared"),
        (CUP[:-1], "is never closed"),
        (None, "No such file"),
    ],
)
def test_a_users_mistake_is_one_line_that_names_the_file(tmp_path, problem, why):
    (tmp_path / "d.pddl").write_text(TEA)
    if problem is not None:
        (tmp_path / "p.pddl").write_text(problem)
    own = {"domain": str(tmp_path / "d.pddl"), "problem": str(tmp_path / "p.pddl")}
    with pytest.raises(UsageError, match=why) as caught:
        list(slots(Plan(["fable/plans/taint"], settings=own)))
    assert "p.pddl" in str(caught.value)
    with pytest.raises(UsageError, match="needs both files"):
        alone = {"domain": own["domain"]}
        list(slots(Plan(["fable/plans/taint"], settings=alone)))


@pytest.mark.parametrize(
    "setting", [{"kinds": "chess"}, {"disks": "0"}, {"plan_steps": "5-2"}, {"text": "latin"},
                {"planner_seconds": "0"}],
    ids=str,
)  # fmt: skip
def test_a_setting_that_cannot_be_is_refused(setting):
    with pytest.raises(UsageError, match=f"{next(iter(setting))}="):
        list(slots(Plan(["fable/plans/taint"], settings=setting)))


@solved
def test_concurrency_is_not_offered_of_kinds_that_are_bound_and_the_reason_said():
    task = families.task("fable/plans/concurrency")
    assert not task.generator.unavailable(task.generator.configure({}))
    assert not task.generator.unavailable(
        task.generator.configure({"kinds": "hanoi", "dialect": "published"})
    )
    assert "free of order" in task.generator.unavailable(
        task.generator.configure({"kinds": "hanoi+ferry"})
    )
    settings = {"kinds": "hanoi"}
    with pytest.raises(UsageError, match="concurrency is not offered: steps of hanoi"):
        list(suite.generate(Plan(["fable/plans/concurrency"], 0, 1, settings=settings)))
