"""Speed of `hf/` models against a plain loop over batches with the same tiny random model.

Both sides answer the same prompts with the same number of tokens, on the CPU or GPU that
transformers finds; ours keeps every response on disk and scores it, too. The sides take turns, and
the best of each is compared. Usage: ``python benchmarks/hf.py [QUESTIONS] [BATCH]``.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

TURNS = 3
TOKENS = 32
WIDE = 96  # of the model


def write_model(folder: Path) -> None:
    """Write a random model whose tokens are bytes."""
    import tokenizers
    import torch
    import transformers

    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    words = {word: number for number, word in enumerate([*alphabet, "<end>"])}
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=words, merges=[]))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<end>")
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(words), hidden_size=WIDE, intermediate_size=2 * WIDE, num_hidden_layers=3,
        num_attention_heads=4, num_key_value_heads=4, max_position_embeddings=8192,
        eos_token_id=words["<end>"], bos_token_id=None,
    )  # fmt: skip
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def plain(folder: Path, prompts: list[str], batch: int) -> float:
    """Return the seconds of a loop over batches, the prompts sorted by length, loading included."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    begun = time.perf_counter()
    tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
    tokenizer.pad_token = tokenizer.eos_token
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype="auto").to(device).eval()
    ordered, replies = sorted(prompts, key=len), []
    for start in range(0, len(ordered), batch):
        held = tokenizer(ordered[start : start + batch], return_tensors="pt", padding=True)
        held = held.to(device)
        with torch.inference_mode():
            made = model.generate(
                input_ids=held["input_ids"], attention_mask=held["attention_mask"],
                do_sample=False, max_new_tokens=TOKENS, pad_token_id=tokenizer.pad_token_id,
            )  # fmt: skip
        replies += tokenizer.batch_decode(made[:, held["input_ids"].shape[1] :])
    assert len(replies) == len(prompts)
    return time.perf_counter() - begun


def ours(folder: Path, questions: Any, batch: int, out: Path) -> float:
    """Return the seconds of a run from its call to its scores."""
    import thence

    begun = time.perf_counter()
    done = thence.run(
        questions,
        f"hf/{folder}",
        sampling=thence.Sampling(temperature=0.0, max_tokens=TOKENS),
        limits=thence.Limits(max_connections=batch),
        out=out,
    )
    assert done.missing == 0
    return time.perf_counter() - begun


def main() -> None:
    """Print both sides."""
    import thence

    count, batch = (int(each) for each in (*sys.argv[1:], *("192", "16")[len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory() as held:
        folder = Path(held)
        write_model(folder / "model")
        questions = thence.generate("procbench/sort", size=count)
        prompts = [each.input for each in questions]
        plain(folder / "model", prompts[:batch], batch)  # what is loaded once
        theirs, own = [], []
        for turn in range(TURNS):
            theirs.append(plain(folder / "model", prompts, batch))
            own.append(ours(folder / "model", questions, batch, folder / f"run{turn}"))
    loop, run = min(theirs), min(own)
    print(f"{count} prompts, batches of {batch}, {TOKENS} tokens each, best of {TURNS}")
    print(f"a plain loop of transformers: {loop:.2f} s, {count / loop:.1f} replies/s")
    print(f"thence.run with hf/, on disk and scored: {run:.2f} s, {count / run:.1f} replies/s")
    print(f"ours reaches {loop / run:.2f} of the plain loop's speed")


if __name__ == "__main__":
    main()
