"""No shortcut tells the answer to a sound question about a trip; see docs/concepts/shortcuts.md."""

from __future__ import annotations

import pytest

from thence.api import shortcuts
from thence.dataflow import ANALYSES

pytest.importorskip("valhalla")
pytest.importorskip("osmium")

CEILING, TREE, INTERVAL = 0.67, 0.75, 0.3  # the best of a hundred lies above one half by chance
PAIRS = {"live_variables": 0.78, "type_state": 0.72}
"""Two looks decide some: what the van ends next is not live unless the truck needs it."""


@pytest.mark.long
@pytest.mark.parametrize("name", ANALYSES)
def test_no_shortcut_tells_the_answer(name):
    (found,) = shortcuts.measure([f"fable/routes/{name}"], seed=17, size=400)
    ceiling = INTERVAL if name == "intervals" else CEILING
    assert found.best("single").score <= ceiling, found.best("single")
    assert found.best("pair").score <= PAIRS.get(name, ceiling), found.best("pair")
    assert found.best("tree").score <= (ceiling if name == "intervals" else TREE)
