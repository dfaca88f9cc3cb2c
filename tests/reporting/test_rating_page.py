"""People who judge items and answer questions: over HTTP, and in a real Chromium."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from queue import Queue
from typing import Any

import polars
import pytest

import thence
from tests.cli.command import held, kill, process, refused
from tests.cli.command import thence as command
from tests.reporting.chromium import chromium, serious
from tests.reporting.runs import HOSTILE
from tests.reporting.test_review import ask
from thence.api.extract import extract
from thence.api.ratings import export_ratings, rating_study
from thence.core import sheets
from thence.core.sample import Sample
from thence.engine.person_run import People, choices_of
from thence.engine.rating_study import FILE, JudgedItem, Questionnaire, RatingStudy
from thence.errors import ParameterError, UsageError
from thence.generation.sources import FromFiles
from thence.reporting.local_server import serve
from thence.reporting.rating_page import Judging, handler_of


@contextmanager
def served(judging: Judging, statement: str = "Is it so?") -> Iterator[str]:
    """The address of a page about a study, which is served meanwhile."""
    ready: Queue[str] = Queue()
    loop = asyncio.new_event_loop()
    work = loop.create_task(serve(handler_of(judging, "Title", statement), ready.put, ends=False))

    def whole() -> None:
        with closing(loop):
            loop.run_until_complete(asyncio.wait([work]))

    thread = threading.Thread(target=whole)
    thread.start()
    try:
        yield ready.get(timeout=60)
    finally:
        loop.call_soon_threadsafe(work.cancel)
        thread.join(60)
    assert not thread.is_alive()


def say(address: str, path: str, **body: Any) -> dict[str, Any]:
    status, _, text = ask(address, path, body)
    assert status == 200, text
    found: dict[str, Any] = json.loads(text)
    return found


def explain(messages: Any) -> str:
    return json.dumps({"binary_answer": "yes", "why_answer": "of course"})


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two runs with explanations, in one folder."""
    monkeypatch.chdir(tmp_path)
    asked = thence.generate("catbench", size=12)
    for name in ("secret-a", "secret-b"):
        thence.run(
            asked, explain, name=name, protocol="answer_then_explain", out=Path("runs") / name
        )
    return tmp_path / "runs"


def everything(study: RatingStudy, rater: str, value: Callable[[int], str]) -> list[list[str]]:
    """Judges all items; returns what was shown."""
    shown, item = [], study.show(rater, 0)
    for place in range(item["count"]):
        assert item["place"] == place
        shown.append([part["text"] for part in item["parts"]])
        item = study.judge(rater, place, value(place), seconds=1.5)
    assert item["done"] == item["count"]
    return shown


# Studies -----------------------------------------------------------------------------------------


def test_two_raters_see_the_same_items_in_orders_of_their_own_and_no_model(runs: Path) -> None:
    study = rating_study(runs)
    ann, bo = (everything(study, name, lambda place: "4") for name in ("ann", "bo"))
    assert sorted(ann) == sorted(bo)
    assert ann != bo
    assert everything(rating_study(runs), "ann", lambda place: "4") == ann
    told = json.dumps(study.show("ann", 0))
    assert "secret" not in told
    pages = [text[0] for text in ann]  # items about one recipe come together
    assert sum(one != other for one, other in pairwise(pages)) <= len(pages) / 2


def test_what_is_exported_is_scored_by_the_command_as_a_filled_in_sheet(runs: Path) -> None:
    study = rating_study(runs, items=8)
    with pytest.raises(ParameterError, match="nobody has judged"):
        export_ratings(study, "ratings.csv")
    count = len(everything(study, "ann", lambda place: "5"))
    everything(study, "bo", lambda place: "5" if place % 3 else "2")
    assert export_ratings(study, "ratings.csv") == 2 * count
    found = command("ratings", "score", "ratings.csv", "--json").json()
    assert found["overall"]["items"] == count
    assert sorted(name.rpartition("/")[2] for name in found["models"]) == ["secret-a", "secret-b"]
    (pair,) = found["pairs"]
    assert (sorted(pair["raters"]), pair["items"]) == (["ann", "bo"], count)
    done = command("ratings", "status", "runs")
    assert f"ann: {count} of {count} explanations judged" in done.out
    assert "kappa" in done.out
    assert command("ratings", "export", "runs", "-o", "again.csv").out.startswith(f"{2 * count}")
    assert Path("again.csv").read_bytes() == Path("ratings.csv").read_bytes()


