"""The place of a response in a run, and what is written there: a reply, or a failure."""

from __future__ import annotations

from dataclasses import dataclass

from thence.engine.response_index import Turns
from thence.errors import ProviderError
from thence.models.base import Reply, Usage
from thence.scoring.judge import Response


@dataclass(frozen=True, slots=True)
class ResponseSlot:
    """The place of one response in a run.

    Attributes:
        sample: id of the sample that it is about.
        epoch: 0-based repeat.
        turn: 0-based turn of the protocol.
        key: hash of all that shapes the response but the endpoint's address.
    """

    sample: str
    epoch: int
    turn: int
    key: str

    def response_in(self, held: Turns) -> Response | None:
        """Return the response to this very request, be it a failure; None where there is none.

        Args:
            held: the responses to the sample.
        """
        found = held.get((self.epoch, self.turn))
        return found if found is not None and found.key == self.key else None

    def is_answered_in(self, held: Turns) -> bool:
        """Return whether there is a response to this very request that is no failure."""
        found = self.response_in(held)
        return found is not None and found.error is None

    def answered(self, reply: Reply, latency: float | None = None) -> Response:
        """Return the response of a reply, which took so many seconds where that is known."""
        return Response(
            self.sample,
            self.epoch,
            self.turn,
            reply.text,
            reply.reasoning,
            reply.finish_reason,
            reply.usage.to_json() if reply.usage else None,
            latency,
            key=self.key,
        )

    def failed(self, error: ProviderError, usage: Usage | None = None, repeat: int = 0) -> Response:
        """Return the response of a request that failed.

        Args:
            error: of the last attempt.
            usage: tokens of all attempts; None where none were told.
            repeat: attempts that were answered with a failure.
        """
        return Response(
            self.sample,
            self.epoch,
            self.turn,
            usage=usage.to_json() if usage else None,
            error={
                "kind": error.kind,
                "message": str(error),
                "status": error.status,
                "repeat": repeat,
            },
            key=self.key,
        )
