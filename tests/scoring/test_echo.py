"""A prompt that comes back is no answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from thence import families
from thence.core.reply_text import without_prompt
from thence.core.sample import Sample
from thence.core.score import Outcome
from thence.prompts.catalog import protocol
from thence.prompts.conversation import Conversation
from thence.prompts.template_loader import templates
from thence.scoring.judge import Response, judge

LINES = (Path(__file__).parents[1] / "golden" / "samples.jsonl").read_bytes().splitlines()
ROWS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
PROTOCOLS = ("direct", "chain_of_thought", "answer_then_explain", "explain_then_answer")


@pytest.mark.parametrize("row", ROWS, ids=[row["task"] for row in ROWS])
def test_an_echo_has_no_answer_and_hides_none(row: dict[str, Any]) -> None:
    sample = Sample.from_json(row)
    task = families.task(sample.task)
    right = task.format.write(sample.target)
    for name in PROTOCOLS:
        asked = protocol(name)
        prompt = Conversation(sample, task, asked, templates()).messages[-1]["content"]
        for echo in (prompt, f"> {prompt}", prompt * 2):
            score = judge(Response(sample.id, response=echo), sample, task, asked)
            assert score.outcome is Outcome.NO_ANSWER, (name, score)
    answered = f"{sample.input}\n\n{right}"
    assert judge(Response(sample.id, response=answered), sample, task, protocol("direct")).correct


def test_a_quotation_of_some_of_it_stays() -> None:
    prompt = f"Short.\n\n{'a' * 50}\n\n{'b' * 60}"
    assert without_prompt("b" * 60, prompt) == "b" * 60
    assert without_prompt(f"x {prompt} y", prompt).split() == ["x", "Short.", "y"]
