from __future__ import annotations

from copy import copy
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thence.core.digest import digest
from thence.core.seeds import stream

PLACE: dict[str, Any] = {
    "task": "procbench/sort",
    "version": "1-0",
    "parameters": {"steps": 5},
    "seed": 0,
    "index": 0,
    "attempt": 0,
}


def head(rng: Random, count: int = 64) -> list[int]:
    return [rng.getrandbits(64) for _ in range(count)]


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("task", "procbench/gather"),
        ("version", "2-0"),
        ("version", "11-0"),
        ("parameters", {"steps": 6}),
        ("parameters", {"steps": "5"}),
        ("parameters", {"steps": 5, "more": None}),
        ("seed", 1),
        ("seed", -1),
        ("index", 1),
        ("attempt", 1),
    ],
)
def test_every_part_of_a_place_makes_another_stream(part: str, other: Any) -> None:
    assert not set(head(stream(**PLACE))) & set(head(stream(**PLACE | {part: other})))


def test_no_two_of_thousands_of_streams_share_a_draw() -> None:
    tasks, versions = ("procbench/sort", "procbench/gather"), ("1-0", "2-0")
    lengths, seeds, indices, attempts = (2, 12), range(12), range(12), range(3)
    drawn: set[int] = set()
    places = list(product(tasks, versions, lengths, seeds, indices, attempts))
    for task, version, steps, seed, index, attempt in places:
        drawn.update(head(stream(task, version, {"steps": steps}, seed, index, attempt)))
    assert len(places) > 3000
    assert len(drawn) == 64 * len(places)


@given(st.integers(), st.integers(min_value=0), st.integers(min_value=0, max_value=10))
def test_integers_of_any_size_do_not_slide_into_each_other(
    seed: int, index: int, attempt: int
) -> None:
    near = {(seed, index, attempt), (seed + 1, index, attempt), (seed, index + 1, attempt)}
    near |= {(seed, index, attempt + 1), (index, seed, attempt), (seed + 1, index + 1, attempt)}
    heads = {stream("t", "1-0", {}, *place).getrandbits(128) for place in near}
    assert len(heads) == len(near)


def test_what_changes_no_score_changes_no_stream() -> None:
    same = [
        PLACE,
        PLACE | {"version": "1-7"},
        PLACE | {"version": "1"},
        PLACE | {"parameters": dict(PLACE["parameters"])},
    ]
    assert len({tuple(head(stream(**place))) for place in same}) == 1


def test_the_order_of_parameters_does_not_matter() -> None:
    one, other = {"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"d": 3, "c": 2}, "a": 1}
    first, second = (stream(**PLACE | {"parameters": given}) for given in (one, other))
    assert head(first) == head(second)


def test_a_stream_is_the_same_for_good() -> None:
    assert head(stream(**PLACE), 3) == head(stream(**PLACE), 3)
    assert len(set(head(stream(**PLACE)))) == 64


def test_a_stream_gives_the_numbers_of_pythons_generator_and_can_be_copied() -> None:
    made = stream("procbench/sort", "1-0", {"steps": 3}, 0, 0)
    number = int(digest("procbench/sort", "1", {"steps": 3}, 0, 0, 0), 16)
    held = copy(made)
    for rng in (made, held):
        plain = Random(number)
        assert [rng.random(), rng.gauss(), rng.gauss(), rng.randrange(9), rng.getrandbits(70)] == [
            plain.random(),
            plain.gauss(),
            plain.gauss(),
            plain.randrange(9),
            plain.getrandbits(70),
        ]
