"""Candidates for questions about written procedures.

The collection is small, so that who has seen many questions about it may know what its steps do to
one another, as it is written, in any variant. Such a reader should not be right by that: each step
and fact is asked about as often where the answer is Yes as where it is No.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import combinations, product
from random import Random

from thence.families.fable.runbooks.shown_procedures import Asked, QuestionKind, ShownProcedure
from thence.families.fable.shared.analyses import INTERVALS

_KNOWN = 25_000  # candidates of which the kinds are found, about
_KNOWN_OF: Mapping[str, int] = dict.fromkeys(
    (
        "live_variables",
        "very_busy_expressions",
        "available_expressions",
        "taint",
        "reaching_definitions",
    ),
    60_000,
)

type Candidate = tuple[ShownProcedure, Asked]
type Known = tuple[QuestionKind, Candidate]


def candidates(name: str, procedures: Sequence[ShownProcedure], rng: Random) -> Iterator[Candidate]:
    """Yield every question of an analysis about some procedures, whatever its answer."""
    for procedure in procedures:
        for asked in _EVERY[name](procedure, rng):
            yield procedure, asked


def twins(
    name: str, procedures: Sequence[ShownProcedure], rng: Random
) -> Iterator[tuple[Known, ...]]:
    """Yield pairs of a question answered No and one answered Yes, with their kinds.

    Both are about the same steps and fact of variants of a procedure; where there is a fact, they
    are about as deep. Two steps that conflict, though either could come first, have no twin: they
    do so in every variant. Of lists without mistakes these are left out.

    Args:
        name: of the analysis, any but intervals.
        procedures: several variants of each.
        rng: draws steps, facts and questions.
    """
    every = list(candidates(name, procedures, rng))
    share = _KNOWN_OF.get(name, _KNOWN) / max(len(every), 1)
    chosen: dict[Hashable, bool] = {}
    held: defaultdict[Hashable, tuple[list[Known], list[Known]]] = defaultdict(lambda: ([], []))
    for procedure, asked in every:
        about = procedure.about(name, asked)
        if about not in chosen:
            chosen[about] = rng.random() < share
        if chosen[about]:
            kind = procedure.kind(name, asked)
            known = kind, (procedure, asked)
            if kind.met:
                if procedure.is_changed:  # of other lists there would be no Yes
                    yield (known,)
            else:
                held[about, "fact" in asked and kind.far][kind.answer].append(known)
    for sides in held.values():
        few = min(map(len, sides))
        yield from zip(*(rng.sample(side, few) for side in sides), strict=True)


def _definitions(sheet: ShownProcedure, _: Random) -> Iterator[Asked]:
    for i, step in enumerate(sheet.flow.steps):
        for fact in step.defines:
            yield {"i": i, "fact": fact}


def _facts_and_steps(sheet: ShownProcedure, _: Random) -> Iterator[Asked]:
    """Yield pairs of a fact that some step provides and any step."""
    for fact in sorted({fact for step in sheet.flow.steps for fact in step.defines}):
        for i in range(len(sheet.flow)):
            yield {"i": i, "fact": fact}


def _definitions_and_steps(sheet: ShownProcedure, rng: Random) -> Iterator[Asked]:
    """Yield pairs of a definition and another step, few of them always before it."""
    flow = sheet.flow
    for each in _definitions(sheet, rng):
        for j in range(len(flow)):
            late = not flow.precedes(j, each["i"]) and flow.is_possible(each["i"], j)
            if j != each["i"] and (late or rng.random() < 0.2):
                yield {**each, "j": j}


def _made_and_needed(sheet: ShownProcedure, rng: Random) -> Iterator[Asked]:
    """Yield pairs of a step and another that needs what it provides or ends."""
    steps, flow = sheet.flow.steps, sheet.flow
    for i, j in product(range(len(steps)), repeat=2):
        if i != j and not flow.precedes(j, i) and flow.is_possible(i, j):
            made = not {*steps[i].defines}.isdisjoint(steps[j].uses)
            if made or (not {*steps[i].kills}.isdisjoint(steps[j].uses) and rng.random() < 0.3):
                yield {"i": i, "j": j}


def _contaminations(sheet: ShownProcedure, rng: Random) -> Iterator[Asked]:
    """Yield pairs of a step and another that needs something, and which step is checked."""
    flow = sheet.flow
    for i, j in product(range(len(flow)), repeat=2):
        if i == j or not flow.steps[i].defines or not flow.steps[j].uses:
            continue
        if flow.precedes(j, i) and rng.random() < 0.8:
            continue
        between = [k for k in range(len(flow)) if k not in (i, j) and flow.steps[k].defines]
        inside = [k for k in between if flow.precedes(i, k) and flow.precedes(k, j)]
        if between:
            pool = inside if inside and rng.random() < 0.7 else between
            yield {"i": i, "j": j, "sanitizers": [rng.choice(pool)]}


def _pairs(sheet: ShownProcedure, rng: Random) -> Iterator[Asked]:
    for i, j in combinations(range(len(sheet.flow)), 2):
        yield {"i": i, "j": j} if rng.random() < 0.5 else {"i": j, "j": i}


def _times(sheet: ShownProcedure, _: Random) -> Iterator[Asked]:
    for j, step in enumerate(sheet.flow.steps):
        if step.seconds is not None and sheet.flow.ancestors[j]:
            yield {"j": j}


_EVERY: Mapping[str, Callable[[ShownProcedure, Random], Iterator[Asked]]] = {
    "reaching_definitions": _definitions_and_steps,
    "available_expressions": _definitions_and_steps,
    "very_busy_expressions": _facts_and_steps,
    "live_variables": _facts_and_steps,
    INTERVALS: _times,
    "type_state": _made_and_needed,
    "taint": _contaminations,
    "concurrency": _pairs,
}
