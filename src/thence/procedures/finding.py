"""One defect of a procedure, with its place in the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from thence.dataflow import START
from thence.procedures.yaml_source import Mark

ERROR, WARNING = "error", "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect of a procedure.

    Attributes:
        rule: its name.
        severity: ERROR where the procedure can fail, WARNING where a step or fact has no effect.
        step: the step it is about, 0-based; START where it is about none, but about a fact of the
            start or an option.
        fact: the fact; empty where it is about none.
        message: the event that goes wrong.
        cause: the reason.
        suggestion: a mend.
        others: the other steps that have a part in it, a hundred at most.
        mark: the place in the file; None where the procedure comes from no file.
    """

    rule: str
    severity: str
    step: int
    fact: str
    message: str
    cause: str
    suggestion: str
    others: tuple[int, ...]
    mark: Mark | None

    @property
    def is_error(self) -> bool:
        """Whether the procedure can fail for it."""
        return self.severity == ERROR

    def to_json(self) -> dict[str, Any]:
        """Return the finding ready for JSON; steps from 0, null for the start."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "step": None if self.step == START else self.step,
            "fact": self.fact,
            "message": self.message,
            "cause": self.cause,
            "suggestion": self.suggestion,
            "others": list(self.others),
            "line": self.mark.line if self.mark else None,
            "column": self.mark.column if self.mark else None,
        }
