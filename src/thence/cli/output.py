"""JSON on standard output, and the failures that ``--fail-on`` names on standard error."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from thence.core.failures import in_words

if TYPE_CHECKING:
    from thence.core.results import Results


def say_failures(found: Sequence[Results], kinds: Sequence[str]) -> bool:
    """Say which of some kinds of failure there are; return whether there are any."""
    said = False
    for held in found:
        counts = held.failures
        if words := in_words({kind: counts[kind] for kind in kinds}):
            click.echo(f"thence: --fail-on: {held.model or held.source}: {words}", err=True)
            said = True
    return said


def print_json(document: Any, *, ascii_only: bool = True) -> None:
    """Print JSON as its standard has it, which knows no NaN: such a figure is null."""
    text = json.dumps(_finite(document), indent=2, ensure_ascii=ascii_only, allow_nan=False)
    click.echo(text)


def _finite(value: Any) -> Any:
    """Return a JSON value with null in place of what is no finite number."""
    if isinstance(value, Mapping):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
