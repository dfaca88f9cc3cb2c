"""Status of a run on disk: what is done, missing, spent and expected."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from thence.core.prices import cost
from thence.engine.batch_notes import BatchNotes
from thence.engine.directory import RunDirectory
from thence.models.base import Usage
from thence.scoring.judge import Response


@dataclass(frozen=True)
class RunStatus:
    """Status of a run.

    Attributes:
        path: its folder.
        all: conversations, each a question in an epoch.
        done: those that came to their end.
        missing: the others.
        errors: those of the missing whose latest response is a provider's error.
        batches: how many are under way.
        tokens: of all responses, in and out.
        spent: USD of these; None where no price is known.
        expected: USD in all, if the rest costs as much as what is done; None where nothing is.
    """

    path: Path
    all: int
    done: int
    missing: int
    errors: int
    batches: int
    tokens: int
    spent: float | None
    expected: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``thence status --json``."""
        return {**asdict(self), "path": str(self.path)}


class _Counts:
    """Tokens, cost and errors of the responses of a file."""

    def __init__(self, prices: tuple[float, ...] | None) -> None:
        self.tokens = 0
        self.spent: float | None = None if prices is None else 0.0
        self.broken: set[tuple[str, int]] = set()
        self._prices = prices

    def add(self, response: Response) -> None:
        """Count a response."""
        usage = Usage.from_json(response.usage or {})
        self.tokens += usage.input_tokens + usage.output_tokens
        if self._prices is not None and self.spent is not None:
            self.spent += cost(usage.to_json(), self._prices) or 0.0
        place = response.id, response.epoch
        if response.error is None:
            self.broken.discard(place)
        else:
            self.broken.add(place)


def status(path: Path) -> RunStatus:
    """Return the status of a run.

    Raises:
        FileError: there is none, or it is damaged.
    """
    directory = RunDirectory(path)
    held = directory.information()
    counts = _Counts(held.prices)
    epochs = held.request.epochs
    stored = directory.responses(held.request.composed_protocol.turns, watch=counts.add)
    whole = held.samples * epochs
    done = min(whole, stored.finished(epochs))
    spent = counts.spent
    return RunStatus(
        path,
        whole,
        done,
        whole - done,
        len(counts.broken),
        len(BatchNotes(path, "").open()),
        counts.tokens,
        spent,
        None if spent is None or not done else spent * whole / done,
    )
