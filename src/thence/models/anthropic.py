"""Anthropic's Messages, at Anthropic and at Google's Vertex."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thence.errors import ParameterError
from thence.models.base import Message, Reply, Request, Sampling, Usage
from thence.models.interface import (
    Interface,
    Unreadable,
    count_of,
    given,
    joined,
    mapping,
    merged,
    objects,
    refuse,
    text_of,
    without_system,
)

VERSION = "2023-06-01"  # later versions refuse a temperature, which older models take
_VERTEX = "vertex-2023-10-16"
_LONGEST = 16_384  # tokens of a reply where none are asked for, as Messages need a number
_ROOM = 8_192  # tokens for the answer beside a number of tokens for thinking
_STOPS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


class AnthropicMessages(Interface):
    """Anthropic's Messages.

    Args:
        vertex: whether they are served by Google, where the model stands in the path.
    """

    title = "Anthropic's Messages"

    def __init__(self, *, vertex: bool = False) -> None:
        self._vertex = vertex

    def path(self, model: str) -> str:
        """Return the path of requests, below the base URL."""
        if self._vertex:
            return f"/publishers/anthropic/models/{model}:rawPredict"
        return "/messages"

    def headers(self, key: str | None) -> dict[str, str]:
        """Return the headers of requests beside those of every request."""
        if self._vertex:
            return super().headers(key)
        return {"anthropic-version": VERSION} | given(**{"x-api-key": key})

    def check(self, sampling: Sampling) -> None:
        """Refuse what the interface would ignore.

        Raises:
            ParameterError: naming the parameter.
        """
        refuse("seed", sampling.seed, self.title, "leave it out: epochs differ by chance")
        most, asked = sampling.max_tokens, sampling.reasoning
        if isinstance(asked, int) and most is not None and asked >= most:
            raise ParameterError(
                "reasoning", asked, f"must be less than max_tokens={most}, which counts thinking"
            )

    def payload(self, model: str, request: Request, sampling: Sampling) -> dict[str, Any]:
        """Return the JSON object of a request."""
        system, messages = without_system(request.messages)
        asked = sampling.reasoning
        room = asked + _ROOM if isinstance(asked, int) else _LONGEST
        payload: dict[str, Any] = {
            **({"anthropic_version": _VERTEX} if self._vertex else {"model": model}),
            "max_tokens": sampling.max_tokens or room,
            "messages": _with_cache(messages, request.turn),
        }
        payload |= given(system=system, temperature=sampling.temperature, top_p=sampling.top_p)
        if asked == "none":
            payload["thinking"] = {"type": "disabled"}
        elif isinstance(asked, int):
            payload["thinking"] = {
                "type": "enabled",
                "budget_tokens": asked,
                "display": "summarized",
            }
        elif asked is not None:
            payload["thinking"] = {"type": "adaptive", "display": "summarized"}
            payload["output_config"] = {"effort": asked}
        if sampling.structured and request.schema is not None:
            form = {"type": "json_schema", "schema": dict(request.schema)}
            payload["output_config"] = {**payload.get("output_config", {}), "format": form}
        return merged(payload, sampling.extra_body)

    def fault(self, data: Mapping[str, Any]) -> object:
        """Return the error in the JSON object of a success; nothing true where there is none."""
        return data.get("error") or data.get("type") == "error"

    def read(self, data: Mapping[str, Any]) -> Reply:
        """Return the reply in the JSON object of a success.

        Raises:
            Unreadable: it is no object of this interface.
        """
        content = data.get("content")
        if not isinstance(content, list):
            raise Unreadable("no message with content")
        texts: list[str | None] = []
        thoughts: list[str | None] = []
        for part in objects(content):
            if part.get("type") == "text" and isinstance(part.get("text"), str):
                texts.append(part["text"])
            elif part.get("type") == "thinking":
                thoughts.append(text_of(part.get("thinking")))
        stop = text_of(data.get("stop_reason"))
        text, finish = joined(texts), _STOPS.get(stop or "", stop)
        if finish == "refusal" and not text:
            text = text_of(mapping(data.get("stop_details")).get("explanation"))
        return Reply(text, joined(thoughts), finish, self.usage(data))

    def usage(self, data: Mapping[str, Any]) -> Usage | None:
        """Return the tokens that a JSON object tells of, also one that is no reply."""
        held = mapping(data.get("usage"))
        counts = [count_of(held.get(name)) for name in ("input_tokens", "output_tokens")]
        if counts == [None, None]:
            return None
        read = count_of(held.get("cache_read_input_tokens")) or 0
        written = count_of(held.get("cache_creation_input_tokens")) or 0
        thought = mapping(held.get("output_tokens_details")).get("thinking_tokens")
        return Usage(
            (counts[0] or 0) + read + written,  # what is cached is not among the first
            counts[1] or 0,
            cached_tokens=read,
            cache_write_tokens=written,
            reasoning_tokens=min(count_of(thought) or 0, counts[1] or 0),
        )


def _with_cache(messages: tuple[Message, ...] | list[Message] | Any, turn: int) -> list[Any]:
    """Return the messages, the last of the worked examples before the question marked as cached."""
    found: list[Any] = list(messages)
    last = len(found) - 2 - 2 * turn  # a question, and a reply with a question for each turn
    if last >= 0:
        part = {"type": "text", "text": found[last]["content"]}
        part["cache_control"] = {"type": "ephemeral"}
        found[last] = {**found[last], "content": [part]}
    return found
