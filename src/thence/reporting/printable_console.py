"""Console of rich on standard output or error, whose texts are printable; its width."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from shutil import get_terminal_size
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from thence.errors import printable

_PIPED = 80  # columns where standard output is no terminal


def width() -> int:
    """Return the columns of the terminal, those that ``COLUMNS`` gives, or those for a pipe."""
    if (sys.stdout is not None and sys.stdout.isatty()) or os.environ.get("COLUMNS"):
        return get_terminal_size((_PIPED, 24)).columns
    return _PIPED


class PrintableConsole(Console):
    """Console that shows control characters of its texts escaped; its own styles stay."""

    def __init__(self, *, stderr: bool = False, **settings: Any) -> None:
        stream = sys.stderr if stderr else sys.stdout
        file = getattr(stream, "terminal", None)  # of a `TerminalStream`
        super().__init__(stderr=stderr, file=file, **settings)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield the segments of a renderable; those that control the terminal are rich's own."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(printable(segment.text), segment.style)

    def on_broken_pipe(self) -> None:
        """Go on without output: who read it has had enough, but files are still to be written."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
