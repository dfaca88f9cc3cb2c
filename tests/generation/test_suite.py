from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extra import known, offered, toy_family
from thence import families
from thence.core.digest import compact_json
from thence.core.sample import CANARY, Sample
from thence.errors import FileError, UsageError
from thence.generation import making, suite
from thence.generation.exclusion import Identity
from thence.generation.making import make, sample_id
from thence.generation.plan import Plan, SampleSlot, slots
from thence.generation.repetition import AskedSamples, Tally
from thence.generation.suite import Offered, generate, generate_lines
from thence.prompts import template_loader

NAMES = offered()
MIXED = Plan(NAMES, seed=5, size=45, settings={"steps": "2-4"})


def lines(plan: Plan, workers: int = 1) -> list[str]:
    return list(generate_lines(plan, workers))


@pytest.fixture
def toy() -> Iterator[None]:
    with toy_family():
        yield


# The same bytes ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def expected() -> list[str]:
    return lines(MIXED)


def test_the_same_twice(expected: list[str]) -> None:
    assert lines(MIXED) == expected
    assert len(set(expected)) == len(expected) == 45 * len(NAMES)


def test_the_same_whether_as_samples_or_as_lines(expected: list[str]) -> None:
    assert [compact_json(sample.to_json()) for sample in generate(MIXED, 1)] == expected


@pytest.mark.parametrize("workers", [2, 3])
def test_the_same_with_any_number_of_workers(expected: list[str], workers: int) -> None:
    tallies = [Tally(), Tally()]
    assert list(generate_lines(MIXED, workers, tallies[0])) == expected
    list(generate(MIXED, 1, tallies[1]))
    assert tallies[0] == tallies[1]


def test_workers_or_not_the_same_is_drawn_again() -> None:
    plan, tallies = Plan(["procbench/encode"], size=60, settings={"steps": "1"}), (Tally(), Tally())
    assert lines(plan) == list(generate_lines(plan, 1, tallies[0]))
    assert lines(plan) == list(generate_lines(plan, 2, tallies[1]))
    assert tallies[0].redrawn == tallies[1].redrawn > 0


def test_chunks_that_repeat_each_other_give_the_bytes_of_one_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As workers do it, but here: each chunk knows nothing of the others."""

    def made(
        every: list[SampleSlot], plan: Plan, count: int
    ) -> Iterator[tuple[int, list[Offered]]]:
        suite._prepare(plan, {})
        for start, end in suite._chunks(every):
            yield start, suite._make_chunk(every[start:end])

    monkeypatch.setattr(suite, "_chunks_made", made)
    few = {"dialect": "published", "source": "cookbook"}
    plan, tallies = Plan(["fable/recipes/taint"], 3, size=60, settings=few), [Tally(), Tally()]
    assert list(generate_lines(plan, 2, tallies[0])) == list(generate_lines(plan, 1, tallies[1]))
    assert tallies[0] == tallies[1]
    assert tallies[0].redrawn > 10


def test_what_is_made_together_is_made_by_one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    every = list(slots(Plan(["procbench/sort", "procbench/count"], size=48)))
    monkeypatch.setattr(suite, "_CHUNK", 10)
    whole = [(start, min(start + 10, 96)) for start in range(0, 96, 10)]
    assert list(suite._chunks(every)) == whole
    kind = type(families.task("procbench/sort").generator)
    monkeypatch.setattr(kind, "work_key", lambda task, cell: str(cell.parameters["steps"] // 9))
    found = list(suite._chunks(every))
    assert [start for start, _ in found] == [0, *(end for _, end in found[:-1])]
    assert found[-1][1] == 96 and len(found) > 4
    for _, end in found[:-1]:
        assert suite._work_key(every[end - 1]) != suite._work_key(every[end])


def test_workers_hand_over_the_same_samples() -> None:
    plan = Plan([*NAMES, "catbench/order"], size=6, settings={"steps": "4"})
    assert list(generate(plan, 2)) == list(generate(plan, 1))


def test_what_no_worker_can_be_given_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = Plan(["procbench/sort"], size=4)
    every = [
        replace(slot, condition=replace(slot.condition, context={"pick": lambda: 0}))
        for slot in slots(plan)
    ]
    monkeypatch.setattr(suite, "slots", lambda _: iter(every))
    with pytest.raises(UsageError, match=r"^procbench/sort: .*plain values, or .* workers=1$"):
        list(generate(plan, 2))
    assert len(list(generate(plan, 1))) == 4


PROGRAM = """
import sys
from thence.generation.plan import Plan
from thence.generation.suite import generate_lines
plan = Plan(sys.argv[1:], seed=5, size=45, settings={"steps": "2-4"})
sys.stdout.buffer.writelines(line.encode() + b"\\n" for line in generate_lines(plan, 1))
"""


@pytest.mark.parametrize("hash_seed", ["0", "1", "4294967295"])
def test_the_same_in_a_process_of_another_hash_seed(expected: list[str], hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-W", "error", "-c", PROGRAM, *NAMES]
    found = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert found.stdout.decode().splitlines() == expected


def test_the_order_of_tasks_changes_their_place_only(expected: list[str]) -> None:
    turned = Plan(NAMES[::-1], MIXED.seed, MIXED.size, settings=MIXED.settings)
    assert sorted(lines(turned)) == sorted(expected)


# Seeds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_neighbouring_seeds_share_no_sample(name: str) -> None:
    """Questions of twenty steps do not meet by chance; plans do, unless their names are given."""
    found: set[str] = set()
    for seed in (0, 1, 2, 3):
        plan = Plan([name], seed, size=50, settings=known(name, steps="20-21", names="given"))
        found |= {sample.id for sample in generate(plan)}
    # The cookbook is the same for every seed: CaT-Bench may ask about one recipe twice.
    assert len(found) >= 4 * 50 - (20 if name == "catbench/order" else 0)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "catbench/order"])
def test_a_smaller_suite_is_part_of_a_larger_one_that_holds_more_of_every_group(name: str) -> None:
    """CaT-Bench's pairs are matched as a whole, so that another size has others."""
    settings = known(name, steps="20-22", n="10", m="15", z="4", names="given")
    small, large = (
        {sample.id for sample in generate(Plan([name], 3, size, settings=settings))}
        for size in (6, 21)
    )
    assert small < large


