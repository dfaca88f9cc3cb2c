"""Runs in batches, against a server that speaks the three vendors' formats."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Never

import pytest

from tests.cli.command import (
    Solver,
    ended,
    kill,
    process,
    refused,
    rows,
    samples,
    thence,
    until,
    write_rows,
)  # fmt: skip
from tests.fake_batches import FakeBatches
from tests.fake_endpoint import (
    Answer,
    CutShort,
    Fault,
    Garbage,
    HalfJson,
    NotHttp,
    Reset,
    Status,
    as_chat,
)  # fmt: skip
from thence.engine import batch_files
from thence.errors import DiskError
from thence.models.openai_batches import OpenAIBatches

VENDORS = {
    "openai": ("--model", "x/m"),
    "responses": ("--model", "x/m", "--api", "responses"),
    "anthropic": ("--model", "anthropic/m", "--api", "native"),
    "gemini": ("--model", "gemini/m", "--api", "native"),
}
KEYS = ("X_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY")
KEY = "sk-No_One.May-Read_This.42"
each_vendor = pytest.mark.parametrize("vendor", list(VENDORS))


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.setenv(name, KEY)


def command(fake: FakeBatches, vendor: str, *more: object) -> tuple[object, ...]:
    place = ("--base-url", fake.url, "-o", "run", "--batch-poll", "0.01")
    return ("run", "samples.jsonl", *VENDORS[vendor], *place, *more)


class Once:
    """The right answer, but not to each request at once."""

    def __init__(self, word: str, every: int = 3) -> None:
        self.solver = Solver("samples.jsonl")
        self.word = word
        self.every = every
        self.count = 0

    def __call__(self, body: dict[str, Any], times: int) -> Answer | str:
        self.count += 1
        if times == 0 and self.count % self.every == 0:
            return self.word
        return Answer(self.solver.reply(body))


def answered() -> Counter[tuple[str, int]]:
    kept = [row for row in rows("run/responses.jsonl") if row["error"] is None]
    return Counter((row["id"], row["turn"]) for row in kept)


@each_vendor
def test_several_turns_and_expired_lines_go_in_rounds(vendor: str) -> None:
    samples(size=8)
    with FakeBatches.in_thread(Once("expired")) as fake:
        run = command(fake, vendor, "--protocol", "are_you_sure")
        done = thence(*run, "--batch", "--price", "1e5,1e5")
        made = len(fake.made)
        # A later run without --batch knows no difference.
        again = thence(*run)
    assert answered() == {(row["id"], turn): 1 for row in rows("samples.jsonl") for turn in (0, 1)}
    assert (made, len(fake.made), fake.requests) == (4, 4, [])
    assert again.out.partition("summary:")[0] == done.out.partition("summary:")[0]
    usages = [row["usage"] for row in rows("run/responses.jsonl") if row["usage"]]
    assert usages == [{"input_tokens": 12, "output_tokens": 3, "batch": True}] * 16
    assert "12.00 USD" in done.out  # 16 of 15 tokens at 0.1 USD each, at half the price
    names = [name for each in fake.made for name, _ in each["rows"]]
    assert all(len(name) <= 64 and name.replace("-", "").isalnum() for name in names)
    for path in Path("run").rglob("*"):
        assert path.is_dir() or KEY[3:15] not in path.read_text()


@each_vendor
def test_what_is_refused_is_not_asked_again_in_this_start(vendor: str) -> None:
    samples(size=3)
    with FakeBatches.in_thread(Once("bad")) as fake:
        done = thence(*command(fake, vendor, "--batch"), status=1)
        assert "unfinished: 1 of 3 have no response (1 bad_request, such as:" in done.err
        assert "too long" in done.err
        assert len(fake.made) == 1
        thence(*command(fake, vendor, "--batch"))
        assert [len(each["rows"]) for each in fake.made] == [3, 1]


@each_vendor
def test_submitted_now_and_read_later(vendor: str) -> None:
    samples(size=4)
    with FakeBatches.in_thread(Once("expired", 99)) as fake:
        run = command(fake, vendor)
        thence(*run, "--batch", "--batch-submit", status=1)
        refused(*run, says=("--batch: run has 1 batch under way", "paid for"))
        thence(*run, "--batch", "--batch-submit", status=1)
        assert len(fake.made) == 1
        thence(*run, "--batch")
    assert (len(fake.made), fake.requests, answered().total()) == (1, [], 4)


@each_vendor
def test_a_kill_between_a_batch_and_its_note_pays_once(vendor: str) -> None:
    samples(size=5)
    with FakeBatches.in_thread(Once("expired", 99)) as fake:
        fake.silent = True
        with process(*command(fake, vendor, "--batch")) as started:
            until(lambda: bool(fake.made), started)
            kill(started)
        fake.silent = False
        if vendor == "anthropic":  # which cannot tell while the batch is under way
            says = ("run/batch/0001.json", "is under way there and may be this one")
            refused(*command(fake, vendor, "--batch"), says=says, changes=True)
            assert len(fake.made) == 1
            fake._answer(fake.made[0])
        with process(*command(fake, vendor, "--batch")) as started:
            ended(started, 0)
    assert (len(fake.made), answered().total(), fake.requests) == (1, 5, [])


@each_vendor
def test_a_kill_before_a_batch_was_made_loses_nothing(
    vendor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples(size=2)
    with FakeBatches.in_thread(Once("expired", 99)) as fake:
        service = {"openai": "openai_batches.OpenAI", "responses": "openai_batches.OpenAI"}
        service |= {"anthropic": "anthropic_batches.Anthropic", "gemini": "gemini_batches.Gemini"}

        async def lost(*_: object) -> str:
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(f"thence.models.{service[vendor]}Batches.create", lost)
            thence(*command(fake, vendor, "--batch"), status=130)
        assert json.loads(Path("run/batch/0001.json").read_text())["state"] == "meant"
        thence(*command(fake, vendor, "--batch"))
    assert (len(fake.made), answered().total()) == (1, 2)


FAULTS: tuple[Fault, ...] = (
    Status(429), Status(500), Status(503, body="<html>"), Status(200, body=""), Reset(),
    CutShort(), CutShort(0.0), Garbage(), HalfJson(), NotHttp(), Status(200, body={"choices": []}),
)  # fmt: skip


@each_vendor
def test_faults_on_the_way_to_a_batch_change_nothing(vendor: str) -> None:
    samples(size=3)
    with FakeBatches.in_thread(Once("expired")) as fake:
        fake.faults = {name: list(FAULTS) for name in ("_look", "_results", "_content")}
        if vendor == "gemini":  # whose results come with the state
            fake.faults["_look"] += [None, *(each for fault in FAULTS for each in (None, fault))]
        thence(*command(fake, vendor, "--batch"))
        assert not fake.faults["_look"]
    assert [len(each["rows"]) for each in fake.made] == [3, 1]
    assert answered() == {(row["id"], 0): 1 for row in rows("samples.jsonl")}


def test_results_that_never_come_end_the_wait() -> None:
    samples(size=2)
    with FakeBatches.in_thread(Once("expired", 99)) as fake:
        fake.faults = {"_content": [Status(200, body="")] * 40}
        done = thence(*command(fake, "openai", "--batch"), status=1)
        assert "holds something else" in done.err
        assert 0 < len(fake.faults["_content"]) < 40
        fake.faults = {}
        thence(*command(fake, "openai", "--batch"))
    assert (len(fake.made), answered().total()) == (1, 2)


@each_vendor
@pytest.mark.parametrize("fault", [Status(500), Reset(), CutShort(), Garbage(), NotHttp()])
def test_a_fault_while_a_batch_is_made_pays_once(vendor: str, fault: Fault) -> None:
    samples(size=2)
    with FakeBatches.in_thread(Once("expired", 99)) as fake:
        fake.faults = {"POST": [fault]}
        says = ("did not say whether it made a batch", "the same command asks it, and goes on")
        refused(*command(fake, vendor, "--batch"), says=says, changes=True)
        thence(*command(fake, vendor, "--batch"))
    assert (len(fake.made), answered().total()) == (1, 2)


def test_who_lists_no_batches_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    samples(size=2)
    with FakeBatches.in_thread(Once("expired", 99)) as fake:
        fake.silent, fake.lists = True, False
        with process(*command(fake, "openai", "--batch")) as started:
            until(lambda: bool(fake.made), started)
            kill(started)
        says = ("whether this batch was made", "lists no batches", "thence batch import")
        refused(*command(fake, "openai", "--batch"), says=says, changes=True)


@each_vendor
@pytest.mark.parametrize("end", ["cancelled", "failed"])
def test_a_batch_that_was_ended_elsewhere_is_said(vendor: str, end: str) -> None:
    if (vendor, end) == ("anthropic", "failed"):
        pytest.skip("its batches never fail as a whole")
    samples(size=2)
    with FakeBatches.in_thread(Once("expired", 99)) as fake:
        fake.end = end
        done = thence(*command(fake, vendor, "--batch"), status=1)
        said = {
            "cancelled": "was cancelled elsewhere; the same command goes on",
            "failed": "token limit",
        }[end]
        assert said in done.err
        fake.end = ""
        thence(*command(fake, vendor, "--batch"))
    assert (len(fake.made), answered().total()) == (2, 2)


def test_no_batch_passes_the_limit_of_cost() -> None:
    samples(size=4)
    with FakeBatches.in_thread(Once("expired", 99)) as fake:
        most = ("--batch", "--price", "0,1e6", "--max-tokens", "10", "--max-cost")
        done = thence(*command(fake, "openai", *most, "11"), status=1)  # 5 USD each, at half
        assert "--max-cost 11: the next batch could pass it" in done.err
        assert [len(each["rows"]) for each in fake.made] == [2]
        thence(*command(fake, "openai", *most, "100"))
    assert answered().total() == 4


@pytest.mark.parametrize("model", ["baseline/random", "vertex/m"])
def test_who_takes_no_batches_is_refused(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    samples(size=1)
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "p")
    monkeypatch.setenv("VERTEX_API_KEY", KEY)
    run = ("run", "samples.jsonl", "--model", model, "--batch", "-o", "run")
    refused(*run, says=(f"--batch: {model} takes no batches",))


def test_a_damaged_note_is_said() -> None:
    samples(size=1)
    with FakeBatches.in_thread(Once("expired", 99)) as fake:
        thence(*command(fake, "openai", "--batch", "--batch-submit"), status=1)
        Path("run/batch/0001.json").write_text('{"token": 1')
        refused(
            *command(fake, "openai", "--batch"),
            says=("run/batch/0001.json: damaged",),
            changes=True,
        )


class TestFiles:
    """Requests in files, which somebody else sends."""

    def exported(self, vendor: str, *more: object) -> list[dict[str, Any]]:
        model = (*VENDORS[vendor], "--base-url", "http://127.0.0.1:9/v1", *more)
        thence("batch", "export", "samples.jsonl", *model, "-o", "run", "--requests", "in.jsonl")
        return rows("in.jsonl")

    def results(self, vendor: str, requests: list[dict[str, Any]]) -> None:
        """What a portal gives back, in reverse."""
        fake, solver = FakeBatches(Once("expired", 99)), Solver("samples.jsonl")
        kind = {"responses": "openai"}.get(vendor, vendor)
        form = {"openai": "chat", "anthropic": "messages", "gemini": "generate"}.get(vendor, vendor)
        found = []
        for row in reversed(requests):
            body = as_chat(form, row.get("body") or row.get("params") or row.get("request"))
            name = row.get("custom_id") or row["key"]
            found.append(getattr(fake, f"_{kind}")(name, Answer(solver.reply(body)), form))
        write_rows("out.jsonl", found)

    @each_vendor
    def test_a_portal_sends_each_turn(self, vendor: str) -> None:
        samples(size=3)
        turns = ("--protocol", "are_you_sure")
        for _ in range(2):
            requests = self.exported(vendor, *turns, "--overwrite")
            assert len(requests) == 3
            says = ("nothing is left to ask that no batch asks",)
            again = (*VENDORS[vendor], "--base-url", "http://127.0.0.1:9/v1", *turns)
            refused(
                "batch", "export", "samples.jsonl", *again, "-o", "run", "--requests", "x.jsonl",
                says=says, changes=True,
            )  # fmt: skip
            self.results(vendor, requests)
            done = thence("batch", "import", "run", "out.jsonl")
            assert done.out == "3 results of out.jsonl taken into run\n"
            refused(
                "batch",
                "import",
                "run",
                "out.jsonl",
                says=("waits for", "another run"),
                changes=True,
            )
        thence("score", "run")
        assert answered().total() == 6

    def test_requests_that_could_not_be_written_are_still_to_be_made(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        samples(size=2)
        model = (*VENDORS["openai"], "--base-url", "http://127.0.0.1:9/v1")
        export = ("batch", "export", "samples.jsonl", *model, "-o", "run", "--requests", "in.jsonl")
        with monkeypatch.context() as patch:

            def full(path: Path) -> Never:
                raise DiskError(f"{path}: No space left on device")

            patch.setattr(batch_files, "replacing", full)
            refused(*export, says=("in.jsonl: No space left",), status=3, changes=True)
        assert len(self.exported("openai", "--overwrite")) == 2

    def test_a_further_file_of_another_export_is_kept(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        samples(size=3)
        monkeypatch.setattr(OpenAIBatches, "most_requests", 1)
        Path("in-3.jsonl").write_text("mine")
        model = (*VENDORS["openai"], "--base-url", "http://127.0.0.1:9/v1")
        export = ("batch", "export", "samples.jsonl", *model, "-o", "run", "--requests", "in.jsonl")
        refused(*export, says=("--requests in-3.jsonl: is there already",), changes=True)
        assert Path("in-3.jsonl").read_text() == "mine"
        assert (len(rows("in.jsonl")), len(rows("in-2.jsonl"))) == (1, 1)
        rest = ("--requests", "rest.jsonl")  # what is in files is not asked for again
        thence("batch", "export", "samples.jsonl", *model, "-o", "run", *rest)
        assert len(rows("rest.jsonl")) == 1

    def test_results_of_another_run_are_refused(self) -> None:
        samples(size=2)
        self.exported("openai")
        for text in ("not JSON\n", "", '{"custom_id": "t0-0"}\n', "[]\n"):
            Path("out.jsonl").write_text(text)
            refused(
                "batch",
                "import",
                "run",
                "out.jsonl",
                says=("out.jsonl: holds no result",),
                changes=True,
            )
        refused("batch", "import", "run", "none.jsonl", says=("none.jsonl: no such file",))
        refused("batch", "import", "none", "out.jsonl", says=("none: no such run",))

    @each_vendor
    def test_requests_are_no_results(self, vendor: str) -> None:
        samples(size=2)
        self.exported(vendor)
        says = ("in.jsonl: holds requests; name the file that their batch gave back",)
        refused("batch", "import", "run", "in.jsonl", says=says, changes=True)
        assert not Path("run/responses.jsonl").exists() or not rows("run/responses.jsonl")

    def test_a_key_is_in_no_file(self) -> None:
        samples(size=1)
        body = json.dumps({"api_key": KEY})
        model = ("--model", "x/m", "--base-url", "http://127.0.0.1:9/v1", "--extra-body", body)
        export = ("batch", "export", "samples.jsonl", *model, "-o", "run", "--requests", "in.jsonl")
        refused(*export, says=("--extra-body: holds a key",))

    def test_a_file_that_cannot_be_written_is_refused_before_anything_is(self) -> None:
        samples(size=2)
        Path("there.jsonl").touch()
        ask = ("batch", "export", "samples.jsonl", "--model", "x/m", "--base-url", "http://x/v1")
        for name, says in (("no/in.jsonl", "in a folder"), ("there.jsonl", "give --overwrite")):
            refused(*ask, "-o", "run", "--requests", name, says=(f"--requests {name}: ", says))
