"""``python -m tests.fuzz --seconds N [--reader NAME] [--seed N]``: fuzzes, and prints counts.

Each reader gets its share of the time. What fails is made small and shown; the status is 1 then.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter

from tests.fuzz.driver import Failure, bounded, fuzz
from tests.fuzz.readers import READERS


def main() -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--reader", action="append", choices=list(READERS))
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    given = parser.parse_args()
    names = given.reader or list(READERS)
    weights = sum(READERS[name].weight for name in names)
    totals: Counter[str] = Counter()
    bounded()
    began = time.process_time()
    failed = 0
    for name in names:
        share = given.seconds * READERS[name].weight / weights
        with tempfile.TemporaryDirectory() as folder:
            try:
                counts = fuzz(name, share, folder, given.seed)
            except Failure as failure:
                failed += 1
                counts = failure.counts
                traceback.print_exception(failure.__cause__)
                print(f"{name}: FAILED on {failure.mutant!r:.3000}", flush=True)
        totals += counts
        shown = ", ".join(f"{count:,} {what}" for what, count in sorted(counts.items()))
        print(f"{name}: {counts.total():,} mutants ({shown})", flush=True)
    seconds = time.process_time() - began
    print(f"{totals.total():,} mutants in {seconds:,.0f} s of processor time, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
