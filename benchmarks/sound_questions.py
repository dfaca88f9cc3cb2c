"""Speed of sound questions: each cell of FABLE's domains, from blocks whose procedures are made.

    python benchmarks/sound_questions.py [DOMAIN] [SIZE] [SEED]

DOMAIN is plans, routes, recipes or runbooks; without it, all but runbooks. Questions are made one
after another in this process, with the plans, trips and recipes of their blocks made before: their
candidates, the choice among these, and the prompts count. Then the same questions are made again,
when they are chosen.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from random import Random

from _machine import tell
from thence import families
from thence.families.fable.shared.analyses import ANALYSES
from thence.generation import suite
from thence.generation.plan import Plan, slots

WANTED = {"plans": 150, "routes": 100, "recipes": 300}
SIZE, SEED = 200, 17


def spent(plan: Plan) -> float:
    """Return the seconds of CPU that the questions of a plan take."""
    used = time.process_time()
    list(suite.generate(plan, workers=1))
    return time.process_time() - used


def measured(name: str, size: int, seed: int) -> tuple[float, float]:
    """Return questions a second of CPU: chosen of candidates, and once they are chosen."""
    plan = Plan([name], seed, size)
    cell = families.task(name).generator
    blocks = {slot.condition.parameters["block"]: slot.condition for slot in slots(plan)}
    for each in blocks.values():  # this makes their procedures
        cell.domain.candidates(cell.analysis, {**each.parameters, **each.context}, Random(0))  # type: ignore[attr-defined]
    return size / spent(plan), size / spent(plan)


def main(given: Sequence[str]) -> None:
    """Print the figures of all cells."""
    tell()
    domains = given[:1] or list(WANTED)
    size, seed = (int(each) for each in (*given[1:3], *(SIZE, SEED)[len(given[1:3]) :]))
    for domain in domains:
        spent(Plan([f"fable/{domain}/intervals"], seed + 1, 1))  # imports, templates
        wanted = f", {WANTED[domain]} wanted" if domain in WANTED else ""
        print(f"{domain}: sound questions a second of CPU{wanted}")
        for analysis in ANALYSES:
            first, again = measured(f"fable/{domain}/{analysis}", size, seed)
            print(f"  {analysis:24} {first:6.0f}  {again:6.0f} when they are chosen")


if __name__ == "__main__":
    main(sys.argv[1:])
