"""Runs against an endpoint that answers, fails, or does not exist."""

from __future__ import annotations

import json
import socket
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Solver, held, refused, rows, samples, the_line, thence
from tests.fake_endpoint import (
    Answer,
    CutShort,
    FakeEndpoint,
    Fault,
    Garbage,
    HalfJson,
    Hang,
    NotHttp,
    Reset,
    Status,
)
from thence.errors import Transient, Unreachable
from thence.models.base import Reply, Request
from thence.models.hosted import HostedModel

FAULTS = {
    "429": Status(429),
    "429-after": Status(429, {"Retry-After": "0.05"}),
    "429-after-ms": Status(429, {"retry-after-ms": "20"}),
    "429-after-nonsense": Status(429, {"Retry-After": "soon"}),
    "500": Status(500, body={"error": {"message": "overloaded"}}),
    "503": Status(503, body="<html>"),
    "408": Status(408),
    "error-in-200": Status(200, body={"error": {"message": "upstream", "code": 502}}),
    "reset": Reset(),
    "cut-short": CutShort(),
    "garbage": Garbage(),
    "half-json": HalfJson(),
    "no-choices": Status(200, body={"choices": []}),
    "no-text": Answer({"not": "text"}),
    "not-http": NotHttp(),
    "hang": Hang(),
}


def command(fake: FakeEndpoint | str, *more: object, folder: str = "run") -> tuple[object, ...]:
    """A run of the samples in the working folder."""
    url = fake if isinstance(fake, str) else fake.url
    return ("run", "samples.jsonl", "--model", "x/m", "--base-url", url, "-o", folder, *more)


def group(folder: str = "run", status: int = 0) -> dict[str, Any]:
    """What ``score --json`` says of the one task of a run."""
    [found] = thence("score", folder, "--json", status=status).json()["groups"].values()
    assert isinstance(found, dict)
    return found


def test_exact_scores_of_a_model_that_is_right_on_some() -> None:
    samples(size=8)
    solver = Solver("samples.jsonl")
    wrong = solver.nth(1, 4, 5)

    def answer(body: dict[str, Any], count: int) -> Answer:
        right = json.loads(solver.reply(body))
        if solver.prompt(body) in wrong:
            right["final"] += "?"
        return Answer(f"Step by step.\n```json\n{json.dumps(right)}\n```")

    with FakeEndpoint.in_thread(answer) as fake:
        done = thence(*command(fake))
        assert len(fake.requests) == 8
    assert done.err == ""
    assert done.last == "run: run"
    found = group()
    assert (found["n"], found["correct"], found["accuracy"]) == (8, 5, 0.625)
    assert found["fm"] == 0.625
    made = rows("samples.jsonl")
    states = {row["input"]: len(row["target"]["intermediate"]) + 1 for row in made}
    parts = [1 - (prompt in wrong) / states[prompt] for prompt in states]
    assert found["pa"] == pytest.approx(sum(parts) / 8)
    assert found["pml"] == pytest.approx(
        sum(n - (prompt in wrong) for prompt, n in states.items()) / 8
    )
    assert [row["outcome"] for row in rows("run/scores.jsonl")] == [
        "wrong" if row["input"] in wrong else "correct" for row in made
    ]
    assert "0.625 [0.31, 0.86]" in done.out


def test_as_many_requests_at_once_as_there_are_connections() -> None:
    samples(size=24)
    solver = Solver("samples.jsonl")

    def answer(body: dict[str, Any], count: int) -> Answer:
        return Answer(solver.reply(body), delay=0.05)

    with FakeEndpoint.in_thread(answer) as fake:
        thence(*command(fake, "--max-connections", "5"))
        assert fake.peak == 5
        fake.peak = 0
        thence(*command(fake, "--max-connections", "1", folder="one"))
        assert fake.peak == 1


# Failures that pass ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAULTS)
def test_a_failure_that_passes_is_got_over(name: str) -> None:
    samples()
    solver = Solver("samples.jsonl")

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return Answer(solver.reply(body)) if solver.attempt(body) else FAULTS[name]

    with FakeEndpoint.in_thread(answer) as fake:
        timeout = ("--timeout", "0.5") if name == "hang" else ()
        done = thence(*command(fake, "--max-retries", "9", *timeout))
        # On a busy machine an honest answer may take too long as well.
        assert len(fake.requests) >= 8 if timeout else len(fake.requests) == 8
    assert done.err == ""
    assert (group()["n"], group()["accuracy"]) == (4, 1)
    assert [row["error"] for row in rows("run/responses.jsonl")] == [None] * 4


