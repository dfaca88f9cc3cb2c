"""The parts of the golden files, each with its cases."""

from __future__ import annotations

from tests.golden import audits, prompts, runs, samples, scores
from tests.golden.store import Case

PARTS: dict[str, dict[str, Case]] = {
    "samples": samples.CASES,
    "prompts": prompts.CASES,
    "scores": scores.CASES,
    "runs": runs.CASES,
    "audits": audits.CASES,
}
