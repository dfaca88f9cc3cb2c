"""What is shown while a run is under way, and before it."""

from __future__ import annotations

import re
import time
from collections import Counter
from typing import Any

import pytest

from tests.cli.command import Solver, samples, thence
from tests.fake_endpoint import Answer, FakeEndpoint, Fault, Status
from thence.engine.run_progress import Prices, Progress
from thence.models.base import Usage
from thence.reporting.progress_display import (
    QUIET,
    VERBOSE,
    duration,
    kinds,
    progress_line,
    show_progress,
)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "0 s"),
        (59.4, "59 s"),
        (60, "1 min"),
        (200, "3 min 20 s"),
        (3000, "50 min"),
        (7500, "2 h 5 min"),
        (864000, "10 days"),
    ],
)
def test_times_read_as_a_person_says_them(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_a_line_says_how_far_a_run_is() -> None:
    done = Progress(total=1000, done=300, reused=100, limit=32, prices=Prices(1, 2))
    done.begun = time.monotonic() - 10
    done.errors = Counter(server=2, timeout=1)
    done.repeated = Counter(rate_limit=7)
    done.add(Usage(1_000_000, 250_000))
    assert re.fullmatch(
        r"300 of 1,000 done \(100 from disk\), 20/s, 35 s left, errors: 2 server, 1 timeout, "
        r"tried again: 7 rate_limit, 1.50 USD, 32 at once",
        progress_line(done),
    )
    assert kinds(Counter()) == ""


def test_elsewhere_than_on_a_terminal_a_line_comes_now_and_then(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with show_progress("x/m", every=0.005) as show:
        show(Progress(total=5, done=2, limit=1))
        until = time.monotonic() + 30
        err = ""
        while "2 of 5 done" not in err and time.monotonic() < until:
            time.sleep(0.01)
            err += capsys.readouterr().err
    assert "thence: 2 of 5 done" in err
    with show_progress("x/m", QUIET, every=0.001) as show:
        show(Progress(total=5))
        time.sleep(0.02)
    with show_progress("x/m") as show:
        show(Progress(total=5))
    assert capsys.readouterr().err == ""


def test_verbose_says_each_kind_of_failure_once(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress("x/m", VERBOSE) as show:
        done = Progress(total=5, limit=1, said={"server": "it broke"})
        for _ in range(3):
            done.repeated["server"] += 1
            show(done)
    err = capsys.readouterr().err
    assert err.count("thence: server: it broke") == 1
    assert "3 attempts repeated (3 server)" in err


def test_a_run_is_summed_up_in_a_line_to_paste() -> None:
    samples(size=8)
    solver = Solver("samples.jsonl")

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return Answer(solver.reply(body)) if solver.attempt(body) else Status(503)

    with FakeEndpoint.in_thread(answer) as fake:
        place = ("--base-url", fake.url, "-o", "run", "--price", "1000,2000")
        run = ("run", "samples.jsonl", "--model", "x/m", *place, "-v")
        dry = thence(*run, "--dry-run").out
        done = thence(*run)
    assert re.search(r": about \d+ s over 16 connections if a reply comes at 50 tokens", dry)
    assert done.out.splitlines()[-2] == (
        "summary: x/m, direct: accuracy procbench 1.000 [0.68, 1.00] of 8; no errors; "
        "96 tokens in, 24 out, 0.14 USD"
    )
    assert done.err.count("thence: server: ") == 1
    assert "8 requests in" in done.err
    measured = thence(*run, "--dry-run", "--epochs", "3").out
    assert re.search(r"16 requests, .* connections, about", measured)


def test_limits_a_minute_lengthen_the_estimate() -> None:
    samples(size=8)
    run = ("run", "samples.jsonl", "--model", "x/m", "--base-url", "http://127.0.0.1:9/v1")
    assert "about 4 min over" in thence(*run, "--dry-run", "--rpm", "2").out
    assert " h " in thence(*run, "--dry-run", "--tpm", "10").out
