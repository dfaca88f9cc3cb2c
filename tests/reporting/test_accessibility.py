"""The page and the view as axe-core judges them, light and dark, and by the keyboard alone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.reporting.runs import hostile, right, run
from tests.reporting.test_view import made, runs, viewing
from thence.engine.baseline_scores import baselines
from thence.reporting.page import Contents, write_page
from thence.reporting.palette import COLOURS

__all__ = ["made", "runs"]

TASKS = ["procbench/sort", "releval/comparison", "catbench/order"]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        held = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield held
        held.close()


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    shown = [run("good/model", right, TASKS, 24), run("evil/model", hostile, TASKS, 24)]
    samples = [row.sample for row in shown[0].rows]
    write_page(path, Contents("Can it follow?", "Two runs.", shown, baselines(samples)))
    return path


def findings(page: Any) -> list[str]:
    """What axe-core finds serious or worse, with all that is folded opened."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['html'][:200]}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_the_page(browser: Any, page_file: Path, scheme: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    page.goto(page_file.as_uri())
    page.wait_for_selector("body[data-ready=true]", timeout=60_000)
    for place in (0, 25):  # a procedure, a graph beside its text
        page.locator(".row").nth(place).click()
        assert findings(page) == []
    page.close()


def test_axe_finds_nothing_serious_on_the_view_and_keys_reach_all(browser: Any, runs: Path) -> None:
    with viewing(runs) as address:
        page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
        page.goto(address)
        page.wait_for_selector("body[data-worked]", timeout=60_000)
        page.focus("#c-go")
        page.keyboard.press("Enter")
        page.wait_for_selector("body[data-compared]")
        assert findings(page) == []
        page.focus(".skip")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "samples"
        seen = set()
        while (held := page.evaluate("document.activeElement.id")) != "c-first":
            page.keyboard.press("Tab")
            seen.add(held)
            assert len(seen) < 200
        assert {"f-run", "f-task", "f-outcome", "f-least", "f-most", "f-differ", "f-text"} <= seen
        page.keyboard.press("j")
        page.wait_for_selector(".row:nth-child(2)[aria-current]")
        page.close()


def test_colours_of_words_and_marks_stand_out_from_their_ground() -> None:
    for mode in (0, 1):
        for ground in ("paper", "band"):
            for words in ("ink", "soft", "link", "warn", "chance"):
                assert contrast(words, ground, mode) >= 4.5, (words, ground, mode)
        marks = [name for name in COLOURS if name[0] == "m" and name[1:].isdigit()]
        for name in [*marks, "correct", "wrong", "no_answer", "truncated", "refused"]:
            assert contrast(name, "paper", mode) >= 3, (name, mode)
        for ground in ("mark", "bad", "good"):
            assert contrast("ink", ground, mode) >= 4.5, (ground, mode)


def contrast(first: str, second: str, mode: int) -> float:
    """The ratio of the luminances of two colours, by WCAG 2.2."""
    low, high = sorted(map(luminance, (COLOURS[first][mode], COLOURS[second][mode])))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return sum(share * x for share, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