def test_what_an_endpoint_asks_to_wait_is_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float | None] = []

    async def with_retries(call: Any, *, retries: int, **_: Any) -> Any:
        for _ in range(retries):
            try:
                return await call()
            except Transient as error:
                waited.append(error.retry_after)
        return await call()

    monkeypatch.setattr("thence.engine.asking.with_retries", with_retries)
    samples(size=2)
    solver = Solver("samples.jsonl")

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return Answer(solver.reply(body)) if count > 2 else Status(429, {"Retry-After": "7"})

    with FakeEndpoint.in_thread(answer) as fake:
        thence(*command(fake, "--max-retries", "3"))
    assert waited == [7.0, 7.0, 7.0]


# Failures that last ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (Status(500), "server"),
        (Status(429), "rate_limit"),
        (Status(400, body="this model's maximum context length is 5"), "context_length"),
        (Garbage(), "malformed"),
        (Reset(), "connection"),
    ],
    ids=["500", "429", "400-too-long", "garbage", "reset"],
)
def test_a_failure_that_lasts_is_never_a_wrong_answer(fault: Fault, kind: str) -> None:
    samples(size=6)
    solver = Solver("samples.jsonl")
    broken = solver.nth(2, 4)

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return fault if solver.prompt(body) in broken else Answer(solver.reply(body))

    with FakeEndpoint.in_thread(answer) as fake:
        retried = kind != "context_length"
        done = thence(*command(fake, "--max-retries", "1"), status=1)
        assert len(fake.requests) == (8 if retried else 6)
        line = the_line(done.err)
        said = f"thence: unfinished: 2 of 6 have no response (2 {kind}, such as: "
        assert line.startswith(said)
        assert fake.url in line.removeprefix(said)  # what it answered, not a count alone
        assert line.endswith(
            "); the same command tries these again, --accept-errors leaves them out"
        )
        assert "2 provider errors are not in n until" in done.out
        found = group(status=1)
        assert (found["n"], found["correct"], found["accuracy"]) == (4, 4, 1)
        assert found["outcomes"]["provider_error"] == 2
        assert found["outcomes"]["wrong"] == 0
        errors = [row["error"] for row in rows("run/responses.jsonl") if row["error"]]
        assert [error["kind"] for error in errors] == [kind] * 2
        scores = [row for row in rows("run/scores.jsonl") if row["outcome"] == "provider_error"]
        assert [row["values"] for row in scores] == [{}, {}]

        # Accepted, nothing is asked, and the number stands beside n.
        fake.requests.clear()
        done = thence(*command(fake, "--accept-errors"))
        assert done.err == ""
        assert "2 provider errors were accepted and are not in n." in done.out
        assert group()["n"] == 4
        assert fake.requests == []

        # Not accepted any more, they are tried again; and then no more.
        broken.clear()
        done = thence(*command(fake))
        assert done.err == ""
        assert Counter(solver.prompt(request.body) for request in fake.requests) == Counter(
            solver.nth(2, 4)
        )
        assert (group()["n"], group()["accuracy"]) == (6, 1)
        assert group()["outcomes"]["provider_error"] == 0
        before = held(Path())
        assert thence(*command(fake)).out == done.out
        assert len(fake.requests) == 2
        assert held(Path()) == before


def test_accepted_from_the_start() -> None:
    samples()
    solver = Solver("samples.jsonl")
    broken = solver.nth(1)

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return Status(500) if solver.prompt(body) in broken else Answer(solver.reply(body))

    with FakeEndpoint.in_thread(answer) as fake:
        done = thence(*command(fake, "--accept-errors", "--max-retries", "0"))
    assert "1 provider error was accepted and is not in n." in done.out
    *_, summary, place = done.out.splitlines()
    assert summary == (
        "summary: x/m, direct: accuracy procbench 1.000 [0.44, 1.00] of 3; 1 provider error; "
        "36 tokens in, 9 out, cost unknown"
    )
    assert thence("score", "run").out.splitlines()[-1] == summary.partition("; 36 tokens")[0]
    assert place == "run: run"
    assert group()["n"] == 3


def test_score_may_accept_errors_too() -> None:
    samples()
    solver = Solver("samples.jsonl")
    broken = solver.nth(1)

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return Status(500) if solver.prompt(body) in broken else Answer(solver.reply(body))

    with FakeEndpoint.in_thread(answer) as fake:
        thence(*command(fake, "--max-retries", "0"), status=1)
    done = thence("score", "run", status=1)
    assert done.err == "thence: x/m: 1 without a response\n"
    assert "was accepted" in thence("score", "run", "--accept-errors").out


