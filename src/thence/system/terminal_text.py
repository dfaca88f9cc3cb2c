"""Stream of a terminal that lets through only what cannot move its cursor or reorder characters."""

from __future__ import annotations

import io
from typing import Any, TextIO

from thence.errors import printable


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
