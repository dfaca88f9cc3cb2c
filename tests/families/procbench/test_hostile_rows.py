"""Published rows whose procedures would fill the memory are refused, not executed."""

import pytest

from thence import families


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("procbench/decode", {"pieces": ["0x9999"] * 2100}),
        ("procbench/sort", {"string": "zyxwv" * 8000}),
    ],
)
def test_states_larger_than_any_question_of_this_benchmark_are_refused(name, question):
    with pytest.raises(ValueError, match="more than"):
        families.task(name).truth(question)
