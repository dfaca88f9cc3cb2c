"""Records frozen sets: ``python -m tests.generation.record_frozen [FILE...]``.

Makes the files of ``thence-1`` (all, or those that are named), and writes their versions, counts
and hashes into the package. A set that was released is not recorded anew: questions that changed
make another set, with another name.
"""

from __future__ import annotations

import json
import sys
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import thence
from thence import families
from thence.generation import frozen_sets
from thence.system.disk import file_hash

NAME, SEED = "thence-1", 271_828
FILES = {  # of which tasks, and how many questions of each
    "procbench.jsonl": ("procbench/*", 48),
    "releval.jsonl": ("releval/*", 100),
    "catbench.jsonl": ("catbench/order", 240),
    "fable-plans.jsonl": ("fable/plans/*", 40),
    "fable-routes.jsonl": ("fable/routes/*", 40),
    "fable-recipes.jsonl": ("fable/recipes/*", 40),
    "fable-runbooks.jsonl": ("fable/runbooks/*", 40),
}


def recorded(file: str, folder: Path) -> dict[str, Any]:
    """The entry of a file, as it is made now."""
    pattern, size = FILES[file]
    versions = {
        name: task.version
        for name, task in families.tasks().items()
        if fnmatchcase(name, pattern)
    }  # fmt: skip
    made = thence.generate(list(versions), seed=SEED, size=size, workers=1)
    path = made.write(folder / file)
    count = made.manifest["samples"]
    return {"size": size, "samples": count, "sha256": file_hash(path), "versions": versions}


def main(names: list[str]) -> int:
    """Records what was asked for; returns the exit status."""
    if unknown := [name for name in names if name not in FILES]:
        print(f"no file {unknown[0]} (known: {', '.join(FILES)})", file=sys.stderr)
        return 2
    target = Path(str(frozen_sets.FOLDER)) / f"{NAME}.json"
    before = json.loads(target.read_text())["files"] if target.exists() else {}
    entries = {}
    with tempfile.TemporaryDirectory() as folder:
        for file in FILES:
            if names and file not in names and file in before:
                entries[file] = before[file]
                continue
            entries[file] = recorded(file, Path(folder))
            state = "unchanged" if before.get(file) == entries[file] else "recorded"
            print(f"{file}: {state} ({entries[file]['samples']} questions)", flush=True)
    held = {"thence": thence.__version__, "seed": SEED, "files": entries}
    target.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