# The default set, and any other size ------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("procbench/")])
def test_without_a_size_it_is_the_papers_set(name: str) -> None:
    counts = Counter(place.condition.group for place in slots(Plan([name])))
    assert counts == {str(steps): 10 for steps in range(2, 26)}


@given(st.integers(1, 3000), st.integers(1, 60), st.integers(0, 60))
def test_any_size_is_spread_evenly(size: int, first: int, more: int) -> None:
    plan = Plan(["procbench/sort"], size=size, settings={"steps": f"{first}-{first + more}"})
    every = list(slots(plan))
    counts = Counter(place.condition.group for place in every)
    held = [counts[str(steps)] for steps in range(first, first + more + 1)]
    assert sum(held) == len(every) == size
    assert max(held) - min(held) <= 1
    assert [int(place.condition.group) for place in every] == sorted(
        int(p.condition.group) for p in every
    )
    assert len({(place.condition.group, place.index) for place in every}) == size


@pytest.mark.parametrize("limit", [1, 9, 10, 11, 239, 240, 1000])
def test_a_limit_takes_a_part_of_each_task(limit: int) -> None:
    tasks = ["procbench/sort", "procbench/count"]
    every, limited = list(slots(Plan(tasks))), list(slots(Plan(tasks, limit=limit)))
    for name in tasks:
        whole = [place for place in every if place.task == name]
        part = [place for place in limited if place.task == name]
        assert part == [place for place in whole if place in part]  # in the order of the set
        assert len(part) == min(limit, len(whole))
        groups = Counter(place.condition.group for place in part)
        assert max(groups.values()) - min(groups[str(n)] for n in range(2, 26)) <= 1


def test_a_limit_and_a_size_go_together() -> None:
    plan = Plan(["procbench/sort"], size=24, limit=3)
    whole = list(generate(Plan(["procbench/sort"], size=24)))
    assert list(generate(plan)) == [whole[place] for place in (6, 12, 18)]


# Samples ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_holds_what_the_interface_says(name: str) -> None:
    task = families.task(name)
    for sample in generate(Plan([name], seed=9, size=8, settings=known(name, steps="2-9"))):
        assert (sample.family, sample.task, sample.canary) == (task.family, name, CANARY)
        assert sample.version == task.version
        assert sample.input
        metadata = sample.metadata
        assert (metadata["seed"], metadata["source"]) == (9, "generated")
        assert {"question", "parameters", "group", "template"} <= metadata.keys()
        structure = metadata.get("structure")
        assert sample.id == sample_id(task, structure, metadata["question"], sample.target)
        task.check(sample)
        assert Sample.from_json(sample.to_json()) == sample


def test_neither_templates_nor_x_of_the_version_change_a_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, plan = families.task("procbench/sort"), Plan(["procbench/sort"], size=24)
    ours = list(generate(plan))
    other = replace(task, version=f"{task.version.partition('-')[0]}-99")
    monkeypatch.setitem(families._catalog().known, task.full_name, other)
    (tmp_path / "procbench").mkdir()
    (tmp_path / "procbench" / "sort.jinja").write_text("Put into order: {{ string }}")
    theirs = list(generate(Plan(plan.tasks, size=24, templates=tmp_path)))
    for our, their in zip(ours, theirs, strict=True):
        assert (our.id, our.target) == (their.id, their.target)
        assert our.metadata["question"] == their.metadata["question"]
        assert our.metadata["template"] != their.metadata["template"]
        assert our.input != their.input
        assert their.input.startswith("Put into order:")


def test_n_of_the_version_makes_other_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(["procbench/sort"], size=24)
    ours = {sample.id for sample in generate(plan)}
    other = replace(families.task("procbench/sort"), version="99-0")
    monkeypatch.setitem(families._catalog().known, "procbench/sort", other)
    theirs = list(generate(plan))
    assert not ours & {sample.id for sample in theirs}