def test_a_study_is_begun_once_by_two_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / FILE
    both = threading.Barrier(2, timeout=60)

    def begin(seed: int) -> object:
        asked = Questionnaire("likert", "Title", "Is it so?", (), "value")

        def items() -> list[JudgedItem]:
            both.wait()
            return [JudgedItem("page", [])]

        return RatingStudy(path, asked).begin({"seed": seed}, items)

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(begin, (1, 2))
    assert one == other


def test_an_answer_is_taken_back_and_the_one_before_counts_again(runs: Path) -> None:
    study = rating_study(runs)
    study.judge("ann", 0, "1")
    study.judge("ann", 0, "2", note="better so")
    study.judge("ann", 1, "3")
    study.judge("bo", 0, "5")
    shown = study.undo("ann")
    assert (shown["place"], shown["value"], shown["done"]) == (1, None, 1)
    assert (study.undo("ann")["value"], study.progress()["ann"][0]) == ("1", 1)
    assert study.undo("ann")["done"] == 0
    with pytest.raises(UsageError, match="no answer to take back"):
        study.undo("ann")
    assert study.progress() == {"bo": (1, study.show("ann")["count"])}


def test_a_study_goes_on_as_it_was_begun(runs: Path) -> None:
    rating_study(runs, items=8, seed=3)
    assert rating_study(runs).settings == {"items": 8, "seed": 3}
    for given in ({"items": 9}, {"seed": 0}):
        with pytest.raises(ParameterError, match="was begun with"):
            rating_study(runs, **given)
    rating_study(runs, what="errors")
    with pytest.raises(ParameterError, match="studies of errors and explanations"):
        rating_study(runs)


def test_the_draw_is_of_all_items_and_no_more_than_are_wanted(runs: Path) -> None:
    whole = rating_study(runs / "secret-a", what="errors").show("ann")["count"]
    seen = set()
    for seed in range(8):
        (runs / "secret-a" / FILE).unlink()
        study = rating_study(runs / "secret-a", what="errors", items=2, seed=seed)
        assert study.show("ann")["count"] == 2 < whole
        seen |= {str(study.show("ann", place)["parts"]) for place in range(2)}
    assert len(seen) == whole


def test_a_kill_loses_no_answer(runs: Path) -> None:
    with process("ratings", "serve", "runs", "--no-browser") as started:
        assert started.stdout is not None
        line = started.stdout.readline()
        assert line.startswith("ratings: http://127.0.0.1:")
        address = line.split()[1]
        first = say(address, "show", rater="ann")
        said = say(address, "judge", rater="ann", place=0, value="4", note="so", seconds=2)
        assert (said["place"], said["done"]) == (1, 1)
        kill(started)
    again = rating_study(runs).show("ann", 0)
    assert (again["value"], again["note"], again["parts"]) == ("4", "so", first["parts"])


