"""Speed of generating ProcBench: by construction, and by rejection sampling.

Run: python benchmarks/generate.py [SEED]

The authors' generator draws at random and keeps the examples with a length that is still missing;
it rejected 63,370 draws for the paper's 5,520 examples, at about 425 examples a second. Their
program is not here; the other side of this comparison uses their method with our own procedures, so
that the methods are compared. The figure of 425 is the authors' figure, not measured here.

On one core, seconds are CPU seconds. Other load on the machine increases them, too, so the fastest
of several rounds counts.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from hashlib import sha256
from random import Random

from _machine import tell
from thence import families
from thence.core.digest import compact_json
from thence.core.parts import Condition
from thence.families.procbench.procedure import EACH, LONGEST, SHORTEST
from thence.generation import suite
from thence.generation.plan import Plan

ROUNDS = 7
AUTHORS = 425.0  # examples a second of the authors' generator, as specified


FAMILY = "procbench"


def names() -> list[str]:
    """Return the names of ProcBench's tasks."""
    return [task.full_name for task in families.select([FAMILY])]


def by_rejection(seed: int) -> tuple[int, int, float]:
    """Return kept samples, rejected draws and seconds of rejection sampling."""
    begun = time.process_time()
    kept = thrown = 0
    for task in families.select([FAMILY]):
        name = task.full_name
        rng, have = Random(f"{seed} {name}"), Counter[int]()
        while have.total() < EACH * (LONGEST - SHORTEST + 1):
            draft = task.generator.draw(
                Condition("", {"steps": rng.randint(SHORTEST, LONGEST)}, 1), rng
            )
            length = len(draft.target["intermediate"]) + 1
            if have[length] < EACH:
                have[length] += 1
                compact_json(draft.target)
            else:
                thrown += 1
        kept += have.total()
    return kept, thrown, time.process_time() - begun


def whole(seed: int) -> tuple[int, float]:
    """Return samples and seconds of the full set, prompts and JSON lines included."""
    begun = time.process_time()
    count = sum(1 for _ in suite.generate_lines(Plan(names(), seed), 1))
    return count, time.process_time() - begun


def hashed(seed: int) -> str:
    """Return the SHA-256 hash of the full set; its time is not part of generation."""
    made = sha256()
    for line in suite.generate_lines(Plan(names(), seed), 1):
        made.update(line.encode() + b"\n")
    return made.hexdigest()


def main() -> None:
    """Print the figures of both methods."""
    tell()
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    cores = len(os.sched_getaffinity(0))
    first = hashed(seed)  # before the others, so that templates are compiled, modules imported
    count, seconds = min((whole(seed) for _ in range(ROUNDS)), key=lambda run: run[1])
    print(
        f"by construction, one core   {count:6,} samples {count / seconds:10,.0f} samples/s  "
        f"({seconds:.2f} s of CPU)"
    )
    size = 10 * count // len(names())
    plan = Plan(names(), seed, size=min(size, 2400))
    for workers in (1, cores):
        begun, held, made = time.perf_counter(), sha256(), 0
        for line in suite.generate_lines(plan, workers):
            held.update(line.encode() + b"\n")
            made += 1
        rate = made / (time.perf_counter() - begun)
        print(
            f"by construction, {workers} process(es) {made:6,} samples {rate:7,.0f} samples/s  "
            f"sha256 {held.hexdigest()[:16]}"
        )
    kept, thrown, spent = by_rejection(seed)
    print(
        f"draw and throw away         {kept:6,} samples {kept / spent:10,.0f} samples/s  "
        f"({thrown:,} thrown away; no prompts)"
    )
    print(f"the authors' generator, as specified, not measured here {AUTHORS:6,.0f} samples/s")
    print(
        f"one core against that figure: {count / seconds / AUTHORS:.1f} times; sha256 {first[:16]}"
    )


if __name__ == "__main__":
    main()
