from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.extra import toy_family
from tests.scoring import results as made_of
from thence import families
from thence.analysis.summary import Overview, overview, to_json
from thence.core.results import Results
from thence.core.sample import Sample
from thence.core.score import Outcome
from thence.core.task import Task
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.prompts.catalog import protocol
from thence.scoring.judge import Response, Scored, judge, score_sample
from thence.scoring.refusals import is_refusal

pytestmark = pytest.mark.usefixtures("toy")
DIRECT = protocol("direct")


@pytest.fixture
def toy() -> Iterator[None]:
    with toy_family():
        yield


@cache
def samples(count: int = 1, name: str = "toy/dice") -> list[Sample]:
    given = {"dice": "9"} if name == "toy/dice" else {"steps": "4-20"}
    return list(generate(Plan([name], size=count, settings=given), 1))


def response(text: str | None, **changes: Any) -> Response:
    return Response(**{"id": "i", "response": text, "finish_reason": "stop"} | changes)


# One response -----------------------------------------------------------------------------------

ERROR = {"kind": "timeout", "message": "no reply", "status": None}


def outcome(text: str | None, **changes: Any) -> str:
    (sample,) = samples()
    if text is not None:
        text = text.replace("RIGHT", str(sample.target)).replace("OTHER", str(sample.target + 1))
    return judge(response(text, **changes), sample, families.task(sample.task), DIRECT).outcome


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        # A provider error comes first, whatever else there is.
        ("sum: RIGHT", {"error": ERROR}, "provider_error"),
        ("sum: RIGHT", {"error": ERROR, "finish_reason": "refusal"}, "provider_error"),
        (None, {"error": ERROR, "finish_reason": "length"}, "provider_error"),
        ("sum: RIGHT", {"error": {}}, "provider_error"),
        # Then a refusal.
        ("sum: RIGHT", {"finish_reason": "refusal"}, "refused"),
        (None, {"finish_reason": "refusal"}, "refused"),
        # Then a reply that was cut off before its delimited answer.
        ("so RIGHT plus", {"finish_reason": "length"}, "truncated"),
        ("RIGHT", {"finish_reason": "length"}, "truncated"),
        ("", {"finish_reason": "length"}, "truncated"),
        (None, {"finish_reason": "length"}, "truncated"),
        ("sum: RIGHT", {"finish_reason": "length"}, "correct"),
        ("sum: OTHER", {"finish_reason": "length"}, "wrong"),
        # Then one in which nothing is readable.
        ("I cannot tell", {}, "no_answer"),
        ("", {}, "no_answer"),
        (None, {}, "no_answer"),
        (None, {"finish_reason": None}, "no_answer"),
        # What is read is right or wrong.
        ("sum: RIGHT", {}, "correct"),
        ("RIGHT", {}, "correct"),
        ("sum: OTHER", {}, "wrong"),
        ("sum: RIGHT", {"finish_reason": None}, "correct"),
        ("sum: RIGHT", {"finish_reason": "tool_calls"}, "correct"),
    ],
)
def test_outcomes_have_an_order_of_precedence(
    text: str | None, changes: dict[str, Any], expected: str
) -> None:
    assert outcome(text, **changes) == expected


def test_the_order_is_that_of_the_interface() -> None:
    assert list(Outcome) == [
        "provider_error",
        "refused",
        "truncated",
        "no_answer",
        "correct",
        "wrong",
    ]


def test_a_score_says_what_was_read_and_by_which_rule() -> None:
    (sample,) = samples()
    task = families.task(sample.task)

    def score(text: str, **changes: Any) -> tuple[Any, ...]:
        found = judge(response(text, **changes), sample, task, DIRECT)
        return found.answer, found.rule, found.correct, dict(found.values)

    target = sample.target
    assert score(f"sum: {target}") == (target, "label", True, {"near": 1.0})
    assert score(f"{target + 1}") == (target + 1, "bare", False, {"near": 0.5})
    assert score("?") == (None, None, False, {"near": 0.0})
    assert score(f"{target}", finish_reason="length") == (None, None, False, {"near": 0.0})
    assert score("x", finish_reason="refusal") == (None, None, False, {"near": 0.0})
    assert score("x", error=ERROR) == (None, None, False, {})  # unscored is not 0


