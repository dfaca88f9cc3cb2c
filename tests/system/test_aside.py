"""Work in another process: the same result, whatever becomes of the process."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from thence.system.aside import aside, queue

forked = pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2, reason="one processor"
)


def test_what_is_not_worth_a_process_is_done_here_when_it_is_asked_for() -> None:
    done: list[int] = []

    def work() -> int:
        done.append(os.getpid())
        return 7

    found = aside(work, worth=False)
    assert done == []
    assert found() == 7
    assert done == [os.getpid()]


@forked
def test_the_result_of_another_process_arrives_whole() -> None:
    large = list(range(200_000))
    found = aside(lambda: (os.getpid(), large))
    child, same = found()
    assert child != os.getpid()
    assert same == large


@forked
@pytest.mark.parametrize("end", ["error", "killed", "unpicklable"])
def test_work_is_done_here_where_the_other_process_fails(end: str) -> None:
    mother = os.getpid()

    def work() -> object:
        if os.getpid() != mother:
            if end == "error":
                raise MemoryError
            if end == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            return lambda: 0
        return 7

    assert aside(work)() == 7


@forked
def test_what_cannot_be_sent_as_it_is_is_packed_for_the_way() -> None:
    found = aside(lambda: {7: len}, pack=list, unpack=lambda sent: dict.fromkeys(sent, len))
    assert found() == {7: len}


@pytest.mark.parametrize("number", [0, 1, 256])
def test_each_number_of_a_queue_is_taken_once(number: int) -> None:
    with queue(number) as numbers:
        others = aside(lambda: list(numbers))
        own = list(numbers)
        assert sorted([*own, *others()]) == list(range(number))


@forked
def test_an_error_of_the_work_itself_is_met_here() -> None:
    def work() -> int:
        raise KeyError("x")

    with pytest.raises(KeyError):
        aside(work)()
