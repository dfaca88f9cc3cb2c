"""Speed of making plans.

Run: python benchmarks/plans.py [PLANS] [SEED]

Plans are made with our worker processes, and with the planner's own driver script. Both sides solve
the same problems with the same search; the lengths of their plans are compared. The driver script
starts two interpreters for every problem, so it is given only a part of them.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from _machine import tell
from thence.domains.plans import problems
from thence.domains.plans.lowering import BUILT_IN_DOMAINS, built_in_domain
from thence.domains.plans.pddl import PddlDomain, PddlProblem
from thence.domains.plans.planner import SEARCH, Planner, folder

Asked = tuple[PddlDomain, PddlProblem, PddlProblem | None]

_BY_SCRIPT = 24  # problems for the driver script
_WARM = 40


def drawn(count: int, seed: int) -> list[Asked]:
    """Return distinct problems, each kind as often as the others."""
    rng, found, seen = Random(seed), list[Asked](), set[str]()
    while len(found) < count:
        kind = BUILT_IN_DOMAINS[len(found) % len(BUILT_IN_DOMAINS)]
        problem, base = problems.random_problem(kind, problems.SIZES[kind], rng)
        if problem.text not in seen:
            seen.add(problem.text)
            found.append((built_in_domain(kind), problem, base))
    return found


def spent() -> float:
    """Return the CPU seconds of this process and of its ended children."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def by_workers(asked: list[Asked], workers: int) -> tuple[float, list[int]]:
    """Return plans per second and their lengths, without the start of the workers."""
    with Planner(workers) as planner:
        for _ in planner.plans(asked[:_WARM] * workers):
            pass
        begun = time.perf_counter()
        lengths = [len(plan) for plan in planner.plans(asked)]
        return len(asked) / (time.perf_counter() - begun), lengths


def by_script(asked: list[Asked]) -> tuple[float, list[int]]:
    """Return plans per second of the planner's driver script, and their lengths."""
    script = folder().parents[2] / "fast-downward.py"
    lengths = []
    with tempfile.TemporaryDirectory() as place:
        begun = time.perf_counter()
        for domain, problem, _ in asked:
            (Path(place) / "d.pddl").write_text(domain.text)
            (Path(place) / "p.pddl").write_text(problem.text)
            command = [sys.executable, str(script), "--plan-file", "plan", "d.pddl", "p.pddl"]
            subprocess.run(
                [*command, "--search", SEARCH], cwd=place, check=True, capture_output=True
            )
            lines = (Path(place) / "plan").read_text().splitlines()
            lengths.append(sum(line.startswith("(") for line in lines))
        return len(asked) / (time.perf_counter() - begun), lengths


def started_alone(times: int = 60) -> tuple[float, float]:
    """Return starts per second of the binary without a problem, and CPU seconds of one start.

    A worker starts the binary once for each problem.
    """
    command = [str(folder() / "downward")]  # without arguments it says how it is used
    spent_before, begun = spent(), time.perf_counter()
    for _ in range(times):
        subprocess.run(command, capture_output=True, check=False)
    return times / (time.perf_counter() - begun), (spent() - spent_before) / times


def main() -> None:
    """Print the figures of all methods."""
    tell()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    asked = drawn(count, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    cores = len(os.sched_getaffinity(0))
    begun = spent()
    script, told = by_script(asked[:_BY_SCRIPT])
    used = (spent() - begun) / len(told)
    print(
        f"driver script, one after another {script:8.1f} plans/s  {1000 * used:6.1f} ms of CPU each"
    )
    begun = spent()
    one, lengths = by_workers(asked, 1)
    used = (spent() - begun) / (count + _WARM)
    print(
        f"one worker                       {one:8.1f} plans/s  {1000 * used:6.1f} ms of CPU each"
        f"  {one / script:.1f} times that"
    )
    alone, used = started_alone()
    print(
        f"the search binary, started only  {alone:8.1f} starts/s {1000 * used:6.1f} ms of CPU each"
    )
    if cores > 1:
        begun = spent()
        two, again = by_workers(asked, 2)
        used = (spent() - begun) / (count + 2 * _WARM)
        print(
            f"two workers                      {two:8.1f} plans/s  {1000 * used:6.1f} ms of CPU "
            f"each  {two / one:.2f} times one"
        )
        assert again == lengths
    same = "the same" if told == lengths[:_BY_SCRIPT] else "OTHERS"
    print(
        f"{count} problems, plans of {min(lengths)} to {max(lengths)} steps, "
        f"mean {sum(lengths) / count:.2f}; lengths by the script: {same}"
    )


if __name__ == "__main__":
    main()
