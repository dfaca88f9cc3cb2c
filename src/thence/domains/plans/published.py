"""FABLE's published rules on plans, over the steps that a plan was lowered to.

These functions are rules of thumb of the benchmark's authors, kept so that their figures can be
compared with; several are unsound (`thence.dataflow` holds the sound ones). Steps are 0-based.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thence.core.procedure import Step

Triple = tuple[int, int, str]
"""A definition that reaches a use: the definer, the user, the fact."""


def shared(facts: Sequence[str], others: Sequence[str]) -> str | None:
    """The first fact of one list that is in the other."""
    return next((fact for fact in facts if fact in others), None)


def triples(steps: Sequence[Step]) -> Iterator[Triple]:
    """All def-use triples, by user, then definer: nothing between adds or deletes the fact."""
    last: dict[str, int | None] = {}
    for j, step in enumerate(steps):
        found = sorted(
            (definer, place, fact)
            for place, fact in enumerate(step.uses)
            if (definer := last.get(fact)) is not None
        )
        yield from ((definer, j, fact) for definer, _, fact in found)
        last.update(dict.fromkeys(step.kills))
        last.update(dict.fromkeys(step.defines, j))


def is_triple(steps: Sequence[Step], triple: Triple) -> bool:
    """Whether step i's definition of the fact is the one that step j uses."""
    i, j, fact = triple
    return (
        i < j
        and fact in steps[i].defines
        and fact in steps[j].uses
        and not any(fact in (*step.defines, *step.kills) for step in steps[i + 1 : j])
    )


def is_live(steps: Sequence[Step], triple: Triple) -> bool:
    """The published rule: nothing after step i up to and including step j deletes the fact."""
    i, j, fact = triple
    return not any(fact in step.kills for step in steps[i + 1 : j + 1])


def invalidates(steps: Sequence[Step], i: int, j: int) -> bool:
    """Whether step i adds something that step j needs."""
    return shared(steps[i].defines, steps[j].uses) is not None


def may_run_together(steps: Sequence[Step], i: int, j: int) -> bool:
    """The published rule: neither deletes what the other needs."""
    first, second = steps[i], steps[j]
    return not (shared(first.kills, second.uses) or shared(second.kills, first.uses))


def very_busy(steps: Sequence[Step]) -> list[int]:
    """The steps of which the very next one uses something that they add."""
    return [i for i in range(len(steps) - 1) if invalidates(steps, i, i + 1)]


def bounds(steps: Sequence[Step], k: int) -> tuple[int | None, int | None]:
    """The latest step before k that adds what k needs, the earliest after k that k adds for."""
    after = (i for i in range(k - 1, -1, -1) if invalidates(steps, i, k))
    before = (j for j in range(k + 1, len(steps)) if invalidates(steps, k, j))
    return next(after, None), next(before, None)


def taints(steps: Sequence[Step]) -> int | None:
    """The first step that deletes what the very next one needs."""
    return next(
        (i for i in range(len(steps) - 1) if shared(steps[i].kills, steps[i + 1].uses)), None
    )
