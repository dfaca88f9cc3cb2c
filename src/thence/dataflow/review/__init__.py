"""Anyone's procedure, read from a file and looked over: what `thence analyze` shows."""

from thence.dataflow.review._form import Form, read_form
from thence.dataflow.review._lints import ERROR, WARNING, Finding, findings
from thence.dataflow.review._page import diagnostic, page, to_json
from thence.dataflow.review._schedule import Schedule, schedule
from thence.dataflow.review._schema import SCHEMA
from thence.dataflow.review._source import SourceError

__all__ = [
    "ERROR",
    "SCHEMA",
    "WARNING",
    "Finding",
    "Form",
    "Schedule",
    "SourceError",
    "diagnostic",
    "findings",
    "page",
    "read_form",
    "schedule",
    "to_json",
]
