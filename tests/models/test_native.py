"""The vendors' own interfaces: what is sent, what is read, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fake_endpoint import FakeEndpoint
from thence.errors import ParameterError
from thence.models.anthropic import AnthropicMessages
from thence.models.base import Reply, Request, Sampling, Usage
from thence.models.gemini import GenerateContent
from thence.models.interface import Interface, Unreadable
from thence.models.openai import ChatCompletions
from thence.models.openai_responses import OpenAIResponses
from thence.models.select import Connection, open_model, settled

SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}}
SYSTEM = {"role": "system", "content": "Be brief."}
SHOTS = (
    {"role": "user", "content": "q1"},
    {"role": "assistant", "content": "a1"},
    {"role": "user", "content": "q2"},
)
EVERYTHING = Sampling(
    temperature=0.5, top_p=0.9, max_tokens=9000, structured=True, reasoning="high"
)


def sent(interface: Interface, sampling: Sampling, *messages: dict[str, str]) -> dict[str, Any]:
    return interface.payload("m", Request(messages or SHOTS[:1], schema=SCHEMA), sampling)


class TestPayloads:
    def test_messages(self) -> None:
        body = sent(AnthropicMessages(), EVERYTHING, SYSTEM, *SHOTS)
        cached = {"type": "text", "text": "a1", "cache_control": {"type": "ephemeral"}}
        assert body == {
            "model": "m",
            "max_tokens": 9000,
            "system": "Be brief.",
            "messages": [SHOTS[0], {"role": "assistant", "content": [cached]}, SHOTS[2]],
            "temperature": 0.5,
            "top_p": 0.9,
            "thinking": {"type": "adaptive", "display": "summarized"},
            "output_config": {
                "effort": "high",
                "format": {"type": "json_schema", "schema": SCHEMA},
            },
        }

    def test_messages_with_a_budget_leave_room_for_the_answer(self) -> None:
        body = sent(AnthropicMessages(), Sampling(reasoning=2048))
        budget = {"type": "enabled", "budget_tokens": 2048, "display": "summarized"}
        assert (body["thinking"], body["max_tokens"]) == (budget, 2048 + 8192)

    def test_only_worked_examples_are_cached(self) -> None:
        chat = (*SHOTS, {"role": "assistant", "content": "a2"}, {"role": "user", "content": "sure"})
        body = AnthropicMessages().payload("m", Request(chat, turn=1), Sampling())
        assert [isinstance(each["content"], list) for each in body["messages"]] == [
            False, True, False, False, False,
        ]  # fmt: skip
        body = AnthropicMessages().payload("m", Request(chat[2:], turn=1), Sampling())
        assert all(isinstance(each["content"], str) for each in body["messages"])

    def test_generate_content(self) -> None:
        body = sent(GenerateContent(), EVERYTHING, SYSTEM, *SHOTS)
        assert body == {
            "systemInstruction": {"parts": [{"text": "Be brief."}]},
            "contents": [
                {"role": "user", "parts": [{"text": "q1"}]},
                {"role": "model", "parts": [{"text": "a1"}]},
                {"role": "user", "parts": [{"text": "q2"}]},
            ],
            "generationConfig": {
                "temperature": 0.5,
                "topP": 0.9,
                "maxOutputTokens": 9000,
                "responseMimeType": "application/json",
                "responseJsonSchema": SCHEMA,
                "thinkingConfig": {"thinkingLevel": "HIGH", "includeThoughts": True},
            },
        }

    def test_responses(self) -> None:
        body = sent(OpenAIResponses(), EVERYTHING, SYSTEM, *SHOTS)
        form = {"type": "json_schema", "name": "answer", "strict": True, "schema": SCHEMA}
        assert body == {
            "model": "m",
            "input": list(SHOTS),
            "instructions": "Be brief.",
            "store": False,
            "temperature": 0.5,
            "top_p": 0.9,
            "max_output_tokens": 9000,
            "reasoning": {"effort": "high", "summary": "auto"},
            "text": {"format": form},
        }

    def test_chat_completions_at_openai_itself(self) -> None:
        body = sent(ChatCompletions("max_completion_tokens"), Sampling(max_tokens=5), SYSTEM)
        assert body == {"model": "m", "messages": [SYSTEM], "max_completion_tokens": 5}

    @pytest.mark.parametrize(
        ("level", "thinking"),
        [
            ("none", {"thinkingBudget": 0}),
            (512, {"thinkingBudget": 512, "includeThoughts": True}),
        ],
    )
    def test_gemini_thinks_as_much_as_it_is_told(self, level: Any, thinking: object) -> None:
        body = sent(GenerateContent(), Sampling(reasoning=level, seed=3))
        assert body["generationConfig"] == {"thinkingConfig": thinking, "seed": 3}

    def test_an_extra_body_goes_into_what_is_there(self) -> None:
        more = {"generationConfig": {"topK": 5}, "safetySettings": []}
        body = sent(GenerateContent(), Sampling(temperature=0.0, extra_body=more))
        assert body["generationConfig"] == {"temperature": 0.0, "topK": 5}
        assert body["safetySettings"] == []


class TestReplies:
    def test_messages(self) -> None:
        content = [
            {"type": "thinking", "thinking": "Hm.", "signature": "x"},
            {"type": "redacted_thinking", "data": "x"},
            {"type": "text", "text": "Yes"},
            {"type": "text", "text": "."},
        ]
        usage = {
            "input_tokens": 10,
            "cache_read_input_tokens": 100,
            "cache_creation_input_tokens": 50,
            "output_tokens": 7,
            "output_tokens_details": {"thinking_tokens": 4},
        }
        reply = AnthropicMessages().read(
            {"content": content, "stop_reason": "end_turn", "usage": usage}
        )
        assert reply == Reply("Yes.", "Hm.", "stop", Usage(160, 7, 100, 50, 4))

    @pytest.mark.parametrize(
        ("stop", "finish"),
        [
            ("max_tokens", "length"),
            ("model_context_window_exceeded", "length"),
            ("refusal", "refusal"),
            ("stop_sequence", "stop"),
            ("pause_turn", "pause_turn"),
            (None, None),
        ],
    )
    def test_a_message_ends_for_a_reason(self, stop: Any, finish: Any) -> None:
        assert AnthropicMessages().read({"content": [], "stop_reason": stop}) == Reply(
            None, None, finish, None
        )

    def test_generate_content(self) -> None:
        parts = [{"text": "Hm.", "thought": True}, {"text": "Yes"}, {"text": "."}]
        usage = {
            "promptTokenCount": 30,
            "cachedContentTokenCount": 20,
            "candidatesTokenCount": 2,
            "thoughtsTokenCount": 8,
        }
        candidate = {"content": {"parts": parts}, "finishReason": "STOP"}
        reply = GenerateContent().read({"candidates": [candidate], "usageMetadata": usage})
        assert reply == Reply(
            "Yes.", "Hm.", "stop", Usage(30, 10, cached_tokens=20, reasoning_tokens=8)
        )

    @pytest.mark.parametrize("reason", ["SAFETY", "RECITATION", "PROHIBITED_CONTENT", "SPII"])
    def test_a_candidate_that_was_stopped_is_a_refusal(self, reason: str) -> None:
        assert GenerateContent().read({"candidates": [{"finishReason": reason}]}) == Reply(
            None, None, "refusal", None
        )

    def test_a_blocked_prompt_is_a_refusal(self) -> None:
        data = {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {}}
        assert GenerateContent().read(data) == Reply(None, None, "refusal", None)

    def test_responses(self) -> None:
        output = [
            {"type": "reasoning", "summary": [{"text": "Hm."}, {"text": "Well."}]},
            {"type": "message", "content": [{"type": "output_text", "text": "Yes"}]},
        ]
        usage = {
            "input_tokens": 30,
            "input_tokens_details": {"cached_tokens": 20},
            "output_tokens": 9,
            "output_tokens_details": {"reasoning_tokens": 8},
        }
        reply = OpenAIResponses().read({"output": output, "status": "completed", "usage": usage})
        assert reply == Reply(
            "Yes", "Hm.\n\nWell.", "stop", Usage(30, 9, cached_tokens=20, reasoning_tokens=8)
        )

    @pytest.mark.parametrize(
        ("reason", "finish"), [("max_output_tokens", "length"), ("content_filter", "refusal")]
    )
    def test_a_response_is_cut_for_a_reason(self, reason: str, finish: str) -> None:
        data = {"output": [], "status": "incomplete", "incomplete_details": {"reason": reason}}
        assert OpenAIResponses().read(data).finish_reason == finish

    def test_a_response_that_refuses(self) -> None:
        part = {"type": "refusal", "refusal": "I cannot."}
        output = [{"type": "message", "content": [part]}]
        reply = OpenAIResponses().read({"output": output, "status": "completed"})
        assert (reply.text, reply.finish_reason) == ("I cannot.", "refusal")

    @pytest.mark.parametrize(
        "interface", [AnthropicMessages(), GenerateContent(), OpenAIResponses()]
    )
    def test_another_interface_is_not_read(self, interface: Interface) -> None:
        with pytest.raises(Unreadable):
            interface.read({"choices": [{"message": {"content": "Yes"}}]})


ENVIRONMENT = {
    "ANTHROPIC_API_KEY": "sk-ant-0123456789",
    "GEMINI_API_KEY": "AIza0123456789",
    "OPENAI_API_KEY": "sk-0123456789",
    "AZURE_OPENAI_API_KEY": "0123456789abcdef",
    "AZURE_OPENAI_ENDPOINT": "https://mine.openai.azure.com/",
    "GOOGLE_CLOUD_PROJECT": "p",
    "GOOGLE_CLOUD_LOCATION": "europe-west1",
}


def opened(name: str, sampling: Sampling | None = None, **given: Any) -> Any:
    connection = Connection(environment=ENVIRONMENT, **given)
    return open_model(name, sampling or Sampling(), connection)


class TestChoice:
    @pytest.mark.parametrize(
        ("name", "sampling", "where"),
        [
            ("anthropic/c", {}, "https://api.anthropic.com/v1/messages"),
            ("anthropic/c", {"api": "chat"}, "https://api.anthropic.com/v1/chat/completions"),
            (
                "gemini/g",
                {},
                "https://generativelanguage.googleapis.com/v1beta/models/g:generateContent",
            ),
            ("openai/o", {}, "https://api.openai.com/v1/chat/completions"),
            ("openai/o", {"reasoning": "low"}, "https://api.openai.com/v1/responses"),
            ("openai/o", {"api": "native"}, "https://api.openai.com/v1/responses"),
            (
                "azure/mine",
                {},
                "https://mine.openai.azure.com/openai/v1/chat/completions",
            ),
        ],
    )
    def test_every_provider_is_asked_where_it_listens(
        self, name: str, sampling: dict[str, Any], where: str
    ) -> None:
        model = opened(name, Sampling(**sampling))
        assert f"{model.endpoint.url}{model.interface.path(model.model)}" == where

    @pytest.mark.parametrize(
        ("name", "path"),
        [
            ("vertex/gemini-3-pro", "google/models/gemini-3-pro:generateContent"),
            ("vertex/anthropic/claude-x", "anthropic/models/claude-x:rawPredict"),
        ],
    )
    def test_vertex_is_a_project_at_a_location(self, name: str, path: str) -> None:
        model = opened(name, auth_command="echo t")
        place = (
            "https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1"
        )
        assert model.endpoint.url == place
        assert model.interface.path(model.model) == f"/publishers/{path}"
        with pytest.raises(Exception, match="auth_command=COMMAND"):
            opened(name)

    def test_keys_travel_in_the_header_of_their_vendor(self) -> None:
        names = ("anthropic/c", "gemini/g", "azure/d", "openai/o")
        headers = [opened(name).interface.headers("k") for name in names]
        assert headers == [
            {"anthropic-version": "2023-06-01", "x-api-key": "k"},
            {"x-goog-api-key": "k"},
            {"api-key": "k"},
            {"Authorization": "Bearer k"},
        ]

    def test_an_address_of_ones_own_is_asked_by_chat_completions(self) -> None:
        model = opened("anthropic/c", base_url="http://localhost:1/v1")
        assert isinstance(model.interface, ChatCompletions)
        assert settled("anthropic/c", Sampling(), "http://localhost:1/v1").api is None

    def test_the_interface_tells_runs_apart(self) -> None:
        assert settled("anthropic/c", Sampling(), None).to_json()["api"] == "native"
        assert "api" not in settled("anthropic/c", Sampling(api="chat"), None).to_json()
        assert "api" not in settled("openai/o", Sampling(), None).to_json()

    @pytest.mark.parametrize(
        ("name", "sampling", "said"),
        [
            ("anthropic/c", {"api": "chat", "structured": True}, "structured: Anthropic's chat"),
            ("anthropic/c", {"api": "chat", "seed": 1}, "seed=1: Anthropic's chat"),
            ("anthropic/c", {"api": "chat", "reasoning": "low"}, "reasoning=low: Anthropic's chat"),
            ("anthropic/c", {"seed": 1}, "seed=1: Anthropic's Messages would ignore it"),
            ("anthropic/c", {"reasoning": 900, "max_tokens": 900}, "less than max_tokens=900"),
            ("openai/o", {"api": "responses", "seed": 1}, "seed=1: OpenAI's Responses"),
            ("openai/o", {"reasoning": 900}, "no number of tokens"),
            ("mistral/m", {"api": "native"}, "api=native: mistral/ has none"),
            ("gemini/m", {"api": "responses"}, "api=responses: gemini/ has none"),
            ("vertex/mistral/m", {}, "vertex/anthropic/NAME"),
        ],
    )
    def test_nothing_is_dropped_in_silence(
        self, name: str, sampling: dict[str, Any], said: str
    ) -> None:
        given = {**ENVIRONMENT, "MISTRAL_API_KEY": "k" * 9, "VERTEX_API_KEY": "k" * 9}
        with pytest.raises(ParameterError) as caught:
            open_model(name, Sampling(**sampling), Connection(environment=given))
        assert said in str(caught.value)

    @pytest.mark.parametrize("name", ["baseline/oracle", "gguf/x.gguf"])
    def test_only_endpoints_have_interfaces(self, name: str) -> None:
        with pytest.raises(ParameterError, match="behind endpoints"):
            settled(name, Sampling(reasoning="low"), None)

    @pytest.mark.parametrize("level", ["much", 0, True, 1.5])
    def test_thinking_has_a_measure(self, level: Any) -> None:
        with pytest.raises(ParameterError, match="reasoning"):
            Sampling(reasoning=level)


async def test_a_token_that_is_refused_is_made_anew(tmp_path: Any) -> None:
    from tests.fake_endpoint import Answer, Status

    count = tmp_path / "count"
    count.write_text("0")
    program = tmp_path / "token.sh"
    program.write_text(f"n=$(cat {count}); n=$((n+1)); echo $n > {count}; echo token-$n\n")
    async with FakeEndpoint() as fake:

        def behave(body: Any, seen: int) -> Any:
            old = fake.requests[-1].headers["authorization"] == "Bearer token-1"
            return Status(401) if old and seen >= 2 else Answer("Yes")

        fake.behave = behave
        model = opened("vertex/g", base_url=fake.url, auth_command=f"sh {program}")
        async with model:
            replies = [await model.complete(Request(SHOTS[:1])) for _ in range(4)]
        signed = [each.headers["authorization"] for each in fake.requests]
    assert [reply.text for reply in replies] == ["Yes"] * 4
    assert signed == [f"Bearer token-{n}" for n in (1, 1, 1, 2, 2)]
    assert not any("x-goog-api-key" in each.headers for each in fake.requests)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("sh -c 'echo no login >&2; exit 3'", "ended with status 3: no login"),
        ("true", "must print a token"),
        ("no-such-program-here", "cannot be started"),
        ("'", "mend its quotes"),
        (" ", "must be a command"),
    ],
)
async def test_a_command_without_a_token_is_said_in_one_line(command: str, said: str) -> None:
    with pytest.raises(ParameterError) as caught:
        async with (
            FakeEndpoint() as fake,
            opened("azure/d", base_url=fake.url, auth_command=command) as model,
        ):
            await model.complete(Request(SHOTS[:1]))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
