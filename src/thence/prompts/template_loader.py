"""The templates of this installation, with the user's folder over them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from thence import families
from thence.prompts import catalog
from thence.prompts.templates import Templates


def templates(folder: Path | None = None) -> Templates:
    """Templates of every family and protocol; files of the user's folder come first."""
    places: dict[str, tuple[str, ...]] = {
        name: (package,) if package else () for name, package in families.packages().items()
    }
    places["protocols"] = catalog.packages()
    if folder is None:
        return _ours(tuple(places.items()))
    return Templates(places, folder, [name for each in families.given() for name in each.templates])


@cache
def _ours(places: tuple[tuple[str, tuple[str, ...]], ...]) -> Templates:
    """Our own templates: they do not change, so a process compiles each of them once."""
    return Templates(dict(places))
