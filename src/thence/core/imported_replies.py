"""Replies that were gathered by other software, in the form in which families read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from thence.core.sample import Sample


@dataclass(frozen=True, slots=True)
class GatheredReply:
    """One reply to one sample.

    Attributes:
        sample: the sample of the question, as far as the source describes it.
        text: the unchanged reply; None where there was none.
        error: ``kind`` and ``message`` of an error in place of a reply; else None.
        epoch: 0-based repeat.
        latency: its seconds, where known.
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
        model: name of the model in the source.
        source: the file or folder.
        replies: the replies in the order of the source, with replies to one sample in sequence.
        skipped: one line for each part that could not be read.
        notes: remarks that belong under any table of these replies.
    """

    model: str
    source: str
    replies: Sequence[GatheredReply]
    skipped: Sequence[str] = ()
    notes: Sequence[str] = ()
