"""Records golden files: ``python -m tests.golden.record [PART [CASE...]]``.

Records what the command does now, of all parts or of one; a CASE may be a pattern such as
``'fable/routes *'``. Do so on purpose, and say in the commit what changed and why.

PART ``replies`` makes the replies anew that the scores are of: needed only where ids have changed.
"""

from __future__ import annotations

import sys
import time
from fnmatch import fnmatch

from tests.golden import scores, store
from tests.golden.parts import PARTS


def main(arguments: list[str]) -> int:
    """Records what was asked for; returns the exit status."""
    part, *patterns = arguments or [""]
    if part == "replies":
        print(scores.record())
        return 0
    if part and part not in PARTS:
        print(f"unknown part {part!r} (known: {', '.join(PARTS)})", file=sys.stderr)
        return 2
    status = 0
    for name in [part] if part else PARTS:
        failed = record(name, patterns or ["*"])
        if failed is None:
            print(f"{name} has no case {' '.join(patterns)}; it has:", *PARTS[name], sep="\n  ")
            return 2
        status = status or int(failed > 0)
    return status


def record(part: str, patterns: list[str]) -> int | None:
    """Records the cases of a part that match; returns how many failed, None if none matches."""
    cases, before = PARTS[part], store.read(part)
    chosen = [
        name for name in cases if any(name == each or fnmatch(name, each) for each in patterns)
    ]
    after, failed = {}, 0
    for name, case in cases.items():
        if name in chosen and (why := case.missing()):
            print(f"{part} {name}: left as it is: {why}")
        elif name in chosen:
            begun = time.process_time()
            try:
                after[name] = case.found()
            except AssertionError as error:
                print(f"{part} {name}: failed: {error}", file=sys.stderr)
                failed += 1
                if name in before:
                    after[name] = before[name]
                continue
            took = time.process_time() - begun
            same = "unchanged" if before.get(name) == after[name] else "recorded"
            print(f"{part} {name}: {same} ({took:.1f} s)", flush=True)
        if name not in after and name in before:
            after[name] = before[name]
    store.write(part, after)
    return failed if chosen else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