def test_one_sample_that_is_always_refused_keeps_no_other_from_being_tried_again() -> None:
    samples(size=6)
    solver = Solver("samples.jsonl")
    refused_, broken = solver.nth(2), solver.nth(4)

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        if solver.prompt(body) in refused_:
            return Status(400, body={"error": {"message": "against our policy"}})
        return Status(500) if solver.prompt(body) in broken else Answer(solver.reply(body))

    with FakeEndpoint.in_thread(answer) as fake:
        thence(*command(fake, "--max-retries", "0"), status=1)
        broken.clear()
        thence(*command(fake, "--max-retries", "0"), status=1)
        assert group(status=1)["outcomes"]["provider_error"] == 1


@pytest.mark.parametrize(
    ("fault", "places"),
    [
        (Status(400, body="against our policy"), (0, 1, 2)),
        (Garbage(), (0,)),
        (Hang(), (0,)),
        (Status(400, body="maximum context length is 5"), (0, 1, 2)),
        (Status(500), (0, 1, 2)),
        (Reset(), (0, 1)),
    ],
    ids=["refused", "malformed", "timeout", "too-long", "server", "reset"],
)
def test_samples_that_always_fail_keep_no_other_from_being_tried_again(
    fault: Fault, places: tuple[int, ...]
) -> None:
    samples(size=6)
    solver = Solver("samples.jsonl")
    failing, broken = solver.nth(*places), solver.nth(4)

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        if solver.prompt(body) in failing | broken:
            return fault if solver.prompt(body) in failing and sitting == 2 else Status(500)
        return Answer(solver.reply(body))

    once = ("--max-retries", "0", "--timeout", "1.5" if isinstance(fault, Hang) else "60")
    with FakeEndpoint.in_thread(answer) as fake:
        sitting = 1
        thence(*command(fake, *once), status=1)
        sitting = 2
        broken.clear()
        thence(*command(fake, *once), status=1)
        assert group(status=1)["outcomes"]["provider_error"] == len(places)
        failing.clear()
        thence(*command(fake, *once))
    assert group()["accuracy"] == 1


def test_a_failed_epoch_leaves_a_vote_unfinished() -> None:
    samples()
    solver = Solver("samples.jsonl")

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return Status(500) if body["seed"] == 2 else Answer(solver.reply(body))

    votes = ("--epochs", "3", "--seed-model", "0", "--reduce", "majority", "--max-retries", "0")
    with FakeEndpoint.in_thread(answer) as fake:
        done = thence(*command(fake, *votes), status=1)
    assert "unfinished: 4 of 12" in done.err


@pytest.mark.parametrize("status", [401, 402])
def test_a_refusal_of_everything_in_the_middle_stops_the_run(status: int) -> None:
    samples(size=100)
    solver = Solver("samples.jsonl")

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return Answer(solver.reply(body)) if count < 5 else Status(status)

    with FakeEndpoint.in_thread(answer) as fake:
        thence(*command(fake, "--max-connections", "2"), status=1)
        assert len(fake.requests) < 50


# No run at all ---------------------------------------------------------------------------------


def test_nobody_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = []
    complete = HostedModel.complete

    async def counted(self: HostedModel, request: Request) -> Reply:
        attempts.append(request)
        return await complete(self, request)

    monkeypatch.setattr(HostedModel, "complete", counted)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # and nobody listens
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        refused(
            "run", "procbench", "--size", "24", "--model", "x/m", "--base-url", url, "-o", "run",
            says=(url, "cannot be reached", "start the server", "--base-url"),
        )  # fmt: skip
        assert len(attempts) <= 1
        samples()
        thence("run", "samples.jsonl", "--model", "baseline/oracle", "-o", "run")
        says = (url, "cannot be reached")
        refused(*command(url, "--overwrite"), says=says)


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (Status(401, body={"error": {"message": "bad key"}}), ("401", "the key", "bad key")),
        (Status(403), ("403", "the key")),
        (Status(402), ("402", "credit")),
        (Status(404, body={"error": {"message": "no model m"}}), ("404", "unknown", "no model m")),
        (Status(400, body={"message": "bad top_p"}), ("400", "request was refused", "bad top_p")),
        (Status(429, body={"error": {"code": "insufficient_quota"}}), ("429", "credit")),
        (
            Status(308, {"Location": "https://else.where/"}),
            ("308", "redirect", "--base-url", "else"),
        ),
        (Status(401, body="\x1b[31m\x07bell\nline\u202e" + "x" * 999), ("401", "bell line")),
    ],
    ids=["401", "403", "402", "404", "400", "no-quota", "308", "terminal"],
)
def test_an_endpoint_that_will_not_serve_is_asked_once(fault: Fault, says: list[str]) -> None:
    samples(size=24)
    solver = Solver("samples.jsonl")
    with FakeEndpoint.in_thread(lambda body, count: fault) as fake:
        line = refused(*command(fake), says=(fake.url, "--model x/m", *says), changes=True)
        # A bad request may be bad for what is in it alone: a few of them show that all are.
        asked = len(fake.requests)
        assert asked == (3 if "400" in says else 1)
        assert len(line) < 500
        fake.behave = solver
        thence(*command(fake))  # once that is mended, the same command goes on
        assert len(fake.requests) == asked + 24
    assert group()["accuracy"] == 1


