"""Process of the command: ``thence`` and ``python -m thence``."""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False  # of `typing`, which takes long to import
if TYPE_CHECKING:
    from types import FrameType


def main() -> None:
    """Run the command and end the process with its exit status."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)  # until the command is loaded, which takes 0.1 s
    from thence.cli import main as command

    command()


def _end(number: int, frame: FrameType | None) -> None:
    """End the process, which has done nothing yet."""
    os.write(2, b"thence: interrupted before anything was done\n")
    os._exit(128 + number)


if __name__ == "__main__":
    main()
