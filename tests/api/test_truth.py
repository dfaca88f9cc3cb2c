"""Readers are out of reach of the truth: foreign targets change nothing of an answer read."""

from __future__ import annotations

import inspect
from dataclasses import fields, replace
from itertools import islice
from random import Random

import pytest

import thence
from thence import families
from thence.core.parts import AnswerFormat, Question
from thence.core.sample import Sample
from thence.models.base import Request

KINDS = 12


def offered() -> list[str]:
    found = []
    for name, task in families.tasks().items():
        generator = task.generator
        if not generator.unavailable(generator.configure({})):
            found.append(name)
    return found


def varied(reply: str, other: str, rng: Random) -> str:
    """One of several ways in which replies go wrong, or right."""
    cut = rng.randrange(len(reply) + 1)
    return (
        reply,
        other,
        f"{other}\n\nNo, wait.\n\n{reply}",
        f"{reply}\n\nOr rather:\n{other}",
        f"```json\n{reply}\n```",
        f"<think>{other}</think>{reply}",
        f"**Answer:** {reply}",
        f"\\boxed{{{reply}}}",
        reply[:cut],
        reply[:cut] + other[cut:],
        reply.replace('"', "'"),
        reply.swapcase(),
    )[rng.randrange(KINDS)]


@pytest.mark.parametrize(
    "count", [4_000, pytest.param(50_000, marks=pytest.mark.long)], ids=lambda n: f"{n} replies"
)
def test_what_is_read_does_not_depend_on_the_target(count: int) -> None:
    rng, names = Random(count), offered()
    made = {name: list(thence.generate(name, seed=7, size=6)) for name in names}
    read = 0
    for number in range(count):
        held = made[names[number % len(names)]]
        sample, foreign = held[number % len(held)], rng.choice(held)
        task = families.task(sample.task)
        write = task.format.write
        reply = varied(write(sample.target), write(foreign.target), rng)
        beside = replace(sample, target=foreign.target, id="another")
        ours, theirs = (task.format.read(reply, task.question(each)) for each in (sample, beside))
        assert ours == theirs, (sample.id, reply)
        read += ours is not None
    assert read > count // 3


def test_a_question_holds_neither_truth_nor_id() -> None:
    assert [each.name for each in fields(Question)] == ["task", "values"]
    for name in offered():
        task = families.task(name)
        for sample in islice(thence.generate(name, seed=3, size=2), 2):
            text = str(task.question(sample))
            assert sample.id not in text
            assert sample.cluster not in text
            for secret in ("explanation", "witness", "reason", "split"):
                assert f"'{secret}'" not in text


def test_readers_and_requests_take_no_sample() -> None:
    for name in ("read", "read_explanation", "conclusion", "schema", "grammar", "common"):
        hints = inspect.get_annotations(getattr(AnswerFormat, name))
        assert "Sample" not in hints.values() and "Question" in hints.values()
    assert not [each for each in fields(Request) if "Sample" in str(each.type)]
    assert Sample.__name__ == "Sample"
