"""Notes on the batches of a run: which were made, what they ask for, what became of them.

A note is on the disk before its batch is made, so that a stop between the two is seen, and the
endpoint is asked what it knows before anything is made, and paid for, once more.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thence.core.digest import compact_json, digest
from thence.engine.directory import BATCHES
from thence.engine.response_slot import ResponseSlot
from thence.errors import FileError
from thence.system.disk import disk, replacing, sync_folder

MEANT, MADE, READ, EXPORTED = "meant", "made", "read", "exported"
"""States of a note: its batch is about to be made, is made, its results are in the run, or it is a
file that somebody else sends."""


def name_of(slot: ResponseSlot) -> str:
    """Return the name in a batch of the request for the response of a slot."""
    return f"t{slot.turn}-{digest(slot.key, size=16)}"


@dataclass
class BatchNote:
    """Note on disk about one batch.

    Attributes:
        path: of the note.
        token: tells the batch from all others.
        state: MEANT, MADE, READ or EXPORTED.
        since: seconds of the epoch when it was meant.
        count: how many requests it has.
        batch: the endpoint's name of it, once it is made.
        word: the endpoint's word for its state, when it was last seen.
        cost: the most that it is thought to cost in USD; 0 where no price is known.
    """

    path: Path
    token: str
    state: str = MEANT
    since: float = field(default_factory=time.time)
    count: int = 0
    batch: str | None = None
    word: str | None = None
    cost: float = 0.0

    @property
    def keys(self) -> Path:
        """The file of its requests."""
        return self.path.with_suffix(".keys.jsonl")

    def requests(self) -> Iterator[tuple[str, ResponseSlot]]:
        """Yield the name of each request with the slot of its response.

        Raises:
            FileError: they are damaged.
        """
        try:
            with disk(self.keys), self.keys.open(encoding="utf-8") as file:
                for line in file:
                    name, *place = json.loads(line)
                    yield name, ResponseSlot(*place)
        except (ValueError, TypeError) as error:
            raise FileError(f"{self.keys}: damaged; put it back from a copy") from error

    def write(self) -> None:
        """Write the note, safe from a power cut."""
        held = {
            name: getattr(self, name)
            for name in ("token", "state", "since", "count", "batch", "word", "cost")
        }
        with replacing(self.path) as part:
            part.write_text(json.dumps(held, indent=2) + "\n", encoding="utf-8")

    def write_requests(self, slots: list[ResponseSlot]) -> None:
        """Write what it asks for, before itself."""
        self.count = len(slots)
        with replacing(self.keys) as part, part.open("w", encoding="utf-8") as file:
            for each in slots:
                row = [name_of(each), each.sample, each.epoch, each.turn, each.key]
                file.write(compact_json(row) + "\n")


class BatchNotes:
    """The notes of a run, in its folder ``batch``."""

    def __init__(self, run: Path, identity: str) -> None:
        self.folder = run / BATCHES
        self._identity = identity[:24]

    def all(self) -> list[BatchNote]:
        """Return all notes, the first first.

        Raises:
            FileError: one is damaged.
        """
        found = []
        for path in sorted(self.folder.glob("[0-9]*.json")):
            try:
                with disk(path):
                    held: dict[str, Any] = json.loads(path.read_bytes())
                note = BatchNote(path, **held)
                known = note.state in (MEANT, MADE, READ, EXPORTED)
            except (ValueError, TypeError):
                known = False
            if not known:
                raise FileError(f"{path}: damaged; put it back from a copy")
            found.append(note)
        return found

    def open(self) -> list[BatchNote]:
        """Return the notes whose results are not in the run yet."""
        return [note for note in self.all() if note.state != READ]

    def new(self, slots: list[ResponseSlot], cost: float = 0.0, state: str = MEANT) -> BatchNote:
        """Return a new note, by default of a batch that is about to be made; it is on the disk."""
        with disk(self.folder):
            self.folder.mkdir(exist_ok=True)
        sync_folder(self.folder.parent)
        number = 1 + max((int(path.stem) for path in self.folder.glob("[0-9]*.json")), default=0)
        note = BatchNote(self.folder / f"{number:04d}.json", f"{self._identity}-{number:04d}")
        note.cost, note.state = cost, state
        note.write_requests(slots)
        note.write()
        return note

    def drop(self, note: BatchNote) -> None:
        """Forget a batch that was not made."""
        with disk(note.path):
            note.path.unlink()
            note.keys.unlink()
