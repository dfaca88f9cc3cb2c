"""A user's own procedures: the YAML form, its findings, schedule and drawings.

>>> from thence.procedures import analyze
>>> analyze("docs/examples/recipe.yaml").critical_path
(0, 3, 4, 5, 7, 8)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thence.procedures.analysis import Analysis, analyze
    from thence.procedures.changes import ProcedureChanges, compare_procedures
    from thence.procedures.document import Document, parse_document, read_document
    from thence.procedures.finding import ERROR, WARNING, Finding
    from thence.procedures.schedule import Schedule
    from thence.procedures.yaml_form import json_schema
    from thence.procedures.yaml_source import Mark, SourceError

_PLACES = {
    "analysis": ("Analysis", "analyze"),
    "changes": ("ProcedureChanges", "compare_procedures"),
    "document": ("Document", "parse_document", "read_document"),
    "finding": ("ERROR", "WARNING", "Finding"),
    "schedule": ("Schedule",),
    "yaml_form": ("json_schema",),
    "yaml_source": ("Mark", "SourceError"),
}
_PLACE = {name: module for module, names in _PLACES.items() for name in names}

__all__ = [
    "ERROR",
    "WARNING",
    "Analysis",
    "Document",
    "Finding",
    "Mark",
    "ProcedureChanges",
    "Schedule",
    "SourceError",
    "analyze",
    "compare_procedures",
    "json_schema",
    "parse_document",
    "read_document",
]


def __getattr__(name: str) -> Any:
    """Return a name from its module, which is loaded then: the form takes a while to load."""
    if name not in _PLACE:
        raise AttributeError(f"module 'thence.procedures' has no attribute '{name}'")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f"{__name__}.{_PLACE[name]}"), name)
    return found
