"""The keys by which an endpoint may know that a request is a repeat."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.cli.command import Solver, kill, process, rows, samples, thence, until
from tests.fake_endpoint import Answer, FakeEndpoint, Fault, Garbage, Hang, Reset, Status


def command(fake: FakeEndpoint, *more: object, folder: str = "run") -> tuple[object, ...]:
    place = ("--base-url", fake.url, "-o", folder, "--max-connections", 1)
    return ("run", "samples.jsonl", "--model", "x/m", *place, *more)


def keys(fake: FakeEndpoint) -> list[str]:
    """Those of all requests, in order."""
    return [each.headers["idempotency-key"] for each in fake.requests]


def test_each_request_has_a_key_that_tells_nothing() -> None:
    samples(size=2)
    more = ("--epochs", 2, "--protocol", "are_you_sure")
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake, *more))
        thence(*command(fake, *more, folder="other"))
        thence(*command(fake, *more, "--overwrite"))
        found = keys(fake)
    assert len(set(found)) == len(found) == 3 * 8
    assert all(re.fullmatch("[0-9a-f]{32}", key) for key in found)
    assert not {row["key"] for row in rows("run/responses.jsonl")} & set(found)


def test_a_key_stays_after_a_break_and_changes_after_an_answer() -> None:
    samples(size=1)
    solver = Solver("samples.jsonl")
    within = Status(200, body={"error": {"message": "no", "code": 502}})
    faults = (Reset(), Status(429), Status(503), Status(500), Garbage(), within, Status(409))

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return faults[count] if count < len(faults) else Answer(solver.reply(body))

    with FakeEndpoint.in_thread(answer) as fake:
        thence(*command(fake, "--max-retries", 2), status=1)
        [failed] = rows("run/responses.jsonl")
        assert failed["error"]["repeat"] == 0
        thence(*command(fake, "--max-retries", 5))
        found = keys(fake)
    assert len(set(found[:4])) == 1
    assert len(set(found[3:7])) == 4
    assert found[6] == found[7]


def test_a_key_stays_after_a_kill() -> None:
    samples(size=3)
    solver = Solver("samples.jsonl")

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return Hang() if count == 1 else Answer(solver.reply(body))

    with FakeEndpoint.in_thread(answer) as fake:
        with process(*command(fake)) as started:
            until(lambda: len(fake.requests) == 2, started)
            identity = json.loads(Path("run/run.json").read_text())["identity"]
            kill(started)
        thence(*command(fake))
        first, second, again, third = keys(fake)
    assert again == second
    assert len({first, second, third}) == 3
    assert json.loads(Path("run/run.json").read_text())["identity"] == identity