def test_many_answers_at_once_are_all_kept(runs: Path) -> None:
    study = rating_study(runs)
    names = [f"rater {number}" for number in range(4)]
    threads = [
        threading.Thread(target=everything, args=(study, name, lambda place: "3")) for name in names
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    count = study.show("x")["count"]
    assert study.progress() == dict.fromkeys(study.progress(), (count, count))
    assert set(study.progress()) == set(names)


def test_kinds_of_errors_are_tabulated_and_disputes_said(runs: Path) -> None:
    study = rating_study(runs, what="errors")
    for name in ("ann", "bo"):
        everything(study, name, lambda place: "no error" if place == 0 else "effect")
    export_ratings(study, "errors.csv")
    shown = command("errors", "errors.csv").out
    assert "no error" in shown
    assert "effect" in shown


def test_accepted_corrections_feed_a_second_column_and_never_the_first(runs: Path) -> None:
    run = runs / "secret-a"
    before = command("score", run, "--json").json()["overall"]["catbench"]
    study = rating_study(run, what="errors")
    count = len(everything(study, "ann", lambda place: "no error" if place < 3 else "other"))
    by_ann = [study.show("ann", place)["parts"] for place in range(2)]
    for place in range(count):
        agreed = study.show("bo", place)["parts"] in by_ann
        study.judge("bo", place, "no error" if agreed else "effect")
    export_ratings(study, "errors.csv")
    scores = (run / "scores.jsonl").read_bytes()
    after = command("score", run, "--corrections", "errors.csv", "--json").json()
    found = after["overall"]["catbench"]
    assert all(found[name] == value for name, value in before.items() if name != "by")
    assert found["corrected"] == pytest.approx((before["correct"] + 2) / before["n"])
    assert (run / "scores.jsonl").read_bytes() == scores
    shown = command("score", run, "--corrections", "errors.csv")
    assert "corrected: the same with 2 answers counted as right" in shown.out
    assert shown.out.count("corrected") == 2
    command("report", run, "-o", "page.html", "--corrections", "errors.csv")
    page = Path("page.html").read_text()
    first = page[page.index('class="matrix') : page.index("</table>")]
    assert f"{100 * before['correct'] / before['n']:.1f}" in first
    assert f"{100 * found['corrected']:.1f}" in first[: first.index(" corrected</span>")]
    assert "the same with 2 answers counted as right" in page
    thence.report(run, "api.html", corrections="errors.csv")
    assert Path("api.html").read_text() == page
    held = thence.open_run(run).scores(corrections=["errors.csv"])
    (row,) = held.summary().to_dicts()
    assert (row["accuracy"], row["corrected"]) == (found["accuracy"], found["corrected"])
    with pytest.raises(thence.ParameterError, match=r"^corrections: is about single answers"):
        thence.open_run(run).scores(corrections="errors.csv", reduce="majority")
    with pytest.raises(thence.ParameterError, match=r"^reduce=median: must be mean or majority"):
        thence.open_run(run).scores(corrections="errors.csv", reduce="median")
    with pytest.raises(thence.ParameterError, match=r"^on=ray: scores without corrections"):
        thence.open_run(run).scores(corrections="errors.csv", on="ray")
    command("report", run, "--site", "site", "--corrections", "errors.csv")
    for path in ("index.html", "models/function-secret-a.html", "tasks/catbench-order.html"):
        assert " corrected</span>" in (Path("site") / path).read_text()
    assert "the same with 2 answers counted as right" in Path("site/index.html").read_text()
    figures = polars.read_parquet("site/data/figures.parquet")
    assert figures["corrected"][0] == pytest.approx(found["corrected"])
    other = command("score", runs / "secret-b", "--corrections", "errors.csv").out
    assert "the same with 0 answers" in other
    shutil.copytree(run, "empty")  # a run of the same model
    Path("empty/responses.jsonl").write_text("")
    both = command("score", run, "empty", "--corrections", "errors.csv", status=1).out
    assert "the same with 2 answers" in both
    assert "the same with 0 answers" in both
    command("report", run, "empty", "-o", "both.html", "--corrections", "errors.csv", status=1)
    assert "the same with 0 answers" in Path("both.html").read_text()
    refused(
        "score", run, "--corrections", "errors.csv", "--reduce", "majority",
        says=["--corrections: is about single answers", "score it with --reduce mean"],
    )  # fmt: skip
    Path("other.csv").write_text("a,b\n1,2\n")
    refused("score", run, "--corrections", "other.csv", says=["other.csv: has no column 'task'"])


def test_steps_of_extracted_procedures_are_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("onions.md").write_text("Onions\n\n1. Chop the onions.\n2. Fry them in oil.\n")
    extract("onions.md", "rules", out="out")
    study = rating_study("out")
    text, step, *entries = study.show("ann", 0)["parts"]
    start, end = text["span"]
    assert text["text"][start:end].startswith(step["text"].rstrip("."))
    assert [each["label"] for each in entries] == ["uses", "defines", "kills", "after"]
    everything(study, "ann", lambda place: "4")
    export_ratings(study, "ratings.csv")
    found = command("ratings", "score", "ratings.csv", "--json").json()
    assert (found["overall"]["items"], found["overall"]["avg"]) == (2, 4.0)


# Questions ---------------------------------------------------------------------------------------


@pytest.fixture
def questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Sample]:
    monkeypatch.chdir(tmp_path)
    asked = thence.generate(["catbench", "procbench/sort"], size=4)
    asked.write("samples.jsonl")
    return list(asked)


