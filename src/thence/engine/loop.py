"""Running asynchronous work from code that is not."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import closing
from typing import Any


def run[T](work: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run` that leaves nothing behind where an interrupt comes before the first step.

    Python would say on standard error that the work was never awaited, beside our one line.
    """
    with closing(work):
        return asyncio.run(work)
