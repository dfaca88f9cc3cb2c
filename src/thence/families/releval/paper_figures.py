"""Figures that RELEVAL's authors printed, shown beside ours where a table has the same cell.

They are in per cent, as printed (anonymous 2025; sections and figures as named). Figures that the
paper shows only as images are not included.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

SOURCE = "RELEVAL (anonymous 2025)"


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """The identity of a printed figure.

    Attributes:
        task: name of the task, such as ``comparison``.
        metric: ``accuracy`` or ``f1``; for self-correction ``change`` (in points), ``fell``,
            ``rose`` and ``to_unknown``.
        framing: framing of the statements.
        notation: notation of the statements.
    """

    task: str
    metric: str
    framing: str = "symbolic"
    notation: str = "mixed"


_PLAN = PrintedCell("plan_generation", "accuracy")
_CONSISTENCY = PrintedCell("consistency", "f1")
_COMPARISON = PrintedCell("comparison", "accuracy")

PUBLISHED: Mapping[PrintedCell, Mapping[str, float]] = {
    # Figures 1a, 2a and 4a
    _PLAN: {"O3-mini": 97.9, "O1": 97.2, "DeepSeek R1": 88.0, "Gemini 2 Flash Thinking": 30.8},
    _CONSISTENCY: {"O3-mini": 75.8, "O1": 71.3, "DeepSeek R1": 38.8, "GPT-4o": 2.8},
    _COMPARISON: {"O3-mini": 89.9, "DeepSeek R1": 87.7, "O1": 83.2, "GPT-4o": 49.9, "chance": 33.3},
    # The ablation that aligns all statements to ">"
    PrintedCell("consistency", "f1", notation="aligned"): {"GPT-4o": 12.9, "DeepSeek R1": 62.2},
    PrintedCell("comparison", "accuracy", notation="aligned"): {"GPT-4o": 61.7},
    # Figure 3
    PrintedCell("consistency", "change"): {
        "O1": -0.02,
        "Llama 3.1 405B": -1.4,
        "Gemini 2.0 Pro": -3.8,
    },
    PrintedCell("consistency", "fell"): {"Gemini 2.0 Pro": 11.5},
    PrintedCell("consistency", "rose"): {"Gemini 2 Flash Thinking": 19.0},
    PrintedCell("comparison", "change"): {"Gemini 2.0 Pro": 17.8, "Llama 3.1 405B": -11.5},
    PrintedCell("comparison", "to_unknown"): {"Llama 3.1 405B": 14.3, "GPT-4o": 6.7},
    # Table 1
    PrintedCell("consistency", "f1", "software"): {
        "DeepSeek R1": 22.0,
        "O1": 74.2,
        "O3-mini": 78.7,
    },
    PrintedCell("consistency", "f1", "finance"): {"DeepSeek R1": 20.2, "O1": 51.8, "O3-mini": 51.3},
    PrintedCell("comparison", "accuracy", "software"): {
        "DeepSeek R1": 85.9,
        "O1": 79.8,
        "O3-mini": 81.6,
    },
    PrintedCell("comparison", "accuracy", "finance"): {
        "DeepSeek R1": 57.4,
        "O1": 84.3,
        "O3-mini": 85.7,
    },
}

_DATE = r"20\d\d[-_.]?\d\d[-_.]?\d\d|\d\d-\d\d"
_SUFFIX = rf"([-_.:]?({_DATE}|latest|exp|instruct|high|medium|low|turbo|fp8))*"
_NAMES = {
    "O3-mini": "o3-mini",
    "O1": "o1",
    "DeepSeek R1": "deepseek-(r1|reasoner)",
    "GPT-4o": "gpt-4o",
    "Gemini 2 Flash Thinking": r"gemini-2(\.0)?-flash-thinking",
    "Gemini 2.0 Pro": r"gemini-2\.0-pro",
    "Llama 3.1 405B": r"(meta-)?llama-?3\.1[-:]405b",
    "chance": "random",
}
_PATTERNS = {name: re.compile(pattern + _SUFFIX) for name, pattern in _NAMES.items()}


def published(cell: PrintedCell, model: str) -> float | None:
    """Return the printed figure of a cell for a model name such as ``openai/o3-mini``, or None.

    Models match by name, without provider, dates and levels of effort; ``baseline/random`` matches
    the paper's chance.
    """
    known = PUBLISHED.get(cell, {})
    name = model.partition(" (")[0].rpartition("/")[2].lower()
    return next((known[each] for each in known if _PATTERNS[each].fullmatch(name)), None)


def all_of(cell: PrintedCell) -> str:
    """Return every printed figure of a cell in one clause; empty where there is none."""
    known = PUBLISHED.get(cell, {})
    return ", ".join(f"{name} {value:g}" for name, value in known.items())
