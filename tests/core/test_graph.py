"""Every answer about a graph is found a second time, by brute force or by another library."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import Random

import pytest
import rustworkx
from hypothesis import example, given
from hypothesis import strategies as st

from thence.core.graph import Edge, Graph, members

Case = tuple[int, list[Edge]]


@st.composite
def cases(draw: st.DrawFn, acyclic: bool = False) -> Case:
    n = draw(st.integers(1, 6))
    nodes = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(nodes, nodes), max_size=16))
    if acyclic:
        rank = draw(st.permutations(range(n)))
        edges = [(a, b) if rank[a] < rank[b] else (b, a) for a, b in edges if a != b]
    return n, edges


def walks(n: int, edges: list[Edge]) -> list[list[int]]:
    """Shortest lengths, of at least 1, between all pairs, by Floyd and Warshall; 0 for none."""
    far = n + 1
    length = [[far] * n for _ in range(n)]
    for a, b in edges:
        length[a][b] = 1
    for k, i, j in itertools.product(range(n), repeat=3):
        length[i][j] = min(length[i][j], length[i][k] + length[k][j])
    return [[0 if each > n else each for each in row] for row in length]


def all_cycles(n: int, edges: list[Edge]) -> set[tuple[int, ...]]:
    """Simple cycles from their smallest node, by trying every sequence of distinct nodes."""
    known = set(edges)
    return {
        order
        for size in range(1, n + 1)
        for order in itertools.permutations(range(n), size)
        if order[0] == min(order)
        and all(pair in known for pair in itertools.pairwise([*order, order[0]]))
    }


@given(cases())
def test_reachability_is_what_floyd_and_warshall_find(case: Case) -> None:
    n, edges = case
    graph, lengths = Graph(n, edges), walks(*case)
    for a, b in itertools.product(range(n), repeat=2):
        expected = lengths[a][b] > 0
        assert graph.reaches(a, b) is expected
        assert bool(graph.descendants[a] >> b & 1) is expected
        assert bool(graph.ancestors[b] >> a & 1) is expected


@given(cases())
def test_chains_are_shortest_and_made_of_edges(case: Case) -> None:
    n, edges = case
    graph, lengths = Graph(n, edges), walks(*case)
    for a in range(n):
        for b in range(n):
            chain = graph.shortest_chain(a, b)
            if chain is None:
                assert lengths[a][b] == 0
                continue
            assert (chain[0], chain[-1]) == (a, b)
            assert len(chain) - 1 == lengths[a][b]
            assert set(itertools.pairwise(chain)) <= set(edges)
        expected = [lengths[a][b] or -1 for b in range(n)]
        expected[a] = 0
        assert graph.distances(a) == expected


@given(cases())
def test_an_order_or_a_cycle_and_never_both(case: Case) -> None:
    n, edges = case
    graph = Graph(n, edges)
    order, cycle = graph.topological_order(), graph.a_cycle()
    assert (order is None) != (cycle is None)
    if order is not None:
        assert sorted(order) == list(range(n))
        assert all(order.index(a) < order.index(b) for a, b in edges)
    if cycle is not None:
        assert len(set(cycle)) == len(cycle)
        assert set(itertools.pairwise([*cycle, cycle[0]])) <= set(edges)


@given(cases(acyclic=True))
def test_a_reduction_keeps_the_order_and_nothing_can_be_taken_from_it(case: Case) -> None:
    n, edges = case
    graph = Graph(n, edges)
    kept = graph.transitive_reduction()
    assert kept == [edge for edge in dict.fromkeys(edges) if edge in kept]
    assert Graph(n, kept).descendants == graph.descendants
    for edge in kept:
        fewer = [each for each in kept if each != edge]
        assert Graph(n, fewer).descendants != graph.descendants


def test_a_cycle_has_no_reduction() -> None:
    with pytest.raises(ValueError, match="cycle"):
        Graph(2, [(0, 1), (1, 0)]).transitive_reduction()


@given(cases())
@example((3, [(0, 0), (1, 2), (2, 1)]))
def test_cycles_are_all_there_are_once_each(case: Case) -> None:
    n, edges = case
    graph, expected = Graph(n, edges), all_cycles(*case)
    found = [tuple(cycle) for cycle in graph.simple_cycles()]
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert found == sorted(found, key=lambda cycle: cycle[0])


def test_enumeration_costs_only_the_cycles_taken() -> None:
    """A complete graph of 60 nodes has more cycles than anything could list."""
    n = 60
    graph = Graph(n, [(a, b) for a in range(n) for b in range(n) if a != b])
    assert len(list(itertools.islice(graph.simple_cycles(), 1000))) == 1000


@given(cases())
def test_components_reach_themselves_and_none_leads_to_a_later_one(case: Case) -> None:
    n, edges = case
    lengths, found = walks(*case), Graph(n, edges).components
    assert sorted(itertools.chain.from_iterable(found)) == list(range(n))
    place = {node: index for index, each in enumerate(found) for node in each}
    for a, b in itertools.permutations(range(n), 2):
        assert (place[a] == place[b]) is bool(lengths[a][b] and lengths[b][a])
    assert all(place[a] >= place[b] for a, b in edges)


def random_graphs() -> Iterator[Case]:
    rng = Random(7)
    for _ in range(60):
        n = rng.randint(8, 80)
        yield n, [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(n, 2 * n))]


def test_larger_graphs_agree_with_rustworkx() -> None:
    for n, edges in random_graphs():
        graph = Graph(n, edges)
        other = rustworkx.PyDiGraph(multigraph=False)
        other.add_nodes_from(range(n))
        other.add_edges_from_no_data(edges)
        expected = {frozenset(each) for each in rustworkx.strongly_connected_components(other)}
        assert {frozenset(each) for each in graph.components} == expected
        assert (graph.topological_order() is not None) is rustworkx.is_directed_acyclic_graph(other)
        for node in range(n):
            lengths = rustworkx.digraph_dijkstra_shortest_path_lengths(other, node, lambda _: 1.0)
            found = {b: steps for b, steps in enumerate(graph.distances(node)) if steps > 0}
            assert found == {b: steps for b, steps in lengths.items() if b != node}


def test_long_chains_need_no_recursion() -> None:
    n = 20_000
    ring = [(node, (node + 1) % n) for node in range(n)]
    assert next(Graph(n, ring).simple_cycles()) == list(range(n))
    assert len(Graph(n, ring).components) == 1
    assert Graph(n, ring[:-1]).topological_order() == list(range(n))


def test_an_edge_given_twice_counts_once_and_one_to_nowhere_is_refused() -> None:
    graph = Graph(2, [(0, 1), (0, 1)])
    assert graph.edges == ((0, 1),)
    assert graph.predecessors == ((), (0,))
    assert graph.reversed().edges == ((1, 0),)
    with pytest.raises(ValueError, match="0 -> 2"):
        Graph(2, [(0, 2)])


def test_members_of_a_bitset() -> None:
    assert list(members(0)) == []
    assert list(members(1 << 70 | 0b1010)) == [1, 3, 70]
