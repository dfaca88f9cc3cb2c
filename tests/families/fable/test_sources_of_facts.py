"""From where a step has what it uses: from no step whose work another always undoes."""

from __future__ import annotations

import pytest

from thence.core.procedure import Choice, Procedure, Step
from thence.dataflow import Flow, analysis
from thence.families.fable.shared.sources_of_facts import with_sources

WHEN = (("tidy", "yes"),)


@pytest.mark.parametrize(
    ("when", "source"), [((), "step 4"), (WHEN, "step 1 or step 4")], ids=["always", "perhaps"]
)
def test_what_is_put_away_in_any_case_is_no_source(
    when: tuple[tuple[str, str], ...], source: str
) -> None:
    steps = (
        Step("get", defines=("p",)),
        Step("away", kills=("p",), when=when),
        Step("get", defines=("p",)),
        Step("get", defines=("p",)),
        Step("use", uses=("p",)),
    )
    choices = (Choice("tidy", ("yes", "no")),) if when else ()
    order = ((0, 1), (1, 2), (1, 3), (2, 4), (3, 4))
    flow = Flow(Procedure("", steps, order, choices=choices))
    asked = {"i": 2, "j": 4}
    verdict = analysis("type_state").decide(flow, **asked)
    assert verdict.answer
    assert f"which holds from {source}." in with_sources(verdict.why, flow, asked)
