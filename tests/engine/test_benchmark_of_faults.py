"""The program that measures runs through faults and kills, at a size for every day."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "faults.py"


@pytest.mark.long  # the quick form is in test_faults.py
def test_faults_and_kills_change_nothing() -> None:
    small = ("--samples", "60", "--kills", "2", "--connections", "8", "--seed", "1")
    program = [sys.executable, str(PROGRAM), *small]
    done = subprocess.run(program, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "| 240 of 240 |" in done.stdout
