"""Replies that were gathered elsewhere, as a family reads them; one place scores them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from thence.core.sample import Sample


@dataclass(frozen=True, slots=True)
class GatheredReply:
    """One reply to one sample.

    Attributes:
        sample: what was asked, as far as the source tells.
        text: the reply as it stands; None where there was none.
        error: ``kind`` and ``message`` of what came in place of a reply; else None.
        epoch: 0-based repeat.
        latency: seconds that it took, where known.
    """

    sample: Sample
    text: str | None
    error: Mapping[str, str] | None = None
    epoch: int = 0
    latency: float | None = None


@dataclass(frozen=True, slots=True)
class Gathered:
    """The replies of one model.

    Attributes:
        model: as the source names it.
        source: the file or folder.
        replies: in the order of the source, those to one sample side by side.
        skipped: one clear line each: what could not be read.
        notes: sentences that belong under any table of them.
    """

    model: str
    source: str
    replies: Sequence[GatheredReply]
    skipped: Sequence[str] = ()
    notes: Sequence[str] = ()
