"""Cells of recipes: twins stand side by side, and intervals are guessed in their own unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from thence.families.fable._analyses import INTERVALS
from thence.families.fable._answers import YES_NO
from thence.families.fable._task import SOUND, Cellwise
from thence.kernel.digest import digest
from thence.kernel.task import Cell, Draft

if TYPE_CHECKING:
    from thence.kernel.sample import Sample

_GUESSES = 50
_SIDE = "side"


class RecipeCell(Cellwise):
    """A cell of recipes.

    Of twins, which differ in what goes where, the one of which a question is Yes and the one of
    which it is No follow each other, joined by ``pair``: which of the two a sample is does not
    seed it. So no cue, whatever it is, is right more often than wrong.
    """

    def arrange(self, values: Mapping[str, Any], size: int | None, seed: int) -> Sequence[Cell]:
        """The cells of questions about twins differ in pairs in their answer alone."""
        cells = super().arrange(values, size, seed)
        if values["dialect"] != SOUND or self.form is not YES_NO or values["recipes"]:
            return cells
        paired = []
        for place, cell in enumerate(cells):
            kept = {name: each for name, each in cell.parameters.items() if name != _SIDE}
            kept["place"] = place // 2
            if "first" in kept:
                kept["first"] = cells[place // 2].parameters["first"]
            options = {**cell.options, _SIDE: cell.parameters[_SIDE]}
            paired.append(replace(cell, parameters=kept, options=options))
        return paired

    def draw(self, cell: Cell, rng: Random) -> Draft:
        """A question, with what joins it to its twin."""
        if _SIDE not in cell.options:
            return super().draw(cell, rng)
        parameters = {**cell.parameters, _SIDE: cell.options[_SIDE]}
        draft = super().draw(replace(cell, parameters=parameters), rng)
        host = draft.metadata["cluster"]
        joined = digest(host, dict(draft.question))
        return replace(draft, metadata={**draft.metadata, "pair": joined})

    def cell(self, sample: Sample) -> Cell:
        """The cell without what would tell the answer."""
        found = super().cell(sample)
        options = {name: each for name, each in found.options.items() if name != _SIDE}
        return replace(found, options=options)

    def random_answer(self, sample: Sample, rng: Random) -> Any:
        """The truth of another question, which an interval shares its unit with if there is one."""
        answer = super().random_answer(sample, rng)
        for _ in range(_GUESSES):
            if self.analysis != INTERVALS or answer["unit"] == sample.target["unit"]:
                break
            answer = super().random_answer(sample, rng)
        return answer
