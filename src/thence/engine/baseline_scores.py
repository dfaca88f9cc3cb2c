"""Scores of the baselines on the samples of a run, made without a directory of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from thence import families
from thence.core.results import Results
from thence.core.sample import Sample
from thence.core.task import MISFITS
from thence.engine.event_loop import run_blocking
from thence.errors import UsageError
from thence.models.base import Request
from thence.models.baselines import PROVIDER, baseline
from thence.prompts.catalog import protocol
from thence.prompts.protocol import Composed
from thence.scoring.frame_builder import frames
from thence.scoring.judge import Response, Scored, judge

HEURISTIC = "heuristic"
CONSTANT = "constant"
"""One answer to all questions of a task: the commonest truth among them, so that no constant does
better. ``baseline/majority`` learns it from another seed, which takes time. Where no truth comes
twice there is none: one that was chosen for a single question would be right by that alone."""
MOST = 100  # samples of a task: enough to see where they lie


def baselines(samples: Iterable[Sample], most: int = MOST) -> list[Results]:
    """Return the scores of two baselines on the first samples of each task.

    A baseline that has no answer to any sample of a task is left out there. Random answers are not
    among them, as what they are expected to score is worked out.
    """
    taken: list[Sample] = []
    counts: Counter[str] = Counter()
    for sample in samples:
        if counts[sample.task] < most:
            counts[sample.task] += 1
            taken.append(sample)
    found = {CONSTANT: [_scored(sample, reply) for sample, reply in _constant(taken)]}
    found[HEURISTIC] = run_blocking(_heuristic(taken))
    return [
        Results(f"{PROVIDER}/{name}", f"{PROVIDER}/{name}", frames(rows))
        for name, rows in found.items()
        if rows
    ]


def _constant(samples: Sequence[Sample]) -> Iterator[tuple[Sample, str]]:
    """Yield each sample with the commonest truth of its task among these samples."""
    by_task: dict[str, list[Sample]] = {}
    for sample in samples:
        by_task.setdefault(sample.task, []).append(sample)
    for name, held in by_task.items():
        task = families.task(name)
        first = {task.format.vote(sample.target): sample for sample in reversed(held)}
        votes = Counter(task.format.vote(sample.target) for sample in held)
        commonest, count = votes.most_common(1)[0]
        if count > 1:
            reply = task.format.write(first[commonest].target)
            yield from ((sample, reply) for sample in held)


async def _heuristic(samples: Sequence[Sample]) -> list[Scored]:
    """Return the scores of the heuristic on the samples that it can answer."""
    model, rows = baseline(HEURISTIC, 0), list[Scored]()
    for sample in samples:
        try:
            if families.task(sample.task).baselines.surface_answer(sample) is None:
                continue
            reply = await model.about(sample, str).complete(Request(()))
        except (UsageError, *MISFITS):
            continue  # a sample of a file that lacks what a baseline answers from
        rows.append(_scored(sample, reply.text))
    return rows


@cache
def _direct() -> Composed:
    return protocol("direct")


def _scored(sample: Sample, reply: str | None) -> Scored:
    response = Response(sample.id, response=reply)
    task = families.task(sample.task)
    return Scored(sample.light(), 0, 0, judge(response, sample, task, _direct()))
