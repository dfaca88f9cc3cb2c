"""Measures the best shortcut of every task at default parameters, and writes the table of marks.

    python benchmarks/shortcuts.py [--size N] [TASK...]

takes minutes a task; without names all tasks that the table has. It keeps the rows of the others.
Of questions that tell which parts of the analysis they need it also prints what share of each
answer every incomplete strategy gets wrong.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import thence
from thence.analysis import shortcut_marks
from thence.api import shortcuts
from thence.core.shortcuts import SIZE

SEED = 17


def incomplete(name: str, size: int) -> str:
    """Return what share of an answer's questions each incomplete strategy gets wrong."""
    wrong: Counter[tuple[str, str]] = Counter()
    answers: Counter[str] = Counter()
    for sample in thence.generate(name, seed=SEED, size=size):
        answer = sample.target if isinstance(sample.target, str) else ""
        answers[answer] += 1
        wrong.update((answer, each) for each in sample.metadata.get("needs", ()))
    shares = {key: count / answers[key[0]] for key, count in sorted(wrong.items())}
    return ", ".join(f"{' '.join(key).strip()} {share:.2f}" for key, share in shares.items())


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("tasks", nargs="*")
    given = parser.parse_args()
    path = Path(shortcut_marks.__file__).with_name(shortcut_marks.FILE)
    held = {name: mark.to_json() for name, mark in shortcut_marks.known().items()}
    for name in given.tasks or list(held):
        (found,) = shortcuts.measure(name, seed=SEED, size=given.size)
        held[name] = shortcut_marks.row(found)
        print(name, held[name])
        print(incomplete(name, given.size))
        order = [each.name for each in thence.tasks() if each.name in held]
        path.write_text(shortcut_marks.text({each: held[each] for each in order}))


if __name__ == "__main__":
    main()
