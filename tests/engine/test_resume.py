"""Whatever stops a run, going on loses nothing and pays for nothing twice."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from tests.cli.command import (
    Solver,
    ended,
    held,
    kill,
    process,
    refused,
    rows,
    samples,
    the_line,
    thence,
    until,
    write_rows,
)
from tests.fake_endpoint import Answer, FakeEndpoint, Fault
from tests.models.tiny_gguf import write_tiny_model
from thence.cli import INTERRUPTED

SIZE, CONNECTIONS = 24, 4


@dataclass(frozen=True)
class Gated(Fault):
    """An answer that is sent once a gate is open."""

    gate: threading.Event
    answer: Answer

    async def respond(self, request: web.Request) -> web.StreamResponse:
        while not self.gate.is_set():  # noqa: ASYNC110 - another thread opens it
            await asyncio.sleep(0.01)
        return web.json_response(self.answer.to_json())


class Halting(Solver):
    """Right three times out of four; answers so many requests, and holds the others back."""

    def __init__(self, path: str, at_once: int) -> None:
        super().__init__(path)
        self.at_once = at_once
        self.gate = threading.Event()

    def __call__(self, body: dict[str, Any], count: int) -> Answer | Fault:
        right = self.reply(body)
        wrong = list(self.right.values()).index(right) % 4 == 0
        answer = Answer("?" if wrong else right)
        return answer if count < self.at_once else Gated(self.gate, answer)


def responses() -> int:
    """How many are on disk."""
    path = Path("run/responses.jsonl")
    return path.read_bytes().count(b"\n") if path.is_file() else 0


def command(fake: FakeEndpoint, *more: object, folder: str = "run") -> tuple[object, ...]:
    place = ("--base-url", fake.url, "-o", folder, "--max-connections", CONNECTIONS)
    return ("run", "samples.jsonl", "--model", "x/m", *place, *more)


def check_whole(turns: int, epochs: int = 1) -> None:
    """Every conversation has one response a turn, and each of its own."""
    kept = rows("run/responses.jsonl")
    places = Counter((row["id"], row["epoch"], row["turn"]) for row in kept)
    names = [row["id"] for row in rows("samples.jsonl")]
    assert places == Counter(
        (name, epoch, turn) for name in names for epoch in range(epochs) for turn in range(turns)
    )
    assert len({row["key"] for row in kept}) == len(kept)


@pytest.mark.parametrize(("protocol", "turns"), [("direct", 1), ("are_you_sure", 2)])
def test_a_run_that_was_killed_goes_on(protocol: str, turns: int) -> None:
    samples(size=SIZE)
    half = SIZE * turns // 2 + 1
    solver = Halting("samples.jsonl", half)
    with FakeEndpoint.in_thread(solver) as fake:
        arguments = command(fake, "--protocol", protocol)
        with process(*arguments) as started:
            until(lambda: responses() == half, started)
            until(lambda: len(fake.requests) == half + CONNECTIONS, started)
            kill(started)
        if turns == 2:  # some conversations stand between their turns
            asked = Counter(row["id"] for row in rows("run/responses.jsonl"))
            assert {*asked.values()} == {1, 2}
        solver.gate.set()
        printed = thence(*arguments)
        assert len(fake.requests) == SIZE * turns + CONNECTIONS
        assert thence(*arguments) == printed
        assert len(fake.requests) == SIZE * turns + CONNECTIONS
        thence(*command(fake, "--protocol", protocol, folder="whole"))
    check_whole(turns)
    assert Path("run/scores.jsonl").read_bytes() == Path("whole/scores.jsonl").read_bytes()
    assert thence("score", "run", "--json") == thence("score", "whole", "--json")
    assert printed.err == ""


def test_a_run_that_was_interrupted_says_so_and_goes_on() -> None:
    samples(size=SIZE)
    solver = Halting("samples.jsonl", SIZE // 2)
    with FakeEndpoint.in_thread(solver) as fake:
        with process(*command(fake)) as started:
            until(lambda: responses() == SIZE // 2, started)
            started.send_signal(signal.SIGINT)
            done = ended(started, INTERRUPTED)
        assert the_line(done.err) == (
            "thence: interrupted; what was written is kept in run: the same command goes on"
        )
        assert done.out == ""
        information = json.loads(Path("run/run.json").read_text())
        assert information["responses"] == responses() == SIZE // 2
        assert information["conversations"] == {"all": SIZE, "done": SIZE // 2}
        unfinished = thence("score", "run", status=1)
        assert f"{SIZE // 2} were not asked yet." in unfinished.out
        assert unfinished.err == f"thence: x/m: {SIZE // 2} without a response\n"
        solver.gate.set()
        thence(*command(fake))
        assert len(fake.requests) <= SIZE + CONNECTIONS
    check_whole(1)


def test_epochs_go_on() -> None:
    samples(size=6)
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        arguments = command(fake, "--epochs", "3")
        thence(*arguments)
        whole = Path("run/scores.jsonl").read_bytes()
        kept = Path("run/responses.jsonl").read_bytes().splitlines(keepends=True)
        Path("run/responses.jsonl").write_bytes(b"".join(kept[3:7] + kept[11:]))
        fake.requests.clear()
        thence(*arguments)
        assert len(fake.requests) == 7
    check_whole(1, epochs=3)
    assert Path("run/scores.jsonl").read_bytes() == whole


def test_epochs_may_be_added_and_left_out() -> None:
    samples(size=3)
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        for epochs, asked, n in ((1, 3, 3), (3, 9, 9), (2, 9, 6), (4, 12, 12)):
            thence(*command(fake, "--epochs", epochs))
            assert len(fake.requests) == asked
            [group] = thence("score", "run", "--json").json()["groups"].values()
            assert group["n"] == n
    check_whole(1, epochs=4)


def test_a_limit_of_cost_counts_what_was_spent_before() -> None:
    samples(size=6)
    solver = Solver("samples.jsonl")

    def answer(body: dict[str, Any], count: int) -> Answer:
        return Answer(solver.reply(body), usage=(1_000_000, 0))

    prices = ("--price", "1,1", "--max-cost")
    with FakeEndpoint.in_thread(answer) as fake:
        for limit, asked in ((2, 2), (2, 2), (3, 3), (9, 6)):
            status = 0 if asked == 6 else 1
            done = thence(*command(fake, *prices, limit), status=status)
            assert len(fake.requests) == asked
            assert ("--max-cost" in done.err) == (status == 1)


def test_a_dry_run_counts_what_is_left() -> None:
    samples(size=6)
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake))
        kept = rows("run/responses.jsonl")
        write_rows("run/responses.jsonl", kept[:4])
        before = held(Path())
        done = thence(*command(fake, "--dry-run"))
        assert done.out.startswith("6 samples, 2 requests, ")
        assert thence(*command(fake, "--dry-run", "--overwrite")).out.startswith(
            "6 samples, 6 requests, "
        )
        assert held(Path()) == before
        assert len(fake.requests) == 6


@pytest.mark.parametrize("cut", [1, 20, 150])
def test_a_torn_last_line_is_mended(cut: int) -> None:
    samples(size=SIZE)
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake))
        whole = Path("run/responses.jsonl").read_bytes()
        scores = Path("run/scores.jsonl").read_bytes()
        Path("run/responses.jsonl").write_bytes(whole[:-cut])
        torn = thence("score", "run", status=1)
        assert torn.err == "thence: x/m: 1 without a response\n"
        assert Path("run/responses.jsonl").read_bytes() == whole[:-cut]
        done = thence(*command(fake))
        if cut == 1:  # nothing but the end of the line
            assert len(fake.requests) == SIZE
            assert done.err == ""
        else:
            assert len(fake.requests) == SIZE + 1
            assert the_line(done.err) == "thence: a torn last line was taken off the responses"
    check_whole(1)
    assert Path("run/scores.jsonl").read_bytes() == scores
    assert Path("run/responses.jsonl").read_bytes().startswith(whole[: whole.rindex(b"{")])


def test_a_file_that_is_all_torn_is_mended() -> None:
    samples()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake))
        Path("run/responses.jsonl").write_bytes(b'{"id": "x", "resp')
        thence(*command(fake))
        assert len(fake.requests) == 8
    check_whole(1)


def test_a_first_turn_without_its_second_is_kept() -> None:
    samples(size=6)
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        arguments = command(fake, "--protocol", "are_you_sure")
        thence(*arguments)
        kept = rows("run/responses.jsonl")
        write_rows("run/responses.jsonl", (row for row in kept if row["turn"] == 0))
        unfinished = thence("score", "run", "--json", status=1).json()
        [group] = unfinished["groups"].values() or [{"n": 0}]
        assert group["n"] == 0
        fake.requests.clear()
        thence(*arguments)
        assert [len(request.body["messages"]) for request in fake.requests] == [3] * 6
    check_whole(2)


def test_a_response_to_another_request_is_not_taken() -> None:
    samples()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake))
        kept = rows("run/responses.jsonl")
        write_rows("run/responses.jsonl", [kept[0] | {"key": "another"}, *kept[1:]])
        thence(*command(fake))
        assert len(fake.requests) == 5
    assert len(rows("run/responses.jsonl")) == 5


def test_what_shapes_no_reply_may_change() -> None:
    samples()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake))
        with FakeEndpoint.in_thread() as other:
            more = (
                "--base-url", other.url, "--max-connections", 1, "--timeout", 5, "--max-retries", 0,
                "--reduce", "majority", "--price", "1,1", "--max-cost", 1, "--accept-errors",
            )  # fmt: skip
            thence(*command(fake, *more))
            assert other.requests == []
        assert len(fake.requests) == 4


def test_a_file_of_samples_may_move() -> None:
    samples()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake))
        Path("samples.jsonl").rename("moved.jsonl")
        thence("run", "moved.jsonl", *command(fake)[2:])
        assert len(fake.requests) == 4


def test_the_default_folder_is_that_of_the_same_request() -> None:
    samples()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        run = ("run", "samples.jsonl", "--model", "x/../m <b>", "--base-url", fake.url)
        first = thence(*run).last
        assert thence(*run, "--max-connections", "2").last == first
        assert len(fake.requests) == 4
        assert thence(*run, "--temperature", "0").last != first
    assert first.startswith("run: runs/x-..-m-b-samples-")
    assert len(list(Path("runs").iterdir())) == 2
    assert Path(first.removeprefix("run: "), "run.json").is_file()


def test_overwrite_begins_anew() -> None:
    samples()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake))
        thence(*command(fake, "--overwrite"))
        assert len(fake.requests) == 8
    check_whole(1)


# Two at once -----------------------------------------------------------------------------------


def test_a_run_is_written_by_one_process() -> None:
    samples(size=SIZE)
    solver = Halting("samples.jsonl", 1)
    with FakeEndpoint.in_thread(solver) as fake:
        with process(*command(fake)) as first:
            until(lambda: len(fake.requests) >= CONNECTIONS, first)
            with process(*command(fake)) as second:
                done = ended(second, 2)
            assert done.out == ""
            line = the_line(done.err)
            for text in ("run: another process is writing", "wait for it", "-o"):
                assert text in line
            done = thence("score", "run", status=1)  # whoever only looks may do so meanwhile
            assert done.err == f"thence: x/m: {SIZE - 1} without a response\n"
            solver.gate.set()
            ended(first, 0)
        assert len(fake.requests) == SIZE
    check_whole(1)


def test_a_refused_process_leaves_the_folder_of_one_that_has_just_begun() -> None:
    pytest.importorskip("xllamacpp")
    samples()
    write_tiny_model(Path("tiny.gguf"))
    arguments = (
        "run",
        "samples.jsonl",
        "--model",
        "gguf/tiny.gguf",
        "--max-tokens",
        4,
        "-o",
        "run",
    )
    with process(*arguments) as first:
        until(Path("run/.lock").exists, first)  # and the model is being loaded
        thence(*arguments, status=2)
        assert Path("run/.lock").exists()
        ended(first, 0)


# What else may be in the way -------------------------------------------------------------------


@pytest.mark.parametrize("name", [".samples.jsonl.4711.part", ".run.json.4711.part"])
def test_a_part_that_a_killed_process_left_is_in_nobodys_way(name: str) -> None:
    samples()
    Path("run").mkdir()
    Path("run", name).write_text('{"id"')
    Path("run/.lock").touch()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake))
    check_whole(1)


def test_a_folder_that_is_empty_or_just_begun_is_taken() -> None:
    samples()
    Path("run").mkdir()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake))
        for name in ("run.json", "samples.jsonl", "responses.jsonl", "scores.jsonl"):
            Path("run", name).unlink()
        thence(*command(fake))
        assert len(fake.requests) == 8
        Path("run/samples.jsonl").unlink()  # killed between the two files
        Path("run/responses.jsonl").unlink()
        thence(*command(fake))
        assert len(fake.requests) == 12
    check_whole(1)


def test_a_full_disk_is_one_line() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    samples()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        thence(*command(fake))
        Path("run/responses.jsonl").unlink()
        Path("run/responses.jsonl").symlink_to("/dev/full")
        says = ("run/responses.jsonl", "the disk is full")
        refused(*command(fake), says=says, status=3, changes=True)
        assert 4 < len(fake.requests) <= 4 + 1 + CONNECTIONS
        Path("run/responses.jsonl").unlink()
        thence(*command(fake))
    check_whole(1)


def test_a_folder_that_may_not_be_written_is_one_line() -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    samples()
    Path("closed").mkdir(0o500)
    before = held(Path())
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        refused(*command(fake, folder="closed/run"), says=("closed/run",), status=3)
        assert fake.requests == []
    assert held(Path()) == before


def test_a_finished_run_needs_no_endpoint_any_more() -> None:
    samples()
    with FakeEndpoint.in_thread(Solver("samples.jsonl")) as fake:
        command = ("run", "samples.jsonl", "--model", "x/m", "--base-url", fake.url, "-o", "run")
        first = thence(*command)
    again = thence(*command)
    assert again.out.partition("summary:")[0] == first.out.partition("summary:")[0]
    assert "cannot be reached" in thence(*command, "--overwrite", status=2).err
    Path("run/responses.jsonl").unlink()
    assert "cannot be reached" in thence(*command, status=2).err


def test_a_line_that_is_no_response_is_named_and_can_be_deleted() -> None:
    command = ("run", "procbench/sort", "--size", "3", "--model", "baseline/oracle", "-o", "run")
    thence(*command)
    file = Path("run/responses.jsonl")
    whole = file.read_text().splitlines(keepends=True)
    file.write_text("".join([whole[0], "garbage\n", *whole[2:]]))
    for tried in (command, ("score", "run")):
        refused(*tried, says=("run/responses.jsonl:2", "not a response", "delete this line"))
    file.write_text("".join([whole[0], *whole[2:]]))
    thence(*command)
    assert len(file.read_text().splitlines()) == 3


def test_an_interrupt_before_anything_is_written_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("thence.engine.session.execute", interrupted)
    command = ("run", "procbench/sort", "--size", "3", "--model", "baseline/oracle", "-o", "run")
    done = thence(*command, status=130)
    says = "thence: interrupted before anything was written: the same command begins anew\n"
    assert done.err == says
    assert not Path("run").exists()
