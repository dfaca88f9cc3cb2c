"""Stream of a terminal that lets through only what cannot move its cursor or reorder characters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TextIO

from thence.errors import printable


class TerminalStream:
    """Text stream of a terminal that writes printable text only.

    It has no ``buffer``, through which bytes could be written past it.

    Attributes:
        terminal: the stream behind it, for a writer that makes its texts printable itself.
    """

    def __init__(self, terminal: TextIO) -> None:
        self.terminal = terminal

    def __getattr__(self, name: str) -> Any:
        if name in ("buffer", "detach", "reconfigure"):
            raise AttributeError(name)
        return getattr(self.terminal, name)

    def write(self, text: str) -> int:
        """Write a text; return its length."""
        self.terminal.write(printable(text))
        return len(text)

    def writelines(self, texts: Iterable[str]) -> None:
        """Write several texts."""
        for text in texts:
            self.write(text)
