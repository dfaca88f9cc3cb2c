"""Drawings of facts and executions: every mark of them, and those of the pages made anew."""

from __future__ import annotations

import re

import pytest

from tests.documents import drawings
from thence.core.procedure import Choice, Procedure, Step
from thence.dataflow.flow import Flow
from thence.reporting.procedure_drawing import draw_executions, draw_facts

TEA = Procedure(
    "tea <now>",
    (
        Step("boil", uses=("cold",), kills=("cold",), defines=("hot",)),
        Step("warm", uses=("hot",), defines=("warm pot",)),
        Step("pour", uses=("hot", "warm pot"), kills=("hot",), defines=("tea",)),
    ),
    ((0, 1), (1, 2)),
    ("cold",),
)


def test_each_fact_has_its_makers_uses_and_end() -> None:
    drawn = draw_facts(Flow(TEA))
    marks = re.findall(r"<title>(makes|uses|ends) (.*?)</title>", drawn)
    assert sorted(marks) == sorted([
        ("uses", "cold"), ("ends", "cold"), ("makes", "hot"), ("uses", "hot"), ("uses", "hot"),
        ("ends", "hot"), ("makes", "warm pot"), ("uses", "warm pot"), ("makes", "tea"),
    ])  # fmt: skip
    assert "tea &lt;now&gt;" in drawn


def test_executions_are_all_orders_under_all_options() -> None:
    steps = (Step("a"), Step("b", when=(("c", "x"),)), Step("d", when=(("c", "y"),)))
    flow = Flow(Procedure("g", steps, (), (), (Choice("c", ("x", "y")),)))
    numbers = re.findall(r'class="on"[^>]*>(\d)</text>', draw_executions(flow))
    rows = {"".join(numbers[place : place + 2]) for place in range(0, len(numbers), 2)}
    assert rows == {"12", "21", "13", "31"}


def test_many_executions_are_cut_with_a_word() -> None:
    drawn = draw_executions(Flow(Procedure("g", tuple(Step(str(each)) for each in range(9)))))
    assert "and others" in drawn
    assert drawn.count("<circle") == 30 * 9


@pytest.mark.parametrize("name", ["tea", "order"])
def test_the_drawings_of_the_pages_are_those_of_the_program(name: str) -> None:
    held = (drawings.FOLDER / f"{name}.svg").read_text("utf-8")
    assert held == drawings.DRAWINGS[f"{name}.svg"](), f"run python docs/drawings.py {name}"


@pytest.mark.long
def test_the_drawing_of_a_trip_is_that_of_the_program() -> None:
    pytest.importorskip("valhalla")
    assert (drawings.FOLDER / "trip.svg").read_text("utf-8") == drawings.trip()
