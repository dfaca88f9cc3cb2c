"""OpenAI's chat completions, which most endpoints speak."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thence.errors import ParameterError
from thence.models.base import Reply, Request, Sampling, Usage
from thence.models.interface import (
    Interface,
    Unreadable,
    count_of,
    given,
    mapping,
    objects,
    refuse,
    text_of,
)


class ChatCompletions(Interface):
    """OpenAI's chat completions.

    Args:
        longest: the field of ``max_tokens``; OpenAI's reasoning models take
            ``max_completion_tokens`` alone.
        key_header: the header of the key, where it is no bearer token.
        ignored: parameters that the endpoint is known to ignore.
        owner: whose endpoint that is.
    """

    title = "chat completions"

    def __init__(
        self,
        longest: str = "max_tokens",
        key_header: str | None = None,
        ignored: tuple[str, ...] = (),
        owner: str = "",
    ) -> None:
        self._longest = longest
        self._key_header = key_header
        self._ignored = ignored
        self._owner = owner

    def path(self, model: str) -> str:
        """Return the path of requests, below the base URL."""
        return "/chat/completions"

    def headers(self, key: str | None) -> dict[str, str]:
        """Return the headers of requests beside those of every request."""
        if key is not None and self._key_header:
            return {self._key_header: key}
        return super().headers(key)

    def check(self, sampling: Sampling) -> None:
        """Refuse what the interface would ignore.

        Raises:
            ParameterError: naming the parameter.
        """
        if isinstance(sampling.reasoning, int):
            raise ParameterError(
                "reasoning",
                sampling.reasoning,
                "chat completions take a word, no number of tokens; give none, low, medium or high",
            )
        for name in self._ignored:
            mend = "leave it out, or ask by api=native"
            refuse(name, getattr(sampling, name), f"{self._owner}'s chat completions", mend)

    def payload(self, model: str, request: Request, sampling: Sampling) -> dict[str, Any]:
        """Return the JSON object of a request."""
        payload: dict[str, Any] = {"model": model, "messages": list(request.messages)}
        payload |= given(
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            **{self._longest: sampling.max_tokens},
            seed=None if sampling.seed is None else sampling.seed + request.epoch,
            reasoning_effort=sampling.reasoning,
        )
        if sampling.structured and request.schema is not None:
            schema = {"name": "answer", "strict": True, "schema": dict(request.schema)}
            payload["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif sampling.structured and request.grammar is not None:
            payload["grammar"] = request.grammar  # the field of llama.cpp
        return payload | dict(sampling.extra_body)

    def fault(self, data: Mapping[str, Any]) -> object:
        """Return the error in the JSON object of a success; nothing true where there is none."""
        # Routers put the failure of the server behind them into a success of their own.
        return data.get("error") or _choice(data).get("error")

    def read(self, data: Mapping[str, Any]) -> Reply:
        """Return the reply in the JSON object of a success.

        Raises:
            Unreadable: it is no object of this interface.
        """
        choice = _choice(data)
        message = choice.get("message")
        if not isinstance(message, dict):
            raise Unreadable("no choice with a message")
        content, thoughts = _contents(message.get("content"))
        if not isinstance(content, str | None):
            raise Unreadable("a message whose content is no text")
        finish = choice.get("finish_reason")
        refusal = text_of(message.get("refusal"))
        reasoning = text_of(message.get("reasoning_content")) or text_of(message.get("reasoning"))
        refused = refusal or finish == "content_filter"
        return Reply(
            text=refusal if refusal and not content else content,
            reasoning=reasoning or thoughts,
            finish_reason="refusal" if refused else text_of(finish),
            usage=self.usage(data),
        )

    def usage(self, data: Mapping[str, Any]) -> Usage | None:
        """Return the tokens that a JSON object tells of, also one that is no reply."""
        held = data.get("usage")
        if not isinstance(held, dict):
            return None
        counts = [count_of(held.get(name)) for name in ("prompt_tokens", "completion_tokens")]
        if counts == [None, None]:
            return None
        cached = mapping(held.get("prompt_tokens_details")).get("cached_tokens")
        thought = mapping(held.get("completion_tokens_details")).get("reasoning_tokens")
        return Usage(
            counts[0] or 0,
            counts[1] or 0,
            cached_tokens=min(count_of(cached) or 0, counts[0] or 0),
            reasoning_tokens=min(count_of(thought) or 0, counts[1] or 0),
        )


def _choice(data: Mapping[str, Any]) -> dict[str, Any]:
    choices = data.get("choices")
    return mapping(choices[0]) if isinstance(choices, list) and choices else {}


def _contents(content: object) -> tuple[object, str | None]:
    """Return the text of a message's content, and the reasoning among its parts.

    A list of parts is joined; a list of anything else is returned as it is.
    """
    if not isinstance(content, list):
        return content, None
    texts: list[str] = []
    thoughts: list[str] = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, dict):
            return content, None
        elif part.get("type") in ("thinking", "reasoning"):
            thoughts.append(_thought(part))
        elif isinstance(part.get("text"), str):
            texts.append(part["text"])
    return "".join(texts) if texts else None, "".join(thoughts) or None


def _thought(part: dict[str, Any]) -> str:
    """Return the text of a part of reasoning, which may be a list of parts itself."""
    for name in ("thinking", "reasoning", "text"):
        value = part.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return "".join(text_of(each.get("text")) or "" for each in objects(value))
    return ""
