"""The static site: every page and link, in a real Chromium from a folder, with hostile names."""

from __future__ import annotations

import re
import shutil
from html import unescape
from pathlib import Path
from typing import Any

import polars
import pytest

import thence
from tests.cli.command import held, refused
from tests.cli.command import thence as command
from tests.reporting.chromium import chromium, serious
from tests.reporting.runs import HOSTILE

NAMES = ("good", "<script>window.pwned=1</script>", 'GOOD/"><img src=x onerror=window.pwned=2>')


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of three models with two tasks, one of them under a hostile name with such replies."""
    folder = tmp_path_factory.mktemp("runs")
    asked = thence.generate(["procbench/sort", "releval/comparison"], size=8, seed=5)
    right = {sample.input: thence.answer(sample) for sample in asked}

    def good(messages: Any) -> str:
        return right[messages[0]["content"]]

    def evil(messages: Any) -> str:
        return HOSTILE[len(messages[0]["content"]) % 5]

    for place, (name, model) in enumerate(zip(NAMES, (good, evil, evil), strict=True)):
        thence.run(asked, model, name=name, out=folder / f"run{place}")
    return folder


@pytest.fixture(scope="module")
def site(runs: Path) -> Path:
    folder = runs.parent / f"{runs.name}-site"
    paths = sorted(runs.iterdir())
    done = command("report", "--site", folder, *paths, "--title", "<i>Board</i>")
    assert f"6 pages: {folder}/index.html" in done.out
    return folder


def test_every_link_leads_to_a_page_or_file_and_every_page_has_the_policy(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) == 1 + 3 + 2
    assert len({path.name.casefold() for path in pages}) == len(pages)
    for page in pages:
        text = unescape(page.read_text())
        assert "default-src 'none'" in text
        assert "unsafe-" not in text.partition("</head>")[0].partition("Policy")[2][:400]
        for link in re.findall(r'<a [^>]*href="([^#"][^"]*)"', text):
            if not link.startswith("https://"):
                assert (page.parent / link).is_file(), (page, link)
    index = (site / "index.html").read_text()
    assert "<i>Board" not in index
    assert "check-submission" in index
    for link in ("models/function-good.html", "tasks/procbench-sort.html", "data/figures.parquet"):
        assert f'href="{link}"' in index


def test_the_data_is_all_of_it(site: Path) -> None:
    answers = polars.read_parquet(site / "data" / "answers.parquet")
    assert answers.height == 3 * 16
    assert {f"function/{name}" for name in NAMES} == set(answers["model"])
    figures = polars.read_parquet(site / "data" / "figures.parquet")
    good = figures.filter(polars.col("model") == "function/good", polars.col("level") == "task")
    assert good.select("name", "n", "accuracy").rows() == [
        ("procbench/sort", 8, 1.0), ("releval/comparison", 8, 1.0),
    ]  # fmt: skip
    assert (good["low"] < 1).all()
    assert figures["level"].unique().sort().to_list() == ["family", "group", "task"]


def test_a_site_replaces_a_site_and_nothing_else(
    site: Path, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = runs / "run0"
    shutil.copytree(site, "site")
    refused("report", "--site", "site", run, says=["--site site: is not empty; --overwrite"])
    Path("mine").mkdir()
    Path("mine/index.html").write_text("mine")
    Path("mine/letters.txt").write_text("mine")
    before = held(Path("mine"))
    refused("report", "--site", "mine", run, "--overwrite", says=["holds letters.txt"])
    refused("report", "--site", "mine/letters.txt", run, says=["is a file"])
    refused("report", "--site", "new", run, run, says=["named twice"])
    refused("report", "--site", "new", "mine", says=["mine: not a run directory"])
    refused("report", "--site", "new", run, "-o", "a.html", says=["leave out -o"])
    refused("report", run, says=["-o is missing"])
    assert held(Path("mine")) == before
    command("report", "--site", "site", run, "--overwrite")
    assert [path.name for path in Path("site/models").iterdir()] == ["function-good.html"]


def test_the_site_in_the_browser_from_a_folder(site: Path) -> None:
    with chromium() as browser:
        for width, scheme in ((1440, "light"), (390, "dark")):
            context = browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme=scheme
            )
            page = context.new_page()
            faults: list[str] = []
            seen: set[str] = set()
            page.on("pageerror", lambda error: faults.append(str(error)))  # noqa: B023
            page.on(
                "console",
                lambda line: faults.append(line.text) if line.type == "error" else None,  # noqa: B023
            )
            page.goto((site / "index.html").as_uri())
            for step in ("function/good", "All models", "sort", "function/good", "All models"):
                page.wait_for_selector("body[data-ready=true]")
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
                assert page.evaluate("window.pwned") is None
                if page.url not in seen:
                    assert serious(page) == []
                seen.add(page.url)
                page.locator("main, .rail").get_by_role("link", name=step, exact=True).first.click()
            page.wait_for_selector("body[data-ready=true]")
            assert page.locator("table.matrix tbody tr[data-m]").count() == 3
            assert faults == []
            context.close()
