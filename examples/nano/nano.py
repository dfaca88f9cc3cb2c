"""Trainer of a language model of 0.9 million weights that follows short procedures.

    python nano.py OUT         # from scratch, or on from OUT's checkpoint

The questions are Thence's, made as they are needed: training seeds to learn from, evaluation seeds
to look at. The tokenizer gives fixed wording one token and data a token a character; the loss
counts the reply alone, with every intermediate state. ``llama.py`` makes the file for llama.cpp.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from os.path import commonprefix
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

import thence
from thence import families
from thence.integrations import for_trainers

EASY = """compare copy decode decompose delete_char delete_word encode fill_word find_cyclic
    push_pop rhythm rotate search sort split1 split2 substitute"""
TASKS = [f"procbench/{name}" for name in EASY.split()]  # others need arithmetic or long replies
WORKING = ["Between", "After", "Before", "\nAnswer: yes", "\nAnswer: no", "No constraint"]
NUMBERED = r"\nStep \d+:|\n\d+\.|(?: (?:and|into|from|to|at|of|in|with|on))? ?[A-Za-z]+ \d+"
SEED = 28
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
WIDTH, INNER, LAYERS, HEADS = 128, 320, 4, 4
PACE = 12  # pools until questions get longer
TOKENS = 2048  # of a batch, padding among them
BEGIN, END, BYTES = 1, 2, 3  # tokens; the last is that of byte 0
CONTEXT = 2048  # tokens that llama.cpp is told to hold
CHARACTERS = [chr(code) for code in range(32, 127)] + ["\n"]
PIECES = BYTES + 256 + len(CHARACTERS)  # the token of the first piece


class Tokenizer:
    """Pieces of wording, longest first, and single characters for all else."""

    def __init__(self, pieces: Iterable[str]) -> None:
        self.pieces = sorted(pieces, key=lambda piece: (-len(piece), piece))
        self.tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
        self.tokens += CHARACTERS + self.pieces
        self.known = {text: place for place, text in enumerate(self.tokens)}
        self._pieces = set(self.pieces)

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a text; characters that are not ASCII are spelled in bytes."""
        parts, rest = [text], text
        for piece in self.pieces:
            if piece in rest:  # llama.cpp, too, cuts out the longest pieces first
                cut = re.compile(f"({re.escape(piece)})")
                cuts = ([each] if each in self._pieces else cut.split(each) for each in parts)
                parts = [part for found in cuts for part in found]
                rest = "\0".join(part for part in parts if part not in self._pieces)
        units = [unit for part in parts for unit in ([part] if part in self._pieces else part)]
        bytewise = ([BYTES + byte for byte in unit.encode()] for unit in units)
        known = ([self.known[unit]] if unit in self.known else None for unit in units)
        return [each for one, other in zip(known, bytewise, strict=True) for each in one or other]