def test_the_protocol_says_which_part_holds_the_answer() -> None:
    (sample,) = samples()

    class Tail(type(DIRECT)):  # type: ignore[misc]
        def answer_part(self, reply: str, task: Task) -> str:
            return reply.rpartition("|")[2]

    task, text = families.task(sample.task), f"sum: {sample.target + 1} | sum: {sample.target}"
    assert judge(response(text), sample, task, Tail([])).correct
    assert not judge(response(text + " | "), sample, task, Tail([])).correct


# Responses of files -----------------------------------------------------------------------------


def test_a_response_reads_back() -> None:
    one = response("a", epoch=2, turn=1, error=ERROR, usage={"input_tokens": 3}, latency=0.5)
    assert Response.from_json(one.to_json()) == one
    assert Response.from_json({"id": "i"}) == Response("i")
    assert Response.from_json({"id": "i", "epoch": None, "more": 1}) == Response("i")


@pytest.mark.parametrize(
    "change",
    [
        {"id": 1},
        {"id": None},
        {"epoch": "1"},
        {"epoch": True},
        {"epoch": 1.0},
        {"response": 5},
        {"response": ["a"]},
        {"error": "timeout"},
        {"latency": "fast"},
        {"latency": True},
        {"usage": []},
    ],
)
def test_a_field_of_the_wrong_type_is_named(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(change))):
        Response.from_json({"id": "i", "response": "a"} | change)


# Epochs -----------------------------------------------------------------------------------------


def voted(replies: list[str | None]) -> Scored:
    """The vote over replies; None stands for a provider error, X for the truth."""
    (sample,) = samples()
    cast = [
        response(text and text.replace("X", str(sample.target)), epoch=epoch)
        if text is not None
        else response(None, epoch=epoch, error=ERROR)
        for epoch, text in enumerate(replies)
    ]
    row, *others = score_sample(sample, cast, DIRECT, "majority")
    lost = replies.count(None) - (row.score.outcome == "provider_error")
    assert [each.score.outcome for each in others] == ["provider_error"] * lost
    return row


@pytest.mark.parametrize(
    ("replies", "expected", "answer"),
    [
        (["sum: X"], "correct", "X"),
        (["sum: 0", "sum: X", "sum: X"], "correct", "X"),
        (["sum: X", "sum: 0", "sum: 0"], "wrong", 0),
        # However it was written.
        (["sum: 0", "X", "sum: X"], "correct", "X"),
        # The one given first where some tie.
        (["sum: X", "sum: 0"], "correct", "X"),
        (["sum: 0", "sum: X"], "wrong", 0),
        (["sum: 1", "sum: 0", "sum: X", "sum: X", "sum: 0"], "wrong", 0),
        (["sum: 1", "sum: X", "sum: 0", "sum: 0", "sum: X"], "correct", "X"),
        # Who says nothing has no vote, nor has a provider error.
        (["?", "?", "sum: X"], "correct", "X"),
        ([None, None, "sum: X"], "correct", "X"),
        ([None, "?", "sum: 0"], "wrong", 0),
        (["?", "?"], "no_answer", None),
        ([None, "?"], "no_answer", None),
        ([None, None], "provider_error", None),
    ],
)
def test_the_commonest_answer_wins(replies: list[str | None], expected: str, answer: Any) -> None:
    row, truth = voted(replies), samples()[0].target
    assert row.score.outcome == expected
    assert row.score.answer == (truth if answer == "X" else answer)
    assert row.epoch == 0


