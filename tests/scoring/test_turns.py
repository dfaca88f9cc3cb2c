"""What a further turn changes: a conversation counts once, however many turns it has."""

from __future__ import annotations

from random import Random

import pytest

from tests.scoring.results import results
from thence.core.sample import Sample
from thence.core.score import Outcome, Score
from thence.generation import suite
from thence.generation.plan import Plan
from thence.scoring.judge import Scored
from thence.scoring.turns import by_task

SAMPLES = list(suite.generate(Plan(["catbench/order"], seed=5, size=30)))
OUTCOMES = (Outcome.CORRECT, Outcome.WRONG, Outcome.NO_ANSWER, Outcome.PROVIDER_ERROR)


def row(sample: Sample, epoch: int, turn: int, outcome: Outcome) -> Scored:
    answered = outcome in (Outcome.CORRECT, Outcome.WRONG)
    said = sample.target if outcome is Outcome.CORRECT else "perhaps"
    score = Score(outcome, said if answered else None, "a rule" if answered else None)
    return Scored(sample, epoch, turn, score)


@pytest.mark.parametrize(("turns", "epochs"), [(2, 1), (2, 3), (3, 2)])
def test_a_conversation_counts_once(turns: int, epochs: int) -> None:
    rng = Random(turns + 10 * epochs)
    told: dict[tuple[str, int], list[Outcome]] = {}
    rows: list[Scored] = []
    for sample in SAMPLES:
        for epoch in range(epochs):
            held = told.setdefault((sample.id, epoch), [])
            while len(held) < turns and Outcome.PROVIDER_ERROR not in held:
                held.append(rng.choice(OUTCOMES[: rng.choice((2, 4))]))
                rows.append(row(sample, epoch, len(held) - 1, held[-1]))
    whole = [held for held in told.values() if held[-1] is not Outcome.PROVIDER_ERROR]
    found = by_task(results("x", "", rows, turns=turns))["catbench/order"]
    assert found.n == len(whole) < len(told) == len(SAMPLES) * epochs
    right = [(held[0] is Outcome.CORRECT, held[-1] is Outcome.CORRECT) for held in whole]
    assert (found.kept, found.lost, found.gained, found.never) == tuple(
        right.count(each) for each in ((True, True), (True, False), (False, True), (False, False))
    )
    assert found.before.value == pytest.approx(sum(first for first, _ in right) / found.n)
    assert found.after.value == pytest.approx(sum(last for _, last in right) / found.n)
    assert found.change.value == pytest.approx(found.after.value - found.before.value)
    assert sum(found.answers.values()) <= found.n


def test_one_turn_changes_nothing() -> None:
    rows = [row(each, 0, 0, Outcome.WRONG) for each in SAMPLES]
    assert by_task(results("x", "", rows)) == {}
