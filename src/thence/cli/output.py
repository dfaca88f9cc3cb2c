"""JSON on standard output; on standard error, what ``--fail-on`` and ``--fail-under`` find."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from thence.core.failures import in_words
from thence.core.registry import nearest
from thence.core.statistics import EMPTY, finite
from thence.errors import UsageError

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


def share_of(option: str, name: str, text: str) -> float:
    """Return the share that a family or task is held to.

    Raises:
        UsageError: it is no share, or nothing has this name.
    """
    from thence import families

    known = [*families.families(), *families.tasks()]
    if name not in known:
        raise UsageError(f"{option} {name}: no family or task has this name{nearest(name, known)}")
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        raise UsageError(f"{option} {name}={text}: must be from 0 to 1")
    return share


def say_below(
    found: Sequence[Results], under: Mapping[str, float], low: Mapping[str, float]
) -> bool:
    """Say which accuracies are lower than they must be; return whether there are any.

    Args:
        found: the results.
        under: the least accuracy by family or task.
        low: the least lower end of its interval, likewise.
    """
    from thence.analysis.summary import overview

    said = False
    for held in found if under or low else ():
        view = overview(held)
        summaries = {**view.families, **view.tasks}
        for option, limits in (("--fail-under", under), ("--fail-under-low", low)):
            for name, least in limits.items():
                figure = summaries[name].accuracy if name in summaries else EMPTY
                value = figure.value if limits is under else figure.low
                if not value >= least:  # so that one that there is not is no success
                    shown = "is unknown" if math.isnan(value) else f"is {value:.3f}"
                    text = f"{name} {shown}, below {least:g}"
                    click.echo(f"thence: {option}: {held.model or held.source}: {text}", err=True)
                    said = True
    return said


def print_json(document: Any, *, ascii_only: bool = True) -> None:
    """Print JSON as its standard has it, which knows no NaN: such a figure is null."""
    text = json.dumps(_standard(document), indent=2, ensure_ascii=ascii_only, allow_nan=False)
    click.echo(text)


def _standard(value: Any) -> Any:
    """Return a JSON value with null in place of what is no finite number."""
    if isinstance(value, Mapping):
        return {key: _standard(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_standard(each) for each in value]
    return finite(value) if isinstance(value, float) else value
