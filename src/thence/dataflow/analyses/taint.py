"""Taint: a contaminated fact reaches step j with no sanitising step between.

Contamination travels along the entity-flow graph: a step that uses something contaminated
contaminates all that it defines. A sanitising step uses it and passes nothing on. A question names
the source: step i and the fact that it leaves contaminated (all that it defines where no fact is
given), or the fact alone, contaminated from the start. Each edge of the graph stands for some
execution, as usual in taint analysis: where steps race, no single execution need show the whole
chain; where none do, every chain can be executed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from thence.dataflow.flow import START, Flow, Role
from thence.dataflow.graphs import EntityEdge, flows
from thence.dataflow.questions import DataflowAnalysis, Question, Verdict, Witness
from thence.errors import UsageError

Trail = dict[int, EntityEdge]  # a contaminated step -> the edge that it came along


def _decide(flow: Flow, asked: Question) -> Verdict:
    if asked.i is None and asked.fact is None:
        raise UsageError("taint: a question needs a source; give fact, i or both")
    j = asked.j
    if j is None:
        raise TypeError("the question was not checked")
    trail = spread(flow, asked.i, asked.fact, asked.sanitizers)
    answer = j in trail
    return Verdict(answer, lambda: _tainted(trail, asked, j) if answer else _clean(flow, asked, j))


def spread(
    flow: Flow, i: int | None, fact: str | None, sanitizers: frozenset[int] = frozenset()
) -> Trail:
    """Return the contaminated steps, each with the edge along which contamination came."""
    key = ("taint", i, fact, sanitizers)
    if key not in flow.cache:
        flow.cache[key] = _spread(flow, START if i is None else i, fact, sanitizers)
    held: Trail = flow.cache[key]
    return held


def _spread(flow: Flow, source: int, fact: str | None, sanitizers: frozenset[int]) -> Trail:
    leaving = _leaving(flow)
    trail: Trail = {}
    waiting = deque([source])
    while waiting:
        step = waiting.popleft()
        for edge in leaving.get(step, ()):
            wanted = fact is None or edge.fact == fact or step in trail
            if wanted and edge.target not in trail:
                trail[edge.target] = edge
                if edge.target not in sanitizers:
                    waiting.append(edge.target)
    return trail


def _leaving(flow: Flow) -> dict[int, list[EntityEdge]]:
    """Return for each step, and START, the edges that leave it."""
    key = "entity flows by source"
    if key not in flow.cache:
        held: dict[int, list[EntityEdge]] = {}
        for edge in flows(flow):
            held.setdefault(edge.source, []).append(edge)
        flow.cache[key] = held
    found: dict[int, list[EntityEdge]] = flow.cache[key]
    return found


def _tainted(trail: Trail, asked: Question, j: int) -> tuple[Witness, str]:
    source = START if asked.i is None else asked.i
    links = [trail[j]]
    while links[-1].source != source or asked.fact not in {None, links[-1].fact}:
        links.append(trail[links[-1].source])
    links.reverse()
    told = ", ".join(f"'{link.fact}' to step {link.target + 1}" for link in links)
    begun = "the start" if source == START else f"step {source + 1}"
    return {
        "chain": [
            {
                "from": None if link.source == START else link.source,
                "fact": link.fact,
                "to": link.target,
            }
            for link in links
        ]
    }, f"Contamination goes from {begun} with {told}, and no step on the way sanitises it."


def _clean(flow: Flow, asked: Question, j: int) -> tuple[Witness, str]:
    fact = asked.fact
    if asked.i is None and fact not in flow.start:
        why = f"'{fact}' is not there at the start, so nothing of it reaches step {j + 1}."
        return {"fact": fact}, why
    if asked.i is not None and fact is not None and not flow.does(asked.i, Role.DEFINE, fact):
        return {"fact": fact}, f"Step {asked.i + 1} does not define '{fact}'."
    if j in spread(flow, asked.i, fact):
        cut = [
            step
            for step in flow.in_order(asked.sanitizers)
            if step in spread(flow, asked.i, fact, asked.sanitizers)
        ]
        names = " and ".join(f"step {step + 1}" for step in cut)
        verb = "sanitises" if len(cut) == 1 else "sanitise"
        return {"sanitizers": cut}, f"Every way to step {j + 1} is cut: {names} {verb} it before."
    if asked.i is None:
        what = f"the '{fact}' of the start"
    else:
        what = (
            f"what step {asked.i + 1} defines"
            if fact is None
            else (f"the '{fact}' of step {asked.i + 1}")
        )
    return {"fact": fact}, f"Neither {what} nor anything made from it gets to step {j + 1}."


def _solve(flow: Flow) -> Iterator[Question]:
    """Yield the steps that any fact of the start reaches."""
    for j in _spread(flow, START, None, frozenset()):
        yield Question(None, j)


ANALYSIS = DataflowAnalysis(
    rank=7,
    name="taint",
    title="taint analysis",
    reasoning="causal",
    definition=(
        "A step is tainted if something contaminated, or something made from it, is used by that "
        "step, with no sanitising step on the way."
    ),
    asks=("j",),
    may_ask=("i", "fact", "sanitizers"),
    rule=_decide,
    solve=_solve,
)
