"""Interface between the engine and a model: requests, replies, sampling parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from thence.core.bounds import MOST_EPOCHS, check_count, check_real, check_whole
from thence.core.digest import canonical_json
from thence.errors import ParameterError
from thence.models import secrets

Message = dict[str, str]
"""One message of a chat: ``{"role": "user" | "assistant" | "system", "content": text}``."""


EFFORTS = ("none", "low", "medium", "high")
"""Words for how much to think."""

APIS = ("chat", "responses", "native")
"""Kinds of interfaces that an endpoint may have."""

_REASONING = f"must be {', '.join(EFFORTS)}, or a number of tokens from 1 on"
_HOTTEST = 100.0  # no endpoint takes as much; NaN and infinity are beyond it
_LONGEST = 100_000_000  # tokens of a reply
_WIDEST = 2**63 - 1  # of the seeds that endpoints take


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling parameters of a model's replies; each of them enters a response's key.

    Attributes:
        temperature: 0 to 100, 0 is greedy; None leaves it to the endpoint, as do the other Nones.
        top_p: nucleus sampling mass in (0, 1].
        max_tokens: the most tokens a reply may take, at least 1.
        seed: of the first epoch; epoch e is sent ``seed + e``, so that repeats differ.
        extra_body: further fields of the request, passed on as they are.
        structured: ask for output that fits the task's JSON schema.
        reasoning: how much to think: ``none``, ``low``, ``medium``, ``high``, or the most tokens
            of it.
        system: text of a system message before every conversation.
        api: the endpoint's interface: ``chat`` (chat completions), ``responses`` (OpenAI's) or
            ``native`` (the vendor's own); None for what the provider is best asked by.

    Raises:
        ParameterError: a value that no endpoint takes.

    Example:
        >>> import thence
        >>> thence.Sampling(temperature=0.0, max_tokens=2048).top_p is None
        True
    """

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    structured: bool = False
    reasoning: str | int | None = None
    system: str | None = None
    api: str | None = None

    def __post_init__(self) -> None:
        check_count("max_tokens", self.max_tokens, _LONGEST)
        if self.seed is not None:
            check_whole("seed", self.seed, -_WIDEST, _WIDEST - MOST_EPOCHS)
        check_real("temperature", self.temperature, 0, _HOTTEST)
        check_real("top_p", self.top_p, 0, 1, over=True)
        if type(self.structured) is not bool:
            raise ParameterError("structured", self.structured, "must be True or False")
        self._check_words()
        body: object = self.extra_body
        if not isinstance(body, Mapping) or not all(isinstance(name, str) for name in body):
            raise ParameterError("extra_body", body, "must be a mapping from names to JSON values")
        try:
            canonical_json(dict(body))
        except (TypeError, ValueError, RecursionError) as error:
            raise ParameterError(
                "extra_body", repr(body), "holds a value that is no JSON"
            ) from error
        for name in ("messages", "model"):
            if name in self.extra_body:
                raise ParameterError("extra_body", name, "is set by model=NAME and the protocol")

    def _check_words(self) -> None:
        asked = self.reasoning
        number = type(asked) is int and 1 <= asked <= _LONGEST
        if not (asked is None or number or (isinstance(asked, str) and asked in EFFORTS)):
            raise ParameterError("reasoning", asked, _REASONING)
        system: object = self.system
        if system is not None and not (isinstance(system, str) and system.strip()):
            raise ParameterError("system", self.system, "must be text that is not empty")
        if self.api not in (None, *APIS):
            raise ParameterError("api", self.api, f"must be one of {', '.join(APIS)}")

    def to_json(self) -> dict[str, Any]:
        """Return the parameters as they are recorded and hashed; no key is among them.

        Those that came later than others are left out where they are not set, so that the keys of
        runs without them stay as they are.
        """
        body = dict(self.extra_body)
        later = {name: getattr(self, name) for name in ("reasoning", "system", "api")}
        return {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
            "extra_body": secrets.hide(body, secrets.Secrets.of(*secrets.in_body(body))),
            "structured": self.structured,
            **{name: value for name, value in later.items() if value is not None},
        }


