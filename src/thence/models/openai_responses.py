"""OpenAI's Responses, which tell what a reasoning model thought."""

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
    joined,
    mapping,
    merged,
    objects,
    refuse,
    text_of,
    without_system,
)

_CUT = {"max_output_tokens": "length", "content_filter": "refusal"}


class OpenAIResponses(Interface):
    """OpenAI's Responses; nothing is kept at the endpoint.

    Args:
        key_header: the header of the key, where it is no bearer token.
    """

    title = "OpenAI's Responses"

    def __init__(self, key_header: str | None = None) -> None:
        self._key_header = key_header

    def path(self, model: str) -> str:
        """Return the path of requests, below the base URL."""
        return "/responses"

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
        refuse("seed", sampling.seed, self.title, "leave it out, or ask by api=chat")
        if isinstance(sampling.reasoning, int):
            raise ParameterError(
                "reasoning",
                sampling.reasoning,
                f"{self.title} take a word, no number of tokens; give none, low, medium or high",
            )

    def payload(self, model: str, request: Request, sampling: Sampling) -> dict[str, Any]:
        """Return the JSON object of a request."""
        system, messages = without_system(request.messages)
        payload: dict[str, Any] = {"model": model, "input": list(messages), "store": False}
        payload |= given(
            instructions=system,
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            max_output_tokens=sampling.max_tokens,
        )
        if sampling.reasoning == "none":
            payload["reasoning"] = {"effort": "none"}
        elif sampling.reasoning is not None:
            payload["reasoning"] = {"effort": sampling.reasoning, "summary": "auto"}
        if sampling.structured and request.schema is not None:
            form = {"type": "json_schema", "name": "answer", "strict": True}
            payload["text"] = {"format": {**form, "schema": dict(request.schema)}}
        return merged(payload, sampling.extra_body)

    def read(self, data: Mapping[str, Any]) -> Reply:
        """Return the reply in the JSON object of a success.

        Raises:
            Unreadable: it is no object of this interface.
        """
        output, status = data.get("output"), text_of(data.get("status"))
        if not isinstance(output, list):
            raise Unreadable("no output")
        if status in ("queued", "in_progress", "cancelled"):
            raise Unreadable(f"a response that is {status}")
        texts: list[str | None] = []
        refusals: list[str | None] = []
        thoughts: list[str | None] = []
        for item in objects(output):
            if item.get("type") == "message":
                for part in objects(item.get("content")):
                    texts.append(_text(part, "output_text", "text"))
                    refusals.append(_text(part, "refusal", "refusal"))
            elif item.get("type") == "reasoning":
                parts = objects(item.get("summary")) or objects(item.get("content"))
                thoughts += [text_of(part.get("text")) for part in parts]
        refusal, text = joined(refusals), joined(texts)
        reason = text_of(mapping(data.get("incomplete_details")).get("reason"))
        finish = _CUT.get(reason, reason) if status == "incomplete" and reason else "stop"
        return Reply(
            text=refusal if refusal and not text else text,
            reasoning="\n\n".join(each for each in thoughts if each) or None,
            finish_reason="refusal" if refusal else finish,
            usage=self.usage(data),
        )

    def usage(self, data: Mapping[str, Any]) -> Usage | None:
        """Return the tokens that a JSON object tells of, also one that is no reply."""
        held = mapping(data.get("usage"))
        counts = [count_of(held.get(name)) for name in ("input_tokens", "output_tokens")]
        if counts == [None, None]:
            return None
        cached = mapping(held.get("input_tokens_details")).get("cached_tokens")
        thought = mapping(held.get("output_tokens_details")).get("reasoning_tokens")
        return Usage(
            counts[0] or 0,
            counts[1] or 0,
            cached_tokens=min(count_of(cached) or 0, counts[0] or 0),
            reasoning_tokens=min(count_of(thought) or 0, counts[1] or 0),
        )


def _text(part: Mapping[str, Any], kind: str, name: str) -> str | None:
    """Return the text of a part of this kind, or None."""
    value = part.get(name)
    return value if part.get("type") == kind and isinstance(value, str) else None