def test_people_who_answer_questions_are_models_as_any_other(questions: list[Sample]) -> None:
    by_prompt = {sample.input: sample for sample in questions}
    people = People(FromFiles([Path("samples.jsonl")]), Path("people"))
    orders = []
    for given in ("Ann  Lee", "bo"):
        name = people.rater(given)
        shown, order = people.show(name, 0), []
        for place in range(len(questions)):
            sample = by_prompt[shown["parts"][0]["text"]]
            order.append(sample.id)
            right = thence.answer(sample)
            choices = [each["value"] for each in shown["choices"]]
            assert right in choices or not choices
            shown = people.judge(name, place, right, seconds=2.0)
        orders.append(order)
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] != orders[1]
    run = thence.open_run("people/ann-lee")
    assert (run.model, run.missing) == ("human/ann-lee", 0)
    assert {row["latency"] for row in run.responses()} == {2.0}
    assert run.scores().frame["correct"].to_list() == [True] * len(questions)
    assert run.information["conversations"] == {"all": 8, "done": 8}
    thence.run("samples.jsonl", "baseline/random", out="random")
    compared = command("compare", "people/bo", "random", "--json").json()
    assert "human/bo" in json.dumps(compared)
    command("report", "people/bo", "people/ann-lee", "-o", "page.html")
    page = Path("page.html").read_text()
    assert "human/ann-lee" in page
    assert "unknown" not in re.findall(r"<td>(\w+)</td>", page)  # people have no price


def test_answers_of_people_are_corrected_resumed_and_doubted_once(questions: list[Sample]) -> None:
    people = People(FromFiles([Path("samples.jsonl")]), Path("people"))
    name = people.rater("ann")
    shown = [people.show(name, place) for place in range(len(questions))]
    free = next(each["place"] for each in shown if not each["choices"])
    doubted = people.judge(name, free, "I do not know", seconds=3)
    assert "No answer can be read" in doubted["told"]
    assert people.runs[name].done == 0
    people.judge(name, free, "I do not know", seconds=1)
    assert people.undo(name)["place"] == free
    sample = {each.input: each for each in questions}[shown[free]["parts"][0]["text"]]
    people.judge(name, free, thence.answer(sample), seconds=2.5)
    with pytest.raises(UsageError, match="write an answer"):
        people.judge(name, free, "  ")
    with Path("people/ann/responses.jsonl").open("a") as file:
        file.write('{"id": "torn')  # as a kill may leave it
    again = People(FromFiles([Path("samples.jsonl")]), Path("people"))
    assert again.rater(" ANN ") == name
    assert again.show(name, free)["value"] == thence.answer(sample)
    assert again.show(name)["place"] != free
    (row,) = thence.open_run("people/ann").responses()
    assert row["latency"] == 3.5
    assert "torn" not in Path("people/ann/responses.jsonl").read_text()
    checked = command("check-submission", "people/ann", "--json", status=1).json()["faults"]
    assert (checked["replies"], checked["messages"]) == ([], [])


