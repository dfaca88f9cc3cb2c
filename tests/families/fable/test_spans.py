"""Bitsets of an order say what its procedure says, and which questions no order turns."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from thence.dataflow.worlds import chain_length
from thence.domains.recipes import additions
from thence.domains.recipes.generator import generate
from thence.families.fable.recipes import cooks
from thence.families.fable.recipes.askable import CANDIDATES
from thence.families.fable.recipes.recipe_cases import RecipeCase
from thence.families.fable.shared.analyses import ANALYSES, INTERVALS


def shared(count, ways):
    rng = Random(5)
    for _ in range(count):
        script = additions.extend(generate(rng, anew=True), rng, soils=True)
        if script is not None:
            alone = RecipeCase(script, {})
            shares = [cooks.share(len(script.lines), rng) for _ in range(ways)]
            yield alone, [RecipeCase(script, {}, each, alone) for each in shares]


def test_ways_are_the_order_of_the_flow():
    for alone, ways in shared(30, 3):
        for case in (alone, *ways):
            order, flow = case.ways.order, case.flow
            assert tuple(order.after) == flow.descendants
            assert tuple(order.before) == flow.ancestors
            for a, b in product(range(len(flow)), repeat=2):
                assert case.ways.links(a, b) == (chain_length(flow, a, b) or 0)


@pytest.mark.parametrize("name", [name for name in ANALYSES if name != INTERVALS])
def test_what_does_not_turn_has_one_answer_whoever_cooks(name):
    turned = fixed = 0
    for alone, ways in shared(100, 5):
        parts = alone.parts(name)
        for asked in list(CANDIDATES[name](alone))[:60]:
            looked = parts.looked(name, asked)
            answers = {looked.of(case.ways.order)[0] for case in ways}
            if looked.turns:
                turned += len(answers) == 2
            else:
                assert len(answers) == 1
                fixed += 1
    assert turned or name == "type_state"  # of which hardly any turns
    assert fixed
