"""Packages with the interface of others that no machine of the tests can run."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


def install_vllm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the stand-in the package ``vllm`` of this process, with ``transformers``."""
    for name in ("vllm", "vllm.v1", "vllm.v1.engine", "vllm.v1.engine.exceptions"):
        monkeypatch.setitem(sys.modules, name, import_module(f"{__name__}.{name}"))
    monkeypatch.setitem(sys.modules, "transformers", sys.modules["vllm"].transformers)
