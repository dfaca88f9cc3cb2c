"""Published rows whose procedures would fill the memory or make no sense are refused."""

from random import Random

import pytest

from thence import families
from thence.core.parts import Condition


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("procbench/decode", {"pieces": ["0x9999"] * 2100}),
        ("procbench/sort", {"string": "zyxwv" * 8000}),
        ("procbench/decompose", {"rules": [["a", "ab"]], "string": "a"}),
        ("procbench/compose", {"rules": [["ab", "a"]], "letters": list("a" + "b" * 3000)}),
    ],
)
def test_states_larger_than_any_question_of_this_benchmark_are_refused(name, question):
    with pytest.raises(ValueError, match="more than"):
        families.task(name).generator.procedure.truth(question)


@pytest.mark.parametrize("positions", [[-2], [3, -2], [6], [3, 60]])
def test_a_position_outside_the_string_is_refused(positions):
    question = {"string": "abcdef", "positions": positions}
    with pytest.raises(ValueError, match=f"position {positions[-1]} lies outside the string"):
        families.task("procbench/split1").generator.procedure.truth(question)


@pytest.mark.parametrize("task", families.select(["procbench"]), ids=lambda task: task.name)
def test_a_drawn_truth_is_that_of_a_question_from_elsewhere(task):
    for steps in (1, 2, 25, 1000):
        draft = task.generator.draw(Condition("", {"steps": steps}, 1), Random(steps))
        assert task.generator.procedure.truth(draft.question) == draft.target
