"""The eight analyses in the order of FABLE's tables, with their kinds of reasoning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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

ASKED: Mapping[str, str] = {
    "reaching_definitions": "can what step i made still be there when step j begins?",
    "very_busy_expressions": "is what step i made used in every order, before it changes?",
    "available_expressions": "does what step i made surely still hold at step j?",
    "live_variables": "can what step i made still be used before it changes?",
    INTERVALS: "within which bounds of time, amount or neighbouring steps?",
    "type_state": "is step j still possible when step i is left out?",
    "taint": "does something bad from step i reach step j?",
    "concurrency": "may two steps go on at the same time?",
}
"""The question of each analysis, in one line for ``thence list``."""

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

EVERY = frozenset({"available_expressions", "very_busy_expressions", "type_state"})
"""Analyses whose Yes holds in every permitted order and option; that of others, in some."""
ONCE = frozenset({"reaching_definitions", "live_variables", "taint"})
"""Analyses whose Yes one execution shows."""

_CARRIED_OUT: Mapping[str, Sequence[str]] = {
    "reaching_definitions": ("i", "j"),
    "available_expressions": ("j",),
    INTERVALS: ("j",),
    "type_state": ("j",),
    "taint": ("i", "j"),
    "concurrency": ("i", "j"),
}

DOMAINS: Sequence[str] = ("plans", "routes", "recipes")
"""The domains in the order of the paper's tables."""


def asked_steps(name: str, asked: Mapping[str, Any]) -> list[int]:
    """Return the places of the steps that the options asked about must carry out."""
    return [asked[key] for key in _CARRIED_OUT.get(name, ("i",))]


def carried_out(name: str, asked: Mapping[str, Any]) -> list[str]:
    """Return the steps, such as "Step 3", that the options asked about must carry out."""
    return [f"Step {step + 1}" for step in asked_steps(name, asked)]
