"""What is shown while a run is under way, and before it."""

from __future__ import annotations

import os
import re
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Solver, samples, thence, until
from tests.fake_endpoint import Answer, FakeEndpoint, Fault, Status
from thence.core.prices import Prices
from thence.engine.run_progress import Progress
from thence.engine.spending import Spending
from thence.models.base import Usage
from thence.reporting.progress_display import (
    QUIET,
    VERBOSE,
    _Work,
    duration,
    kinds,
    progress_line,
    show_progress,
    show_work,
)
from thence.system.progress import followed, watched


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
    done = Progress(total=1000, done=300, reused=100, limit=32, spending=Spending(Prices(1, 2)))
    done.begun = time.monotonic() - 10
    done.errors = Counter(server=2, timeout=1)
    done.repeated = Counter(rate_limit=7)
    done.spending.add(Usage(1_000_000, 250_000))
    assert re.fullmatch(
        r"300 of 1,000 done \(100 from disk\), 20/s, 35 s left, errors: 2 server, 1 timeout, "
        r"tried again: 7 rate_limit, 1.50 USD, 32 at once",
        progress_line(done),
    )
    assert kinds(Counter()) == ""


def seen(capsys: pytest.CaptureFixture[str], text: str) -> str:
    """What standard error shows, once a text is in it."""
    err = ""

    def shown() -> bool:
        nonlocal err
        err += capsys.readouterr().err
        return text in err

    until(shown)
    return err


def test_elsewhere_than_on_a_terminal_a_line_comes_now_and_then(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with show_progress("x/m", every=0.005) as show:
        show(Progress(total=5, done=2, limit=1))
        assert "thence: x/m: 2 of 5 done" in seen(capsys, "2 of 5 done")
    capsys.readouterr()
    with show_progress("x/m", QUIET, every=0.001) as show:
        show(Progress(total=5))
        time.sleep(0.02)
    with show_progress("x/m") as show:
        show(Progress(total=5))
    assert capsys.readouterr().err == ""


def test_work_says_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with show_work("score", every=0.005):
        assert "thence: score: working for 0 s\n" in seen(capsys, "working")
        for number in followed(range(3), "samples", 3):
            if number == 2:
                assert "thence: score: 2 of 3 samples, 0 s left\n" in seen(capsys, "2 of 3")
        seen(capsys, "thence: score: 3 samples\n")
        for _ in followed("ab", "responses"):
            pass
        seen(capsys, "thence: score: 2 responses\n")
    capsys.readouterr()
    with show_work("score", shown=False, every=0.001):
        time.sleep(0.02)
    with show_work("score"):
        pass
    assert capsys.readouterr().err == ""


def test_who_watches_is_told_of_each_and_who_does_not_has_the_same_items() -> None:
    told: list[tuple[str, int, int | None]] = []
    items = [1, 2]
    assert followed(items, "samples") is items
    with watched(lambda *word: told.append(word)):
        assert list(followed(items, "samples", 2)) == items
    assert followed(items, "samples") is items
    assert told == [("samples", 0, 2), ("samples", 1, 2), ("samples", 2, 2)]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("generate", "procbench/sort", "--size", "8", "-o", "more.jsonl"), ("samples", 8, 8)),
        (("validate", "procbench/sort", "--size", "8"), ("samples", 8, 8)),
        (("score", "run"), ("samples", 8, 8)),
        (("score", "replies.jsonl", "--samples", "samples.jsonl"), ("questions", 8, 8)),
        (("compare", "run", "run"), ("samples", 8, 8)),
        (("report", "run", "-o", "page.html"), ("samples", 8, 8)),
        (("errors", "run", "-o", "errors.csv"), ("samples", 8, 8)),
        (("run", "samples.jsonl", "--model", "baseline/oracle"), ("responses", 0, None)),
    ],
)
def test_commands_say_how_far_they_are(
    words: tuple[str, ...], what: tuple[str, int, int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    samples(size=8)
    thence("run", "samples.jsonl", "--model", "baseline/oracle", "-o", "run")
    Path("replies.jsonl").write_bytes(Path("run/responses.jsonl").read_bytes())
    told = []
    monkeypatch.setattr(_Work, "__call__", lambda self, *word: told.append(word))
    thence(*words)
    assert what in told
    told.clear()
    if words[0] in {"validate", "score", "compare"}:
        thence(*words, "--json")
        assert told == []


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals to open here")
def test_a_bar_is_drawn_on_a_terminal_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thence.reporting.progress_display._SHORT", 0)
    for name in ("NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    main, terminal = os.openpty()
    drawn = ""

    def shows(text: str) -> bool:
        nonlocal drawn
        os.set_blocking(main, False)
        with suppress(BlockingIOError):
            drawn += os.read(main, 65536).decode()
        return text in drawn

    with os.fdopen(terminal, "w") as stream, os.fdopen(main, "rb"):
        monkeypatch.setattr(sys, "stderr", stream)
        with pytest.raises(KeyboardInterrupt), show_work("score"):
            for number in followed(range(3), "samples", 3):
                if number == 1:
                    until(lambda: shows("1 of 3 samples"))
                    raise KeyboardInterrupt
        print("interrupted", file=stream, flush=True)
        until(lambda: shows("interrupted"))
    assert "score" in drawn
    last = drawn.split("\n")[-2]  # nothing of the bar is left on the line, and the cursor is shown
    assert last.endswith("\x1b[2Kinterrupted\r")
    assert drawn.rindex("\x1b[?25h") > drawn.rindex("\x1b[?25l")


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
