"""A user's own procedures: the YAML form, its findings, schedule and drawings.

>>> from thence.procedures import analyze
>>> analyze("docs/examples/recipe.yaml").critical_path
(0, 3, 4, 5, 7, 8)
"""

from thence.procedures.analysis import Analysis, analyze
from thence.procedures.changes import ProcedureChanges, compare_procedures
from thence.procedures.document import Document, parse_document, read_document
from thence.procedures.finding import ERROR, WARNING, Finding
from thence.procedures.schedule import Schedule
from thence.procedures.yaml_form import json_schema
from thence.procedures.yaml_source import Mark, SourceError

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
