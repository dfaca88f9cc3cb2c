"""Readers are out of reach of the truth: foreign samples change nothing of an answer read."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import cache
from random import Random
from typing import Any

import pytest

import thence
from thence import families
from thence.core.amounts import canonical
from thence.core.family import Family
from thence.core.parts import AnswerFormat, Question
from thence.core.sample import Sample
from thence.families.releval.framings import FRAMINGS
from thence.families.releval.tasks.consistency import TASK
from thence.models.base import Request

KINDS = 12
WORD = re.compile("[A-Za-z]+")


def offered() -> list[str]:
    found = []
    for name, task in families.tasks().items():
        generator = task.generator
        if not generator.unavailable(generator.configure({})):
            found.append(name)
    return found


@cache
def samples(name: str) -> list[Sample]:
    return list(thence.generate(name, seed=0, size=6))


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


def foreign(sample: Sample, other: Sample, shown: Sequence[str]) -> Sample:
    """The other sample, with the values of the first that are shown."""
    metadata = copy.deepcopy(other.metadata)
    for path in shown:
        *above, name = path.split(".")
        ours, theirs = sample.metadata, metadata
        for each in above:
            ours, theirs = ours[each], theirs[each]
        if name in ours:
            theirs[name] = ours[name]
    return replace(other, metadata=metadata)


@pytest.mark.parametrize(
    "count", [4_000, pytest.param(50_000, marks=pytest.mark.long)], ids=lambda n: f"{n} replies"
)
def test_what_is_read_depends_on_what_is_shown_alone(count: int) -> None:
    rng, names = Random(count), offered()
    read = 0
    for number in range(count):
        held = samples(names[number % len(names)])
        sample, other = held[number % len(held)], rng.choice(held)
        task = families.task(sample.task)
        write = task.format.write
        reply = varied(write(sample.target), write(other.target), rng)
        beside = foreign(sample, other, task.format.shown)
        ours, theirs = (task.format.read(reply, task.question(each)) for each in (sample, beside))
        assert ours == theirs, (sample.id, reply)
        read += ours is not None
    assert read > count // 3


def steps(sample: Sample, pair: Sequence[int]) -> bool:
    return all(
        f"Step {place + 1}?" in sample.input or f"Step {place + 1} " in sample.input
        for place in pair
    )


def facts(sample: Sample, held: Sequence[Any]) -> bool:
    says = FRAMINGS[sample.metadata["question"]["framing"]].sentence
    return all(says(*fact) in sample.input for fact in held)


PROMPTED: dict[str, Callable[[Sample, Any], bool]] = {
    "step_pair": steps,
    "question.facts": facts,
    "question.i": lambda sample, i: i is None or steps(sample, [i]),
    "question.unit": lambda sample, unit: unit in map(canonical, WORD.findall(sample.input)),
}
"""Whether the prompt of a sample shows a value that its question holds."""


def test_what_a_question_holds_is_shown_by_the_prompt() -> None:
    seen = set()
    for name in offered():
        task = families.task(name)
        for sample in samples(name):
            values = task.question(sample).values
            assert set(values) <= {path.rpartition(".")[2] for path in task.format.shown}
            for path in task.format.shown:
                value = values[path.rpartition(".")[2]]
                assert PROMPTED[path](sample, value), (path, value, sample.input)
                seen.add(path)
    assert seen == set(PROMPTED)


def test_a_format_of_ones_own_is_out_of_reach_too() -> None:
    class Peeping(type(TASK.format)):  # type: ignore[misc]
        def asked(self, metadata: Any) -> Any:
            return {"facts": metadata["witness"]}

    task = replace(TASK, format=Peeping())
    [sample] = thence.generate(TASK.full_name, size=1)
    assert task.question(sample) == TASK.question(sample)
    for name, method in vars(AnswerFormat).items():
        if callable(method):
            assert not {"metadata", "sample"} & set(inspect.signature(method).parameters), name


def test_a_question_holds_neither_truth_nor_id() -> None:
    assert [each.name for each in fields(Question)] == ["task", "values"]
    for name in offered():
        task = families.task(name)
        for sample in samples(name):
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


def test_the_hooks_of_a_family_take_types() -> None:
    hooks = {name: str(kind) for name, kind in inspect.get_annotations(Family).items()}
    assert not [name for name, kind in hooks.items() if re.search(r"\bAny\b", kind)]