def test_questions_with_few_answers_have_buttons(questions: list[Sample]) -> None:
    found = {sample.task: dict(choices_of(sample)) for sample in questions}
    assert found == {"catbench/order": {"yes": "yes", "no": "no"}, "procbench/sort": {}}
    fable = thence.generate("fable/recipes/taint", size=1)[0]
    assert list(choices_of(fable)) == ["Yes", "No"]


# The server --------------------------------------------------------------------------------------


def test_requests_are_checked_and_nobody_can_end_it_for_the_others(runs: Path) -> None:
    study = rating_study(runs)
    with served(study) as address:
        assert "default-src 'none'" in ask(address, "")[1]["Content-Security-Policy"]
        first = say(address, "show", rater="  ann ")
        assert (first["rater"], first["title"], first["done"]) == ("ann", "Title", 0)
        said = say(address, "judge", rater="ANN", place=0, value="3", note="n", seconds=1e99)
        assert (said["rater"], said["place"]) == ("ANN", 1)
        assert say(address, "show", rater="ann")["done"] == 0 or said["done"] == 1
        for path, body, status in (
            ("judge", {"rater": "ann", "place": 0, "value": "9"}, 409),
            ("judge", {"rater": "ann", "place": 0, "value": 3}, 409),
            ("judge", {"rater": "ann", "place": 10**9, "value": "3"}, 404),
            ("judge", {"rater": "ann", "place": -1, "value": "3"}, 404),
            ("show", {"rater": "ann", "place": True}, 409),
            ("show", {"rater": ""}, 409),
            ("show", {"rater": "x" * 41}, 409),
            ("show", {"rater": "a\u202eb"}, 409),
            ("show", {}, 409),
            ("end", {}, 404),
            ("export", {"rater": "ann"}, 404),
        ):
            assert ask(address, path, body)[0] == status, (path, body)
        assert ask(address, FILE)[0] == 404
        assert say(address, "show", rater="bo")["done"] == 0


def test_bad_input_is_refused_in_one_line(runs: Path) -> None:
    Path("empty").mkdir()
    row = dict.fromkeys(("id", "family", "version", "input", "target", "canary"), "1-1")
    Path("samples.jsonl").write_text(json.dumps({**row, "task": "no/such", "metadata": {}}))
    Path("samples.csv").write_text("a,b\n1,2\n")
    Path("bad").mkdir()
    (Path("bad") / FILE).write_text("no database, whatever its name says" * 40)
    before = held(Path())
    for arguments, says in (
        (["empty"], "DIR empty: holds no run and no procedure that thence extract wrote"),
        (["none"], "DIR none: no such folder"),
        (["bad"], "holds no ratings"),
        (["runs", "--what", "procedures"], "DIR runs: holds no procedure"),
        ([], "give either DIR"),
        (["runs", "--questions", "samples.jsonl"], "give either DIR"),
        (["--questions", "none.jsonl"], "none.jsonl: no such file"),
        (["--questions", "samples.jsonl"], "samples.jsonl: sample 1: unknown task 'no/such'"),
        (["--questions", "samples.csv"], "samples.csv: samples are read from"),
        (["--questions", "samples.jsonl", "--items", "4"], "--items 4"),
        (["runs", "-o", "x"], "-o x: is for --questions"),
    ):
        refused("ratings", "serve", *arguments, "--no-browser", says=[says])
    refused("ratings", "status", "runs", says=["runs: has no study"])
    refused("ratings", "export", "empty", "-o", "a.csv", says=["empty: has no study"])
    assert held(Path()) == before
    with served(rating_study(runs)) as address:
        port = address.split(":")[2].split("/")[0]
        refused(
            "ratings", "serve", "runs", "--port", port, "--no-browser",
            says=[f"--port {port}: ", "name another, or 0"], changes=True,
        )  # fmt: skip


# In the browser ----------------------------------------------------------------------------------


