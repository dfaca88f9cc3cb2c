"""The folder in which files are kept that can be made again: tiles of maps, scripts of pages."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the cache folder: THENCE_CACHE, or by default the platform's place for this user."""
    from platformdirs import user_cache_path

    given = os.environ.get("THENCE_CACHE")
    return Path(given) if given else user_cache_path("thence", appauthor=False)
