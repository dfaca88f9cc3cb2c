"""The view of runs: its answers to the page, over HTTP, and in a real Chromium."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from queue import Queue
from typing import Any
from urllib.parse import urlsplit

import pytest

import thence
from tests.cli.command import refused
from tests.reporting.chromium import chromium
from tests.reporting.runs import HOSTILE, hostile, right
from thence.analysis.summary import overview
from thence.api.viewing import view
from thence.engine.directory import INDEX, RESPONSES, RunDirectory
from thence.engine.index_cache import SampleTables, indexed, is_kept
from thence.engine.run_index import IndexedRun
from thence.engine.scored_run import ScoredRun
from thence.errors import ParameterError, UsageError
from thence.reporting import failure_counts, view_session
from thence.reporting.local_server import Page
from thence.reporting.run_page import write_run_page
from thence.reporting.view_page import Viewer
from thence.reporting.view_session import Session, run_folders

TASKS = ["procbench/sort", "procbench/count", "releval/comparison", "catbench/order"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two runs: all right, asked twice over, and all that a careless page would run."""
    folder = tmp_path_factory.mktemp("runs")
    asked = thence.generate(TASKS, size=12, seed=4)
    by_prompt = {sample.input: (sample, place) for place, sample in enumerate(asked)}

    def model(reply: Any) -> Any:
        return lambda messages: reply(*by_prompt[messages[0]["content"]])

    settings: dict[str, Any] = {"protocol": "are_you_sure"}
    thence.run(asked, model(right), name="good/model", out=folder / "a", **settings)
    thence.run(asked, model(hostile), name="evil/<b>model</b>", out=folder / "b")
    return folder


@pytest.fixture
def runs(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "runs"))


def viewer(*paths: Path) -> Viewer:
    session = Session(paths)
    assert session.read.wait(60)
    return Viewer(session)


def found(view: Viewer, **wanted: Any) -> list[dict[str, Any]]:
    asked = {"runs": [0, 1], "start": 0, "count": 500, **wanted}
    answer = view("rows", asked)
    assert answer["count"] == len(answer["rows"])
    rows: list[dict[str, Any]] = answer["rows"]
    return rows


def test_figures_of_an_index_are_those_of_the_report(runs: Path) -> None:
    for path in (runs / "a", runs / "b"):
        ours, report = indexed(path).results(), ScoredRun(RunDirectory(path)).results
        assert repr(overview(ours)) == repr(overview(report))  # NaN is not equal to itself
        assert ours.failures == report.failures
        assert ours.finished == report.finished


def test_the_view_has_the_exhibits_and_baselines_of_the_report(runs: Path, tmp_path: Path) -> None:
    wrong = '{"intermediate": ["x"], "final": "y"}'
    thence.run(runs / "a" / "samples.jsonl", lambda _: wrong, name="wrong", out=runs / "c")
    paths = [runs / name for name in "abc"]
    for path in paths:
        held, report = indexed(path), ScoredRun(RunDirectory(path))
        ours = failure_counts.of_index(held.index.rows, held.turns)
        theirs = failure_counts.of_rows(report.rows, report.results.turns)
        assert {
            name: each for name, each in theirs.items() if each != failure_counts.FailureCounts()
        } == ours
    made = viewer(runs)("sections", {})
    shown = made["answer"] + "".join(each["html"] for each in made["sections"])
    write_run_page(paths, tmp_path / "page.html")
    whole = (tmp_path / "page.html").read_text(errors="replace")
    for found in (shown, whole):
        assert 'id="confusion-cat-bench"' in found
        assert 'id="first-error"' in found
        assert 'id="procbench-accuracy"' in found
    assert re.findall(r'<article class="exhibit" id="([^"]+)"', shown) == re.findall(
        r'<article class="exhibit" id="([^"]+)"', whole
    )
    assert [each["title"] for each in made["sections"]][-2:] == ["As published", "Method"]
    for name in ("published", "method"):
        ours, theirs = (each.partition(f'<section id="{name}"')[2].partition("</section>")[0]
                        for each in (shown, whole))  # fmt: skip
        assert ours == theirs != ""
    assert "baseline/constant" in made["answer"]
    assert 'class="shortcut"' in made["answer"]


