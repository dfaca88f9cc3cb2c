"""vLLM's engine as far as it is used, for machines without a GPU.

With its folder on ``PYTHONPATH`` it is the package ``vllm`` of other processes, and brings
``transformers`` along.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

from .v1.engine.exceptions import EngineDeadError

AsyncEngineArgs = SamplingParams = SimpleNamespace
STALLED = os.environ.get("STALLED", "")


class AsyncLLMEngine:
    """Says the sum of the prompt's tokens; never where ``STALLED`` names a file, which it makes."""

    made: ClassVar[list[AsyncLLMEngine]] = []

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings, self.asked, self.ended = settings, list[dict[str, Any]](), False
        self.numbers = set[str]()
        self.made.append(self)

    @classmethod
    def from_engine_args(cls, given: SimpleNamespace) -> AsyncLLMEngine:
        if "torn" in given.model:
            raise ValueError("no config.json\nin it")
        return cls(vars(given))

    async def generate(self, prompt: Any, given: Any, request_id: str) -> AsyncIterator[Any]:
        tokens = prompt["prompt_token_ids"]
        self.asked.append({**vars(given), "tokens": tokens})
        assert request_id not in self.numbers
        self.numbers.add(request_id)
        if len(tokens) > 2_000:
            raise ValueError("The decoder prompt is longer than the maximum model length")
        if len(tokens) == 13:
            raise EngineDeadError("EngineCore encountered an issue")
        if STALLED and len(self.asked) > 1:  # the first request of a run is asked alone
            self.asked_in_vain()
            await asyncio.Event().wait()
        text = f"{sum(tokens):04}"
        for count in (1, len(text)):  # it streams: each output holds all so far
            await asyncio.sleep(0)
            told = SimpleNamespace(text=text[:count], token_ids=[1] * count, finish_reason="stop")
            done = count == len(text)
            yield SimpleNamespace(prompt_token_ids=tokens, outputs=[told], finished=done)

    def asked_in_vain(self) -> None:
        Path(STALLED).touch()

    def shutdown(self) -> None:
        self.ended = True


class Tokenizer:
    """A tokenizer whose tokens are characters."""

    chat_template = "yes"

    def __call__(self, text: str, add_special_tokens: bool = True) -> dict[str, list[int]]:
        return {"input_ids": list(map(ord, text))}

    def apply_chat_template(self, messages: Any, **_: Any) -> str:
        return "".join(f"<{each['role']}>{each['content']}" for each in messages)


transformers = ModuleType("transformers")
transformers.AutoTokenizer = SimpleNamespace(  # type: ignore[attr-defined]
    from_pretrained=lambda path: Tokenizer()
)
if __name__ == "vllm":
    sys.modules["transformers"] = transformers
