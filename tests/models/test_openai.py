from __future__ import annotations

import asyncio
import gzip
import json
import math
import socket
import string
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fake_endpoint import (
    Answer,
    CutShort,
    Drip,
    FakeEndpoint,
    Fault,
    Garbage,
    HalfJson,
    Hang,
    NotHttp,
    Reset,
    Status,
)
from thence.errors import ProviderError, Rejected, Transient, Unreachable, UsageError
from thence.models.base import Reply, Request, Sampling, Usage
from thence.models.hosted import HostedModel
from thence.models.openai import ChatCompletions
from thence.models.providers import Endpoint
from thence.models.replies import Received, read_reply
from thence.models.secrets import Secrets

KEY = "sk-0123456789abcdef"


def ask(text: str = "Does step 2 use the dough?", epoch: int = 0, schema: Any = None) -> Request:
    return Request(({"role": "user", "content": text},), epoch=epoch, schema=schema)


def chat(
    url: str,
    key: str | None = KEY,
    generation: Sampling | None = None,
    connections: int = 8,
    timeout: float = 10.0,
) -> HostedModel:
    wanted = generation or Sampling()
    return HostedModel("openai/tiny", "tiny", Endpoint(url, key), wanted, connections, timeout)


async def reply_to(reaction: Answer | Fault, **options: Any) -> Reply:
    """What a model makes of one reaction of an endpoint."""
    async with FakeEndpoint(lambda body, count: reaction) as fake, chat(fake.url, **options) as it:
        return await it.complete(ask())


async def error_of(reaction: Answer | Fault, **options: Any) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await reply_to(reaction, **options)
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    return caught.value


class TestRequest:
    async def sent(self, generation: Sampling, request: Request) -> dict[str, Any]:
        async with FakeEndpoint() as fake, chat(fake.url, generation=generation) as it:
            await it.complete(request)
            return fake.requests[0].body

    async def test_what_is_not_set_is_not_sent(self) -> None:
        body = await self.sent(Sampling(), ask("Hi", epoch=3, schema={"type": "object"}))
        assert body == {"model": "tiny", "messages": [{"role": "user", "content": "Hi"}]}

    async def test_everything_that_is_set_is_sent(self) -> None:
        generation = Sampling(
            temperature=0.0,
            top_p=0.9,
            max_tokens=64,
            seed=40,
            extra_body={"top_k": 5, "temperature": 0.5},
            structured=True,
        )
        body = await self.sent(generation, ask(epoch=2, schema={"type": "object"}))
        schema = {"name": "answer", "strict": True, "schema": {"type": "object"}}
        assert {name: body[name] for name in body if name not in ("model", "messages")} == {
            "temperature": 0.5,
            "top_p": 0.9,
            "max_tokens": 64,
            "seed": 42,
            "response_format": {"type": "json_schema", "json_schema": schema},
            "top_k": 5,
        }

    @pytest.mark.parametrize(("key", "header"), [(KEY, f"Bearer {KEY}"), (None, None)])
    async def test_the_key_travels_in_its_header(self, key: str | None, header: str | None) -> None:
        async with FakeEndpoint() as fake, chat(fake.url, key=key) as it:
            await it.complete(ask())
            assert fake.requests[0].headers.get("authorization") == header
            assert fake.requests[0].headers["user-agent"].startswith("thence/")

    async def test_any_text_can_be_asked_and_comes_back_untouched(self) -> None:
        text = "a\x00\ud800\udfffb\u202e\U0001f600\r\n"
        async with FakeEndpoint() as fake, chat(fake.url) as it:
            reply = await it.complete(ask(text))
        assert json.dumps(reply.text) == json.dumps(text)

    async def test_a_prompt_of_megabytes_can_be_asked(self) -> None:
        text = "step " * 500_000
        async with FakeEndpoint() as fake, chat(fake.url) as it:
            assert (await it.complete(ask(text))).text == text

    def test_a_stream_is_refused_at_once(self) -> None:
        with pytest.raises(UsageError, match="stream"):
            chat("http://localhost/v1", generation=Sampling(extra_body={"stream": True}))

    async def test_no_more_connections_than_allowed(self) -> None:
        async with (
            FakeEndpoint(lambda body, count: Answer("x", delay=0.02)) as fake,
            chat(fake.url, connections=3) as it,
        ):
            replies = await asyncio.gather(*(it.complete(ask()) for _ in range(12)))
            assert len(replies) == len(fake.requests) == 12
            assert fake.peak == 3

    async def test_it_says_where_it_is_served(self) -> None:
        it = chat("http://localhost:9/v1")
        assert (it.name, it.address) == ("openai/tiny", "http://localhost:9/v1")

    async def test_it_works_inside_its_context_only(self) -> None:
        async with FakeEndpoint() as fake:
            it = chat(fake.url)
            async with it:
                await it.complete(ask())
            with pytest.raises(RuntimeError):
                await it.complete(ask())


