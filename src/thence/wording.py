"""The templates of this installation, with the user's folder over them."""

from __future__ import annotations

from pathlib import Path

from thence import families, protocols
from thence.kernel.templates import Templates


def templates(folder: Path | None = None) -> Templates:
    """Templates of every family and protocol; files of the user's folder come first."""
    places = {name: [package] for name, package in families.packages().items()}
    return Templates({**places, "protocols": protocols.packages()}, folder)
