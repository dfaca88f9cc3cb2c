"""An endpoint that fails in every way, and a run that is killed again and again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cli.command import Solver, ended, kill, process, rows, samples, thence, until
from tests.fake_endpoint import (
    Answer,
    CutShort,
    Drip,
    FakeEndpoint,
    Fault,
    Garbage,
    HalfJson,
    Hang,
    NotHttp,
    Reset,
    Status,
)

KEY = "sk-No_One.May-Read_This.42"
CONNECTIONS = 8
PASSING = (
    Status(429),
    Status(429, {"Retry-After": "0.05"}),
    Status(429, {"Retry-After": "soon"}),
    Status(500),
    Status(500, body={"error": {"message": f"Bearer {KEY}"}}),
    Status(503, body="<html>"),
    Reset(),
    CutShort(),
    Garbage(),
    Garbage(f"no JSON for {KEY}".encode()),
    HalfJson(),
    NotHttp(),
    Status(200, body={"choices": []}),
)


class Wild(Solver):
    """Fails at random before it answers; some answers are null, slow, or ten megabytes long."""

    def __init__(self, path: str, seed: int, *, calm: bool = False) -> None:
        super().__init__(path)
        self.seed = seed
        self.calm = calm
        self.asked: Counter[tuple[str, int]] = Counter()
        self.answered: Counter[tuple[str, int]] = Counter()

    def __call__(self, body: dict[str, Any], count: int) -> Answer | Fault:
        place = self.prompt(body), len(body["messages"])
        self.asked[place] += 1
        chance = Random(f"{self.seed} {place} {self.asked[place]}")
        if not self.calm and self.asked[place] <= 2 and chance.random() < 0.4:
            return Hang() if chance.random() < 0.04 else chance.choice(PASSING)
        self.answered[place] += 1
        number = list(self.right).index(place[0])
        answer = Answer(self.said(number, self.reply(body)), delay=0.01 * chance.random())
        return Drip(answer, pieces=4) if not self.calm and number % 9 == 5 else answer

    def said(self, number: int, right: str) -> str | None:
        """The same whenever it is asked: right, wrong, null, or long."""
        if number % 11 == 3:
            return None
        if number == 7:
            return "x" * 10_000_000 + right
        return "?" if number % 5 == 4 else right


INTERFACES = {
    "chat": ("--model", "x/m"),
    "responses": ("--model", "x/m", "--api", "responses"),
    "messages": ("--model", "anthropic/m", "--api", "native"),
    "generate": ("--model", "gemini/m", "--api", "native"),
}
KEYS = {f"{name}_API_KEY": KEY for name in ("X", "ANTHROPIC", "GEMINI")}


def command(
    fake: FakeEndpoint, folder: str, protocol: str, interface: str = "chat"
) -> tuple[object, ...]:
    place = ("--base-url", fake.url, "-o", folder, "--max-connections", CONNECTIONS)
    patience = ("--timeout", "20", "--first-byte-timeout", "5", "--max-retries", "9")
    model = INTERFACES[interface]
    return ("run", "samples.jsonl", *model, "--protocol", protocol, *place, *patience)


def written() -> int:
    path = Path("run/responses.jsonl")
    return path.read_bytes().count(b"\n") if path.is_file() else 0


def check(
    seed: int, size: int, kills: int, protocol: str, turns: int, interface: str = "chat"
) -> None:
    """Runs to the end through faults and kills, and compares with a run without any."""
    samples(size=size)
    wild, calm = Wild("samples.jsonl", seed), Wild("samples.jsonl", seed, calm=True)
    chance = Random(seed)
    marks = sorted(chance.randrange(1, size * turns) for _ in range(kills))
    with FakeEndpoint.in_thread(wild) as fake:
        for mark in marks:
            with process(*command(fake, "run", protocol, interface), **KEYS) as started:
                until(lambda mark=mark: written() >= mark or started.poll() is not None)
                kill(started)
        with process(*command(fake, "run", protocol, interface), **KEYS) as started:
            done = ended(started, 0)
    with FakeEndpoint.in_thread(calm) as fake:
        whole = thence(*command(fake, "whole", protocol, interface))
    assert Path("run/scores.jsonl").read_bytes() == Path("whole/scores.jsonl").read_bytes()
    tables = [each.out.partition("More:")[0].partition("next:")[0] for each in (done, whole)]
    assert tables[0] == tables[1]

    # Exactly one answer a sample and turn, and each of its own.
    kept = [row for row in rows("run/responses.jsonl") if row["error"] is None]
    places = Counter((row["id"], row["turn"]) for row in kept)
    names = [row["id"] for row in rows("samples.jsonl")]
    assert places == Counter((name, turn) for name in names for turn in range(turns))
    # What was answered twice was in flight when the run was killed.
    assert all(wild.answered.values())
    assert wild.answered.total() - size * turns <= kills * CONNECTIONS
    # Nobody reads the key.
    for text in (done.out, done.err, *(path.read_text() for path in Path("run").iterdir())):
        assert KEY[3:15] not in text


def test_faults_and_a_kill_change_no_score() -> None:
    check(seed=1, size=24, kills=1, protocol="direct", turns=1)


def test_a_kill_between_two_turns_changes_no_score() -> None:
    check(seed=2, size=12, kills=1, protocol="are_you_sure", turns=2)


@pytest.mark.parametrize("interface", ["responses", "messages", "generate"])
def test_faults_and_a_kill_change_no_score_by_any_interface(interface: str) -> None:
    check(seed=4, size=12, kills=1, protocol="are_you_sure", turns=2, interface=interface)


@pytest.mark.parametrize("interface", list(INTERFACES))
def test_a_reply_that_is_cut_anywhere_is_asked_for_again(
    interface: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples(size=1)
    monkeypatch.setattr("thence.models.retry.CEILING", 0.0)
    solver, cuts = Solver("samples.jsonl"), [place / 40 for place in range(40)]

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return CutShort(cuts[count]) if count < len(cuts) else solver(body, count)

    with FakeEndpoint.in_thread(answer) as fake:
        again = ("--max-retries", len(cuts))
        thence(*command(fake, "run", "direct", interface), *again)
        assert len(fake.requests) == len(cuts) + 1
    [kept] = rows("run/responses.jsonl")
    assert (kept["error"], kept["response"]) == (None, *solver.right.values())


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3, 11))
@pytest.mark.parametrize(("protocol", "turns"), [("direct", 1), ("are_you_sure", 2)])
def test_many_kills_change_no_score(seed: int, protocol: str, turns: int) -> None:
    interface = list(INTERFACES)[seed % len(INTERFACES)]
    check(seed, size=120, kills=4, protocol=protocol, turns=turns, interface=interface)


# An endpoint that allows only so much -------------------------------------------------------------


def test_an_endpoint_that_bears_only_a_few_at_once_is_not_overrun() -> None:
    samples(size=200)
    solver, under_way, turned_away = Solver("samples.jsonl"), [0], [0]

    class Bearing(Fault):
        """An answer, while no more than four are being made."""

        def __init__(self, answer: Answer) -> None:
            self.answer = answer

        async def respond(self, request: Any) -> Any:
            if under_way[0] >= 4:
                turned_away[0] += 1
                return await Status(429, {"Retry-After": "1000000"}).respond(request)
            under_way[0] += 1
            try:
                return await Drip(self.answer, pieces=2, pause=0.01).respond(request)
            finally:
                under_way[0] -= 1

    def answer(body: dict[str, Any], count: int) -> Fault:
        return Bearing(Answer(solver.reply(body)))

    with FakeEndpoint.in_thread(answer) as fake, pytest.MonkeyPatch.context() as patch:
        patch.setattr("thence.models.retry.CEILING", 0.2)
        thence(*command(fake, "run", "direct"), "--max-connections", 32)
    [group] = thence("score", "run", "--json").json()["groups"].values()
    assert (group["n"], group["accuracy"]) == (200, 1)
    assert turned_away[0] < 200
