"""Every graph holds what its group says, found again by other means from the prompt alone."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from thence.analysis.validation import validate
from thence.core.sample import Sample
from thence.families.releval.framings import FRAMINGS
from thence.families.releval.groups import COMPARISON, CONSISTENCY, PLANS
from thence.generation import suite
from thence.generation.plan import Plan

FRAMED = list(FRAMINGS)


def made(task: str, seed: int = 0, size: int | None = None, **settings: str) -> list[Sample]:
    plan = Plan([f"releval/{task}"], seed, size, settings=settings)
    return list(suite.generate(plan))


# Reading a prompt as a person does --------------------------------------------------------------


def pattern(sentence: str) -> re.Pattern[str]:
    text = re.escape(sentence).replace(r"\{a\}", "(?P<a>.+)").replace(r"\{b\}", "(?P<b>.+)")
    return re.compile(text)


@cache
def patterns(name: str) -> list[re.Pattern[str]]:
    framing = FRAMINGS[name]
    return [pattern(each) for each in (*framing.says, *framing.says_back)]


def told(sample: Sample) -> list[tuple[str, str]]:
    """The edges that the prompt's lines say, the names found by the sentences alone."""
    lines = sample.input.partition("Statements:\n")[2].split("\n\n")[0].splitlines()
    names = set(sample.metadata["names"])
    known = patterns(sample.metadata["question"]["framing"])
    edges = []
    for line in lines:
        text = line.removeprefix("- ")
        readings = {
            (found["a"], found["b"])
            for each in known
            if (found := each.fullmatch(text)) and {found["a"], found["b"]} <= names
        }
        assert len(readings) == 1, line  # a sentence can be understood in one way only
        edges += readings
    return edges


def after(edges: list[tuple[str, str]]) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {}
    for a, b in edges:
        held.setdefault(a, []).append(b)
        held.setdefault(b, [])
    return held


