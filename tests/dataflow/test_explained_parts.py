"""Explanations name the way that is cut and the steps that end a fact; both are so in each run."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from random import Random
from typing import Any

from tests.dataflow import drawn
from tests.dataflow.choice_oracle import ChoiceOracle, Execution
from tests.dataflow.test_choices import asked_of
from thence.dataflow import ANALYSES, Flow

Given = dict[str, Any]

WAY = re.compile(
    r"sanitises it[^.]*\. (?:(Where .*?), c|C)ontamination (would|could) go from (.*?) "
    r"(by way of .*), if step (\d+) did not sanitise it\."
)
PLACE = re.compile(
    r"(?P<steps>step .*?) (?:(?:always )?(?:does so |do so )?"
    r"(?:(?P<side>before|after) (?P<marks>step \d+(?:(?:, | or )step \d+)*)"
    r"|only where step (?P<left_out>\d+) is left out)|(?P<used>uses? it first))"
)


def worlds_of(given: Given, named: str | None) -> list[dict[str, str]]:
    """The options of all choices that agree with those that a sentence names."""
    options = dict(re.findall(r"'(c\d)' is '([xyz])'", named or ""))
    every = product(*([(name, each) for each in held] for name, held in given["choices"].items()))
    return [world for world in map(dict, every) if world.items() >= options.items()]


def way_cut(
    procedure: Given, oracle: ChoiceOracle, given: Given, why: str
) -> tuple[int, str, bool]:
    """A way that a sanitising step cuts: how many links, whether sure, whether under options.

    Each link holds in some order under all options that agree, in all of them if the way is sure.
    """
    ((named, would, begun, told, step),) = WAY.findall(why)
    assert int(step) - 1 in given["sanitizers"]
    links = [(fact, int(step) - 1) for fact, step in re.findall(r"'(\w+)' to step (\d+)", told)]
    source = -1 if begun == "the start" else int(begun.removeprefix("step ")) - 1
    assert source == (-1 if given.get("i") is None else given["i"])
    assert links[-1][1] == given["j"]
    assert given.get("fact") in {None, links[0][0]}
    assert {step for _, step in links[:-1]} & set(given["sanitizers"])
    sources = [source, *(step for _, step in links[:-1])]
    for world in worlds_of(procedure, named):
        present = set(oracle.present(world))
        group = next(each for each in oracle.groups if set(each[0]) == present)
        for runs in [[run] for run in group] if would == "would" else [group]:
            flows = oracle.flows(runs)
            assert all((a, *link) in flows for a, link in zip(sources, links, strict=True)), why
    return len(links), would, bool(named)


def test_a_way_that_sanitising_steps_cut_holds_wherever_its_options_are() -> None:
    seen = Counter[tuple[int, str, bool]]()
    for number in range(4000):
        rng = Random(f"ways cut {number}")
        flow = Flow(drawn.with_choices(rng))
        procedure = flow.procedure.to_json()
        oracle = ChoiceOracle(procedure)
        steps = sorted({k for run in oracle.executions for k in run})
        for _ in range(4 if steps else 0):
            i, j = rng.choice((None, *steps)), rng.choice(steps)
            held = flow.start if i is None else flow.steps[i].defines
            fact = rng.choice([*held]) if held else None
            if i is None and fact is None:
                continue
            given: Given = {"i": i, "j": j, "fact": fact, "sanitizers": rng.sample(steps, 1)}
            why = ANALYSES["taint"].decide(flow, **given).why
            if "did not sanitise it" in why:
                seen[way_cut(procedure, oracle, given, why)] += 1
    assert all(seen[2, *kind] for kind in product(("would", "could"), (False, True))), seen
    assert any(links > 2 for links, _, _ in seen)


def check_place(found: re.Match[str], runs: list[Execution]) -> None:
    """Check where a sentence says that steps stand: in each run with them, by one of its marks."""
    for k in numbers(found["steps"]):
        held = [run for run in runs if k in run]
        if found["left_out"]:
            assert not any(int(found["left_out"]) - 1 in run for run in held)
        elif found["side"]:
            marks, is_after = numbers(found["marks"]), found["side"] == "after"
            for run in held:
                assert any((run.index(m) < run.index(k)) is is_after for m in marks if m in run)


def numbers(text: str) -> set[int]:
    """The steps that a text names."""
    return {int(number) - 1 for number in re.findall(r"[Ss]tep (\d+)", text)}


def check_enders(flow: Flow, oracle: ChoiceOracle, given: Given, why: str) -> list[str]:
    """Check that each step that ends a fact stands where it is told; return the kinds of places."""
    is_available = "j" in given
    parts = ["kills"] if is_available else ["kills", "defines"]
    done = {k for run in oracle.executions for k in run}
    enders = {k for k in done for part in parts if given["fact"] in getattr(flow.steps[k], part)}
    users = {k for k in done if given["fact"] in flow.steps[k].uses}
    places = list(PLACE.finditer(why.partition(": ")[2]))
    named = {k for each in places for k in numbers(each["steps"])}
    untold = enders - named - {given["i"]}
    assert named <= enders, why
    assert untold <= {given.get("j")} | numbers(why.partition(": ")[0]), why
    runs = [run for run in oracle.executions if {given["i"], given.get("j", given["i"])} <= {*run}]
    for each in places:
        assert not each["used"] or numbers(each["steps"]) <= users
        check_place(each, runs if each["side"] else oracle.executions)
    return [each["side"] or ("first" if each["used"] else "left out") for each in places]


def test_the_steps_that_end_a_fact_stand_where_explanations_say() -> None:
    seen = Counter[tuple[str, str]]()
    for number in range(600):
        rng = Random(f"enders {number}")
        flow = Flow((drawn.with_choices if number % 2 else drawn.procedure)(rng))
        oracle = ChoiceOracle(flow.procedure.to_json())
        for name, given in asked_of(flow, rng):
            if name not in ("available_expressions", "very_busy_expressions"):
                continue
            verdict = ANALYSES[name].decide(flow, **given)
            if verdict.answer and ": " in verdict.why:
                kinds = check_enders(flow, oracle, given, verdict.why)
                seen.update((name, kind) for kind in kinds)
    assert min(seen.values()) > 5, seen
    assert len(seen) == 7, seen
