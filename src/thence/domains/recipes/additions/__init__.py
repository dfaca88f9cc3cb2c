"""Additions to a recipe about its own things, so that its steps branch, end and repeat."""

from __future__ import annotations

from random import Random

from thence.domains.recipes.additions.adjusting import adjust
from thence.domains.recipes.additions.equipment import equip
from thence.domains.recipes.additions.extension import ExtendedRecipe
from thence.domains.recipes.additions.keeping import chill, flavour, make_again, put_half_aside
from thence.domains.recipes.additions.mishaps import mishap
from thence.domains.recipes.additions.pot import share_pot
from thence.domains.recipes.additions.supplies import supply
from thence.domains.recipes.additions.utensils import (
    share_oven,
    share_plate,
    share_tool,
    turn_off_oven,
    warm_plates,
)
from thence.domains.recipes.lowering import LoweredRecipe

FEWEST, MOST = 7, 12  # steps of a recipe that is extended
CHOICES = 3  # most choices of a recipe

_KINDS = (
    (supply, 4), (mishap, 4), (turn_off_oven, 4), (put_half_aside, 1), (make_again, 5), (chill, 5),
    (flavour, 2), (warm_plates, 4), (adjust, 12),
)  # fmt: skip
EQUIPPED = 0.5  # of the recipes: whether steps need equipment that is put away meanwhile
_PLATE = 0.7  # of the recipes in which something raw can lie on it
_OPEN = (supply, mishap, turn_off_oven, adjust)


def extend(
    lowered: LoweredRecipe, rng: Random, *, soils: bool = False, equipped: float = EQUIPPED
) -> ExtendedRecipe | None:
    """Return a recipe with additions; None if it is too short or too long for them.

    Args:
        lowered: the recipe.
        rng: all chance.
        soils: whether one tool should serve for something raw and for other things, at times
            unwashed; no equipment is put away then.
        equipped: how often equipment is put away while steps still need it, from 0 to 1.
    """
    if not FEWEST <= len(lowered.traces) <= MOST:
        return None
    script = ExtendedRecipe(lowered, rng)
    share_pot(script)
    if rng.random() < _PLATE:
        share_plate(script, soils=soils)
    if soils:
        share_tool(script)
    elif rng.random() < equipped:
        equip(script)
    kinds = [kind for kind, weight in _KINDS for _ in range(weight)]
    for _ in range(len(kinds)):
        kind = rng.choice(kinds)
        if not script.room:
            break
        if len(script.choices) >= CHOICES and kind in _OPEN:
            continue
        kind(script)
    if not soils:
        share_oven(script)
    for name, lines in script.equipment.items():
        for line in lines:
            line.uses.append(name)
    return script if script.choices else None
