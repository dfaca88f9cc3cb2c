"""The page in a real Chromium: hostile replies stay text, filters and the sample view work."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.reporting.runs import HOSTILE, hostile, right, run
from thence.engine.baseline_scores import baselines
from thence.reporting.page import Contents, write_page
from thence.reporting.script import script

TASKS = ["procbench/sort", "procbench/count", "releval/comparison"]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)

if CHROMIUM is None and not os.environ.get("THENCE_REQUIRE_BROWSER"):
    pytest.skip("chromium is not installed: the page is not looked at", allow_module_level=True)


@pytest.fixture(scope="module")
def browser(page_file: Path) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    assert CHROMIUM, "chromium is required here and not installed"
    with sync_playwright() as playwright:
        held = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield held
        held.close()


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    evil = "evil/<script>window.pwned = 6</script>"
    runs = [run("good/model", right, TASKS), run(evil, hostile, TASKS)]
    title = "<b onmouseover=window.pwned=7>Title</b>"
    samples = [row.sample for row in runs[0].rows]
    write_page(path, Contents(title, title, runs, baselines(samples), script()))
    return path


@pytest.fixture(params=[(1280, 900), (390, 800)], ids=["desk", "phone"])
def page(browser: Any, page_file: Path, request: pytest.FixtureRequest) -> Iterator[Any]:
    width, height = request.param
    held = browser.new_page(viewport={"width": width, "height": height})
    held.faults, held.asked = [], []
    held.on("pageerror", lambda error: held.faults.append(str(error)))
    held.on("dialog", lambda dialog: held.faults.append(dialog.message))
    held.on("request", lambda request: held.asked.append(request.url))
    held.goto(page_file.as_uri())
    held.wait_for_selector("body[data-ready=true]", timeout=30_000)
    yield held
    assert held.faults == []
    assert held.evaluate("window.pwned") is None
    assert [url for url in held.asked if not url.startswith(("file:", "blob:", "data:"))] == []
    held.close()


def test_nothing_runs_and_nothing_is_wider_than_the_page(page: Any) -> None:
    width = page.viewport_size["width"]
    for place in range(page.locator(".row").count()):
        page.locator(".row").nth(place).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert "<script>window.pwned" in page.inner_text("h2 >> nth=0 >> xpath=..")


def test_every_hostile_reply_is_shown_as_text(page: Any) -> None:
    page.select_option("#f-outcome", "no_answer")
    seen = set()
    for place in range(page.locator(".row").count()):
        page.locator(".row").nth(place).click()
        seen |= set(page.locator("#detail pre").all_text_contents())
    for text in HOSTILE[:6]:
        assert text in seen


def test_filters_choose_what_they_say(page: Any) -> None:
    whole = page.locator(".row").count()
    assert whole == 2 * 12 * len(TASKS)
    page.select_option("#f-task", "procbench/sort")
    assert page.locator(".row").count() == 24
    page.select_option("#f-run", "good/model")
    assert page.locator(".row").count() == 12
    page.select_option("#f-outcome", "correct")
    assert page.locator(".row").count() == 12
    assert page.locator("#count").inner_text() == "12 of 72"
    page.fill("#f-text", "no such words")
    page.wait_for_selector("#detail >> text=No reply fits.")
    page.fill("#f-text", "")
    page.select_option("#f-task", "")
    page.select_option("#f-run", "")
    page.select_option("#f-outcome", "no_answer")
    assert page.locator(".row").count() < whole


def test_a_sample_shows_what_was_read_and_its_graph(page: Any) -> None:
    page.select_option("#f-task", "releval/comparison")
    page.select_option("#f-outcome", "correct")
    page.locator(".row").nth(1).click()
    detail = page.locator("#detail")
    assert "read by the rule" in detail.inner_text()
    assert detail.locator("mark").inner_text().strip() in {"True", "False", "Unknown"} or (
        "OUTPUT" in detail.locator("mark").inner_text()
    )
    assert detail.locator(".graph circle").count() > 2
    assert detail.locator(".graph circle.asked").count() == 2
    assert {"prompt", "reply", "truth"} <= set(detail.locator("summary").all_inner_texts())


def test_figures_are_drawn(page: Any) -> None:
    page.wait_for_selector("[data-figure] svg", timeout=20_000)
    assert page.locator("[data-figure]").count() == page.locator("[data-figure] svg.marks").count()
