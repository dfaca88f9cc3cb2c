"""The collector of cyclic garbage, held up while much is made that stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the collector of cyclic garbage, as while a block of questions is made.

    What a block is made of stays as long as the block, and there is much of it: looking through it
    again and again would take a tenth to a quarter of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
