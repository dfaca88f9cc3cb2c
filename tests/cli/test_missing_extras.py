"""Tasks whose extra is not installed are never left out in silence."""

from __future__ import annotations

import json
import pickle
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import thence as library
from tests.cli.command import refused, thence
from thence.domains import routes
from thence.domains.plans import planner
from thence.errors import MissingExtra, UsageError

RANDOM = ("--model", "baseline/random", "-o", "run")
PLANS = "fable/plans/* needs the extra 'plans': pip install 'thence[plans]'"


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the planner nor the router is installed."""
    monkeypatch.setattr(planner, "find_spec", lambda name: None)
    monkeypatch.setattr(routes, "find_spec", lambda name: None)


@pytest.mark.parametrize(
    "arguments",
    [
        ("generate", "fable/plans/*", "--size", "1", "-o", "x.jsonl"),
        ("run", "fable/plans/*", *RANDOM),
        ("validate", "fable/plans/*"),
        ("show", "fable/plans/*"),
    ],
    ids=" ".join,
)
def test_a_pattern_without_its_extra_is_refused(arguments: tuple[str, ...]) -> None:
    refused(*arguments, says=(PLANS,))
    refused(*arguments, "--skip-unavailable", says=(PLANS,))  # nothing would be left


def test_a_family_of_which_a_part_is_missing_is_refused_with_the_way_on() -> None:
    line = refused("generate", "fable", "procbench/sort", "-o", "x.jsonl", says=())
    assert "fable/plans/*, fable/routes/* need the extra 'plans,routes'" in line
    assert "pip install 'thence[plans,routes]'" in line
    assert line.endswith("--skip-unavailable goes on without")


def test_what_is_skipped_is_said_and_stands_in_the_manifest() -> None:
    done = thence(
        "generate", "fable/plans/taint", "procbench/sort", "--size", "2", "--skip-unavailable",
        "-o", "x.jsonl",
    )  # fmt: skip
    assert "left out: fable/plans/taint needs the extra 'plans'" in done.err
    assert done.err.count("\n") == 1
    assert "2 samples of 1 task:" in done.out
    manifest = json.loads(Path("x.jsonl.manifest.json").read_text("utf-8"))
    assert manifest["request"]["tasks"] == ["procbench/sort"]
    assert manifest["request"]["skipped"] == ["fable/plans/taint"]
    assert "extra 'plans'" in manifest["notes"]["fable/plans/taint"]["not_offered"]


def test_a_run_and_a_validation_may_skip() -> None:
    tasks = ("fable/routes/taint", "procbench/sort", "--size", "2", "--skip-unavailable")
    assert "left out: fable/routes/taint" in thence("run", *tasks, *RANDOM).err
    assert json.loads(Path("run/run.json").read_text("utf-8"))["request"]["samples"]["skipped"]
    assert "1 of 1 task holds" in thence("validate", *tasks).out


def test_catbench_from_plans_needs_the_planner() -> None:
    command = ("generate", "catbench", "-o", "x.jsonl", "--set")
    refused(*command, "source=plans", says=("catbench/order needs the extra 'plans'",))
    refused(*command, "source=routes", says=("catbench/order needs the extra 'routes'",))


def test_the_library_does_the_same() -> None:
    for call in (library.generate, library.questions):
        with pytest.raises(MissingExtra, match="skip_unavailable=True goes on without") as caught:
            call(["fable/plans/taint", "releval/comparison"], seed=1)
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
        made = call(["fable/plans/taint", "releval/comparison"], seed=1, skip_unavailable=True)
        assert made[0].task == "releval/comparison"
    offered = {task.name: task.unavailable for task in library.tasks("fable")}
    assert "extra 'routes'" in offered["fable/routes/taint"]
    assert not offered["fable/recipes/taint"]


def test_a_validation_of_nothing_is_no_success() -> None:
    setting = ("--set", "framing=software", "--size", "2")
    refused("validate", "releval/plan_generation", *setting, says=("is not offered",))
    done = thence("validate", "releval/plan_generation", "releval/comparison", *setting)
    assert "releval/plan_generation: nothing to check" in done.err
    assert "1 of 1 task holds" in done.out
    setting = ("--set", "framing=software", "--size", "20", "--shortcuts")
    refused("validate", "releval/plan_generation", *setting, says=("is not offered",))
    done = thence("validate", "releval/plan_generation", "releval/comparison", *setting)
    assert "releval/plan_generation: nothing to measure: plans are symbolic only" in done.err
    assert "releval/comparison" in done.out


def test_several_tasks_of_which_none_is_offered_make_no_empty_set() -> None:
    with pytest.raises(UsageError, match="is not offered: plans are symbolic only"):
        list(library.generate("releval/plan_generation", framing="software"))


def test_the_heuristic_needs_no_extra_for_questions_that_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (planner, routes):
        monkeypatch.setattr(module, "find_spec", find_spec)
    made = library.generate(["fable/routes/taint", "fable/recipes/taint"], size=2)
    if not library.tasks("fable/routes/taint")[0].unavailable:
        made.write("x.jsonl")
        for module in (planner, routes):
            monkeypatch.setattr(module, "find_spec", lambda name: None)
        for name in ("heuristic", "random", "oracle"):
            thence("run", "x.jsonl", "--model", f"baseline/{name}", "-o", name)
        assert len(library.read("x.jsonl")) == 4


def test_a_page_needs_no_extra_and_figures_go_without_pdf(monkeypatch: pytest.MonkeyPatch) -> None:
    thence("run", "procbench/sort", "--size", "2", *RANDOM)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    assert thence("report", "run", "-o", "page.html").err == ""
    assert '<svg xmlns="http://www.w3.org/2000/svg"' in Path("page.html").read_text("utf-8")
    done = thence("report", "run", "-o", "other.html", "--figures", "figures")
    assert "without PDF: writing figures as PDF needs the extra 'report'" in done.err
    assert {path.suffix for path in Path("figures").iterdir()} == {".svg", ".md", ".tex", ".csv"}
