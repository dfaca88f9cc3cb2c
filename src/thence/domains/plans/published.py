"""FABLE's published rules on plans, over the steps of a plan.

These functions are rules of thumb of the benchmark's authors, kept so that their figures can be
compared with; several are unsound (`thence.dataflow` holds the sound ones). Steps are 0-based.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thence.core.procedure import Step

Triple = tuple[int, int, str]
"""A definition that reaches a use: the definer, the user, the fact."""


def first_common(facts: Sequence[str], others: Sequence[str]) -> str | None:
    """Return the first fact of one list that the other list holds too."""
    return next((fact for fact in facts if fact in others), None)


def triples(steps: Sequence[Step]) -> Iterator[Triple]:
    """Yield all def-use triples, ordered by user and then definer."""
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
    """Return whether step j uses the fact that step i defines."""
    i, j, fact = triple
    return (
        i < j
        and fact in steps[i].defines
        and fact in steps[j].uses
        and not any(fact in (*step.defines, *step.kills) for step in steps[i + 1 : j])
    )


def is_live(steps: Sequence[Step], triple: Triple) -> bool:
    """Return whether no step after i up to j deletes the fact (the published rule)."""
    i, j, fact = triple
    return not any(fact in step.kills for step in steps[i + 1 : j + 1])


def enables(steps: Sequence[Step], i: int, j: int) -> bool:
    """Return whether step i adds a fact that step j needs."""
    return first_common(steps[i].defines, steps[j].uses) is not None


def may_run_together(steps: Sequence[Step], i: int, j: int) -> bool:
    """Return whether neither step deletes what the other needs (the published rule)."""
    first, second = steps[i], steps[j]
    return not (first_common(first.kills, second.uses) or first_common(second.kills, first.uses))


def very_busy(steps: Sequence[Step]) -> list[int]:
    """Return the steps that add something which the very next step needs."""
    return [i for i in range(len(steps) - 1) if enables(steps, i, i + 1)]


def bounds(steps: Sequence[Step], k: int) -> tuple[int | None, int | None]:
    """Return the latest earlier step that k needs, and the earliest later step that needs k."""
    after = (i for i in range(k - 1, -1, -1) if enables(steps, i, k))
    before = (j for j in range(k + 1, len(steps)) if enables(steps, k, j))
    return next(after, None), next(before, None)


def first_taint(steps: Sequence[Step]) -> int | None:
    """Return the first step that deletes something which the very next step needs."""
    return next(
        (i for i in range(len(steps) - 1) if first_common(steps[i].kills, steps[i + 1].uses)), None
    )
