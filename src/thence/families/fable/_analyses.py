"""The eight analyses as FABLE lists them: the order of its tables and the kind of reasoning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

INTERVALS = "intervals"

ANALYSES: Mapping[str, str] = {
    "reaching_definitions": "Reaching definitions",
    "very_busy_expressions": "Very busy expressions",
    "available_expressions": "Available expressions",
    "live_variables": "Live variables",
    INTERVALS: "Intervals",
    "type_state": "Type-state",
    "taint": "Taint",
    "concurrency": "Concurrency",
}
"""Titles by name, in the order of the paper's Table 6."""

REASONING: Mapping[str, str] = {
    "reaching_definitions": "state",
    "very_busy_expressions": "causal",
    "available_expressions": "state",
    "live_variables": "state",
    INTERVALS: "temporal",
    "type_state": "state",
    "taint": "causal",
    "concurrency": "temporal",
}

DOMAINS: Sequence[str] = ("plans", "routes", "recipes")
"""In the order of the paper's tables."""
