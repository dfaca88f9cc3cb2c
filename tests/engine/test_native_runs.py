"""Runs by the vendors' own interfaces, from the command to the directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Solver, refused, rows, samples, thence
from tests.fake_endpoint import Answer, FakeEndpoint, Status

SIGNED = {"anthropic": "x-api-key", "gemini": "x-goog-api-key"}


def command(fake: FakeEndpoint, provider: str, *more: object) -> tuple[object, ...]:
    place = ("--base-url", fake.url, "--api", "native", "-o", "run")
    return ("run", "samples.jsonl", "--model", f"{provider}/m", *place, *more)


@pytest.mark.parametrize("provider", ["anthropic", "gemini", "openai"])
def test_a_run_keeps_thinking_apart(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    samples(size=3)
    monkeypatch.setenv(f"{provider.upper()}_API_KEY", "sk-0123456789abcdef")
    solver = Solver("samples.jsonl")

    def answer(body: dict[str, Any], count: int) -> Answer:
        return Answer(solver.reply(body), message={"reasoning_content": "Hm."})

    with FakeEndpoint.in_thread(answer) as fake:
        done = thence(*command(fake, provider, "--reasoning", "low", "--system", "Be brief."))
        headers = fake.requests[0].headers
    assert headers.get(SIGNED.get(provider, "authorization"), "").endswith("0123456789abcdef")
    assert [row["reasoning"] for row in rows("run/responses.jsonl")] == ["Hm."] * 3
    request = json.loads(Path("run/run.json").read_text())["request"]["generation"]
    kept = {name: request[name] for name in ("api", "reasoning", "system")}
    api = "responses" if provider == "openai" else "native"
    assert kept == {"api": api, "reasoning": "low", "system": "Be brief."}
    assert "36 tokens in, 9 out" in done.out


def test_cached_tokens_cost_what_they_cost() -> None:
    samples(size=2)
    solver = Solver("samples.jsonl")

    def answer(body: dict[str, Any], count: int) -> Answer:
        return Answer(solver.reply(body), usage=(1_000_000, 1_000_000))

    def behave(body: dict[str, Any], count: int) -> Status:
        held = answer(body, count).to_json()
        held["usage"]["prompt_tokens_details"] = {"cached_tokens": 500_000}
        held["usage"]["completion_tokens_details"] = {"reasoning_tokens": 250_000}
        return Status(200, body=held)

    with FakeEndpoint.in_thread(behave) as fake:
        run = ("run", "samples.jsonl", "--model", "x/m", "--base-url", fake.url, "-o", "run")
        done = thence(*run, "--price", "2,4,1")
        assert "2,000,000 tokens in (1,000,000 cached)" in done.out
        assert "2,000,000 out (500,000 of thinking), 11.00 USD" in done.out
        assert "14.00" not in thence(*run, "--price", "2,4,1").out  # from the disk as well
    information = json.loads(Path("run/run.json").read_text())
    assert information["usd_per_million_tokens"] == {"input": 2, "output": 4, "cached": 1}
    assert information["cost_usd"] == 11
    thence("score", "run", "--details", "details.jsonl")
    assert [row["cost_usd"] for row in rows("details.jsonl")] == [5.5, 5.5]


def test_a_system_message_may_stand_in_a_file() -> None:
    samples(size=1)
    Path("system.txt").write_text("Be brief.\n")
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        fake.behave = lambda body, count: Answer("x")
        for text in ("@system.txt", "system.txt", "Be brief.\n"):
            run = ("run", "samples.jsonl", "--model", "x/m", "--base-url", fake.url)
            thence(*run, "-o", "run", "--system", text)
        [request] = fake.requests
    assert request.body["messages"][0] == {"role": "system", "content": "Be brief.\n"}
    refused(*run, "--system", "@none.txt", says=("--system @none.txt", "No such file"))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--seed-model", "1"), ("--seed-model 1", "Messages", "leave it out")),
        (("--reasoning", "much"), ("--reasoning much", "none, low, medium, high")),
        (("--auth-command", "false"), ("--auth-command false", "status 1")),
    ],
)
def test_what_would_be_ignored_is_refused(options: tuple[str, ...], says: tuple[str, ...]) -> None:
    samples(size=1)
    with FakeEndpoint.in_thread() as fake:
        refused(*command(fake, "anthropic", *options), says=says)


def test_another_interface_than_the_endpoints_is_said() -> None:
    samples(size=1)
    with FakeEndpoint.in_thread(lambda body, count: Status(200, body={"choices": []})) as fake:
        says = ("does not answer as Anthropic's Messages do", "no message with content")
        refused(*command(fake, "anthropic", "--max-retries", 0), says=says, changes=True)


def test_no_file_of_a_folder_runs_a_command() -> None:
    samples(size=1)
    Path("thence.toml").write_text('[run]\nauth-command = "touch mine"\n')
    with FakeEndpoint.in_thread() as fake:
        refused(*command(fake, "anthropic"), says=("thence.toml: auth-command", "--auth-command"))


@pytest.mark.parametrize(
    ("model", "place", "says"),
    [
        ("azure/d", "AZURE_OPENAI_ENDPOINT", "AZURE_OPENAI_API_KEY is not set"),
        ("vertex/g", "GOOGLE_CLOUD_PROJECT", "VERTEX_API_KEY is not set"),
    ],
)
@pytest.mark.parametrize("more", [(), ("--batch",)])
def test_without_a_key_or_a_token_nothing_is_asked_or_lost(
    model: str, place: str, says: str, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    samples(size=1)
    monkeypatch.setenv(place, "https://mine.openai.azure.com/")
    run = ("run", "samples.jsonl", "--model", model, "-o", "run", *more)
    refused(*run, says=(says, "--auth-command"))