def test_an_endpoint_that_is_too_slow_from_the_start_is_named_with_the_limit() -> None:
    samples()
    solver = Solver("samples.jsonl")
    with FakeEndpoint.in_thread(lambda body, count: Hang()) as fake:
        once = ("--timeout", "1", "--max-retries", "0")
        says = (fake.url, "no whole reply", "within 1 s", "--base-url", "a larger --timeout")
        refused(*command(fake, *once), says=says, changes=True)  # as nobody there, or a refusal
        fake.behave = solver
        thence(*command(fake))
    assert group()["accuracy"] == 1


def test_an_endpoint_that_dies_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    async def complete(self: HostedModel, request: Request) -> Reply:
        asked.append(request)
        if len(asked) > 10:
            raise Unreachable("connection", "nobody there")
        return Reply("x")

    samples(size=100)
    with FakeEndpoint.in_thread() as fake:
        with monkeypatch.context() as patched:
            patched.setattr(HostedModel, "complete", complete)
            run = command(fake, "--max-retries", "0", "--max-connections", "4")
            done = thence(*run, status=1)
        assert done.err == (
            "thence: stopped: 20 requests in a row failed: nobody there; the same command goes on\n"
        )
        assert 30 <= len(asked) < 36
        thence(*run)
        assert len(fake.requests) == 90
    assert group()["n"] == 100


def test_a_limit_of_cost_is_kept() -> None:
    samples(size=12)
    solver = Solver("samples.jsonl")

    def answer(body: dict[str, Any], count: int) -> Answer:
        return Answer(solver.reply(body), usage=(1_000_000, 500_000))

    prices = ("--price", "1,2", "--max-connections", "3")  # 2 USD a request
    with FakeEndpoint.in_thread(answer) as fake:
        done = thence(*command(fake, *prices, "--max-cost", "9"), status=1)
        assert done.err == (
            "thence: stopped: --max-cost 9: the next request could pass it; the same command "
            "goes on\n"
        )
        assert len(fake.requests) == 4
        held_ = json.loads(Path("run/run.json").read_text())
        assert held_["cost_usd"] == 8
        assert held_["usage"] == {"input_tokens": 4_000_000, "output_tokens": 2_000_000}
        thence(*command(fake, *prices))
        assert len(fake.requests) == 12
    assert json.loads(Path("run/run.json").read_text())["cost_usd"] == 24


def test_a_limit_of_cost_counts_replies_that_cannot_be_read() -> None:
    samples(size=12)
    solver = Solver("samples.jsonl")
    usage = {"prompt_tokens": 1_000_000, "completion_tokens": 500_000}
    malformed = Status(200, body={"choices": [], "usage": usage})

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        first = solver.attempt(body) == 0
        return malformed if count and first else Answer(solver.reply(body), usage=(0, 0))

    prices = ("--price", "1,2", "--max-connections", "1")  # 2 USD a malformed reply
    with FakeEndpoint.in_thread(answer) as fake:
        limited = command(fake, *prices, "--max-retries", "0", "--max-cost", "5")
        assert "--max-cost 5: the next request could pass it" in thence(*limited, status=1).err
        assert len(fake.requests) == 3
        assert json.loads(Path("run/run.json").read_text())["cost_usd"] == 4
        thence(*limited, status=1)  # what was spent on them is known later, too
        assert len(fake.requests) == 3


