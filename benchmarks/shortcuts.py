"""Measures the best shortcut of every task at default parameters, and writes the table of marks.

    python benchmarks/shortcuts.py [TASK...]

takes minutes a task; without names all tasks that the table has. It keeps the rows of the others.
"""

from __future__ import annotations

import sys
from pathlib import Path

import thence
from thence.analysis import shortcut_marks
from thence.api import shortcuts

SEED, SIZE = 17, 400


def main() -> None:
    """Measure and write."""
    path = Path(shortcut_marks.__file__).with_name(shortcut_marks.FILE)
    held = {name: mark.to_json() for name, mark in shortcut_marks.known().items()}
    for name in sys.argv[1:] or list(held):
        (found,) = shortcuts.measure(name, seed=SEED, size=SIZE)
        held[name] = shortcut_marks.row(found)
        print(name, held[name])
        order = [each.name for each in thence.tasks() if each.name in held]
        path.write_text(shortcut_marks.text({each: held[each] for each in order}))


if __name__ == "__main__":
    main()