def test_rows_are_filtered_sorted_and_given_by_pages(runs: Path) -> None:
    view = viewer(runs)
    assert view("choices", None)["all"] == 3 * 48
    assert view("choices", None)["runs"] == ["function/good/model", "function/evil/<b>model</b>"]
    assert {row["task"] for row in found(view, task="procbench")} == set(TASKS[:2])
    assert {row["task"] for row in found(view, task="procbench/sort")} == {"procbench/sort"}
    assert {row["o"] for row in found(view, outcome="correct")} == {"correct"}
    lengths = [row["long"] for row in found(view, least=3, most=9, sort="long")]
    assert lengths == sorted(lengths)
    assert set(lengths) <= set(range(3, 10))
    assert len(lengths) > 3
    whole = found(view, runs=[0])
    pages = [view("rows", {"runs": [0], "start": at, "count": 40})["rows"] for at in (0, 40, 80)]
    assert [row["n"] for page in pages for row in page] == [row["n"] for row in whole]
    assert len(whole) == 2 * 48
    shares = view("rows", {"runs": [0, 1], "start": 0, "count": 1})["shares"]
    assert [each["n"] for each in shares] == [48, 48]
    assert shares[0]["right"] == 48


def test_texts_are_found_in_questions_truths_and_replies(runs: Path) -> None:
    view = viewer(runs)
    assert {row["r"] for row in found(view, text="<SCRIPT>WINDOW")} == {1}
    asked = indexed(runs / "a").sample(0)
    assert {row["id"] for row in found(view, text=asked.id)} == {asked.id}
    assert len(found(view, text=asked.input[-40:])) >= 3
    assert found(view, text="no such words") == []


def test_two_runs_are_shown_where_they_differ(runs: Path) -> None:
    view = viewer(runs)
    right_a = {row["id"] for row in found(view, runs=[0], outcome="correct") if row["t"] == 0}
    right_b = {row["id"] for row in found(view, runs=[1], outcome="correct")}
    for how, wanted in (("right", right_a ^ right_b), ("first", right_a - right_b),
                        ("second", right_b - right_a)):  # fmt: skip
        rows = found(view, differ=how, pair=[0, 1])
        assert {row["id"] for row in rows} == wanted
        assert len(rows) == 2 * len(wanted)
    told = view("compare", {"first": 0, "second": 1})
    assert told["title"] == "function/evil/<b>model</b> against function/good/model"
    assert "evil/&lt;b&gt;model" in told["html"]
    assert "<b>model" not in told["html"]
    with pytest.raises(UsageError, match="different runs"):
        view("compare", {"first": 0, "second": 0})


def test_a_reply_comes_with_its_messages_and_the_same_question_of_others(runs: Path) -> None:
    view = viewer(runs)
    row = next(each for each in found(view, runs=[0], task="procbench/sort") if each["t"] == 1)
    given = view(f"reply/0/{row['s']}/0/1", None)
    assert [role for role, _ in given["reply"]["sent"]] == ["user", "assistant", "user"]
    assert given["reply"]["o"] == "correct"
    assert given["sample"]["id"] == row["id"]
    assert len(given["same"]) == 3
    assert view("locate", {"sample": row["id"], "n": row["n"]}) == row
    assert view("locate", {"sample": "none", "n": ""}) is None


def test_a_run_that_is_being_written_goes_on(runs: Path) -> None:
    path = runs / "a" / RESPONSES
    lines = path.read_bytes().splitlines(keepends=True)
    whole = sorted(lines, key=lambda line: (json.loads(line)["id"], json.loads(line)["turn"]))
    lines = whole
    path.write_bytes(b"".join(lines[:31]) + lines[31][:20])
    view = viewer(runs / "a")
    state = view("state", None)
    assert (state["runs"][0]["done"], state["runs"][0]["asked"]) == (15, 48)
    assert len(found(view, runs=[0])) == 31
    assert view("state", None)["version"] == state["version"]
    with path.open("ab") as file:
        file.write(lines[31][20:] + b"".join(lines[32:]))
    later = view("state", None)
    assert later["version"] > state["version"]
    assert later["runs"][0]["done"] == 48
    assert len(found(view, runs=[0])) == 96
    again = viewer(runs / "a")
    assert found(again, runs=[0]) == found(view, runs=[0])
    assert again("sections", {})["sections"] == view("sections", {})["sections"]


