"""Worker processes: the same results for any number of them."""

import os
import signal
import time
from multiprocessing import connection
from pathlib import Path

import pytest

from thence.system import workers


def squares(numbers):
    return [number * number for number in numbers]


def placed(numbers):
    return [(os.getpid(), number) for number in numbers]


@pytest.mark.parametrize("count", [1, 2])
def test_any_number_of_workers_gives_the_same_in_order(count):
    before = workers.processes()
    with workers.allowing(count):
        assert workers.processes() == count
        assert workers.spread(squares, range(11), 2) == [k * k for k in range(11)]
    assert workers.processes() == before


def test_a_few_items_need_no_workers():
    with workers.allowing(2):
        found = workers.spread(placed, range(4), 2)
    assert [number for _, number in found] == list(range(4))
    assert os.getpid() not in {process for process, _ in found}
    assert {process for process, _ in workers.spread(placed, range(3), 2)} == {os.getpid()}


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="no process table here")
def test_a_worker_is_deaf_to_an_interrupt_from_its_first_moment():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    pool = workers.pool(1)
    try:
        waiting = pool.submit(squares, [3])
        assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
        (child,) = pool._processes
        looks = 0
        while not waiting.done():
            assert deaf(child)
            looks += 1
        assert deaf(child)
        assert waiting.result() == [9]
        assert looks
    finally:
        pool.shutdown(cancel_futures=True)


def deaf(process):
    """Whether SIGINT is blocked or ignored in a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    held = dict(line.split(":", 1) for line in lines)
    return bool((int(held["SigBlk"], 16) | int(held["SigIgn"], 16)) >> (signal.SIGINT - 1) & 1)


def half_a_result(sign):
    """A result of which the worker writes the first bytes and no more."""

    def send(self, data):
        os.write(self.fileno(), bytes(data)[:10])
        Path(sign).touch()
        time.sleep(60)

    connection.Connection._send = send
    return b"long" * 100_000


@pytest.mark.skipif(os.name != "posix", reason="pipes of another kind")
def test_a_pool_ends_though_a_worker_is_killed_in_the_middle_of_a_result(tmp_path):
    sign = tmp_path / "writing"
    with pytest.raises(LookupError), workers.pool(1) as pool:
        pool.submit(half_a_result, str(sign))
        while not sign.exists():
            time.sleep(0.01)
        raise LookupError
