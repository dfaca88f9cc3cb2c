"""The chance of a question: exact values against random answers, plans against all of them."""

from __future__ import annotations

import math
from itertools import permutations, product
from random import Random

import pytest

import thence
from thence import families
from thence.core.sample import Sample
from thence.families.releval.chance import of_cycles, of_plan

DRAWS = 4000


def share(sample: Sample) -> float:
    """Return the share of right ones among random answers."""
    task, rng = families.task(sample.task), Random(3)
    answers = (task.baselines.random_answer(task.generator, sample, rng) for _ in range(DRAWS))
    return sum(task.grader.grade(answer, sample).correct for answer in answers) / DRAWS


@pytest.mark.parametrize(
    ("name", "given", "least", "most"),
    [
        ("catbench", {}, 0.5, 0.5),
        ("fable/routes/taint", {}, 0.5, 0.5),
        ("releval/comparison", {"n": 5, "m": 6, "z": 2}, 1 / 3, 1 / 3),
        ("releval/consistency", {"n": 3, "m": 3, "z": 3}, 0.14, 0.15),
        ("releval/consistency", {"n": 5, "m": 6, "z": 0}, 0.5, 0.5),
        ("releval/plan_generation", {"n": 3, "m": 3}, 1 / 6, 1 / 6),
        ("releval/plan_generation", {"n": 5, "m": 5}, 0.21, 0.22),
        ("releval/plan_generation", {"n": 10, "m": 10}, 0.1, 0.11),
    ],
)
def test_random_answers_score_what_chance_says(
    name: str, given: dict[str, int], least: float, most: float
) -> None:
    sample = thence.generate(name, size=1, **given)[0]
    chance = families.task(sample.task).baselines.chance(sample)
    assert chance is not None
    assert least - 1e-9 <= chance <= most + 1e-9
    spread = math.sqrt(chance * (1 - chance) / DRAWS)
    assert share(sample) == pytest.approx(chance, abs=4 * spread)


def test_cycles_by_hand() -> None:
    # one of three objects, of the two ways round; one, two or three of them listed, all alike
    assert of_cycles([3], 3) == pytest.approx((1 / 2 + 1 / 4 + 1 / 8) / 3)
    # both ways: two or three listed, that are not all alike
    assert of_cycles([3, 3], 3) == pytest.approx((0 + 1 / 2 + 3 / 4) / 3)
    assert of_cycles([2], 3) == 0.0
    assert of_cycles([3, 3, 3, 3], 9) == 0.0


def right(n: int, m: int) -> float:
    """Return the share of right plans among all lists of m relations over n objects."""
    pairs, found = list(permutations(range(n), 2)), 0
    for plan in product(pairs, repeat=m):
        apart = len({frozenset(pair) for pair in plan}) == m
        if apart and len({name for pair in plan for name in pair}) == n:
            orders = permutations(range(n))
            found += any(all(o.index(a) < o.index(b) for a, b in plan) for o in orders)
    return found / len(pairs) ** m


def test_plans_by_trying_all() -> None:
    for n, m in ((2, 1), (3, 2), (3, 3), (4, 2), (4, 3)):
        assert of_plan(n, m) == pytest.approx(right(n, m))
    assert of_plan(3, 4) == of_plan(4, 1) == of_plan(200, 300) == 0.0
    assert of_plan(30, 39) == pytest.approx(0.006328018515, rel=1e-9)  # by whole numbers


def test_elsewhere_it_is_the_share_of_the_same_truth_among_others() -> None:
    asked = thence.generate("fable/recipes/intervals", size=12)
    rows = [row | {"id": f"{place}", "task": row["task"]}
            for place, row in enumerate(each.to_json() for each in asked)]  # fmt: skip
    amounts = [("minutes", 1), ("minutes", 1), ("minutes", 2), ("minutes", 1), ("cups", 1)]
    samples = []
    for row, (unit, low) in zip(rows, amounts, strict=False):
        row["target"] = {"text": f"{low} {unit}", "low": low, "high": low, "unit": unit}
        samples.append(Sample.from_json(row))
    scores = thence.score(samples, {sample.id: "?" for sample in samples})
    frame = scores.results[0].frames["fable/recipes/intervals"].with_chance()
    found = frame.data.sort("id")["chance"].to_list()
    assert found == [pytest.approx(2 / 3), pytest.approx(2 / 3), 0.0, pytest.approx(2 / 3), None]
    assert frame.chance() == pytest.approx(0.5)
    assert scores.to_json()["groups"]["fable/recipes/intervals"]["chance"] == pytest.approx(0.5)
