"""Runs to report on, made without an endpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from thence import families
from thence.core.results import Results
from thence.core.sample import Sample
from thence.generation.plan import Plan
from thence.generation.suite import generate
from thence.prompts.catalog import protocol
from thence.reporting.page import ShownRun
from thence.scoring.frame_builder import frames
from thence.scoring.judge import Response, Scored, judge

HOSTILE = (
    "<script>window.pwned = 1</script>",
    "<img src=x onerror='window.pwned = 2'>",
    "</script><script>window.pwned = 3</script>",
    "</textarea></pre></details><svg onload=window.pwned=4>",
    "javascript:window.pwned=5",
    "{{ 7 * 7 }} ${7 * 7} <%= 7 * 7 %>",
    "broken \udcff\ud800 text \x00\x07\x1b[31m",
    "\u202e right to left \u2028 \ufeff",
    "W" * 50_000,
    "<!-- " * 1000,
    "]]>" + "\n" * 2000,
)


def run(
    model: str, reply: Callable[[Sample, int], str], tasks: Sequence[str], size: int = 12
) -> ShownRun:
    """A run whose replies are what ``reply`` says, scored."""
    rows, responses = [], {}
    samples = list(generate(Plan(list(tasks), seed=0, size=size), 1))
    for place, sample in enumerate(samples):
        response = Response(sample.id, response=reply(sample, place), finish_reason="stop")
        score = judge(response, sample, families.task(sample.task), protocol("direct"))
        rows.append(Scored(sample, 0, 0, score))
        responses[sample.id, 0, 0] = response
    held = Results(model, model, frames(rows))
    return ShownRun(
        held, rows, lambda row: (row.sample, responses[row.sample.id, 0, 0]), {"protocol": "direct"}
    )


def right(sample: Sample, place: int) -> str:
    """The truth."""
    return families.task(sample.task).format.write(sample.target)


def hostile(sample: Sample, place: int) -> str:
    """Something that a careless page would run."""
    return HOSTILE[place % len(HOSTILE)]
