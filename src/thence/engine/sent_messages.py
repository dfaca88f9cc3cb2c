"""Messages of a run as they were sent, put together again and held against each response's key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from thence import families
from thence.core.sample import Sample
from thence.engine.conversations import response_key
from thence.engine.response_index import Turns
from thence.engine.run_information import RunRequest
from thence.errors import ThenceError
from thence.generation.few_shot_pool import Examples
from thence.prompts import template_loader
from thence.prompts.conversation import Conversation
from thence.prompts.protocol import Composed

_DAMAGED = (ThenceError, LookupError, TypeError, ValueError, AttributeError)


class SentMessages:
    """Messages of a run by response.

    Args:
        request: the run's request, as ``run.json`` has it.
    """

    def __init__(self, request: RunRequest) -> None:
        self._request = request

    @cached_property
    def _asked(self) -> Composed:
        templates = template_loader.templates(None)
        return self._request.composed_protocol.bound(Examples(templates))

    @property
    def prompt_alone(self) -> bool:
        """Whether every response is to the prompt of its sample and to nothing else."""
        return not (self._asked.shapes_first or self._asked.turns)

    def of(
        self, sample: Sample, epoch: int, turn: int, held: Turns
    ) -> Sequence[Mapping[str, str]] | None:
        """Return the messages to which a response came; None where they cannot be known.

        Args:
            sample: the question.
            epoch: of the response.
            turn: of the response.
            held: the responses to the sample.
        """
        response = held.get((epoch, turn))
        if response is None:
            return None
        try:
            templates = template_loader.templates(None)
            task = families.task(sample.task)
            talk = Conversation(sample, task, self._asked, templates)
            for place in range(turn):
                before = held.get((epoch, place))
                if before is None or not talk.hear(before.response or ""):
                    return None
            return talk.messages if self._fits(talk, sample, response.key, epoch, turn) else None
        except _DAMAGED:  # the run is another version's, or its templates are the user's
            return None

    def _fits(self, talk: Conversation, sample: Sample, key: str, epoch: int, turn: int) -> bool:
        """Tell whether a response's key is the hash of these messages."""
        model, shaping = self._request.model, self._request.generation
        schemas: list[Mapping[str, Any] | None] = [None]
        if shaping.get("structured"):
            schemas += [talk.schema, {"grammar": talk.grammar}]
        return any(
            response_key(sample.id, epoch, turn, model, shaping, talk.messages, schema) == key
            for schema in schemas
        )
