"""Text that can be shown on a terminal without moving its cursor or reordering its characters."""

from __future__ import annotations

import io
import re
from typing import Any, TextIO

# Control characters but for tab and line end, soft hyphen, marks and overrides of direction,
# invisible characters, line separators, lone surrogates and tags.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    r"""Return a text in which what a terminal would obey is spelled out, such as ``\x1b``.

    Tabs and line ends stay.
    """
    if text.isprintable():
        return text
    return _UNSAFE.sub(_spelled, text.replace("\r\n", "\n"))


def _spelled(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class TerminalStream(io.TextIOBase):
    """Text stream of a terminal that writes printable text only.

    It has no ``buffer``, through which bytes could be written past it.

    Attributes:
        terminal: the stream behind it, for a writer that makes its texts printable itself.
    """

    def __init__(self, terminal: TextIO) -> None:
        self.terminal = terminal

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self.terminal, name)

    @property
    def encoding(self) -> str:
        """Encoding of the terminal."""
        return self.terminal.encoding

    @property
    def errors(self) -> str | None:
        """Treatment of characters that the encoding lacks."""
        return self.terminal.errors

    def write(self, text: str) -> int:
        """Write a text; return its length."""
        self.terminal.write(printable(text))
        return len(text)

    def flush(self) -> None:
        """Flush the terminal."""
        self.terminal.flush()

    def isatty(self) -> bool:
        """Return True."""
        return self.terminal.isatty()

    def fileno(self) -> int:
        """Return the terminal's file descriptor."""
        return self.terminal.fileno()

    def writable(self) -> bool:
        """Return True."""
        return True
