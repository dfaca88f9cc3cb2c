"""vLLM's engine, by a stand-in of the same interface: no machine of these tests has a GPU."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import refused, rows, samples, settle, thence
from tests.models.stand_in import install_vllm
from tests.models.stand_in.vllm import AsyncLLMEngine as Engine
from tests.models.stand_in.vllm import EngineDeadError
from thence.errors import ParameterError, Rejected, Unreachable
from thence.models.base import Request, Sampling
from thence.models.select import Connection, open_model


@pytest.fixture(autouse=True)
def _engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settle(monkeypatch, tmp_path)
    install_vllm(monkeypatch)
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
    assert [each.text for each in found] == ["0689", "0809", "0929"]
    assert {each.finish_reason for each in found} == {"stop"}
    assert [each.usage.to_json() for each in found] == [
        {"input_tokens": 6 + n, "output_tokens": 4} for n in (1, 2, 3)
    ]
    assert engine.settings == {"model": "weights", "max_num_seqs": 7, "tensor_parallel_size": 2}
    settings = {"temperature": 0.5, "max_tokens": 9, "seed": 5, "stop": ["\n"]}
    assert engine.asked[0] == {**settings, "tokens": list(map(ord, "<user>x"))}
    assert engine.ended


def test_a_run_goes_on() -> None:
    samples(size=3)
    run = ("run", "samples.jsonl", "--model", "vllm-offline/weights", "-o", "run")
    thence(*run)
    kept = rows("run/responses.jsonl")
    assert len({row["response"] for row in kept}) == 3
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