def walked(edges: list[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    """Every simple cycle from its first name in the alphabet, by walking every way there is.

    Only over nodes that lead back to where the walk began, or dense graphs would have no end.
    """
    successors = after(edges)
    reached = {node: flooded(successors, node) for node in successors}

    def walk(path: list[str]) -> Iterator[tuple[str, ...]]:
        for node in successors[path[-1]]:
            if node == path[0]:
                yield tuple(path)
            elif node > path[0] and node not in path and path[0] in reached[node]:
                yield from walk([*path, node])

    for start in successors:
        yield from walk([start])


def flooded(successors: dict[str, list[str]], start: str) -> set[str]:
    """What a node reaches by at least one step."""
    seen: set[str] = set()
    waiting = list(successors[start])
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += successors[node]
    return seen


def in_one_piece(edges: list[tuple[str, str]]) -> bool:
    both = after([*edges, *((b, a) for a, b in edges)])
    seen: set[str] = set()
    waiting = [next(iter(both))]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += both[node]
    return len(seen) == len(both)


def sized(sample: Sample, edges: list[tuple[str, str]]) -> None:
    n, m, z = map(int, sample.metadata["group"].split("_"))
    assert len(edges) == len(set(edges)) == m
    if z != 2:
        assert len({frozenset(edge) for edge in edges}) == m
    names = {each for edge in edges for each in edge}
    assert len({each.casefold() for each in names}) == len(names) == n
    assert in_one_piece(edges)
    assert [list(edge) for edge in edges] == sample.metadata["edges"]
    assert (sample.metadata["objects"], sample.metadata["relations"]) == (n, m)


def distance(edges: list[tuple[str, str]], a: str, b: str) -> int:
    """Steps from a to b, by waves; 0 where there is no way."""
    successors, wave = after(edges), {a}
    for steps in range(1, len(successors)):
        wave = {each for node in wave for each in successors[node]}
        if b in wave:
            return steps
    return 0


# Consistency ------------------------------------------------------------------------------------


def consistent(samples: list[Sample]) -> float:
    """Checks some samples; returns how many cycles they have on average."""
    counts = []
    for sample in samples:
        edges = told(sample)
        sized(sample, edges)
        z = int(sample.metadata["group"].split("_")[2])
        cycles = set(itertools.islice(walked(edges), 1001))
        listed = sample.target["cycles"]
        assert {tuple(cycle) for cycle in listed} == cycles
        assert len(listed) == len(cycles) <= sample.metadata["parameters"]["cap"]
        assert sample.target["consistent"] is (not cycles)
        assert min(map(len, cycles), default=0) == z == sample.metadata["min_cycle_length"]
        counts.append(len(cycles))
    return sum(counts) / len(counts)


@pytest.mark.parametrize("framing", FRAMED)
def test_the_papers_graphs_hold_exactly_their_cycles(framing: str) -> None:
    size = None if framing == "symbolic" else 100
    samples = made("consistency", seed=3, size=size, framing=framing)
    groups = Counter(sample.metadata["group"] for sample in samples)
    assert len(groups) == 20
    assert groups == {"_".join(map(str, group)): (size or 400) // 20 for group in CONSISTENCY}
    assert consistent(samples) == pytest.approx(4.37, abs=0.9)


@pytest.mark.long
def test_thousands_of_graphs_hold_exactly_their_cycles() -> None:
    """The mean number of cycles is near the paper's 4.37."""
    assert consistent(made("consistency", seed=11, size=8000)) == pytest.approx(4.37, abs=0.15)


@pytest.mark.parametrize(
    "settings",
    [
        {"n": "3", "m": "3", "z": "3", "cap": "1"},
        {"n": "2", "m": "2", "z": "2", "cap": "1"},
        {"n": "12", "m": "24", "z": "2", "cap": "20"},
        {"n": "9", "m": "37", "z": "2"},
        {"n": "12", "m": "18", "z": "0", "like": "4"},
        {"n": "8", "m": "28", "z": "3", "cap": "5"},
        {"n": "9", "m": "27", "z": "6", "cap": "50"},
        {"n": "40", "m": "60", "z": "36", "cap": "3"},
        {"n": "60", "m": "600", "z": "7", "cap": "200"},
        {"n": "25", "m": "300", "z": "0"},
    ],
    ids=str,
)
def test_groups_of_ones_own_hold_too(settings: dict[str, str]) -> None:
    consistent(made("consistency", size=5, **settings))


def test_the_cap_bounds_the_number_of_cycles() -> None:
    few, many = (made("consistency", size=30, cap=cap, n="10") for cap in ("3", "60"))
    assert max(len(sample.target["cycles"]) for sample in few) <= 3
    assert max(len(sample.target["cycles"]) for sample in many) > 6


# Comparison -------------------------------------------------------------------------------------


def claimed(sample: Sample) -> tuple[str, str]:
    """What the prompt asks: which object is claimed to be the larger, and which the smaller."""
    framing = FRAMINGS[sample.metadata["question"]["framing"]]
    text = sample.metadata["asked"]
    before = 'A colleague asks: "' if framing.name != "symbolic" else "Judge this comparison: "
    assert f"{before}{text}" in sample.input
    names = set(sample.metadata["names"])
    readings = {
        (found["a"], found["b"])
        for each in (*framing.asks, *framing.asks_back)
        if (found := pattern(each).fullmatch(text)) and {found["a"], found["b"]} <= names
    }
    assert len(readings) == 1, text
    return readings.pop()


def compared(samples: list[Sample]) -> None:
    for sample in samples:
        edges = told(sample)
        sized(sample, edges)
        assert not list(itertools.islice(walked(edges), 1))
        z = int(sample.metadata["group"].split("_")[2])
        larger, smaller = claimed(sample)
        down, up = distance(edges, larger, smaller), distance(edges, smaller, larger)
        expected = "True" if down else "False" if up else "Unknown"
        assert sample.target == expected
        assert down + up == z == sample.metadata["depth"]
        left, sign, right = sample.metadata["comparison"].rpartition(" > ")
        if not sign:
            right, _, left = sample.metadata["comparison"].partition(" < ")
        assert (left, right) == (larger, smaller)
        chain = sample.metadata["witness"]
        if z:
            assert len(chain) == z + 1
            assert {chain[0], chain[-1]} == {larger, smaller}
            assert set(itertools.pairwise(chain)) <= set(edges)
        else:
            assert chain is None


@pytest.mark.parametrize("framing", FRAMED)
def test_the_papers_comparisons_are_decided_by_exactly_their_chain(framing: str) -> None:
    samples = made(
        "comparison", seed=4, size=None if framing == "symbolic" else 92, framing=framing
    )
    half = 10 if framing == "symbolic" else 2
    groups = Counter((sample.metadata["group"], sample.target) for sample in samples)
    for group in COMPARISON:
        name = "_".join(map(str, group))
        found = [groups[name, word] for word in ("True", "False", "Unknown")]
        assert found == ([half, half, 0] if group[2] else [0, 0, 2 * half])
    compared(samples)


@pytest.mark.long
def test_thousands_of_comparisons_are_decided_by_exactly_their_chain() -> None:
    compared(made("comparison", seed=12, size=8000))


@pytest.mark.parametrize(
    "settings",
    [
        {"n": "2", "m": "1", "z": "1"},
        {"n": "3", "m": "2", "z": "0"},
        {"n": "12", "m": "11", "z": "11"},
        {"n": "12", "m": "65", "z": "0"},
        {"n": "12", "m": "60", "z": "4"},
        {"n": "100", "m": "300", "z": "20"},
    ],
    ids=str,
)
def test_comparisons_of_ones_own_are_decided_too(settings: dict[str, str]) -> None:
    compared(made("comparison", size=4, **settings))


@pytest.mark.parametrize("size", [1, 5, 23, 24, 100])
def test_true_and_false_are_spread_evenly_at_any_size(size: int) -> None:
    samples = made("comparison", size=size)
    groups = Counter(sample.metadata["group"] for sample in samples)
    assert len(samples) == size
    assert max(groups.values()) - min([*groups.values(), *[0] * (23 - len(groups))]) <= 1
    truths = Counter(sample.target for sample in samples)
    assert abs(truths["True"] - truths["False"]) <= 1


# Plans ------------------------------------------------------------------------------------------


def test_the_papers_plans_are_the_same_for_every_seed() -> None:
    one, other = made("plan_generation"), made("plan_generation", seed=1)
    assert [sample.id for sample in one] == [sample.id for sample in other]
    assert [sample.input for sample in one] == [sample.input for sample in other]
    assert len(one) == len({sample.id for sample in one}) == len(PLANS) == 142
    for sample, (n, m) in zip(one, PLANS, strict=True):
        assert sample.metadata["group"] == f"{n}_{m}"
        assert sample.target == {"objects": n, "relations": m}
        assert f" {m} statements on the sizes of {n} objects" in sample.input


def test_given_names_are_in_the_prompt_and_differ_by_seed() -> None:
    one, other = (made("plan_generation", seed=seed, names="given") for seed in (0, 1))
    assert not {sample.id for sample in one} & {sample.id for sample in other}
    for sample in one:
        names = sample.target["names"]
        assert len(set(names)) == sample.target["objects"]
        assert ", ".join(names) in sample.input


def test_truth_scores_1_and_a_perturbed_truth_does_not() -> None:
    for settings in ({}, {"framing": "software"}, {"framing": "finance", "labels": "words"}):
        plan = Plan(["releval/consistency", "releval/comparison"], 1, 20, None, settings)
        assert all(found.holds for found in validate(plan))
    for names in ("free", "given"):
        plan = Plan(["releval/plan_generation"], 1, 30, None, {"names": names})
        assert all(found.holds for found in validate(plan))


# Twins ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["consistency", "comparison"])
def test_framing_notation_and_labels_tell_the_same_graph(task: str) -> None:
    def anonymous(sample: Sample) -> Any:
        """The graph in the order told, names replaced by the order of their first mention."""
        names: dict[str, int] = {}
        return [
            [names.setdefault(each, len(names)) for each in edge]
            for edge in sample.metadata["edges"]
        ]

    ways = [
        {},
        {"framing": "software"},
        {"framing": "finance"},
        {"notation": "aligned"},
        {"labels": "words"},
        {"framing": "finance", "notation": "aligned", "labels": "strings"},
    ]
    every = [made(task, seed=6, size=23, **way) for way in ways]
    for twins in zip(*every, strict=True):
        assert len({sample.metadata["pair"] for sample in twins}) == 1
        assert len({str(anonymous(sample)) for sample in twins}) == 1
        truths = [
            len(each.target["cycles"]) if task == "consistency" else each.target for each in twins
        ]
        assert len(set(truths)) == 1
        plain, software, finance, aligned, words, _ = twins
        assert aligned.metadata["names"] == plain.metadata["names"]
        assert aligned.metadata["edges"] == plain.metadata["edges"]
        assert len({each.id for each in (plain, software, finance, words)}) == 4
    assert len({sample.metadata["pair"] for sample in every[0]}) == 23


def test_aligned_statements_name_the_larger_object_first() -> None:
    for sample in made("comparison", size=23, notation="aligned"):
        assert all(
            " > " in each for each in [*sample.metadata["statements"], sample.metadata["asked"]]
        )
    for sample in made("comparison", size=23, notation="aligned", framing="finance"):
        for statement, (a, _) in zip(
            sample.metadata["statements"], sample.metadata["edges"], strict=True
        ):
            assert statement.startswith(a)


def test_each_language_framing_has_a_dozen_sentences_in_both_orders() -> None:
    for framing in (FRAMINGS["software"], FRAMINGS["finance"]):
        for said in (framing.says, framing.says_back):
            assert len(said) == len(set(said)) >= 12
        assert all(each.index("{a}") < each.index("{b}") for each in (*framing.says, *framing.asks))
        back = (*framing.says_back, *framing.asks_back)
        assert all(each.index("{b}") < each.index("{a}") for each in back)
        samples = made("consistency", size=20, n="30", m="90", framing=framing.name)
        used = {fact[2] for sample in samples for fact in sample.metadata["question"]["facts"]}
        assert used == set(range(len(framing.says) + len(framing.says_back)))