def drawn(
    tasks: Sequence[str], steps: tuple[int, int], start: int, size: int, *, train: bool = True
) -> list[thence.Sample]:
    """Return questions of tasks that take turns; ``steps`` are for ProcBench alone."""
    made = list[thence.Sample]()
    ask = for_trainers.questions if train else thence.questions
    for family in dict.fromkeys(task.partition("/")[0] for task in tasks):
        chosen = [task for task in tasks if task.partition("/")[0] == family]
        given: dict[str, Any] = {"steps": steps} if family == "procbench" else {}
        given |= {"catbench": {"source": "plans"}, "fable": {"text": "english"}}.get(family, {})
        first, last = (each * len(chosen) // len(tasks) for each in (start, start + size))
        made += ask(chosen, seed=SEED, **given)[first:last]
    return made


def learn_wording(tasks: Sequence[str], old: Tokenizer, size: int = 600) -> list[str]:
    """Return the numbered things, and the wording between them, that come again in prompts."""
    prompts = [each.input for task in tasks for each in drawn([task], (2, 6), 0, size)]
    counts = Counter[str]()
    for prompt in prompts:
        counts.update({*filter(None, re.split(f"({NUMBERED}|\n\n)|(?=\n- )", prompt))})
    known = (old.encode(each.input) for each in drawn(["procbench"], (2, 6), 0, 4 * size))
    rest = "".join(old.tokens[each] if each < PIECES else "\0" for row in known for each in row)
    often = {each for each, count in counts.items() if count >= 4 and len(each) > 1}
    found = Tokenizer([*old.pieces, *(each for each in often if each not in rest), *WORKING])
    used = {token for prompt in prompts for token in found.encode(prompt)}
    return sorted({found.tokens[token] for token in used if token >= PIECES} | {*WORKING})


def learn_pieces(tasks: Sequence[str], size: int = 300) -> list[str]:
    """Return the pieces of wording that questions of training seeds share.

    They are what all prompts of a task begin and end with, labels, marks of JSON, and words.
    """
    pieces, words = set[str](), Counter[str]()
    for task in tasks:
        rows = list(for_trainers.questions(task, SEED, steps=(2, 6))[:size])
        prompts = [row.input for row in rows]
        first = commonprefix(prompts)  # noqa: RUF071 - of characters
        first = first[: first.rindex(":") + 1]
        last = commonprefix([each[::-1] for each in prompts])[::-1]  # noqa: RUF071
        last = last[last.index("\n\n") :]
        pieces |= {first, last}
        for row in rows:
            data = row.input[len(first) : -len(last)]
            pieces |= set(re.findall(r"\n[A-Z][A-Za-z ]+:", data))
            marks = r'(?:[{}\[\]":,]|intermediate|final)+'
            words.update(re.findall(marks, answer_of(row)))
            words.update(set(re.findall(r" [a-z_]{3,}\b|\b[A-Z][a-z]+\b", data)))
            words.update(set(re.findall(r"0+|1+|-+", data)))
    often = {word for word, count in words.items() if count >= 5 and len(word) > 1}
    return sorted(pieces | often | {", "})


def vocabulary(file: Path, tasks: Sequence[str]) -> tuple[Tokenizer, Tokenizer]:
    """Return the tokenizer of a file, and the one with pieces of further tasks."""
    old = Tokenizer(json.loads(file.read_text()) if file.exists() else learn_pieces(TASKS))
    brief = [each for each in tasks if each.startswith("procbench/")]
    new = Tokenizer({*old.pieces, *learn_pieces(brief)}) if brief else old
    others = [each for each in tasks if each not in brief]
    return old, Tokenizer({*new.pieces, *learn_wording(others, new)}) if others else new


def widened(weights: Tensor, old: Tokenizer, new: Tokenizer) -> Tensor:
    """Return the rows of a tokenizer with more pieces; new rows begin near the mean of all."""
    spread = torch.randn(len(new.tokens), WIDTH, generator=torch.Generator().manual_seed(SEED))
    first = dict[tuple[str, str], int]()
    for row, text in enumerate(new.tokens):  # what names one thing or step begins alike
        if row >= PIECES and (named := re.search(r"(?i)([a-z]*) ?(\d+)[.:]?$", text)):
            same = first.setdefault((named[1].lower() or "step", named[2]), row)
            spread[row] = spread[same] + (0.3 * spread[row] if row != same else 0.0)
    made = weights.mean(0) + weights.std(0) * spread
    made[[new.known[text] for text in old.tokens]] = weights
    return made


def averaged(weights: dict[str, Tensor], tokenizer: Tokenizer, other: Path) -> dict[str, Tensor]:
    """Return the mean of weights and of those that they came from; new rows stay as they are."""
    model, before = load(other)
    rows = weights["token_embd.weight"].clone()
    model.to(rows.device)
    rows[[tokenizer.known[text] for text in before.tokens]] = model.token_embd.weight.detach()
    theirs = model.state_dict() | {"token_embd.weight": rows}
    return {name: (each + theirs[name]) / 2 for name, each in weights.items()}


def answer_of(sample: thence.Sample) -> str:
    """Return the reply that is right; of CaT-Bench after the steps that must come before."""
    answer = families.task(sample.task).format.write(sample.target)
    if not sample.task.startswith("catbench"):
        return answer
    low, high = sorted(sample.metadata["step_pair"])
    needed = {high}
    for first, then in sorted(sample.metadata["procedure"]["order"], reverse=True):
        needed |= {first} if then in needed else set()
    listed = "".join(f" Step {k + 1}" for k in range(high - 1, low - 1, -1) if k in needed)
    return f"Before Step {high + 1}:{listed}\nAnswer: {answer}"


class Block(nn.Module):
    """Attention and a gated network, as llama has them."""

    def __init__(self) -> None:
        super().__init__()
        self.attn_norm, self.ffn_norm = nn.RMSNorm(WIDTH, 1e-5), nn.RMSNorm(WIDTH, 1e-5)
        square = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))
        self.attn_q, self.attn_k, self.attn_v, self.attn_output = square
        self.ffn_gate, self.ffn_up = (nn.Linear(WIDTH, INNER, bias=False) for _ in range(2))
        self.ffn_down = nn.Linear(INNER, WIDTH, bias=False)

    def forward(self, x: Tensor, turns: Tensor) -> Tensor:
        """Return the stream after this block."""
        h = self.attn_norm(x)
        shape = (*h.shape[:2], HEADS, WIDTH // HEADS)
        q, k, v = (part(h).view(shape) for part in (self.attn_q, self.attn_k, self.attn_v))
        q, k, v = (each.transpose(1, 2) for each in (rotated(q, turns), rotated(k, turns), v))
        a = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.attn_output(a.transpose(1, 2).flatten(2))
        h = self.ffn_norm(x)
        return x + self.ffn_down(functional.silu(self.ffn_gate(h)) * self.ffn_up(h))


def rotated(x: Tensor, turns: Tensor) -> Tensor:
    """Return queries or keys turned by their positions; neighbours make a pair, as in llama.cpp."""
    even, odd = x[..., ::2], x[..., 1::2]
    cos, sin = turns[: x.shape[1], None, :, 0], turns[: x.shape[1], None, :, 1]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)


