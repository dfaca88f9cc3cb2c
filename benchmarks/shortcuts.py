"""Measures the best shortcut of every task at default parameters, and writes the table of marks.

    python benchmarks/shortcuts.py [--size N] [TASK...]

takes minutes a task; without names all tasks that the table has. It keeps the rows of the others,
and prints the rows of the tables in docs/concepts/shortcuts.md: what shortcuts reach, and of
questions that tell which parts of the analysis they need, what share of each answer incomplete
strategies get wrong.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import thence
from thence.analysis import shortcut_marks
from thence.analysis.shortcuts import Battery
from thence.api import shortcuts
from thence.core.shortcuts import SIZE

SEED = 17


def incomplete(name: str, size: int) -> str:
    """Return the cells of a row: by answer, the share that each incomplete strategy gets wrong."""
    wrong: Counter[tuple[str, str]] = Counter()
    answers: Counter[str] = Counter()
    for sample in thence.generate(name, seed=SEED, size=size):
        answer = sample.target if isinstance(sample.target, str) else ""
        answers[answer] += 1
        wrong.update((answer, each) for each in sample.metadata.get("needs", ()))
    shares: dict[str, list[str]] = {"No": [], "Yes": []}
    for (answer, each), count in sorted(wrong.items()):
        shares.setdefault(answer, []).append(f"`{each}` {count / answers[answer]:.2f}")
    return "".join(f" {', '.join(held)} |" for held in shares.values())


def reached(found: Battery) -> str:
    """Return the cells of a row: questions, chance, the best single shortcut, pair and tree."""
    single, pair, tree = (found.best(kind) for kind in ("single", "pair", "tree"))
    low, high = single.accuracy.low, single.accuracy.high
    return (
        f" {found.scored} | {found.chance:.2f} | {single.name}: {single.score:.2f} "
        f"[{low:.2f}, {high:.2f}] | {pair.name}: {pair.score:.2f} | {tree.score:.2f} |"
    )


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
        print(
            f"| `{name}` |{reached(found)}", f"| `{name}` |{incomplete(name, given.size)}", sep="\n"
        )
        order = [each.name for each in thence.tasks() if each.name in held]
        path.write_text(shortcut_marks.text({each: held[each] for each in order}))


if __name__ == "__main__":
    main()
