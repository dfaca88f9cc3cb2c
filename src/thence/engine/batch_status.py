"""States of the batches of a run: what its notes tell, and what the endpoint tells of them now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from thence.engine.batch_files import recorded_model
from thence.engine.batch_notes import EXPORTED, MADE, MEANT, READ, BatchNote, BatchNotes
from thence.engine.directory import RunDirectory
from thence.engine.event_loop import run_blocking
from thence.errors import FileError, ParameterError, ProviderError, UsageError
from thence.models.batches import BatchService
from thence.models.hosted import HostedModel
from thence.models.interfaces import batches_of
from thence.models.select import Connection

_STATES = {MEANT: "unknown", MADE: "made", READ: "taken", EXPORTED: "in a file"}


@dataclass(frozen=True)
class BatchStatus:
    """Status of one batch.

    Attributes:
        note: the file in the run's folder that tells of it.
        batch: the endpoint's name of it; None where it has none, or none is known.
        state: ``made``; ``ended``, where its results can be taken; ``taken``, where they are in the
            run; ``in a file`` that somebody else sends; ``unknown``, where the command was stopped
            while it was made.
        word: the endpoint's word for its state; None where it was not asked.
        requests: how many it holds.
        answered: how many of them are, as far as the endpoint tells; None where it was not asked.
        since: when it was made, in ISO 8601.
        fault: why nothing could be learnt of it, or why the endpoint refused it; None for neither.
    """

    note: str
    batch: str | None
    state: str
    word: str | None
    requests: int
    answered: int | None
    since: str
    fault: str | None = None

    @property
    def is_left(self) -> bool:
        """Whether its results are not in the run yet."""
        return self.state != _STATES[READ]

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``thence batch status --json``."""
        return asdict(self)


def batch_statuses(directory: RunDirectory, connection: Connection) -> list[BatchStatus]:
    """Return the status of each batch of a run, the first first; nothing is changed.

    Args:
        directory: the run's.
        connection: how to ask the endpoint about those that it is at work on. Its address is never
            taken from the run, so that no folder decides where a key goes.

    Raises:
        FileError: there is no run, or it is damaged.
        ParameterError: a setting of the connection that no endpoint could be asked with.
    """
    request = directory.information().request
    notes = BatchNotes(directory.path, "").all()
    found = {note.token: _noted(note) for note in notes}
    made = [note for note in notes if note.state == MADE]
    if made:
        try:
            model = recorded_model(directory, request, connection)
        except (ParameterError, FileError):
            raise
        except UsageError as error:  # a key or an address is missing
            found |= {note.token: replace(_noted(note), fault=str(error)) for note in made}
        else:
            found |= run_blocking(_look(model, made))
    return list(found.values())


async def _look(model: HostedModel, notes: Iterable[BatchNote]) -> dict[str, BatchStatus]:
    """Return what the endpoint tells of some batches, by their tokens."""
    async with model:
        service = batches_of(model)
        return {note.token: await _seen(service, note) for note in notes}


def _noted(note: BatchNote) -> BatchStatus:
    """Return what a note tells."""
    since = datetime.fromtimestamp(note.since, UTC).isoformat(timespec="seconds")
    return BatchStatus(
        str(note.path), note.batch, _STATES[note.state], note.word, note.count, None, since
    )


async def _seen(service: BatchService, note: BatchNote) -> BatchStatus:
    """Return what the endpoint tells of a batch that was made."""
    known = _noted(note)
    try:
        state = await service.state(str(note.batch))
    except ProviderError as error:
        return replace(known, fault=str(error))
    return replace(
        known,
        state="ended" if state.ended else known.state,
        word=state.word,
        answered=state.done,
        fault=state.fault,
    )
