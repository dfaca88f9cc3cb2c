"""A tiny random model by transformers: batches, limits, stops, and the end of a run."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import refused, rows, samples, settle, thence
from thence.errors import MissingExtra, ParameterError, Rejected
from thence.models.base import Request, Sampling
from thence.models.select import Connection, open_model

TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>"


def ask(text: str) -> Request:
    return Request(({"role": "user", "content": text},))


def opened(folder: Path, connections: int = 4, **sampling: Any) -> Any:
    return open_model(f"hf/{folder}", Sampling(**sampling), Connection(connections=connections))


@pytest.mark.parametrize(
    ("sampling", "name"), [({"structured": True}, "structured"), ({"seed": 1}, "seed")]
)
def test_what_would_be_ignored_is_refused(
    sampling: dict[str, Any], name: str, tmp_path: Path
) -> None:
    with pytest.raises(ParameterError, match=name):
        opened(tmp_path, **sampling)


def test_a_folder_that_is_not_there_is_refused() -> None:
    with pytest.raises(ParameterError, match="no such folder"):
        open_model("hf/./none", Sampling(), Connection())


def test_without_the_extra_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"thence\[hf\]"):
        opened(tmp_path)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny(tmp_path_factory.mktemp("model"))


def write_tiny(folder: Path) -> Path:
    """Writes a random model of 2,048 tokens of context, whose tokens are bytes."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    words = {word: number for number, word in enumerate([*alphabet, "<end>"])}
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=words, merges=[]))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<end>")
    tokenizer.chat_template = TEMPLATE
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(words), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=2048,
        eos_token_id=words["<end>"], bos_token_id=None,
    )  # fmt: skip
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.mark.long
class TestReplies:
    async def test_a_batch_says_what_each_would_say_alone(self, tiny: Path) -> None:
        texts = ["a", "is it so?", "b" * 90, "Does step 2 use the dough?"]
        async with opened(tiny, temperature=0.0, max_tokens=12) as model:
            together = await asyncio.gather(*(model.complete(ask(text)) for text in texts))
        async with opened(tiny, connections=1, temperature=0.0, max_tokens=12) as model:
            alone = [await model.complete(ask(text)) for text in texts]
        assert [each.text for each in together] == [each.text for each in alone]
        assert [each.usage for each in together] == [each.usage for each in alone]
        lengths = [len(f"<user>{text}<assistant>") for text in texts]
        assert [each.usage.input_tokens for each in together] == lengths
        assert all(each.finish_reason == "length" for each in together)

    async def test_a_stop_and_the_context_end_a_reply(self, tiny: Path) -> None:
        async with opened(tiny, temperature=0.0, max_tokens=12) as model:
            whole = await model.complete(ask("a"))
        mark = whole.text[4]
        stops = {"stop": [mark]}
        async with opened(tiny, temperature=0.0, max_tokens=12, extra_body=stops) as model:
            reply = await model.complete(ask("a"))
            assert (reply.text, reply.finish_reason) == (whole.text.split(mark)[0], "stop")
            with pytest.raises(Rejected, match="takes 2,048"):
                await model.complete(ask("a" * 2048))

    async def test_too_much_for_the_memory_goes_in_halves(self, tiny: Path) -> None:
        async with opened(tiny, temperature=0.0, max_tokens=2) as model:
            generate, sizes = model._generate, []

            def small(prompts: list[list[int]]) -> Any:
                sizes.append(len(prompts))
                if len(prompts) > 1:
                    raise RuntimeError("CUDA out of memory.")
                return generate(prompts)

            model._generate = small
            replies = await asyncio.gather(*(model.complete(ask("a" * n)) for n in range(1, 5)))
            assert (len(replies), sizes[0], sizes.count(1)) == (4, 4, 4)
            model._generate = lambda prompts: (_ for _ in ()).throw(MemoryError("no more"))
            with pytest.raises(Rejected, match="no more"):
                await model.complete(ask("a"))


@pytest.mark.long
def test_a_run_goes_on(tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settle(monkeypatch, tmp_path)
    samples(size=5)
    run = ("run", "samples.jsonl", "--model", f"hf/{tiny}", "--max-tokens", "8", "-o", "run")
    thence(*run)
    assert len(rows("run/responses.jsonl")) == 5
    thence(*run)
    assert len(rows("run/responses.jsonl")) == 5
    Path("empty").mkdir()
    says = ("--model hf/empty: cannot be loaded",)
    refused("run", "samples.jsonl", "--model", "hf/empty", "-o", "x", says=says)
