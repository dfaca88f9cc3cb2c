"""Times of trips: the least and the most seconds until a step is done, over all options.

Both vehicles set out at once, and a vehicle waits for the other where a step says so: a step ends
when the last of those that it comes after has ended, and its own time has passed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from thence.core.graph import bitset, members
from thence.core.procedure import Pair, Procedure
from thence.core.sentence_parts import listed
from thence.dataflow.flow import Flow
from thence.dataflow.flow_cache import cached
from thence.dataflow.worlds import deciding_options, with_steps, worlds_by_options
from thence.families.fable.shared.analyses import INTERVALS
from thence.families.fable.shared.domain import Instance
from thence.families.fable.shared.traits import KnownTraits


class Path(NamedTuple):
    """Longest path to a step.

    Attributes:
        seconds: its length.
        steps: those on it that take time.
        waits: the pairs of steps of two vehicles on it, of which the later waits for the earlier.
    """

    seconds: float
    steps: tuple[int, ...]
    waits: tuple[Pair, ...]


_AT_ONCE = Path(0.0, (), ())


def is_fixed(flow: Flow, i: int | None, j: int) -> bool:
    """Return whether the time from the end of step i (None: the start) to that of j is settled.

    Before step j nothing that takes time is done but what comes before step i and what after it.
    """
    if i is None:
        return True
    if not flow.precedes(i, j):
        return False
    known = flow.ancestors[i] | flow.descendants[i] | 1 << i
    others = flow.ancestors[j] & ~known & timed(flow)
    return not others and flow.is_possible(i, j)


@cached
def timed(flow: Flow) -> int:
    """Return the bitset of the steps that take time."""
    return bitset(k for k, step in enumerate(flow.steps) if step.seconds and step.seconds[1])


@cached
def vehicles(flow: Flow) -> list[str]:
    """Return for each step the vehicle that carries it out, as its sentence begins."""
    parts = [step.text.partition(": ") for step in flow.steps]
    return [head if found else "" for head, found, _ in parts]


def ways(flow: Flow, i: int | None, j: int) -> tuple[Path, Path]:
    """Return the longest path under the options with the least time, and with the most."""
    worlds = with_steps(flow, j) if i is None else with_steps(flow, i, j)
    least = min((_longest(world, i, j, 0) for world in worlds), key=lambda path: path.seconds)
    most = max((_longest(world, i, j, 1) for world in worlds), key=lambda path: path.seconds)
    return least, most


def _longest(world: Flow, i: int | None, j: int, end: int) -> Path:
    inside = world.ancestors[j] | 1 << j
    if i is not None:
        inside &= world.descendants[i]
    found: dict[int, Path] = {}
    whose = vehicles(world)
    for k in world.in_order(members(inside)):
        seconds, steps, waits = _AT_ONCE
        for before in world.graph.predecessors[k]:
            path = found.get(before)
            if path is not None and path.seconds > seconds:
                seconds, steps, waits = path
                if whose[before] != whose[k]:
                    waits = (*waits, (before, k))
        own = 0.0 if world.is_left_out(k) else (world.steps[k].seconds or (0.0, 0.0))[end]
        found[k] = Path(seconds + own, (*steps, k) if own else steps, waits)
    return found[j]


def bounds(procedure: Procedure, i: int | None, j: int) -> list[int]:
    """Return the least and the most seconds from the end of step i to the end of step j."""
    flow = Flow(procedure)
    if not is_fixed(flow, i, j):
        raise ValueError(f"the time from step {i} to step {j} depends on what comes before")
    least, most = ways(flow, i, j)
    return [round(least.seconds), round(most.seconds)]


def _first_options(flow: Flow, i: int | None, j: int) -> Flow:
    """Return what is left by the first options with which the steps are carried out."""
    options = {
        name: held[0] for name, held in (flow.choices.options if flow.choices else {}).items()
    }
    if flow.choices:
        for step in (j, i):
            options |= dict(flow.choices.whens[step]) if step is not None else {}
    return flow.under(options) if options else flow


def _listed(world: Flow, i: int | None, j: int) -> list[int]:
    """Return the times of all steps that are listed up to step j, added up."""
    first = -1 if i is None else i
    return _added(world, [k for k in range(first + 1, j + 1) if not world.is_left_out(k)])


def _unwaited(flow: Flow, i: int | None, j: int) -> list[int]:
    """Return the times of the vehicle of step j, added up, as if it waited for nobody."""
    first, whose = -1 if i is None else i, vehicles(flow)
    steps = [k for k in range(first + 1, j + 1) if whose[k] == whose[j]]
    worlds = with_steps(flow, j) if i is None else with_steps(flow, i, j)
    sums = [_added(flow, [k for k in steps if not world.is_left_out(k)]) for world in worlds]
    return [min(low for low, _ in sums), max(high for _, high in sums)]


def _added(flow: Flow, steps: Sequence[int]) -> list[int]:
    known = [flow.steps[k].seconds or (0.0, 0.0) for k in steps]
    return [round(sum(low for low, _ in known)), round(sum(high for _, high in known))]


def instance(flow: Flow, i: int | None, j: int, words: Mapping[str, Any]) -> Instance | None:
    """Return the question about the time from the end of step i to the end of step j.

    None where it is enough to add up what a vehicle does.
    """
    least, most = ways(flow, i, j)
    answer = [round(least.seconds), round(most.seconds)]
    world = _first_options(flow, i, j)
    by_first = [round(path.seconds) for path in ways(world, i, j)]
    options = by_first != answer
    if least.waits or most.waits:
        why = "waits_and_options" if options else "waits"
    elif options:
        taken = {name for k in {*least.steps} ^ {*most.steps} for name, _ in flow.steps[k].when}
        why = "several_choices" if len(taken) > 1 else "one_choice"
    else:
        why = "one_way"
    depth = max(len(least.steps), len(most.steps))
    if why == "one_way" and depth > 1:
        return None
    found = {
        "listed_order": _listed(world, i, j),
        "first_option": by_first,
        "order_ignored": _unwaited(flow, i, j),
    }
    needed = frozenset(name for name, sums in found.items() if sums != answer)
    question = {"kind": INTERVALS, "i": i, "j": j, "fact": None, "form": "sound"}
    return Instance(
        {**question, **words},
        answer,
        " ".join(
            _told(word, path, _where(flow, i, j, path, end), end, flow)
            for end, (word, path) in enumerate((("least", least), ("most", most)))
        ),
        {"least": list(least.steps), "most": list(most.steps)},
        flow=flow,
        traits=KnownTraits(max(depth, 1), why, needed),
    )


def _told(word: str, path: Path, where: str, end: int, flow: Flow) -> str:
    """Return which steps the time is made up of, with the options and waits that it needs."""
    parts = []
    for k in path.steps:
        seconds = flow.steps[k].seconds or (0.0, 0.0)
        parts.append(f"{seconds[end]:.0f} (step {k + 1})")
    waits = [f"step {b + 1} waits for step {a + 1}" for a, b in path.waits]
    tied = f", as {listed(waits)}" if waits else ""
    return f"The {word}, {path.seconds:.0f} seconds{where}, is {' + '.join(parts)}{tied}."


def _where(flow: Flow, i: int | None, j: int, path: Path, end: int) -> str:
    """Return in words the options with which it takes just that long; "" where all do."""
    steps = [k for k in (i, j) if k is not None]
    under = [
        (options, _longest(world, i, j, end).seconds)
        for options, world in worlds_by_options(flow)
        if not any(map(world.is_left_out, steps))
    ]
    first = {choice.name: choice.options[0] for choice in flow.procedure.choices}
    named = [
        f"{name} is {'' if option == first[name] else 'not '}{first[name]}"
        for name, option in deciding_options(under, path.seconds).items()
    ]
    return f" where {listed(named)}" if named else ""