class TestReply:
    async def test_a_plain_one(self) -> None:
        assert await reply_to(Answer("Yes")) == Reply("Yes", None, "stop", Usage(12, 3))

    @pytest.mark.parametrize(
        ("content", "text", "reasoning"),
        [
            (None, None, None),
            ("", "", None),
            ([], None, None),
            (["a", {"type": "text", "text": "b"}], "ab", None),
            ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "b"}], "b", "hm"),
            ([{"type": "reasoning", "text": "hm"}], None, "hm"),
            ([{"type": "thinking", "thinking": [{"type": "text", "text": "h"}, 3]}], None, "h"),
            ([{"type": "thinking", "thinking": 3}, {"type": "image"}], None, None),
        ],
    )
    async def test_its_content(self, content: Any, text: str | None, reasoning: str | None) -> None:
        reply = await reply_to(Answer(content))
        assert (reply.text, reply.reasoning) == (text, reasoning)

    @pytest.mark.parametrize("content", [3, True, {"text": "x"}, [3], [None]])
    async def test_a_content_of_another_kind(self, content: Any) -> None:
        error = await error_of(Answer(content))
        assert (type(error), error.kind) == (Transient, "malformed")

    @pytest.mark.parametrize(
        ("fields", "reasoning"),
        [
            ({"reasoning_content": "hm"}, "hm"),
            ({"reasoning": "hm"}, "hm"),
            ({"reasoning_content": "", "reasoning": "hm"}, "hm"),
            ({"reasoning_content": None, "reasoning": {"text": "hm"}}, None),
        ],
    )
    async def test_its_reasoning(self, fields: dict[str, Any], reasoning: str | None) -> None:
        reply = await reply_to(Answer("x", message=fields))
        assert (reply.text, reply.reasoning) == ("x", reasoning)

    @pytest.mark.parametrize(
        ("answer", "text", "finish"),
        [
            (Answer(None, message={"refusal": "I will not"}), "I will not", "refusal"),
            (Answer("well", message={"refusal": "I will not"}), "well", "refusal"),
            (Answer("well", message={"refusal": None}), "well", "stop"),
            (Answer(None, finish_reason="content_filter"), None, "refusal"),
            (Answer("we", finish_reason="length"), "we", "length"),
            (Answer("we", finish_reason="tool_calls"), "we", "tool_calls"),
            (Answer("we", finish_reason=None), "we", None),
            (Answer("we", finish_reason=[7]), "we", None),
        ],
    )
    async def test_its_end(self, answer: Answer, text: str | None, finish: str | None) -> None:
        reply = await reply_to(answer)
        assert (reply.text, reply.finish_reason) == (text, finish)

    @pytest.mark.parametrize(
        ("usage", "expected"),
        [
            (None, None),
            ({}, None),
            ("many", None),
            ({"prompt_tokens": "7", "completion_tokens": True}, None),
            ({"prompt_tokens": 7}, Usage(7, 0)),
            ({"prompt_tokens": 7.0, "completion_tokens": 7.5}, Usage(7, 0)),
            ({"prompt_tokens": -1, "completion_tokens": 2}, Usage(0, 2)),
            ({"prompt_tokens": 10**4000, "completion_tokens": 2}, Usage(0, 2)),
            ({"prompt_tokens": math.inf, "completion_tokens": math.nan}, None),
        ],
    )
    def test_its_usage(self, usage: Any, expected: Usage | None) -> None:
        body = {**Answer("x").to_json(), "usage": usage}
        assert read(200, json.dumps(body)).usage == expected

    async def test_it_may_come_slowly_or_packed(self) -> None:
        assert (await reply_to(Drip(Answer("Yes"), pause=0.001))).text == "Yes"
        packed = gzip.compress(json.dumps(Answer("Yes").to_json()).encode())
        headers = {"Content-Encoding": "gzip"}
        assert (await reply_to(Status(200, headers, packed))).text == "Yes"

    def test_ten_megabytes_are_read(self) -> None:
        text = "step \u2192 " * 1_250_000
        body = json.dumps(Answer(text).to_json()).encode()
        assert read(200, body).text == text


