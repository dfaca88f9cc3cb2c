"""Work on a Ray cluster of two nodes of one core each, on this machine, beside one process.

Prints the seconds of samples made alone and on the cluster, the same bytes each time, and the
requests a second that the driver of a run hands to replicas that answer at once. Usage:
``python benchmarks/cluster.py [SAMPLES OF A TASK [REQUESTS]]``; needs the extras `ray` and `plans`.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from _machine import tell
from thence.generation.plan import Plan
from thence.generation.suite import generate_lines
from thence.models.base import Model, Reply, Request
from thence.models.on_ray import ReplicatedModel
from thence.system.ray_cluster import cluster

TASKS = ["fable/plans/taint", "fable/plans/live_variables"]
NODE = {"num_cpus": 1, "object_store_memory": 100 << 20, "include_dashboard": False}
UNDER_WAY = 256


class Instant(Model):
    """Answers at once."""

    name = "hf/instant"

    async def complete(self, request: Request) -> Reply:
        """Return a reply."""
        return Reply("yes")


@contextmanager
def two_nodes() -> Iterator[str]:
    """Yield the address of a cluster on this machine."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args=NODE)
    try:
        made.add_node(**NODE)
        yield f"ray://{made.address}"
    finally:
        made.shutdown()


def made(size: int, workers: int | str) -> tuple[list[str], float]:
    """Return samples, and the seconds that they took."""
    begun = time.perf_counter()
    return list(generate_lines(Plan(TASKS, size=size), workers)), time.perf_counter() - begun


async def asked(on: str, count: int) -> float:
    """Return the requests a second of CPU time of the driver."""
    asking = asyncio.Semaphore(UNDER_WAY)
    request = Request(({"role": "user", "content": "x" * 1_500},))
    model = ReplicatedModel("hf/x", on, _instant, UNDER_WAY, None, gpus=True, grammars=False)

    async def one() -> None:
        async with asking:
            await model.complete(request)

    async with model:
        begun, wall = time.process_time(), time.perf_counter()
        await asyncio.gather(*(one() for _ in range(count)))
        taken, passed = time.process_time() - begun, time.perf_counter() - wall
    print(
        f"{count} requests to replicas: {count / passed:.0f}/s; driver {taken / count * 1e6:.0f} us"
    )
    return count / passed


def _instant(share: int) -> Model:
    return Instant()


def main() -> None:
    """Print all figures."""
    size, count = (int(each) for each in (*sys.argv[1:], *("1500", "20000")[len(sys.argv) - 1 :]))
    tell()
    with two_nodes() as on:
        asyncio.run(asked(on, count))
        if not size:
            return
        alone, seconds = made(size, 1)
        with cluster(on):  # connected beforehand: what a job of minutes has behind it
            there, passed = made(size, on)
    assert there == alone
    print(f"{len(alone)} samples of plans in one process: {seconds:.1f} s")
    print(f"on two nodes of one core: {passed:.1f} s, {seconds / passed:.2f} times as fast")


if __name__ == "__main__":
    main()
