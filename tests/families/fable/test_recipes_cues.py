"""That nothing on the surface of a sound question about a recipe tells its answer."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.families.fable.cues import CEILING, strongest
from thence.core.sample import Sample
from thence.families.fable.recipes.kitchen import named, opening
from thence.generation import suite
from thence.generation.plan import Plan

PRONOUN = re.compile(r"\b(?:it|them|both|everything|mixture)\b")

CELLS = ("reaching_definitions", "very_busy_expressions", "available_expressions",
         "live_variables", "type_state", "taint", "concurrency")  # fmt: skip


def cook(sample: Sample) -> dict[str, object]:
    """What a cook might go by without following anything through the recipe."""
    question, steps = sample.metadata["question"], sample.metadata["procedure"]["steps"]
    texts = [step["text"] for step in steps]
    i, j = question["i"], question["j"]
    asked = question.get("ingredient") or question.get("fact")
    told: dict[str, object] = {
        "times": sum("minute" in text for text in texts),
        "oven": any("oven" in text for text in texts),
        "goal": sample.metadata["procedure"]["goal"],
        "origin": sample.metadata["origin"]["kind"],
        "manner": (opening(texts[i]), opening(texts[j]) if j is not None else ""),
        "safe steps": len(question.get("sanitizers", ())),
        "form": question.get("form"),
        "vessel": bool(question.get("vessel")),
        "halved": ["the half in the bowl" in text for text in (texts[i], texts[j or i])],
        "rest": ["the rest of" in text for text in (texts[i], texts[j or i])],
        "pronoun": [bool(PRONOUN.search(text)) for text in (texts[i], texts[j or i])],
        "sentences": [text.count(". ") for text in (texts[i], texts[j or i])],
        "words between": len(" ".join(texts[i + 1 : j]).split()) // 12,
        "words of j": len(texts[j].split()) if j is not None else None,
        "words of j elsewhere": elsewhere(texts, j) if j is not None else None,
        "meanwhile": any("eanwhile" in text or "meantime" in text for text in texts[i + 1 : j]),
        "many steps": len(texts) > 14,
    }
    told = {name: tuple(x) if isinstance(x, list) else x for name, x in told.items()}
    if asked:
        places = [k for k, text in enumerate(texts) if named(asked, text)]
        stop = len(texts) if j is None else j
        before = [k for k in places if k < stop]
        told |= {
            "last mention": places[-1] if places else None,
            "from the last mention": stop - before[-1] if before else None,
            "last verb": opening(texts[before[-1]]) if before else None,
            "mentions after": sum(k > i for k in places),
            "mentions before": sum(k < i for k in places),
            "in the last step": bool(places) and places[-1] == len(texts) - 1,
            "place in its step": texts[i].lower().find(asked.split()[0]) // 8,
            "words of the name": len(asked.split()),
            "first letter": asked[0],
            "mentioned alone": sum(len(texts[k].split()) < 8 for k in places),
        }
    return told


def elsewhere(texts: list[str], j: int) -> int:
    """How many other steps say what the last noun-like word of a step says."""
    last = re.findall(r"[a-z]+", texts[j].lower())[-1]
    return sum(last in text.lower() for text in texts)


def check(name: str, size: int, seed: int) -> None:
    samples = list(suite.generate(Plan([f"fable/recipes/{name}"], seed=seed, size=size)))
    assert Counter(each.target for each in samples) == {"Yes": size // 2, "No": size // 2}
    accuracy, cue = strongest(samples, cook)
    assert accuracy <= CEILING, cue


@pytest.mark.parametrize("name", CELLS[::2])
def test_no_cue_tells_the_answer(name):
    check(name, 400, 11)


@pytest.mark.long
@pytest.mark.parametrize("name", CELLS)
def test_no_cue_tells_the_answer_of_many(name):
    check(name, 2000, 12)
