"""Forms of procedures: what is written again as it was read, and what is no procedure."""

from __future__ import annotations

import json
from math import nan
from pathlib import Path
from random import Random

import pytest

from thence.core.procedure import Procedure, Step
from thence.errors import FileError, ParameterError
from thence.procedures import SourceError, analyze, parse_document
from thence.procedures.review import Review
from thence.procedures.variation import divided
from thence.procedures.yaml_writer import yaml_text

HERE = Path("here.yaml")
STAMP = "extracted: {model: rules, source: t.txt, text: t.txt}\n"
TWO = "goal: g\nsteps:\n  - {text: a, quantities: {milk: %s}}\n"


def reviewed(folder: Path, text: str, **change: object) -> str:
    """The file after a person changed its first step."""
    (folder / "t.txt").write_text("One. Two.")
    path = folder / "t.yaml"
    path.write_text(STAMP + text)
    review = Review.of(folder)
    review.mend(0, {"version": review.show(0)["version"], "step": 0, **change})
    return path.read_text()


def test_an_empty_start_and_results_stay_what_they_say() -> None:
    row = {"goal": "g", "start": [], "results": [], "order": [], "choices": {}, "steps": []}
    text = yaml_text({**row, "steps": [{"text": "a", "uses": [], "seconds": None}]})
    held = parse_document(text, HERE)
    assert (held.flow.procedure.start, held.results) == ((), ())
    assert "choices" not in text
    assert "uses" not in text


def test_a_review_leaves_an_empty_start_and_both_options_of_a_choice(tmp_path: Path) -> None:
    text = """goal: g
start: []
results: []
choices: {oven: ["gas, new", electric]}
steps:
  - {text: One, when: [[oven, electric], [oven, "gas, new"]]}
  - Two
"""
    made = reviewed(tmp_path, text, reviewed=True, choices=["oven: gas, new, electric"])
    held = parse_document(made, HERE)
    assert (held.flow.procedure.start, held.results) == ((), ())
    assert held.flow.procedure.choices[0].options == ("gas, new", "electric")
    assert held.flow.steps[0].when == (("oven", "electric"), ("oven", "gas, new"))


@pytest.mark.parametrize(
    "amount", ["'1,000 ml'", "'1,5 l'", "1.23456 kg", "10 000 g", "3/7 l", "2 -g"]
)
def test_an_amount_that_would_be_read_in_part_is_refused(amount: str) -> None:
    with pytest.raises(SourceError, match="is not a quantity; write one such as '1000 ml'"):
        parse_document(TWO % amount, HERE)


@pytest.mark.parametrize(
    ("amount", "found"),
    [("1000 ml", (1000, 1000, "ml")), ("180-200 °C", (180, 200, "°C")), ("5 %", (5, 5, "%")),
     ("3", (3, 3, "")), ("2 (400 g) tins", (2, 2, "(400 g) tins")),
     ("1 1/2 cups", (1.5, 1.5, "cups"))],
)  # fmt: skip
def test_an_amount_is_read_whole(amount: str, found: tuple[float, float, str]) -> None:
    (quantity,) = parse_document(TWO % f"'{amount}'", HERE).flow.steps[0].quantities
    assert (quantity.low, quantity.high, quantity.unit) == found


def test_a_quantity_has_its_least_first() -> None:
    with pytest.raises(SourceError, match="the most of 'w' is less than the least"):
        parse_document((TWO % "x").replace("{milk: x}", "[{of: w, low: 5, high: 2}]"), HERE)


def test_json_may_escape_its_characters_and_leave_values_out() -> None:
    row = {"goal": "\U0001f389 tea", "start": None, "steps": [{"text": "a", "seconds": None}]}
    held = parse_document(json.dumps(row), Path("here.json"))
    assert held.flow.procedure.goal == "\U0001f389 tea"
    assert held.flow.procedure.start is None
    assert parse_document('goal: "null"\nstart: ~\nsteps: [a]', HERE).flow.procedure.goal == "null"


@pytest.mark.parametrize(
    ("steps", "order"),
    [("[{name: a, text: one}, {text: a}]", (0, 1)), ("[{text: a}, {name: a, text: one}]", (1, 0))],
)
def test_a_name_goes_before_a_text(steps: str, order: tuple[int, int]) -> None:
    text = f"goal: g\nsteps: {steps}\norder: [[a, {order[1] + 1}]]"
    assert parse_document(text, HERE).flow.procedure.order == (order,)


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_short_procedures_are_shared_out_too(steps: int) -> None:
    procedure = Procedure.total("g", [Step(f"do {k}") for k in range(steps)])
    for seed in range(20):
        assert steps <= len(divided(procedure, Random(seed)).steps) <= 2 * steps


@pytest.mark.parametrize(
    ("procedure", "said"),
    [
        (Procedure("g", ()), "procedure=g: has no steps"),
        (Procedure("g", (Step("a"),), ((0, 5),)), "steps are 0 to 0"),
        (Procedure("g", (Step("a", seconds=(10, 5)),)), "of step 0 is no time"),
        (Procedure("g", (Step("a", seconds=(-5, -3)),)), "of step 0 is no time"),
        (Procedure("g", (Step("a", seconds=(nan, nan)),)), "of step 0 is no time"),
    ],
)
def test_a_procedure_that_no_file_could_hold_is_refused(procedure: Procedure, said: str) -> None:
    with pytest.raises(ParameterError) as error:
        analyze(procedure)
    assert said in str(error.value)


def test_a_path_that_can_be_none_is_refused() -> None:
    with pytest.raises(FileError, match="null"):
        analyze("a\0b")


def test_times_below_a_second_and_procedures_without_steps_to_carry_out_are_told(
    tmp_path: Path,
) -> None:
    quick = analyze(Procedure("g", (Step("a", seconds=(0.4, 0.4)),)))
    assert "critical path: 1, 0.4 s; one step after the other takes 0.4 s" in quick.lines()
    both = "choices: {way: [a, b]}\nsteps: [{text: x, when: [[way, a], [way, b]]}]"
    path = tmp_path / "never.yaml"
    path.write_text(f"goal: g\n{both}")
    assert "critical path: none, as no step can be carried out" in analyze(path).lines()


def test_the_order_of_a_procedure_is_reduced_as_that_of_a_file_is() -> None:
    held = Procedure("g", tuple(map(Step, "abc")), ((0, 1), (1, 2), (0, 2)))
    assert analyze(held).procedure.order == ((0, 1), (1, 2))
