"""That it does not suffice to find the sentence in which a thing moves."""

from __future__ import annotations

import re

import pytest

from thence.core.sample import Sample
from thence.generation import suite
from thence.generation.plan import Plan

CEILING = 0.75
CELLS = ("reaching_definitions", "very_busy_expressions", "available_expressions",
         "live_variables", "type_state", "taint", "concurrency")  # fmt: skip

_WORD = re.compile(r"[a-z]{3,}")
_INTO = re.compile(r"\b(?:into|over|onto|to|with|in|on) (?:the|a|an) ((?:[a-z]+ )?[a-z]+)")
_ENDS = re.compile(r"\b(?:throw|turn the oven off|serve|discard|drain)\b")
_SMALL = frozenset(
    ["the", "and", "with", "for", "step", "until", "make", "minutes", "from", "them"]
)


def guess(sample: Sample) -> str:
    """The answer of someone who follows the words of a thing from sentence to sentence."""
    question = sample.metadata["question"]
    texts = [step["text"].lower() for step in sample.metadata["procedure"]["steps"]]
    i, j, kind = question["i"], question["j"], question["kind"]
    asked = question.get("ingredient") or question["fact"]
    words = set(_WORD.findall(asked.partition(",")[0] if asked else texts[i])) - _SMALL
    met, moved, ended = [], False, False
    for k in range(i + 1, len(texts) if j is None else j + 1):
        if words.isdisjoint(_WORD.findall(texts[k])):
            continue
        met.append(k)
        if k != j:
            moved = moved or bool(_INTO.search(texts[k]))
            ended = ended or bool(_ENDS.search(texts[k]))
            words |= {word for name in _INTO.findall(texts[k]) for word in name.split()} - _SMALL
    if kind in ("live_variables", "very_busy_expressions"):
        plain = [k for k in met if not texts[k].startswith("if ")]
        return "Yes" if (plain if kind[0] == "v" else met) else "No"
    if kind == "taint":
        safe = any(i < k < (j or 0) for k in question["sanitizers"])
        return "Yes" if j in met and not safe else "No"
    if kind in ("type_state", "concurrency"):
        return "No" if j in met else "Yes"
    within = question["form"] == "within"
    return "Yes" if i < (j or 0) and not ended and (within or not moved) else "No"


@pytest.mark.parametrize("name", [CELLS[0], CELLS[5]])
def test_following_the_words_of_a_thing_is_not_enough(name: str) -> None:
    check(name, 96)


@pytest.mark.long
@pytest.mark.parametrize("name", CELLS)
def test_following_the_words_of_a_thing_is_not_enough_for_many(name: str) -> None:
    check(name, 480)


def check(name: str, size: int) -> None:
    samples = list(suite.generate(Plan([f"fable/recipes/{name}"], seed=31, size=size)))
    right = sum(guess(sample) == sample.target for sample in samples)
    assert right <= CEILING * size, right / size
