"""A real Chromium, for tests that look at pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

_PATH = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


@contextmanager
def chromium() -> Iterator[Any]:
    """Start Chromium; the test is skipped where there is none, unless there has to be one."""
    if _PATH is None:
        assert not os.environ.get("THENCE_REQUIRE_BROWSER"), "chromium has to be here and is not"
        pytest.skip("chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        held = playwright.chromium.launch(executable_path=_PATH, args=["--no-sandbox"])
        yield held
        held.close()


def serious(page: Any, part: str = "html") -> list[str]:
    """What axe-core finds serious or worse in a part of a page, with all that is folded opened."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    return [
        f"{each['id']}: {node['html'][:200]}"
        for each in Axe().run(page, context=part).response["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