def test_the_id_is_of_the_question_not_of_its_place() -> None:
    task, question, other = families.task("procbench/sort"), {"string": "ba"}, {"string": "ab"}
    same = sample_id(task, None, question, "ab")
    assert same == sample_id(task, None, dict(question), "ab")
    gather = families.task("procbench/gather")
    others = {
        sample_id(task, None, other, "ab"),
        sample_id(task, None, question, "ba"),
        sample_id(task, [1], question, "ab"),
        sample_id(gather, None, question, "ab"),
    }
    assert len(others | {same}) == 5


@pytest.mark.parametrize("name", NAMES)
def test_options_of_a_cell_do_not_seed(name: str) -> None:
    place, templates = next(slots(Plan([name]))), template_loader.templates()
    other = replace(place, condition=replace(place.condition, options={"dialect": "published"}))
    one, twin = (make(each, 3, templates) for each in (place, other))
    assert one.metadata["question"] == twin.metadata["question"]
    assert twin.metadata["options"] == {"dialect": "published"}


# Duplicates -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("toy")
def test_duplicates_are_drawn_again_and_counted() -> None:
    tally = Tally()
    plan = Plan(["toy/dice"], settings={"dice": "2", "each": "6"})
    found = list(generate(plan, 1, tally))
    assert sorted(sample.target for sample in found[:6]) == [1, 2, 3, 4, 5, 6]
    assert len({sample.id for sample in found}) == 12
    assert tally.groups == {"toy/dice": {"1": 6, "2": 6}}
    drawn = [make(place, 0, template_loader.templates()) for place in slots(plan)]
    repeats = len(drawn) - len({sample.id for sample in drawn})
    assert tally.redrawn >= repeats > 0
    again = Tally()
    assert list(generate(plan, 1, again)) == found
    assert again == tally


def test_a_question_whose_block_has_no_further_one_is_drawn_no_more() -> None:
    plan, same = Plan(["fable/runbooks/taint"], size=1), Identity("id", "cluster", None, "prompt")
    (slot,), asked, attempts = slots(plan), AskedSamples(plan), list[int]()

    def draw(_: SampleSlot, attempt: int) -> Identity:
        attempts.append(attempt)
        return same

    asked.add(slot.task, same)
    assert asked.draw_new(slot, draw, lambda made: made) is None
    redraw = families.task(slot.task).generator.redraw
    assert redraw(slot.condition, attempts[-1]) and not redraw(slot.condition, len(attempts))


@pytest.mark.usefixtures("toy")
def test_where_all_are_distinct_nothing_is_drawn_again() -> None:
    tally = Tally()
    plan = Plan(["toy/dice"], size=1, settings={"each": "1"})
    first = list(generate(plan, 1, tally))
    assert tally.redrawn == 0
    assert first == [make(next(slots(plan)), 0, template_loader.templates())]


@pytest.mark.usefixtures("toy")
def test_a_group_that_has_no_more_questions_is_one_line() -> None:
    for plan in (Plan(["toy/dice"], size=7), Plan(["toy/dice"], settings={"each": "7"})):
        found = []
        with pytest.raises(UsageError, match="toy/dice: group 1 has fewer than 7") as caught:
            found.extend(generate(plan, 1))
        assert "\n" not in str(caught.value)
        assert caught.value.exit_status == 2
    assert len(list(generate(Plan(["toy/dice"], size=6), 1))) == 6


# What cannot be done ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"size": 0}, "size=0: must be at least 1"),
        ({"limit": -1}, "limit=-1: must be at least 1"),
        ({"settings": {"stepz": "3"}}, "stepz: .*steps"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Plan(["procbench/sort"], **given)


@pytest.mark.parametrize("value", ["", "x", "0", "0-3", "3-2", "1-1001", "-2", "2-", "²", "1e2"])
def test_a_setting_that_a_task_does_not_take_is_named(value: str) -> None:
    plan = Plan(["procbench/sort"], settings={"steps": value})
    with pytest.raises(UsageError, match=f"steps={value}: must"):
        list(generate(plan))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_fault_of_a_template_comes_through_workers(tmp_path: Path, workers: int) -> None:
    (tmp_path / "procbench").mkdir()
    (tmp_path / "procbench" / "sort.jinja").write_text("{{ letters }}")
    with pytest.raises(FileError, match="'letters' is undefined"):
        list(generate(Plan(["procbench/sort"], size=2, templates=tmp_path), workers))


def test_of_other_shards_no_prompt_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    worded = Counter[str]()
    plain = making.plain_input

    def counting(task: Any, *arguments: Any) -> str:
        worded[task.name] += 1
        return plain(task, *arguments)

    monkeypatch.setattr(making, "plain_input", counting)
    plan = Plan(["procbench/sort"], size=40)
    whole = list(generate_lines(plan, 1))
    worded.clear()
    last = list(generate_lines(replace(plan, shard="4/4"), 1))
    assert (last, worded.total()) == (whole[30:], 10)
