"""A text file as plain text: plain text and Markdown as they are, HTML without its tags."""

from __future__ import annotations

import codecs
import re
from html.parser import HTMLParser
from pathlib import Path

from thence.domains.recipes.plain_text import without_links
from thence.errors import FileError

MOST_BYTES = 1_000_000
_BLOCKS = frozenset(
    ["address", "article", "blockquote", "br", "caption", "dd", "div", "dl", "dt", "figcaption",
     "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p",
     "pre", "section", "table", "td", "th", "title", "tr", "ul"]
)  # fmt: skip
_UNSEEN = frozenset(
    ["script", "style", "template", "noscript", "svg", "nav", "footer", "aside", "form", "button"]
)
_HTML = re.compile(r"\s*(?:<!doctype html|<html)", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n\s*\n")


def read_source(path: Path) -> str:
    """Return the plain text of a file.

    Raises:
        FileError: it is missing, empty, too large, or of another kind.
    """
    try:
        with path.open("rb") as file:  # bounded, because a device has no end
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}; name a file of text") from None
    if data.startswith(b"%PDF"):
        raise FileError(f"{path}: a PDF; save its text as plain text, Markdown or HTML")
    if len(data) > MOST_BYTES:
        raise FileError(
            f"{path}: larger than {MOST_BYTES:,} bytes; give each procedure a file of its own"
        )
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise FileError(f"{path}: is UTF-16; save it in UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise FileError(f"{path}: not text in UTF-8; save it as plain text, Markdown or HTML")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if path.suffix.lower() in (".html", ".htm") or _HTML.match(text):
        text = _without_tags(text)
    text = without_links(text)
    if not text.strip():
        raise FileError(f"{path}: holds no text; give one with steps")
    return text


def _without_tags(html: str) -> str:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip() + "\n"


class _Reader(HTMLParser):
    """Collector of the text that a browser shows, a line for each block."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Begin a block, or what is not shown."""
        self._hidden += tag in _UNSEEN
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """End a block, or what is not shown."""
        self._hidden -= tag in _UNSEEN and self._hidden > 0
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Take text in; line ends within a block are blanks."""
        if not self._hidden:
            self.parts.append(data.replace("\n", " "))
