"""Everything that can be made again is kept in one folder."""

from __future__ import annotations

from pathlib import Path

from thence.system.caches import cache_folder


def test_the_cache_is_where_thence_cache_says_or_where_the_platform_has_it(monkeypatch):
    monkeypatch.delenv("THENCE_CACHE", raising=False)
    assert cache_folder().is_absolute()
    assert "thence" in cache_folder().parts
    monkeypatch.setenv("THENCE_CACHE", "elsewhere")
    assert cache_folder() == Path("elsewhere")
