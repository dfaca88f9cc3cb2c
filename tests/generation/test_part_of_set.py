"""A part of a set: spread over groups, part of a larger one, and the same from a file."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import thence
from tests.cli.command import settle
from thence.errors import ParameterError
from thence.generation.part_of_set import chosen, scattered, shares, spread_total
from thence.generation.plan import Plan, slots
from thence.generation.sources import FromFiles


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settle(monkeypatch, tmp_path)


def test_numbers_are_scattered_from_the_middle() -> None:
    assert scattered(24)[:5] == [12, 6, 18, 3, 15]
    assert all(sorted(scattered(n)) == list(range(n)) for n in range(40))


def test_shares_are_even_as_far_as_there_is_room() -> None:
    assert shares(100, [None] * 4) == [25] * 4
    assert shares(10, [None] * 3) == [3, 4, 3]
    assert shares(250, [142, None, None]) == [83, 84, 83]
    assert shares(600, [142, None, None]) == [142, 229, 229]
    assert shares(9, [2, 3]) == [2, 3]
    assert spread_total(100, {"a/x": None, "a/y": 3, "b/z": None}) == {
        "a/x": 47,
        "a/y": 3,
        "b/z": 50,
    }


def test_a_small_part_lies_within_a_larger_one_and_takes_every_group_first() -> None:
    kinds = [(group, n % 2) for group in "abcdef" for n in range(10)]
    parts = [chosen(kinds, count) for count in range(61)]
    for small, large in pairwise(parts):
        assert set(small) < set(large)
        assert large == sorted(large)
    for count in range(61):
        groups = Counter(kinds[place][0] for place in parts[count])
        assert max(groups.values(), default=0) - min(groups[each] for each in "abcdef") <= 1
    assert {kinds[place][1] for place in parts[6]} == {0, 1}  # not each group's first condition
    assert parts[60] == list(range(60)) == chosen(kinds, 1000)


@pytest.mark.parametrize(
    ("task", "size"),
    [("procbench/sort", None), ("releval/comparison", None), ("catbench/order", 70)],
)
def test_a_limit_takes_the_same_part_of_a_set_and_of_its_file(task: str, size: int | None) -> None:
    whole = thence.generate(task, seed=3, size=size)
    whole.write("whole.jsonl")
    places = {sample.id: place for place, sample in enumerate(whole)}
    before: set[str] = set()
    for limit in (1, 5, 10, 23):
        part = [each.to_json() for each in thence.generate(task, seed=3, size=size, limit=limit)]
        read = FromFiles([Path("whole.jsonl")], limit)
        assert [each.to_json() for each in read.samples()] == part
        ids = [row["id"] for row in part]
        assert len(ids) == limit
        assert [places[each] for each in ids] == sorted(places[each] for each in ids)
        assert before < set(ids)
        before = set(ids)


def test_a_limit_is_not_the_easiest() -> None:
    lengths = [each.metadata["steps"] for each in thence.generate("procbench/sort", limit=5)]
    assert lengths == [5, 8, 14, 17, 20]
    targets = Counter(each.target for each in thence.generate("releval/comparison", limit=23))
    assert min(targets.values()) >= 6


def test_a_total_is_even_over_families_tasks_and_groups() -> None:
    names = [task.name for task in thence.tasks() if not task.unavailable]
    places = list(slots(Plan(names, total=100)))
    families = Counter(slot.task.partition("/")[0] for slot in places)
    assert families == {"catbench": 25, "fable": 25, "procbench": 25, "releval": 25}
    lengths = Counter(slot.condition.group for slot in places if "procbench" in slot.task)
    assert len(lengths) == 24
    releval = Counter(
        slot.task for slot in slots(Plan(names, total=1000)) if "releval" in slot.task
    )
    assert max(releval.values()) - min(releval.values()) <= 1


def test_a_total_may_need_more_than_the_papers_set() -> None:
    made = thence.generate(["releval/plan_generation", "procbench/sort"], total=800)
    assert Counter(each.family for each in made) == {"procbench": 658, "releval": 142}
    assert made.manifest["request"]["total"] == 800


def test_a_total_of_a_file_and_what_it_cannot_be() -> None:
    thence.generate(["procbench/sort", "procbench/copy", "catbench"], size=12).write("x.jsonl")
    found = Counter(each.task for each in FromFiles([Path("x.jsonl")], total=10).samples())
    assert found == {"procbench/sort": 2, "procbench/copy": 3, "catbench/order": 5}
    with pytest.raises(ParameterError, match="total=5: says how many there are; leave out limit="):
        thence.generate("procbench", total=5, limit=3)
    with pytest.raises(ParameterError, match="total=143: must be at most 142"):
        list(thence.generate("releval/plan_generation", total=143))
    with pytest.raises(ParameterError, match="total=0: must be at least 1"):
        thence.generate("procbench", total=0)
