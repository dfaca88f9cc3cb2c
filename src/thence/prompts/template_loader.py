"""The templates of this installation, overridden by the user's folder."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from thence import families
from thence.prompts import catalog
from thence.prompts.templates import Templates


def templates(folder: Path | None = None) -> Templates:
    """Return the templates of every family and protocol; the user's files take precedence."""
    places: dict[str, tuple[str, ...]] = {
        name: (package,) if package else () for name, package in families.packages().items()
    }
    places["protocols"] = catalog.packages()
    if folder is None:
        return _ours(tuple(places.items()))
    return Templates(places, folder, [name for each in families.given() for name in each.templates])


@cache
def _ours(places: tuple[tuple[str, tuple[str, ...]], ...]) -> Templates:
    """Return the built-in templates, compiled once per process as they do not change."""
    return Templates(dict(places))
