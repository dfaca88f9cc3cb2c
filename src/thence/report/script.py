"""The script that draws figures in a page, bundled once and kept in the user's cache folder."""

from __future__ import annotations

import os
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from thence.errors import DiskError
from thence.report import figures
from thence.system.disk import disk, replacing


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/thence``, by default ``~/.cache/thence``."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    return Path(home) / "thence"


def script() -> str:
    """The bundle; made anew where the cache has none of this version or cannot be used.

    Raises:
        MissingExtra: the extra ``report`` is not installed.
    """
    figures.check()
    path = cache_folder() / f"vega-{version('vl-convert-python')}-{figures.VERSION}.js"
    with suppress(OSError, UnicodeDecodeError):
        kept = path.read_text(encoding="utf-8")
        if kept.endswith(_END):
            return kept
    made = figures.bundle() + _END
    with suppress(DiskError, OSError):  # a page can do without the cache
        with disk(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part:
            part.write_text(made, encoding="utf-8")
    return made


_END = "\n/* whole */\n"
