"""Records golden files: ``python -m tests.golden.record [PART [CASE...]]``.

Without a PART, all; a CASE may be a pattern such as ``'fable/routes *'``. Records what the command
does now: do so on purpose, and say in the commit what changed and why.
"""

from __future__ import annotations

import sys
import time
from fnmatch import fnmatch

from tests.golden import store
from tests.golden.parts import PARTS


def main(arguments: list[str]) -> int:
    """Records what was asked for; returns the exit status."""
    part, *patterns = arguments or [""]
    if part and part not in PARTS:
        print(f"unknown part {part!r} (known: {', '.join(PARTS)})", file=sys.stderr)
        return 2
    for name in [part] if part else PARTS:
        if not record(name, patterns or ["*"]):
            print(f"{name} has no case {' '.join(patterns)}; it has:", *PARTS[name], sep="\n  ")
            return 2
    return 0


def record(part: str, patterns: list[str]) -> int:
    """Records the cases of a part that match; returns how many do."""
    cases, before = PARTS[part], store.read(part)
    chosen = [
        name for name in cases if any(name == each or fnmatch(name, each) for each in patterns)
    ]
    after = {}
    for name, case in cases.items():
        if name in chosen and (why := case.missing()):
            print(f"{part} {name}: left as it is: {why}")
        elif name in chosen:
            begun = time.process_time()
            try:
                after[name] = case.found()
            except AssertionError as error:
                print(f"{part} {name}: failed: {error}", file=sys.stderr)
                continue
            took = time.process_time() - begun
            same = "unchanged" if before.get(name) == after[name] else "recorded"
            print(f"{part} {name}: {same} ({took:.1f} s)", flush=True)
        if name not in after and name in before:
            after[name] = before[name]
    store.write(part, after)
    return len(chosen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
