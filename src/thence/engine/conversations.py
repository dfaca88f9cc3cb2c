"""The conversations of a run that are not finished, and the requests in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from thence import families
from thence.core.digest import digest
from thence.core.sample import Sample
from thence.engine.response_index import ResponseIndex, Turns
from thence.engine.run_progress import Progress
from thence.models.base import Model, Request, Sampling
from thence.models.baselines import Baseline
from thence.prompts.conversation import Conversation, Dialogue
from thence.prompts.protocol import Composed
from thence.prompts.templates import Templates


@dataclass(frozen=True, slots=True)
class PendingConversation:
    """A conversation that is not finished.

    Attributes:
        rank: its place among all; the lowest goes first.
        sample: what it is about.
        epoch: 0-based repeat.
        held: what is on disk of the sample.
    """

    rank: int
    sample: Sample
    epoch: int
    held: Turns


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
    """

    def __init__(
        self, model: Model, protocol: Composed, templates: Templates, sampling: Sampling
    ) -> None:
        self.last = protocol.turns
        self._model = model
        self._protocol = protocol
        self._templates = templates
        self._structured = sampling.structured
        self._system = sampling.system
        self._shaping = sampling.to_json()

    def open(
        self,
        samples: Callable[[], Iterable[Sample]],
        epochs: int,
        stored: ResponseIndex,
        progress: Progress,
        *,
        accept_errors: bool,
    ) -> Iterator[PendingConversation | None]:
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
                    if self._is_recorded(sample, epoch, held, accept_errors=accept_errors):
                        progress.done += 1
                        progress.reused += 1
                        yield None
                    else:
                        last = again * progress.total
                        yield PendingConversation(rank + last, sample, epoch, held)

    def _is_recorded(self, sample: Sample, epoch: int, held: Turns, *, accept_errors: bool) -> bool:
        """Return whether a conversation is finished on disk with the requests it would have."""
        if not held:
            return False
        conversation = self.begin(sample)
        for turn in range(self.last + 1):
            response = held.get((epoch, turn))
            if response is None or response.key != self.key(sample, epoch, turn, conversation):
                return False
            if response.error is not None:
                return accept_errors
            if not conversation.hear(response.response or ""):
                break
        return True

    def begin(self, sample: Sample) -> Dialogue:
        """Return a new conversation about a sample."""
        return Conversation(sample, families.task(sample.task), self._protocol, self._templates)

    def key(self, sample: Sample, epoch: int, turn: int, conversation: Dialogue) -> str:
        """Return the key of the response to the next turn."""
        schema, grammar = self._shape(conversation)
        return response_key(
            sample.id,
            epoch,
            turn,
            self._model.name,
            self._shaping,
            conversation.messages,
            schema if grammar is None else {"grammar": grammar},
        )

    def model_for(self, sample: Sample, conversation: Dialogue) -> Model:
        """Return the model to ask about a sample: a baseline is told which one it is."""
        model = self._model
        if not (isinstance(model, Baseline) and isinstance(conversation, Conversation)):
            return model
        return model.about(sample, partial(conversation.write, proved=model.proves))

    def request(self, epoch: int, turn: int, conversation: Dialogue) -> Request:
        """Return the request for the next turn."""
        schema, grammar = self._shape(conversation)
        messages = conversation.messages
        if self._system is not None:
            messages = ({"role": "system", "content": self._system}, *messages)
        return Request(messages, epoch, turn, schema, grammar)

    def _shape(self, conversation: Dialogue) -> tuple[Mapping[str, Any] | None, str | None]:
        """Return the schema or, for a reply that is no JSON, the grammar to ask for, if any."""
        if not self._structured:
            return None, None
        schema = conversation.schema
        return schema, conversation.grammar if schema is None and self._model.grammars else None
