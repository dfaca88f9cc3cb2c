"""Which questions are made, and that their truth holds."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thence
from tests.families.catbench.corpora import published, small_corpus
from thence import families
from thence.analysis.validation import validate
from thence.core.graph import Graph
from thence.core.parts import Condition
from thence.core.procedure import Procedure, Step
from thence.core.sample import Sample
from thence.errors import UsageError
from thence.families.catbench import sources
from thence.families.catbench.questions import balanced, switched
from thence.families.catbench.sources import Subject
from thence.generation.making import sample_id
from thence.generation.plan import Plan, slots
from thence.generation.suite import generate

TASK = families.task("catbench/order")


def settings_of(folder: Path, **more: str) -> dict[str, str]:
    """A small corpus as settings."""
    corpus, titles = small_corpus(folder)
    return {"flow_graphs": str(corpus), "titles": str(titles), **more}


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    settings = settings_of(tmp_path_factory.mktemp("corpus"))
    return list(generate(Plan(["catbench/order"], seed=3, settings=settings), 1))


def closed(n: int, edges: list[tuple[int, int]]) -> list[list[bool]]:
    """Reachability a second way: Warshall's closure of the matrix of edges."""
    reach = [[(a, b) in edges for b in range(n)] for a in range(n)]
    for k in range(n):
        for a in range(n):
            for b in range(n):
                reach[a][b] = reach[a][b] or (reach[a][k] and reach[k][b])
    return reach


# Subjects ----------------------------------------------------------------------------------------

graphs = st.integers(1, 8).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(
            st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda e: e[0] != e[1]),
            max_size=12,
        ),
    )
)


def subject(n: int, edges: list[tuple[int, int]]) -> Subject:
    return Subject("s", "goal", tuple(Step(f"step {k}") for k in range(n)), Graph(n, edges))


@given(graphs)
def test_pairs_depend_exactly_where_a_path_leads_from_the_first_to_the_second(
    graph: tuple[int, list[tuple[int, int]]],
) -> None:
    n, edges = graph
    held, reach = subject(n, edges), closed(n, edges)
    for j in range(n):
        for i in range(j):
            assert held.depends(i, j) == reach[i][j]
            assert ((i, j) in held.pairs[True]) == reach[i][j]
            assert ((i, j) in held.pairs[False]) == (not reach[i][j])
            if reach[i][j]:
                chain = held.chain(i, j)
                assert (chain[0], chain[-1]) == (i, j)
                assert all(link in edges for link in pairwise(chain))
                assert len(chain) == len(held.graph.shortest_chain(i, j) or [])


@given(graphs)
def test_the_order_in_the_metadata_says_the_same(
    graph: tuple[int, list[tuple[int, int]]],
) -> None:
    n, edges = graph
    held = subject(n, edges)
    again = Subject.of(Procedure.from_json(held.procedure))
    assert again.pairs == held.pairs
    if held.graph.topological_order() is not None:
        assert len(held.procedure["order"]) <= len(set(edges))


@given(graphs, st.data())
def test_switching_exchanges_two_texts_and_what_depends_on_them(
    graph: tuple[int, list[tuple[int, int]]], data: st.DataObject
) -> None:
    n, edges = graph
    if n < 2:
        return
    i = data.draw(st.integers(0, n - 2))
    j = data.draw(st.integers(i + 1, n - 1))
    before = subject(n, edges).procedure
    after = switched(before, i, j)
    texts = [step["text"] for step in after["steps"]]
    assert (texts[i], texts[j]) == (f"step {j}", f"step {i}")
    assert [text for k, text in enumerate(texts) if k not in (i, j)] == [
        f"step {k}" for k in range(n) if k not in (i, j)
    ]
    at = {text: k for k, text in enumerate(texts)}
    named = {(f"step {a}", f"step {b}") for a, b in before["order"]}
    assert {(a, b) for a, b in after["order"]} == {(at[a], at[b]) for a, b in named}
    assert switched(after, i, j) == before


