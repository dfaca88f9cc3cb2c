"""Explanations name steps that decide: what they say of order, options and queues holds."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from thence import families
from thence.core.procedure import Procedure
from thence.dataflow import Flow
from thence.domains.recipes.additions.equipment import EQUIPMENT
from thence.domains.recipes.additions.lines import OVEN, TOOLS
from thence.generation import suite
from thence.generation.plan import Plan

DOMAINS = ("plans", "routes", "recipes", "runbooks")
BETWEEN = re.compile(r"[Bb]etween Step (\d+) and Step (\d+), Step (\d+) ")
EARLY = re.compile(r"Step (\d+), which [^:]*?, always comes before Step (\d+), which ")
THROUGH = re.compile(
    r"All that could get from Step \d+ to Step \d+ goes through (.*?), which (?:make|is|are|come)"
)
BEFORE = re.compile(
    r" after Step (\d+): (.*), which (?:needs?|works? with) it, always comes? before"
)


SEED, SEEDS = 0, 6


@cache
def asked(domain, analysis, size=60, seed=SEED):
    task = families.task(f"fable/{domain}/{analysis}")
    if domain in ("plans", "routes") and task.generator.unavailable({"dialect": "sound"}):
        pytest.skip(f"the extra for {domain} is not installed")
    return list(suite.generate(Plan([task.full_name], seed, size)))


def until(is_seen, domain, analysis, size):
    """Samples of one seed after another, until what is rare among them has been seen."""
    for seed in range(SEED, SEED + SEEDS):
        yield from asked(domain, analysis, size, seed)
        if is_seen():
            return


def numbers(text):
    return [int(each) - 1 for each in re.findall(r"\d+", text)]


@pytest.mark.parametrize("domain", DOMAINS)
def test_steps_that_cut_a_way_stand_on_it_under_some_options(domain):
    seen = Counter()  # in runbooks a step that comes too early hardly ever has a twin
    wanted = {"through", "between"} | ({"early"} if domain != "runbooks" else set())
    for sample in until(lambda: wanted <= seen.keys(), domain, "taint", 200):
        why, question = sample.metadata["explanation"], sample.metadata["question"]
        i, j = question["i"], question["j"]
        flow = Flow(Procedure.from_json(sample.metadata["procedure"]))
        if found := BETWEEN.search(why):
            a, b, k = (int(each) - 1 for each in found.groups())
            assert flow.precedes(a, k) and flow.precedes(k, b) and flow.is_possible(a, k, b), why
            assert flow.is_possible(i, j, k), why
            seen["between"] += 1
        if found := EARLY.search(why):
            b, a = (int(each) - 1 for each in found.groups())
            assert flow.precedes(b, a), why
            seen["early"] += 1
        if found := THROUGH.search(why):
            cut = numbers(found[1])
            assert set(cut) <= set(question["sanitizers"]), why
            assert not flow.precedes(j, i) and not any(flow.precedes(j, k) for k in cut), why
            seen["through"] += 1
    assert wanted <= seen.keys(), seen


@pytest.mark.parametrize("domain", ["routes", "recipes"])  # it is hardly ever so in runbooks
def test_where_no_steps_pass_anything_on_none_do_in_whatever_order(domain):
    seen = Counter()
    for sample in until(seen.total, domain, "taint", 200):
        if "o steps pass anything on" in sample.metadata["explanation"]:
            question = sample.metadata["question"]
            flow = Flow(Procedure.from_json(sample.metadata["procedure"]))
            reached, waiting = {question["i"]}, [question["i"]]
            while waiting:
                last = waiting.pop()
                made = {*flow.steps[last].defines}
                met = {k for k, step in enumerate(flow.steps) if made & {*step.uses}}
                met = {k for k in met if flow.is_possible(last, k)}
                waiting += met - reached - {*question["sanitizers"]}
                reached |= met
            assert question["j"] not in reached, sample.metadata["explanation"]
            seen["nothing"] += 1
    assert seen


@pytest.mark.parametrize("domain", DOMAINS)
def test_steps_that_used_a_fact_before_come_before(domain):
    seen = 0
    for sample in asked(domain, "live_variables"):
        why = sample.metadata["explanation"]
        if found := BEFORE.search(why):
            flow = Flow(Procedure.from_json(sample.metadata["procedure"]))
            i, fact = sample.metadata["question"]["i"], sample.metadata["question"]["fact"]
            users = numbers(found[2])
            assert users and int(found[1]) - 1 == i
            assert all(fact in flow.steps[k].uses and flow.precedes(k, i) for k in users), why
            assert all(flow.is_possible(k, i) for k in users), why
            seen += 1
    assert seen


def test_a_chain_of_queues_names_its_waits_and_queues():
    waits = stands = 0
    for sample in asked("plans", "concurrency"):
        told = sample.metadata["origin"]
        for link in sample.metadata["explanation"].split(": ")[-1].rstrip(".").split("; "):
            if found := re.fullmatch(r"Step (\d+) waits until Step (\d+) is done", link):
                b, a = numbers(link)
                assert [a, b] in told["waits"]
                waits += 1
            elif found := re.fullmatch(
                r"Step (\d+) stands after Step (\d+) in Queue ([ABC])", link
            ):
                queue = told["queues"]["ABC".index(found[3])]
                assert queue.index(int(found[1]) - 1) == queue.index(int(found[2]) - 1) + 1
                stands += 1
    assert waits and stands


def test_a_wait_leads_out_of_one_queue_and_into_the_other_whatever_the_answer():
    answers = Counter()
    for sample in asked("plans", "concurrency"):
        question = sample.metadata["question"]
        if question["queues"]:
            first, last = sorted((question["i"], question["j"]))
            assert last - first > 2
            own, there = (
                next(queue for queue in question["queues"] if step in queue)
                for step in (first, last)
            )
            assert any(a in own and first <= a < last for a, _ in question["waits"])
            assert any(b in there and first < b <= last for _, b in question["waits"])
            assert own is not there
            answers[sample.target] += 1
    assert min(answers["Yes"], answers["No"]) > 10


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("analysis", ["taint", "live_variables", "concurrency", "type_state"])
def test_explanations_have_no_terms_of_data_flow(domain, analysis):
    for sample in asked(domain, analysis):
        why = re.sub(r"'[^']*'|\"[^\"]*\"", "", sample.metadata["explanation"])
        assert not re.search(r"[Cc]ontamina|sanitis|\bkill|\b(?:re)?defin", why), why


def test_kitchen_things_are_got_out_and_put_away():
    said = " ".join(s.metadata["explanation"] for s in asked("recipes", "live_variables"))
    assert re.search(r"(?:gets out|puts away|gets it out) ", said)
    assert not re.search(rf"(?:makes|uses up) '(?:oven|{'|'.join(EQUIPMENT)})'", said)


def test_several_things_are_not_called_it():
    told = 0
    for sample in asked("recipes", "live_variables"):
        if sample.metadata["question"]["many"]:
            assert not re.search(r"(?:with|puts|gets|before) it\b", sample.metadata["explanation"])
            told += " them" in sample.metadata["explanation"]
    assert told > 5


def test_the_way_of_what_is_unsafe_in_a_recipe_is_shown_in_an_order():
    ways = [each for each in asked("recipes", "taint") if "chain" in each.metadata["witness"]]
    ways = [each for each in ways if " can go from " in each.metadata["explanation"]]
    for sample in ways:
        why = sample.metadata["explanation"]
        order = re.search(r"such as in the order ([\d, .]+)[^)]*\)\.$", why)
        told = [int(step) for step in re.findall(r"\d+", order[1])]
        for link in sample.metadata["witness"]["chain"]:
            assert told.index(link["from"] + 1) < told.index(link["to"] + 1)
    assert ways


@pytest.mark.parametrize("analysis", ["reaching_definitions", "available_expressions"])
def test_what_a_recipe_throws_away_or_changes_is_neither_used_up_nor_made_anew(analysis):
    told = 0
    for sample in asked("recipes", analysis, 120):
        steps = Procedure.from_json(sample.metadata["procedure"]).steps
        why = sample.metadata["explanation"]
        for sentence in why.split(". "):
            said = re.search(
                r"(?:Step (\d+) (?:always )?|, and it )(uses up|makes|throws away|changes) "
                r"the ([^,.(]*?)(?= always| and|,|\.|$| before| after| uses)",
                sentence,
            )
            first = re.search(r"Step (\d+)", sentence)
            if said and said[3] not in (OVEN, *TOOLS, *EQUIPMENT):
                step = steps[int(said[1] or first[1]) - 1]
                used = said[3] in step.uses
                assert used is (said[2] in ("uses up", "changes")), why
                told += said[2] in ("throws away", "changes")
    assert told


def test_timed_trips_name_no_metres_and_no_permitted_orders():
    for sample in asked("routes", "intervals", 40):
        assert " meters" not in sample.input and "permitted order" not in sample.input
        waits = "Wait until" in sample.input
        assert ("takes no time, unless it waits" in sample.input) is waits
