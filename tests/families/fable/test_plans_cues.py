"""Whether anything but the truth tells the answers of sound questions about plans."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from tests.families.fable.cues import CEILING, ranked, surface
from thence import families
from thence.core.sample import Sample
from thence.families.fable.shared.analyses import ANALYSES
from thence.generation import suite
from thence.generation.plan import Plan

CELLS = [name for name in ANALYSES if name != "intervals"]
solved = pytest.mark.skipif(
    bool(families.task("fable/plans/taint").generator.unavailable({"dialect": "sound"})),
    reason="the extra 'plans' is not installed",
)


def terms(action):
    return [term for term in action.rstrip(")").partition("(")[2].split(", ") if term]


def named(text):
    return set(terms(text))


def by_hand(sample):
    """What else a sceptic looks at: the steps next to those asked about, and shared objects."""
    question, actions = sample.metadata["question"], sample.metadata["origin"]["actions"]
    fact = question["fact"] or ""
    names = [action.partition("(")[0] for action in actions]
    i, j = question["i"], question["j"]
    held = {
        "predicate and action": (fact.partition("(")[0], names[i]),
        "first action": names[0],
        "last action": names[-1],
        "action after i": tuple(names[i + 1 : i + 2]),
        "action before i": tuple(names[max(0, i - 1) : i]),
    }
    if j is not None:
        low, high = sorted((i, j))
        held["predicate and actions"] = (fact.partition("(")[0], names[i], names[j])
        held["place of j"] = 4 * j // len(names)
        held["order of actions between"] = tuple(names[low + 1 : high])
        held["action before j"] = names[j - 1] if j else None
    return {**held, **by_objects(question, actions)}


def by_objects(question, actions):
    """Which steps name the objects of those asked about, and of the fact."""
    objects, count = [named(action) for action in actions], len(actions)
    places = {"i": question["i"], "j": question["j"], "k": question.get("sanitizers", [None])[0]}
    places = {name: place for name, place in places.items() if place is not None}
    held = {}
    for name, place in places.items():
        own = objects[place]
        for way, others in (
            ("next", range(place + 1, count)),
            ("previous", range(place - 1, -1, -1)),
        ):
            shared = [len(own & objects[k]) for k in others]
            near = f"{name} and the {way}"
            held[f"objects of {near}"] = shared[0] if shared else None
            held[f"which objects of {near}"] = (
                same(actions[place], actions[others[0]]) if shared else None
            )
            held[f"steps like {near}"] = sum(map(bool, shared))
            held[f"objects like {near}"] = sum(shared)
            held[f"objects again of {near}"] = len(own & set().union(*(objects[k] for k in others)))
            held[f"distance of {near} alike"] = shared.index(max(shared)) if any(shared) else None
    for (one, a), (other, b) in combinations(places.items(), 2):
        between = objects[min(a, b) + 1 : max(a, b)]
        pair = f"{one} and {other}"
        held[f"objects of {pair}"] = len(objects[a] & objects[b])
        held[f"which objects of {pair}"] = same(actions[a], actions[b])
        for what, wanted in ((one, objects[a]), (other, objects[b])):
            held[f"between {pair} like {what}"] = sum(bool(each & wanted) for each in between)
        held[f"between {pair} like both"] = sum(
            bool(each & objects[a] & objects[b]) for each in between
        )
    if question["fact"]:
        held |= by_fact(named(question["fact"]), objects, places)
    return held


def same(one, other):
    """Which object of an action is which of another."""
    there = terms(other)
    return tuple(there.index(term) if term in there else None for term in terms(one))


def by_fact(wanted, objects, places):
    """How many steps name all objects of the fact or some, before, between and after, and where."""
    i, count = places["i"], len(objects)
    regions = {"later": range(i + 1, count), "earlier": range(i)}
    held = {}
    if "j" in places:
        j = places["j"]
        low, high = sorted((i, j))
        regions |= {"between": range(low + 1, high), "after both": range(high + 1, count)}
        held = {
            "fact in j": len(wanted & objects[j]),
            "fact before j": len(wanted & objects[j - 1]),
        }
    for name, region in regions.items():
        for what, steps in (
            ("all of the fact", [k for k in region if wanted <= objects[k]]),
            ("some of the fact", [k for k in region if wanted & objects[k]]),
        ):
            held[f"{name}: steps naming {what}"] = len(steps)
            held[f"{name}: distance to the first step naming {what}"] = steps[0] - i if steps else 0
            held[f"{name}: distance to the last step naming {what}"] = steps[-1] - i if steps else 0
    held["fact in the next"] = len(wanted & objects[i + 1]) if i + 1 < count else None
    held["fact in the last"], held["fact in the first"] = (
        len(wanted & objects[k]) for k in (-1, 0)
    )
    return held


def asked(analysis, size, workers=1):
    """Fresh questions of a cell."""
    plan = Plan([f"fable/plans/{analysis}"], seed=11, size=size)
    held = list(suite.generate(plan, workers=workers))
    assert Counter(each.target for each in held) == {"Yes": size // 2, "No": size // 2}
    assert len({each.cluster for each in held}) >= 0.85 * size
    return held


@solved
@pytest.mark.parametrize("analysis", CELLS)
def test_twins_differ_in_their_answer_and_in_objects_alone(analysis):
    """Every cue but those of which object is named where is the same in both.

    Of those the choice of the twin takes care.
    """
    task = families.task(f"fable/plans/{analysis}")
    domain, found = task.generator.domain, 0
    values = {
        **task.generator.configure({"kinds": "gripper"}),
        "shelf": "twins",
        "analysis": analysis,
    }
    for number in range(24):
        held = domain.sound(analysis, domain.case(values, Random(number)), Random(number))
        for one, other in zip(held[::2], held[1::2], strict=True):
            assert {one.answer, other.answer} == {"Yes", "No"}
            actions = [each.case.source["actions"] for each in (one, other)]
            assert sorted(actions[0]) == sorted(actions[1])
            assert one.question == other.question
            assert features(one) == features(other)
            found += 1
    assert found > 2


def features(instance):
    """All that a predictor goes by of a question, the words of its prompt left out."""
    procedure = instance.case.procedure.to_json()
    metadata = {
        "question": instance.question, "procedure": procedure, "origin": instance.case.source,
    }  # fmt: skip
    sample = Sample("", "fable", "", "1-0", "", instance.answer, metadata)
    ours = by_objects(instance.question, instance.case.source["actions"])
    held = {**surface(sample), **by_hand(sample)}
    return {name: value for name, value in held.items() if name not in ours}


@solved
@pytest.mark.parametrize("analysis", CELLS)
def test_no_single_cue_tells_the_answer(analysis):
    held = asked(analysis, 400)
    accuracy, cue = ranked(held, by_hand, most=1)[0]
    assert accuracy <= CEILING, cue
    baseline = families.task(f"fable/plans/{analysis}").baselines.surface_answer
    assert sum(baseline(each) == each.target for each in held) <= CEILING * len(held)


@solved
@pytest.mark.long
@pytest.mark.parametrize("analysis", CELLS)
def test_no_single_cue_tells_the_answer_of_2000_questions(analysis):
    accuracy, cue = ranked(asked(analysis, 2000, workers=None), by_hand, most=1)[0]
    assert accuracy <= CEILING, cue
