"""No cue tells Yes from No: it is learnt on half of fresh questions, measured on the others."""

from __future__ import annotations

import re

import pytest

from tests.families.fable.cues import CEILING, strongest
from thence.dataflow import ANALYSES
from thence.generation import suite
from thence.generation.plan import Plan

pytest.importorskip("valhalla")
pytest.importorskip("osmium")

YES_NO = [name for name in ANALYSES if name != "intervals"]
_STEP = re.compile(r"(?:Car \d: )?(\w+)(?: (left|right))?")


@pytest.fixture(scope="module", autouse=True)
def cached(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("THENCE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def by_hand(sample):
    """What only routes have: manoeuvres, roads, stops, waits, tanks and detours around a step."""
    question, steps = sample.metadata["question"], sample.metadata["procedure"]["steps"]
    texts = [step["text"] for step in steps]
    kinds = [" ".join(filter(None, found.groups())) for found in map(_STEP.match, texts) if found]
    i, j = question["i"], question["j"]
    low, high = (i, len(texts)) if j is None else sorted((i, j))
    between = range(low + 1, high)
    road = question.get("road", "tank" if "tank" in texts[high - 1] else "Wait here")
    named = [road in text for text in texts]
    turns = [kind.split()[0] in {"Turn", "Bear", "Make", "Keep", "Take"} for kind in kinds]
    return {
        "manoeuvre i": kinds[i],
        "manoeuvre j": kinds[j] if j is not None else None,
        "turns between": sum(turns[k] for k in between),
        "stops between": sum(kinds[k] == "Stop" for k in between),
        "named between": sum(named[k] for k in between),
        "unnamed turns between": sum(turns[k] and not named[k] for k in between),
        "named before": sum(named[:low]),
        "named after": sum(named[high + 1 :]),
        "named at all": sum(named),
        "numbered": any(sign.isdigit() for sign in road),
        "source": question.get("source"),
        "place": round(10 * low / len(texts)),
        "same side": "left" in texts[low] and j is not None and "left" in texts[j],
        "costing": sample.metadata["origin"]["kind"],
    }


@pytest.mark.parametrize("name", YES_NO)
def test_no_cue_tells_the_answer(name):
    """Of 400 questions the best of so many cues may pass the ceiling by chance, of 800 hardly."""
    size = 800 if name == "concurrency" else 400
    plan = Plan([f"fable/routes/{name}"], seed=5, size=size, settings={"nodes": "2000", "map": "3"})
    samples = list(suite.generate(plan))
    assert sum(sample.target == "Yes" for sample in samples) == size // 2
    accuracy, cue = strongest(samples, by_hand)
    assert accuracy <= CEILING, cue


@pytest.mark.long
@pytest.mark.parametrize("name", YES_NO)
def test_no_cue_tells_the_answer_of_many_questions(name):
    plan = Plan([f"fable/routes/{name}"], seed=6, size=2_000)
    accuracy, cue = strongest(suite.generate(plan, workers=None), by_hand)
    assert accuracy <= CEILING, cue