def test_the_mean_keeps_every_epoch() -> None:
    (sample,) = samples()
    cast = [response(f"sum: {sample.target}", epoch=0), response("?", epoch=1)]
    rows = score_sample(sample, cast, DIRECT, "mean")
    assert [(row.epoch, row.score.outcome) for row in rows] == [(0, "correct"), (1, "no_answer")]
    assert all(row.sample is sample for row in rows)


def test_every_turn_has_a_vote_of_its_own() -> None:
    (sample,) = samples()
    right, wrong = f"sum: {sample.target}", "sum: 0"
    turns = [(0, wrong, right), (1, wrong, right), (2, right, wrong)]
    cast = [
        response(text, epoch=epoch, turn=turn)
        for epoch, *texts in turns
        for turn, text in enumerate(texts)
    ]
    rows = score_sample(sample, cast, DIRECT, "majority")
    assert [(row.turn, row.score.outcome) for row in rows] == [(0, "wrong"), (1, "correct")]


def test_equal_answers_of_procbench_are_one_vote() -> None:
    (sample,) = samples(1, "procbench/cumulate")
    task = families.task(sample.task)
    right = task.format.write(sample.target)
    spelled = right.replace(str(sample.target["final"]), f'"{sample.target["final"]}"')
    assert spelled != right
    wrong = task.format.write(sample.target | {"final": 0})
    cast = [response(text, epoch=epoch) for epoch, text in enumerate([wrong, right, spelled])]
    (row,) = score_sample(sample, cast, DIRECT, "majority")
    assert row.score.correct


# Summaries --------------------------------------------------------------------------------------


def results(
    replies: dict[str, list[str]], turns: int = 1, task: str = "toy/dice", **more: Any
) -> Results:
    """Results of as many samples as there are lists, one reply a turn.

    R: right, W: wrong, N: no answer, T: truncated, F: refused, E: provider error.
    """
    rows, held = [], families.task(task)
    for sample, texts in zip(samples(len(replies), task), replies.values(), strict=True):
        changes: dict[str, dict[str, Any]] = {
            "R": {"response": held.format.write(sample.target)},
            "W": {"response": held.format.write(held.checks.perturb(sample, Random(0)))},
            "N": {"response": "?"},
            "T": {"response": "?", "finish_reason": "length"},
            "F": {"finish_reason": "refusal"},
            "E": {"error": ERROR},
        }
        cast = [Response(sample.id, turn=turn, **changes[kind]) for turn, kind in enumerate(texts)]
        rows += score_sample(sample, cast, DIRECT)
    return made_of.results("m", "", rows, turns=turns, **more)


def told(text: str, **more: Any) -> Results:
    return results({str(place): [kind] for place, kind in enumerate(text)}, **more)


def test_provider_errors_leave_n_and_all_else_stays() -> None:
    found = overview(told("RRWNTFEE")).tasks["toy/dice"]
    assert (found.n, found.correct) == (6, 2)
    assert found.accuracy.value == pytest.approx(2 / 6)
    assert found.accuracy.n == 6
    assert found.outcomes == {
        "provider_error": 2,
        "refused": 1,
        "truncated": 1,
        "no_answer": 1,
        "correct": 2,
        "wrong": 1,
    }
    assert found.metrics["near"].value == pytest.approx((1 + 1 + 0.5) / 6)


kinds = st.text("RWNTFE", min_size=1, max_size=12)


@settings(max_examples=25)
@given(kinds)
def test_every_response_is_counted_once(text: str) -> None:
    with toy_family():
        made = told(text)
        found = overview(made).tasks["toy/dice"]
    assert sum(found.outcomes.values()) == len(text)
    assert found.n == len(text) - text.count("E") == len(text) - made.errors
    assert found.correct == text.count("R")
    if found.n:
        assert found.accuracy.value == pytest.approx(found.correct / found.n)
    groups = found.by["group"].values()
    assert sum(group.n for group in groups) == found.n
    assert sum(group.correct for group in groups) == found.correct