class Nano(nn.Module):
    """Language model in the shape of llama, with one matrix for the tokens read and written."""

    def __init__(self, tokens: int) -> None:
        super().__init__()
        self.token_embd = nn.Embedding(tokens, WIDTH)
        self.blk = nn.ModuleList(Block() for _ in range(LAYERS))
        self.output_norm = nn.RMSNorm(WIDTH, 1e-5)
        pace = 10_000.0 ** (-torch.arange(0, WIDTH // HEADS, 2) / (WIDTH // HEADS))
        angle = torch.arange(CONTEXT)[:, None] * pace
        self.register_buffer("turns", torch.stack((angle.cos(), angle.sin()), -1), persistent=False)
        for name, weights in self.named_parameters():
            if weights.ndim == 2:
                nn.init.normal_(weights, std=0.5 / math.sqrt(WIDTH))
            if name.endswith(("attn_output.weight", "ffn_down.weight")):
                nn.init.zeros_(weights)
        with torch.no_grad():
            self._look_back(pace)

    def _look_back(self, pace: Tensor) -> None:
        """Let the first heads look one to three tokens back: copying is learnt faster so."""
        weights = self.token_embd.weight
        weights[:, 0] = 0.2  # the same for all tokens: what these heads ask about
        weights *= 0.54 / weights.norm(dim=1, keepdim=True)
        first = (self.blk[0].attn_q, self.blk[0].attn_k)
        queries, keys = (part.weight.view(HEADS, -1, WIDTH) for part in first)
        for head in range(3):
            for rows, turn in ((queries[head], -(head + 1) * pace), (keys[head], 0 * pace)):
                unit = torch.stack((turn.cos(), turn.sin()), -1) * (pace > 0.09)[:, None]
                rows.zero_()
                rows[:, 0] = 1.8 * unit.flatten()

    def forward(self, ids: Tensor, wanted: Tensor | None = None) -> Tensor:
        """Return the logits of the next token, at the places that are wanted (all of them)."""
        x = self.token_embd(ids)
        for block in self.blk:
            x = block(x, self.turns)
        x = self.output_norm(x)
        return functional.linear(x if wanted is None else x[wanted], self.token_embd.weight)


type Example = tuple[list[int], int]  # tokens, and how many of them are the prompt


def example(tokenizer: Tokenizer, sample: thence.Sample) -> tuple[list[int], int]:
    """Return the tokens of a prompt and the right reply to it, and how many are the prompt."""
    prompt = [BEGIN, *tokenizer.encode(sample.input + "\n")]
    return prompt + tokenizer.encode(answer_of(sample)) + [END], len(prompt)


def padded(examples: Sequence[Example]) -> tuple[Tensor, Tensor, Tensor]:
    """Return tokens read, tokens to be written, and where the loss counts: in the replies."""
    rows = [torch.tensor(tokens, device=DEVICE) for tokens, _ in examples]
    ids = pad_sequence(rows, batch_first=True)
    ends = torch.tensor([[prompt, len(tokens)] for tokens, prompt in examples], device=DEVICE)
    places = torch.arange(1, ids.shape[1], device=DEVICE)
    return ids[:, :-1], ids[:, 1:], (places >= ends[:, :1]) & (places < ends[:, 1:])


def pool(
    tokenizer: Tokenizer, number: int, given: argparse.Namespace
) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Return the batches of a pool of training questions, in an order by chance.

    A pool is made from its number alone, so training goes on where it ended. Lengths grow from
    two steps by up to one after every ``PACE`` pools; a share of the questions is of kept tasks.
    """
    least = int(given.size * given.kept) if given.keep else 0
    longest = min(6, 2 + number // PACE)
    made = drawn(given.tasks, (2, longest), number * (given.size - least), given.size - least)
    made += drawn(given.keep, (2, 6), number * least, least) if least else []
    rows = sorted((example(tokenizer, each) for each in made), key=lambda row: len(row[0]))
    batches = list[list[Example]]()
    for row in rows:
        if not batches or len(row[0]) * (len(batches[-1]) + 1) > TOKENS:
            batches.append([])
        batches[-1].append(row)
    order = np.random.default_rng([SEED, number]).permutation(len(batches))
    return [padded(batches[place]) for place in order]


def optimizers_of(model: Nano) -> list[torch.optim.Optimizer]:
    """Return Muon for the matrices and AdamW for the rest."""
    matrices = [each for each in model.blk.parameters() if each.ndim == 2]
    others = [each for each in model.parameters() if not any(each is one for one in matrices)]
    adam = torch.optim.AdamW(others, lr=0.004, betas=(0.9, 0.98), weight_decay=0.0)
    muon = torch.optim.Muon(matrices, lr=0.02, weight_decay=0.01, adjust_lr_fn="original")
    return [muon, adam]


def descend(model: Nano, optimizers: Sequence[Any], batch: Sequence[Tensor]) -> float:
    """Take a step; return the loss before it."""
    ids, targets, counts = batch
    loss = functional.cross_entropy(model(ids, counts), targets[counts])
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for optimizer in optimizers:
        optimizer.step()
    model.zero_grad()
    return loss.item()


def train(given: argparse.Namespace) -> None:
    """Train as the arguments say, from the checkpoint in the folder where it has one.

    The learning rate falls in a straight line over the last pools, as many as ``cooldown`` says.
    """
    out, tasks, pools = given.out, given.tasks, given.pools
    torch.manual_seed(SEED)
    torch.set_num_threads(1)  # several wait for each other where other programs work
    out.mkdir(parents=True, exist_ok=True)
    saved, pieces = out / "checkpoint.pt", out / "pieces.json"
    held: dict[str, Any] = torch.load(saved, map_location="cpu") if saved.exists() else {}
    worded = held.get("worded", TASKS)
    old, tokenizer = vocabulary(pieces, [each for each in tasks if each not in worded])
    model = Nano(len(tokenizer.tokens)).to(DEVICE)
    optimizers = optimizers_of(model)
    rates = [each.param_groups[0]["lr"] * given.rate for each in optimizers]
    number, step, tokens, spent = held.get("place", (0, 0, 0, 0))
    if held:
        weights = widened(held["model"]["token_embd.weight"], old, tokenizer)
        model.load_state_dict(held["model"] | {"token_embd.weight": weights})
        same = old.tokens == tokenizer.tokens and not given.mean
        for optimizer, state in zip(optimizers, held["optimizers"] if same else (), strict=False):
            optimizer.load_state_dict(state)
    if given.mean:
        model.load_state_dict(averaged(model.state_dict(), tokenizer, given.mean))
    pieces.write_text(json.dumps(tokenizer.pieces))
    if given.compile:
        for block in model.blk:
            block.compile(dynamic=True)
    start, end = time.monotonic() - spent, time.monotonic() + 60 * given.minutes
    while number < pools and time.monotonic() < end:
        losses, batches = list[float](), pool(tokenizer, number, given)
        for place, (ids, targets, counts) in enumerate(batches):
            part = number + place / len(batches)
            share = min(1.0, (step + 1) / 50, (pools - part) / max(given.cooldown, 1))
            for optimizer, rate in zip(optimizers, rates, strict=True):
                optimizer.param_groups[0]["lr"] = rate * share
            losses.append(descend(model, optimizers, (ids, targets, counts)))
            step, tokens = step + 1, tokens + int(ids.numel())
        number, spent = number + 1, round(time.monotonic() - start)
        line: dict[str, Any] = {"pool": number, "step": step, "tokens": tokens, "seconds": spent}
        line["loss"] = round(float(np.mean(losses)), 4)
        if number % 10 == 0 or number == pools:
            with torch.compiler.set_stance("force_eager"):
                line["exact"] = exact(model, tokenizer, [*tasks, *given.keep])
        with (out / "log.jsonl").open("a") as log:
            print(json.dumps(line), file=log)
        print(json.dumps(line), flush=True)
        held = {"model": model.state_dict(), "place": (number, step, tokens, spent)}
        held |= {"worded": [*worded, *tasks]}
        torch.save(held | {"optimizers": [each.state_dict() for each in optimizers]}, saved)


@torch.no_grad()
def exact(model: Nano, tokenizer: Tokenizer, tasks: Sequence[str]) -> dict[str, float]:
    """Return the share of right replies to questions of an evaluation seed, by task.

    Each token of the right reply is then the likeliest after those before it.
    """
    shares = dict[str, float]()
    for task in tasks:
        asked = drawn([task], (2, 6), 0, 20 if "procbench" in task else 40, train=False)
        ids, targets, counts = padded([example(tokenizer, each) for each in asked])
        right = ((model(ids).argmax(-1) == targets) | ~counts).all(1)
        shares[task] = round(right.float().mean().item(), 2)
    return {"all": round(float(np.mean(list(shares.values()))), 3), **shares}


def load(out: Path) -> tuple[Nano, Tokenizer]:
    """Return the model of a folder's checkpoint with its tokenizer."""
    tokenizer = Tokenizer(json.loads((out / "pieces.json").read_text()))
    model = Nano(len(tokenizer.tokens))
    model.load_state_dict(torch.load(out / "checkpoint.pt", map_location="cpu")["model"])
    return model.eval(), tokenizer


def main() -> None:
    """Run the command that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, help="folder of the checkpoint and the log")
    parser.add_argument("--tasks", nargs="+", default=TASKS, help="to train on, such as some later")
    parser.add_argument("--pools", type=int, default=240, help="of questions")
    parser.add_argument("--size", type=int, default=512, help="questions of a pool")
    parser.add_argument("--cooldown", type=int, default=60, help="pools with a falling rate")
    parser.add_argument("--minutes", type=float, default=180, help="stop after a pool by then")
    parser.add_argument("--compile", action="store_true", help="faster; needs a C++ compiler")
    parser.add_argument("--keep", nargs="*", default=[], help="tasks with a share of a pool")
    parser.add_argument("--kept", type=float, default=0.125, help="that share")
    parser.add_argument("--mean", type=Path, help="begin from the mean with this folder's weights")
    parser.add_argument("--rate", type=float, default=1.0, help="factor of the learning rate")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
