"""Nothing but the graph tells the answer: cues are fitted on one half, measured on the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from itertools import pairwise
from typing import Any

import pytest

from thence.core.sample import Sample
from thence.families.releval.framings import FRAMINGS
from thence.generation import suite
from thence.generation.plan import Plan

type Cue = Callable[[Sample], Hashable]

SIZES = [pytest.param(4000, marks=pytest.mark.long), 690]
MARGIN = {4000: 0.05, 690: 0.13}  # over chance; the smaller sample only finds gross cues


def predicted(samples: list[Sample], cue: Cue, truth: Callable[[Sample], Any]) -> float:
    """How much better than chance a cue does: the commonest truth of its value, learnt elsewhere.

    Chance is what always saying the commonest truth gives on the same half.
    """
    learn, test = samples[::2], samples[1::2]
    votes: dict[Hashable, Counter[Any]] = {}
    for sample in learn:
        votes.setdefault(cue(sample), Counter())[truth(sample)] += 1
    overall = Counter(map(truth, learn)).most_common(1)[0][0]
    said = [
        votes[cue(sample)].most_common(1)[0][0] if cue(sample) in votes else overall
        for sample in test
    ]
    right = sum(word == truth(sample) for word, sample in zip(said, test, strict=True))
    chance = Counter(map(truth, test)).most_common(1)[0][1]
    return (right - chance) / len(test)


def shuffled(samples: list[Sample]) -> list[Sample]:
    """In the order of their ids, which are hashes: halves then hold all groups alike."""
    return sorted(samples, key=lambda sample: sample.id)


# What might tell --------------------------------------------------------------------------------


def claim(sample: Sample) -> tuple[str, str]:
    """The two objects in the order in which the comparison names them."""
    question = sample.metadata["question"]
    a, b, number = question["claim"]
    return (a, b) if number < len(FRAMINGS[question["framing"]].asks) else (b, a)


def leads(sample: Sample, name: str) -> int:
    """Wins less losses of an object."""
    edges = sample.metadata["edges"]
    return sum(a == name for a, _ in edges) - sum(b == name for _, b in edges)


def mentions(sample: Sample, name: str) -> list[int]:
    return [place for place, edge in enumerate(sample.metadata["edges"]) if name in edge]


def named_first(sample: Sample) -> list[str]:
    """The object that each statement names first."""
    question = sample.metadata["question"]
    forward = len(FRAMINGS[question["framing"]].says)
    return [a if number < forward else b for a, b, number in question["facts"]]


COMPARISON: dict[str, Cue] = {
    "labels": lambda s: claim(s)[0] < claim(s)[1],
    "operator": lambda s: s.metadata["question"]["claim"][2],
    "operators around": lambda s: (
        sum(each == claim(s)[0] for each in named_first(s)),
        sum(each == claim(s)[1] for each in named_first(s)),
    ),
    "who is mentioned first": lambda s: mentions(s, claim(s)[0])[0] < mentions(s, claim(s)[1])[0],
    "who is mentioned last": lambda s: mentions(s, claim(s)[0])[-1] < mentions(s, claim(s)[1])[-1],
    "how often mentioned": lambda s: tuple(len(mentions(s, each)) for each in claim(s)),
    "wins less losses": lambda s: tuple(leads(s, each) for each in claim(s)),
    "their difference": lambda s: leads(s, claim(s)[0]) - leads(s, claim(s)[1]),
    "their difference by size": lambda s: (
        *s.metadata["group"].split("_")[:2],
        leads(s, claim(s)[0]) - leads(s, claim(s)[1]),
    ),
    "wins": lambda s: tuple(sum(e[0] == each for e in s.metadata["edges"]) for each in claim(s)),
    "first statement": lambda s: set(s.metadata["edges"][0]) & set(claim(s)) != set(),
}

CONSISTENCY: dict[str, Cue] = {
    "operators": lambda s: round(
        8 * sum(a == e[0] for a, e in zip(named_first(s), s.metadata["edges"], strict=True))
        / s.metadata["relations"]
    ),
    "first operator": lambda s: named_first(s)[0] == s.metadata["edges"][0][0],
    "last operator": lambda s: named_first(s)[-1] == s.metadata["edges"][-1][0],
    "labels in order": lambda s: round(
        8 * sum(a < b for a, b in s.metadata["edges"]) / s.metadata["relations"]
    ),
    "first label": lambda s: s.metadata["edges"][0][0],
    "statement order": lambda s: (
        s.metadata["edges"][0][0] in s.metadata["edges"][1],
        s.metadata["edges"][0][1] in s.metadata["edges"][1],
    ),
    "follows on": lambda s: round(
        8 * sum(x[1] == y[0] for x, y in pairwise(s.metadata["edges"]))
        / s.metadata["relations"]
    ),
}  # fmt: skip


# Whether it does --------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("framing", ["symbolic", "software"])
def test_nothing_on_the_surface_tells_a_comparison(size: int, framing: str) -> None:
    plan = Plan(["releval/comparison"], 21, size, settings={"framing": framing})
    samples = shuffled(list(suite.generate(plan)))
    decided = [sample for sample in samples if sample.target != "Unknown"]
    for name, cue in COMPARISON.items():
        found = {
            "verdict": predicted(samples, cue, lambda sample: sample.target),
            "direction": predicted(decided, cue, lambda sample: sample.target),
            "decided": predicted(samples, cue, lambda sample: sample.target != "Unknown"),
        }
        assert max(found.values()) < MARGIN[size], (name, found)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_on_the_surface_tells_a_contradiction(size: int) -> None:
    plan = Plan(["releval/consistency"], 22, size)
    samples = shuffled(list(suite.generate(plan)))
    # As many with as without, or always saying "contradiction" would leave a cue nothing to add.
    without = [sample for sample in samples if sample.target["consistent"]]
    samples = shuffled(
        [*without, *[s for s in samples if not s.target["consistent"]][: len(without)]]
    )
    for name, cue in CONSISTENCY.items():
        found = predicted(samples, cue, lambda sample: sample.target["consistent"])
        assert found < MARGIN[size], (name, found)


def test_the_measure_finds_a_cue_where_there_is_one() -> None:
    samples = shuffled(list(suite.generate(Plan(["releval/comparison"], 23, 460))))
    chains = predicted(samples, lambda s: s.metadata["depth"] == 0, lambda s: s.target == "Unknown")
    assert chains > 0.2
    # In the same graphs other pairs than the one asked about are told by wins less losses.
    pairs = [
        (sum(a == x for a, _ in edges) - sum(b == x for _, b in edges))
        > (sum(a == y for a, _ in edges) - sum(b == y for _, b in edges))
        for sample in samples
        for edges in [sample.metadata["edges"]]
        for x, y in [edges[0]]
        if not {x, y} & set(claim(sample))
    ]
    assert sum(pairs) > 0.6 * len(pairs)
