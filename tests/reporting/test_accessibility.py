"""The page and the view as axe-core judges them, light and dark, and by the keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.reporting.chromium import chromium, serious
from tests.reporting.runs import hostile, right, run
from tests.reporting.test_view import made, runs, viewing
from thence.engine.baseline_scores import baselines
from thence.reporting.page import Contents, write_page

__all__ = ["made", "runs"]

TASKS = ["procbench/sort", "releval/comparison", "catbench/order"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as held:
        yield held


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    shown = [run("good/model", right, TASKS, 6), run("evil/model", hostile, TASKS, 6)]
    samples = [row.sample for row in shown[0].rows]
    write_page(path, Contents("Can it follow?", "Two runs.", shown, baselines(samples)))
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_the_page(browser: Any, page_file: Path, scheme: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    page.goto(page_file.as_uri())
    page.wait_for_selector("body[data-ready=true]", timeout=60_000)
    page.locator(".row").nth(0).click()
    assert page.locator("#detail").inner_text().count("procbench")
    assert serious(page) == []
    page.locator(".row").nth(7).click()  # a graph beside its text
    assert page.locator("#detail").inner_text().count("releval")
    assert serious(page, "#samples") == []
    page.close()


def test_axe_finds_nothing_serious_on_the_view_and_keys_reach_all(browser: Any, runs: Path) -> None:
    with viewing(runs) as address:
        page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
        page.goto(address)
        page.wait_for_selector("body[data-worked]", timeout=60_000)
        page.focus("#c-go")
        page.keyboard.press("Enter")
        page.wait_for_selector("body[data-compared]")
        assert serious(page) == []
        page.focus(".skip")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "samples"
        seen = set()
        while (held := page.evaluate("document.activeElement.id")) != "c-first":
            page.keyboard.press("Tab")
            seen.add(held)
            assert len(seen) < 200
        assert {"f-run", "f-task", "f-outcome", "f-least", "f-most", "f-differ", "f-text"} <= seen
        page.focus("#c-go")
        page.keyboard.press("j")
        page.wait_for_selector(".row:nth-child(2)[aria-current]")
        page.close()
