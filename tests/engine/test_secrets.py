"""Keys are in no file and on no screen, whatever an endpoint does with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Solver, samples, thence
from tests.fake_endpoint import Answer, FakeEndpoint, Fault, Garbage, Status

KEY = "sk-proj-Tell_No-One.0123456789"
BEARER = f"Bearer {KEY}"

ECHOES: Mapping[str, Fault] = {
    "message": Status(500, body={"error": {"message": f"bad header Authorization: {BEARER}"}}),
    "text": Status(503, body=f"<pre>Authorization: {BEARER}</pre>"),
    "detail": Status(429, body={"detail": f"limit of {KEY} reached"}),
    "bad-request": Status(400, body={"error": {"message": f"context length, said {BEARER}"}}),
    "in-200": Status(200, body={"error": {"message": BEARER, "code": 500}}),
    "garbage": Garbage(f"no JSON for {BEARER}".encode()),
    "twice": Status(500, body=f"{KEY}{KEY} " * 9),
    "far": Status(500, body="x" * 190 + KEY),
}


def nowhere(*printed: str) -> None:
    """Asserts that no part of the key is in any file of the working folder, or was printed."""
    texts = [path.read_bytes().decode() for path in Path().rglob("*") if path.is_file()]
    for text in (*texts, *printed):
        assert KEY[8:16] not in text
    assert texts


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.mark.parametrize("name", ECHOES)
def test_an_error_that_repeats_the_key(name: str) -> None:
    samples()
    solver = Solver("samples.jsonl")
    broken = solver.nth(1, 2)

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return ECHOES[name] if solver.prompt(body) in broken else Answer(solver.reply(body))

    with FakeEndpoint.in_thread(answer) as fake:
        arguments = (
            "run", "samples.jsonl", "--model", "openai/m", "--base-url", fake.url,
            "--max-retries", "0", "-o", "run",
        )  # fmt: skip
        done = thence(*arguments, status=1)
        assert {request.headers["authorization"] for request in fake.requests} == {BEARER}
        accepted = thence(*arguments, "--accept-errors")
    scored = thence("score", "run", "--json")
    nowhere(done.out, done.err, accepted.out, accepted.err, scored.out, scored.err)


@pytest.mark.parametrize(
    "fault",
    [
        Status(401, body={"error": {"message": f"Incorrect API key provided: {KEY}."}}),
        Status(404, body=BEARER),
        Status(307, {"Location": f"http://127.0.0.1:9/?key={KEY}"}),
    ],
    ids=["401", "404", "307"],
)
def test_a_refusal_that_repeats_the_key(fault: Fault) -> None:
    samples()
    with FakeEndpoint.in_thread(lambda body, count: fault) as fake:
        run = ("run", "samples.jsonl", "--model", "openai/m", "--base-url", fake.url, "-o", "run")
        done = thence(*run, status=2)
    nowhere(done.out, done.err)


@pytest.mark.parametrize("command", [("list", "models"), ("list", "models", "--json")])
def test_lists_do_not_show_it(command: tuple[str, ...]) -> None:
    samples()
    nowhere(thence(*command).out)


def test_neither_a_good_run_nor_a_dry_one_shows_it() -> None:
    samples()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        run = ("run", "samples.jsonl", "--model", "openai/m", "--base-url", fake.url, "-o", "run")
        dry, done = thence(*run, "--dry-run"), thence(*run)
        extracted = thence("score", "run", "--extractor", "openai/m", "--base-url", fake.url)
    nowhere(dry.out, done.out, done.err, extracted.out)


def test_an_address_with_a_password_enters_no_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    samples()
    for url in (f"http://me:{KEY}@127.0.0.1:9/v1", f"http://127.0.0.1:9/v1?key={KEY}"):
        run: Callable[..., Any] = thence
        done = run("run", "samples.jsonl", "--model", "x/m", "--base-url", url, status=2)
        nowhere(done.out, done.err)
        monkeypatch.setenv("THENCE_BASE_URL", url)
        done = run("run", "samples.jsonl", "--model", "x/m", status=2)
        nowhere(done.out, done.err)
        monkeypatch.delenv("THENCE_BASE_URL")
