"""Headers of the user's own: they are sent, and their values are nowhere else."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import thence
from tests.cli.command import refused
from tests.cli.command import thence as command
from tests.fake_endpoint import Answer, FakeEndpoint, Status
from thence.models.base import Request, Sampling
from thence.models.headers import overlaid, signs
from thence.models.select import Connection, open_model

KEY = "kf83-Zq0x-1177-wert"
ASK = Request(({"role": "user", "content": "Yes or no?"},))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def questions() -> None:
    command("generate", "procbench/sort", "--size", 2, "-o", "s.jsonl")


def test_they_go_with_every_request_of_a_run_and_into_no_file() -> None:
    questions()
    Path("key.txt").write_text(f"Bearer {KEY}\n")
    given = ("--header", "X-Team=evaluation", "--header", "Authorization=@key.txt")
    with FakeEndpoint.in_thread(lambda body, count: Answer(f"Yes {KEY}")) as fake:
        run = ("run", "s.jsonl", "--model", "x/m", "--base-url", fake.url, "-o", "run")
        done = command(*run, *given)
        sent = [each.headers for each in fake.requests]
    assert len(sent) == 2
    assert {(each["x-team"], each["authorization"]) for each in sent} == {
        ("evaluation", f"Bearer {KEY}")
    }
    files = [path for path in Path("run").rglob("*") if path.is_file()]
    assert len(files) >= 3
    assert not any(KEY.encode() in path.read_bytes() for path in files)
    assert KEY not in done.out + done.err


def test_an_error_does_not_show_their_values() -> None:
    questions()
    with FakeEndpoint.in_thread(
        lambda body, count: Status(403, body={"error": {"message": f"no such key {KEY}"}})
    ) as fake:
        run = ("run", "s.jsonl", "--model", "x/m", "--base-url", fake.url, "-o", "run")
        done = command(*run, "--header", f"X-Gate={KEY}", status=2)
    assert "no such key ***" in done.err + done.out
    assert KEY not in done.err + done.out
    assert KEY not in Path("run/responses.jsonl").read_text()


async def test_they_take_the_place_of_ours_of_the_same_name() -> None:
    headers = {"user-agent": "mine", "X-API-KEY": KEY, "anthropic-beta": "more-2026-01-01"}
    async with FakeEndpoint() as fake:
        connection = Connection(fake.url, environment={"ANTHROPIC_API_KEY": "k1"}, headers=headers)
        async with open_model("anthropic/m", Sampling(max_tokens=9, api="native"), connection) as m:
            await m.complete(ASK)
        got = fake.requests[0].headers
    assert {name: got[name.lower()] for name in headers} == headers
    assert got["anthropic-version"]


def test_a_key_among_them_is_key_enough() -> None:
    for headers, enough in [({"Authorization": "Bearer a"}, True), ({"X-Team": "a"}, False)]:
        connection = Connection(environment={}, headers=headers)
        if enough:
            open_model("openai/m", Sampling(), connection)
        else:
            with pytest.raises(thence.ThenceError, match="OPENAI_API_KEY is not set"):
                open_model("openai/m", Sampling(), connection)
    assert signs({"api-key": "a"})


@pytest.mark.parametrize(
    ("headers", "says"),
    [
        ({"X Team": "a"}, "is not the name of a header"),
        ({"": "a"}, "is not the name of a header"),
        ({"content-length": "3"}, "is set by the request itself"),
        ({"X-A": "a", "x-a": "b"}, "is given twice"),
        ({"X-A": "a\r\nX-B: c"}, "printable ASCII"),
        ({"X-A": ""}, "printable ASCII"),
        ({"X-A": 3}, "printable ASCII"),
        ("X-A=3", "must map names"),
    ],
)
def test_what_is_no_header_is_refused_without_its_value(headers: Any, says: str) -> None:
    with pytest.raises(thence.ParameterError, match=says) as caught:
        thence.Limits(headers=headers)
    assert caught.value.name == "headers"
    assert "\n" not in str(caught.value)


def test_limits_show_no_value_and_travel() -> None:
    limits = thence.Limits(headers={"X-Gate": KEY})
    assert KEY not in repr(limits) + repr(limits.connection)
    assert pickle.loads(pickle.dumps(limits)) == limits


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--header", f"X-Gate: {KEY}"), "--header X-Gate: must be NAME=VALUE"),
        (("--header", "X-A=b", "--header", "X-A=c"), "--header X-A: given twice"),
        (("--header", "X-A=@none.txt"), "--header X-A=@none.txt: No such file"),
        (("--header", f"Host={KEY}"), "--header Host: is set by the request itself"),
        (
            ("--header", f"Authorization={KEY}", "--auth-command", "echo t"),
            "--header Authorization: and auth_command both sign; give one",
        ),
    ],
)
def test_the_command_says_what_is_wrong(options: tuple[str, ...], says: str) -> None:
    questions()
    run = ("run", "s.jsonl", "--model", "x/m", "--base-url", "http://127.0.0.1:9/v1")
    line = refused(*run, *options, says=(says,))
    assert KEY not in line


@pytest.mark.parametrize("model", ["baseline/oracle", "nano"])
def test_without_an_endpoint_there_is_nobody_to_read_them(model: str) -> None:
    questions()
    says = f"--header X-A: is for models behind endpoints, and {model} is none"
    refused("run", "s.jsonl", "--model", model, "--header", "X-A=b", says=(says,))


def test_a_reader_of_texts_sends_them_and_its_token() -> None:
    Path("text.txt").write_text("1. Boil water.\n2. Add salt to the water.\n")
    with FakeEndpoint.in_thread(lambda body, count: Answer(json.dumps({"steps": []}))) as fake:
        ask = ("extract", "text.txt", "--model", "x/m", "--base-url", fake.url, "-o", "d", "-q")
        command(*ask, "--header", "X-A=b", "--auth-command", f"echo {KEY}", status=2)
        sent = [each.headers for each in fake.requests]
    assert sent
    assert {(each["x-a"], each["authorization"]) for each in sent} == {("b", f"Bearer {KEY}")}


def test_names_are_the_same_in_any_case() -> None:
    assert overlaid({"A": "1", "B": "2"}, {"a": "3"}) == {"B": "2", "a": "3"}


def test_a_file_of_a_folder_sets_plain_values_alone() -> None:
    questions()
    run = ("run", "s.jsonl", "--model", "x/m")
    Path("secret.txt").write_text(KEY)
    for text in ('{X-A = "@secret.txt"}', '["X-A=@secret.txt"]'):
        Path("thence.toml").write_text(f"[run]\nheader = {text}\n")
        says = ("thence.toml: header: no file of a folder", "--header")
        refused(*run, "--base-url", "http://127.0.0.1:9/v1", says=says)
    for text in ("@secret.txt", "secret.txt"):
        Path("thence.toml").write_text(f'[run]\nsystem = "{text}"\n')
        refused(*run, says=("thence.toml: system: no file of a folder", "--system"))
    Path("thence.toml").write_text('[run]\nsystem = "Be brief."\nheader = {X-A = "b"}\n')
    with FakeEndpoint.in_thread(lambda body, count: Answer("Yes")) as fake:
        done = command(*run, "--base-url", fake.url, "-o", "run")
        assert {each.headers["x-a"] for each in fake.requests} == {"b"}
    assert "sets --header with X-A" in done.err
