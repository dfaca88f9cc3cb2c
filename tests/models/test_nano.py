"""The model that is shipped: its bytes, what it says, and the program that made it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import thence
from thence.models.select import NANO_FILE

EXAMPLES = Path(__file__).parents[2] / "examples"
CARD = NANO_FILE.with_name("README.md").read_text(encoding="utf-8")


def test_the_weights_are_those_of_the_card() -> None:
    weights = NANO_FILE.read_bytes()
    assert hashlib.sha256(weights).hexdigest() in CARD
    assert len(weights) < 6_000_000


def test_replies_are_as_recorded(tmp_path: Path) -> None:
    """The card holds them, so that a change of llama.cpp, of a prompt or of the file is seen."""
    pytest.importorskip("xllamacpp", reason="needs the extra gguf")
    recorded = re.findall(r"`(procbench/\w+)`, question (\d+):\n\n```json\n(.*)\n```", CARD)
    assert len(recorded) == 3
    for task, number, reply in recorded:
        asked = thence.questions(task, seed=31, steps=(2, 6))[int(number)]
        run = thence.run(
            [asked], "nano", sampling=thence.Sampling(temperature=0.0), out=tmp_path / str(number)
        )
        (said,) = run.responses()
        assert said["response"] == reply
        assert run.scores().frame["correct"].to_list() == [True]


def test_nano_has_no_address() -> None:
    with pytest.raises(thence.ParameterError, match="nano is a file that is served here"):
        thence.run("procbench/sort", "nano", base_url="http://localhost:9/v1")


def test_keys_and_values_are_held_in_f32() -> None:
    """In f16, llama.cpp's replies with weights in f32 were torch's in 190 of 200 prompts."""
    pytest.importorskip("xllamacpp", reason="needs the extra gguf")
    from thence.models.gguf_worker import _parameters

    held = _parameters(NANO_FILE, slots=1, context=256, threads=1)
    assert (held.cache_type_k, held.cache_type_v, held.flash_attn_type) == (0, 0, 0)


def program(name: str, *arguments: str | Path) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *arguments], capture_output=True, text=True, check=False,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_the_loss_falls_and_training_goes_on_where_it_ended(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra hf")
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    program("nano/nano.py", whole, "--pools", "3", "--cooldown", "1")
    program("nano/nano.py", parts, "--pools", "3", "--cooldown", "1", "--minutes", "0.001")
    assert len((parts / "log.jsonl").read_text().splitlines()) == 1
    program("nano/nano.py", parts, "--pools", "3", "--cooldown", "1")
    logs = [
        [json.loads(line)["loss"] for line in (each / "log.jsonl").read_text().splitlines()]
        for each in (whole, parts)
    ]
    assert len(logs[0]) == 3
    assert logs[0][2] < 0.7 * logs[0][0]
    assert logs[1] == pytest.approx(logs[0], rel=0.01)
    program("nano/llama.py", "export", whole)
    assert (whole / "nano-f16.gguf").read_bytes()[:4] == b"GGUF"


@pytest.mark.long
def test_other_tasks_come_in_and_what_is_kept_reads_as_before(tmp_path: Path) -> None:
    """The tokens of ProcBench's prompts stay, and a reply of CaT-Bench begins with its working."""
    torch = pytest.importorskip("torch", reason="needs the extra hf")
    pytest.importorskip("fast_downward", reason="needs the extra plans")
    first, then = tmp_path / "first", tmp_path / "then"
    program("nano/nano.py", first, "--size", "32", "--pools", "1")
    shutil.copytree(first, then)
    more = ["--size", "32", "--tasks", "catbench/order", "--keep", "procbench/sort"]
    program("nano/nano.py", then, *more, "--pools", "2")
    code = (
        "import json, sys; sys.path.insert(0, sys.argv[1]); import nano, thence\n"
        "old, new = (nano.Tokenizer(json.loads(open(each).read())) for each in sys.argv[2:])\n"
        "asked = nano.drawn(['procbench'], (2, 6), 9000, 92)\n"
        "both = [[t.tokens[e] for e in t.encode(s.input)] for s in asked for t in (old, new)]\n"
        "assert len(new.pieces) > len(old.pieces) + 50 and both[::2] == both[1::2]\n"
        "for sample in nano.drawn(['catbench/order'], (2, 6), 0, 30):\n"
        "    head, _, answer = nano.answer_of(sample).partition('\\nAnswer: ')\n"
        "    low = f'Step {min(sample.metadata[\"step_pair\"]) + 1}'\n"
        "    assert answer == sample.target and head.endswith(low) == (answer == 'yes')\n"
    )
    files = (EXAMPLES / "nano", first / "pieces.json", then / "pieces.json")
    done = subprocess.run([sys.executable, "-c", code, *files], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    name = "blk.3.ffn_up.weight"
    held = [torch.load(each / "checkpoint.pt")["model"][name] for each in (first, then)]
    program("nano/nano.py", then, *more, "--pools", "3", "--mean", first, "--rate", "0")
    mean = torch.load(then / "checkpoint.pt")["model"][name]
    assert torch.allclose(mean, (held[0] + held[1]) / 2, atol=1e-6)


@pytest.mark.long
def test_two_steps_of_grpo_begin_from_nano(tmp_path: Path) -> None:
    pytest.importorskip("trl", reason="needs trl")
    program("grpo/grpo.py", tmp_path, "--steps", "2")
    line, _ = (tmp_path / "log.jsonl").read_text().splitlines()
    assert json.loads(line)["rewards/pa/mean"] > 0.5
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("before", "after")]
    assert weights[0] != weights[1]
