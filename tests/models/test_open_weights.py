"""Models of Hugging Face's format where something in them fails, without their libraries."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jinja2 import TemplateError

from thence.errors import Rejected
from thence.models.base import Request, Sampling
from thence.models.open_weights import prompt_tokens
from thence.models.select import Connection, open_model

ASKED = Request(({"role": "user", "content": "is it so?"},))


class Tokenizer:
    """A tokenizer whose template takes no system message, as Gemma's does not."""

    chat_template: str | None = "some"

    def apply_chat_template(self, messages: list[dict[str, str]], **_: Any) -> str:
        if messages[0]["role"] == "system":
            raise TemplateError("System role not supported")
        return "".join(each["content"] for each in messages)

    def __call__(self, text: str, **_: Any) -> dict[str, list[int]]:
        return {"input_ids": list(text.encode())}


def test_a_template_that_refuses_a_chat_refuses_the_request() -> None:
    assert prompt_tokens(Tokenizer(), ASKED.messages) == list(b"is it so?")
    with pytest.raises(Rejected, match="takes no such chat: System role not supported"):
        prompt_tokens(Tokenizer(), ({"role": "system", "content": "Be brief."}, *ASKED.messages))


async def test_no_request_waits_for_a_batch_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("torch", "transformers"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    model: Any = open_model(f"hf/{tmp_path}", Sampling(), Connection())

    def generate(prompts: list[list[int]]) -> None:
        raise TypeError("top_k must be a number")

    model._load, model._generate = lambda: None, generate
    model._tokenizer, model._context = Tokenizer(), 100
    async with asyncio.timeout(10), model:
        for _ in range(2):  # it still answers
            with pytest.raises(Rejected, match="top_k must be a number"):
                await model.complete(ASKED)
