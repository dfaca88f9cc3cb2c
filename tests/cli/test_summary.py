"""The overview that ``run`` and ``score`` print: failures, cost, one procedure, width."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import orjson
import pytest

import thence as library
from tests.cli.command import Solver, refused, rows, samples, the_line, thence, write_rows
from tests.fake_endpoint import Answer, FakeEndpoint, Fault, Status

PLACE = "--base-url"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def mixed_run(*more: object, status: int = 1) -> Any:
    """A run in which each kind of failure happens once, of ten questions."""
    samples(size=10)
    solver = Solver("samples.jsonl")
    failures: list[Answer | Fault] = [
        Answer("I cannot", "content_filter"),
        Answer("First, we", "length"),
        Answer(" "),
        Answer("no idea"),
        Status(400, body="maximum context length"),
    ]
    special = dict(zip(list(solver.right)[:5], failures, strict=True))

    def answer(body: dict[str, Any], count: int) -> Answer | Fault:
        return special.get(solver.prompt(body)) or Answer(solver.reply(body))

    with FakeEndpoint.in_thread(answer) as fake:
        run = ("run", "samples.jsonl", "--model", "x/m", PLACE, fake.url, "-o", "run")
        return thence(*run, *more, status=status)


SAID = (
    "1 refused, 1 cut off by the length limit, 1 empty, 1 without a readable answer, "
    "1 provider error"
)


def test_every_kind_of_failure_is_named() -> None:
    done = mixed_run()
    *_, summary, place = done.out.splitlines()
    assert place == "run: run"
    assert f"; {SAID}; " in summary
    assert "no errors" not in done.out
    assert thence("score", "run", status=1).last == summary.partition("; 108 tokens")[0]
    assert library.open_run("run").scores().failures == {
        "refused": 1,
        "truncated": 1,
        "empty": 1,
        "unreadable": 1,
        "provider_error": 1,
        "missing": 0,
    }
    page = thence("report", "run", "-o", "page.html", status=1)
    lines = [line for line in page.err.splitlines() if "Counted as not right" in line]
    assert len(lines) == 1
    assert SAID.rpartition(",")[0] in lines[0]
    shown = Path("page.html").read_text("utf-8")
    assert SAID.rpartition(",")[0] in shown
    assert re.search(r"cost.{0,200}unknown", shown, re.DOTALL)


def test_failures_before_a_vote_are_named() -> None:
    samples(size=2)
    right = Solver("samples.jsonl").right.values()
    write_rows(
        "replies.jsonl",
        (
            {"id": row["id"], "epoch": epoch, "response": "" if epoch == 1 else text}
            for row, text in zip(rows("samples.jsonl"), right, strict=True)
            for epoch in range(3)
        ),
    )
    score = ("score", "replies.jsonl", "--samples", "samples.jsonl", "--reduce", "majority")
    assert thence(*score).last.endswith("accuracy procbench 1.000 [0.34, 1.00] of 2; 2 empty")


def test_kinds_of_failure_may_be_findings() -> None:
    mixed_run("--accept-errors", status=0)
    done = thence("score", "run", "--fail-on", "refused,provider-error", status=1)
    assert the_line(done.err) == "thence: --fail-on: x/m: 1 refused, 1 provider error"
    assert the_line(thence("score", "run", "--fail-on", "any", status=1).err).endswith(SAID)
    assert thence("score", "run", "--fail-on", "missing", "--accept-errors").err == ""
    done = thence("score", "run", "--fail-on", "no_answer", status=1)
    assert the_line(done.err) == "thence: --fail-on: x/m: 1 empty, 1 without a readable answer"
    refused("score", "run", "--fail-on", "lost", says=("--fail-on lost", "refused", "any"))
    done = thence("run", "procbench/sort", "--size", 2, "--model", "baseline/oracle",
                  "-o", "right", "--fail-on", "any")  # fmt: skip
    assert done.err == ""
    assert "; no errors" in done.out


def test_an_unknown_cost_is_unknown() -> None:
    done = mixed_run()
    assert "USD" not in done.out
    assert done.out.splitlines()[-2].endswith("108 tokens in, 27 out, cost unknown")
    told = json.loads(Path("run/run.json").read_bytes())
    assert told["cost_usd"] is told["usd_per_million_tokens"] is None
    dry = ("run", "samples.jsonl", "--model", "x/m", PLACE, "http://127.0.0.1:9/v1", "--dry-run")
    assert "cost unknown without --price" in thence(*dry).out
    assert "about 0.00 USD" in thence(*dry, "--price", "0,0").out


def test_tokens_that_nobody_told_are_unknown() -> None:
    samples(size=2)
    solver = Solver("samples.jsonl")
    with FakeEndpoint.in_thread(lambda body, _: Answer(solver.reply(body), usage=None)) as fake:
        run = ("run", "samples.jsonl", "--model", "x/m", PLACE, fake.url, "-o", "run")
        done = thence(*run, "--price", "1,2")
        assert done.out.splitlines()[-2].endswith("; no errors; tokens unknown, cost unknown")
        assert thence(*run, "--price", "1,2").out == done.out  # from disk
    assert json.loads(Path("run/run.json").read_bytes())["cost_usd"] is None


def test_one_procedure_has_an_interval_over_its_questions() -> None:
    own = f"source={EXAMPLES / 'recipe.yaml'}"
    for name in ("oracle", "random"):
        thence("run", "catbench", "--set", own, "--model", f"baseline/{name}", "-o", name)
    found = thence("score", "oracle", "--json").json()["overall"]["catbench"]
    low, high = found["accuracy_ci"]
    assert (found["accuracy"], high) == (1.0, 1.0)
    assert low > 0.6
    assert "one procedure" in found["intervals"]
    shown = thence("score", "oracle")
    assert "on one procedure; no errors" in shown.last
    assert "hold for it alone" in shown.out
    compared = thence("compare", "random", "oracle", "--json").json()
    # on six pairs of questions they differ: two of all 64 flips are as far apart
    assert compared["overall"]["catbench"]["p"] == pytest.approx(2 / 64, abs=0.01)
    assert compared["overall"]["catbench"]["test"] == "sign flips by pair of questions"
    assert any("hold for it alone" in sentence for sentence in compared["conclusions"])
    done = thence("report", "oracle", "-o", "page.html")
    assert "hold for it alone" in done.err
    assert "hold for it alone" in Path("page.html").read_text("utf-8")


def test_several_procedures_have_intervals_over_procedures() -> None:
    thence("run", "catbench", "--size", 24, "--model", "baseline/oracle", "-o", "run")
    shown = thence("score", "run")
    assert "one procedure" not in shown.out
    assert "intervals" not in thence("score", "run", "--json").json()["overall"]["catbench"]


@pytest.mark.parametrize("width", [60, 80, 200])
def test_tables_fit_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    tasks = ("procbench/s*", "releval/*", "catbench", "fable/recipes/*")
    made = library.generate(list(tasks), size=2)
    texts = ("", "I", "no idea")
    write_rows(
        "replies.jsonl",
        (
            {
                "id": each.id,
                "response": texts[place % 3],
                "finish_reason": ("stop", "refusal", "length")[place % 3],
                "error": {"kind": "server", "message": "x"} if place % 5 == 0 else None,
            }
            for place, each in enumerate(made)
        ),
    )
    made.write("samples.jsonl")
    score = ("score", "replies.jsonl", "--samples", "samples.jsonl", "--accept-errors")
    *tables, summary = thence(*score).out.splitlines()
    table = [line for line in tables if line and not line.endswith(".")]
    assert max(map(len, table)) <= width
    assert len(tables) < 20
    words = " ".join(" ".join(table).split())
    for part in ("refused", "cut off", "no answer", "provider error"):
        assert part.split()[-1] in words, part
    assert ("releval" in words) and summary.startswith("summary: ")
    if width >= 80:
        assert "releval/plan_generation" in words
        assert "…" not in words
    assert len(thence(*score, "--full").out) > 4 * len("\n".join(tables))


def test_every_json_is_strict() -> None:
    for name in ("oracle", "random"):
        thence("run", "catbench", "procbench/s*", "--size", 2, "--protocol", "are_you_sure",
               "--model", f"baseline/{name}", "-o", name)  # fmt: skip
    Path("ratings.csv").write_text(
        "item,model,split,correct,rater,rating\nq0,m,DEP,1,0,5\n", "utf-8"
    )
    given: list[tuple[object, ...]] = [
        ("list",),
        ("list", "models"),
        ("list", "protocols"),
        ("score", "oracle", "random"),
        ("compare", "oracle", "random"),
        ("compare", "oracle", "oracle"),
        ("validate", "procbench/sort", "--size", 2),
        ("analyze", EXAMPLES / "recipe.yaml"),
        ("ratings", "score", "ratings.csv"),
    ]
    for command in given:
        done = thence(*command, "--json")
        assert done.json() == orjson.loads(done.out), command
    for name in ("oracle", "random"):
        orjson.loads(json.dumps(library.open_run(name).scores().to_json(), allow_nan=False))
    sides = [library.open_run(name).scores() for name in ("oracle", "random")]
    json.dumps(library.compare(*sides).to_json(), allow_nan=False)


def test_a_run_without_an_answer_is_a_finding_of_errors() -> None:
    samples(size=2)
    with FakeEndpoint.in_thread(lambda *_: Status(400, body="maximum context length")) as fake:
        thence("run", "samples.jsonl", "--model", "x/m", PLACE, fake.url, "-o", "run", status=1)
    done = thence("errors", "run", status=1)
    assert done.out == ""
    assert the_line(done.err) == "thence: run: no question was answered (2 provider errors)"


def test_an_interrupted_command_that_writes_nothing_keeps_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("thence.engine.directory.RunDirectory.information", interrupted)
    Path("run").mkdir()
    Path("run/run.json").write_text("{}", "utf-8")
    assert the_line(thence("score", "run", status=130).err) == "thence: interrupted"


def test_figures_need_a_folder_and_a_run_its_file() -> None:
    thence("run", "procbench/sort", "--size", 2, "--model", "baseline/random", "-o", "run")
    Path("file").write_text("x", "utf-8")
    report = ("report", "run", "-o", "page.html", "--figures", "file")
    refused(*report, says=("--figures file: is a file",))
    Path("run/run.json").unlink()
    run = ("run", "procbench/sort", "--size", 2, "--model", "baseline/random", "-o", "run")
    refused(*run, says=("-o run: holds responses.jsonl, but no run.json",))


def test_baselines_alone_name_no_flawed_questions() -> None:
    thence("run", "procbench/sort", "--size", 2, "--model", "baseline/random", "-o", "run")
    shown = thence("score", "run", "--full").out
    assert "They may be flawed" not in shown
    assert "PA = 0 for every baseline, of 1 baseline\n" in shown
    assert ". ." not in shown
