"""The baselines on the samples of a run, without a directory: what chance looks like there."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence

from thence import families
from thence.errors import UsageError
from thence.kernel.sample import Sample
from thence.models.base import Request
from thence.models.baselines import PROVIDER, baseline
from thence.protocols import protocol
from thence.scoring import Response, Results, Scored, judge

NAMES = ("random", "majority", "heuristic")
MOST = 100  # samples of a task: enough to see where chance lies


def baselines(samples: Iterable[Sample], most: int = MOST) -> list[Results]:
    """Scores of three baselines on the first samples of each task.

    A baseline that has no answer to any sample of a task is left out there.
    """
    taken: list[Sample] = []
    counts: Counter[str] = Counter()
    for sample in samples:
        if counts[sample.task] < most:
            counts[sample.task] += 1
            taken.append(sample)
    return [held for name in NAMES if (held := asyncio.run(_one(name, taken))).rows]


async def _one(name: str, samples: Sequence[Sample]) -> Results:
    rows: list[Scored] = []
    model, direct = baseline(name, 0), protocol("direct")
    for sample in samples:
        task = families.task(sample.task)
        try:
            if name == "heuristic" and task.surface_answer(sample) is None:
                continue
            reply = await model.complete(Request(sample, ()))
        except UsageError:
            continue  # a sample of a file that lacks what a baseline answers from
        response = Response(sample.id, response=reply.text)
        rows.append(Scored(sample, 0, 0, judge(response, sample, task, direct)))
    return Results(f"{PROVIDER}/{name}", f"{PROVIDER}/{name}", rows)
