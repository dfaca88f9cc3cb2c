"""Worker processes: the same results for any number of them."""

import gc
import os

import pytest

from thence.kernel import workers


def squares(numbers):
    return [number * number for number in numbers]


def carried(numbers):
    return [(workers.CARRIED.get("test"), os.getpid(), number) for number in numbers]


@pytest.fixture
def _as_before():
    yield
    workers.allow(None)
    workers.CARRIED.pop("test", None)


@pytest.mark.usefixtures("_as_before")
@pytest.mark.parametrize("count", [1, 2])
def test_any_number_of_workers_gives_the_same_in_order(count):
    workers.allow(count)
    assert workers.processes() == count
    assert workers.spread(squares, range(11), 2) == [k * k for k in range(11)]


@pytest.mark.usefixtures("_as_before")
def test_workers_know_what_was_found_out_and_a_few_items_need_none():
    workers.allow(2)
    workers.CARRIED["test"] = "known"
    found = workers.spread(carried, range(4), 2)
    assert [(what, number) for what, _, number in found] == [("known", k) for k in range(4)]
    assert os.getpid() not in {process for _, process, _ in found}
    assert {process for _, process, _ in workers.spread(carried, range(3), 2)} == {os.getpid()}


def test_cycles_are_looked_for_again_afterwards():
    with pytest.raises(KeyError), workers.uncollected():
        assert not gc.isenabled()
        raise KeyError
    assert gc.isenabled()
