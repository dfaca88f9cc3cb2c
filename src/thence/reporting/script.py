"""Script that draws figures in a page, bundled once and kept in the cache folder."""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import version

from thence.errors import DiskError
from thence.reporting import figures
from thence.system.caches import cache_folder
from thence.system.disk import disk, replacing


def script() -> str:
    """Return the script, from the cache if it holds one of this version.

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