@given(st.lists(graphs, min_size=1, max_size=5), st.integers(0, 9), st.none() | st.integers(0, 9))
def test_the_larger_class_is_cut_to_the_smaller(
    held: list[tuple[int, list[tuple[int, int]]]], seed: int, most: int | None
) -> None:
    subjects = [subject(*each) for each in held]
    found = balanced(subjects, Random(seed), most)
    dependent, independent, chosen = found.counts
    assert chosen == len(found.dependent)
    assert dependent == sum(len(each.pairs[True]) for each in subjects)
    assert independent == sum(len(each.pairs[False]) for each in subjects)
    size = min(dependent, independent, 9999 if most is None else most)
    assert len(set(found.dependent)) == len(set(found.independent)) == size
    assert all(pair.subject.depends(pair.i, pair.j) for pair in found.dependent)
    assert not any(pair.subject.depends(pair.i, pair.j) for pair in found.independent)
    if most is None:
        larger = "dependent" if dependent > independent else "independent"
        assert found.counts.sampled == ("neither" if dependent == independent else larger)


# Samples -----------------------------------------------------------------------------------------


def test_the_splits_are_balanced_and_every_question_has_its_twins(samples: list[Sample]) -> None:
    counts = Counter(sample.metadata["split"] for sample in samples)
    assert len(counts) == len({*counts.values()} | {0, 1}) == 3
    twins: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in samples:
        twins[sample.metadata["pair"], sample.metadata["split"]].append(sample)
    assert {len(each) for each in twins.values()} == {2}
    for before, after in twins.values():
        i, j = before.metadata["step_pair"]
        assert (before.metadata["relation"], after.metadata["relation"]) == ("before", "after")
        assert f"Must Step {i + 1} happen before Step {j + 1}?" in before.input
        assert f"Must Step {j + 1} happen after Step {i + 1}?" in after.input
        assert before.metadata["procedure"] == after.metadata["procedure"]
        assert before.metadata["close"] == (j - i <= 3)
    plain = {pair for pair, split in twins if split == "NONDEP"}
    assert plain == {pair for pair, split in twins if split == "NONDEP-S"}
    assert not plain & {pair for pair, split in twins if split == "DEP"}


def test_nothing_but_the_two_texts_changes_when_they_are_switched(samples: list[Sample]) -> None:
    held: dict[Any, dict[str, Sample]] = defaultdict(dict)
    for sample in samples:
        metadata = sample.metadata
        held[metadata["pair"], metadata["relation"]][metadata["split"]] = sample
    pairs = [each for each in held.values() if "NONDEP" in each]
    assert pairs
    for each in pairs:
        plain, turned = each["NONDEP"], each["NONDEP-S"]
        i, j = plain.metadata["step_pair"]
        texts = [step["text"] for step in plain.metadata["procedure"]["steps"]]
        texts[i], texts[j] = texts[j], texts[i]
        assert texts == [step["text"] for step in turned.metadata["procedure"]["steps"]]
        assert plain.target == turned.target == "no"
        assert plain.input.partition("Question:")[2] == turned.input.partition("Question:")[2]
        assert plain.id != turned.id


def test_the_chain_of_a_dependent_pair_is_its_witness(samples: list[Sample]) -> None:
    lengths = set()
    for sample in samples:
        if sample.metadata["split"] != "DEP":
            assert "witness" not in sample.metadata
            continue
        chain = sample.metadata["witness"]["chain"]
        assert [chain[0], chain[-1]] == sample.metadata["step_pair"]
        lengths.add(len(chain))
        assert all(f"Step {step + 1}" in TASK.explainer.explain(sample) for step in chain)
    assert {2, 3} <= lengths


def test_what_an_explanation_comes_to_is_its_answer(samples: list[Sample]) -> None:
    for sample in samples:
        verdict = TASK.format.conclusion(TASK.explainer.explain(sample), TASK.question(sample))
        assert sample.target == "no" or (verdict is not None and verdict.value == "yes")


def test_validation_holds(tmp_path: Path) -> None:
    (found,) = validate(Plan(["catbench/order"], seed=5, size=60, settings=settings_of(tmp_path)))
    assert (found.checked, found.holds) == (60, True)


