"""One reply at a time: conversations, scores, answers, in every form of a sample."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

import thence
from thence import families
from thence.errors import ParameterError, UsageError

FAMILIES = ("procbench", "releval", "catbench", "fable/recipes")


def one(name: str) -> thence.Sample:
    return thence.questions(f"{name}*", seed=1)[3]


@pytest.mark.parametrize("name", FAMILIES)
def test_a_sample_may_be_an_object_a_row_or_text(name: str) -> None:
    sample = one(name)
    row = sample.to_json()
    cells = row | {key: json.dumps(row[key]) for key in ("target", "metadata")}
    for given in (sample, row, json.dumps(row), cells, json.dumps(cells)):
        assert thence.answer(given) == thence.answer(sample)
        assert thence.score_reply(given, thence.answer(given)).correct
        assert thence.conversation(given).messages[0]["content"] == sample.input


def test_the_acceptance_of_the_public_interface() -> None:
    program = (
        "import thence; q = thence.questions(['procbench', 'releval'], seed=5, size=10**9); "
        "s = q[999_999_999]; assert thence.score_reply(s.to_json(), thence.answer(s)).correct and "
        "q[999_999_999].id == s.id"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


def test_outcomes_follow_the_reply() -> None:
    sample = one("procbench")
    right = thence.answer(sample)
    assert thence.score_reply(sample, right).outcome is thence.Outcome.CORRECT
    assert thence.score_reply(sample, None).outcome is thence.Outcome.NO_ANSWER
    assert thence.score_reply(sample, right, finish_reason="refusal").outcome == "refused"
    assert thence.score_reply(sample, right[:9], finish_reason="length").outcome == "truncated"
    assert thence.score_reply(sample, "", reasoning=right).outcome == "no_answer"


def test_a_protocol_says_where_the_answer_stands() -> None:
    sample = one("catbench")
    for protocol in ("explain_then_answer", "chain_of_thought", "answer_then_explain"):
        talk = thence.conversation(sample, protocol)
        reply = talk.write(thence.answer(sample))
        assert thence.score_reply(sample, reply, protocol=protocol).correct
    shots = thence.conversation(sample, "few_shot", k=2, pool=20)
    assert [each["role"] for each in shots.messages] == ["user", "assistant"] * 2 + ["user"]


def test_a_family_has_its_own_scorers() -> None:
    sample = one("fable/recipes")
    assert thence.score_reply(sample, thence.answer(sample), scorer="official").correct
    with pytest.raises(ParameterError, match="scorer=official: procbench has only the strict"):
        thence.score_reply(one("procbench"), "x", scorer="official")
    with pytest.raises(ParameterError, match="scorer=kind"):
        thence.score_reply(sample, "x", scorer="kind")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (7, "sample=7: must be"),
        ("no JSON", "sample=.*is not JSON"),
        ("{}", "field 'id' must be a string"),
        ("[1]", "must be a Sample"),
        ("[" * 100_000, "is not JSON"),
        ({"id": 1}, "field 'id'"),
    ],
)
def test_what_is_no_sample_is_refused(given: Any, message: str) -> None:
    for call in (thence.answer, thence.conversation, lambda each: thence.score_reply(each, "x")):
        with pytest.raises(ParameterError, match=message) as caught:
            call(given)
        assert len(str(caught.value)) < 300


def test_a_damaged_sample_is_one_line() -> None:
    sample, order = one("procbench"), one("catbench")
    for damaged, right in (
        (replace(sample, target="x"), thence.answer(sample)),
        (replace(order, metadata={}), "yes"),
        (replace(order, metadata={**order.metadata, "step_pair": 7}), "yes"),
    ):
        with pytest.raises(ParameterError, match=f"sample={damaged.id}"):
            thence.score_reply(damaged, right)
    with pytest.raises(ParameterError, match=r"version 2-0 .*generate it anew"):
        thence.answer(replace(sample, version="2-0"))
    with pytest.raises(UsageError, match="unknown task"):
        thence.answer(replace(sample, task="procbench/srot"))


def test_a_truth_that_cannot_be_written_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = one("catbench")
    format_ = families.task(sample.task).format
    monkeypatch.setattr(type(format_), "write", lambda *_: 1 // 0)
    with pytest.raises(ParameterError, match=f"sample={sample.id}: .*give it as it was generated"):
        thence.score_reply(sample, "Hm.")


def test_no_reply_is_wrong_by_a_damaged_truth() -> None:
    for name in ("catbench", "releval/plan_generation", "fable/recipes/taint"):
        sample = one(name)
        for damaged in (None, 3, True, "maybe", [], {}):
            for reply in (thence.answer(sample), "Hm.", None):
                with pytest.raises(ParameterError, match=f"sample={sample.id}: .*target"):
                    thence.score_reply(replace(sample, target=damaged), reply)


def test_other_mistakes_name_their_parameter() -> None:
    sample = one("procbench")
    with pytest.raises(ParameterError, match="reply=7: must be text"):
        thence.score_reply(sample, 7)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="protocol=drect: unknown protocol"):
        thence.score_reply(sample, "x", protocol="drect")
    with pytest.raises(ParameterError, match=r"k: protocol direct has no such"):
        thence.conversation(sample, k=3)
    with pytest.raises(ParameterError, match=r"value=.*no answer to releval/plan_generation"):
        thence.answer(thence.generate("releval/plan_generation", size=1)[0], 7)


def test_threads_score_alike() -> None:
    samples = list(thence.questions(["procbench", "releval", "catbench"], seed=3)[:300])
    replies = [thence.answer(each) for each in samples]
    with ThreadPoolExecutor(8) as pool:
        scores = list(pool.map(thence.score_reply, samples, replies))
    assert all(each.correct for each in scores)