class TestError:
    @pytest.mark.parametrize(
        ("status", "kind_class", "kind"),
        [
            (301, Rejected, "redirect"),
            (400, Rejected, "bad_request"),
            (401, Rejected, "auth"),
            (402, Rejected, "quota"),
            (403, Rejected, "auth"),
            (404, Rejected, "not_found"),
            (405, Rejected, "bad_request"),
            (408, Transient, "timeout"),
            (409, Transient, "server"),
            (422, Rejected, "bad_request"),
            (425, Transient, "server"),
            (429, Transient, "rate_limit"),
            (500, Transient, "server"),
            (503, Transient, "server"),
            (529, Transient, "server"),
        ],
    )
    async def test_its_class_follows_the_status(
        self, status: int, kind_class: type[ProviderError], kind: str
    ) -> None:
        body = {"error": {"message": f"It was\n\x1b[31m{KEY}  that", "code": "odd"}}
        error = await error_of(Status(status, {"Location": f"http://a/{KEY}"}, body))
        assert (type(error), error.kind, error.status) == (kind_class, kind, status)
        assert ("http://a/***" if status == 301 else "It was [31m*** that") in str(error)

    @pytest.mark.parametrize(
        "message",
        [
            "This model's maximum context length is 4096 tokens.",
            "the request exceeds the available context size, try increasing it",
            "prompt is too long: 210000 tokens > 200000 maximum",
            "The input token count (1200000) exceeds the maximum number of tokens allowed",
        ],
    )
    async def test_a_prompt_that_is_too_long(self, message: str) -> None:
        error = await error_of(Status(400, body={"error": {"message": message}}))
        assert (type(error), error.kind) == (Rejected, "context_length")
        assert message[:30] in str(error)

    async def test_credit_that_is_used_up_is_not_a_matter_of_waiting(self) -> None:
        body = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
        error = await error_of(Status(429, body=body))
        assert (type(error), error.kind) == (Rejected, "quota")

    @pytest.mark.parametrize(
        ("body", "shown"),
        [
            ({"error": {"message": "why"}}, ": why"),
            ({"error": "why"}, ": why"),
            ({"message": "why", "object": "error"}, ": why"),
            ({"detail": "why"}, ": why"),
            ([{"error": {"message": "why"}}], ": why"),
            ("<h1>Bad\n gateway</h1>", ": <h1>Bad gateway</h1>"),
            ({"error": {"type": 7}}, ': {"error": {"type": 7}}'),
            ('{"error": {"message": "a\\ud800b"}}', ": a b"),
            ("", "a failure of its own"),
            ("x" * 300_000, ": " + "x" * 200),
        ],
    )
    async def test_its_text_quotes_the_body(self, body: Any, shown: str) -> None:
        error = await error_of(Status(500, body=body))
        assert str(error).endswith(shown)
        assert str(error).encode()

    @pytest.mark.parametrize(
        ("headers", "seconds"),
        [
            ({}, None),
            ({"Retry-After": "7"}, 7.0),
            ({"Retry-After": "0.5"}, 0.5),
            ({"Retry-After": "-7"}, None),
            ({"Retry-After": "nan"}, None),
            ({"Retry-After": "1e999"}, None),
            ({"Retry-After": "soon"}, None),
            ({"retry-after-ms": "1500", "Retry-After": "7"}, 1.5),
            ({"retry-after-ms": "x", "Retry-After": "7"}, 7.0),
            ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
            ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 -0000"}, 0.0),
            ({"Retry-After": "Wed, 21 Oct 99999 07:28:00 +99999999"}, None),
        ],
    )
    async def test_it_says_how_long_to_wait(
        self, headers: dict[str, str], seconds: float | None
    ) -> None:
        assert (await error_of(Status(429, headers))).retry_after == seconds

    async def test_it_says_until_when_to_wait(self) -> None:
        moment = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
        error = await error_of(Status(503, {"Retry-After": moment}))
        assert error.retry_after is not None
        assert 50 < error.retry_after <= 60

    @pytest.mark.parametrize(
        ("code", "kind_class", "kind", "status"),
        [
            (429, Transient, "rate_limit", 429),
            ("502", Transient, "server", 502),
            (401, Rejected, "auth", 401),
            (True, Transient, "server", 200),
            (7, Transient, "server", 200),
            ("context_length_exceeded", Transient, "server", 200),
            (None, Transient, "server", 200),
        ],
    )
    async def test_a_failure_inside_a_success(
        self, code: Any, kind_class: type[ProviderError], kind: str, status: int
    ) -> None:
        failure = {"error": {"message": "upstream is down", "code": code}}
        choices = [{"message": {"content": "Y"}, "finish_reason": "error", **failure}]
        for body in (failure, {"choices": choices}):
            error = await error_of(Status(200, {"Retry-After": "3"}, body))
            assert (type(error), error.kind, error.status) == (kind_class, kind, status)
            assert "upstream is down" in str(error)
            assert error.retry_after == 3.0

    async def test_an_error_of_null_is_none(self) -> None:
        body = {**Answer("Yes").to_json(), "error": None}
        assert (await reply_to(Status(200, body=body))).text == "Yes"

    @pytest.mark.parametrize(
        "fault",
        [
            Garbage(),
            Garbage(b""),
            HalfJson(),
            Garbage(b"[" * 100_000),
            Garbage(b'{"choices":' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
            Garbage(b"9" * 100_000),
            Garbage(b"data: {}\n\n"),
            Status(204),
            Status(200, body=[]),
            Status(200, body={}),
            Status(200, body={"choices": []}),
            Status(200, body={"choices": [None]}),
            Status(200, body={"choices": [{"message": "x"}]}),
            Status(200, {"Content-Encoding": "gzip"}, b"not packed"),
            Status(200, {"Content-Encoding": "br"}, b"packed as nobody asked"),
            NotHttp(),
        ],
    )
    async def test_what_is_no_completion(self, fault: Fault) -> None:
        error = await error_of(fault)
        assert (type(error), error.kind) == (Transient, "malformed")

    async def test_a_stream_is_named(self) -> None:
        told = Status(200, {"Content-Type": "text/event-stream"}, "data: {}\n\ndata: [DONE]\n\n")
        for fault in (told, Garbage(b'\ndata: {"choices": []}\n\n')):
            error = await error_of(fault)
            assert (type(error), error.kind) == (Transient, "malformed")
            assert "a stream of events, which was not asked for" in str(error)

    async def test_a_redirect_is_told_without_what_may_hold_a_key(self) -> None:
        target = "http://me:secret@else.where/v1?key=secret#secret"
        error = await error_of(Status(301, {"Location": target}))
        assert str(error).endswith(": http://else.where/v1")

    async def test_lines_that_end_in_a_line_feed_alone(self) -> None:
        body = json.dumps(Answer("a\n\nb").to_json()).encode()
        head = b"HTTP/1.1 200 OK\nContent-Length: %d\nConnection: close\n\n" % len(body)
        assert (await reply_to(NotHttp(head + body))).text == "a\n\nb"

    @pytest.mark.parametrize("fault", [Reset(), CutShort()])
    async def test_a_connection_that_breaks(self, fault: Fault) -> None:
        error = await error_of(fault)
        assert (type(error), error.kind, error.status) == (Transient, "connection", None)

    @pytest.mark.parametrize("fault", [Hang(), Drip(Answer("x"), pieces=20, pause=0.1)])
    async def test_silence(self, fault: Fault) -> None:
        error = await error_of(fault, timeout=0.2)
        assert (type(error), error.kind) == (Transient, "timeout")
        assert "0.2 s" in str(error)

    async def test_a_wait_for_a_connection_ends(self) -> None:
        async with (
            FakeEndpoint(lambda body, count: Hang()) as fake,
            chat(fake.url, connections=1, timeout=0.2) as it,
        ):
            errors = await asyncio.gather(
                it.complete(ask()), it.complete(ask()), return_exceptions=True
            )
            assert [(type(e), cast("Transient", e).kind) for e in errors] == [
                (Transient, "timeout")
            ] * 2

    async def test_nobody_there(self) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            async with chat(f"http://127.0.0.1:{unused.getsockname()[1]}/v1") as it:
                with pytest.raises(Unreachable, match="no connection to http://127") as caught:
                    await it.complete(ask())
        assert caught.value.kind == "connection"

    async def test_no_such_host(self, monkeypatch: pytest.MonkeyPatch) -> None:
        async def fail(*args: object, **options: object) -> None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", fail)
        async with chat("http://nowhere.invalid/v1") as it:
            with pytest.raises(Unreachable, match="Name or service not known") as caught:
                await it.complete(ask())
        assert caught.value.kind == "dns"

    async def test_no_tls(self) -> None:
        async with FakeEndpoint() as fake:
            async with chat(fake.url.replace("http:", "https:")) as it:
                with pytest.raises(Unreachable) as caught:
                    await it.complete(ask())
            assert caught.value.kind == "tls"
            assert fake.requests == []

    async def test_an_address_that_only_looks_like_one(self) -> None:
        async with chat("http://a%zz%/v1") as it:
            with pytest.raises(Unreachable) as caught:
                await it.complete(ask())
        assert caught.value.kind in ("connection", "dns")

    async def test_after_any_failure_the_next_request_works(self) -> None:
        faults = [Reset(), CutShort(), NotHttp(), HalfJson(), Status(500), Garbage()]
        async with FakeEndpoint() as fake, chat(fake.url, connections=1) as it:
            for fault in faults:
                fake.behave = lambda body, count, fault=fault: fault  # type: ignore[misc]
                with pytest.raises(Transient):
                    await it.complete(ask())
                fake.behave = lambda body, count: Answer("Yes")
                assert (await it.complete(ask())).text == "Yes"

    async def test_cancelling_is_not_an_error_of_the_endpoint(self) -> None:
        arrived = asyncio.Event()

        def hang(body: dict[str, Any], count: int) -> Fault:
            arrived.set()
            return Hang()

        async with FakeEndpoint(hang) as fake, chat(fake.url) as it:
            call = asyncio.create_task(it.complete(ask()))
            await arrived.wait()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call


def read(status: int, body: str | bytes, headers: dict[str, str] | None = None) -> Reply:
    """A reply from a response that no network carried."""
    raw = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    return read_reply(
        Received("http://localhost/v1", status, headers or {}, raw),
        Secrets.of(KEY),
        ChatCompletions(),
    )


ANY_TEXT = st.text(st.characters(exclude_categories=())) | st.just(f"key {KEY}")
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=12,
)


