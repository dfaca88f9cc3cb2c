"""Sentences on where a step has its facts from, and why nothing gets there from another step."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from thence.core.graph import members
from thence.core.sentence_parts import listed
from thence.dataflow import Flow, analysis, sentences
from thence.dataflow.analyses.taint import always_holds, contaminated, trail_to
from thence.dataflow.flow import Role
from thence.dataflow.graphs import EntityEdge
from thence.dataflow.questions import ChainLink, FlowQuestion
from thence.dataflow.strategies import StrategyView, kills_ignored, order_ignored, suppliers_ignored
from thence.dataflow.worlds import links_to, with_steps, worlds

_NOT_REACHED, _MADE_SAFE = "Neither what step", "All that could get from step"
_WHOLE = "From step", "No later step", "Nothing that step"
"""Beginnings of sentences that need not name step j."""

_SOMEWHERE = "which is there from elsewhere"
_MOST_NAMED = 6  # steps that are named of those that something unsafe gets to


def with_sources(why: str, flow: Flow, asked: Mapping[str, Any], bad: str = "unsafe") -> str:
    """Return an explanation that names from where a step has a fact, or what cuts a way.

    Where step j always comes before step i, that is all it says of taint.

    Args:
        why: the explanation of an analysis.
        flow: of the procedure.
        asked: the question, with ``i`` and ``j`` and, of taint, ``sanitizers``.
        bad: the word for what is unsafe.
    """
    if why.startswith((_NOT_REACHED, _MADE_SAFE)):
        i, j = asked["i"], asked["j"]
        if flow.precedes(j, i):
            return f"Step {j + 1} always comes before step {i + 1}."
        question = FlowQuestion(i, j, None, frozenset(asked["sanitizers"]))
        if why.startswith(_MADE_SAFE):
            ways = _ways_but_for_ends(flow, question, i, j)
            safe, _, way = why.partition(". ")
            cut = _first_cut(flow, question, ways, bad, question.sanitizers)
            return " ".join(filter(None, [f"{safe.removesuffix('.')}.", cut, way]))
        return _unreached(flow, question, bad)
    if why.endswith(f"{_SOMEWHERE}."):
        return why.replace(_SOMEWHERE, _elsewhere(flow, asked))
    return why


def _elsewhere(flow: Flow, asked: Mapping[str, Any]) -> str:
    """Return from where step j has what step i makes true for it."""
    i, j = asked["i"], asked["j"]
    fact = next(fact for fact in flow.steps[j].uses if flow.does(i, Role.DEFINE, fact))
    makers, from_start = _sources(flow, i, j, fact)
    named = [f"step {k + 1}" for k in flow.in_order(makers)] + ["the start"] * from_start
    return f"which is there from {listed(named, 'or')}"


def _sources(flow: Flow, i: int, j: int, fact: str) -> tuple[set[int], bool]:
    """Return the steps from which step j can have a fact without step i, and whether the start can.

    A step or the start is none if another step that ends the fact or makes it true always comes
    between.
    """
    makers: set[int] = set()
    from_start = False
    others = ~(1 << i | 1 << j)
    for world in with_steps(flow, j):
        made = world.mask(Role.DEFINE, fact) & others
        between = (made | world.mask(Role.KILL, fact) & others) & world.ancestors[j]
        makers.update(
            k for k in members(made & ~world.descendants[j]) if not between & world.descendants[k]
        )
        from_start |= fact in flow.start and not between
    return makers, from_start


def _unreached(flow: Flow, asked: FlowQuestion, bad: str) -> str:
    """Return why nothing unsafe gets from a step to another: what cuts the shortest way."""
    i, j = asked.i, asked.j
    if i is None or j is None:
        raise TypeError("a question without its steps")
    why = _cut(flow, asked, i, j, bad)
    named = re.findall(r"[Ss]tep (\d+)", why)
    if str(j + 1) not in named and not why.startswith(_WHOLE):
        why = f"Nothing {bad} gets from step {i + 1} to step {j + 1}: {why[0].lower()}{why[1:]}"
    return why


def _cut(flow: Flow, asked: FlowQuestion, i: int, j: int, bad: str) -> str:
    """Return what cuts a way to step j, or that there is none."""
    ways = _ways_but_for_ends(flow, asked, i, j)
    if why := _first_cut(flow, asked, ways, bad):
        return why
    if not ways and links_to(flow, asked, j) is None:
        return _short_of(flow, asked, i, j, bad)
    return _no_options(i, j, bad)


def _first_cut(
    flow: Flow, asked: FlowQuestion, ways: Sequence[Sequence[EntityEdge]], bad: str,
    but: frozenset[int] = frozenset(),
) -> str:  # fmt: skip
    """Return what cuts the first of some ways that are cut by other steps than some; or ""."""
    return next(filter(None, (_cut_at(flow, asked, edges, bad, but) for edges in ways)), "")


def _ways_but_for_ends(
    flow: Flow, asked: FlowQuestion, i: int, j: int
) -> list[Sequence[EntityEdge]]:
    """Return ways to step j that would be if no step ended a fact, without steps that come late."""
    return [
        edges
        for leave_out in (suppliers_ignored, kills_ignored)
        for edges in _ways(leave_out, flow, asked, i, j)
        if not any(flow.precedes(j, edge.target) or flow.precedes(edge.target, i) for edge in edges)
    ]  # links hold two by two: a step on the way may race with all others, but not come after j


def _short_of(flow: Flow, asked: FlowQuestion, i: int, j: int, bad: str) -> str:
    """Return how far what is unsafe gets, where no way would lead to step j at all."""
    reached = [k for k in range(len(flow)) if _gets_to(flow, asked, k)]
    if not reached:
        return _not_passed_on(flow, i) or _no_options(i, j, bad)
    scope = sentences.Scope(flow, flow.all_steps)
    sure = all(flow.taken([i], 1 << k) is None for k in reached)
    sure = sure and always_holds(scope, _chains(flow, asked, reached))
    gets = sentences.can(scope, "gets", "get", sure=sure)
    begun = f"From step {i + 1} what is {bad} {gets} to"
    if len(reached) <= _MOST_NAMED:
        return f"{begun} {sentences.steps(flow.in_order(reached), 'and')} only."
    for edges in _ways(order_ignored, flow, asked, i, j):
        if why := _too_early(flow, edges, bad):
            return why
    if links_to(*order_ignored(flow, "taint", asked), j) is None:
        return f"No steps pass anything on from step {i + 1} to step {j + 1}."
    return f"{begun} {len(reached)} steps, none of which passes it on to step {j + 1}."


def _chains(flow: Flow, asked: FlowQuestion, reached: Sequence[int]) -> list[ChainLink]:
    """Return the links by which what is unsafe gets to some steps."""
    rule = analysis("taint").rule
    return [link for k in reached for link in rule(flow, asked._replace(j=k)).witness["chain"]]


def _not_passed_on(flow: Flow, i: int) -> str:
    """Return why no step uses anything of step i; "" where options alone say why."""
    cuts: dict[str, int] = {}
    for fact in flow.steps[i].defines:
        for user in flow.steps_with(Role.USE, fact):
            if user != i and not flow.precedes(user, i) and flow.is_possible(i, user):
                enders = _between(flow, i, user, fact)
                if not enders:
                    return ""
                cuts.setdefault(_enders(flow, enders, fact), user)
    if not cuts:
        return f"No later step uses what step {i + 1} defines."
    told = "; ".join(f"{ended} before step {user + 1} uses it" for ended, user in cuts.items())
    return f"Nothing that step {i + 1} defines is there still where it is used: {told}."


def _no_options(i: int, j: int, bad: str) -> str:
    return f"No options let what is {bad} get all the way from step {i + 1} to step {j + 1}."


def _gets_to(flow: Flow, asked: FlowQuestion, step: int) -> bool:
    """Return whether what is unsafe gets to a step."""
    return step != asked.i and bool(analysis("taint").rule(flow, asked._replace(j=step)).answer)


def _ways(
    leave_out: Callable[[Flow, str, FlowQuestion], StrategyView],
    flow: Flow,
    asked: FlowQuestion,
    i: int,
    j: int,
) -> Iterator[Sequence[EntityEdge]]:
    """Yield a way from step i to step j for each options that have one, with a part left out."""
    view, question = leave_out(flow, "taint", asked)
    for world in worlds(view):
        trail = contaminated(world, i, None, question.sanitizers)
        if j in trail:
            yield trail_to(trail, question, j)


def _cut_at(
    flow: Flow,
    asked: FlowQuestion,
    edges: Sequence[EntityEdge],
    bad: str,
    but: frozenset[int],
) -> str:
    """Return what ends a fact on a way, at the first link that holds no more; "" for nothing.

    Args:
        flow: of the procedure.
        asked: the question.
        edges: the links of a way that would be with a part of the analysis left out.
        bad: the word for what is unsafe.
        but: steps that do not count, unless others end the fact, too.
    """
    for place, (a, told, b, _) in enumerate(edges):
        if _gets_to(flow, asked, b):
            continue
        if a != asked.i and not _gets_to(flow, asked, a):
            return ""
        fact = told.partition("\n")[0]
        enders = _between(flow, a, b, fact, but)
        if not enders:
            return ""
        why = (
            f"between step {a + 1} and step {b + 1}, {_enders(flow, enders, fact)}, and "
            f"nothing {bad} gets to step {b + 1} another way."
        )
        if place:
            return f"{_way_there(flow, edges[: place + 1], bad)}, but {why}"
        return f"{why[0].upper()}{why[1:]}"
    return ""


def _between(
    flow: Flow, a: int, b: int, fact: str, but: frozenset[int] = frozenset()
) -> Sequence[int]:
    """Return the steps that always come between two others and end a fact or make it true.

    Of these only one, if that is carried out whenever the two are and is not among some to leave
    out. Where all are to be left out, there is none.
    """
    ends = flow.enders(fact) & flow.descendants[a] & flow.ancestors[b]
    found = [k for k in members(ends) if flow.is_possible(k, a, b)]
    sure = [k for k in found if flow.taken((a, b), 1 << k) is None and k not in but]
    if sure or but.issuperset(found):
        return sure[:1]
    return found


def _enders(flow: Flow, enders: Sequence[int], fact: str) -> str:
    """Return in words that some steps end a fact."""
    does = "kills" if all(flow.does(k, Role.KILL, fact) for k in enders) else "redefines"
    either = "" if len(enders) == 1 else ", whichever is carried out,"
    return f"{sentences.steps(enders)}{either} {does} '{fact}'"


def _way_there(flow: Flow, edges: Sequence[EntityEdge], bad: str) -> str:
    """Return the links of a way that is cut at its last, and the options that it needs."""
    told = ", and from there by way of ".join(
        f"'{fact.partition(chr(10))[0]}' to step {target + 1}" for _, fact, target, _ in edges
    )
    passed = {edges[0].source, *(edge.target for edge in edges)}
    where = sentences.where(flow.taken(passed) or {})
    told = f"hat is {bad} would go from step {edges[0].source + 1} by way of {told}"
    return f"W{where[1:]}, w{told}" if where else f"W{told}"


def _too_early(flow: Flow, edges: Sequence[EntityEdge], bad: str) -> str:
    """Return which step comes too early for a link of a way; "" for none."""
    for a, told, b, _ in edges:
        if flow.precedes(b, a):
            fact = told.partition("\n")[0]
            return (
                f"Step {b + 1}, which uses '{fact}', always comes before step {a + 1}, which "
                f"defines it, and nothing {bad} gets there another way."
            )
    return ""
