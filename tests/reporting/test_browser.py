"""The page in a real Chromium: hostile replies stay text, filters and the sample view work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.reporting.chromium import chromium
from tests.reporting.runs import HOSTILE, hostile, right, run
from thence.engine.baseline_scores import baselines
from thence.reporting.page import Contents, write_page

TASKS = ["procbench/sort", "procbench/count", "releval/comparison"]


@pytest.fixture(scope="module")
def browser(page_file: Path) -> Iterator[Any]:
    with chromium() as held:
        yield held


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    evil = "evil/<script>window.pwned = 6</script>"
    runs = [run("good/model", right, TASKS), run(evil, hostile, TASKS)]
    title = "<b onmouseover=window.pwned=7>Title</b>"
    samples = [row.sample for row in runs[0].rows]
    write_page(path, Contents(title, title, runs, baselines(samples)))
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
    assert "<script>window.pwned" in page.inner_text("#answer")


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
    page.wait_for_selector("#detail >> text=No reply fits.", timeout=30_000)
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
    assert {"parsed answer", "truth"} <= set(detail.locator("summary").all_inner_texts())
    assert detail.locator(".turn").count() == 2


def test_the_state_is_in_the_address_and_comes_back(
    browser: Any, page: Any, page_file: Path
) -> None:
    page.select_option("#f-task", "procbench/sort")
    page.locator(".row").nth(3).click()
    page.select_option("#w-theme", "dark")
    page.locator("input.model").first.uncheck()
    address = page.evaluate("location.hash")
    for part in ("task=procbench%2Fsort", "sample=", "theme=dark", "hide=0"):
        assert part in address
    again = browser.new_page()
    again.goto(page_file.as_uri() + address)
    again.wait_for_selector("body[data-ready=true]", timeout=30_000)
    assert again.input_value("#f-task") == "procbench/sort"
    assert again.evaluate("document.documentElement.dataset.theme") == "dark"
    assert again.locator("tr[data-m='0']:visible").count() == 0
    assert again.locator("#count").inner_text() == "12 of 72"
    again.close()


def test_keys_go_through_the_samples(page: Any) -> None:
    page.locator(".row").first.click()
    first = page.locator("#detail h3").inner_text()
    page.keyboard.press("j")
    second = page.locator("#detail h3").inner_text()
    assert page.locator(".row").nth(1).get_attribute("aria-current") == "true"
    page.keyboard.press("k")
    assert page.locator("#detail h3").inner_text() == first
    assert first != second or page.locator(".row").count() == 1
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "f-text"


def test_a_procedure_is_a_table_with_its_first_wrong_step_pinned(page: Any) -> None:
    page.evaluate("location.hash = 'run=good%2Fmodel&task=procbench%2Fsort&at=samples'")
    page.wait_for_function("document.querySelectorAll('.row').length === 12")
    assert page.locator(".steps tbody tr").count() >= 2
    assert page.locator(".steps .pinned").count() == 0


def test_tables_are_sorted_and_downloaded(page: Any) -> None:
    head = page.locator("#answer th button").nth(1)
    if not head.is_visible():  # a phone has cards
        return
    names = "#answer tbody tr:not(.baseline) th"
    head.click()
    up = page.locator(names).all_inner_texts()
    head.click()
    assert page.locator(names).all_inner_texts() == up[::-1]
    with page.expect_download() as got:
        page.locator("#answer .bar-tools button").first.click()
    text = Path(got.value.path()).read_text("utf-8-sig")
    assert got.value.suggested_filename == "answer.csv"
    assert text.startswith("model,")
    assert "(low)" in text.splitlines()[0]
    with page.expect_download() as got:
        page.locator("#outcomes .bar-tools button").first.click()
    drawn = ElementTree.fromstring(Path(got.value.path()).read_text("utf-8"))
    assert drawn.tag.endswith("svg")
    assert "style" not in {node.tag.rpartition("}")[2] for node in drawn.iter()}


def test_without_script_figures_and_samples_can_be_read(browser: Any, page_file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    held = context.new_page()
    held.goto(page_file.as_uri())
    assert held.locator("#plain details").count() == 24
    assert held.locator("#plain").is_visible()
    assert held.locator(".panel svg:visible").count() > 3
    assert not held.locator("#reading").is_visible()
    context.close()


def test_what_a_page_says_of_itself_is_whole(page: Any) -> None:
    assert page.evaluate(
        """() => [...document.querySelectorAll('svg[role=img]')].every(
            (each) => each.getAttribute('aria-label'))"""
    )
    assert page.evaluate(
        "() => [...document.querySelectorAll('table.data th')].every((each) => each.scope)"
    )
    small = """() => [...document.querySelectorAll('.chart text')].filter(
        (each) => parseFloat(getComputedStyle(each).fontSize) < 11).length"""
    assert page.evaluate(small) == 0


def test_a_search_is_highlighted_and_a_cell_leads_to_its_samples(page: Any) -> None:
    page.fill("#f-text", "string")
    page.wait_for_selector("#detail mark.found", timeout=30_000)
    assert {each.lower() for each in page.locator("mark.found").all_inner_texts()} == {"string"}
    page.locator("#tasks-procbench tbody tr:has-text('count') td.to-samples").first.click()
    assert page.input_value("#f-task") == "procbench/count"
    assert page.input_value("#f-run") == "good/model"
    assert page.input_value("#f-text") == ""
    assert page.locator("#count").inner_text() == "12 of 72"


def test_of_many_pairs_the_chosen_one_is_shown(browser: Any, tmp_path: Path) -> None:
    names = [f"model-{place}" for place in range(5)]
    write_page(
        tmp_path / "five.html", Contents("Five", "", [run(each, right, TASKS) for each in names])
    )
    held = browser.new_page()
    held.goto((tmp_path / "five.html").as_uri())
    held.wait_for_selector("body[data-ready=true]", timeout=30_000)
    assert held.locator("details.pair:visible").count() == 1
    held.select_option("#p-first", label="model-4")
    assert held.locator("details.pair:visible summary").inner_text() == "model-4 against model-1"
    assert held.locator("details.pair:visible td").first.is_visible()
    left = held.locator("details.pair:visible").bounding_box()["x"]
    assert held.locator("details.pair:visible table").first.bounding_box()["x"] == left
    heat = held.locator("table[data-name='tasks-procbench']")
    assert heat.locator("thead th:visible svg.key").count() == 5
    held.locator("input.model").nth(2).uncheck()
    assert heat.locator("thead th:visible svg.key").count() == 4
    assert heat.locator("tbody tr:first-child td:visible").count() == 4
    held.select_option("#p-second", label="model-4")
    assert held.locator("details.pair:visible").count() == 0
    assert "pair-first=4" in held.evaluate("location.hash")
    held.close()


def test_names_are_torn_only_at_their_joints_on_a_phone(browser: Any, tmp_path: Path) -> None:
    names = ["provider/atlas-large", "provider/orchid-reasoning-preview-2026-09"]
    tasks = ["procbench/delete_word", "fable/recipes/reaching_definitions"]
    runs = [run(name, right, tasks, 4) for name in names]
    write_page(tmp_path / "two.html", Contents("Two", "", runs))
    held = browser.new_page(viewport={"width": 390, "height": 844})
    held.goto((tmp_path / "two.html").as_uri())
    held.wait_for_selector("body[data-ready=true]", timeout=30_000)
    torn = held.evaluate(
        """() => {
          for (const each of document.querySelectorAll('details')) each.open = true;
          const torn = [], range = document.createRange();
          for (const head of document.querySelectorAll('tbody th:first-child, thead th.over')) {
            const held = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
            while (held.nextNode()) for (const part of held.currentNode.data.split(/[-\\s/_]+/)) {
              const start = held.currentNode.data.indexOf(part);
              range.setStart(held.currentNode, start);
              range.setEnd(held.currentNode, start + part.length);
              if (new Set([...range.getClientRects()].map((each) => each.top)).size > 1)
                torn.push(part);
            }
          }
          return torn;
        }"""
    )
    assert torn == []
    assert held.evaluate("document.documentElement.scrollWidth") <= 390
    held.close()


@pytest.mark.long
def test_ten_thousand_samples_are_filtered_and_read(browser: Any, tmp_path: Path) -> None:
    shown = [run("good/model", right, ["procbench/sort", "procbench/count"], 5_000)]
    write_page(tmp_path / "many.html", Contents("Many", "", shown))
    held = browser.new_page()
    held.goto((tmp_path / "many.html").as_uri())
    held.wait_for_selector("body[data-ready=true]", timeout=120_000)
    assert held.inner_text("#count") == "10,000 of 10,000"
    held.select_option("#f-task", "procbench/count")
    assert held.inner_text("#count") == "5,000 of 10,000"
    held.click("#more")
    assert held.locator(".row").count() == 200
    last = held.locator(".row").nth(199)
    last.click()
    name = last.get_attribute("title").split()[1]
    assert name in held.inner_text("#detail h3")
    held.fill("#f-text", name)
    held.wait_for_selector("#count:text-is('1 of 10,000')", timeout=60_000)
    held.close()
