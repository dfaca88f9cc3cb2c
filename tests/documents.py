"""The pages of README, CONTRIBUTING and docs, as tests read them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])

sys.path.insert(
    0, str(DOCS)
)  # what makes parts of the pages lies beside them, and not in a package
import drawings  # noqa: E402
import execute  # noqa: E402
import formats  # noqa: E402
import made  # noqa: E402

__all__ = [
    "DOCS",
    "PAGES",
    "ROOT",
    "blocks",
    "commands",
    "drawings",
    "execute",
    "formats",
    "made",
    "name_of",
]


def name_of(path: Path) -> str:
    """The path of a page from the root."""
    return str(path.relative_to(ROOT))


def blocks(text: str, language: str) -> list[str]:
    """The blocks of code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(text: str) -> list[str]:
    """The lines behind a prompt; one that ends in a backslash goes on in the next."""
    held = "".join(blocks(text, "console")).replace("\\\n", " ")
    found = re.findall(r"^\$ (.*)", held, re.MULTILINE)
    return [line.partition(" #")[0].strip() for line in found]
