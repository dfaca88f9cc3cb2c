"""The conversations of a run that are not finished, and the requests in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from thence import families
from thence.core.digest import digest
from thence.core.sample import Sample
from thence.engine.response_index import ResponseIndex, Turns
from thence.engine.response_slot import ResponseSlot
from thence.engine.run_progress import Progress
from thence.models.base import Model, Request, Sampling
from thence.models.baselines import Baseline
from thence.prompts.conversation import Conversation, Dialogue
from thence.prompts.protocol import Composed
from thence.prompts.templates import Templates
from thence.scoring.judge import Response


def response_key(
    sample: str,
    epoch: int,
    turn: int,
    model: str,
    sampling: Mapping[str, Any],
    messages: Iterable[Mapping[str, str]],
    schema: Mapping[str, Any] | None = None,
) -> str:
    """Return the key of a response: a hash of all that shaped it but the endpoint's address."""
    said = [dict(each) for each in messages]
    shaped = [] if schema is None else [dict(schema)]
    return digest(sample, epoch, turn, model, sampling, said, *shaped)


class Conversations:
    """Maker of the conversations of a run.

    Args:
        model: whom they are with.
        protocol: how a sample is put.
        templates: what words the prompts.
        sampling: what shapes the replies.

    Attributes:
        model: as given.
        sampling: as given.
        last: 0-based last turn of each.
    """

    def __init__(
        self, model: Model, protocol: Composed, templates: Templates, sampling: Sampling
    ) -> None:
        self.model = model
        self.sampling = sampling
        self.last = protocol.turns
        self._protocol = protocol
        self._templates = templates
        self._shaping = sampling.to_json()

    def open(
        self,
        samples: Callable[[], Iterable[Sample]],
        epochs: int,
        stored: ResponseIndex,
        progress: Progress,
        *,
        accept_errors: bool,
    ) -> Iterator[ResumedConversation | None]:
        """Yield the conversations that are not finished on disk, and None for each that is.

        Those that failed before come last: where they always fail, the others are asked at least.
        """
        failed = False
        for again in (False, True):
            if again and not failed:
                return
            rank = 0
            for epoch in range(epochs):
                for sample in samples():
                    rank += 1
                    held = stored.of(sample.id)
                    broke = any(e == epoch and held[e, t].error is not None for e, t in held)
                    if broke and not again:
                        failed = True
                    if broke is not again:
                        continue
                    talk = self.resume(sample, epoch, held, rank + again * progress.total)
                    if talk.is_settled(accept_errors=accept_errors):
                        progress.done += 1
                        progress.reused += 1
                        yield None
                    else:
                        yield talk

    def resume(self, sample: Sample, epoch: int, held: Turns, rank: int = 0) -> ResumedConversation:
        """Return a conversation with all replies that are on disk.

        Args:
            sample: what it is about.
            epoch: 0-based repeat.
            held: what is on disk of the sample.
            rank: its place among all; the lowest goes first.
        """
        return ResumedConversation(self, sample, epoch, held, rank)

    def begin(self, sample: Sample) -> Dialogue:
        """Return a new conversation about a sample."""
        return Conversation(sample, families.task(sample.task), self._protocol, self._templates)

    def slot(self, sample: Sample, epoch: int, turn: int, conversation: Dialogue) -> ResponseSlot:
        """Return the slot of the response to the next turn."""
        schema, grammar = self._shape(conversation)
        key = response_key(
            sample.id,
            epoch,
            turn,
            self.model.name,
            self._shaping,
            conversation.messages,
            schema if grammar is None else {"grammar": grammar},
        )
        return ResponseSlot(sample.id, epoch, turn, key)

    def hear(self, conversation: Dialogue, response: Response) -> bool:
        """Add the reply of a response; return whether another turn follows."""
        return conversation.hear(response.response or "")

    def model_for(self, sample: Sample, conversation: Dialogue) -> Model:
        """Return the model to ask about a sample: a baseline is told which one it is."""
        model = self.model
        if not (isinstance(model, Baseline) and isinstance(conversation, Conversation)):
            return model
        return model.about(sample, partial(conversation.write, proved=model.proves))

    def request(self, epoch: int, turn: int, conversation: Dialogue) -> Request:
        """Return the request for the next turn."""
        schema, grammar = self._shape(conversation)
        messages = conversation.messages
        if self.sampling.system is not None:
            messages = ({"role": "system", "content": self.sampling.system}, *messages)
        return Request(messages, epoch, turn, schema, grammar)

    def _shape(self, conversation: Dialogue) -> tuple[Mapping[str, Any] | None, str | None]:
        """Return the schema or, for a reply that is no JSON, the grammar to ask for, if any."""
        if not self.sampling.structured:
            return None, None
        schema = conversation.schema
        return schema, conversation.grammar if schema is None and self.model.grammars else None


class ResumedConversation:
    """A conversation of a run, gone on with from what is on disk.

    Attributes:
        sample: what it is about.
        epoch: 0-based repeat.
        rank: its place among all; the lowest goes first.
        chat: its messages, with all replies so far.
        slot: of the response that it waits for; None once it is over.
        failure: what is on disk in that slot: a failure, or None.
    """

    def __init__(
        self, maker: Conversations, sample: Sample, epoch: int, held: Turns, rank: int
    ) -> None:
        self.sample = sample
        self.epoch = epoch
        self.rank = rank
        self._maker = maker
        self._held = held
        self.chat = maker.begin(sample)
        self.slot: ResponseSlot | None = maker.slot(sample, epoch, 0, self.chat)
        self._hear_held()

    def hear(self, response: Response) -> None:
        """Add the reply that it waits for, and those on disk to the turns after it."""
        self._add(response)
        self._hear_held()

    def _hear_held(self) -> None:
        """Add the replies on disk up to the first turn that has none."""
        self.failure: Response | None = None
        while self.slot is not None:
            found = self.slot.response_in(self._held)
            if found is None or found.error is not None:
                self.failure = found
                return
            self._add(found)

    def _add(self, response: Response) -> None:
        assert self.slot is not None
        turn = self.slot.turn + 1
        goes_on = self._maker.hear(self.chat, response) and turn <= self._maker.last
        self.slot = self._maker.slot(self.sample, self.epoch, turn, self.chat) if goes_on else None

    @property
    def model(self) -> Model:
        """The model to ask."""
        return self._maker.model_for(self.sample, self.chat)

    @property
    def request(self) -> Request:
        """The request for the response that it waits for."""
        assert self.slot is not None
        return self._maker.request(self.epoch, self.slot.turn, self.chat)

    @property
    def ended_on_disk(self) -> bool:
        """Whether a reply to the last turn was on disk, whatever it was asked with."""
        last = self._held.get((self.epoch, self._maker.last))
        return last is not None and last.error is None

    def is_settled(self, *, accept_errors: bool) -> bool:
        """Return whether nothing is left to ask."""
        return self.slot is None or (accept_errors and self.failure is not None)
