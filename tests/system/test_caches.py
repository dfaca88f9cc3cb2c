"""Everything that can be made again is kept in one folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from thence.reporting import script
from thence.system.caches import cache_folder


def test_the_cache_is_where_thence_cache_says_or_where_the_platform_has_it(monkeypatch):
    monkeypatch.delenv("THENCE_CACHE", raising=False)
    assert cache_folder().is_absolute()
    assert "thence" in cache_folder().parts
    monkeypatch.setenv("THENCE_CACHE", "elsewhere")
    assert cache_folder() == Path("elsewhere")


def test_the_script_of_pages_is_kept_there(monkeypatch, tmp_path):
    converter = pytest.importorskip("vl_convert")
    monkeypatch.setenv("THENCE_CACHE", str(tmp_path))
    monkeypatch.setattr(converter, "javascript_bundle", lambda code, vl_version: "drawn")
    made = script.script()
    (kept,) = tmp_path.iterdir()
    assert kept.read_text() == made
    kept.write_text(made.replace("drawn", "found"))
    assert script.script().startswith("found")
