"""The eight analyses: each is the constant ``ANALYSIS`` of a module of this package."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from thence.core.registry import modules, nearest
from thence.dataflow.questions import DataflowAnalysis
from thence.errors import UsageError


def _find() -> dict[str, DataflowAnalysis]:
    found: list[DataflowAnalysis] = [module.ANALYSIS for module in modules(sys.modules[__name__])]
    return {each.name: each for each in sorted(found, key=lambda each: each.rank)}


ANALYSES: Mapping[str, DataflowAnalysis] = _find()


def analysis(name: str) -> DataflowAnalysis:
    """Return the analysis of a name.

    Raises:
        UsageError: there is none.
    """
    if name not in ANALYSES:
        known = ", ".join(ANALYSES)
        raise UsageError(
            f"unknown analysis '{name}'{nearest(name, list(ANALYSES))} (known: {known})"
        )
    return ANALYSES[name]
