"""Quick answers about steps in queues are those of the analyses."""

from __future__ import annotations

from random import Random

from tests.families.fable.test_finer_reasons import STEPS, drawn, questions
from thence.dataflow import ANALYSES, Flow
from thence.families.fable.shared.quick_answers import Order, QuickAnswers, listed_order


def compare(flow, order, seen):
    quick = QuickAnswers(flow)
    for name in ANALYSES:
        for question in questions(name, flow.steps) if name != "intervals" else ():
            asked = {**question._asdict(), "sanitizers": [*question.sanitizers]}
            answer = quick.holds(name, order, asked)
            assert answer == ANALYSES[name].rule(flow, question).answer, (name, asked)
            seen.add((name, answer))


def test_quick_answers_are_those_of_the_analyses():
    seen = set()
    for number in range(25):
        procedure, _ = drawn(Random(f"quick {number}"))
        flow = Flow(procedure)
        compare(flow, Order(flow.descendants, flow.ancestors), seen)
        total = flow.with_order([(k, k + 1) for k in range(STEPS - 1)])
        compare(total, listed_order(STEPS), seen)
        compare(flow.with_order(()), Order([0] * STEPS, [0] * STEPS), seen)
    assert len(seen) == 14
