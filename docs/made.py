"""The parts of these pages that are made of the product: ``<!-- made: NAME -->`` in a page.

A part cannot go stale, and no page has to be written anew where an option is added. Tests that read
the pages fill them in by the same `fill`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

MARK = re.compile(r"^<!-- made: (\w+) -->$", re.MULTILINE)


def fill(text: str) -> str:
    """Return a page with its made parts in place of their marks."""
    return MARK.sub(lambda found: PARTS[found[1]](), text)


PARTS: dict[str, Callable[[], str]] = {}
