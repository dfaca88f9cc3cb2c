"""Answers with their proof, and a turn that tells what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import thence
from thence import families
from thence.core.sample import Sample
from thence.errors import ParameterError
from thence.prompts.catalog import protocol
from thence.scoring import turns
from thence.scoring.judge import Response, judge_with

SEED = 0


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


CELLS = [
    name
    for each in thence.tasks()
    if (name := each.name).startswith("fable/recipes/") and not name.endswith("intervals")
]
INPUT = "Check this plan."


def made(task: str, size: int = 2, **given: Any) -> list[Sample]:
    return list(thence.generate(task, seed=SEED, size=size, workers=1, **given))


def procedure(order: list[list[int]]) -> dict[str, Any]:
    """Boil water, chill wine, make tea of the water, pour the water away."""
    rows = [("Boil", [], ["hot"], []), ("Chill", [], ["cold"], []), ("Brew", ["hot"], ["tea"], []),
            ("Pour away", [], [], ["hot"])]  # fmt: skip
    steps = [
        {"text": text, "uses": uses, "defines": defines, "kills": kills}
        for text, uses, defines, kills in rows
    ]
    return {"goal": "tea", "steps": steps, "order": order}


def asked(analysis: str, target: Any, i: int, j: int | None, fact: str | None) -> Sample:
    """A question about plans by hand."""
    question = {"kind": analysis, "i": i, "j": j, "fact": fact, "fact_text": fact, "rules": [],
                "published": False, "changed": False, "marks": False,
                "queues": []}  # fmt: skip
    metadata = {"procedure": procedure([[0, 2], [2, 3]]), "question": question, "dialect": "sound",
                "parameters": {}, "explanation": "Step 3 needs it."}  # fmt: skip
    return Sample("0", "fable", f"fable/plans/{analysis}", "2-0", INPUT, target, metadata)


def scored(sample: Sample, reply: str) -> thence.Score:
    return thence.score_reply(sample, reply, protocol="with_proof")


@pytest.mark.parametrize("task", CELLS)
def test_the_truth_with_our_proof_is_right_and_a_right_answer_alone_is_told_apart(
    task: str,
) -> None:
    for sample in made(task):
        talk = thence.conversation(sample, "with_proof")
        right = scored(sample, talk.write(thence.answer(sample)))
        assert (right.correct, right.values["proof"], right.values["wrong_proof"]) == (True, 1, 0)
        bare = scored(sample, talk.write(thence.answer(sample), proved=False))
        assert (bare.correct, bare.values["proof"], bare.values["wrong_proof"]) == (True, 0, 1)
        other = "No" if sample.target == "Yes" else "Yes"
        wrong = scored(sample, talk.write(other))
        assert (wrong.correct, wrong.values["proof"], wrong.values["wrong_proof"]) == (False, 0, 0)


def test_any_proof_that_shows_the_answer_counts() -> None:
    sample = asked("live_variables", "Yes", 0, None, "hot")
    for proof, holds in (
        ({"step": 3}, True),
        ({"step": "Step 3", "order": [1, 3]}, True),
        ({"step": 3, "order": [2, 1, 3, 4]}, True),
        ({"step": 3, "order": [3, 1]}, False),
        ({"step": 2}, False),
        ({"step": 9}, False),
        ("Step 3", False),
        (None, False),
    ):
        reply = json.dumps({"answer": "Yes", "proof": proof})
        score = scored(sample, f"```json\n{reply}\n```")
        assert score.correct
        assert score.values["proof"] == holds, proof
    assert scored(sample, "Yes").values == {**score.values, "proof": 0.0, "wrong_proof": 1.0}
    said = scored(sample, json.dumps({"answer": "Yes", "proof": {"step": 2}}))
    assert said.explanation == '{"step":2} Step 2 does not need it.'


def test_the_bounds_of_a_step_have_a_proof() -> None:
    sample = asked("intervals", {"after": 1, "before": 4}, 2, None, None)
    talk = thence.conversation(sample, "with_proof")
    reply = talk.write(thence.answer(sample))
    assert json.loads(reply) == {
        "answer": "Between Step 1 and Step 4",
        "proof": {"chain": [1, 3, 4], "first": [1, 3], "last": [3, 4]},
    }
    assert scored(sample, reply).values["proof"] == 1
    nearer = {"answer": "Between Step 1 and Step 4", "proof": {"chain": [1, 3, 4]}}
    assert scored(sample, json.dumps(nearer)).values["wrong_proof"] == 1


@pytest.mark.parametrize(
    ("task", "given", "says"),
    [
        ("catbench/order", {}, "catbench/order: has no proofs that could be checked"),
        ("fable/recipes/intervals", {}, "fable/recipes/intervals: an amount has no proof"),
        ("fable/recipes/taint", {"dialect": "published"}, "the published dialect's rules are no"),
    ],
)
def test_a_question_without_proofs_is_refused_in_one_line(
    task: str, given: dict[str, Any], says: str
) -> None:
    (sample,) = made(task, 1, **given)
    with pytest.raises(ParameterError, match=says) as error:
        thence.conversation(sample, "with_proof")
    assert "\n" not in str(error.value)
    with pytest.raises(ParameterError, match=says):
        thence.run([sample], "baseline/oracle", protocol="with_proof", out="refused")


def test_the_oracle_proves_its_answers_and_chance_does_not() -> None:
    samples = made("fable/recipes/concurrency", 20)
    figures = {}
    for name in ("oracle", "random"):
        run = thence.run(samples, f"baseline/{name}", protocol="with_proof", out=name)
        (held,) = run.scores().to_json()["groups"].values()
        figures[name] = held["accuracy"], held["proof"], held["wrong_proof"]
    assert figures["oracle"] == (1.0, 1.0, 0.0)
    accuracy, proof, wrong = figures["random"]
    assert 0 < accuracy < 1
    assert (proof, wrong) == (0.0, accuracy)


# Feedback ---------------------------------------------------------------------------------------


def second(sample: Sample, reply: str, name: str = "feedback") -> str:
    talk = thence.conversation(sample, name)
    assert talk.hear(reply)
    return talk.messages[-1]["content"]


NEUTRAL = "Go through your answer once more, and correct it if it needs correcting."


def test_a_wrong_proof_is_told_and_a_right_one_is_not() -> None:
    sample = asked("live_variables", "Yes", 0, None, "hot")
    told = [
        second(sample, json.dumps({"answer": "Yes", "proof": proof}), "with_proof+feedback")
        for proof in ({"step": 2}, {"step": 3})
    ]
    assert told[0].startswith("Consider this: Step 2 does not need it.\nGo through your answer")
    assert told[1].startswith(NEUTRAL)


def test_a_remark_on_yes_or_no_is_the_same_whatever_was_answered() -> None:
    for task in ("fable/recipes/taint", "catbench/order", "releval/comparison"):
        (sample,) = made(task, 1)
        said = {second(sample, answer) for answer in ("Yes", "No", "True", "False")}
        said = {text for text in said if "Consider this" in text}
        assert len(said) == 1, task


def test_the_first_wrong_state_is_named_and_not_what_it_should_be() -> None:
    (sample,) = made("procbench/sort", 1, steps="4")
    right = sample.target
    assert second(sample, thence.answer(sample)).startswith(NEUTRAL)
    wrong = {**right, "intermediate": [right["intermediate"][0], *right["intermediate"][:-1]]}
    told = second(sample, thence.answer(sample, wrong))
    assert told.startswith("Consider this: The state after step 2 is the first one that is wrong.")
    short = {**right, "intermediate": right["intermediate"][:-1]}
    told = second(sample, thence.answer(sample, short))
    assert told.startswith("Consider this: The final state is wrong, or states before it are")


def test_the_first_false_cycle_is_named() -> None:
    sample = next(each for each in made("releval/consistency", 12) if not each.target["consistent"])
    cycle = sample.target["cycles"][0]
    assert second(sample, thence.answer(sample)).startswith(NEUTRAL)
    wrong = {"consistent": False, "cycles": [cycle, [cycle[0], cycle[0], cycle[1]]]}
    told = second(sample, thence.answer(sample, wrong))
    assert f"The cycle <{cycle[0]}, {cycle[0]}, {cycle[1]}> is not there" in told
    told = second(sample, thence.answer(sample, {"consistent": True, "cycles": []}))
    assert told.startswith(f"Consider this: Follow the statements about {cycle[0]} as far as they")


def test_what_became_of_answers_is_told_as_for_any_second_turn() -> None:
    samples = made("catbench/order", 6)
    run = thence.run(samples, "baseline/oracle", protocol="feedback", out="told")
    (held,) = turns.by_task(run.scores().results[0]).values()
    assert (held.kept, held.gained, held.lost) == (6, 0, 0)


def test_a_task_about_whose_answers_nothing_can_be_said_is_refused() -> None:
    (sample,) = made("releval/plan_generation", 1)
    with pytest.raises(ParameterError, match="nothing tells what is wrong with an answer"):
        thence.run([sample], "baseline/oracle", protocol="feedback", out="refused")
    assert not Path("refused").exists()  # nothing of a run that could not be asked


def test_a_protocol_is_given_the_remark_and_no_answer() -> None:
    (sample,) = made("catbench/order", 1)
    talk = thence.conversation(sample, "feedback")
    talk.hear("yes")
    assert not any(hasattr(message, "target") for message in talk.messages)
    assert all(set(message) == {"role", "content"} for message in talk.messages)


def test_an_answer_that_an_extractor_made_of_a_reply_has_no_proof() -> None:
    sample = asked("live_variables", "Yes", 0, None, "hot")
    response = Response(sample.id, response="I think so.")
    converted = Response(sample.id, response="Yes")
    task = families.task(sample.task)
    score = judge_with(response, sample, task, protocol("with_proof"), lambda *_: converted)
    assert (score.correct, score.values["proof"], score.values["wrong_proof"]) == (True, 0, 1)
