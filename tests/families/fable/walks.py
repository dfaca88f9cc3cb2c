"""A second way to the sound answers: every permitted order is walked, under all options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

type Row = Mapping[str, Any]


def outcomes(
    procedure: Row, state: Any, go: Callable[[Any, int, Row], Any], absent: int | None = None
) -> set[Any]:
    """The states in which the executions of a procedure end, one step after another.

    Args:
        procedure: as the metadata of a sample hold it.
        state: before the first step.
        go: the state after a step, from the state before it, its place and the step.
        absent: a step that is left out, its place in the order kept.
    """
    steps = procedure["steps"]
    needs = [0] * len(steps)
    for i, j in procedure["order"]:
        needs[j] |= 1 << i
    level = {(0, state)}
    for _ in steps:
        level = {
            (done | 1 << k, held if k == absent else go(held, k, steps[k]))
            for done, held in level
            for k in range(len(steps))
            if not done >> k & 1 and needs[k] & ~done == 0
        }
    return {held for _, held in level}


def carried(procedure: Row, i: int, j: int, fact: str, ends: Sequence[str]) -> set[bool]:
    """Whether a fact is still as step i left it where step j begins, in each execution."""

    def go(held: str, k: int, step: Row) -> str:
        if held in ("met", "missed"):
            return held
        if k == j:
            return "met" if held == "there" else "missed"
        if k == i:
            return "there"
        return "gone" if any(fact in step[end] for end in ends) else held

    return {held == "met" for held in outcomes(procedure, "gone", go)}


def needed(procedure: Row, i: int, fact: str) -> set[bool]:
    """Whether a fact is used after step i before it is ended, in each execution."""

    def go(held: str, k: int, step: Row) -> str:
        if held == "after" and fact in step["uses"]:
            return "used"
        if held == "after" and (fact in step["kills"] or fact in step["defines"]):
            return "ended"
        return "after" if k == i else held

    return {held == "used" for held in outcomes(procedure, "before", go)}


def orders(procedure: Row, i: int, j: int) -> set[bool]:
    """Whether step i comes before step j, in each execution."""

    def go(held: int, k: int, step: Row) -> int:
        return k if held < 0 and k in (i, j) else held

    return {held == i for held in outcomes(procedure, -1, go)}


def disturb(one: Row, other: Row) -> bool:
    """Whether one of two steps changes what the other works with."""
    return any(
        {*a["kills"]}.intersection((*b["uses"], *b["defines"]))
        or {*a["defines"]}.intersection(b["uses"])
        for a, b in ((one, other), (other, one))
    )


def found(procedure: Row, i: int, j: int) -> bool:
    """Whether step j finds all that it uses in every execution without step i."""
    steps = procedure["steps"]
    made = {fact for step in steps for fact in step["defines"]}
    held = procedure.get("start")
    for fact in steps[j]["uses"]:

        def go(held: str, k: int, step: Row, fact: str = fact) -> str:
            if held in ("met", "missed"):
                return held
            if k == j:
                return "met" if held == "there" else "missed"
            if fact in step["defines"]:
                return "there"
            return "gone" if fact in step["kills"] else held

        there = fact not in made if held is None else fact in held
        if outcomes(procedure, "there" if there else "gone", go, i) != {"met"}:
            return False
    return True


def spoiled(procedure: Row, i: int, j: int, fact: str | None, safe: Iterable[int]) -> bool:
    """Whether step j works in some order with anything that holds what step i left spoiled."""
    safe = set(safe)

    def go(held: Any, k: int, step: Row) -> Any:
        if not isinstance(held, frozenset):
            return held
        uses = held.intersection(step["uses"])
        if k == j:
            return bool(uses)
        bad = held - {*step["kills"], *step["defines"]}
        if uses and k not in safe:
            bad |= set(step["defines"])
        if k == i:
            bad |= set(step["defines"]) if fact is None else {fact}
        return bad

    return True in outcomes(procedure, frozenset(), go)


def worlds(procedure: Row) -> Iterator[tuple[Row, set[int]]]:
    """What each combination of options leaves of a procedure, with the steps left out."""
    choices = procedure.get("choices", {})
    for options in product(*choices.values()):
        taken = set(zip(choices, options, strict=True))
        steps, absent = [], set()
        for k, step in enumerate(procedure["steps"]):
            left_out = not {tuple(each) for each in step.get("when", ())} <= taken
            absent |= {k} if left_out else set()
            nothing = {"uses": [], "defines": [], "kills": []}
            steps.append({**step, **nothing} if left_out else step)
        yield {**procedure, "steps": steps}, absent


def answer(name: str, procedure: Row, question: Row) -> bool:
    """The sound answer to a question about a procedure."""
    i, j, fact = question["i"], question["j"], question["fact"]
    seen: set[bool] = set()
    for world, absent in worlds(procedure):
        if j in absent or (i in absent and name not in ("available_expressions", "type_state")):
            continue
        if name == "reaching_definitions":
            seen |= carried(world, i, j, fact, ("kills", "defines"))
        elif name == "available_expressions":
            seen |= {False} if i in absent else carried(world, i, j, fact, ("kills",))
        elif name in ("live_variables", "very_busy_expressions"):
            seen |= needed(world, i, fact)
        elif name == "type_state":
            seen.add(found(world, i, j))
        elif name == "taint":
            seen.add(spoiled(world, i, j, fact, question["sanitizers"]))
        else:
            seen.add(
                len(orders(world, i, j)) == 2 and not disturb(world["steps"][i], world["steps"][j])
            )
    every = name in ("available_expressions", "very_busy_expressions", "type_state")
    return seen == {True} if every else True in seen