@contextmanager
def opened(browser: Any, address: str, name: str, width: int = 1280) -> Iterator[Any]:
    """A page in a window of its own, where a person has given a name."""
    page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    page.on("dialog", lambda dialog: faults.append(dialog.message))
    page.goto(address)
    page.wait_for_selector("body[data-ready=true]")
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-place]")
    yield page
    assert faults == []
    assert page.evaluate("window.pwned") is None
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.context.close()


def at(page: Any, place: int, done: int) -> None:
    page.wait_for_selector(f"body[data-place='{place}'][data-done='{done}']")


def test_two_people_rate_by_the_keyboard_undo_and_resume(runs: Path) -> None:
    study = rating_study(runs)
    with served(study) as address, chromium() as started:
        with opened(started, address, "ann") as ann, opened(started, address, "bo", 390) as bo:
            at(ann, 0, 0)
            ann.keyboard.press("4")
            at(ann, 1, 1)
            bo.keyboard.press("1")
            at(bo, 1, 1)
            ann.keyboard.press("n")
            ann.keyboard.type("2 words")
            ann.keyboard.press("Enter")
            ann.keyboard.press("2")
            at(ann, 2, 2)
            ann.keyboard.press("k")
            at(ann, 1, 2)
            assert ann.locator("#choices [aria-pressed=true]").inner_text().startswith("2")
            assert ann.input_value("#note") == "2 words"
            ann.keyboard.press("u")
            at(ann, 1, 1)
            assert ann.locator("#choices [aria-pressed=true]").count() == 0
            assert "secret" not in ann.content()
            bo.emulate_media(color_scheme="dark")
            assert serious(ann) + serious(bo) == []
            ann.keyboard.press("o")
            ann.keyboard.press("j")
            at(ann, 2, 1)
        with opened(started, address, "ann") as page:
            at(page, 1, 1)
            page.keyboard.press("ArrowLeft")
            at(page, 0, 1)
            assert page.locator("#choices [aria-pressed=true]").inner_text().startswith("4")
    assert [done for done, _ in study.progress().values()] == [1, 1]
    export_ratings(study, "ratings.csv")
    rows = [row for _, row in sheets.read(Path("ratings.csv"), ["rating", "rater"]).rows]
    assert {(row["rater"], row["rating"]) for row in rows} == {("ann", "4"), ("bo", "1")}
    assert all(0 <= float(row["seconds"]) < 3600 for row in rows)


def test_hostile_replies_stay_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = iter(HOSTILE)
    thence.run(
        thence.generate("catbench", size=len(HOSTILE)),
        lambda messages: next(texts, "?").encode("utf-8", "replace").decode(),
        name="evil",
        out="run",
    )
    study = rating_study("run", what="errors")
    with (
        served(study, HOSTILE[0]) as address,
        chromium() as started,
        opened(started, address, "<b>ann", 390) as page,
    ):
        for place in range(study.show("ann")["count"] - 1):
            at(page, place, place)
            page.keyboard.press("0")
        assert page.locator("main script, main img, main svg").count() == 0
        assert "<b>ann" in page.locator("#state").inner_text()


def test_a_person_answers_questions_in_the_browser(questions: list[Sample]) -> None:
    by_prompt = {sample.input: sample for sample in questions}
    people = People(FromFiles([Path("samples.jsonl")]), Path("people"))
    with (
        served(people, "") as address,
        chromium() as started,
        opened(started, address, "ann") as page,
    ):
        assert serious(page) == []
        for place in range(len(questions)):
            at(page, place, place)
            sample = by_prompt[people.show("ann", place)["parts"][0]["text"]]
            if page.locator("#free").is_visible():
                page.keyboard.press("a")
                page.locator("#reply:focus").fill(thence.answer(sample))
                page.keyboard.press("Control+Enter")
            else:
                page.keyboard.press("1" if sample.target == "yes" else "2")
        at(page, len(questions) - 1, len(questions))
        assert "thank you" in page.locator("#state").inner_text()
    run = thence.open_run("people/ann")
    assert run.scores().frame["correct"].to_list() == [True] * len(questions)
    assert all(0 <= row["latency"] < 3600 for row in run.responses())
