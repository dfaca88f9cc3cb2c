"""Writer of a tiny language model with random weights.

The model reads and writes any text and answers thousands of short requests a second.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gguf import GGUFWriter
    from numpy.typing import NDArray

_LAYERS = 2
_WIDTH = 64
_INNER_WIDTH = 192
_HEADS = 4
_CONTEXT = 131_072

_UNKNOWN, _BEGIN, _END = 0, 1, 2
_FIRST_BYTE = 3
_FIRST_CHARACTER = _FIRST_BYTE + 256

_CHAT_TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)


def write_tiny_model(path: Path, seed: int = 0) -> Path:
    """Write a llama-architecture GGUF file of 0.6 MB with random weights.

    The vocabulary is the printable ASCII characters and all 256 bytes, so a prompt takes one token
    per byte. A reply ends of itself after about a hundred tokens, on average.

    Args:
        path: file to write, replaced where it exists; its folder must exist.
        seed: of the weights; the same seed gives the same bytes.

    Returns:
        ``path``, for chaining.
    """
    from gguf import GGUFWriter  # slow to import

    writer = GGUFWriter(path, "llama")
    _describe(writer)
    _add_vocabulary(writer)
    for name, weights in _weights(np.random.default_rng(seed)).items():
        writer.add_tensor(name, weights)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _describe(writer: GGUFWriter) -> None:
    """Add the sizes of the network."""
    writer.add_context_length(_CONTEXT)
    writer.add_block_count(_LAYERS)
    writer.add_embedding_length(_WIDTH)
    writer.add_feed_forward_length(_INNER_WIDTH)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(_WIDTH // _HEADS)


def _add_vocabulary(writer: GGUFWriter) -> None:
    """Add a SentencePiece vocabulary whose byte tokens spell all other characters."""
    from gguf import TokenType

    characters = ["\u2581", *map(chr, range(ord("!"), ord("~") + 1))]  # U+2581 stands for a space
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *characters]
    types = [TokenType.UNKNOWN, TokenType.CONTROL, TokenType.CONTROL]
    types += [TokenType.BYTE] * 256 + [TokenType.NORMAL] * len(characters)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(types)
    writer.add_unk_token_id(_UNKNOWN)
    writer.add_bos_token_id(_BEGIN)
    writer.add_eos_token_id(_END)
    writer.add_add_bos_token(True)  # noqa: FBT003 - the writer takes it by place
    writer.add_add_space_prefix(False)  # noqa: FBT003 - a prompt is read as it stands
    writer.add_chat_template(_CHAT_TEMPLATE)


def _weights(generator: np.random.Generator) -> dict[str, NDArray[np.float32]]:
    """Return weights by tensor name, scaled so that each token of the prompt changes the reply."""

    def draw(rows: int, columns: int, gain: float = 2.0) -> NDArray[Any]:
        scale = np.float32(gain / columns**0.5)
        return generator.standard_normal((rows, columns), dtype=np.float32) * scale

    ones = np.ones(_WIDTH, dtype=np.float32)
    tokens = _FIRST_CHARACTER + 95
    weights = {"token_embd.weight": draw(tokens, _WIDTH, gain=8.0), "output_norm.weight": ones}
    for layer in range(_LAYERS):
        weights |= {
            f"blk.{layer}.attn_norm.weight": ones,
            f"blk.{layer}.attn_q.weight": draw(_WIDTH, _WIDTH),
            f"blk.{layer}.attn_k.weight": draw(_WIDTH, _WIDTH),
            f"blk.{layer}.attn_v.weight": draw(_WIDTH, _WIDTH),
            f"blk.{layer}.attn_output.weight": draw(_WIDTH, _WIDTH),
            f"blk.{layer}.ffn_norm.weight": ones,
            f"blk.{layer}.ffn_gate.weight": draw(_INNER_WIDTH, _WIDTH),
            f"blk.{layer}.ffn_up.weight": draw(_INNER_WIDTH, _WIDTH),
            f"blk.{layer}.ffn_down.weight": draw(_WIDTH, _INNER_WIDTH),
        }
    output = draw(tokens, _WIDTH, gain=4.0)
    # Small logits keep bytes rare: strung together at random, they are seldom valid UTF-8.
    output[_FIRST_BYTE:_FIRST_CHARACTER] /= 4
    return weights | {"output.weight": output}