@dataclass(frozen=True, slots=True)
class Request:
    """Messages of one call to a model, and the form of its reply.

    Attributes:
        messages: the chat so far, ending in the user's turn; a system message may be the first.
        epoch: 0-based repeat.
        turn: 0-based turn of the protocol.
        schema: JSON schema of the reply where structured output was asked for, else None.
        grammar: GBNF grammar of the reply, likewise, if no schema describes it and the model
            takes grammars; else None.
        idempotency_key: the same for repeats that may share one reply; None for none.
    """

    messages: tuple[Message, ...]
    epoch: int = 0
    turn: int = 0
    schema: Mapping[str, Any] | None = None
    grammar: str | None = None
    idempotency_key: str | None = None


_FIRST = ("input_tokens", "output_tokens")
_FURTHER = ("cached_tokens", "cache_write_tokens", "reasoning_tokens")


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, as the endpoint counted them.

    Attributes:
        input_tokens: of the prompt, cached ones too.
        output_tokens: of the reply, with all thinking that is billed.
        cached_tokens: of the prompt, those that were read from a cache.
        cache_write_tokens: of the prompt, those that were written to a cache at a higher price.
        reasoning_tokens: of the reply, those of the thinking.
        batch: whether it was made in a batch, at half the price.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    batch: bool = False

    @classmethod
    def from_json(cls, held: Mapping[str, Any]) -> Usage:
        """Return the usage stored with a response; a count that is no number is 0."""
        counts = (held.get(name) for name in (*_FIRST, *_FURTHER))
        numbers = [count if type(count) is int else 0 for count in counts]
        asked, told, *further = numbers
        return cls(asked, told, further[0], further[1], further[2], held.get("batch") is True)

    def __add__(self, other: Usage) -> Usage:
        """Return the tokens of both."""
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            self.batch and other.batch,
        )

    def to_json(self) -> dict[str, int]:
        """Return the usage as it is stored with a response; further counts only over 0."""
        held = {name: getattr(self, name) for name in _FIRST}
        held |= {name: getattr(self, name) for name in _FURTHER if getattr(self, name)}
        return held | ({"batch": True} if self.batch else {})


@dataclass(frozen=True, slots=True)
class Reply:
    """Model's reply, untouched.

    Attributes:
        text: the content; None where the endpoint sent none.
        reasoning: what came in a reasoning field of its own, or None.
        finish_reason: ``stop``, ``length``, ``refusal`` (content filters too), or as it was sent.
        usage: the endpoint's count, or None where it gave none.

    Raises:
        ParameterError: a text that is none, or a usage that is no `Usage`.

    Example:
        >>> import thence
        >>> thence.Reply("yes", reasoning="Step 1 makes the dough.").finish_reason
        'stop'
    """

    text: str | None
    reasoning: str | None = None
    finish_reason: str | None = "stop"
    usage: Usage | None = None

    def __post_init__(self) -> None:
        for name in ("text", "reasoning", "finish_reason"):
            value: object = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise ParameterError(name, value, "must be text or None")
        if self.usage is not None and not isinstance(self.usage, Usage):
            raise ParameterError("usage", self.usage, "must be a Usage or None")


class Model(ABC):
    """Interface of a model: completes requests; an asynchronous context manager.

    Attributes:
        name: ``PROVIDER/NAME`` as the user gave it; it enters every response's key.
        address: where it is served, recorded in ``run.json`` and never hashed; None for baselines.
        grammars: whether it takes grammars in GBNF, as llama.cpp does.
        speaks: the interface that its endpoint has, in words.

    Example:
        >>> import thence
        >>> class Shy(thence.Model):
        ...     name = "mine/shy"
        ...     async def complete(self, request):
        ...         return thence.Reply(f"{len(request.messages)} messages, and no answer")
        >>> thence.run("releval/comparison", Shy(), out="shy").scores().frame["outcome"][0]
        'no_answer'
    """

    name: str
    address: str | None = None
    grammars: bool = False
    speaks: str = "chat completions"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(  # noqa: B027 - most models hold nothing to release
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    async def check(self) -> None:  # noqa: B027 - most models are there
        """Check before a run writes anything that the model can be reached.

        Raises:
            Unreachable: it cannot.
        """

    @abstractmethod
    async def complete(self, request: Request) -> Reply:
        """Return the reply of one attempt.

        Raises:
            ProviderError: its class tells whether another attempt may succeed.
        """
