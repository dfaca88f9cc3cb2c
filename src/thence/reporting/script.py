"""JavaScript that draws the figures of a page, kept in the cache folder."""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import version

from thence.errors import DiskError
from thence.reporting import figures
from thence.system.caches import cache_folder
from thence.system.disk import disk, replacing


def script() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, from the cache if it is there.

    Raises:
        MissingExtra: the extra ``report`` is not installed.
    """
    converter = figures.converter()
    path = cache_folder() / f"vega-{version('vl-convert-python')}-{figures.VERSION}.js"
    with suppress(OSError, UnicodeDecodeError):
        kept = path.read_text(encoding="utf-8")
        if kept.endswith(_END):
            return kept
    code = "window.vegaEmbed = vegaEmbed;"
    made: str = converter.javascript_bundle(code, vl_version=figures.VERSION) + _END
    with suppress(DiskError, OSError):  # a page can do without the cache
        with disk(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part:
            part.write_text(made, encoding="utf-8")
    return made


_END = "\n/* whole */\n"
