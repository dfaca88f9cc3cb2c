"""Table of the agreement of an extraction with flow graphs, printed in the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from thence.core.statistics import Estimate
from thence.reporting.cell_text import text
from thence.reporting.terminal import console
from thence.reporting.text_table import print_text_table

_WORDS = {
    "precision": "dependencies, precision",
    "recall": "dependencies, recall",
    "f1": "dependencies, F1",
    "direct_precision": "direct ones, precision",
    "direct_recall": "direct ones, recall",
    "steps": "sentences that are steps",
}


def print_figures(model: str, read: int, asked: int, figures: Mapping[str, Estimate]) -> None:
    """Print how many recipes were read and, where any were, each figure with its interval."""
    out = console()
    if not read:
        out.print(Text(f"None of {asked} recipes was read by {model}."), soft_wrap=True)
        return
    rows = [
        [_WORDS[name], text(each.value), " to ".join(map(text, each.interval() or ()))]
        for name, each in figures.items()
    ]
    print_text_table(out, ("of " + model, "share", "95% interval"), rows)
    out.print()
    out.print(
        Text(
            f"{read} of {asked} recipes read; a dependency is a pair of sentences of which one "
            "must come first. Intervals are over recipes."
        ),
        soft_wrap=True,
    )
