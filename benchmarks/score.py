"""Speed of reading and scoring replies on one core, compared with a minimal reader.

Run: python benchmarks/score.py

Replies answer 5,520 questions in five forms: correct and bare, correct in a fence with prose around
it, wrong, with reasoning first, and as labelled lists. Two more forms, with spaces as
most models write them, are timed separately. The other side takes the last ``{...}`` with a regular
expression, parses it and compares; it reads one form only and shows the minimum cost of scoring.
Seconds are CPU seconds.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from _machine import tell
from thence import families
from thence.core.sample import Sample
from thence.generation import suite
from thence.generation.plan import Plan
from thence.prompts.catalog import protocol
from thence.scoring.judge import Response, judge

REPEATS = 7  # of which the quickest counts, as for a machine that others use as well
FORMS = ("right and bare", "in a fence with prose", "wrong", "thought about first", "labelled")
SPACED = ("right, with spaces", "wrong, with spaces")
WANTED = 50_000
RELAXED: dict[str, Callable[[Any], str]] = {
    "a Python dict": repr,
    "a comma too many": lambda target: json.dumps(target)[:-1] + ",}",
    "keys in capitals": lambda target: json.dumps({k.title(): v for k, v in target.items()}),
    "two fenced blocks": lambda target: "\n".join(
        f"```json\n{json.dumps(each)}\n```" for each in target.values()
    ),
}
WANTED_RELAXED = 20_000


def replies(samples: list[Sample]) -> list[tuple[Sample, Response]]:
    """Return one reply of each form per sample."""
    pairs = []
    for sample in samples:
        task = families.task(sample.task)
        right = task.format.write(sample.target)
        wrong = task.format.write(task.checks.perturb(sample, Random(sample.id)))
        steps = json.dumps(sample.target["intermediate"])
        final = json.dumps(sample.target["final"])
        forms = (
            right,
            f"Let me go through it.\n\n```json\n{right}\n```\nThat is all.",
            wrong,
            f"<think>{wrong}</think>\n{right}",
            f"**Intermediate states:** {steps}\n**Final state:** {final}",
        )
        pairs += [(sample, Response(sample.id, response=form)) for form in forms]
    return pairs


def naive(pairs: list[tuple[Sample, Response]]) -> int:
    """Count correct answers with a regular expression, json and equality."""
    right = 0
    for sample, response in pairs:
        found = re.findall(r"\{.*\}", response.response or "", re.DOTALL)
        try:
            right += bool(found) and json.loads(found[-1]) == sample.target
        except ValueError:
            continue
    return right


def timed(label: str, pairs: list[tuple[Sample, Response]]) -> None:
    """Print the speed of reading and scoring replies of one form."""
    tasks, direct = families.tasks(), protocol("direct")
    spent = float("inf")
    for _ in range(REPEATS):
        begun = time.process_time()
        for sample, response in pairs:
            judge(response, sample, tasks[sample.task], direct)
        spent = min(spent, time.process_time() - begun)
    print(f"{label:21} {len(pairs) / spent:10,.0f} replies/s   ({spent:.2f} s of CPU)")


def spaced(pair: tuple[Sample, Response]) -> tuple[Sample, Response]:
    """Return a bare reply with a space after each comma and colon."""
    sample, response = pair
    return sample, Response(sample.id, response=json.dumps(json.loads(response.response or "")))


def main() -> None:
    """Print the figures of both sides."""
    tell()
    names = [task.full_name for task in families.select(["procbench"])]
    samples = list(suite.generate(Plan(names), workers=1))
    pairs, direct = replies(samples), protocol("direct")
    tasks = families.tasks()
    best, plain, right, outcomes = 0.0, 0.0, 0, Counter[str]()
    for _ in range(REPEATS):
        begun = time.process_time()
        verdicts = [
            judge(reply, sample, tasks[sample.task], direct).outcome for sample, reply in pairs
        ]
        between = time.process_time()
        outcomes = Counter(outcome.value for outcome in verdicts)
        best = max(best, len(pairs) / (between - begun))
        right = naive(pairs)
        plain = max(plain, len(pairs) / (time.process_time() - between))
    for place, form in enumerate(FORMS):
        timed(form, pairs[place :: len(FORMS)])
    for place, form in zip((0, 2), SPACED, strict=True):
        timed(form, list(map(spaced, pairs[place :: len(FORMS)])))
    for form, write in RELAXED.items():
        timed(form, [(s, Response(s.id, response=write(s.target))) for s in samples])
    characters = sum(len(response.response or "") for _, response in pairs) / len(pairs)
    print(f"{len(pairs):,} replies of {characters:.0f} characters on average")
    print(f"read and scored       {best:10,.0f} replies/s   {dict(outcomes)}")
    print(f"the shortest reader   {plain:10,.0f} replies/s   {right:,} right")
    print(f"wanted                {WANTED:10,} replies/s, {WANTED_RELAXED:,} of relaxed JSON")


if __name__ == "__main__":
    main()
