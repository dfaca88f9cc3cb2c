"""vLLM's engine, by a stand-in of the same interface: no machine of these tests has a GPU."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest

from tests.cli.command import refused, rows, samples, settle, thence
from thence.errors import ParameterError, Rejected, Unreachable
from thence.models.base import Request, Sampling
from thence.models.select import Connection, open_model


class EngineDeadError(Exception):
    """As vLLM raises it."""


class Engine:
    """`vllm.AsyncLLMEngine`, as far as it is used: says the prompt's first words, backwards."""

    made: ClassVar[list[Engine]] = []

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings, self.asked, self.ended = settings, list[dict[str, Any]](), False
        self.numbers = set[str]()
        self.made.append(self)

    @classmethod
    def from_engine_args(cls, given: SimpleNamespace) -> Engine:
        if "torn" in given.model:
            raise ValueError("no config.json\nin it")
        return cls(vars(given))

    async def generate(self, prompt: Any, given: Any, request_id: str) -> AsyncIterator[Any]:
        tokens = prompt["prompt_token_ids"]
        self.asked.append({**vars(given), "prompt": "".join(map(chr, tokens))})
        assert request_id not in self.numbers
        self.numbers.add(request_id)
        if len(tokens) > 2_000:
            raise ValueError("The decoder prompt is longer than the maximum model length")
        if len(tokens) == 13:
            raise EngineDeadError("EngineCore encountered an issue")
        for count in (1, 4):  # it streams: each output holds all so far
            await asyncio.sleep(0)
            told = SimpleNamespace(text="abcd"[:count], token_ids=[1] * count, finish_reason="stop")
            yield SimpleNamespace(prompt_token_ids=tokens, outputs=[told], finished=count == 4)

    def shutdown(self) -> None:
        self.ended = True


class Tokenizer:
    """A tokenizer whose tokens are characters."""

    chat_template = "yes"

    def __call__(self, text: str, add_special_tokens: bool = True) -> dict[str, list[int]]:
        return {"input_ids": list(map(ord, text))}

    def apply_chat_template(self, messages: Any, **_: Any) -> str:
        return "".join(f"<{each['role']}>{each['content']}" for each in messages)


@pytest.fixture(autouse=True)
def _engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settle(monkeypatch, tmp_path)
    package, exceptions = ModuleType("vllm"), ModuleType("vllm.v1.engine.exceptions")
    package.AsyncLLMEngine = Engine  # type: ignore[attr-defined]
    package.AsyncEngineArgs = package.SamplingParams = SimpleNamespace  # type: ignore[attr-defined]
    exceptions.EngineDeadError = EngineDeadError  # type: ignore[attr-defined]
    for name in ("vllm", "vllm.v1", "vllm.v1.engine"):
        monkeypatch.setitem(sys.modules, name, package)
    monkeypatch.setitem(sys.modules, "vllm.v1.engine.exceptions", exceptions)
    transformers = ModuleType("transformers")
    loading = SimpleNamespace(from_pretrained=lambda path: Tokenizer())
    transformers.AutoTokenizer = loading  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "transformers", transformers)
    monkeypatch.setattr(Engine, "made", [])
    Path("weights").mkdir()


def ask(text: str) -> Request:
    return Request(({"role": "user", "content": text},), epoch=2)


def opened(**sampling: Any) -> Any:
    return open_model("vllm-offline/weights", Sampling(**sampling), Connection(connections=7))


async def test_requests_go_to_the_engine_as_they_come() -> None:
    body = {"tensor_parallel_size": 2, "stop": ["\n"]}
    async with opened(temperature=0.5, max_tokens=9, seed=3, extra_body=body) as model:
        found = await asyncio.gather(*(model.complete(ask("x" * n)) for n in (1, 2, 3)))
        with pytest.raises(Rejected, match="longer than the maximum"):
            await model.complete(ask("x" * 3_000))
        with pytest.raises(Unreachable, match="EngineCore"):
            await model.complete(ask("x" * (13 - len("<user>"))))
    [engine] = Engine.made
    assert [(each.text, each.finish_reason) for each in found] == [("abcd", "stop")] * 3
    assert [each.usage.to_json() for each in found] == [
        {"input_tokens": 6 + n, "output_tokens": 4} for n in (1, 2, 3)
    ]
    assert engine.settings == {"model": "weights", "max_num_seqs": 7, "tensor_parallel_size": 2}
    settings = {"temperature": 0.5, "max_tokens": 9, "seed": 5, "stop": ["\n"]}
    assert engine.asked[0] == {**settings, "prompt": "<user>x"}
    assert engine.ended


def test_a_run_goes_on() -> None:
    samples(size=3)
    run = ("run", "samples.jsonl", "--model", "vllm-offline/weights", "-o", "run")
    thence(*run)
    kept = rows("run/responses.jsonl")
    assert [row["response"] for row in kept] == ["abcd"] * 3
    thence(*run)
    assert rows("run/responses.jsonl") == kept
    assert sum(len(each.asked) for each in Engine.made) == 3


def test_an_engine_that_dies_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    samples(size=5)
    run = ("run", "samples.jsonl", "--model", "vllm-offline/weights", "-o", "run")
    whole = Engine.generate

    async def dying(self: Engine, *given: Any) -> AsyncIterator[Any]:
        if len(self.asked) == 2:
            raise EngineDeadError("EngineCore encountered an issue")
        async for each in whole(self, *given):
            yield each

    with monkeypatch.context() as patched:
        patched.setattr(Engine, "generate", dying)
        done = thence(*run, "--max-connections", 1, "--max-retries", 0, status=1)
    assert "engine_died" in done.err
    thence(*run)
    kept = Counter(row["id"] for row in rows("run/responses.jsonl") if row["error"] is None)
    assert sorted(kept.values()) == [1] * 5


def test_what_it_cannot_do_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    samples(size=1)
    run = ("run", "samples.jsonl", "-o", "run", "--model")
    Path("torn").mkdir()
    says = ("--model vllm-offline/torn: cannot be loaded: no config.json in it",)
    refused(*run, "vllm-offline/torn", says=says)
    refused(*run, "vllm-offline/./none", says=("no such folder",))
    refused(*run, "vllm-offline/weights", "--structured", says=("is not held to a schema",))
    with pytest.raises(ParameterError, match="base_url"):
        open_model("vllm-offline/weights", Sampling(), Connection("http://localhost"))
    monkeypatch.setitem(sys.modules, "vllm", None)
    refused(*run, "vllm-offline/weights", says=("needs the package vllm (pip install vllm)",))
