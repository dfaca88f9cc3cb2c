"""The review of extracted procedures: over HTTP, and in a real Chromium."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from queue import Queue
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.cli.command import refused, thence
from tests.reporting.chromium import chromium, serious
from thence.api.extract import extract, review
from thence.errors import FileError
from thence.procedures import SourceError, read_document
from thence.procedures.review import Review
from thence.reporting.review_page import handler_of

TEXT = (
    "Onions\n\n1. Chop the onions.\n2. Fry them in oil for 5 minutes.\n3. If desired, serve them.\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "onions.md").write_text(TEXT)
    extract("onions.md", "rules", out="out")
    return tmp_path / "out"


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    ready: Queue[str] = Queue()
    ended: Queue[Any] = Queue()
    thread = threading.Thread(target=lambda: ended.put(review(folder, ready.put)))
    thread.start()
    address = ready.get(timeout=60)
    yield address
    if thread.is_alive():
        ask(address, "end", {})
    thread.join(60)
    assert not thread.is_alive()


def ask(
    address: str, path: str, body: Any = None, **headers: str
) -> tuple[int, dict[str, str], str]:
    place = urlsplit(address)
    method = "GET" if body is None else "POST"
    data = None if body is None else json.dumps(body)
    with closing(HTTPConnection(place.netloc, timeout=60)) as connection:
        connection.request(method, place.path + path, data, headers)
        reply = connection.getresponse()
        return reply.status, dict(reply.getheaders()), reply.read().decode()


def test_steps_are_confirmed_and_the_procedure_is_stamped(address: str, folder: Path) -> None:
    path = folder / "onions.yaml"
    held = json.loads(ask(address, "procedure/0")[2])
    assert held["text"] == TEXT
    assert {(link["from"], link["to"]) for link in held["links"]} == {(0, 1), (1, 2)}
    for step in range(3):
        assert read_document(path).unreviewed
        change = {"version": held["version"], "step": step, "reviewed": True}
        status, _, text = ask(address, "procedure/0", change)
        assert status == 200
        held = json.loads(text)
    assert held["reviewed"]
    document = read_document(path)
    assert not document.unreviewed
    assert document.form is not None
    assert not any(step.unsure for step in document.form.steps)
    assert document.form.steps[1].spans["text"][""][:2] == (31, 61)


def test_a_step_is_mended_and_what_would_be_no_procedure_is_not_written(
    address: str, folder: Path
) -> None:
    path = folder / "onions.yaml"
    held = json.loads(ask(address, "procedure/0")[2])
    change = {"version": held["version"], "step": 1, "uses": ["oil", "heat"]}
    made = json.loads(ask(address, "procedure/0", change)[2])
    step = read_document(path).form.steps[1]  # type: ignore[union-attr]
    assert step.uses == ["oil", "heat"]
    assert list(step.spans["uses"]) == ["oil"]
    assert [each["fact"] for each in made["findings"] if each["step"] == 1] == ["heat"]
    before = path.read_bytes()
    for wrong, said in (
        ({"step": 0, "after": ["9"]}, "there is no step 9"),
        ({"step": 9, "uses": []}, "there is no step 9"),
        ({"step": 0, "uses": "onions"}, "entries are a list of texts"),
    ):
        status, _, text = ask(address, "procedure/0", {"version": made["version"], **wrong})
        assert status == 409
        assert said in json.loads(text)["error"]
    status, _, text = ask(address, "procedure/0", {"version": held["version"], "step": 0})
    assert (status, "changed elsewhere" in text) == (409, True)
    assert path.read_bytes() == before


def test_times_options_and_choices_are_mended(address: str, folder: Path) -> None:
    path = folder / "onions.yaml"

    def change(**what: object) -> dict[str, Any]:
        version = json.loads(ask(address, "procedure/0")[2])["version"]
        status, _, text = ask(address, "procedure/0", {"version": version, "step": 2, **what})
        return {"status": status, **json.loads(text)}

    assert any(each.startswith("when ") for each in read_document(path).form.steps[2].unsure)  # type: ignore[union-attr]
    assert change(choices=["serving: yes, no"])["status"] == 200
    held = change(when=["serving: yes"])
    assert held["procedure"]["steps"][2]["when"] == {"serving": "yes"}
    assert change(duration=["2-3 min"])["status"] == 200
    document = read_document(path)
    assert document.flow.procedure.choices[0].options == ("yes", "no")
    step = document.flow.procedure.steps[2]
    assert (step.when, step.seconds) == ((("serving", "yes"),), (120, 180))
    assert not any(each.startswith("when ") for each in document.form.steps[2].unsure)  # type: ignore[union-attr]
    before = path.read_bytes()
    for wrong, said in (
        ({"when": ["serving"]}, "'serving' is no choice with its option"),
        ({"when": ["serving: perhaps"]}, "perhaps"),
        ({"when": ["serving: yes", "serving: no"]}, "choice 'serving' stands on two lines"),
        ({"choices": ["a: b, c", "a: d, e"]}, "choice 'a' stands on two lines"),
        ({"choices": []}, "unknown choice 'serving'"),
        ({"duration": ["1 min", "2 min"]}, "a step has one duration"),
        ({"duration": ["soon"]}, "soon"),
    ):
        refusal = change(**wrong)
        assert refusal["status"] == 409
        assert said in refusal["error"]
    assert path.read_bytes() == before
    assert change(duration=[], when=[])["status"] == 200
    assert read_document(path).flow.procedure.steps[2].seconds is None


def test_a_procedure_with_an_error_is_not_stamped(
    address: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "onions.yaml"

    def change(step: int, **what: object) -> dict[str, Any]:
        version = json.loads(ask(address, "procedure/0")[2])["version"]
        made: dict[str, Any] = json.loads(
            ask(address, "procedure/0", {"version": version, "step": step, **what})[2]
        )
        return made

    change(0, after=["2"], reviewed=True)
    change(1, reviewed=True)
    held = change(2, reviewed=True)
    assert not held["reviewed"]
    assert "before it is defined" in held["error"]
    assert read_document(path).unreviewed
    with monkeypatch.context() as patch:
        patch.setattr("thence.reporting.local_server.serve_here", lambda *_: None)
        done = thence("extract", "--review", "out", status=1)
    assert done.out.endswith("0 of 1 procedure confirmed\n")
    said = "out/onions.yaml: is not confirmed, for it has an error"
    assert done.err == f"thence: {said}: {held['error']}\n"
    held = change(0, after=[])
    assert (held["reviewed"], held["error"]) == (True, "")
    assert not read_document(path).unreviewed
    held = change(1, start=["oil"])  # onions are no longer there at the beginning
    assert (held["reviewed"], "never defined" in held["error"]) == (False, True)
    assert change(1, start=["onions (ingredient)", "oil"])["reviewed"]


def test_nobody_gets_in_without_the_token_or_from_another_page(address: str) -> None:
    place = urlsplit(address)
    root = f"http://{place.netloc}"
    assert place.hostname == "127.0.0.1"
    assert len(place.path) > 30
    assert ask(f"{root}/", "procedure/0")[0] == 404
    assert ask(f"{root}/wrong/", "procedure/0")[0] == 404
    assert ask(address, "procedure/0", Host="evil.example")[0] == 404
    assert ask(address, "procedure/0", {"step": 0}, Origin="http://evil.example")[0] == 403
    assert ask(address, "procedure/9")[0] == 409
    assert ask(address, "procedure/x")[0] == 404
    assert ask(address, "../../etc/passwd")[0] == 404
    status, headers, page = ask(address, "")
    assert (status, "Review of procedures" in page) == (200, True)
    assert "default-src 'none'" in headers["Content-Security-Policy"]


def test_of_two_changes_at_once_one_is_made_and_the_other_told(folder: Path) -> None:
    answer = handler_of(Review.of(folder))
    version = answer("procedure/0", None)["version"]

    def confirm(step: int) -> str:
        try:
            answer("procedure/0", {"version": version, "step": step, "reviewed": True})
        except FileError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(2) as pool:
        said = sorted(pool.map(confirm, (0, 1)))
    assert said == ["", "onions.yaml: was changed elsewhere; it is shown anew"]


def test_a_folder_without_extracted_procedures_is_refused(folder: Path) -> None:
    Path("mine").mkdir()
    (Path("mine") / "a.yaml").write_text("goal: a\nsteps: [b]\n")
    refused("extract", "--review", "mine", says=["--review mine", "no procedure that extract"])
    refused("extract", "--review", "none", says=["--review none: no such folder"])
    (folder / "broken.yaml").write_text("goal")
    with pytest.raises(SourceError):
        Review.of(folder)


@pytest.fixture
def peppers(folder: Path) -> None:
    Path("peppers.md").write_text("Peppers\n\n1. Chop the peppers.\n2. Serve the peppers.\n")
    extract("peppers.md", "rules", out=folder)


def test_a_procedure_without_its_text_does_not_stop_the_review_of_others(
    folder: Path, peppers: None, address: str
) -> None:
    (folder / "onions.txt").write_text("changed")
    held = json.loads(ask(address, "procedure/0")[2])
    assert (held["file"], held["count"], "was changed" in held["problem"]) == (
        "onions.yaml",
        2,
        True,
    )
    with chromium() as browser:
        page = browser.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(address)
        page.wait_for_selector("body[data-ready=true]")
        assert "extract it anew" in page.locator("#told").inner_text()
        page.keyboard.press("j")
        page.keyboard.press("Space")
        page.keyboard.press("n")
        page.wait_for_selector(".part.now")
        (folder / "peppers.txt").rename(folder / "elsewhere.txt")
        page.keyboard.press("Space")
        page.wait_for_selector("#told:has-text('extract it anew')")
        (folder / "elsewhere.txt").rename(folder / "peppers.txt")
        page.keyboard.press("Space")
        page.wait_for_selector("body[data-done='1']")
        page.keyboard.press("k")
        assert page.locator("#told").inner_text() == ""
        assert page.locator(".part.now").inner_text() == "Chop the peppers."
        (folder / "onions.yaml").unlink()
        page.keyboard.press("p")
        page.wait_for_selector("#state:has-text('cannot be shown')")
        page.keyboard.press("q")
        page.wait_for_selector("#told:has-text('has ended')")
        assert not faults
        browser.close()


def test_a_person_reviews_by_the_keyboard_alone(folder: Path, address: str) -> None:
    with chromium() as browser:
        page = browser.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        page.goto(address)
        page.wait_for_selector("body[data-ready=true]")
        assert page.locator("#links path").count() == 2
        assert page.locator(".part.now").inner_text() == "Chop the onions."
        page.keyboard.press("j")
        assert page.locator("#step .doubt").inner_text() == "onions"
        page.keyboard.press("j")
        assert "unsure: when ('If desired')" in page.locator("#step .findings").inner_text()
        page.keyboard.press("k")
        page.keyboard.press("k")
        page.keyboard.press("u")
        page.locator("#editor").fill("onions\nknife")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=knife")
        for key, role, entry in (
            ("c", "choices", "serving: yes, no"),
            ("w", "when", "serving: yes"),
            ("s", "start", "knife"),
            ("t", "duration", "soon"),
        ):
            page.keyboard.press(key)
            page.locator("#editor").fill(entry)
            page.keyboard.press("Enter")
            if role != "duration":
                page.wait_for_selector(f"#step .{role} li >> text={entry}")
        page.wait_for_selector("#told:has-text('soon')")
        assert page.locator("#editor").input_value() == "soon"
        page.locator("#editor").fill("2 min")
        page.keyboard.press("Enter")
        page.wait_for_selector("#step .duration li >> text=2 min")
        page.keyboard.press("t")
        assert page.locator("#editor").input_value() == "2 min"
        page.keyboard.press("Escape")
        for done in (1, 2, 3):
            page.keyboard.press("Space")
            page.wait_for_selector(f"body[data-done='{done}']")
        told = page.locator("#state").inner_text()
        assert "not stamped, for it has an error" in told
        assert "'onions'" in told  # they no longer stand under start
        page.keyboard.press("s")
        page.locator("#editor").fill("knife\nonions\noil")
        page.keyboard.press("Enter")
        page.wait_for_selector("#step .start li >> text=oil")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert serious(page) == []
        assert "stamped as reviewed" in page.locator("#state").inner_text()
        assert [fault for fault in faults if "409" not in fault] == []  # the refused duration
    document = read_document(folder / "onions.yaml")
    assert not document.unreviewed
    assert "knife" in document.flow.steps[0].uses
    assert document.flow.steps[0].when == (("serving", "yes"),)
