"""Candidates of a block: how many are kept, and what is said where there are none."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

import thence
from thence import families
from thence.core.procedure import Procedure, Step
from thence.errors import ParameterError, UsageError
from thence.families.fable.shared import balance, likeness, wanted_shares
from thence.families.fable.shared.arrangement import arranged
from thence.families.fable.shared.blocks import Block, Gathering
from thence.families.fable.shared.domain import Case, Instance, Quota
from thence.families.fable.shared.offers import Offer, Slot
from thence.generation import suite
from thence.generation.plan import Plan

STEPS = 40


def candidates(cues=()):
    """Yield questions whether a lamp still burns, which each second step puts out."""
    steps = [
        Step(f"Step {k}", defines=("lamp",)) if k % 2 else Step(f"Step {k}", kills=("lamp",))
        for k in range(STEPS)
    ]
    case = Case(Procedure.total("reading", tuple(steps)))
    for i in range(1, STEPS, 2):
        for j in range(STEPS):
            if i != j:
                question = {"kind": "reaching_definitions", "i": i, "j": j, "fact": "lamp"}
                yield case, Instance(question, "Yes" if j == i + 1 else "No", "", cues=cues)


def kept(cues=()):
    """Return how many candidates of each answer and depth are kept."""
    offers = Gathering("reaching_definitions", [], None, 2).add(candidates(cues))
    return Counter((each.side, min(each.depth, 6)) for each in offers)


def test_candidates_without_cues_do_not_count_as_alike():
    few, many = kept(cues=("lamp",)), kept()
    assert max(few.values()) == 5
    assert many["No", 1] == few["No", 1] and max(many.values()) > 15


@pytest.mark.parametrize("domain", ["plans", "routes", "recipes", "runbooks"])
def test_questions_are_chosen_by_all_that_the_battery_sees(domain):
    for task in families.select([f"fable/{domain}/*"]):
        generator = task.generator
        looks = generator.domain.looks(generator.analysis)
        assert [each.name for each in looks] == [each.name for each in task.baselines.shortcuts()]


def test_as_many_more_candidates_of_a_depth_are_kept_as_are_asked_about():
    """Here all have one reason, and of these as many as half are kept."""

    def held(mixture):
        offers = Gathering("reaching_definitions", [], None, 2, 8, mixture).add(candidates())
        return Counter(each.depth for each in offers if each.side == 0)

    assert held((1, 2, 3, 4, 5, 6))[1] == 4
    assert held((1, 1, 1, 2, 3, 4, 5, 6))[1] == 9


def test_a_single_depth_is_told_as_it_was_asked_for():
    with pytest.raises(ParameterError, match=r"^depth=3: only questions of the sound dialect"):
        thence.generate("fable/recipes/taint", size=1, seed=1, depth=3, dialect="published")


@pytest.mark.skipif(
    bool(families.task("fable/plans/taint").generator.unavailable({"dialect": "sound"})),
    reason="the extra 'plans' is not installed",
)
def test_depths_that_no_question_has_are_named_with_those_there_are():
    plan = Plan(["fable/plans/intervals"], 5, 1, settings={"depth": "9-12", "plan_steps": "8"})
    with pytest.raises(UsageError, match=r"of depth 9-12; the depths here are [12]"):
        list(suite.generate(plan))


@pytest.mark.parametrize("most", [0.3, 2.0, 40.0])
def test_how_alike_questions_are_is_summed_exactly_in_any_order(most):
    """Else the number of cores decides which questions are chosen."""
    table = np.random.default_rng(3).uniform(0, most, (60, 900)).astype(np.float32)
    held = likeness._exact(table.copy())
    product = held @ held.T
    exact = held.astype(float) @ held.T.astype(float)
    assert np.array_equal(product, held[:, ::-1] @ held[:, ::-1].T)
    assert np.array_equal(product.astype(float), exact)
    assert np.abs(held - table).max() <= most / 4


def offer(answer, seen, depth=1, needs=(), reason=""):
    """Return a candidate of which shortcuts see some values."""
    case = Case(Procedure("", ()))
    return Offer(
        case, Instance({}, "NY"[answer], ""), answer, depth, reason, frozenset(needs), seen,
        frozenset(),
    )  # fmt: skip


def test_what_shortcuts_tell_by_twos_only_is_balanced_too():
    """Each value alone is as common with a Yes as with a No, but two agree with most of the Yes."""
    rng = Random(5)
    offers = []
    for _ in range(480):
        one, other = rng.randrange(4), rng.randrange(4)
        is_even = (one + other) % 2 == 0
        answer = int(is_even == (rng.random() < 0.8))
        offers.append(offer(answer, (one, other, *(rng.randrange(6) for _ in range(10)))))
    slots = [Slot(side, 1) for side in (0, 1)] * 60
    found = balance.chosen(offers, slots, rng)
    even = Counter((offers[k].side, sum(offers[k].seen[:2]) % 2 == 0) for k in found)
    assert abs(even[1, True] - even[0, True]) <= 12


def test_what_tells_of_the_chosen_questions_alone_is_balanced_too(monkeypatch):
    """Of few candidates two shortcuts together tell the answer, but half of the Nos are such."""
    rng = Random(5)
    offers = []
    for k in range(1200):
        one, rare = rng.randrange(2), k % 2 == 0 and rng.random() < 0.1
        seen = (one, 1 - one if rare else rng.randrange(2))
        others = (rng.randrange(6) for _ in range(10))
        offers.append(offer(k % 2, (*seen, *others), reason="rare" if rare else "usual"))
    slots = [Slot(side, 1) for side in (0, 1)] * 50

    def apart():
        found = balance.chosen(offers, slots, Random(2))
        differ = Counter((offers[k].side, offers[k].seen[0] != offers[k].seen[1]) for k in found)
        return abs(differ[0, True] - differ[1, True])

    assert apart() <= 2
    monkeypatch.setattr(balance, "_ANEW", 0)
    assert apart() > 8


def test_what_a_shortcut_tells_counts_as_often_as_the_depth_is_asked():
    """What tells a Yes at one depth tells a No at the other, so that of all it tells nothing."""
    rng = Random(7)
    rows = [(depth, rng.randrange(2)) for depth in (1, 2) for _ in range(300)]
    yes = np.array([answer == 1 for _, answer in rows])
    hot = np.array([[answer == depth - 1, answer != depth - 1] for depth, answer in rows], float)
    alike, one = np.ones(len(rows)), np.array([2.0 * (depth == 2) for depth, _ in rows])
    assert likeness._tells(hot, yes, alike) < 0.1
    assert likeness._tells(hot, yes, one) > 0.8
    judged = likeness._judged(hot, yes, one)
    assert all((speaks > 0) == (row[0] > 0) for speaks, row in zip(judged, hot, strict=True))


def asked_for(offers, slots):
    """How often each candidate would be asked."""
    sides = np.array([-1.0 if each.side == 0 else 1.0 for each in offers])
    fitting = {
        slot: np.array(
            [
                place
                for place, each in enumerate(offers)
                if (each.side, each.depth) == (slot.side, slot.depth)
            ]
        )
        for slot in slots
    }
    needs, wanted, _ = wanted_shares.wanted_needs(offers, fitting, slots)
    return wanted_shares.asked_for(slots, fitting, sides, needs, wanted)


def test_each_slot_is_asked_as_often_whatever_its_candidates():
    offers = [offer(k % 2, (k % 5,), 1 if k < 300 else 2) for k in range(400)]
    often = asked_for(offers, [Slot(side, depth) for side in (0, 1) for depth in (1, 2, 2, 2)])
    assert abs(often.mean() - 1) < 0.01
    assert abs(often[300:].sum() / often.sum() - 0.75) < 0.01


def test_what_few_candidates_need_is_asked_as_often_as_wanted_at_every_depth():
    """A tenth of the Nos need a strategy, most of them at a depth that is seldom asked about."""
    rng = Random(4)
    offers = []
    for k in range(800):
        depth = 1 if rng.random() < 0.7 else 2
        needs = k % 2 == 0 and rng.random() < (0.05 if depth == 1 else 0.2)
        offers.append(offer(k % 2, (0,), depth, needs=["x"] if needs else ()))
    slots = [Slot(side, depth) for side in (0, 1) for depth in (1, 1, 2)] * 10
    often = asked_for(offers, slots)
    needed = np.array(["x" in each.needs for each in offers])
    sides, depths = (np.array([getattr(each, key) for each in offers]) for key in ("side", "depth"))
    noes = often[sides == 0].sum()
    assert abs(often[needed].sum() / noes - 0.34) < 0.02
    assert needed.sum() < 0.2 * (sides == 0).sum()
    for side in (0, 1):
        held = often[sides == side]
        assert abs(held[depths[sides == side] == 2].sum() / held.sum() - 1 / 3) < 0.02


def test_what_few_candidates_need_is_pressed_until_enough_questions_need_it(monkeypatch):
    """Of most that need it a sight foretells the answer, which has a cost."""
    rng = Random(3)
    offers = []
    for k in range(400):
        needs = k % 8 == 0
        telling = needs or (k % 2 and rng.random() < 0.1)
        seen = (7 if telling else k % 3, *(rng.randrange(6) for _ in range(10)))
        offers.append(offer(k % 2, seen, needs=["x"] if needs else ()))
    slots = [Slot(side, 1) for side in (0, 1)] * 50

    def needed():
        return sum("x" in offers[k].needs for k in balance.chosen(offers, slots, Random(11)))

    assert needed() >= 0.31 * 50
    monkeypatch.setattr(balance, "_RAISED", 1.0)
    assert needed() < 0.31 * 50


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_a_share_of_each_answer_has_what_a_quota_asks_for(share):
    """Few candidates have it, and of these a sight foretells the answer, which has a cost."""
    rng, quotas = Random(3), frozenset({Quota("rare", share)})
    offers = []
    for k in range(800):
        rare = k % 8 < 2
        seen = (7 + k % 2 if rare else k % 3, *(rng.randrange(6) for _ in range(10)))
        found = offer(k % 2, seen)
        asked = replace(found.instance, quotas=quotas if rare else frozenset())
        offers.append(replace(found, instance=asked))
    slots = [Slot(side, 1) for side in (0, 1)] * 100
    found = balance.chosen(offers, slots, Random(2))
    for side in (0, 1):
        having = sum(bool(offers[k].instance.quotas) for k in found if offers[k].side == side)
        assert share - 0.02 <= having / 100 <= share + 0.03


def test_no_reason_prevails_though_most_candidates_have_it():
    """What a shortcut sees of the rare reason tells something, which has a cost."""
    rng = Random(5)
    offers = []
    for k in range(600):
        rare = k % 16 < 2
        telling = k % 2 + 1 if rare and rng.random() < 0.3 else 0
        seen = (telling, *(rng.randrange(6) for _ in range(10)))
        offers.append(offer(k % 2, seen, reason="rare" if rare else "usual"))
    slots = [Slot(side, 1) for side in (0, 1)] * 50
    found = balance.chosen(offers, slots, Random(2))
    assert len(set(found)) == 100
    assert max(Counter((offers[k].side, offers[k].reason) for k in found).values()) <= 25


def test_no_question_is_chosen_twice_for_what_too_few_have():
    offers = [offer(k % 2, (k % 3,), reason="rare" if k < 10 else "usual") for k in range(200)]
    slots = [Slot(side, 1) for side in (0, 1)] * 50
    assert len(set(balance.chosen(offers, slots, Random(2)))) == 100


def test_every_beginning_of_a_block_is_like_the_whole():
    """In it each depth is as common, and each reason of an answer, as in all of the block."""
    mixture = (1, 2, 2, 3, 3, 3, 4, 4, 5, 6)
    slots = [Slot(side, deep) for deep in sorted(mixture * 10) for side in (0, 1)]
    reasons = [["listed", "ended", "ended", "remade"][k // 2 % 4] for k in range(len(slots))]
    offers = [
        Offer(
            None, Instance({}, "", "", quotas=frozenset([Quota("half")] * (k % 4 < 2))), slot.side,
            slot.depth, why, frozenset(), (), frozenset(),
        )
        for k, (slot, why) in enumerate(zip(slots, reasons, strict=True))
    ]  # fmt: skip
    chosen = Random(1).sample(range(200), 200)
    chosen.sort(key=lambda k: slots[k].depth)
    ordered, found = arranged(offers, [_slot(offers[k]) for k in chosen], chosen, Random(2))
    assert sorted(found) == list(range(200))
    assert ordered == [_slot(offers[k]) for k in found]
    for count in (40, 60, 100, 150):
        depths = Counter(slot.depth for slot in ordered[:count])
        assert all(abs(depths[d] - count * mixture.count(d) / 10) <= 2 for d in mixture)
        for side in (0, 1):
            some = [offers[k] for k in found[:count] if offers[k].side == side]
            told = Counter(each.reason for each in some)
            assert abs(told["ended"] - len(some) / 2) <= 2
            assert abs(told["listed"] - len(some) / 4) <= 2


def _slot(offer):
    return Slot(offer.side, offer.depth)


def test_every_spare_question_is_of_one_slot_and_one_attempt():
    """The two answers of a depth are asked; the spare ones have that depth and another."""
    offers = [offer(side, (0,), depth=depth) for side in (0, 1) for depth in (1, 1, 1, 5, 5)]
    block = Block(offers, [Slot(0, 1), Slot(1, 1), Slot(0, 1), Slot(1, 1)], Random(1))
    told = [[block.question(place, k) for k in range(block.attempts(place))] for place in range(4)]
    assert [len(each) for each in told] == [3, 3, 2, 2]
    assert {id(each) for held in told for each in held} == {id(each) for each in block._offers}
    assert all(block.question(place, len(held)) is None for place, held in enumerate(told))
    assert [each.depth for each in told[0]] == [1, 1, 5]
