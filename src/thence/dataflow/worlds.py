"""Procedures that the options of the choices leave, and how many links join their steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thence.core.graph import members, union
from thence.dataflow.analyses.taint import contaminated, trail_to
from thence.dataflow.choices import Options
from thence.dataflow.flow import Flow, Role
from thence.dataflow.flow_cache import cached
from thence.dataflow.questions import FlowQuestion, present


def worlds(flow: Flow) -> list[Flow]:
    """Return what each combination of options leaves of a procedure, each once.

    Raises:
        TooManyOptions: there are too many combinations.
    """
    if flow.choices is None:
        return [flow]  # kept nowhere: a flow that held itself would be a cycle
    return _distinct_worlds(flow)


@cached
def _distinct_worlds(flow: Flow) -> list[Flow]:
    found = {world.absent: world for _, world in worlds_by_options(flow)}
    return list(found.values())


def worlds_by_options(flow: Flow) -> list[tuple[Options, Flow]]:
    """Return each combination of the options that decide on steps, and what it leaves.

    Raises:
        TooManyOptions: there are too many combinations.
    """
    if flow.choices is None:
        return [({}, flow)]
    names = flow.choices.deciding
    every = flow.choices.combinations(names, len(flow))
    return [(options, flow.under(options)) for options in every]


def with_steps(flow: Flow, *steps: int) -> list[Flow]:
    """Return the worlds in which some steps are carried out."""
    return [each for each in worlds(flow) if not any(map(each.is_left_out, steps))]


def deciding_options(
    under: Sequence[tuple[Mapping[str, str], float]], value: float
) -> Mapping[str, str]:
    """Return a minimal set of options under which the value is always this one (greedy).

    Args:
        under: the value under each combination of options.
        value: one of these.
    """
    kept = next(options for options, each in under if each == value)
    for choice in [*kept]:
        fewer = {name: option for name, option in kept.items() if name != choice}
        if all(each == value for options, each in under if fewer.items() <= options.items()):
            kept = fewer
    return kept


def steps_having(flow: Flow, fact: str, *roles: Role) -> list[int]:
    """Return the steps with one of some roles towards a fact, in the order of their numbers."""
    return list(members(union(flow.mask(role, fact) for role in roles)))


def steps_ending(flow: Flow, fact: str) -> list[int]:
    """Return the steps that end a fact, as they kill it or define it anew, likewise."""
    return list(members(flow.enders(fact)))


def chain_length(flow: Flow, a: int, b: int) -> int | None:
    """Return the number of links of the shortest chain of the order from step a to step b, if any.

    A link joins two steps of the transitive reduction of the order.
    """
    if flow.is_total:
        far = flow.position[b] - flow.position[a]
        return far if far > 0 else None
    far = _distances(flow, a)[b]
    return far if far > 0 else None


@cached
def _distances(flow: Flow, a: int) -> Sequence[int]:
    return tuple(flow.reduced.distances(a))


def links_between(flow: Flow, a: int, b: int) -> int:
    """Return the number of links from a step to another: of the chain, or 1 without one."""
    return chain_length(flow, a, b) or 1


def contamination_length(flow: Flow, asked: FlowQuestion) -> int | None:
    """Return the number of links of the shortest contamination of step j under some options."""
    j = present(asked.j)
    found = (links_to(world, asked, j) for world in worlds(flow))
    return min((far for far in found if far is not None), default=None)


def links_to(flow: Flow, asked: FlowQuestion, step: int) -> int | None:
    """Return the number of links by which contamination gets to a step; each holds on its own."""
    trail = contaminated(flow, asked.i, asked.fact, asked.sanitizers)
    return len(trail_to(trail, asked, step)) if step in trail else None


def links_to_furthest(flow: Flow, asked: FlowQuestion) -> int:
    """Return the number of links to the contaminated step furthest from the source; 0 for none."""
    trail = contaminated(flow, asked.i, asked.fact, asked.sanitizers)
    return max((len(trail_to(trail, asked, step)) for step in trail), default=0)