def test_where_all_failed_there_is_no_figure() -> None:
    row = overview(told("EE")).tasks["toy/dice"].to_json()
    assert (row["n"], row["correct"]) == (0, 0)
    assert (row["accuracy"], row["accuracy_ci"]) == (None, None)
    assert row["outcomes"]["provider_error"] == 2
    assert "near" not in row or row["near"] is None


def test_a_run_is_finished_once_nothing_is_missing_or_all_is_accepted() -> None:
    assert told("RW").finished
    assert not told("RE").finished
    assert told("RE", accepted=True).finished
    assert not told("RW", missing=1).finished
    assert not told("RW", missing=1, accepted=True).finished


def test_the_json_has_the_shape_of_the_interface() -> None:
    found = to_json([overview(told("RRW"))])
    assert list(found) == ["scorer", "groups", "overall"]
    assert found["scorer"] == "strict"
    assert list(found["groups"]) == ["toy/dice"]
    assert list(found["overall"]) == ["toy"]
    for row in (found["groups"]["toy/dice"], found["overall"]["toy"]):
        assert {"n", "correct", "accuracy", "accuracy_ci", "outcomes", "by"} <= row.keys()
        assert (row["n"], row["correct"]) == (3, 2)
        low, high = row["accuracy_ci"]
        assert row["accuracy"] == 2 / 3
        assert 0 <= low < 2 / 3 < high <= 1
        assert set(row["outcomes"]) == {outcome.value for outcome in Outcome}
        assert row["near_ci"][0] <= row["near"] <= row["near_ci"][1]
        assert {group["n"] for group in row["by"]["group"].values()} == {1}
        assert all("by" not in group for group in row["by"]["group"].values())


def test_names_begin_with_the_model_where_there_are_several() -> None:
    one = overview(told("R"))
    other = Overview("n", one.tasks, one.families)
    found = to_json([one, other])
    assert list(found["groups"]) == ["m/toy/dice", "n/toy/dice"]
    assert list(found["overall"]) == ["m/toy", "n/toy"]
    assert list(to_json([one])["groups"]) == ["toy/dice"]


def test_procbench_is_broken_down_by_length_and_has_its_metrics() -> None:
    found = overview(told("RRRRRRRRWWWWWWWW", task="procbench/sort"))
    row = found.tasks["procbench/sort"].to_json()
    assert set(row["by"]) == {"length", "steps"}
    assert list(row["by"]["length"]) == ["Short", "Medium", "Long"]
    steps = list(row["by"]["steps"])
    assert steps == sorted(steps, key=int)
    assert row["accuracy"] == row["sm"] == 0.5
    assert row["accuracy_ci"] == row["sm_ci"]
    assert 0 < row["pa"] < 1 < row["pml"]
    assert len(row["pml_ci"]) == 2


def test_several_turns_are_shown_and_the_last_counts() -> None:
    found = overview(results({"a": ["W", "R"], "b": ["R", "R"], "c": ["R", "W"]}, turns=2))
    whole = found.tasks["toy/dice"]
    assert [turn.correct for turn in whole.turns] == [2, 2]
    assert (whole.n, whole.correct) == (3, 2)
    assert len(whole.to_json()["turns"]) == 2
    # A conversation that broke off is an error, not a wrong answer.
    broken = overview(results({"a": ["W", "E"], "b": ["E"], "c": ["R", "R"]}, turns=2))
    whole = broken.tasks["toy/dice"]
    assert (whole.n, whole.correct, whole.outcomes["provider_error"]) == (1, 1, 2)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I'm sorry, but I can't help with that.", True),
        ("I\u2019m very sorry, I cannot assist with this request.", True),
        ("As an AI language model, I am unable to comply.", True),
        ("<think>I cannot answer.</think>I refuse to.", True),
        ("I cannot determine whether step 2 comes first.", False),
        ("Sorry for the delay. First, step 1 makes the dough.", False),
        ("Let me see. I cannot help noticing that", False),
        ("", False),
    ],
)
def test_a_refusal_in_words_is_no_missing_answer(text: str, told: bool) -> None:
    assert is_refusal(text) is told
