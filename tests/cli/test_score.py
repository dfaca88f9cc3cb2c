"""``thence score``: of runs, of replies gathered elsewhere, with an extractor."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import (
    Solver,
    held,
    refused,
    rows,
    samples,
    the_line,
    thence,
    write_rows,
)
from tests.fake_endpoint import Answer, FakeEndpoint, Fault, Status
from thence.core.sample import Sample
from thence.engine.conversations import Conversations
from thence.engine.directory_lock import locked
from thence.engine.extraction import Unread

OUTCOMES = ["provider_error", "refused", "truncated", "no_answer", "correct", "wrong"]
METRICS = ["pa", "sm", "fm", "pml"]


def check_summary(found: dict[str, Any]) -> None:
    """The shape of every group of ``score --json``, and what its figures must satisfy."""
    assert {"n", "correct", "accuracy", "accuracy_ci", "outcomes"} <= set(found)
    assert {name for metric in METRICS for name in (metric, f"{metric}_ci")} <= set(found)
    assert list(found["outcomes"]) == OUTCOMES
    assert sum(found["outcomes"].values()) == found["n"] + found["outcomes"]["provider_error"]
    assert found["correct"] == found["outcomes"]["correct"]
    assert found["accuracy"] == pytest.approx(found["correct"] / found["n"])
    assert found["sm"] == pytest.approx(found["accuracy"])
    for name in ("accuracy", *METRICS):
        if name == "pml" and found["pml_ci"] is None:
            continue  # where all are the same, no resampling tells how far a count may vary
        low, high = found[f"{name}_ci"]
        assert low <= found[name] <= high


def test_json_of_a_run() -> None:
    samples(task="procbench/s*", size=6)
    thence("run", "samples.jsonl", "--model", "baseline/oracle", "-o", "run")
    done = thence("score", "run", "--json")
    assert done.err == ""
    found = done.json()
    assert list(found) == ["scorer", "groups", "overall"]
    assert found["scorer"] == "strict"
    tasks = list(dict.fromkeys(row["task"] for row in rows("samples.jsonl")))
    assert list(found["groups"]) == tasks
    assert list(found["overall"]) == ["procbench"]
    for each in (*found["groups"].values(), found["overall"]["procbench"]):
        check_summary(each)
        assert each["accuracy"] == 1
        assert list(each["by"]) == ["length", "steps"]
        for groups in each["by"].values():
            assert sum(group["n"] for group in groups.values()) == each["n"]
            for group in groups.values():
                check_summary(group)
                assert "by" not in group
        assert list(each["by"]["length"]) == ["Short", "Medium", "Long"]
        assert list(each["by"]["steps"]) == sorted(each["by"]["steps"], key=int)
    assert found["overall"]["procbench"]["n"] == len(tasks) * 6


def test_scores_may_be_deleted() -> None:
    samples()
    printed = thence("run", "samples.jsonl", "--model", "baseline/random", "-o", "run").out
    before = held(Path())
    Path("run/scores.jsonl").unlink()
    again = thence("score", "run").out
    assert held(Path()) == before
    assert printed == f"{again}run: run\n"
    summary = again.splitlines()[-1]
    assert summary.startswith("summary: baseline/random, direct: accuracy procbench ")


def test_several_models_stand_before_their_groups() -> None:
    samples(task="procbench/count")
    for name in ("oracle", "random"):
        thence("run", "samples.jsonl", "--model", f"baseline/{name}", "-o", name)
    found = thence("score", "oracle", "random", "--json").json()
    assert list(found["groups"]) == [
        "baseline/oracle/procbench/count",
        "baseline/random/procbench/count",
    ]
    assert list(found["overall"]) == ["baseline/oracle/procbench", "baseline/random/procbench"]
    assert [each["accuracy"] for each in found["groups"].values()] == [1, 0]
    alone = thence("score", "random", "--json").json()
    assert alone["groups"]["procbench/count"] == found["groups"]["baseline/random/procbench/count"]
    plain = thence("score", "oracle", "random").out
    assert plain.index("baseline/oracle\n") < plain.index("baseline/random\n")


@pytest.mark.parametrize("second", ["procbench/count", "procbench/sort"])
def test_two_runs_of_one_model_are_both_there(second: str) -> None:
    oracle = ("--model", "baseline/oracle", "-o")
    thence("run", "procbench/sort", "--size", "3", *oracle, "one")
    thence("run", second, "--size", "5", "--seed", "1", *oracle, "two")
    found = thence("score", "one", "two", "--json").json()
    assert sum(each["n"] for each in found["groups"].values()) == 8
    assert sum(each["n"] for each in found["overall"].values()) == 8
    assert list(found["overall"]) == [
        "baseline/oracle@one/procbench",
        "baseline/oracle@two/procbench",
    ]


# Replies gathered elsewhere --------------------------------------------------------------------


def replies(right: Iterable[bool], **more: Any) -> None:
    """Writes replies to the first samples, right ones and wrong ones."""
    solver = Solver("samples.jsonl")
    held = zip(rows("samples.jsonl"), solver.right.values(), right, strict=False)
    write_rows(
        "replies.jsonl",
        ({"id": row["id"], "response": text if good else "?"} | more for row, text, good in held),
    )


def score(*more: str, status: int = 0) -> dict[str, Any]:
    """The group of the replies."""
    arguments = ("score", "replies.jsonl", "--samples", "samples.jsonl", "--json", *more)
    found: dict[str, Any] = thence(*arguments, status=status).json()["groups"]["procbench/sort"]
    return found


def test_replies_of_elsewhere() -> None:
    samples(size=5)
    replies([True, True, False, True, True])
    before = held(Path())
    found = score()
    check_summary(found)
    assert (found["n"], found["correct"]) == (5, 4)
    assert found["outcomes"]["no_answer"] == 1
    assert held(Path()) == before


def test_replies_that_are_missing_make_it_unfinished() -> None:
    samples(size=5)
    replies([True, True, True])
    assert (score(status=1)["n"], score(status=1)["correct"]) == (3, 3)
    arguments = ("score", "replies.jsonl", "--samples", "samples.jsonl")
    done = thence(*arguments, status=1)
    assert done.err == "thence: replies.jsonl: 2 without a response\n"
    assert "2 were not asked yet." in done.out


def test_replies_may_have_epochs_errors_and_finish_reasons() -> None:
    made = rows(samples(size=3))
    right = list(Solver("samples.jsonl").right.values())
    lines: list[dict[str, Any]] = []
    for epoch in range(3):
        lines += [
            {"id": made[0]["id"], "epoch": epoch, "response": right[0] if epoch else "?"},
            {"id": made[1]["id"], "epoch": epoch, "response": "", "finish_reason": "length"},
            {"id": made[2]["id"], "epoch": epoch, "error": {"kind": "server", "message": "x"}},
        ]
    write_rows("replies.jsonl", lines)
    found = score(status=1)
    assert (found["n"], found["correct"]) == (6, 2)
    assert found["outcomes"] | {"wrong": 0, "refused": 0} == {
        "provider_error": 3, "refused": 0, "truncated": 3, "no_answer": 1, "correct": 2, "wrong": 0,
    }  # fmt: skip
    voted = score("--reduce", "majority", status=1)
    assert (voted["n"], voted["correct"]) == (2, 1)


def test_hostile_replies_cost_nothing() -> None:
    made = rows(samples(size=8))
    hostile = [
        "[" * 100_000,
        '{"intermediate": [' * 20_000,
        '{"a":' * 100_000,
        "\x00\ud800\udfff",
        "9" * 1_000_000,
        "<think>" * 100_000,
        '{"intermediate": [], "final": ' + "9" * 100_000 + "}",
        "final:\n" * 100_000,
    ]
    write_rows(
        "replies.jsonl",
        ({"id": row["id"], "response": text} for row, text in zip(made, hostile, strict=True)),
    )
    found = score()
    assert (found["n"], found["correct"]) == (8, 0)


# An extractor ----------------------------------------------------------------------------------


def test_an_extractor_converts_what_could_not_be_read() -> None:
    made = rows(samples())
    solver = Solver("samples.jsonl")
    solver.right |= {
        made[0]["input"]: "I would say: sorted, step by step.",
        made[1]["input"]: "The second one is harder.",
        made[2]["input"]: '{"intermediate": [], "final": "wrong"}',
    }
    right = list(Solver("samples.jsonl").right.values())

    def convert(body: dict[str, Any], count: int) -> Answer | Fault:
        text = body["messages"][-1]["content"]
        if "sorted, step by step" in text:
            return Answer(f"Here it is: {right[0]}")
        assert "The second one is harder." in text
        return Answer("NONE")

    with FakeEndpoint.in_thread(solver) as fake:
        thence("run", "samples.jsonl", "--model", "x/m", "--base-url", fake.url, "-o", "run")
        fake.requests.clear()
        fake.behave = convert
        command = ("score", "run", "--extractor", "x/extract", "--base-url", fake.url)
        before = held(Path())
        found = thence(*command, "--json").json()
        assert [request.body["model"] for request in fake.requests] == ["extract"] * 2
        assert [request.body["temperature"] for request in fake.requests] == [0.0] * 2
        assert thence(*command, "--json").json() == found
        assert len(fake.requests) == 2
        plain = thence(*command).out
    assert "1 reply without a readable answer was converted by x/extract." in plain
    assert (found["extractor"], found["converted"]) == ("x/extract", 1)
    outcomes = found["groups"]["procbench/sort"]["outcomes"]
    assert (outcomes["correct"], outcomes["wrong"], outcomes["no_answer"]) == (2, 1, 1)
    rules = [row["rule"] for row in rows("run/scores.jsonl")]
    assert rules == ["extractor/json", None, "json", "json"]
    after = held(Path())
    assert after["run/responses.jsonl"] == before["run/responses.jsonl"]
    thence("score", "run")
    assert held(Path()) == before | {
        "run/extractions.jsonl": after["run/extractions.jsonl"],
    }


def test_an_extractor_is_handed_no_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    made = rows(samples(size=1))
    write_rows("mine.jsonl", [{"id": made[0]["id"], "response": "I pass"}])
    asked: list[Sample] = []
    begin = Conversations.begin
    monkeypatch.setattr(
        Conversations, "begin", lambda self, each: asked.append(each) or begin(self, each)
    )
    with FakeEndpoint.in_thread(lambda body, count: Answer("NONE")) as fake:
        score = ("score", "mine.jsonl", "--samples", "samples.jsonl", "--extractor", "x/m")
        thence(*score, "--base-url", fake.url)
    [sample] = {each.id: each for each in asked}.values()
    assert (sample.target, sample.metadata) == (None, {})
    assert made[0]["id"] not in str(sample)
    assert Unread._fields == ("reply", "question", "prompt")


def test_an_extractor_that_no_reply_needs_is_not_asked_and_that_is_said() -> None:
    samples(size=2)
    thence("run", "samples.jsonl", "--model", "baseline/oracle", "-o", "run")
    before = held(Path())
    done = thence("score", "run", "--extractor", "x/m", "--base-url", "http://127.0.0.1:9")
    assert "No reply needed to be converted, so x/m was not asked." in done.out
    assert held(Path()) == before


def test_an_extractor_converts_replies_from_elsewhere_and_keeps_what_it_made() -> None:
    made = rows(samples(size=4))
    right = Solver("samples.jsonl").right
    replies = [right[row["input"]] for row in made]
    replies[0], replies[2] = "sorted, step by step", "I pass"
    write_rows(
        "mine.jsonl",
        [{"id": row["id"], "response": text} for row, text in zip(made, replies, strict=True)],
    )

    def convert(body: dict[str, Any], count: int) -> Answer | Fault:
        sorts = "sorted, step by step" in body["messages"][-1]["content"]
        return Answer(right[made[0]["input"]] if sorts else "NONE")

    before = held(Path())
    command = ("score", "mine.jsonl", "--samples", "samples.jsonl")
    with FakeEndpoint.in_thread(convert) as fake:
        extract = (*command, "--extractor", "x/m", "--base-url", fake.url)
        found = thence(*extract, "--json").json()
        assert (found["converted"], len(fake.requests)) == (1, 2)
        assert "1 reply without a readable answer was converted" in thence(*extract).out
        assert len(fake.requests) == 2
    outcomes = found["groups"]["procbench/sort"]["outcomes"]
    assert (outcomes["correct"], outcomes["no_answer"]) == (3, 1)
    assert set(held(Path())) == {*before, "mine.jsonl.extractions.jsonl"}
    plain = thence(*command, "--json").json()["groups"]["procbench/sort"]["outcomes"]
    assert (plain["correct"], plain["no_answer"]) == (2, 2)


def test_converting_every_reply_is_a_figure_beside_the_scores() -> None:
    made = rows(samples(size=4))
    right = Solver("samples.jsonl").right
    replies = [right[row["input"]] for row in made]
    replies[1] = "I pass"  # the extractor finds an answer all the same
    replies[2] = '{"intermediate": [], "final": "wrong"}'  # another answer
    write_rows(
        "mine.jsonl",
        [{"id": row["id"], "response": text} for row, text in zip(made, replies, strict=True)],
    )

    def convert(body: dict[str, Any], count: int) -> Answer | Fault:
        text = body["messages"][-1]["content"]
        if replies[3] in text:
            return Answer("NONE")
        place = next((n for n, reply in enumerate(replies) if reply in text), 1)
        return Answer(right[made[place]["input"]])

    command = ("score", "mine.jsonl", "--samples", "samples.jsonl")
    with FakeEndpoint.in_thread(convert) as fake:
        extract = (*command, "--extractor", "x/m", "--base-url", fake.url, "--extract", "all")
        found = thence(*extract, "--json").json()
        assert len(fake.requests) == 4
        plain = thence(*extract).out
        assert len(fake.requests) == 4  # nothing is asked for twice
    alone = thence(*command, "--json").json()["groups"]["procbench/sort"]
    assert found["groups"]["procbench/sort"] == alone
    (told,) = found["conversion"]
    effect = told["procbench/sort"]
    counts = [effect[name] for name in ("n", "agree", "only_reader", "only_extractor")]
    assert (counts, effect["both_differ"]) == ([4, 1, 1, 1], 1)
    assert (effect["accuracy_reader"], effect["accuracy_extractor"]) == (0.5, 0.75)
    assert (effect["effect"], found["converted"]) == (0.25, 4)
    assert "Effect of converting every reply by x/m" in plain
    assert "x/m converted 4 replies; the scores are the reader's own." in plain
    refused(*command, "--extract", "all", says=("--extract all", "--extractor MODEL"))
    refused(*command, "--extractor", "nope", says=("--extractor nope: must be nano or PROVIDER",))


def test_another_process_that_converts_the_same_replies_is_waited_for() -> None:
    [row] = rows(samples(size=1))
    write_rows("mine.jsonl", [{"id": row["id"], "response": "I pass"}])
    kept = "mine.jsonl.extractions.jsonl"
    with locked(Path(f".{kept}.lock"), kept, "wait for it"):
        score = ("score", "mine.jsonl", "--samples", "samples.jsonl", "--extractor", "x/m")
        refused(*score, "--base-url", "http://127.0.0.1:9", says=(kept, "another process", "wait"))


def test_conversions_of_one_extractor_are_not_those_of_another() -> None:
    made = rows(samples(size=1))
    solver = Solver("samples.jsonl")
    right = solver.right[made[0]["input"]]
    solver.right[made[0]["input"]] = "in my own words"
    with FakeEndpoint.in_thread(solver) as fake:
        thence("run", "samples.jsonl", "--model", "x/m", "--base-url", fake.url, "-o", "run")
        fake.behave = lambda body, count: Answer(right)
        score = ("score", "run", "--base-url", fake.url, "--json", "--extractor")
        thence(*score, "x/good")
        fake.behave = lambda body, count: Status(400, body="context length exceeded")
        failed = thence(*score, "x/bad", status=1)
        assert failed.json()["groups"]["procbench/sort"]["correct"] == 0
        assert the_line(failed.err) == (
            "thence: --extractor x/bad: 1 reply not converted; the same command tries again"
        )
        assert thence(*score, "x/good").json()["groups"]["procbench/sort"]["correct"] == 1
        assert len(fake.requests) == 3
        every = ("--extractor", "x/bad", "--extract", "all")
        told = thence("score", "run", "--base-url", fake.url, *every, status=1).out
        assert "x/bad converted 0 replies; the scores are the reader's own." in told


def test_documents_are_json_for_any_reader() -> None:
    thence("run", "procbench/sort", "--size", "1", "--model", "baseline/random", "-o", "run")
    text = thence("score", "run", "--json").out

    def forbidden(name: str) -> None:
        raise AssertionError(name)

    json.loads(text, parse_constant=forbidden)