def test_a_smaller_set_is_a_balanced_part_of_a_larger_one(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    sets = {
        size: list(generate(Plan(["catbench/order"], 2, size, settings=settings), 1))
        for size in (1, 7, 12, 30)
    }
    for size, held in sets.items():
        assert len(held) == size
        counts = Counter(sample.metadata["group"] for sample in held)
        assert max(counts.values()) - min(counts.get(s, 0) for s in ("DEP", "NONDEP-S")) <= 1
    ids = [{sample.id for sample in held} for held in sets.values()]
    assert ids[0] < ids[1] < ids[2] < ids[3]
    first = list(generate(Plan(["catbench/order"], 2, limit=7, settings=settings), 1))
    whole = list(generate(Plan(["catbench/order"], 2, settings=settings), 1))
    assert first == [sample for sample in whole if sample in first]
    counts = Counter(sample.metadata["group"] for sample in first)
    assert sorted(counts.values()) == [2, 2, 3]


def test_other_seeds_ask_about_other_pairs_and_the_held_out_about_other_recipes(
    tmp_path: Path,
) -> None:
    settings = settings_of(tmp_path)
    ids, clusters = {}, {}
    for seed, part in ((0, "test"), (1, "test"), (0, "held_out")):
        plan = Plan(["catbench/order"], seed, settings={**settings, "part": part})
        held = list(generate(plan, 1))
        ids[seed, part] = {sample.id for sample in held}
        clusters[seed, part] = {sample.cluster for sample in held}
    assert ids[0, "test"] != ids[1, "test"]
    assert not clusters[0, "test"] & clusters[0, "held_out"]
    assert not ids[0, "test"] & ids[0, "held_out"]


def test_where_no_map_lists_them_the_test_recipes_are_drawn(tmp_path: Path) -> None:
    corpus, _ = small_corpus(tmp_path, 70)
    clusters = []
    for part in ("test", "held_out"):
        plan = Plan(["catbench/order"], settings={"flow_graphs": str(corpus), "part": part})
        clusters.append({sample.cluster for sample in generate(plan, 1)})
        notes = TASK.generator.choice_notes(TASK.generator.configure(plan.settings), None, 0)
        assert notes["recipes"] == {"test": 57, "held_out": 13}[part]
    assert not clusters[0] & clusters[1]


def test_recipes_that_say_the_same_are_asked_about_once(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    folder = Path(settings["flow_graphs"]) / "r-200"
    for ending in (".list", ".flow"):
        (folder / f"recipe-00099{ending}").write_bytes(
            (folder / f"recipe-00011{ending}").read_bytes()
        )
    plan = Plan(["catbench/order"], settings={**settings, "part": "held_out"})
    held = list(generate(plan, 1))
    assert len({sample.id for sample in held}) == len(held)
    values = TASK.generator.configure(plan.settings)
    (line,) = TASK.generator.choice_notes(values, None, 0)["skipped"]
    assert line.startswith("r-200/recipe-00099: has the title and the steps of r-200/recipe-00011")


def test_two_steps_of_the_same_text_are_no_duplicate_when_switched(tmp_path: Path) -> None:
    held = subject(3, [(0, 2)])
    same = Subject("x", "", (Step("Stir."), Step("Stir."), Step("Serve.")), held.graph)
    from thence.families.catbench.pair_surface import Pair
    from thence.families.catbench.questions import NONDEP, SWITCHED, draft

    plain, turned = (draft(Pair(same, 0, 1), "before", split, {}) for split in (NONDEP, SWITCHED))
    assert plain.metadata["procedure"]["steps"] == turned.metadata["procedure"]["steps"]
    assert sample_id(TASK, plain.structure, plain.question, "no") != sample_id(
        TASK, turned.structure, turned.question, "no"
    )


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"source": "corpus"}, "flow_graphs=DIR"),
        ({"source": "recipes", "flow_graphs": "x"}, "leave one of them out"),
        ({"titles": "x.json"}, "flow_graphs=DIR"),
        ({"source": "books"}, "source=books: must be one of"),
        ({"part": "train"}, "part=train: must be test or held_out"),
    ],
)
def test_settings_that_do_not_go_together(settings: dict[str, str], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        TASK.generator.configure(settings)


def test_more_questions_than_the_corpus_has(tmp_path: Path) -> None:
    plan = Plan(["catbench/order"], size=100_000, settings=settings_of(tmp_path))
    with pytest.raises(UsageError, match=r"size=100000: .* ask for fewer"):
        next(iter(generate(plan, 1)))


# Domains -----------------------------------------------------------------------------------------


@pytest.fixture
def kitchen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A domain whose procedures are random orders."""

    def subjects(source: str, rng: Random) -> Any:
        while True:
            n = rng.randint(5, 9)
            edges = [(a, b) for b in range(n) for a in range(b) if rng.random() < 0.3]
            steps = [Step(f"do {rng.getrandbits(30)}") for _ in range(n)]
            order = tuple(Graph(n, edges).transitive_reduction())
            yield Subject.of(Procedure("dish", tuple(steps), order), apart=True)

    monkeypatch.setattr(sources, "subjects", subjects)
    sources.drawn.cache_clear()
    yield
    sources.drawn.cache_clear()


@pytest.mark.usefixtures("kitchen")
def test_without_a_corpus_the_set_has_the_papers_numbers() -> None:
    from thence.families.catbench import selection

    for cached in (selection.choice_of, selection.balance_of):
        cached.cache_clear()
    held = list(generate(Plan(["catbench/order"], seed=1), 1))
    counts = Counter(sample.metadata["group"] for sample in held)
    assert counts == {"DEP": 1420, "NONDEP": 1420, "NONDEP-S": 1420}
    assert len({sample.cluster for sample in held}) >= 57
    cells = TASK.generator.conditions(TASK.generator.configure({}))
    draws = [TASK.generator.draw(cell, Random(seed)) for cell in cells for seed in range(9)]
    assert [draft.target for draft in draws] == ["yes"] * 9 + ["no"] * 18
    assert TASK.generator.condition(held[0]) == Condition("DEP", {"split": "DEP"}, 1)
    for cached in (selection.choice_of, selection.balance_of):
        cached.cache_clear()


@pytest.mark.parametrize(("size", "least"), [(24, 8), (48, 10), (120, 12), (240, 20)])
def test_a_small_set_is_about_many_procedures_and_its_manifest_about_it(
    size: int, least: int
) -> None:
    made = thence.generate("catbench", size=size)
    assert len({sample.metadata["cluster"] for sample in made}) >= least
    notes = made.manifest["notes"]["catbench/order"]
    assert notes["pairs_of_each_class"] == size // 6
    assert notes["procedures"] < 200


# The published recipes ---------------------------------------------------------------------------


def test_the_papers_set_of_the_published_corpus() -> None:
    folder = published()
    settings = {
        "flow_graphs": str(folder / "flow_graph_corpus"),
        "titles": str(folder / "title_map.json"),
    }
    counts = Counter(
        place.condition.group for place in slots(Plan(["catbench/order"], settings=settings))
    )
    assert counts == {"DEP": 1420, "NONDEP": 1420, "NONDEP-S": 1420}
    notes = TASK.generator.choice_notes(TASK.generator.configure(settings), None, 0)
    assert (notes["dependent_pairs"], notes["independent_pairs"]) == (1848, 710)
    assert (notes["pairs_of_each_class"], notes["sampled_class"]) == (710, "dependent")
    assert (notes["recipes"], len(notes["cyclic"])) == (57, 3)


def test_five_cars_on_their_routes_give_both_classes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("valhalla")
    pytest.importorskip("osmium")
    from thence.domains.routes import cars

    monkeypatch.setenv("THENCE_CACHE", str(tmp_path))
    monkeypatch.setattr(cars.procedures, "__kwdefaults__", {"seed": 3, "nodes": 2_000})
    sources.drawn.cache_clear()
    held = list(generate(Plan(["catbench/order"], size=48, settings={"source": "routes"}), 1))
    sources.drawn.cache_clear()
    assert Counter(sample.target for sample in held)["yes"] == 16
    for sample in held:
        i, j = sample.metadata["step_pair"]
        reached = {i}  # a second way: all that comes after step i, edge by edge
        order = sample.metadata["procedure"]["order"]
        for _ in order:
            reached |= {b for a, b in order if a in reached}
        assert (sample.metadata["split"] == "DEP") == (j in reached)
        steps = [step["text"] for step in sample.metadata["procedure"]["steps"]]
        assert all(re.match(r"Car [1-5]: ", text) for text in steps)
        assert not any("done Step" in text for text in steps)
        assert steps[i][:5] != steps[j][:5]  # of one car, the order is there for all to see
        for text in steps:
            car, _, awaited = text.partition(": Wait here until Car ")
            if awaited:
                other, _, told = awaited.partition(" has done this: ")
                other = other.removesuffix(" has arrived.")
                assert car != f"Car {other}"
                told = told or "You have arrived at your destination."
                assert steps.count(f"Car {other}: {told}") == 1