def test_a_limit_of_cost_is_not_passed_over_where_no_tokens_are_counted() -> None:
    samples(size=3)
    limit = ("--price", "1,1", "--max-cost", "0.000001")
    with FakeEndpoint.in_thread(lambda body, count: Answer("x", usage=None)) as fake:
        done = thence(*command(fake, *limit), status=1)
        assert len(fake.requests) < 3
    assert "--max-cost" in done.err


# What came back --------------------------------------------------------------------------------


def test_every_reply_has_the_outcome_that_it_deserves() -> None:
    right = '{"intermediate": ["ab"], "final": "abc"}'
    replies = {
        "correct": None,
        "refused": Answer("I cannot help with that.", message={"refusal": "no"}),
        "refused-by-filter": Answer(right, finish_reason="content_filter"),
        "null": Answer(None),
        "empty": Answer(""),
        "prose": Answer("It is sorted now."),
        "cut-off": Answer('{"intermediate": ["a', finish_reason="length"),
        "cut-off-in-thought": Answer("<think> let me see", finish_reason="length"),
        "cut-off-after": Answer(right + " and so", finish_reason="length"),
        "cut-off-undelimited": Answer("intermediate: ab\nfinal: abc", finish_reason="length"),
        "thought-and-wrong": Answer(f"<think>{right}</think> {right}"),
        "unclosed": Answer(f"<think>{right}"),
        "reasoning": Answer(None, message={"reasoning_content": right}),
        "parts": Answer([{"type": "text", "text": right}]),
    }
    expected = {
        "correct": "correct",
        "refused": "refused",
        "refused-by-filter": "refused",
        "null": "no_answer",
        "empty": "no_answer",
        "prose": "no_answer",
        "cut-off": "truncated",
        "cut-off-in-thought": "truncated",
        "cut-off-after": "wrong",
        "cut-off-undelimited": "truncated",
        "thought-and-wrong": "wrong",
        "unclosed": "no_answer",
        "reasoning": "no_answer",
        "parts": "wrong",
    }
    samples(size=len(replies))
    solver = Solver("samples.jsonl")
    made = dict(zip(solver.right, replies.values(), strict=True))

    def answer(body: dict[str, Any], count: int) -> Answer:
        return made[solver.prompt(body)] or Answer(solver.reply(body))

    with FakeEndpoint.in_thread(answer) as fake:
        thence(*command(fake))
    found = {
        name: row["outcome"] for name, row in zip(replies, rows("run/scores.jsonl"), strict=True)
    }
    assert found == expected
    counted = group()["outcomes"]
    assert counted == {outcome: list(expected.values()).count(outcome) for outcome in counted}
    assert group()["n"] == len(replies)
    by_name = {row["id"]: row for row in rows("run/responses.jsonl")}
    names = [row["id"] for row in rows("samples.jsonl")]
    kept = dict(zip(replies, (by_name[name] for name in names), strict=True))
    assert kept["null"]["response"] is None
    assert kept["reasoning"]["reasoning"] == right
    assert kept["unclosed"]["response"] == f"<think>{right}"
    assert kept["cut-off"]["finish_reason"] == "length"
    assert kept["refused-by-filter"]["finish_reason"] == "refusal"


def test_right_answers_after_thought_or_in_a_long_reply_are_right() -> None:
    samples()
    solver = Solver("samples.jsonl")
    wrong = '{"intermediate": [], "final": "?"}'
    words = [
        "<think>" + wrong + "</think>\n{}",
        "no open tag " + wrong + " </think> {}",
        wrong + "\nWait.\n```json\n{}\n```\nDone.",
        "x" * 2_000_000 + "{}",
    ]
    said = {
        prompt: text.replace("{}", right)
        for (prompt, right), text in zip(solver.right.items(), words, strict=True)
    }
    with FakeEndpoint.in_thread(lambda body, count: Answer(said[solver.prompt(body)])) as fake:
        thence(*command(fake))
    assert group()["accuracy"] == 1
    assert {row["response"] for row in rows("run/responses.jsonl")} == set(said.values())


@pytest.mark.parametrize("text", ["\x00", "\ud800", "\u2028\x85", "\x1b[31m", "\U0001f600" * 9])
def test_odd_characters_are_kept_as_they_came(text: str) -> None:
    samples(size=1)
    with FakeEndpoint.in_thread(lambda body, count: Answer(text)) as fake:
        done = thence(*command(fake))
        thence(*command(fake))
        assert len(fake.requests) == 1
    assert "\x1b" not in done.out
    [kept] = rows("run/responses.jsonl")
    assert kept["response"] == text
