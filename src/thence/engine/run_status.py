"""Status of a run on disk: what is done, missing, spent and expected."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from thence.core.prices import Prices
from thence.engine.batch_notes import BatchNotes
from thence.engine.directory import RunDirectory
from thence.engine.spending import Spending
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

    def __init__(self, prices: Prices | None) -> None:
        self.spending = Spending(prices)
        self.broken: set[tuple[str, int]] = set()

    def add(self, response: Response) -> None:
        """Count a response."""
        self.spending.add(Usage.from_json(response.usage or {}))
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
    usage = counts.spending.usage
    spent = counts.spending.cost
    return RunStatus(
        path,
        whole,
        done,
        whole - done,
        len(counts.broken),
        len(BatchNotes(path, "").open()),
        usage.input_tokens + usage.output_tokens,
        spent,
        None if spent is None or not done else spent * whole / done,
    )
