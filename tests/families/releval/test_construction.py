"""What was built is looked at with another library, and by trying every way in small graphs."""

from __future__ import annotations

import itertools
from random import Random

import pytest
import rustworkx
from hypothesis import given, settings
from hypothesis import strategies as st

from thence.core.graph import Edge
from thence.families.releval.construction import (
    acyclic,
    chained,
    cyclic,
    most_edges_with_chain,
    most_edges_with_cycle,
)
from thence.families.releval.filling import pairs

SEEDS = st.integers(0, 2**32).map(Random)


def looked_at(n: int, m: int, edges: list[Edge]) -> rustworkx.PyDiGraph[int, None]:
    """The graph, which must have the size asked for and be in one piece."""
    assert len(edges) == len({frozenset(edge) for edge in edges}) == m
    graph: rustworkx.PyDiGraph[int, None] = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from_no_data(edges)
    assert graph.num_nodes() == n
    assert rustworkx.is_weakly_connected(graph)
    return graph


def steps(graph: rustworkx.PyDiGraph[int, None], a: int, b: int) -> int:
    lengths = rustworkx.digraph_dijkstra_shortest_path_lengths(graph, a, lambda _: 1.0, goal=b)
    return int(lengths[b]) if b in lengths else 0


@given(st.integers(1, 40), st.data(), SEEDS)
def test_acyclic_graphs_of_any_size(n: int, data: st.DataObject, rng: Random) -> None:
    m = data.draw(st.integers(n - 1, pairs(n)))
    graph = looked_at(n, m, acyclic(n, m, rng))
    assert rustworkx.is_directed_acyclic_graph(graph)


@settings(max_examples=200)
@given(st.integers(3, 14), st.data(), SEEDS)
def test_cycles_of_any_length_in_any_graph(n: int, data: st.DataObject, rng: Random) -> None:
    girth = data.draw(st.integers(3, n))
    m = data.draw(st.integers(n, most_edges_with_cycle(n, girth)))
    wanted = data.draw(st.integers(1, 12))
    graph = looked_at(n, m, cyclic(n, m, girth, wanted, rng))
    lengths = [len(cycle) for cycle in rustworkx.simple_cycles(graph)]
    assert min(lengths) == girth
    assert 1 <= len(lengths) <= wanted


@settings(max_examples=200)
@given(st.integers(3, 30), st.data(), SEEDS)
def test_chains_of_any_length_in_any_graph(n: int, data: st.DataObject, rng: Random) -> None:
    z = data.draw(st.integers(0, n - 1))
    m = data.draw(st.integers(n - 1, most_edges_with_chain(n, z)))
    edges, upper, lower = chained(n, m, z, rng)
    graph = looked_at(n, m, edges)
    assert rustworkx.is_directed_acyclic_graph(graph)
    assert (steps(graph, upper, lower), steps(graph, lower, upper)) == (z, 0)


@pytest.mark.parametrize(
    ("n", "m", "z", "seed"),
    [(26, 72, 23, 145509170841), (30, 108, 26, 130237097997), (30, 84, 27, 836254108344)],
)
def test_a_long_chain_leaves_less_than_half_of_all_pairs(n: int, m: int, z: int, seed: int) -> None:
    edges, upper, lower = chained(n, m, z, Random(seed))
    assert steps(looked_at(n, m, edges), upper, lower) == z


def oriented(n: int) -> list[list[Edge]]:
    """Every graph without opposite edges."""
    ways = itertools.product((0, 1, 2), repeat=pairs(n))
    ends = list(itertools.combinations(range(n), 2))
    return [
        [(a, b) if way == 1 else (b, a) for (a, b), way in zip(ends, each, strict=True) if way]
        for each in ways
    ]


@pytest.mark.parametrize("n", [3, 4, pytest.param(5, marks=pytest.mark.long)])
def test_the_bounds_are_those_of_trying_every_graph(n: int) -> None:
    most_cycle = dict.fromkeys(range(3, n + 1), 0)
    most_chain = dict.fromkeys(range(n), 0)
    for edges in oriented(n):
        graph: rustworkx.PyDiGraph[int, None] = rustworkx.PyDiGraph()
        graph.add_nodes_from(range(n))
        graph.add_edges_from_no_data(edges)
        if not rustworkx.is_weakly_connected(graph):
            continue
        if not rustworkx.is_directed_acyclic_graph(graph):
            girth = min(len(cycle) for cycle in rustworkx.simple_cycles(graph))
            most_cycle[girth] = max(most_cycle[girth], len(edges))
            continue
        lengths = rustworkx.digraph_all_pairs_dijkstra_path_lengths(graph, lambda _: 1.0)
        for a, b in itertools.permutations(range(n), 2):
            z = int(lengths[a][b]) if b in lengths[a] else 0
            if z or a not in lengths[b]:
                most_chain[z] = max(most_chain[z], len(edges))
    assert most_cycle == {z: most_edges_with_cycle(n, z) for z in most_cycle}
    assert most_chain == {z: most_edges_with_chain(n, z) for z in most_chain}


def test_the_number_of_cycles_is_near_the_one_wanted_where_there_is_room() -> None:
    rng = Random(1)
    found = []
    for wanted in [*range(1, 11), 40, 100] * 3:
        graph = looked_at(60, 150, cyclic(60, 150, 5, wanted, rng))
        found.append((wanted, len(list(rustworkx.simple_cycles(graph)))))
    assert sum(count for _, count in found) > 0.8 * sum(wanted for wanted, _ in found)


def test_large_graphs_need_no_list_of_all_pairs() -> None:
    rng = Random(2)
    edges, upper, lower = chained(3000, 15_000, 7, rng)
    assert steps(looked_at(3000, 15_000, edges), upper, lower) == 7
    looked_at(3000, 15_000, cyclic(3000, 15_000, 40, 5, rng))
