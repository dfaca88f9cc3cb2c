"""The asking of a run in batches: made, looked at, read, and made again for what is left.

A round asks the next turn of every conversation. What failed, and may pass, goes with the next
round. Whatever stops the command, the notes tell the next start which batches are under way.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from thence.core.failures import plural
from thence.core.sample import Sample
from thence.engine.asking import CHARACTERS_PER_TOKEN
from thence.engine.batch_notes import MADE, MEANT, READ, BatchNote, BatchNotes, name_of
from thence.engine.conversations import Conversations
from thence.engine.directory import RESPONSES
from thence.engine.response_index import ResponseIndex
from thence.engine.response_log import ResponseLog
from thence.engine.response_slot import ResponseSlot
from thence.engine.run_config import Limits
from thence.engine.run_progress import Progress
from thence.errors import FileError, ProviderError, Rejected, Transient, UsageError
from thence.models.base import Request, Usage
from thence.models.batches import BatchService, BatchState, Doubtful, lost
from thence.models.hosted import HostedModel, encode
from thence.models.interface import mapping
from thence.models.interfaces import batches_of
from thence.models.replies import Received

_REQUEST = frozenset(("body", "params", "request"))  # of a line by vendor; of its result:
_RESULT = frozenset(("response", "result", "error"))
_PATIENCE = 20  # failures in a row to look at a batch, or to take its results


class BatchRunner:
    """Runner of one model over samples with one protocol, in batches; as `Runner` otherwise.

    Args:
        conversations: makes the conversations.
        limits: how often to look and to try again, and how much to spend.
        log: takes in the responses.
        progress: takes in what is done.
        identity: of the run.
        folder: of the run.

    Attributes:
        progress: as given.
        notes: of the run's batches.
    """

    def __init__(
        self,
        conversations: Conversations,
        limits: Limits,
        log: ResponseLog,
        progress: Progress,
        identity: str,
        folder: Path,
    ) -> None:
        model = conversations.model
        assert isinstance(model, HostedModel)
        self.progress = progress
        self._model = model
        self._service: BatchService = batches_of(model)
        self._limits = limits
        self._longest = conversations.sampling.max_tokens
        self._log = log
        self._responses = folder / RESPONSES
        self._conversations = conversations
        self.notes = BatchNotes(folder, identity)
        self._tries: Counter[str] = Counter()
        self._given_up: set[str] = set()
        self._costs: dict[str, float] = {}
        self._stop: str | None = None

    async def run(
        self,
        samples: Callable[[], Iterable[Sample]],
        count: int,
        epochs: int,
        stored: ResponseIndex,
        first_answer: Callable[[], None] = lambda: None,
    ) -> None:
        """Ask the questions that have no response on disk; arguments as for `Runner.run`.

        Raises:
            UsageError: the endpoint makes no batches, or cannot tell whether it made one.
            DiskError: a response or a note could not be written.
        """
        progress = self.progress
        progress.total = count * epochs
        before = progress.done = progress.reused = stored.finished(epochs)
        progress.on_change(progress)
        await self._settle()
        while self._stop is None:
            held = self._held()
            progress.done = held.finished(epochs)
            progress.answered = progress.done - before
            await self._submit(samples, epochs, held)
            under_way = [note for note in self.notes.open() if note.state == MADE]
            if not under_way:
                break
            if self._limits.batch_submit:
                self._stop = "batch_submit=True: the batches are made"
                break
            await self._collect(under_way)
        finished = self._held().finished(epochs)
        progress.done, progress.answered = finished, finished - before
        progress.waiting, progress.stopped = None, self._stop
        progress.on_change(progress)

    def _held(self) -> ResponseIndex:
        """Return what is on disk now."""
        self._log.sync()
        return ResponseIndex(self._responses, self._conversations.last)

    async def _settle(self) -> None:
        """Find out what became of batches that were about to be made when the command stopped."""
        for note in self.notes.open():
            if note.state != MEANT:
                continue
            names = [name for name, _ in note.requests()]
            try:
                note.batch = await self._service.find(note.token, note.since, names)
            except (Doubtful, ProviderError) as error:
                raise UsageError(
                    f"{note.path}: whether this batch was made before the stop is not known, and "
                    f"{self._model.address} does not tell: {error}. If it was not made, delete "
                    "this file and start again; if it was, bring its results by thence batch import"
                ) from error
            if note.batch is None:
                self.notes.drop(note)
            else:
                note.state = MADE
                note.write()

    async def _submit(
        self, samples: Callable[[], Iterable[Sample]], epochs: int, held: ResponseIndex
    ) -> None:
        """Make batches of all requests that can be made now."""
        for slots, lines in self.files(samples, epochs, held):
            cost = sum(self._costs.pop(each.key) for each in slots)
            await self._create(lines, slots, cost)
            await asyncio.sleep(0)

    def files(
        self,
        samples: Callable[[], Iterable[Sample]],
        epochs: int,
        held: ResponseIndex | None = None,
        *,
        exported: bool = False,
    ) -> Iterator[tuple[list[ResponseSlot], list[bytes]]]:
        """Yield the requests that no batch asks yet, as many together as a batch may have.

        It ends before what may be spent would be passed.

        Args:
            samples: goes through the samples from the first.
            epochs: repeats of each.
            held: what is on disk; None to look.
            exported: whether somebody else sends them, in a file.
        """
        under_way = {slot.key for note in self.notes.open() for _, slot in note.requests()}
        lines: list[bytes] = []
        slots: list[ResponseSlot] = []
        service, size, cost = self._service, 0, 0.0
        allowed, form = self._allowed(), service.file_line if exported else service.line
        for slot, request in self.pending(samples, epochs, held or self._held()):
            if slot.key in under_way or slot.key in self._given_up:
                continue
            line = encode(form(name_of(slot), self._model.payload(request))) + b"\n"
            dear = self._cost(request)
            if allowed is not None and cost + dear > allowed:
                self._stop = f"max_cost={self._limits.max_cost:g}: the next batch could pass it"
                break
            full = len(slots) >= service.most_requests or size + len(line) > service.most_bytes
            if slots and full:
                yield slots, lines
                lines, slots, size = [], [], 0
            self._costs[slot.key] = dear
            lines.append(line)
            slots.append(slot)
            size += len(line)
            cost += dear
        if slots:
            yield slots, lines

    def pending(
        self, samples: Callable[[], Iterable[Sample]], epochs: int, held: ResponseIndex
    ) -> Iterator[tuple[ResponseSlot, Request]]:
        """Yield the next request of every conversation that is not finished."""
        for epoch in range(epochs):
            for sample in samples():
                talk = self._conversations.resume(sample, epoch, held.of(sample.id))
                settled = talk.is_settled(accept_errors=self._limits.accept_errors)
                if talk.slot is not None and not settled:
                    yield talk.slot, talk.request

    def _allowed(self) -> float | None:
        """Return what may be spent yet beside the batches under way; None for no limit."""
        most = self._limits.max_cost
        if most is None:
            return None
        return most - self.progress.spending.spent - sum(note.cost for note in self.notes.open())

    def _cost(self, request: Request) -> float:
        """Return an estimate of the most that a request costs in a batch."""
        spending = self.progress.spending
        said = sum(len(each["content"]) for each in request.messages) // CHARACTERS_PER_TOKEN
        told = self._longest or spending.usage.output_tokens // max(1, spending.counted)
        return spending.cost_of(Usage(said, told, batch=True))

    async def _create(self, lines: list[bytes], slots: list[ResponseSlot], cost: float) -> None:
        """Make one batch, with its note before and after."""
        note = self.notes.new(slots, cost)
        self.progress.asked += len(slots)
        try:
            note.batch = await self._service.create(lines, note.token)
        except Rejected as error:  # it was not made
            self.notes.drop(note)
            raise UsageError(f"{self._model.address} makes no batch: {error}") from error
        except ProviderError as error:  # it may have been made
            raise UsageError(
                f"{self._model.address} did not say whether it made a batch: {error}; the same "
                "command asks it, and goes on"
            ) from error
        note.state = MADE
        note.write()

    async def _collect(self, notes: list[BatchNote]) -> None:
        """Wait for batches to end, and take each one's results as soon as it has."""
        left, failures, done = list(notes), Counter[str](), Counter[str]()
        while left:
            for note in list(left):
                try:
                    state = await self._service.state(str(note.batch))
                    done[note.token] = state.done
                    if state.ended:
                        await self._read(note, state)
                        left.remove(note)
                    failures[note.token] = 0
                except ProviderError as error:
                    failures[note.token] += 1
                    self.progress.said[error.kind] = str(error)
                    if isinstance(error, Rejected) or failures[note.token] >= _PATIENCE:
                        self._stop = f"{note.path} ({note.batch}): {error}"
                        return
            asked = sum(note.count for note in notes)
            self.progress.waiting = (
                f"{plural(len(left), 'batch')}, {done.total():,} of {asked:,} answered"
            )
            self.progress.on_change(self.progress)
            if left:
                await asyncio.sleep(self._limits.batch_poll)

    async def _read(self, note: BatchNote, state: BatchState) -> None:
        """Take the results of a batch that ended into the run."""
        wanted = self.wanted(note)
        if state.fault is None:
            paths = await self._service.fetch(state, note.path.parent)
            self._check_results(note, state, paths)
            for path in paths:
                take(path, self._service, wanted, self.answer)
            for path in paths:
                path.unlink(missing_ok=True)
            for each in list(wanted.values()):
                kind = "cancelled" if state.cancelled else "expired"
                self._fail(each, lost(kind, f"batch {note.batch} ended without a reply"))
            self._log.sync()
        note.state, note.word = READ, state.word
        note.write()
        if state.fault is not None:
            self._stop = f"batch {note.batch} was refused: {state.fault}"
        elif state.cancelled:
            self._stop = f"batch {note.batch} was cancelled elsewhere"

    def _check_results(self, note: BatchNote, state: BatchState, paths: Iterable[Path]) -> None:
        """Refuse files of something else, such as a proxy's page: what lacks a result is paid anew.

        Raises:
            Transient: they are to be fetched once more.
        """
        names = {name for name, _ in note.requests()}
        for path in paths:
            found = [self._service.read(mapping(row))[0] for row in self._service.rows(path)]
            if not (names.issuperset(found) and (found or state.cancelled)):
                message = f"what came as the results of batch {note.batch} holds something else"
                raise Transient("malformed", message)

    def wanted(self, note: BatchNote) -> dict[str, ResponseSlot]:
        """Return the slots of a batch that have no reply on disk, by the names of its requests."""
        held = self._held()
        return {  # the others were read before the last stop
            name: slot
            for name, slot in note.requests()
            if not slot.is_answered_in(held.of(slot.sample))
        }

    def sync(self) -> None:
        """Sync what was written to the disk."""
        self._log.sync()

    def answer(self, slot: ResponseSlot, found: Received | ProviderError) -> None:
        """Write what came of one request."""
        if isinstance(found, ProviderError):
            self._fail(slot, found)
            return
        try:
            reply = self._model.read(found)
        except ProviderError as error:
            self._fail(slot, error)
            return
        usage = replace(reply.usage, batch=True) if reply.usage else None
        self.progress.spending.add(usage)
        self._log.append(slot.answered(replace(reply, usage=usage)))

    def _fail(self, slot: ResponseSlot, error: ProviderError) -> None:
        """Write that a request failed; it goes with the next round if that may help."""
        self.progress.said[error.kind] = str(error)
        self._tries[slot.key] += 1
        if isinstance(error, Rejected) or self._tries[slot.key] > self._limits.max_retries:
            self._given_up.add(slot.key)
            self.progress.errors[error.kind] += 1
        else:
            self.progress.repeated[error.kind] += 1
        usage = Usage.from_json({**error.usage, "batch": True}) if error.usage else None
        self._log.append(slot.failed(error, usage))


def take(
    path: Path,
    service: BatchService,
    wanted: dict[str, ResponseSlot],
    answer: Callable[[ResponseSlot, Received | ProviderError], None],
) -> int:
    """Hand over the results in a file that were asked for; return how many others there are.

    Args:
        path: the file.
        service: reads it.
        wanted: slots of responses by the names of the requests; each that has a result is taken
            out.
        answer: takes a slot and its result.

    Raises:
        FileError: it holds requests.
    """
    others = 0
    for row in service.rows(path):
        if _RESULT.isdisjoint(mapping(row)) and not _REQUEST.isdisjoint(mapping(row)):
            raise FileError(f"{path}: holds requests; name the file that their batch gave back")
        name, found = service.read(mapping(row))
        slot = wanted.pop(name, None)
        if slot is None:
            others += 1
        else:
            answer(slot, found)
    return others
