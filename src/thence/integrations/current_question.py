"""The question that Inspect is asking, for the baselines.

It is a module of its own: Inspect may load the tasks twice, by entry point and by file, and both
must see the same variable.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, NamedTuple


class Turn(NamedTuple):
    """One turn of the conversation about a question.

    Attributes:
        row: of the sample.
        protocol: how it is asked.
        settings: parameters of the protocol.
        epoch: 0-based repeat.
        number: 0-based turn.
    """

    row: Mapping[str, Any]
    protocol: str
    settings: Mapping[str, Any]
    epoch: int
    number: int


ASKED: ContextVar[Turn | None] = ContextVar("asked", default=None)
