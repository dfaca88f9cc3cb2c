"""Gemini's generateContent, at Google's AI Studio and at Vertex."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    text_of,
    without_system,
)

_STOPS = {"STOP": "stop", "MAX_TOKENS": "length"}
_REFUSALS = frozenset(
    (
        "SAFETY",
        "RECITATION",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
    )
)


class GenerateContent(Interface):
    """Gemini's generateContent.

    Args:
        vertex: whether it is served by Vertex, where models stand below their publisher.
    """

    title = "Gemini's generateContent"

    def __init__(self, *, vertex: bool = False) -> None:
        self._vertex = vertex

    def path(self, model: str) -> str:
        """Return the path of requests, below the base URL."""
        return f"{self.folder(model)}:generateContent"

    def folder(self, model: str) -> str:
        """Return the path of a model, below the base URL."""
        name = model.removeprefix("models/")
        return f"/publishers/google/models/{name}" if self._vertex else f"/models/{name}"

    def headers(self, key: str | None) -> dict[str, str]:
        """Return the headers of requests beside those of every request."""
        return given(**{"x-goog-api-key": key})

    def payload(self, model: str, request: Request, sampling: Sampling) -> dict[str, Any]:
        """Return the JSON object of a request."""
        system, messages = without_system(request.messages)
        roles = {"assistant": "model"}
        payload: dict[str, Any] = {
            "contents": [
                {
                    "role": roles.get(each["role"], each["role"]),
                    "parts": [{"text": each["content"]}],
                }
                for each in messages
            ]
        }
        if system is not None:
            payload["systemInstruction"] = {"parts": [{"text": system}]}
        settings = given(
            temperature=sampling.temperature,
            topP=sampling.top_p,
            maxOutputTokens=sampling.max_tokens,
            seed=None if sampling.seed is None else sampling.seed + request.epoch,
            thinkingConfig=_thinking(sampling.reasoning),
        )
        if sampling.structured and request.schema is not None:
            settings["responseMimeType"] = "application/json"
            settings["responseJsonSchema"] = dict(request.schema)
        if settings:
            payload["generationConfig"] = settings
        return merged(payload, sampling.extra_body)

    def read(self, data: Mapping[str, Any]) -> Reply:
        """Return the reply in the JSON object of a success.

        Raises:
            Unreadable: it is no object of this interface.
        """
        candidates = objects(data.get("candidates"))
        blocked = text_of(mapping(data.get("promptFeedback")).get("blockReason"))
        if not candidates:
            if blocked is None:
                raise Unreadable("no candidate")
            return Reply(None, None, "refusal", self.usage(data))
        parts = objects(mapping(candidates[0].get("content")).get("parts"))
        texts = [part["text"] for part in parts if not _is_thought(part) and _has_text(part)]
        thoughts = [part["text"] for part in parts if _is_thought(part) and _has_text(part)]
        stop = text_of(candidates[0].get("finishReason"))
        finish = "refusal" if stop in _REFUSALS else _STOPS.get(stop or "", stop)
        return Reply(joined(texts), joined(thoughts), finish, self.usage(data))

    def usage(self, data: Mapping[str, Any]) -> Usage | None:
        """Return the tokens that a JSON object tells of, also one that is no reply."""
        held = mapping(data.get("usageMetadata"))
        names = ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount")
        asked, told, thought = (count_of(held.get(name)) for name in names)
        if asked is None and told is None:
            return None
        return Usage(
            asked or 0,
            (told or 0) + (thought or 0),  # thinking is billed, and counted apart
            cached_tokens=min(count_of(held.get("cachedContentTokenCount")) or 0, asked or 0),
            reasoning_tokens=thought or 0,
        )


def _thinking(reasoning: str | int | None) -> dict[str, Any] | None:
    if reasoning is None:
        return None
    if reasoning == "none":
        return {"thinkingBudget": 0}
    if isinstance(reasoning, int):
        return {"thinkingBudget": reasoning, "includeThoughts": True}
    return {"thinkingLevel": reasoning.upper(), "includeThoughts": True}


def _is_thought(part: Mapping[str, Any]) -> bool:
    return part.get("thought") is True


def _has_text(part: Mapping[str, Any]) -> bool:
    return isinstance(part.get("text"), str)
