"""Taint: a contaminated fact reaches step j with no sanitising step between.

Contamination travels along the entity-flow graph: a step that uses something contaminated
contaminates all that it defines. A sanitising step uses it and passes nothing on. A question names
the source: step i and the fact that it leaves contaminated (all that it defines where no fact is
given), or the fact alone, contaminated from the start. Each edge of the graph stands for some
execution, as usual in taint analysis: where steps race, no single execution need show the whole
chain; where none do, every chain can be executed.

With choices all edges of a chain must hold under the same options. A chain is looked for whose
edges hold one by one; where no options fit them all, the search goes on under each option of a
choice that its steps depend on. A question is thus decided by the choices along its chains alone,
mostly at once, at worst after a bounded number of their combinations.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence

from thence.core.graph import bitset, members
from thence.dataflow import sentences
from thence.dataflow.choices import MOST_WORK, Choices, Options, TooManyOptions
from thence.dataflow.flow import START, Flow, Role
from thence.dataflow.flow_cache import cached
from thence.dataflow.graphs import EntityEdge, Label, entity_edges
from thence.dataflow.questions import (
    ChainLink,
    DataflowAnalysis,
    FlowQuestion,
    Verdict,
    Witness,
    present,
)
from thence.dataflow.sentences import Scope
from thence.errors import UsageError

Trail = dict[int, EntityEdge]  # a contaminated step -> the edge that it came along


def _decide(flow: Flow, asked: FlowQuestion) -> Verdict:
    if asked.i is None and asked.fact is None:
        raise UsageError("taint: a question needs a source; give fact, i or both")
    j = present(asked.j)
    options = _way(flow, asked, j)
    if options is None:
        return Verdict(answer=False, reasons=lambda: _clean(flow, asked, j))
    return Verdict(
        answer=True,
        reasons=lambda: sentences.under_options(
            flow,
            options,
            lambda left, scope: _tainted(left, scope, asked, j),
            lambda left: _way(left, asked, j) is not None,
            [k for k in (asked.i, j) if k is not None],
        ),
    )


def _way(flow: Flow, asked: FlowQuestion, j: int) -> Options | None:
    """Return options under which contamination reaches a step; None where there are none."""
    if flow.choices is None:
        return {} if j in contaminated(flow, asked.i, asked.fact, asked.sanitizers) else None
    fixed = [j] if asked.i is None else [asked.i, j]
    given = flow.choices.taken(fixed)
    if given is None:
        return None
    waiting, work = [given], 0
    while waiting:
        given = waiting.pop()
        passes = _passes(flow, flow.choices, given)
        trail = _contaminated(flow, asked.i, asked.fact, asked.sanitizers, passes)
        if j not in trail:
            continue
        chain = trail_to(trail, asked, j)
        steps = [*fixed, *(link.target for link in chain)]
        barriers = 0
        for link in chain:
            barriers |= _barriers(flow, link)
        found = flow.choices.taken(steps, barriers, given)
        if found is not None:
            return found
        work += len(entity_edges(flow))
        if work > MOST_WORK:
            raise TooManyOptions(len(flow.choices.options))
        whens = [flow.choices.whens[step] for step in (*steps, *members(barriers))]
        choice = next(name for when in whens for name, _ in when if name not in given)
        waiting += [given | {choice: option} for option in reversed(flow.choices.options[choice])]
    return None


def _barriers(flow: Flow, edge: EntityEdge) -> int:
    """Return the bitset of the steps that would keep the fact of an edge from its target."""
    ends = flow.enders(edge.fact)
    after = flow.all_steps if edge.source == START else flow.descendants[edge.source]
    return ends & after & flow.ancestors[edge.target]


def _passes(flow: Flow, choices: Choices, given: Options) -> Callable[[EntityEdge], bool]:
    """Return a test whether an edge may hold under the options that are given."""

    def is_open(step: int) -> bool:
        return all(given.get(choice, option) == option for choice, option in choices.whens[step])

    def is_sure(step: int) -> bool:
        return all(given.get(choice) == option for choice, option in choices.whens[step])

    def passes(edge: EntityEdge) -> bool:
        ends = (edge.target,) if edge.source == START else (edge.source, edge.target)
        return all(map(is_open, ends)) and not any(map(is_sure, members(_barriers(flow, edge))))

    return passes


@cached
def contaminated(flow: Flow, i: int | None, fact: str | None, sanitizers: frozenset[int]) -> Trail:
    """Return the contaminated steps, each with the edge along which contamination came."""
    return _contaminated(flow, i, fact, sanitizers)


def _contaminated(
    flow: Flow,
    i: int | None,
    fact: str | None,
    sanitizers: frozenset[int],
    passes: Callable[[EntityEdge], bool] | None = None,
) -> Trail:
    source = START if i is None else i
    leaving = _leaving_in_closure if flow.choices is None and not flow.is_total else _leaving
    trail: Trail = {}
    waiting = deque([source])
    while waiting:
        step = waiting.popleft()
        for edge in leaving(flow, step):
            wanted = fact is None or edge.fact == fact or step in trail
            if wanted and edge.target not in trail and (passes is None or passes(edge)):
                trail[edge.target] = edge
                if edge.target not in sanitizers:
                    waiting.append(edge.target)
    return trail


def _leaving(flow: Flow, source: int) -> Sequence[EntityEdge]:
    """Return the edges that leave a step, or START."""
    return _edges_by_source(flow).get(source, ())


@cached
def _edges_by_source(flow: Flow) -> dict[int, list[EntityEdge]]:
    edges: dict[int, list[EntityEdge]] = {}
    for edge in entity_edges(flow):
        edges.setdefault(edge.source, []).append(edge)
    return edges


@cached
def _leaving_in_closure(flow: Flow, source: int) -> Sequence[EntityEdge]:
    """Return the same where the order is partial and steps are never left out.

    The edges of a step then follow from the closure of the order, and most steps need none.
    """
    return list(_from(flow, source))


def _from(flow: Flow, source: int) -> Iterator[EntityEdge]:
    ahead, closed = flow.all_steps, 0
    made: Collection[str] = flow.start
    if source != START:
        ahead = flow.descendants[source]
        closed, made = flow.ancestors[source] | 1 << source, flow.steps[source].defines
    for fact in _used(flow, made):
        ends = flow.enders(fact) & ahead
        for user in flow.steps_with(Role.USE, fact):
            if not (closed >> user & 1 or ends & flow.ancestors[user]):
                anew = flow.does(user, Role.DEFINE, fact)
                label = Label.MODIFICATION if anew else Label.CONSUMPTION
                yield EntityEdge(source, fact, user, label)


def _used(flow: Flow, facts: Collection[str]) -> list[str]:
    """Return which of some facts steps use, in the order of their first uses."""
    places = _places_of_first_uses(flow)
    return sorted(places.keys() & facts, key=places.__getitem__)


@cached
def _places_of_first_uses(flow: Flow) -> dict[str, int]:
    return {fact: place for place, fact in enumerate(flow.steps_by_fact[Role.USE])}


def trail_to(trail: Trail, asked: FlowQuestion, j: int) -> list[EntityEdge]:
    """Return the edges of the trail from the source to a contaminated step."""
    source = START if asked.i is None else asked.i
    found = [trail[j]]
    while found[-1].source != source or asked.fact not in {None, found[-1].fact}:
        found.append(trail[found[-1].source])
    found.reverse()
    return found


def always_holds(scope: Scope, chain: Sequence[ChainLink]) -> bool:
    """Return whether each link of a chain holds wherever its steps are carried out."""
    every = (Role.KILL, Role.DEFINE)
    return all(
        scope.is_clear(each["from"], each["to"], scope.having(each["fact"], *every))
        for each in chain
    )


def _tainted(flow: Flow, scope: Scope, asked: FlowQuestion, j: int) -> tuple[Witness, str]:
    source = START if asked.i is None else asked.i
    found = trail_to(contaminated(flow, asked.i, asked.fact, asked.sanitizers), asked, j)
    begun = "the start" if source == START else f"step {source + 1}"
    chain = _chain(found)
    verb = sentences.can(scope, "goes", "go", sure=always_holds(scope, chain))
    return {"chain": chain}, (
        f"Contamination {verb} from {begun} by way of {_in_links(found)}, "
        "and no step on the way sanitises it."
    )


def _in_links(found: Sequence[EntityEdge]) -> str:
    """Return the links of a way in words, such as ``'dough' to step 4``."""
    return ", and from there by way of ".join(
        f"'{link.fact}' to step {link.target + 1}" for link in found
    )


def _clean(flow: Flow, asked: FlowQuestion, j: int) -> tuple[Witness, str]:
    fact = asked.fact
    if asked.i is None and fact not in flow.start:
        why = f"'{fact}' is not there at the start, so nothing of it reaches step {j + 1}."
        return {"fact": fact}, why
    if asked.i is not None and fact is not None and not flow.does(asked.i, Role.DEFINE, fact):
        return {"fact": fact}, f"Step {asked.i + 1} does not define '{fact}'."
    if asked.i is not None and (apart := sentences.never_both(flow, asked.i, j)):
        return apart
    if _way(flow, asked._replace(sanitizers=frozenset()), j) is not None:
        cut = [k for k in flow.in_order(asked.sanitizers) if _way(flow, asked, k) is not None]
        # unless steps race on the way, each stands before step j on a way to it
        cut = [k for k in cut if not flow.precedes(j, k) and _leads(flow, k, j)] or cut
        # links that hold two by two need not hold in one order
        told = _fewest(flow, asked, j, cut)
        verb, come = ("sanitises", "comes") if len(told) == 1 else ("sanitise", "come")
        late = all(flow.precedes(j, k) for k in told)
        late_too = f", and which always {come} after step {j + 1}" if late else ""
        begun = "the start" if asked.i is None else f"step {asked.i + 1}"
        both = [j] if asked.i is None else [asked.i, j]
        if flow.choices is not None and flow.choices.fits(both, bitset(told)):
            late_too += f", where {'that is' if len(told) == 1 else 'one of these is'} carried out"
        way = "" if late else _cut_way(flow, asked, j, told)
        return {"sanitizers": cut}, (
            f"All that could get from {begun} to step {j + 1} goes through "
            f"{sentences.steps(told)}, which {verb} it{late_too}.{way}"
        )
    if asked.i is None:
        what = f"the '{fact}' of the start"
    else:
        what = (
            f"what step {asked.i + 1} defines"
            if fact is None
            else (f"the '{fact}' of step {asked.i + 1}")
        )
    why = _replaced(flow, asked, j) if flow.choices is None else ""
    return {"fact": fact}, f"Neither {what} nor anything made from it gets to step {j + 1}{why}."


def _cut_way(flow: Flow, asked: FlowQuestion, j: int, told: Sequence[int]) -> str:
    """Return a way to step j that the sanitising steps cut, as a sentence of its own."""
    bare = asked._replace(sanitizers=frozenset())
    options = present(_way(flow, bare, j))
    world = flow.under(options) if flow.choices else flow
    found = trail_to(contaminated(world, asked.i, asked.fact, frozenset()), bare, j)
    passed = [k for link in found for k in (link.source, link.target) if k != START]
    barriers = bitset(k for link in found for k in members(_barriers(flow, link)))
    needed = flow.taken(passed, barriers) or {}
    open_ = flow.all_steps
    if flow.choices:
        fits = flow.choices.taken
        open_ = bitset(k for k in range(len(flow)) if fits([k], given=needed) is not None)
    verb = "would" if always_holds(Scope(flow, open_), _chain(found)) else "could"
    begun = "the start" if asked.i is None else f"step {asked.i + 1}"
    where = sentences.where(needed)
    begin = f"W{where[1:]}, contamination" if where else "Contamination"
    return (
        f" {begin} {verb} go from {begun} by way of {_in_links(found)}, "
        f"if {sentences.steps(told, 'and')} did not sanitise it."
    )


def _chain(found: Sequence[EntityEdge]) -> list[ChainLink]:
    """Return the links of a way as a witness has them."""
    return [
        {
            "from": None if link.source == START else link.source,
            "fact": link.fact,
            "to": link.target,
        }
        for link in found
    ]


def _fewest(flow: Flow, asked: FlowQuestion, j: int, cut: Sequence[int]) -> list[int]:
    """Return as few of some sanitising steps as suffice to cut all ways; the first ones first."""
    kept = [*cut]
    for k in reversed(cut):
        rest = frozenset(kept) - {k}
        if rest and _way(flow, asked._replace(sanitizers=rest), j) is None:
            kept.remove(k)
    return kept


def _leads(flow: Flow, k: int, j: int) -> bool:
    """Return whether contamination of a step would reach another with no sanitising steps."""
    return _way(flow, FlowQuestion(k, j), j) is not None


def _replaced(flow: Flow, asked: FlowQuestion, j: int) -> str:
    """Return which step ends something contaminated before its use; of step j if there is one."""
    trail = contaminated(flow, asked.i, asked.fact, asked.sanitizers)
    source = START if asked.i is None else asked.i
    found: list[tuple[bool, int, str, int]] = []
    for a in (source, *(step for step in trail if step not in asked.sanitizers)):
        for fact in flow.start if a == START else flow.steps[a].defines:
            if a == source and asked.fact not in {None, fact}:
                continue
            ends = flow.enders(fact)
            after = flow.all_steps if a == START else flow.descendants[a]
            found += [
                (b != j, flow.in_order(members(cut))[-1], fact, b)
                for b in flow.steps_with(Role.USE, fact)
                if b != a and b not in trail
                and (cut := ends & after & flow.ancestors[b] & ~(1 << b))
            ]  # fmt: skip
    if not found:
        return ""
    _, step, fact, user = min(found)
    return f": step {step + 1} {sentences.ended(flow, step, fact)} before step {user + 1} uses it"


def _solve(flow: Flow) -> Iterator[FlowQuestion]:
    """Yield the steps that any fact of the start reaches."""
    for j in contaminated(flow, None, None, frozenset()):
        asked = FlowQuestion(None, j)
        if flow.choices is None or _way(flow, asked, j) is not None:
            yield asked


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
