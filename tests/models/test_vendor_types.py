"""Requests and replies held against the types of the vendors' own packages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from tests.fake_endpoint import Answer
from tests.models.test_native import EVERYTHING, SCHEMA, SHOTS, SYSTEM, sent
from thence.models.anthropic import AnthropicMessages
from thence.models.base import Sampling, Usage
from thence.models.gemini import GenerateContent
from thence.models.openai_responses import OpenAIResponses

pytestmark = pytest.mark.long
SAMPLINGS = [
    Sampling(),
    EVERYTHING,
    Sampling(reasoning="none"),
    Sampling(reasoning="low", max_tokens=50),
]
THOUGHT = Answer("Yes", message={"reasoning_content": "Hm."}, finish_reason="length")


def strict(kind: Any, value: Any) -> None:
    """A value fits a typed dictionary, and has no field that it lacks."""
    found = TypeAdapter(kind).validate_python(value, strict=False)
    assert set(found) == set(value)


@pytest.mark.parametrize("sampling", [*SAMPLINGS, Sampling(reasoning=2000)])
def test_messages_are_anthropics(sampling: Sampling) -> None:
    types = pytest.importorskip("anthropic.types")
    params = pytest.importorskip("anthropic.types.message_create_params")
    payload = sent(AnthropicMessages(), sampling, SYSTEM, *SHOTS)
    for older in ("temperature", "top_p"):  # of the version that older models speak alone
        payload.pop(older, None)
    strict(params.MessageCreateParamsNonStreaming, payload)
    message = types.Message.model_validate(THOUGHT.in_form("messages"), strict=True)
    reply = AnthropicMessages().read(message.model_dump(mode="json"))
    assert (reply.text, reply.reasoning, reply.finish_reason) == ("Yes", "Hm.", "length")
    assert reply.usage == Usage(12, 3)


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_responses_are_openais(sampling: Sampling) -> None:
    types = pytest.importorskip("openai.types.responses")
    params = pytest.importorskip("openai.types.responses.response_create_params")
    strict(
        params.ResponseCreateParamsNonStreaming, sent(OpenAIResponses(), sampling, SYSTEM, *SHOTS)
    )
    response = types.Response.model_validate(THOUGHT.in_form("responses"))
    reply = OpenAIResponses().read(response.model_dump(mode="json"))
    assert (reply.text, reply.reasoning, reply.finish_reason) == ("Yes", "Hm.", "length")
    assert reply.usage == Usage(12, 3)


@pytest.mark.parametrize("sampling", [*SAMPLINGS, Sampling(reasoning=2000, seed=4)])
def test_contents_are_what_googles_package_posts(sampling: Sampling) -> None:
    genai = pytest.importorskip("google.genai")
    types = genai.types
    posted: list[dict[str, Any]] = []

    client = genai.Client(api_key="k")

    def request(method: str, path: str, body: dict[str, Any], *rest: Any) -> Any:
        posted.append({name: each for name, each in body.items() if not name.startswith("_")})
        return types.HttpResponse(headers={}, body=json.dumps(THOUGHT.in_form("generate")))

    client._api_client.request = request
    thinking = {
        None: None,
        "none": types.ThinkingConfig(thinking_budget=0),
        2000: types.ThinkingConfig(thinking_budget=2000, include_thoughts=True),
        "low": types.ThinkingConfig(thinking_level="LOW", include_thoughts=True),
        "high": types.ThinkingConfig(thinking_level="HIGH", include_thoughts=True),
    }[sampling.reasoning]
    roles = {"assistant": "model"}
    answer = client.models.generate_content(
        model="m",
        contents=[
            types.Content(
                role=roles.get(each["role"], each["role"]),
                parts=[types.Part(text=each["content"])],
            )
            for each in SHOTS
        ],
        config=types.GenerateContentConfig(
            system_instruction=SYSTEM["content"],
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            max_output_tokens=sampling.max_tokens,
            seed=sampling.seed,
            response_mime_type="application/json" if sampling.structured else None,
            response_json_schema=SCHEMA if sampling.structured else None,
            thinking_config=thinking,
        ),
    )
    ours, theirs = sent(GenerateContent(), sampling, SYSTEM, *SHOTS), posted[0]
    thinking = theirs.get("generationConfig", {}).get("thinkingConfig", {})
    for name in list(thinking):  # the names of its own fields are taken as well
        first, _, second = name.partition("_")
        thinking[first + second.capitalize()] = thinking.pop(name)
    theirs["systemInstruction"].pop("role", None)
    if not theirs.get("generationConfig"):
        theirs.pop("generationConfig", None)
    assert ours == theirs
    reply = GenerateContent().read(THOUGHT.in_form("generate"))
    assert (answer.text, answer.candidates[0].finish_reason.name) == (reply.text, "MAX_TOKENS")
    assert (reply.reasoning, reply.finish_reason) == ("Hm.", "length")