def test_an_index_is_kept_and_made_anew_where_the_run_has_changed(runs: Path) -> None:
    path = runs / "b"
    assert not is_kept(path)
    first = indexed(path).index
    assert is_kept(path)
    assert indexed(path).index.rows.equals(first.rows)
    responses = (path / RESPONSES).read_text()
    (path / RESPONSES).write_text(responses.replace("window.pwned = 1", "window.pwned = 8"))
    assert not is_kept(path)
    assert "window.pwned = 8" in "".join(indexed(path).index.rows["_text"])
    for name in ("rows.arrow", "index.json"):
        kept = (path / INDEX / name).read_bytes()
        (path / INDEX / name).write_bytes(kept[: len(kept) // 2])
        assert len(indexed(path).index.rows) == len(first.rows)
    thence.run(path / "samples.jsonl", "baseline/oracle", out=path, overwrite=True)
    assert set(indexed(path).index.rows["correct"]) == {True}


def test_runs_of_one_file_of_samples_share_its_table(runs: Path) -> None:
    shutil.copytree(runs / "b", runs / "c")
    alone = [indexed(path).index.samples for path in (runs / "b", runs / "c")]
    assert alone[0] is not alone[1]
    known: SampleTables = {}
    shared = [indexed(path, known).index.samples for path in (runs / "b", runs / "c")]
    assert shared[0] is shared[1]
    assert shared[0].equals(alone[0])
    (runs / "c" / INDEX / "index.json").unlink()  # as after a change
    assert indexed(runs / "c", known).index.samples is not shared[0]


def test_what_is_no_run_is_refused_in_a_line(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    refused("view", "none", says=["DIR... none: no such folder"])
    refused("view", "empty", says=["DIR... empty: is no run and holds none"])
    refused("view", "runs/a", "runs/a", says=["a run is named twice"])
    refused("view", "runs", "--port", "70000", says=["--port 70000"])
    held = json.loads((runs / "a" / "run.json").read_text())
    for change, said in (
        ({"thence": "99.0.1"}, "written by thence 99.0.1, newer than this one"),
        ({"versions": {"procbench/sort": "99-0"}}, "of version 99-0"),
        ({"versions": {"none/such": "1-0"}}, "unknown here"),
    ):
        (runs / "a" / "run.json").write_text(json.dumps({**held, **change}))
        refused("view", "runs", says=["DIR... runs/a: ", said])
    assert [each.name for each in run_folders([runs])] == ["a", "b"]
    with pytest.raises(ParameterError, match="name at least one"):
        run_folders([])


def test_a_damaged_run_says_so_beside_the_others(runs: Path) -> None:
    with (runs / "a" / RESPONSES).open("a") as file:
        file.write('{"epoch": "x"}\n')
    number = (runs / "a" / RESPONSES).read_text().count("\n")
    state = (view := viewer(runs))("state", None)
    assert [each["state"] for each in state["runs"]] == ["failed", "ready"]
    assert f":{number}: not a response" in state["runs"][0]["problem"]
    assert {row["r"] for row in found(view)} == {1}
    assert "evil/&lt;b&gt;" in view("sections", {})["answer"]


def test_an_error_that_nobody_foresaw_leaves_the_other_runs_to_see(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path, known: SampleTables) -> IndexedRun:
        if path.name == "a":
            raise KeyError("metrics")
        return indexed(path, known)

    monkeypatch.setattr(view_session, "indexed", fail)
    state = viewer(runs)("state", None)
    assert [each["state"] for each in state["runs"]] == ["failed", "ready"]
    assert "KeyError: 'metrics'" in state["runs"][0]["problem"]


def test_requests_that_the_page_does_not_make_are_refused(runs: Path) -> None:
    view = viewer(runs)
    for path in ("x", "reply/0/0", "reply/0/0/0/9", "reply/9/0/0/0", "reply/0/99999/0/0",
                 "reply/-1/0/0/0", "report/", "report/9", "report/a"):  # fmt: skip
        with pytest.raises(LookupError):
            view(path, None)
    for wrong in ({"runs": [9]}, {"runs": 1}, {"runs": [True]}, {"runs": [0], "task": 1},
                  {"runs": [0], "least": "1"}, {"runs": [0], "differ": "right"},
                  {"runs": [0], "start": -1}, {"runs": [0], "pair": [0]}):  # fmt: skip
        with pytest.raises(UsageError):
            view("rows", {"start": 0, "count": 1, **wrong})


def test_the_page_of_the_chosen_runs_is_exported(runs: Path) -> None:
    page = viewer(runs)("report/1", None)
    assert isinstance(page, Page)
    assert "Content-Security-Policy" in page.html
    assert "evil/&lt;b&gt;" in page.html
    assert "good/model" not in page.html


@contextmanager
def viewing(*paths: Path) -> Iterator[str]:
    ready: Queue[str] = Queue()
    thread = threading.Thread(target=lambda: view(paths, ready.put))
    thread.start()
    address = ready.get(timeout=60)
    try:
        yield address
    finally:
        ask(address, "end", {})
        thread.join(60)
        assert not thread.is_alive()


def ask(address: str, path: str, body: Any = None, **headers: str) -> tuple[int, str, str]:
    place = urlsplit(address)
    method, data = ("GET", None) if body is None else ("POST", json.dumps(body))
    with closing(HTTPConnection(place.netloc, timeout=60)) as connection:
        connection.request(method, place.path + path, data, headers)
        reply = connection.getresponse()
        policy = reply.getheader("Content-Security-Policy") or ""
        return reply.status, policy, reply.read().decode()


def test_only_who_has_the_address_is_answered(runs: Path) -> None:
    with viewing(runs) as address:
        status, policy, page = ask(address, "")
        assert status == 200
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert "evil/&lt;b&gt;model" in page
        assert ask(address, "state")[0] == 200
        assert ask(address[:-5] + "/", "state")[0] == 404
        assert ask(address, "state", Host="evil.example")[0] == 404
        assert ask(address, "rows", {}, Origin="http://evil.example")[0] == 403
        assert ask(address, "rows", {"runs": [7], "start": 0, "count": 1})[0] == 409
        port = urlsplit(address).port
        with pytest.raises(ParameterError, match=f"port={port}: .*in use"):
            view([runs], lambda _: None, port=int(port or 0))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as held:
        yield held


@contextmanager
def looking(browser: Any, address: str, width: int = 1280) -> Iterator[Any]:
    """Open the view; it must load nothing from elsewhere and run nothing of a reply."""
    page = browser.new_page(viewport={"width": width, "height": 900})
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    page.on("request", lambda each: None if each.url.startswith((address, "blob:"))
            else faults.append(each.url))  # fmt: skip
    page.goto(address)
    page.wait_for_selector("body[data-worked]", timeout=60_000)
    yield page
    assert page.evaluate("window.pwned") is None
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert faults == []
    page.close()


def test_a_person_looks_at_runs(browser: Any, runs: Path) -> None:
    with viewing(runs) as address, looking(browser, address) as page:
        assert page.inner_text("#count") == "144 of 144"
        page.select_option("#f-task", "procbench")
        page.wait_for_selector("#count:text-is('72 of 144')")
        page.select_option("#f-run", label="function/evil/<b>model</b>")
        page.wait_for_selector("#count:text-is('24 of 144')")
        page.locator(".row").nth(1).click()
        page.wait_for_selector("#detail .verdict")
        page.keyboard.press("j")
        page.wait_for_selector(".row:nth-child(3)[aria-current]")
        name = page.locator(".row").nth(2).get_attribute("title").split()[1].rstrip(",")
        page.wait_for_selector(f"#detail h3:has-text('{name}')")
        texts = page.locator("#detail pre").all_text_contents()
        assert set(texts) & set(HOSTILE)
        page.click("#c-samples")
        page.wait_for_selector("#f-differ option[value=right]:checked", state="attached")
        page.click("#c-go")
        page.wait_for_selector("body[data-compared]")
        assert (
            page.inner_text("#compared h3")
            == "function/evil/<b>model</b> against function/good/model"
        )
        assert page.locator("#compared svg").count() >= 1
        assert page.locator("#answer .matrix tbody tr").count() == 4  # with two baselines
        assert page.locator("#outcomes .panel svg").count() >= 2
        address_of_it = page.url
        with looking(browser, address_of_it.split("#")[0]) as again:
            again.goto(address_of_it)
            again.wait_for_selector("#f-differ option[value=right]:checked", state="attached")


def test_a_run_in_progress_grows_on_the_page(browser: Any, runs: Path) -> None:
    path = runs / "b" / RESPONSES
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:10]))
    with viewing(runs / "b") as address, looking(browser, address, 390) as page:
        assert page.inner_text("#count") == "10 of 10"
        assert "not finished" in page.inner_text("#progress")
        row = page.locator(".row").nth(4)
        name = row.get_attribute("title").split()[1].rstrip(",")
        row.click()
        page.wait_for_selector(f"#detail h3:has-text('{name}')")
        path.write_bytes(b"".join(lines))
        page.wait_for_selector("body[data-rows='48']", timeout=60_000)
        page.wait_for_selector("#count:text-is('48 of 48')")
        assert name in page.inner_text("#detail h3")
        assert page.locator(".row[aria-current]").count() == 1
        assert "not finished" not in page.inner_text("#progress")


def test_replies_to_the_open_question_that_come_later_stand_below_it(
    browser: Any, runs: Path
) -> None:
    path = runs / "b" / RESPONSES
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:10]))
    with viewing(runs) as address, looking(browser, address) as page:
        page.select_option("#f-run", label="function/good/model")
        page.wait_for_selector("#count:text-is('96 of 106')")
        page.locator(".row").last.click()
        page.wait_for_selector("#detail summary:has-text('The same question: 2 replies')")
        path.write_bytes(b"".join(lines))
        page.wait_for_selector(
            "#detail summary:has-text('The same question: 3 replies')", timeout=60_000
        )
        assert page.locator("#detail details.others").count() == 1
