"""Keys are in no file and on no screen, whatever an endpoint does with them."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.cli.command import Solver, samples, thence
from tests.fake_endpoint import Answer, FakeEndpoint, Fault, Garbage, Status
from thence.models.secrets import HIDDEN, Secrets, in_body, in_path

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


BODY_KEY, PATH_KEY = "sk-or-Body_Of.0123456789ab", "PathOf0123456789abcdefAB"


def test_keys_in_the_body_and_in_the_path_enter_no_file() -> None:
    samples()
    solver = Solver("samples.jsonl")
    broken = solver.nth(1, 2)
    seen: list[dict[str, Any]] = []

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        seen.append(body)
        said = f"{body['provider']['api_key']} and http://h/{PATH_KEY}/v1 and {KEY}"
        if solver.prompt(body) in broken:
            return Status(500, body={"error": {"message": said}})
        return Answer(f"{said}\n{solver.reply(body)}", reasoning=quote(said, safe=""))

    with FakeEndpoint.in_thread(answer) as fake:
        url = fake.url.replace("/v1", f"/{PATH_KEY}/v1")
        run = (
            "run", "samples.jsonl", "--model", "openai/m", "--base-url", url, "-v",
            "--extra-body", json.dumps({"provider": {"api_key": BODY_KEY}, "top_k": 3}),
            "--max-retries", "0", "-o", "run",
        )  # fmt: skip
        done = thence(*run, status=1)
        dry = thence(*run, "--dry-run")
        assert thence(*run, "--accept-errors").out  # the same run: the key is no part of it
    assert seen[0]["provider"] == {"api_key": BODY_KEY}
    held = json.loads(Path("run/run.json").read_text())
    body = {"provider": {"api_key": "***"}, "top_k": 3}
    assert held["request"]["generation"]["extra_body"] == body
    assert held["address"].endswith("/***/v1")
    nowhere(done.out, done.err, dry.out)
    texts = [path.read_text() for path in Path().rglob("*") if path.is_file()]
    for text in (*texts, done.out, done.err, dry.out, dry.err):
        assert BODY_KEY[5:15] not in text
        assert PATH_KEY[4:14] not in text


SPELLINGS: Mapping[str, Callable[[str], str]] = {
    "as it is": str,
    "per cent": lambda key: "".join(f"%{ord(mark):02X}" for mark in key),
    "per cent twice": lambda key: quote(quote(key, safe=""), safe=""),
    "some per cent": lambda key: quote(key, safe=""),
    "base64": lambda key: b64encode(key.encode()).decode(),
    "base64 of a pair": lambda key: b64encode(f"u:{key}:x".encode()).decode(),
    "base64 of a header": lambda key: b64encode(f"Bearer {key}".encode()).decode(),
    "base64 for URLs": lambda key: urlsafe_b64encode(f"k={key}".encode()).decode(),
    "hexadecimal": lambda key: key.encode().hex().upper(),
    "JSON": lambda key: key.replace("/", "\\/").replace("+", "\\u002B"),
    "JSON in JSON": lambda key: json.dumps(json.dumps(key.replace("/", "\\/"))),
    "JSON throughout": lambda key: "".join(f"\\u{ord(mark):04x}" for mark in key),
    "HTML": lambda key: "".join(f"&#{ord(mark)};" for mark in key),
    "cut": lambda key: key[:-6] + "...",
    "its end": lambda key: "..." + key[6:],
}
ODD = "sk-A/b+C=d.E_f~0123/456+789"


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("place", ["a:{}:b", "{}", "{}{}", "x{}"])
def test_however_a_key_is_spelled_it_is_hidden(spelling: str, place: str) -> None:
    said = place.replace("{}", SPELLINGS[spelling](ODD))
    secrets = Secrets.of("another-key", ODD)
    shown = secrets.hidden_pieces(said)
    assert HIDDEN in shown
    left = shown.replace(HIDDEN, "")
    assert len(left) <= len(place) + 24, shown
    if "cut" not in spelling and "end" not in spelling:
        assert HIDDEN in (secrets.hidden_in_reply(said) or "")


def test_a_short_key_hides_no_word_of_a_reply() -> None:
    secrets = Secrets.of("EMPTY")
    assert secrets.hidden_in_reply("The set is EMPTY.") == "The set is EMPTY."
    assert secrets.hidden_pieces("key EMPTY refused") == "key *** refused"
    assert "EMPTY" not in repr(secrets)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({"api_key": "abc"}, ["abc"]),
        ({"extra_headers": {"Authorization": "Bearer abc"}}, ["abc"]),
        ({"x": ["sk-0123456789abcdef"]}, ["sk-0123456789abcdef"]),
        ({"password": "p", "client-secret": "s", "Token": "t"}, ["p", "s", "t"]),
        ({"stop": ["</s>"], "eos_token": "</s>", "max_tokens": 5, "model_key_size": "8"}, []),
        ({"provider": {"order": ["accounts/fireworks/models/llama-v3p1-405b-instruct"]}}, []),
    ],
)
def test_keys_of_a_body(body: dict[str, Any], found: list[str]) -> None:
    assert list(in_body(body)) == found


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/v1", []),
        ("/openai/deployments/gpt-4o-mini-2024-07-18/v1", []),
        ("/key=abc/v1", ["abc"]),
        ("/sk-0123456789abcdef/v1", ["sk-0123456789abcdef"]),
        ("/accounts/0123456789abcdef0123456789abcdef/ai", ["0123456789abcdef0123456789abcdef"]),
    ],
)
def test_keys_of_a_path(path: str, found: list[str]) -> None:
    assert list(in_path(path)) == found
