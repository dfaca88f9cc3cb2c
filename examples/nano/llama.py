"""Writer of nano's file for llama.cpp, and check of the replies that llama.cpp gives with it.

python llama.py export OUT     # OUT/nano-f16.gguf, from the checkpoint in OUT
python llama.py check OUT      # replies of llama.cpp against torch's
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

import torch
from nano import (
    BEGIN,
    CHARACTERS,
    CONTEXT,
    END,
    HEADS,
    INNER,
    LAYERS,
    TASKS,
    WIDTH,
    answer_of,
    drawn,
    load,
)

PLANS = ["catbench/order", "fable/plans/intervals"]


def export(out: Path, kind: str) -> Path:
    """Write the GGUF file that llama.cpp reads; matrices in f32, f16 or q8_0."""
    from gguf import GGMLQuantizationType, GGUFWriter, TokenType, quants

    model, tokenizer = load(out)
    path = out / f"nano-{kind}.gguf"
    writer = GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_block_count(LAYERS)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokenizer.tokens))
    # llama.cpp cuts out the user-defined tokens first, longest first, and spells the rest.
    types = [TokenType.UNKNOWN, TokenType.CONTROL, TokenType.CONTROL] + [TokenType.BYTE] * 256
    types += [TokenType.NORMAL] * len(CHARACTERS) + [TokenType.USER_DEFINED] * len(tokenizer.pieces)
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(["\u2581" if text == " " else text for text in tokenizer.tokens])
    writer.add_token_scores([0.0] * len(types))
    writer.add_token_types(types)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(BEGIN)
    writer.add_eos_token_id(END)
    writer.add_add_bos_token(True)  # noqa: FBT003 - the writer takes it by place
    writer.add_add_space_prefix(False)  # noqa: FBT003
    writer.add_chat_template("{% for each in messages %}{{ each['content'] }}\n{% endfor %}")
    for name, weights in model.state_dict().items():
        form = GGMLQuantizationType[kind.upper() if weights.ndim == 2 else "F32"]
        writer.add_tensor(name, quants.quantize(weights.numpy(), form), raw_dtype=form)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


async def replies(path: Path, prompts: Sequence[str]) -> list[tuple[list[int], list[int], str]]:
    """Return llama.cpp's tokens of each prompt and of its likeliest reply, and the reply's text."""
    import aiohttp

    from thence.models.gguf import LocalServer

    found = []
    async with LocalServer(path, 1, CONTEXT) as server, aiohttp.ClientSession() as session:
        for prompt in prompts:
            body = {"content": prompt + "\n", "add_special": True}
            async with session.post(server.url[:-2] + "tokenize", json=body) as answer:
                tokens = (await answer.json())["tokens"]
            body = {"messages": [{"role": "user", "content": prompt}]}
            body |= {"temperature": 0, "max_tokens": 1000, "logprobs": True}
            async with session.post(server.url + "/chat/completions", json=body) as answer:
                (choice,) = (await answer.json())["choices"]
            written = [each["id"] for each in choice["logprobs"]["content"]]
            ended = choice["finish_reason"] == "stop" and written[-1] != END
            found.append((tokens, written + [END] * ended, choice["message"]["content"]))
    return found


@torch.no_grad()
def check(out: Path, size: int = 209) -> None:
    """Print how many of llama.cpp's replies are torch's, before and after quantising.

    A reply is torch's own where each of its tokens is torch's likeliest after those before it.
    """
    model, tokenizer = load(out)
    asked = drawn([*TASKS, *PLANS], (2, 6), 0, size, train=False)
    for kind in ("f32", "f16", "q8_0"):
        found = asyncio.run(replies(export(out, kind), [each.input for each in asked]))
        tokens = same = right = 0
        for sample, (read, written, said) in zip(asked, found, strict=True):
            prompt = [BEGIN, *tokenizer.encode(sample.input + "\n")]
            likeliest = model(torch.tensor([prompt + written]))[0].argmax(-1)
            tokens += read == prompt
            same += likeliest[len(prompt) - 1 : -1].tolist() == written
            right += said == answer_of(sample)
        print(f"{kind} of {size}: {tokens} read the same, {same} replied the same, {right} right")


def main() -> None:
    """Run the command that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("command", choices=["export", "check"])
    parser.add_argument("out", type=Path, help="folder of the checkpoint")
    given = parser.parse_args()
    if given.command == "export":
        print(export(given.out, "f16"))
    else:
        check(given.out)


if __name__ == "__main__":
    main()
