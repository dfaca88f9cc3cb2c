"""The parts of the golden files, each with its cases."""

from __future__ import annotations

from tests.golden import samples
from tests.golden.store import Case

PARTS: dict[str, dict[str, Case]] = {
    "samples": samples.CASES,
}