def either(shape: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return shape | ANY_JSON


PART = st.fixed_dictionaries(
    {"type": either(st.sampled_from(["text", "thinking", "reasoning"]))},
    optional={"text": ANY_JSON, "thinking": ANY_JSON, "reasoning": ANY_JSON},
)
MESSAGE = st.fixed_dictionaries(
    {"content": either(st.lists(either(PART), max_size=3))},
    optional={"reasoning": ANY_JSON, "reasoning_content": ANY_JSON, "refusal": ANY_JSON},
)
ERROR = st.fixed_dictionaries({"message": ANY_JSON, "code": either(st.integers(100, 600))})
CHOICE = st.fixed_dictionaries(
    {"message": either(MESSAGE)}, optional={"finish_reason": ANY_JSON, "error": either(ERROR)}
)
COMPLETION = st.fixed_dictionaries(
    {"choices": either(st.lists(either(CHOICE), max_size=2))},
    optional={
        "error": either(ERROR),
        "usage": either(
            st.fixed_dictionaries({"prompt_tokens": ANY_JSON, "completion_tokens": ANY_JSON})
        ),
    },
)


class TestAnything:
    @given(either(COMPLETION), st.booleans())
    @settings(max_examples=150, deadline=None)
    def test_any_json_is_a_reply_or_an_error(self, body: Any, escaped: bool) -> None:
        try:
            reply = read(200, json.dumps(body, ensure_ascii=escaped))
        except ProviderError as error:
            assert KEY not in str(error)
            assert str(error).encode()
            assert str(error).isprintable()
        else:
            assert isinstance(reply.text, str | None)
            assert isinstance(reply.reasoning, str | None)
            assert isinstance(reply.finish_reason, str | None)
            assert json.dumps(reply.usage and reply.usage.to_json())

    @given(
        st.integers(200, 999),
        st.binary() | either(COMPLETION).map(lambda value: json.dumps(value).encode()),
        st.fixed_dictionaries({}, optional={"Retry-After": ANY_TEXT, "Location": ANY_TEXT}),
    )
    @settings(max_examples=150, deadline=None)
    def test_any_response_is_a_reply_or_an_error(
        self, status: int, body: bytes, headers: dict[str, str]
    ) -> None:
        try:
            read(status, body, headers)
        except ProviderError as error:
            assert KEY not in str(error)
            assert str(error).isprintable()
            assert error.retry_after is None or 0 <= error.retry_after < math.inf
        else:
            assert status < 300

    @given(st.text(string.ascii_letters + string.digits + "-_./+=", min_size=8), st.data())
    @settings(max_examples=60, deadline=None)
    def test_no_key_is_ever_shown(self, key: str, data: st.DataObject) -> None:
        around = st.text(max_size=300)
        body = (data.draw(around) + key + data.draw(around)).encode()
        status = data.draw(st.sampled_from([200, 302, 401, 404, 500]))
        received = Received("http://x/v1", status, {"Location": key}, body)
        with pytest.raises(ProviderError) as caught:
            read_reply(received, Secrets.of(key), ChatCompletions())
        assert key not in str(caught.value)

    def test_any_json_through_the_wire(self) -> None:
        with FakeEndpoint.in_thread() as fake:

            async def complete() -> None:
                async with chat(fake.url) as it:
                    try:
                        assert isinstance(await it.complete(ask()), Reply)
                    except ProviderError as error:
                        assert KEY not in str(error)

            @given(either(COMPLETION))
            @settings(max_examples=40, deadline=None)
            def check(body: Any) -> None:
                fake.behave = lambda asked, count: Status(200, body=body)
                asyncio.run(complete())

            check()
            assert len(fake.requests) >= 40
