"""Writing of the YAML form, from plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thence.procedures.yaml_form import ProcedureForm, StepForm

_WIDTH = 100
_SAYING = frozenset(("order", "start", "results"))


def yaml_text(row: Mapping[str, Any]) -> str:
    """Return the YAML text of a procedure in its form; values that say nothing are left out."""
    import yaml

    steps = [_kept(step, list(StepForm.model_fields)) for step in row["steps"]]
    text: str = yaml.safe_dump(
        _kept(row, list(ProcedureForm.model_fields)) | {"steps": steps},
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=None,
        width=_WIDTH,
    )
    return text


def _kept(row: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """Return the values that say something.

    An empty order, start or list of results says that there is none; left out, it says nothing.
    """
    return {
        key: row[key]
        for key in keys
        if row.get(key) not in (None, [], {}, "") or (key in _SAYING and row.get(key) == [])
    }
