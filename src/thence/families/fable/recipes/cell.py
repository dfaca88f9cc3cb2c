"""Cells of recipes: intervals are guessed in their own unit."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from thence.families.fable.shared.analyses import INTERVALS
from thence.families.fable.shared.task import Cellwise

if TYPE_CHECKING:
    from thence.core.sample import Sample

_GUESSES = 50


class RecipeCell(Cellwise):
    """A cell of recipes."""

    def random_answer(self, sample: Sample, rng: Random) -> Any:
        """The truth of another question, which an interval shares its unit with if there is one."""
        answer = super().random_answer(sample, rng)
        for _ in range(_GUESSES):
            if self.analysis != INTERVALS or answer["unit"] == sample.target["unit"]:
                break
            answer = super().random_answer(sample, rng)
        return answer
